//! Traffic that is alike in both directions as a linear program needs it: one direction, merged by block.
//!
//! Where every link has an opposite one of the same capacity and every two nodes exchange as much
//! traffic in one direction as in the other, some best routing is its own reverse: the mean of a
//! routing and of its reverse is one, and no link of it is loaded more. So one direction of every
//! pair is routed, such that the two links of a cable together carry at most what one of them may,
//! and the other direction takes the same paths backwards.
//!
//! To a block of a network ([`super::blocks`]) all sources whose traffic enters it at the same node
//! are one source. Blocks of one cable leave no choice, and blocks whose links the even split loads
//! less than a proven bound need none: they are *settled*. What remains is often a small part of a
//! network, with a fraction of its sources.
//!
//! Other traffic is left as it is: merged, its linear programs are solved hardly faster.

use super::blocks::{BlockId, Blocks};
use super::crossings::{Crossing, Walk};
use super::flow_decomposition::{FlowDecomposer, PathFlow};
use super::problem::{Group, Problem, Traffic};
use super::shortest::Adjacency;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// Traffic alike in both directions, merged by block and without settled blocks; or any other, as it
/// is, with all links in one block.
pub struct Merged<'p> {
    problem: &'p Problem<'p>,
    blocks: Blocks,
    settled: Vec<bool>,
    /// The links of the other blocks.
    network: Adjacency,
    /// Block of every group.
    block: Vec<BlockId>,
    groups: Vec<Group>,
    /// The opposite of every link, when only one direction of every pair is in `groups`.
    opposite: Option<Vec<LinkId>>,
    forced: Option<(LinkId, f64)>,
    least: f64,
}

impl<'p> Merged<'p> {
    /// `splits` is the even split of every source, `lower` a bound on the max load that is proven.
    /// O(sources · links · log nodes).
    #[must_use]
    pub fn new(problem: &'p Problem<'p>, splits: &[Traffic], lower: f64) -> Self {
        let network = problem.network();
        let opposite = if alike(problem) { opposite(problem.topology()) } else { None };
        let blocks = match opposite {
            Some(_) => Blocks::new(network),
            None => Blocks::one(network),
        };
        let forced = forced(network, &blocks);
        let load = problem.loads(splits);
        let mut settled = vec![opposite.is_some(); blocks.count()];
        for (link, load) in (0..).zip(&load) {
            let block = blocks.of(link) as usize;
            settled[block] &= forced[block] || *load <= lower;
        }
        let is_settled = |link: LinkId| settled[blocks.of(link) as usize];
        let loads = || (0..).zip(load.iter().copied()).filter(|(link, _)| is_settled(*link));
        let least = loads().fold(0.0, |most, (_, load)| f64::max(most, load));
        let must = loads().filter(|(link, _)| forced[blocks.of(*link) as usize]);
        let forced = must.max_by(|a, b| a.1.total_cmp(&b.1));
        let network = network.only(|link| !is_settled(link));
        let mut merged = Self {
            problem,
            blocks,
            settled,
            network,
            block: Vec::new(),
            groups: Vec::new(),
            opposite,
            forced,
            least,
        };
        merged.group();
        merged
    }

    /// Traffic by block and by the node where it enters it.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The links that they may use.
    #[must_use]
    pub fn network(&self) -> &Adjacency {
        &self.network
    }

    /// The link that carries the most traffic that has no choice, and its load in any routing.
    #[must_use]
    pub fn forced(&self) -> Option<(LinkId, f64)> {
        self.forced
    }

    /// The largest load of a link that is not in [`Self::network`].
    #[must_use]
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The first of the links whose traffic counts together: a link and its opposite where one
    /// direction of every pair stands for both, the link alone elsewhere.
    #[must_use]
    pub fn cable(&self, link: LinkId) -> LinkId {
        self.other(link).map_or(link, |other| other.min(link))
    }

    /// The opposite of `link`, whose traffic counts together with that of `link`.
    #[must_use]
    pub fn other(&self, link: LinkId) -> Option<LinkId> {
        self.opposite.as_ref().map(|opposite| opposite[link as usize])
    }

