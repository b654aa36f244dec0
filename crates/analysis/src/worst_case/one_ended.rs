//! The most traffic on a link that is routable to, or from, hosts that are alike: one flow through the network.
//!
//! Where all pairs on a link end at alike hosts, as on the links into a leaf switch, any of these serves every source.
//! So the routable traffic that loads the link most, and its routing, are one flow of maximum gain over the links of
//! the network, in which what a source sends gains its share of the link. The same holds backwards for pairs that all
//! begin at alike hosts.

use std::collections::BTreeMap;

use crate::bounds::{RoutedTraffic, Witness};
use crate::flow::MinCostNetwork;
use crate::load::HostClasses;
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Maximum of capacities and shares after scaling to integers.
const MAX_UNITS: u64 = 1 << 40;

/// Routable traffic that puts most on a link among the pairs that end, or begin, at the class of hosts where all
/// `demands` do, and the ratio it attains; `None` where they do neither, or the numbers have no small common
/// denominator. O(paths of the flow × links) in practice.
pub(super) fn one_ended(
    instance: &Instance,
    classes: &HostClasses,
    link: LinkId,
    demands: &[Demand],
    progress: &Progress,
) -> Option<(Rational, Witness)> {
    let witness =
        |backwards| Question::new(instance, classes, link, demands, backwards)?.witness(progress);
    [false, true].into_iter().filter_map(witness).reduce(|a, b| if b.0 > a.0 { b } else { a })
}

/// Which hosts send, and to which.
struct Question<'a> {
    topology: &'a Topology,
    link: LinkId,
    /// Whether the flow goes against the links: from destinations to one class of sources.
    backwards: bool,
    /// Share of the link of what every host sends to the class; 0 for hosts that are to send nothing.
    shares: Vec<Rational>,
    /// Whether a host is of the class.
    is_end: Vec<bool>,
}

/// A link as the flow goes, with what is left of the flow on it, in units.
struct Arc {
    link: LinkId,
    from: NodeId,
    to: NodeId,
    left: u64,
}

/// A path of the flow, its arcs in order, and the units it carries.
struct FlowPath {
    arcs: Vec<usize>,
    units: u64,
}

impl<'a> Question<'a> {
    fn new(
        instance: &'a Instance,
        classes: &HostClasses,
        link: LinkId,
        demands: &[Demand],
        backwards: bool,
    ) -> Option<Self> {
        let topology = &*instance.topology;
        let end = |demand: &Demand| classes.class(if backwards { demand.s } else { demand.d });
        let class = end(demands.first()?);
        if demands.iter().any(|demand| end(demand) != class) {
            return None;
        }
        let last = classes.hosts()[class][0];
        let (mut scratch, mut shares) =
            (UseScratch::default(), vec![Rational::ZERO; topology.hosts()]);
        for hosts in classes.hosts().iter().filter(|hosts| !hosts.contains(&last)) {
            let (s, d) = if backwards { (last, hosts[0]) } else { (hosts[0], last) };
            let mut all = Rational::ZERO;
            instance.routing.for_each_use(s, d, &mut scratch, &mut |share, links| {
                if links.contains(&link) {
                    all += share;
                }
            });
            for host in hosts {
                shares[*host as usize] = all.clone();
            }
        }
        let mut is_end = vec![false; topology.hosts()];
        for host in &classes.hosts()[class] {
            is_end[*host as usize] = true;
        }
        Some(Self { topology, link, backwards, shares, is_end })
    }

    /// Tail and head of a link as the flow goes, where it may.
    fn ends(&self, link: LinkId) -> Option<(NodeId, NodeId)> {
        let (tail, head) = self.topology.ends(link)?;
        let (from, to) = if self.backwards { (head, tail) } else { (tail, head) };
        let sends = self.shares.get(from as usize).is_none_or(|share| !share.is_zero());
        let receives = self.is_end.get(to as usize).is_none_or(|is_end| *is_end);
        (sends && receives).then_some((from, to))
    }

