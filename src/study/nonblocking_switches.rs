//! The least number of top switches of nonblocking two-level trees.

use super::{Study, StudyError, StudyFile, whole};
use crate::distribution::Units;
use crate::nonblocking::least_top_switches;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::LeastSwitchesReport;
use crate::report::table::{csv, markdown};
use crate::synth::{Method, Options};

pub(super) const KIND: Kind<Study> = Kind {
    name: "nonblocking-switches",
    usage: "nonblocking-switches",
    options: &[],
    about: "least m of a nonblocking ftree(n,m,r) with single-path routing, small n and r",
    reference: "[NB] Theorems 1 to 3",
    examples: &["nonblocking-switches"],
    build: study,
};

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

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    whole(units)?;
    let mut rows = Vec::new();
    for (n, all) in TREES {
        for r in all {
            progress.check()?;
            let is_counted = COUNTED.contains(&(n, *r));
            let method = if is_counted { Method::Count } else { Method::All };
            let options = Options { method, ..Options::default() };
            let found = least_top_switches(n, *r, &options, &progress.part(1.0))?;
            // A stopped search yields no row.
            progress.check()?;
            let LeastSwitchesReport { printed, counted, least_m, .. } =
                LeastSwitchesReport::new(n, *r, &found);
            let least = match least_m.exact() {
                Some(exact) => exact.to_string(),
                None => format!("{}..{}", least_m.lower, least_m.upper),
            };
            let evidence = least_m.evidence.to_string();
            let numbers = [n.into(), (*r).into(), printed, counted].map(|n: u64| n.to_string());
            rows.push(numbers.into_iter().chain([least, evidence]).collect::<Vec<String>>());
            progress.inc(1);
        }
    }
    let text = format!("{HEADER}{}{FINDINGS}", markdown(&HEADS, rows.iter().cloned()));
    let bytes = csv(&HEADS, rows.into_iter())?;
    Ok(vec![
        StudyFile { path: "README.md".into(), bytes: text.into_bytes() },
        StudyFile { path: "table.csv".into(), bytes },
    ])
}

const HEADER: &str = "\
# Top switches of nonblocking folded-Clos networks

The least m of an ftree(n,m,r) with a single-path routing that sends every permutation without
contention. Made by `routebound study nonblocking-switches`. *Printed* is the lower bound of [NB],
Theorem 1 for r < 2n+1 and Theorem 2 from there on; *counting* is the bound of
`src/checker/COUNTING.md`. *Proven* means that the checker accepted a certificate for m - 1 switches
(by counting or by a refuted formula) and one for m; `routebound nonblocking 'ftree(n,1,r)'
--least-m` recomputes them, `routebound synth 'ftree(n,m,r)' --permutations --ratio 1 --proof FILE`
writes them.

";

/// What the numbers show; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "
## Findings

- The printed bounds are too low: n = 2 needs 4 switches from r = 3 on, where Theorem 1 says 2 for r = 3
  and 3 for r = 4; n = 3 needs 6 at r = 3 and 8 at r = 4, where it says 3 and 5; n = 4 needs 8 at r = 3,
  where it says 4.
- m = n^2 is needed from r = 2n on, one earlier than Theorem 2 says: one root carries at most
  (r-1)*max(r,2n) pairs, where Lemma 2 says r*max(r-1,2n).
- n = 3, r = 4 takes a minute: the formula that refutes m = 7 has 2,044 variables, and its LRAT proof is
  half a gigabyte.

## Longer searches

Bounds such as `8..9` are from counting and from n^2 switches. Proven bounds after longer searches, on a
shared machine:

    routebound nonblocking 'ftree(3,1,5)' --least-m --time-limit 1500   # 8..9
    routebound nonblocking 'ftree(4,1,4)' --least-m --time-limit 240    # 9..12
    routebound nonblocking 'ftree(4,1,5)' --least-m --time-limit 240    # 10..14
";
