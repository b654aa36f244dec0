//! Permutations that load links most: one for each of the worst links, and diverse sets of them.

use std::cmp::Reverse;

use super::{Analyse, WorstCaseError, choose, host_links, unit, witness};
use crate::bounds::Witness;
use crate::certificate::Quantity;
use crate::load::{LinkGraph, LinkLoads, LinkPairs, PairCounts};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::LinkId;
use crate::traffic::Demand;

/// A permutation that loads a link as much as any permutation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPermutation {
    /// The load of the link.
    pub load: Rational,
    /// The link, the permutation and its optu.
    pub witness: Witness,
}

/// An error from the search for bad permutations.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadPermutationError {
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// All links with the most that a permutation puts on them, the worst first, equal ones by
/// number. Omits links that no pair uses, and those that join a host to its only neighbour, which
/// every demand of the host loads equally.
///
/// # Errors
/// [`BadPermutationError`], also when the work was stopped.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::worst_links};
/// let links = worst_links(&Instance::named("ft(4,2)", "dmodk")?, &Progress::silent())?;
/// assert_eq!((links.len(), links[0].1.to_string().as_str()), (16, "2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst_links(
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<(LinkId, Rational)>, BadPermutationError> {
    let worst = Analyse::of(Quantity::PermutationLoad).progress(progress).run(instance)?;
    if !worst.is_exact_by_link() {
        return Err(worst.unsolved.map_or(Stopped.into(), BadPermutationError::from));
    }
    let is_host_link = host_links(&instance.topology, Quantity::PermutationLoad);
    let bounds = worst.links.into_iter().flatten().zip(&is_host_link);
    let bounds = bounds.filter(|(bound, host_link)| !bound.load.is_zero() && host_link.is_none());
    let mut links: Vec<_> = bounds.map(|(bound, _)| (bound.cover.link, bound.load)).collect();
    links.sort_by_key(|(link, load)| (Reverse(load.clone()), *link));
    Ok(links)
}

/// For each of `links`, with its load as given by [`worst_links`], a permutation that attains the
/// load, completed as [`witness`] does. Memory grows with the number of links times hosts.
///
/// # Errors
/// As for [`worst_links`].
///
/// # Panics
/// When a link does not exist.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::{bad_permutations, worst_links}};
/// let instance = Instance::named("ft(8,2)", "smodk")?;
/// let links = worst_links(&instance, &Progress::silent())?;
/// let bad = bad_permutations(&instance, &links[..3], &Progress::silent())?;
/// assert!(bad.iter().all(|bad| bad.load == 4.into() && bad.witness.demands.len() == 32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bad_permutations(
    instance: &Instance,
    links: &[(LinkId, Rational)],
    progress: &Progress,
) -> Result<Vec<BadPermutation>, BadPermutationError> {
    let quantity = Quantity::PermutationLoad;
    let topology = &instance.topology;
    let (_, solver) = choose(instance, quantity, unit(topology, quantity))?;
    let mut wanted = vec![false; topology.links()];
    for (link, _) in links {
        wanted[*link as usize] = true;
    }
    let counts = PairCounts::collect(instance, wanted.clone(), progress).ok_or(Stopped)?;
    let mut traffic: Vec<Option<Vec<Demand>>> = vec![None; topology.links()];
    for range in counts.batches() {
        let pairs = LinkPairs::collect(instance, &counts, range.clone(), progress);
        let pairs = pairs.ok_or(Stopped)?;
        let mut problem = LinkGraph::for_hosts(topology.hosts());
        for link in range.filter(|link| wanted[*link as usize]) {
            progress.check()?;
            problem.load(link, pairs.of(link));
            let found = solver.traffic(&problem, progress);
            let found = found
                .map_err(|why| why.error(link).map_or(Stopped.into(), BadPermutationError::from));
            traffic[link as usize] = Some(found?);
        }
    }
    let bad = links.iter().map(|(link, load)| {
        progress.check()?;
        let demands = traffic[*link as usize].clone();
        let demands = demands.expect("every link is in a batch, and this one was requested");
        Ok(BadPermutation { load: load.clone(), witness: witness(instance, *link, demands) })
    });
    bad.collect()
}

/// Number of links whose permutations are computed at once.
const BATCH: usize = 16;

/// All links as [`worst_links`] gives them, in another order: by load ÷ optu of their permutations. Where hosts
/// differ, a link may be loaded most by permutations that load it under any routing.
///
/// # Errors
/// As for [`worst_links`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::{links_by_ratio, worst_links}};
/// let instance = Instance::named("xgft(2;4,4;1,2)", "dmodk")?;
/// let links = links_by_ratio(&instance, &Progress::silent())?;
/// assert_eq!(links.len(), worst_links(&instance, &Progress::silent())?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn links_by_ratio(
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<(LinkId, Rational)>, BadPermutationError> {
    let links = worst_links(instance, progress)?;
    let mut ranked = Vec::with_capacity(links.len());
    for batch in links.chunks(BATCH) {
        for bad in bad_permutations(instance, batch, progress)? {
            let ratio = bad.load.checked_div(&bad.witness.optu).unwrap_or(Rational::ZERO);
            ranked.push((ratio, (bad.witness.link, bad.load)));
        }
    }
    // Equal ones stay in the order of their loads.
    ranked.sort_by_key(|(ratio, _)| Reverse(ratio.clone()));
    Ok(ranked.into_iter().map(|(_, link)| link).collect())
}

/// Up to `count` permutations that load different links: each is a worst one for a link that none
/// of the previous ones loads as much, taken in the order of [`worst_links`]. Fewer when every link
/// is loaded by one of them as much as by any permutation.
///
/// # Errors
/// As for [`worst_links`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::diverse_permutations};
/// let instance = Instance::named("ft(8,2)", "dmodk")?;
/// let bad = diverse_permutations(&instance, 3, &Progress::silent())?;
/// assert_eq!(bad.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diverse_permutations(
    instance: &Instance,
    count: usize,
    progress: &Progress,
) -> Result<Vec<BadPermutation>, BadPermutationError> {
    let Instance { topology, routing, .. } = instance;
    let mut open = worst_links(instance, progress)?;
    let mut chosen = Vec::new();
    while !open.is_empty() && chosen.len() < count {
        let batch = &open[..open.len().min(BATCH)];
        let mut covered = vec![false; topology.links()];
        for bad in bad_permutations(instance, batch, progress)? {
            if covered[bad.witness.link as usize] || chosen.len() == count {
                continue;
            }
            let demands = &bad.witness.demands;
            let loads = LinkLoads::of(topology, &**routing, demands, progress)?;
            for (link, load) in &open {
                covered[*link as usize] |= loads.load(*link) >= *load;
            }
            chosen.push(bad);
        }
        open.retain(|(link, _)| !covered[*link as usize]);
    }
    Ok(chosen)
}