    /// Merges the traffic of all sources into groups.
    fn group(&mut self) {
        let mut all = Vec::new();
        let mut walk = Walk::new(self.problem.network());
        for group in self.problem.groups() {
            walk.crossings(self.problem.network(), &self.blocks, group, |crossing| {
                if !self.settled[crossing.block as usize] {
                    all.push(crossing);
                }
            });
        }
        all.sort_unstable();
        all.dedup_by(|later, first| {
            let ends = |c: &Crossing| (c.block, c.enters, c.leaves);
            let same = ends(later) == ends(first);
            first.units += if same { later.units } else { 0 };
            same
        });
        let one_way = self.opposite.is_some();
        for crossing in all.iter().filter(|c| !one_way || c.enters < c.leaves) {
            let is_source = |group: &Group| group.source == crossing.enters;
            let same_block = self.block.last() == Some(&crossing.block);
            if !(same_block && self.groups.last().is_some_and(is_source)) {
                self.block.push(crossing.block);
                self.groups.push(Group { source: crossing.enters, sinks: Vec::new() });
            }
            if let Some(group) = self.groups.last_mut() {
                group.sinks.push((crossing.leaves, crossing.units));
            }
        }
    }

    /// The link traffic of every source of the problem: in settled blocks that of `splits`, in the
    /// others as `flows`, the link traffic of every group, divided among its sources pair by pair.
    /// O(sources · nodes · path length).
    #[must_use]
    pub fn expand(&self, flows: Vec<Traffic>, splits: &[Traffic]) -> Vec<Traffic> {
        if self.opposite.is_none() {
            return flows;
        }
        let network = self.problem.network();
        let mut parts = self.parts(&flows);
        let mut walk = Walk::new(network);
        let mut total = vec![0.0; network.links()];
        let groups = self.problem.groups().iter().zip(splits);
        let traffic = groups.map(|(group, split)| {
            let is_settled = |link: LinkId| self.settled[self.blocks.of(link) as usize];
            for (link, amount) in split.iter().filter(|(link, _)| is_settled(*link)) {
                total[*link as usize] = *amount;
            }
            walk.crossings(network, &self.blocks, group, |crossing| {
                let amount = self.problem.amount(crossing.units);
                if let Some((index, backwards)) = self.find(&crossing) {
                    let parts = &mut parts[index.0][index.1];
                    parts.take(backwards, amount, |link, part| {
                        let link = if backwards { self.other(link).unwrap_or(link) } else { link };
                        total[link as usize] += part;
                    });
                }
            });
            let used = (0..).zip(&mut total).filter(|(_, amount)| **amount > 0.0);
            used.map(|(link, amount)| (link, std::mem::take(amount))).collect()
        });
        traffic.collect()
    }

    /// The paths of every sink of every group.
    fn parts(&self, flows: &[Traffic]) -> Vec<Vec<Parts>> {
        let mut decomposer = FlowDecomposer::new(self.problem);
        let lengths = vec![1; self.problem.network().links()];
        let groups = self.groups.iter().zip(flows);
        let paths = groups.map(|(group, flow)| decomposer.decompose(group, flow, &lengths));
        paths.map(|sinks| sinks.into_iter().map(Parts::new).collect()).collect()
    }

    /// The group and the sink that a crossing belongs to, and whether it goes the opposite way;
    /// `None` in settled blocks.
    fn find(&self, crossing: &Crossing) -> Option<((usize, usize), bool)> {
        let backwards = self.opposite.is_some() && crossing.enters > crossing.leaves;
        let ends = (crossing.enters, crossing.leaves);
        let (from, to) = if backwards { (ends.1, ends.0) } else { ends };
        let first = self.block.partition_point(|block| *block < crossing.block);
        let end = self.block.partition_point(|block| *block <= crossing.block);
        let within = &self.groups[first..end];
        let group = first + within.binary_search_by_key(&from, |group| group.source).ok()?;
        let sinks = &self.groups[group].sinks;
        Some(((group, sinks.binary_search_by_key(&to, |sink| sink.0).ok()?), backwards))
    }
}

