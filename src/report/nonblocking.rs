//! What `nonblocking` prints.

use serde::Serialize;

use crate::bounds::{Bounds, Evidence};
use crate::nonblocking::{TopSwitches, is_nonblocking, printed_least};
use crate::routing::Instance;

/// Whether permutations can be sent without contention, as `nonblocking --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct NonblockingReport {
    /// Canonical spec, or the path.
    pub topology: String,
    /// The routing; without one, the best single-path routing that was found.
    pub routing: String,
    /// What the text calls the routing: one that was given, or the best one found.
    pub of: &'static str,
    /// Whether it is nonblocking; `None` when the bounds leave it open.
    pub nonblocking: Option<bool>,
    /// Greatest max load of a permutation: 1 for nonblocking.
    pub permutation_load: Bounds,
    /// What to know about network and routing.
    pub notes: Vec<String>,
}

impl NonblockingReport {
    /// The record of a routing, or of the best one.
    #[must_use]
    pub fn new(instance: &Instance, of: &'static str, load: Bounds) -> Self {
        let nonblocking = is_nonblocking(&load);
        let topology = instance.topology.spec().to_string();
        let (routing, notes) = (instance.routing.spec().to_string(), instance.notes());
        Self { topology, routing, of, nonblocking, permutation_load: load, notes }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, of, permutation_load, .. } = self;
        let verdict = match self.nonblocking {
            Some(true) => "nonblocking",
            Some(false) => "blocking",
            None => "open",
        };
        let notes = self.notes.iter().map(|note| format!("note              {note}\n"));
        format!(
            "{topology} with {of} {routing}\nverdict           {verdict}\n\
             permutation load  {permutation_load}\n{}",
            notes.collect::<String>()
        )
    }
}

/// The least number of top switches, as `nonblocking --least-m --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct LeastSwitchesReport {
    /// n, number of hosts per bottom switch.
    pub n: u32,
    /// r, number of bottom switches.
    pub r: u32,
    /// Bounds of the least m of a nonblocking ftree(n,m,r).
    pub least_m: Bounds,
    /// The lower bound by counting.
    pub counted: u64,
    /// The lower bound of Theorem 1 or 2 of \[NB\].
    pub printed: u64,
    /// The least permutation load for every m that was examined.
    pub decided: Vec<(u32, Bounds)>,
    /// Whether the bounds meet.
    pub complete: bool,
}

impl LeastSwitchesReport {
    /// The record of a search.
    #[must_use]
    pub fn new(n: u32, r: u32, found: &TopSwitches) -> Self {
        let decided = found.decided.iter().map(|(m, found)| (*m, found.bounds.clone()));
        let least_m = Bounds {
            lower: u64::from(found.lower).into(),
            upper: u64::from(found.upper).into(),
            evidence: if found.is_reached {
                Evidence::Proven
            } else {
                Evidence::Claimed(
                    "the upper bound is [NB] Theorem 3, no routing was checked".into(),
                )
            },
        };
        let printed = printed_least(n.into(), r.into());
        let (counted, complete) = (found.counted, found.complete);
        Self { n, r, least_m, counted, printed, decided: decided.collect(), complete }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { n, r, least_m, counted, printed, .. } = self;
        let decided = self.decided.iter().map(|(m, load)| format!("m = {m:<14}{load}\n"));
        format!(
            "least m of a nonblocking ftree({n},m,{r}) with single-path routing\n\
             least m           {least_m}\n\
             by counting       at least {counted}; [NB] Theorems 1 and 2: at least {printed}\n\
             least permutation load\n{}",
            decided.collect::<String>()
        )
    }
}
