//! Networks without the parts that leave traffic no choice.
//!
//! A node is *pendant* when all its links lead to or from one other node, at most one each way.
//! Removing pendant nodes until there is none leaves the *core* of a network: of a fat-tree the
//! switches, of a backbone what lies on its cycles. Traffic of a removed node enters and leaves the
//! core at one node, its *root*. So sources with the same root are one source to a programme, and
//! sinks likewise, while every removed link carries the same traffic in any routing. Optu is the
//! larger of the core's and of the largest load of a removed link.
//!
//! Bounds for the core become bounds for the network, exact as they are: lengths of the core's
//! links are lengths of the same links of the network, and its paths become the middle of paths.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::optu::OptuBounds;
use super::paths::MAX_PATHS;
use super::problem::Problem;
use super::shortest::Adjacency;
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NetworkBuilder, NodeId, Topology, link_number, node_number};
use crate::traffic::{Demand, PathRecord};

/// What a removed node hangs on: the next node towards the core, and the links to it and from it.
type Hook = (NodeId, Option<LinkId>, Option<LinkId>);

/// Demands: source, sink and units.
type Units = Vec<(Host, Host, u128)>;

/// What the removed nodes hang on.
struct Forest {
    /// The hook of every removed node.
    parent: Vec<Option<Hook>>,
    /// Links to the core.
    depth: Vec<u32>,
    /// The node of the core at which the node's traffic enters and leaves.
    root: Vec<NodeId>,
}

/// The core of a network with its traffic.
pub struct Core<'p, 't> {
    problem: &'p Problem<'t>,
    forest: Forest,
    topology: Topology,
    /// Of every link of the core, the link of the network.
    links: Vec<LinkId>,
    demands: Vec<Demand>,
    /// Demands of the network by source and sink in the core, in units.
    inside: BTreeMap<(Host, Host), Units>,
    /// Demands that do not enter the core.
    outside: Vec<(Host, Host)>,
    /// The removed link that is loaded most, and its load.
    heaviest: (LinkId, Ratio),
}

impl Forest {
    /// O(nodes + links); `None` when no node is pendant.
    fn new(network: &Adjacency) -> Option<Self> {
        let nodes = network.nodes();
        let mut around = vec![Vec::new(); nodes];
        let mut degree = vec![[0_usize; 2]; nodes];
        for link in 0..link_number(network.links()) {
            let (tail, head) = network.ends(link);
            if tail != head {
                around[tail as usize].push(link);
                around[head as usize].push(link);
                degree[tail as usize][0] += 1;
                degree[head as usize][1] += 1;
            }
        }
        let mut parent = vec![None; nodes];
        let mut removed: Vec<NodeId> = Vec::new();
        let mut next: Vec<NodeId> = (0..node_number(nodes)).rev().collect();
        while let Some(node) = next.pop() {
            let at = node as usize;
            if parent[at].is_some() || degree[at].iter().any(|count| *count > 1) {
                continue;
            }
            let other = |link: &LinkId| {
                let (tail, head) = network.ends(*link);
                if tail == node { head } else { tail }
            };
            let left = around[at].iter().filter(|link| parent[other(link) as usize].is_none());
            let left: Vec<LinkId> = left.copied().collect();
            let Some(up) = left.first().map(other) else { continue };
            if left.iter().any(|link| other(link) != up) {
                continue;
            }
            let to = left.iter().find(|link| network.ends(**link).0 == node).copied();
            let from = left.iter().find(|link| network.ends(**link).1 == node).copied();
            parent[at] = Some((up, to, from));
            degree[up as usize][1] -= usize::from(to.is_some());
            degree[up as usize][0] -= usize::from(from.is_some());
            removed.push(node);
            next.push(up);
        }
        let (mut depth, mut root) = (vec![0; nodes], (0..node_number(nodes)).collect::<Vec<_>>());
        // What a node hangs on is removed after it.
        for node in removed.iter().rev().map(|node| *node as usize) {
            let (up, ..) = parent[node]?;
            (depth[node], root[node]) = (depth[up as usize] + 1, root[up as usize]);
        }
        (!removed.is_empty()).then_some(Self { parent, depth, root })
    }

    /// The removed links that traffic from `s` to `d` takes: before the core, and after it.
    fn ways(&self, s: Host, d: Host) -> (Vec<LinkId>, Vec<LinkId>) {
        let (mut a, mut b) = (s, d);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        while a != b && (self.depth[a as usize] > 0 || self.depth[b as usize] > 0) {
            let from_s = self.depth[a as usize] >= self.depth[b as usize];
            let at = if from_s { &mut a } else { &mut b };
            let Some((up, to, from)) = self.parent[*at as usize] else { break };
            let (way, link) = if from_s { (&mut before, to) } else { (&mut after, from) };
            way.push(link.expect("every sink is reached, which the problem has verified"));
            *at = up;
        }
        after.reverse();
        (before, after)
    }
}

