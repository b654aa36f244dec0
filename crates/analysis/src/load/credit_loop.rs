//! Credit loops: cycles of channel dependencies, in which packets may wait for each other forever.

use rayon::prelude::*;

use super::{Dependencies, DependencyError};
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;
use crate::topology::{Host, LinkId, Topology};

/// A cycle of channel dependencies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "credit loop over {} links: {}, and then the first again; route upwards before downwards, or \
     separate the paths by virtual lanes", links.len(), links.join(", then ")
)]
pub struct CreditLoop {
    /// The names of the links, in the order in which paths use them.
    pub links: Vec<String>,
    /// Numbers of the links of the loop.
    pub numbers: Vec<LinkId>,
    /// The virtual lanes of the links; empty where all paths share one.
    pub lanes: Vec<u32>,
}

impl CreditLoop {
    /// The loop over these links.
    #[must_use]
    pub fn new(topology: &Topology, cycle: &[LinkId]) -> Self {
        let links = cycle.iter().map(|link| topology.link_name(*link)).collect();
        Self { links, numbers: cycle.to_vec(), lanes: Vec::new() }
    }

    /// For every link of the loop, the first SD pair with a path that continues with the next one; `None` where the
    /// instance has no such path. O(pairs · links of the paths of a pair / threads). `progress` advances by N.
    ///
    /// # Errors
    /// [`Stopped`].
    pub fn pairs(
        &self,
        Instance { topology, routing, .. }: &Instance,
        progress: &Progress,
    ) -> Result<Vec<Option<(Host, Host)>>, Stopped> {
        holders(topology, &self.numbers, topology.links(), progress, |(s, d), visit| {
            routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| visit(path));
            Ok(())
        })
    }
}

/// For every one of a cycle of some number of channels, the first SD pair with a path that continues with the next one.
pub(super) fn holders<E: From<Stopped> + Send>(
    topology: &Topology,
    cycle: &[u32],
    channels: usize,
    progress: &Progress,
    for_each_path: impl Fn((Host, Host), &mut dyn FnMut(&[u32])) -> Result<(), E> + Sync,
) -> Result<Vec<Option<(Host, Host)>>, E> {
    // A shortest cycle has each channel once: by channel, its place and the channel after it.
    let mut places = vec![None; channels];
    let next = cycle.iter().cycle().skip(1);
    for (at, (channel, next)) in cycle.iter().zip(next).enumerate() {
        places[*channel as usize] = Some((at, *next));
    }
    let of_source = |s: Host| {
        let mut found = vec![None; cycle.len()];
        for d in topology.host_numbers().filter(|d| *d != s) {
            progress.check()?;
            for_each_path((s, d), &mut |path| {
                let places = path.iter().map(|channel| places[*channel as usize]);
                for (place, after) in places.zip(path.iter().skip(1)) {
                    if let Some((at, _)) = place.filter(|(_, next)| next == after) {
                        found[at] = found[at].or(Some((s, d)));
                    }
                }
            })?;
        }
        progress.inc(1);
        Ok(found)
    };
    let first = |a: Vec<Option<_>>, b: Vec<Option<_>>| {
        Ok(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
    };
    let none = vec![None; cycle.len()];
    let sources = topology.host_numbers().into_par_iter().map(of_source);
    sources.try_reduce_with(first).unwrap_or(Ok(none))
}

/// A credit loop of a routing, if there is one: its packets may wait for each other forever. Shortest paths of
/// trees lead up and then down; those of other instances are followed. O(pairs · links of the paths of a pair /
/// threads).
///
/// # Errors
/// As [`Dependencies::of_routing`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::credit_loop, progress::Progress, routing::Instance};
/// assert_eq!(credit_loop(&Instance::named("ft(8,3)", "ecmp")?, &Progress::silent())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn credit_loop(
    instance: &Instance,
    progress: &Progress,
) -> Result<Option<CreditLoop>, DependencyError> {
    if instance.is_by_spec() {
        return Ok(None);
    }
    let cycle = Dependencies::of_routing(instance, progress)?.cycle();
    Ok(cycle.map(|cycle| CreditLoop::new(&instance.topology, &cycle)))
}

#[cfg(test)]
mod tests {
    use super::super::lanes::tests::ring;
    use super::*;

    #[test]
    fn every_wait_of_a_loop_is_on_the_path_of_its_pair() {
        let instance = ring();
        let found = credit_loop(&instance, &Progress::silent()).unwrap().unwrap();
        let pairs = found.pairs(&instance, &Progress::silent()).unwrap();
        assert_eq!((found.numbers.len(), pairs.len()), (5, 5));
        for (at, pair) in pairs.into_iter().enumerate() {
            let (s, d) = pair.unwrap();
            let two = [found.numbers[at], found.numbers[(at + 1) % 5]];
            let mut is_held = false;
            instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
                is_held |= path.windows(2).any(|links| links == two);
            });
            assert!(is_held, "{s} {d}");
        }
        let other = CreditLoop::new(&instance.topology, &[0]);
        assert_eq!(other.pairs(&instance, &Progress::silent()), Ok(vec![None]));
    }
}
