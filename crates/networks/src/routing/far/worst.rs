//! The choice of ports with the largest worst permutation load.
//!
//! Pairs of a permutation that use a link together are a matching of the pairs that can use it. So no
//! choice loads a link with more than a maximum matching of these, and sending just its pairs over
//! that link does.

use std::collections::HashMap;

use super::graph::Graph;
use crate::limit::within;
use crate::matching::{self, Matching};
use crate::rational::Rational;
use crate::routing::RoutingError;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Maximum number of hosts: matchings of larger fabrics take hours where bounds do not save them.
const MAX_HOSTS: u64 = 1 << 12;
/// Maximum number of uses that are kept: a link, a destination, and a switch at which sources enter.
const MAX_USES: u64 = 1 << 26;

/// The pairs that are sent over the worst link, by that link.
pub(super) struct Worst {
    link: Option<LinkId>,
    load: Rational,
    /// By source: the destination whose traffic it sends over the link, and the path.
    paths: HashMap<Host, (Host, Vec<LinkId>)>,
}

/// By link, which destinations can be reached over it from which switch.
struct Uses {
    /// The switches at which sources enter, each with these.
    entries: Vec<(NodeId, Vec<Host>)>,
    /// By link: entry and destination.
    of: Vec<Vec<(u32, Host)>>,
}

impl Uses {
    fn of(topology: &Topology, graph: &Graph) -> Result<Self, RoutingError> {
        let mut sources: HashMap<NodeId, Vec<Host>> = HashMap::new();
        for s in topology.host_numbers() {
            sources.entry(graph.entry(s).1).or_default().push(s);
        }
        let mut entries: Vec<(NodeId, Vec<Host>)> = sources.into_iter().collect();
        entries.sort_unstable_by_key(|(node, _)| *node);
        let mut uses = Self { entries, of: vec![Vec::new(); topology.links()] };
        let (mut seen, mut stack) = (vec![0_u64; topology.nodes()], Vec::new());
        let (mut count, mut round) = (0_u64, 0);
        for (at, (entry, own)) in (0..).zip(&uses.entries) {
            for d in topology.host_numbers().filter(|d| own.iter().any(|s| s != d)) {
                round += 1;
                stack.push(*entry);
                seen[*entry as usize] = round;
                while let Some(node) = stack.pop().filter(|node| *node != d) {
                    for (link, head) in graph.ways(node, d) {
                        uses.of[*link as usize].push((at, d));
                        count += 1;
                        if *head != d
                            && std::mem::replace(&mut seen[*head as usize], round) != round
                        {
                            stack.push(*head);
                        }
                    }
                }
                let remedy = "use choice=even, or a part of the fabric";
                within("number of uses of links", Some(count.into()), MAX_USES, remedy)?;
            }
        }
        Ok(uses)
    }

    /// The pairs that can use a link, as a graph from its sources to the hosts; and these sources.
    fn pairs(&self, link: LinkId, hosts: usize) -> (matching::Graph, Vec<Host>) {
        let mut by_source: Vec<(Host, Host)> = Vec::new();
        for (entry, d) in &self.of[link as usize] {
            let sources = self.entries[*entry as usize].1.iter().filter(|s| *s != d);
            by_source.extend(sources.map(|s| (*s, *d)));
        }
        by_source.sort_unstable();
        let (mut sources, mut graph) = (Vec::new(), matching::Graph::default());
        graph.right = hosts;
        for (s, d) in by_source {
            if sources.last() != Some(&s) {
                sources.push(s);
                graph.offsets.push(host_number(graph.targets.len()));
            }
            graph.targets.push(d);
        }
        graph.offsets.push(host_number(graph.targets.len()));
        (graph, sources)
    }