/// Whether every two hosts exchange as much in one direction as in the other.
fn alike(problem: &Problem<'_>) -> bool {
    let groups = problem.groups();
    let back = |s: Host, d: Host| {
        let group = &groups[groups.binary_search_by_key(&d, |group| group.source).ok()?];
        let at = group.sinks.binary_search_by_key(&s, |sink| sink.0).ok()?;
        Some(group.sinks[at].1)
    };
    groups
        .iter()
        .all(|group| group.sinks.iter().all(|&(d, units)| back(group.source, d) == Some(units)))
}

/// Whether a block leaves traffic no choice: it has at most one link in each direction.
fn forced(network: &Adjacency, blocks: &Blocks) -> Vec<bool> {
    let mut first: Vec<Vec<LinkId>> = vec![Vec::new(); blocks.count()];
    for link in 0..link_number(network.links()) {
        let links = &mut first[blocks.of(link) as usize];
        if links.len() < 3 {
            links.push(link);
        }
    }
    let tail = |link: LinkId| network.ends(link).0;
    let is_forced = |links: Vec<LinkId>| match links[..] {
        [a, b] => tail(a) != tail(b),
        _ => links.len() < 2,
    };
    first.into_iter().map(is_forced).collect()
}

/// The opposite of every link: between the same nodes, of the same capacity. `None` when one has
/// none.
fn opposite(topology: &Topology) -> Option<Vec<LinkId>> {
    let ends: Vec<(NodeId, NodeId)> =
        topology.link_numbers().map(|link| topology.ends(link)).collect::<Option<_>>()?;
    let key = |link: &LinkId| (ends[*link as usize], &topology.link(*link).capacity);
    let swapped = |link: &LinkId| {
        let ((tail, head), capacity) = key(link);
        ((head, tail), capacity)
    };
    let mut forth: Vec<LinkId> = topology.link_numbers().collect();
    let mut back = forth.clone();
    forth.sort_by(|a, b| key(a).cmp(&key(b)));
    back.sort_by(|a, b| swapped(a).cmp(&swapped(b)));
    let mut opposite = vec![0; ends.len()];
    for (link, other) in forth.iter().zip(&back) {
        if key(link) != swapped(other) {
            return None;
        }
        opposite[*link as usize] = *other;
    }
    Some(opposite)
}

/// The paths of a pair of nodes, handed out to the sources one after the other.
struct Parts {
    paths: Vec<PathFlow>,
    /// Per direction: the path that is being handed out, and what is gone of it.
    gone: [(usize, f64); 2],
}

impl Parts {
    fn new(paths: Vec<PathFlow>) -> Self {
        Self { paths, gone: [(0, 0.0); 2] }
    }