impl<'p, 't> Core<'p, 't> {
    /// `None` where no node is pendant, or no traffic enters the core. O(nodes + links + links of
    /// the demands' paths outside the core).
    #[must_use]
    pub fn new(problem: &'p Problem<'t>) -> Option<Self> {
        let forest = Forest::new(problem.network())?;
        let (topology, links) = core_of(problem, &forest)?;
        let number = numbers(&forest);
        let mut inside: BTreeMap<(Host, Host), Units> = BTreeMap::new();
        let (mut outside, mut carried) = (Vec::new(), vec![0_u128; problem.network().links()]);
        for group in problem.groups() {
            for (d, units) in &group.sinks {
                let s = group.source;
                let (before, after) = forest.ways(s, *d);
                for link in before.into_iter().chain(after) {
                    carried[link as usize] += units;
                }
                match [s, *d].map(|host| forest.root[host as usize]) {
                    [a, b] if a == b => outside.push((s, *d)),
                    ends => {
                        let [a, b] = ends.map(|root| number[root as usize]);
                        inside.entry((a, b)).or_default().push((s, *d, *units));
                    }
                }
            }
        }
        let amount = |units: u128| Ratio::from_big(units.into(), problem.units().into());
        let demand = |(pair, own): (&(Host, Host), &Units)| {
            let amount = amount(own.iter().map(|(_, _, units)| units).sum())?;
            Some(Demand { s: pair.0, d: pair.1, amount })
        };
        let demands: Vec<Demand> = inside.iter().map(demand).collect::<Option<_>>()?;
        let load = |(link, units): (LinkId, &u128)| {
            Some((link, problem.topology().load_of(link, &amount(*units)?)))
        };
        let loads = (0..).zip(&carried).filter(|(_, units)| **units > 0).filter_map(load);
        let heaviest = loads.max_by(|a, b| a.1.cmp(&b.1)).unwrap_or_default();
        let core = Self { problem, forest, topology, links, demands, inside, outside, heaviest };
        (!core.demands.is_empty()).then_some(core)
    }

    /// The core as a network; all its nodes are hosts.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The traffic between its nodes.
    #[must_use]
    pub fn demands(&self) -> &[Demand] {
        &self.demands
    }

    /// The largest load of a removed link: no routing has a smaller max load.
    #[must_use]
    pub fn least(&self) -> &Ratio {
        &self.heaviest.1
    }

    /// Bounds for the network from those for the core.
    ///
    /// # Errors
    /// [`TooLarge`] when the routing has more than [`MAX_PATHS`] paths.
    pub fn lift(&self, bounds: OptuBounds) -> Result<OptuBounds, TooLarge> {
        let mut lengths = vec![0; self.problem.network().links()];
        let (link, load) = &self.heaviest;
        let (lower, upper) = if *load > bounds.lower {
            lengths[*link as usize] = 1;
            (load.clone(), bounds.upper.max(load.clone()))
        } else {
            for (link, length) in self.links.iter().zip(bounds.lengths) {
                lengths[*link as usize] = length;
            }
            (bounds.lower, bounds.upper)
        };
        let paths = self.paths(&bounds.paths)?;
        Ok(OptuBounds { lower, upper, lengths, paths, stats: bounds.stats })
    }

    /// The paths of all demands from those of the core.
    fn paths(&self, core: &[PathRecord]) -> Result<Vec<PathRecord>, TooLarge> {
        let pairs: usize = self.inside.values().map(Vec::len).sum();
        let most = core.len() + pairs + self.outside.len();
        let remedy = "use a smaller network or fewer demands";
        within("number of paths of the routing", Some(most as u128), MAX_PATHS, remedy)?;
        let mut records = Vec::with_capacity(most);
        let record = |(s, d): (Host, Host), share: Ratio, inside: &[LinkId]| {
            let (mut links, after) = self.forest.ways(s, d);
            links.extend(inside.iter().map(|link| self.links[*link as usize]));
            links.extend(after);
            PathRecord { s, d, share, links }
        };
        for paths in core.chunk_by(|a, b| (a.s, a.d) == (b.s, b.d)) {
            let own = self.inside.get(&(paths[0].s, paths[0].d)).map_or(&[][..], Vec::as_slice);
            for (pair, path, share) in divided(own, paths) {
                records.push(record((own[pair].0, own[pair].1), share, &paths[path].links));
            }
        }
        records.extend(self.outside.iter().map(|pair| record(*pair, Ratio::ONE, &[])));
        records.sort_by_key(|record| (record.s, record.d));
        Ok(records)
    }
}

/// The number of every node of the core in the core.
fn numbers(forest: &Forest) -> Vec<Host> {
    let mut count = 0_usize;
    let number = |parent: &Option<_>| {
        let number = index32(count);
        count += usize::from(parent.is_none());
        number
    };
    forest.parent.iter().map(number).collect()
}

