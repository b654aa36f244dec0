//! What `nonblocking` prints.

use serde::Serialize;

use crate::bounds::{Bounds, Evidence};
use crate::nonblocking::{Meeting, TopSwitches, is_nonblocking, printed_least};
use crate::progress::Stopped;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};

/// Whether permutations can be sent without contention, as `nonblocking --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct NonblockingReport {
    /// Canonical spec, or the path.
    pub topology: String,
    /// The routing; without one, the best single-path routing that was found.
    pub routing: String,
    /// The name of the routing in the text: one that was given, or the best one found.
    pub of: &'static str,
    /// Whether it is nonblocking by load; `None` when the bounds leave it open.
    pub nonblocking: Option<bool>,
    /// Maximum max load of a permutation: 1 for nonblocking.
    pub permutation_load: Bounds,
    /// Whether packets of two SD pairs of a permutation meet, in whatever shares.
    pub contention: ContentionReport,
    /// Notes about network and routing.
    pub notes: Vec<String>,
}

/// Contention as \[NB\] III defines it.
#[derive(Clone, Debug, Serialize)]
pub struct ContentionReport {
    /// Whether there is none; `None` when the work ended before all pairs were looked at.
    pub nonblocking: Option<bool>,
    /// The link on which two SD pairs meet, if some do.
    pub link: Option<LinkId>,
    /// These pairs, with different sources and different destinations.
    pub pairs: Vec<(Host, Host)>,
    /// The result in words.
    #[serde(skip)]
    text: String,
}

impl ContentionReport {
    /// The record of what [`meeting`](crate::nonblocking::meeting) found.
    fn new(instance: &Instance, found: Result<Option<Meeting>, Stopped>) -> Self {
        let nonblocking = found.ok().map(|found| found.is_none());
        let (link, pairs, text) = match found {
            Err(Stopped) => (None, Vec::new(), "open, not all pairs were looked at".to_string()),
            Ok(None) => (None, Vec::new(), "no two pairs of a permutation meet".to_string()),
            Ok(Some(Meeting { link, pairs })) => {
                let topology = &instance.topology;
                let [a, b] = pairs.map(|pair| {
                    let (s, d) = (topology.host_label(pair.0), topology.host_label(pair.1));
                    format!("{s}->{d}")
                });
                let name = topology.link_name(link);
                (Some(link), pairs.to_vec(), format!("{a} and {b} meet on {name} (link {link})"))
            }
        };
        Self { nonblocking, link, pairs, text }
    }
}

/// The result of a reading of contention.
fn verdict(nonblocking: Option<bool>) -> &'static str {
    match nonblocking {
        Some(true) => "nonblocking",
        Some(false) => "blocking",
        None => "open",
    }
}

impl NonblockingReport {
    /// The record of a routing, or of the best one: its permutation load, and on what link two pairs
    /// meet.
    #[must_use]
    pub fn new(
        instance: &Instance,
        of: &'static str,
        load: Bounds,
        meeting: Result<Option<Meeting>, Stopped>,
    ) -> Self {
        let nonblocking = is_nonblocking(&load);
        let topology = instance.topology.spec().to_string();
        let (routing, notes) = (instance.routing.spec().to_string(), instance.notes());
        let contention = ContentionReport::new(instance, meeting);
        Self { topology, routing, of, nonblocking, permutation_load: load, contention, notes }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, of, permutation_load, contention, .. } = self;
        let by_load = verdict(self.nonblocking);
        let verdict = match verdict(contention.nonblocking) {
            same if same == by_load => by_load.to_string(),
            by_contention => format!("{by_load} by load, {by_contention} by contention"),
        };
        let contention = &contention.text;
        let notes = self.notes.iter().map(|note| format!("note              {note}\n"));
        format!(
            "{topology} with {of} {routing}\nverdict           {verdict}\n\
             permutation load  {permutation_load}\ncontention        {contention}\n{}",
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