    /// Calls `on` with the links of the next paths and what they carry of `amount`. The last path
    /// takes what rounding leaves.
    fn take(&mut self, backwards: bool, amount: f64, mut on: impl FnMut(LinkId, f64)) {
        let (at, gone) = &mut self.gone[usize::from(backwards)];
        let mut left = amount;
        while let Some(path) = self.paths.get(*at) {
            let is_last = *at + 1 == self.paths.len();
            let part = if is_last { left } else { left.min(path.amount - *gone).max(0.0) };
            for link in &path.links {
                on(*link, part);
            }
            left -= part;
            *gone += part;
            if is_last || left <= 0.0 {
                break;
            }
            (*at, *gone) = (*at + 1, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::topology::NetworkBuilder;
    use crate::traffic::Demand;

    /// Two rings of five and three nodes that share node 0, with chords, a chain and leaves; `skew`
    /// is the capacity of one link beside its opposite, of capacity 2.
    fn network(skew: u64) -> Topology {
        let mut builder = NetworkBuilder::new();
        let nodes: Vec<_> = (0..11).map(|node| builder.host(format!("n{node}"))).collect();
        let rings = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 3), (0, 5), (5, 6), (6, 0)];
        for (a, b) in rings {
            builder.cable(nodes[a], nodes[b], Rational::from(3));
        }
        for (a, b) in [(4, 7), (7, 8), (2, 9), (6, 10), (6, 10)] {
            builder.cable(nodes[a], nodes[b], Rational::from(50));
        }
        builder.link_at((nodes[1], 20), (nodes[4], 20), Rational::from(2));
        builder.link_at((nodes[4], 20), (nodes[1], 20), Rational::from(skew));
        builder.build("rings").unwrap()
    }

    fn demands(amount: impl Fn(Host, Host) -> u64) -> Vec<Demand> {
        let pairs = (0..11).flat_map(|s| (0..11).map(move |d| (s, d))).filter(|(s, d)| s != d);
        let demand = |(s, d)| Demand { s, d, amount: Rational::from(amount(s, d)) };
        pairs.map(demand).filter(|demand| !demand.amount.is_zero()).collect()
    }

    /// Routes every group evenly over shortest paths and expands that: every source sends what it
    /// has to, and links carry what the groups put on them.
    fn assert_expands(topology: &Topology, demands: &[Demand], one_way: bool) {
        let problem = Problem::new(topology, demands).unwrap();
        let splits: Vec<Traffic> = problem.groups().iter().map(|g| problem.even_split(g)).collect();
        let merged = Merged::new(&problem, &splits, 0.0);
        assert_eq!(merged.opposite.is_some(), one_way);
        let flows: Vec<Traffic> = merged.groups().iter().map(|g| problem.even_split(g)).collect();
        let expanded = merged.expand(flows.clone(), &splits);
        for (group, flow) in problem.groups().iter().zip(&expanded) {
            let mut left = [0.0; 11];
            left[group.source as usize] = group.sinks.iter().map(|s| problem.amount(s.1)).sum();
            for (d, units) in &group.sinks {
                left[*d as usize] -= problem.amount(*units);
            }
            for (link, amount) in flow {
                let (tail, head) = problem.network().ends(*link);
                left[tail as usize] -= amount;
                left[head as usize] += amount;
            }
            assert!(left.iter().all(|left| left.abs() < 1e-12), "{left:?}");
        }
        let load = problem.loads(&expanded);
        let mut together = vec![0.0; load.len()];
        for (link, amount) in flows.iter().flatten() {
            let part = amount / problem.capacity()[*link as usize];
            together[*link as usize] += part;
            if let Some(other) = merged.other(*link) {
                together[other as usize] += part;
            }
        }
        let is_open = |link: &LinkId| !merged.settled[merged.blocks.of(*link) as usize];
        for link in topology.link_numbers().filter(is_open) {
            assert!((load[link as usize] - together[link as usize]).abs() < 1e-12);
        }
    }

    #[test]
    fn merged_traffic_is_divided_again() {
        let uneven = |s: Host, d: Host| u64::from((7 * s + 3 * d) % 5);
        assert_expands(&network(2), &demands(uneven), false);
        assert_expands(&network(1), &demands(|_, _| 1), false);
        assert_expands(&network(2), &demands(|s, d| u64::from((s + 1) * (d + 1) % 4)), true);
    }

    #[test]
    fn sources_are_merged_and_blocks_without_choice_left_out() {
        let (topology, demands) = (network(2), demands(|_, _| 1));
        let problem = Problem::new(&topology, &demands).unwrap();
        let splits: Vec<Traffic> = problem.groups().iter().map(|g| problem.even_split(g)).collect();
        let merged = Merged::new(&problem, &splits, 0.0);
        // One direction: 0 to 3 of the first ring, 0 and 5 of the other, 6 of the two cables.
        let sources: Vec<Host> = merged.groups().iter().map(|group| group.source).collect();
        assert_eq!(sources.len(), 7, "{sources:?}");
        // Nodes 7 and 8 exchange traffic with nine others over the first cable of the chain.
        let (link, load) = merged.forced().unwrap();
        let (tail, head) = topology.ends(link).unwrap();
        assert_eq!((tail.min(head), tail.max(head)), (4, 7));
        assert!((load - problem.amount(2 * 9)).abs() < 1e-12, "the largest capacity counts as 1");
        // Proven to be as good as can be, everything is settled.
        assert!(Merged::new(&problem, &splits, 1.0).groups().is_empty());
    }
}