/// The core as a network, and the link that each of its links is.
fn core_of(problem: &Problem<'_>, forest: &Forest) -> Option<(Topology, Vec<LinkId>)> {
    let mut builder = NetworkBuilder::new();
    let key = |(node, parent): (usize, &Option<_>)| {
        parent.is_none().then(|| builder.host(node.to_string()))
    };
    let keys: Vec<_> = forest.parent.iter().enumerate().map(key).collect();
    let mut links = Vec::new();
    for link in 0..link_number(problem.network().links()) {
        let (tail, head) = problem.network().ends(link);
        if let (Some(from), Some(to)) = (keys[tail as usize], keys[head as usize])
            && tail != head
        {
            // Ports of its own at both ends.
            let port = link + 1;
            builder.link_at(
                (from, port),
                (to, port),
                problem.topology().link(link).capacity.clone(),
            );
            links.push(link);
        }
    }
    Some((builder.build("core").ok()?, links))
}

/// How the demands between the same roots share the paths between these: demand by demand, path by
/// path, so that there are fewer parts than demands and paths together. Parts are given as number
/// of the demand, number of the path, and share of the demand.
fn divided(demands: &[(Host, Host, u128)], paths: &[PathRecord]) -> Vec<(usize, usize, Ratio)> {
    if let [_] = paths {
        return (0..demands.len()).map(|demand| (demand, 0, Ratio::ONE)).collect();
    }
    if let [_] = demands {
        return paths.iter().enumerate().map(|(at, path)| (0, at, path.share.clone())).collect();
    }
    let integer = |units: u128| Ratio::from_big(units.into(), UBig::ONE).unwrap_or_default();
    let total = integer(demands.iter().map(|(_, _, units)| units).sum());
    let (mut parts, mut path) = (Vec::new(), 0);
    let mut free = paths.first().map_or(Ratio::ZERO, |path| &path.share * &total);
    for (at, (_, _, units)) in demands.iter().enumerate() {
        let whole = integer(*units);
        let mut left = whole.clone();
        while !left.is_zero() && path < paths.len() {
            let part = left.clone().min(free.clone());
            if let Some(share) = part.checked_div(&whole).filter(|share| !share.is_zero()) {
                parts.push((at, path, share));
            }
            left = left.checked_sub(&part).unwrap_or(Ratio::ZERO);
            free = free.checked_sub(&part).unwrap_or(Ratio::ZERO);
            if free.is_zero() {
                path += 1;
                free = paths.get(path).map_or(Ratio::ZERO, |path| &path.share * &total);
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(share: Ratio) -> PathRecord {
        PathRecord { s: 0, d: 1, share, links: vec![0] }
    }

    #[test]
    fn demands_share_the_paths() {
        let demands = [(0, 9, 1), (1, 9, 2), (2, 9, 5)];
        let share = |a, b| Ratio::new(a, b).unwrap();
        let paths = [record(share(1, 4)), record(share(3, 8)), record(share(3, 8))];
        // 8 units over paths of 2, 3 and 3.
        let parts = divided(&demands, &paths);
        let expected = [(0, 0, 1, 1), (1, 0, 1, 2), (1, 1, 1, 2), (2, 1, 2, 5), (2, 2, 3, 5)];
        assert_eq!(parts, expected.map(|(demand, path, a, b)| (demand, path, share(a, b))));
        assert_eq!(divided(&demands[..1], &paths).len(), 3);
        assert_eq!(divided(&demands, &[record(Ratio::ONE)]).len(), 3);
    }

    /// A triangle 0-1-2 with a chain 2-3-4 and a leaf 5 on 0; 6 and 7 are a network of their own.
    #[test]
    fn pendant_nodes_hang_on_the_core() {
        let mut network = NetworkBuilder::new();
        let keys: Vec<_> = (0..8).map(|node| network.host(format!("{node}"))).collect();
        for (a, b) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 0), (6, 7)] {
            network.cable(keys[a], keys[b], Ratio::ONE);
        }
        let network = Adjacency::new(&network.build("kite").unwrap());
        let forest = Forest::new(&network).unwrap();
        assert_eq!(forest.root, [0, 1, 2, 2, 2, 0, 7, 7]);
        assert_eq!(forest.depth, [0, 0, 0, 1, 2, 1, 1, 0]);
        // Cable i is links 2i and 2i + 1.
        assert_eq!(forest.ways(4, 5), (vec![9, 7], vec![11]));
        assert_eq!(forest.ways(4, 2), (vec![9, 7], vec![]));
        assert_eq!(forest.ways(2, 4), (vec![], vec![6, 8]));
        assert_eq!(forest.ways(6, 7), (vec![12], vec![]));
        assert_eq!(forest.ways(0, 1), (vec![], vec![]));
    }

    /// With two links one way, or links to one node and from another, there is a choice, or none
    /// that this module knows.
    #[test]
    fn other_nodes_stay() {
        for links in [vec![(0, 1), (0, 1), (1, 0), (1, 0)], vec![(0, 1), (1, 2), (2, 0)]] {
            let mut network = NetworkBuilder::new();
            let keys: Vec<_> = (0..3).map(|node| network.host(format!("{node}"))).collect();
            for (port, (a, b)) in (1..).zip(links) {
                network.link_at((keys[a], port), (keys[b], port), Ratio::ONE);
            }
            let network = Adjacency::new(&network.build("test").unwrap());
            assert!(Forest::new(&network).is_none());
        }
    }
}
