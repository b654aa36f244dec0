//! The SD pairs of every link of an instance, as statements refer to them.

use super::{Scope, TheoremError, walk};
use crate::integer::index32;
use crate::load::{LinkPairs, PairCounts};
use crate::matching::{Graph, Matching};
use crate::progress::Stopped;
use crate::routing::{Instance, Routing};
use crate::topology::{Host, LinkId, Topology, sd_pairs};

/// The SD pairs that use a link, wholly or in part, link by link.
pub(crate) fn pairs_by_link(
    instance: &Instance,
    scope: &Scope,
) -> Result<Vec<Vec<(Host, Host)>>, TheoremError> {
    let links = instance.topology.links();
    let counts = PairCounts::collect(instance, vec![true; links], scope.progress).ok_or(Stopped)?;
    let mut all = Vec::with_capacity(links);
    for range in counts.batches() {
        let pairs = LinkPairs::collect(instance, &counts, range.clone(), scope.progress);
        let pairs = pairs.ok_or(Stopped)?;
        all.extend(range.map(|link: LinkId| pairs.of(link).map(|p| (p.s, p.d)).collect()));
    }
    Ok(all)
}

/// |SRC| and |DST| of a set of SD pairs.
pub(crate) fn ends(pairs: &[(Host, Host)]) -> (usize, usize) {
    let count = |end: fn(&(Host, Host)) -> Host| {
        let mut hosts: Vec<Host> = pairs.iter().map(end).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.len()
    };
    (count(|pair| pair.0), count(|pair| pair.1))
}

/// As [`pairs_by_link`], for a routing with one path per pair, so that no pair is split.
/// O(hosts² · path length) in time and memory.
fn pairs_of_paths(topology: &Topology, routing: &dyn Routing) -> Vec<Vec<(Host, Host)>> {
    let mut all = vec![Vec::new(); topology.links()];
    for pair in sd_pairs(topology.hosts()) {
        for link in walk::path(routing, pair.0, pair.1) {
            all[link as usize].push(pair);
        }
    }
    all
}

/// Maximum number of hosts of an instance whose paths are listed for Lemmas 7 and 9 of \[OR\],
/// which have no formula; on larger instances they publish nothing.
const MAX_HOSTS: usize = 256;

/// The SD pairs of every link of a single-path routing, where there are not too many pairs.
pub(crate) fn of_small(
    topology: &Topology,
    routing: &dyn Routing,
) -> Option<Vec<Vec<(Host, Host)>>> {
    let is_small = topology.hosts() <= MAX_HOSTS && routing.is_single_path();
    is_small.then(|| pairs_of_paths(topology, routing))
}

/// The least X for which the pairs of each link are from at most X sources or towards at most X
/// destinations.
pub(crate) fn fewest_ends(links: &[Vec<(Host, Host)>]) -> u64 {
    let fewer = links.iter().map(|pairs| {
        let (sources, destinations) = ends(pairs);
        sources.min(destinations)
    });
    fewer.max().unwrap_or(0) as u64
}

/// Maximum number of node-disjoint pairs of a link: a maximum matching of its sources, in order,
/// with its destinations.
pub(crate) fn most_disjoint(links: &[Vec<(Host, Host)>]) -> u64 {
    let mut matching = Matching::default();
    let of_link = |pairs: &Vec<(Host, Host)>| {
        let right = pairs.iter().map(|pair| pair.1 as usize + 1).max().unwrap_or(0);
        let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right };
        for own in pairs.chunk_by(|a, b| a.0 == b.0) {
            graph.targets.extend(own.iter().map(|pair| pair.1));
            graph.offsets.push(index32(graph.targets.len()));
        }
        matching.maximise(&graph);
        matching.size as u64
    };
    links.iter().map(of_link).max().unwrap_or(0)
}

/// The nodes that the path of an SD pair visits; those of the first path where there are several.
pub(crate) fn nodes(instance: &Instance, s: Host, d: Host) -> Vec<u32> {
    let mut found = Vec::new();
    instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
        if found.is_empty() {
            found.push(s);
            let heads = links.iter().filter_map(|link| Some(instance.topology.ends(*link)?.1));
            found.extend(heads);
        }
    });
    found
}