    /// The flow of maximum gain, and the units of a capacity of 1.
    fn flow(&self, progress: &Progress) -> Option<(Vec<Arc>, u64)> {
        let topology = self.topology;
        let capacity = |link: LinkId| &topology.link(link).capacity;
        let scale = common_denominator(topology.link_numbers().map(capacity))?;
        let scale_of_gain = common_denominator(&self.shares)?;
        let integer =
            |value: &Rational, scale| value.scaled(scale).filter(|units| *units <= MAX_UNITS);
        let (source, sink) = (topology.nodes(), topology.nodes() + 1);
        let mut network = MinCostNetwork::new(topology.nodes() + 2);
        let (mut arcs, mut room) = (Vec::new(), vec![0; topology.nodes()]);
        for link in topology.link_numbers() {
            let Some((from, to)) = self.ends(link) else { continue };
            let units = integer(capacity(link), scale)?;
            network.add_arc(from as usize, to as usize, units, 0);
            arcs.push(Arc { link, from, to, left: 0 });
            room[from as usize] += units;
            room[to as usize] += units;
        }
        for (host, share) in self.shares.iter().enumerate() {
            if self.is_end[host] {
                network.add_arc(host, sink, room[host], 0);
            } else if !share.is_zero() {
                network.add_arc(source, host, room[host], integer(share, scale_of_gain)?);
            }
        }
        network.maximise(source, sink, progress).ok()?;
        for (number, arc) in arcs.iter_mut().enumerate() {
            arc.left = network.flow(number);
        }
        Some((arcs, scale))
    }

    /// The paths of a flow.
    fn paths(&self, mut arcs: Vec<Arc>) -> Vec<FlowPath> {
        let mut leaving = vec![Vec::new(); self.topology.nodes()];
        for (number, arc) in arcs.iter().enumerate() {
            leaving[arc.from as usize].push(number);
        }
        let senders =
            self.topology.host_numbers().filter(|host| !self.shares[*host as usize].is_zero());
        let mut paths = Vec::new();
        for host in senders {
            while let Some(path) = self.path(host, &mut arcs, &mut leaving) {
                paths.push(path);
            }
        }
        paths
    }

    /// Takes a path out of the flow, if any flow leaves `host`. Every cycle on the way empties an arc, so the walk
    /// ends.
    fn path(&self, host: Host, arcs: &mut [Arc], leaving: &mut [Vec<usize>]) -> Option<FlowPath> {
        let mut path: Vec<usize> = Vec::new();
        let mut at = host;
        while self.is_end.get(at as usize) != Some(&true) {
            let next = &mut leaving[at as usize];
            while next.last().is_some_and(|arc| arcs[*arc].left == 0) {
                next.pop();
            }
            path.push(*next.last()?);
            at = arcs[*path.last()?].to;
            if let Some(first) = path.iter().position(|arc| arcs[*arc].from == at) {
                take(arcs, &path[first..]);
                path.truncate(first);
            }
        }
        let units = take(arcs, &path);
        Some(FlowPath { arcs: path, units })
    }

    /// The traffic of the flow with its routing, and the ratio that it attains.
    fn witness(&self, progress: &Progress) -> Option<(Rational, Witness)> {
        let (arcs, scale) = self.flow(progress)?;
        let of_arc: Vec<_> = arcs.iter().map(|arc| (arc.link, arc.from, arc.to)).collect();
        let mut of_pair = BTreeMap::<(Host, Host), Vec<(Vec<LinkId>, u64)>>::new();
        let (mut carried, mut gain) = (vec![0; self.topology.links()], Rational::ZERO);
        for FlowPath { arcs, units } in self.paths(arcs) {
            let mut links: Vec<LinkId> = arcs.iter().map(|arc| of_arc[*arc].0).collect();
            for link in &links {
                carried[*link as usize] += units;
            }
            let (from, to) = (of_arc[*arcs.first()?].1, of_arc[*arcs.last()?].2);
            gain += &(&self.shares[from as usize] * &Rational::new(units, scale)?);
            let pair = if self.backwards { (to, from) } else { (from, to) };
            if self.backwards {
                links.reverse();
            }
            of_pair.entry(pair).or_default().push((links, units));
        }
        let (mut demands, mut paths) = (Vec::new(), Vec::new());
        for ((s, d), of_pair) in of_pair {
            let all = of_pair.iter().map(|(_, units)| units).sum();
            demands.push(Demand { s, d, amount: Rational::new(all, scale)? });
            for (links, units) in of_pair {
                paths.push(PathRecord { s, d, share: Rational::new(units, all)?, links });
            }
        }
        let load = |(link, units)| Some(self.topology.load_of(link, &Rational::new(units, scale)?));
        let optu = (0..).zip(carried).filter_map(load).max()?;
        let ratio = self.topology.load_of(self.link, &gain).checked_div(&optu)?;
        let flow = RoutedTraffic::Paths(paths);
        Some((ratio, Witness { link: self.link, demands, optu, flow }))
    }
}

/// Takes what arcs in a row still carry out of the flow.
fn take(arcs: &mut [Arc], row: &[usize]) -> u64 {
    let units = row.iter().map(|arc| arcs[*arc].left).min().unwrap_or(0);
    for arc in row {
        arcs[*arc].left -= units;
    }
    units
}
