//! The channels of a network in a table, and the channel that decides the load factor.

use super::prelude::*;
use crate::channel_tree::{Channel, ChannelLevel, ChannelTree, CongestionParameter};
use crate::limit::{TooLarge, within};
use crate::topology::{Direction, NodeId};
use crate::traffic::TrafficView;

/// Larger networks are left out: more nodes, no two alike, may take longer than a second.
const MAX_NODES: u64 = 1 << 17;

/// Maximum number of links, which must be bundled first.
const MAX_LINKS: u64 = 1 << 20;

/// Maximum number of subtrees of labelled trees: those of one height are alike.
const MAX_SUBTREES: u64 = 1 << 21;

/// The channels of \[GL\], as `topo --json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelsReport {
    /// Things below a channel: `nodes`, or `subtrees` of a tree in which nodes have several parents.
    pub below: &'static str,
    /// Capacities level by level, from the hosts up.
    pub levels: Vec<ChannelLevel>,
    /// Bounds on r; `None` where a channel is not a whole number of wires.
    pub congestion_parameter: Option<Bounds>,
}

impl ChannelsReport {
    /// The channels of a network; `None` where there is no tree of them.
    ///
    /// # Errors
    /// [`TooLarge`] where this might take longer than a second.
    pub fn of(topology: &Topology) -> Result<Option<Self>, TooLarge> {
        let remedy = "a smaller network shows them";
        let sizes = match topology.tree() {
            Some(tree) => {
                let of_height = |height| tree.hosts() / tree.subtree_hosts(height) as usize;
                vec![("subtrees", (0..=tree.height()).map(of_height).sum(), MAX_SUBTREES)]
            }
            None => {
                vec![("nodes", topology.nodes(), MAX_NODES), ("links", topology.links(), MAX_LINKS)]
            }
        };
        for (what, size, most) in sizes {
            within(&format!("number of {what}"), Some(size as u128), most, remedy)?;
        }
        let tree = ChannelTree::of_any(topology).filter(|tree| tree.order().len() > 1);
        Ok(tree.map(|tree| Self {
            below: if tree.has_nodes_of(topology) { "nodes" } else { "subtrees" },
            levels: tree.levels(),
            congestion_parameter: tree.congestion_parameter().map(congestion),
        }))
    }

    /// A line on what channels are, a table, and r.
    #[must_use]
    pub fn text(&self) -> String {
        let what = match self.below {
            "nodes" => "all links between a node and the one above",
            _ => "all links between a subtree and what is above",
        };
        let rows = self.levels.iter().map(|level| {
            let name = if level.level == 0 { "hosts".into() } else { level.level.to_string() };
            let capacity = if level.least == level.most {
                level.most.to_string()
            } else {
                format!("{} to {}", level.least, level.most)
            };
            vec![name, level.channels.to_string(), level.channels.to_string(), capacity]
        });
        let head = ["above level", "channels up", "channels down", "capacity"];
        let r = self.congestion_parameter.as_ref().map_or_else(
            || "none: a channel is not a whole number of wires".into(),
            |r| format!("r is {} to {}", decimal(&r.lower), decimal(&r.upper)),
        );
        let table = table(&head, rows);
        format!("channels [GL], each {what}\n\n{table}\n\ncongestion parameter [GL] 4  {r}\n")
    }
}

/// The bounds on r with their evidence.
#[must_use]
pub fn congestion(CongestionParameter { lower, upper }: CongestionParameter) -> Bounds {
    Bounds { lower, upper, evidence: Evidence::Claimed("bisection, rounded outward".into()) }
}

/// A multiple of 10^−12, as the bounds on r are.
fn decimal(bound: &Rational) -> String {
    const PARTS: u64 = 1_000_000_000_000;
    let exact = bound.scaled(PARTS).map(|parts| (parts / PARTS, parts % PARTS));
    exact.map_or_else(|| bound.to_string(), |(whole, parts)| format!("{whole}.{parts:012}"))
}

