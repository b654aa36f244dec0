//! SD pairs that a failure leaves without a path.

use itertools::Itertools;
use rayon::prelude::*;

use crate::topology::{Host, Topology, host_number};

/// Maximum number of pairs that are named.
const NAMED: usize = 1000;

/// Maximum number of pairs in a sentence.
const LISTED: usize = 10;

/// SD pairs that a failure leaves without a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LostPairs {
    /// Number of these pairs.
    pub count: u64,
    /// Number of all SD pairs of the hosts that remain.
    pub of: u64,
    /// Source and destination of the first pairs, at most 1000, as they are called in reports.
    pub first: Vec<(String, String)>,
    /// Why they have no path.
    pub rule: &'static str,
}

impl LostPairs {
    /// The pairs of a network for which `is_lost` holds; `state` is scratch space of a source. Sources are processed
    /// in parallel.
    pub(super) fn find<S: Default>(
        topology: &Topology,
        rule: &'static str,
        is_lost: impl Fn(&mut S, Host, Host) -> bool + Sync,
    ) -> Self {
        let hosts = topology.hosts();
        let of_source = |s: Host| {
            let mut state = S::default();
            let others = (0..host_number(hosts)).filter(|d| *d != s);
            let mut lost = others.filter(|d| is_lost(&mut state, s, *d)).map(|d| (s, d));
            let first = lost.by_ref().take(NAMED).collect_vec();
            (first.len() + lost.count(), first)
        };
        // Collected in the order of the sources.
        let rows: Vec<(usize, Vec<(Host, Host)>)> =
            (0..host_number(hosts)).into_par_iter().map(of_source).collect();
        let called = |(s, d): &(Host, Host)| (topology.host_label(*s), topology.host_label(*d));
        Self {
            count: rows.iter().map(|(count, _)| *count as u64).sum(),
            of: hosts as u64 * (hosts as u64 - 1),
            first: rows.iter().flat_map(|(_, first)| first).take(NAMED).map(called).collect(),
            rule,
        }
    }

    /// These pairs, of which no more are named than a sentence has room for; their number remains.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        self.first.truncate(LISTED);
        self
    }

    /// `2 of 56 SD pairs`.
    #[must_use]
    pub fn counted(&self) -> String {
        format!("{} of {} SD pairs", self.count, self.of)
    }
}

impl std::fmt::Display for LostPairs {
    /// `2 of 56 SD pairs are routed over what has failed: 0->3, 3->0`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = self.first.len().min(LISTED);
        let listed = self.first[..shown].iter().map(|(s, d)| format!("{s}->{d}")).join(", ");
        write!(f, "{} {}: {listed}", self.counted(), self.rule)?;
        match self.count - shown as u64 {
            0 => Ok(()),
            more => write!(f, ", … {more} more"),
        }
    }
}
