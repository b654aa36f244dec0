//! A routing in figures: how many paths of each length it has.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::export::ExportError;
use crate::limit::within;
use crate::progress::Progress;
use crate::routing::Routing;
use crate::topology::{Host, Topology, host_number};

/// Number of paths of a given length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LengthCount {
    /// Number of links of a path.
    pub links: usize,
    /// Number of paths of that length, over all SD pairs.
    pub paths: u64,
}

/// The summary of a routing, as `route --json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RouteSummary {
    /// Spec or path.
    pub topology: String,
    /// Spec.
    pub routing: String,
    /// Number of SD pairs: N(N−1).
    pub pairs: u64,
    /// Number of paths of all pairs together.
    pub paths: u64,
    /// Maximum number of paths per pair.
    pub most_paths_of_a_pair: u64,
    /// Path lengths, shortest first.
    pub lengths: Vec<LengthCount>,
    /// See [`Routing::notes`].
    pub notes: Vec<String>,
}

impl RouteSummary {
    /// Maximum number of SD pairs that are examined.
    pub const MAX_PAIRS: u64 = 1 << 34;

    /// Iterates over all paths: O(pairs · length). `progress` counts sources.
    ///
    /// # Errors
    /// [`ExportError`] above [`Self::MAX_PAIRS`] or when `progress` is stopped.
    ///
    /// ```
    /// use routebound::{progress::Progress, report::RouteSummary, routing::Instance};
    /// let (topology, routing) = Instance::named("ft(4,2)", "dmodk")?.into_parts();
    /// let summary = RouteSummary::of(&topology, &*routing, &Progress::silent())?;
    /// // Each host has 1 other host under its switch and 6 elsewhere.
    /// let lengths: Vec<_> = summary.lengths.iter().map(|l| (l.links, l.paths)).collect();
    /// assert_eq!(lengths, [(2, 8), (4, 48)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<Self, ExportError> {
        let hosts = topology.hosts() as u128;
        let pairs = Some(hosts * (hosts - 1));
        let pairs = within("number of SD pairs", pairs, Self::MAX_PAIRS, "use `--pair S D`")?;
        let hosts = host_number(topology.hosts());
        let none = || Ok(Counts::default());
        let counts = (0..hosts)
            .into_par_iter()
            .map(|s| Counts::of(routing, s, hosts, progress))
            .try_reduce_with(|a, b| Ok(a.merged(b)))
            .unwrap_or_else(none)?;
        let length = |(links, paths)| LengthCount { links, paths };
        Ok(Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            pairs,
            paths: counts.lengths.values().sum(),
            most_paths_of_a_pair: counts.most,
            lengths: counts.lengths.into_iter().map(length).collect(),
            notes: topology.notes().iter().cloned().chain(routing.notes()).collect(),
        })
    }
}

#[derive(Default)]
struct Counts {
    lengths: BTreeMap<usize, u64>,
    most: u64,
}

impl Counts {
    /// Paths from one source.
    fn of(
        routing: &dyn Routing,
        s: Host,
        hosts: Host,
        progress: &Progress,
    ) -> Result<Self, ExportError> {
        let (mut counts, mut links) = (Self::default(), Vec::new());
        for d in (0..hosts).filter(|d| *d != s) {
            progress.check()?;
            let mut paths = 0;
            routing.for_each_path(s, d, &mut links, &mut |_, path| {
                *counts.lengths.entry(path.len()).or_default() += 1;
                paths += 1;
            });
            counts.most = counts.most.max(paths);
        }
        progress.inc(1);
        Ok(counts)
    }

    fn merged(mut self, other: Self) -> Self {
        for (links, paths) in other.lengths {
            *self.lengths.entry(links).or_default() += paths;
        }
        Self { lengths: self.lengths, most: self.most.max(other.most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::routing::Instance;

    #[test]
    fn stops_when_told() {
        let Instance { topology, routing, .. } = Instance::named("ft(4,2)", "dmodk").unwrap();
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let error = RouteSummary::of(&topology, &*routing, &progress).unwrap_err();
        assert!(matches!(error, ExportError::Stopped(_)));
    }

    #[test]
    fn refuses_more_pairs_than_can_be_examined() {
        let Instance { topology, routing, .. } =
            Instance::named("xgft(1;200000;1)", "dmodk").unwrap();
        let error = RouteSummary::of(&topology, &*routing, &Progress::silent()).unwrap_err();
        assert!(matches!(error, ExportError::TooLarge(_)));
    }
}
