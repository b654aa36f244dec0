//! The SD pairs of every link of an instance, as statements speak of them.

use super::{Scope, TheoremError};
use crate::load::{LinkPairs, PairCounts};
use crate::progress::Stopped;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};

/// The SD pairs that use a link, wholly or in part, link by link.
pub(super) fn pairs_by_link(
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
pub(super) fn ends(pairs: &[(Host, Host)]) -> (usize, usize) {
    let count = |end: fn(&(Host, Host)) -> Host| {
        let mut hosts: Vec<Host> = pairs.iter().map(end).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.len()
    };
    (count(|pair| pair.0), count(|pair| pair.1))
}

/// The path of an SD pair as the nodes that it visits; of the first path, where there are several.
pub(super) fn nodes(instance: &Instance, s: Host, d: Host) -> Vec<u32> {
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

/// All ordered pairs of different hosts.
pub(super) fn all_pairs(hosts: usize) -> impl Iterator<Item = (Host, Host)> {
    let hosts = hosts as Host;
    (0..hosts).flat_map(move |s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)))
}