    /// The most pairs of a permutation that a link can have, without a search.
    fn bound(&self, link: LinkId) -> usize {
        let (mut entries, mut destinations): (Vec<u32>, Vec<Host>) =
            self.of[link as usize].iter().copied().unzip();
        entries.dedup();
        destinations.sort_unstable();
        destinations.dedup();
        let sources = entries.iter().map(|entry| self.entries[*entry as usize].1.len());
        sources.sum::<usize>().min(destinations.len())
    }
}

impl Worst {
    /// Finds the choice. O(L·E·√N) for L links that E pairs can use each, N hosts; most links are
    /// passed over by a bound.
    ///
    /// # Errors
    /// [`RoutingError::TooLarge`].
    pub(super) fn of(topology: &Topology, graph: &Graph) -> Result<Self, RoutingError> {
        let remedy = "use choice=even, or a part of the fabric";
        let hosts = Some(topology.hosts() as u128);
        within("number of hosts for the worst choice of ports", hosts, MAX_HOSTS, remedy)?;
        let uses = Uses::of(topology, graph)?;
        let mut best = Self { link: None, load: Rational::ONE, paths: HashMap::new() };
        let mut order: Vec<(LinkId, usize)> =
            topology.link_numbers().map(|link| (link, uses.bound(link))).collect();
        order.sort_by_key(|(link, bound)| (std::cmp::Reverse(*bound), *link));
        let mut matching = Matching::default();
        for (link, bound) in order {
            let load = |pairs: usize| {
                let pairs = Rational::new(pairs as u64, 1)?;
                pairs.checked_div(&topology.link(link).capacity)
            };
            if load(bound).is_none_or(|bound| bound <= best.load) {
                continue;
            }
            let (pairs, sources) = uses.pairs(link, topology.hosts());
            matching.maximise(&pairs);
            let Some(load) = load(matching.size).filter(|load| *load > best.load) else { continue };
            let paths = sources.iter().zip(&matching.left).filter_map(|(s, d)| {
                // An unmatched source has a mate that is not a host.
                let d = Some(*d).filter(|d| (*d as usize) < topology.hosts())?;
                Some((*s, (d, path(topology, graph, *s, d, link)?)))
            });
            best = Self { link: Some(link), load, paths: paths.collect() };
        }
        Ok(best)
    }

    /// The path of a pair that is sent over the worst link.
    pub(super) fn path(&self, s: Host, d: Host) -> Option<&[LinkId]> {
        let (own, path) = self.paths.get(&s)?;
        (*own == d).then_some(path)
    }

    /// What was found.
    pub(super) fn note(&self, topology: &Topology) -> String {
        let Some(link) = self.link else {
            return "no choice of ports loads a link with more than 1 in a permutation (claimed)"
                .into();
        };
        format!(
            "the worst choice of ports for permutations: {} pairs over {}, load {}; that no choice loads a link more is claimed, by matchings of the pairs that can use each link",
            self.paths.len(),
            topology.link_name(link),
            self.load
        )
    }
}

/// A path of a pair over a link.
fn path(topology: &Topology, graph: &Graph, s: Host, d: Host, over: LinkId) -> Option<Vec<LinkId>> {
    let (first, entry) = graph.entry(s);
    let (tail, head) = topology.ends(over)?;
    // Each node with the link and the node by which it was reached.
    let mut reached: HashMap<NodeId, Option<(LinkId, NodeId)>> = HashMap::from([(entry, None)]);
    let mut stack = vec![entry];
    while let Some(node) = stack.pop().filter(|node| *node != tail) {
        for (link, next) in graph.ways(node, d).iter().filter(|(_, next)| *next != d) {
            if !reached.contains_key(next) {
                reached.insert(*next, Some((*link, node)));
                stack.push(*next);
            }
        }
    }
    let (mut links, mut node) = (vec![over], tail);
    while let Some((link, before)) = reached.get(&node)? {
        links.push(*link);
        node = *before;
    }
    links.push(first);
    links.reverse();
    graph.push_first(head, d, &mut links);
    Some(links)
}