/// λ(M) of \[GL\], and the first channel that attains it.
#[derive(Clone, Debug)]
pub struct LoadFactorReport {
    /// The most that a channel carries ÷ its capacity.
    pub value: Rational,
    /// `None` without traffic.
    pub channel: Option<BusiestChannel>,
}

/// A channel and its traffic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BusiestChannel {
    /// Name of the node below it, or of the subtree where nodes have several parents.
    pub below: String,
    /// Number of the node below it; a subtree above the hosts has none.
    pub node: Option<NodeId>,
    /// Up from the node below, or down to it.
    pub direction: Direction,
    /// Messages that cross it: amounts of demands.
    pub messages: Rational,
    /// Capacity of all its links.
    pub capacity: Rational,
}

impl LoadFactorReport {
    /// The load factor of traffic; `None` where there is no tree of channels.
    #[must_use]
    pub fn of<'a>(topology: &Topology, traffic: impl Into<TrafficView<'a>>) -> Option<Self> {
        let tree = ChannelTree::of_any(topology)?;
        let factor = tree.load_factor(traffic);
        let channel = factor.channel.map(|channel| {
            let Channel { below, direction } = channel;
            let is_node = tree.has_nodes_of(topology) || (below as usize) < tree.hosts();
            let capacity = tree.capacity(channel).clone();
            BusiestChannel {
                below: tree.name(topology, below),
                node: is_node.then_some(below),
                direction,
                messages: &factor.value * &capacity,
                capacity,
            }
        });
        Some(Self { value: factor.value, channel })
    }
}

impl BusiestChannel {
    /// The place of the channel and its traffic, in words.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { below, direction, messages, capacity, .. } = self;
        let way = if *direction == Direction::Up { "up from" } else { "down to" };
        let plural = if *messages == Rational::ONE { "" } else { "s" };
        format!("at the channel {way} {below}: {messages} message{plural}, capacity {capacity}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;
    use crate::traffic::{self, Demand};

    #[test]
    fn bounds_are_written_in_full() {
        for (bound, text) in
            [("13/2", "6.500000000000"), ("3/1000000000000", "0.000000000003"), ("1/3", "1/3")]
        {
            assert_eq!(decimal(&bound.parse().unwrap()), text);
        }
    }

    #[test]
    fn the_busiest_channel_is_a_node_or_a_subtree() {
        let busiest = |spec: &str, pattern: &str| {
            let network = generate(spec).unwrap();
            let messages = traffic::generate(pattern, network.hosts()).unwrap();
            LoadFactorReport::of(&network, messages.demands()).unwrap()
        };
        let node = busiest("universal(16)", "shift(8)");
        assert_eq!(node.value, Rational::from(2));
        let channel = node.channel.unwrap();
        assert_eq!(channel.text(), "at the channel up from sw-2-0: 4 messages, capacity 2");
        assert_eq!(channel.node, Some(24));
        let subtree = busiest("bft(16)", "shift(4)").channel.unwrap();
        assert_eq!(
            subtree.text(),
            "at the channel up from subtree 0 of height 1: 4 messages, capacity 2"
        );
        assert_eq!(subtree.node, None);
        let demand = Demand { s: 0, d: 3, amount: Rational::from(2) };
        let host = LoadFactorReport::of(&generate("ft(4,2)").unwrap(), &[demand]).unwrap();
        let host = host.channel.unwrap();
        assert_eq!((host.node, host.direction), (Some(0), Direction::Up));
        assert_eq!(host.text(), "at the channel up from host-0: 2 messages, capacity 1");
        let nothing = busiest("universal(4)", "shift(4)");
        assert_eq!((nothing.value, nothing.channel), (Rational::ZERO, None));
    }

    #[test]
    fn other_networks_have_no_channels() {
        let mut made = crate::topology::NetworkBuilder::new();
        let hosts = ["a", "b", "c"].map(|name| made.host(name));
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            made.cable(hosts[a], hosts[b], Rational::ONE);
        }
        let ring = made.build("ring").unwrap();
        assert!(ChannelsReport::of(&ring).unwrap().is_none());
        assert!(LoadFactorReport::of(&ring, &[]).is_none());
    }
}
