//! The least number of top switches of nonblocking two-level trees.

use super::proven::Proven;
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Quantity, SinglePath};
use crate::checker::Accepted;
use crate::nonblocking::{TopSwitches, counted_switches, is_nonblocking, least_top_switches, stem};
use crate::progress::Stopped;
use crate::report::LeastSwitchesReport;
use crate::study::prelude::*;
use crate::synth::{Method, Options};

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["nonblocking-switches"],
    "[NB] Theorems 1 to 3",
    "least m of a nonblocking ftree(n,m,r) with single-path routing, small n and r",
);

/// n and r.
const TREES: [(u32, &[u32]); 4] = [
    (1, &[2, 3, 4]),
    (2, &[2, 3, 4, 5, 6, 7, 8]),
    (3, &[2, 3, 4, 5, 6, 7, 8]),
    (4, &[2, 3, 4, 5, 6, 7, 8, 9, 10]),
];

/// n and r that formulas do not settle within minutes: only counting bounds these.
const COUNTED: [(u32, u32); 5] = [(3, 5), (4, 4), (4, 5), (4, 6), (4, 7)];

const HEADS: [&str; 6] = ["n", "r", "printed", "counting", "least m", "evidence"];

/// Rows whose formulas have proofs too large for a part, one of half a gigabyte.
const LARGE: [(u32, u32); 2] = [(3, 4), (4, 3)];

impl Entry for Trees {
    type Row = Switches;

    /// The small tier has all but those with large proofs.
    fn of(tier: Tier) -> Result<Self> {
        let trees = TREES.iter().flat_map(|(n, all)| all.iter().map(|r| (*n, *r)));
        Ok(Self(trees.filter(|tree| tier == Tier::Full || !LARGE.contains(tree)).collect()))
    }

    fn finder(&self) -> Finder<'_, Switches> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Switches]) -> Result<Vec<Table>> {
        let cells = self.0.iter().zip(found).map(|((n, r), found)| found.cells(*n, *r));
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Switches], tables: &[Table]) -> Result<Page> {
        Ok(Page::new(HEADER).tables(tables).text(FINDINGS))
    }
}

/// Trees by n and r.
struct Trees(Vec<(u32, u32)>);

/// The least number of top switches, with the certificates that prove it: what refutes one switch
/// less, unless counting does, and a routing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Switches {
    counted: u64,
    lower: u32,
    upper: u32,
    is_reached: bool,
    fewer: Option<Proven>,
    enough: Option<Proven>,
}

impl Switches {
    fn cells(&self, n: u32, r: u32) -> Vec<String> {
        let Self { counted, lower, upper, is_reached, .. } = *self;
        let complete = is_reached && lower == upper;
        let found =
            TopSwitches { counted, lower, upper, is_reached, decided: Vec::new(), complete };
        let LeastSwitchesReport { printed, counted, least_m, .. } =
            LeastSwitchesReport::new(n, r, &found);
        let least = match least_m.exact() {
            Some(exact) => exact.to_string(),
            None => format!("{}..{}", least_m.lower, least_m.upper),
        };
        let evidence = least_m.evidence.to_string();
        let numbers = [n.into(), r.into(), printed, counted].map(|n: u64| n.to_string());
        numbers.into_iter().chain([least, evidence]).collect()
    }
}

/// The bounds that evidence proves for the least permutation load of ftree(n,m,r).
fn load(proven: Option<&Proven>, n: u32, m: u32, r: u32) -> Option<Bounds> {
    let name = SinglePath::name(Quantity::PermutationLoad);
    let checked = proven?.checked(&format!("ftree({n},{m},{r})"), &stem(n, m, r))?;
    let Accepted { lower, upper, .. } =
        Some(checked.accepted).filter(|accepted| accepted.quantity == name)?;
    Some(Bounds { lower, upper, evidence: Evidence::Proven })
}

impl Rows for Trees {
    type Key = (u32, u32);
    type Row = Switches;

    fn keys(&self) -> &[(u32, u32)] {
        &self.0
    }

    fn is_shared(&self, size: &(u32, u32)) -> bool {
        !LARGE.contains(size)
    }

    fn find(&self, size: &(u32, u32), progress: &Progress) -> Result<Switches> {
        let (n, r) = *size;
        let is_counted = COUNTED.contains(&(n, r));
        let method = if is_counted { Method::Count } else { Method::All };
        let options = Options { method, ..Options::default() };
        let found = least_top_switches(n, r, &options, &progress.part(1.0))?;
        // Each number of switches gets half of the time that is left: such a search ends before the
        // whole work is stopped.
        if !is_counted && !found.complete {
            return Err(Stopped.into());
        }
        let is_kept = self.is_shared(size);
        let of = |m: u32| {
            let decided = found.decided.iter().find(|(decided, _)| *decided == m && is_kept);
            decided.map(|(_, best)| Proven::of(best)).transpose().map(Option::flatten)
        };
        let TopSwitches { counted, lower, upper, is_reached, .. } = found;
        let (fewer, enough) = (of(lower.saturating_sub(1))?, of(upper)?);
        Ok(Switches { counted, lower, upper, is_reached, fewer, enough })
    }

    fn is_kept(&self, found: &Switches) -> bool {
        [&found.fewer, &found.enough].into_iter().flatten().all(Proven::is_small)
    }

    /// Counting is done again, and the certificates are checked.
    fn holds(&self, &(n, r): &(u32, u32), found: &Switches) -> bool {
        let Switches { counted, lower, upper, is_reached, fewer, enough } = found;
        let by_counting = counted_switches(n, r);
        let is_counted = by_counting.is_ok_and(|by_counting| by_counting == *counted);
        let is_blocking = || {
            let load = load(fewer.as_ref(), n, lower.checked_sub(1)?, r)?;
            is_nonblocking(&load)
        };
        let is_lower = u64::from(*lower) <= *counted || is_blocking() == Some(false);
        let is_enough = || is_nonblocking(&load(enough.as_ref(), n, *upper, r)?);
        let is_upper = if *is_reached { is_enough() == Some(true) } else { *upper == n * n };
        is_counted && is_lower && is_upper && lower <= upper
    }
}

const HEADER: &str = include_str!("nonblocking_switches.header.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = include_str!("nonblocking_switches.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows decided by counting, and, with more patience, by formulas and not at all; damaged ones by formulas.
    #[test]
    fn trees_are_shared() {
        let mut trees = vec![(1, 2), (2, 2), (2, 3)];
        if cfg!(feature = "slow-tests") {
            trees.extend([(3, 3), (4, 4)]);
        }
        compare(&Trees(trees), str::to_string);
        let formula = Trees(vec![(3, 3)]);
        for (from, to) in [
            ("single-path permutation-load 2 lrat", "single-path permutation-load 3 lrat"),
            ("\"lower\":6,", "\"lower\":7,"),
            ("\"upper\":6,", "\"upper\":5,"),
            ("\"counted\":5,", "\"counted\":6,"),
            ("\"enough\":{", "\"enough\":null,\"fewer\":{"),
            ("p cnf", "p dnf"),
        ]
        .into_iter()
        .take(if cfg!(feature = "slow-tests") { 6 } else { 1 })
        {
            refuses(&formula, from, to);
        }
    }
}
