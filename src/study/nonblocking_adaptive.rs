//! Top switches that NONBLOCKINGADAPTIVE requires: exactly on small trees, and how they grow.

use super::{Study, StudyError, StudyFile};
use crate::distribution::Units;
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::report::table::{csv, markdown};
use crate::simulation::adaptive::{Drawn, Numbering, SwitchUse, patterns, sampled, worst};

pub(super) const KIND: Kind<Study> = Kind {
    name: "nonblocking-adaptive",
    usage: "nonblocking-adaptive",
    options: &[],
    about: "top switches that NONBLOCKINGADAPTIVE requires, exactly for small n and r, and their growth up to n = 64",
    reference: "[NB] V, Theorem 5",
    examples: &["nonblocking-adaptive"],
    build: study,
};

/// Largest n and r of the exact table; trees with too many patterns are left out.
const EXACT: (u32, u32) = (5, 16);

/// n of the growth.
const SIZES: &[u32] = &[2, 4, 8, 16, 32, 64];

const TRIALS: u64 = 10_000;

const SEED: u64 = 1;

const EXACT_HEADS: [&str; 6] = ["n", "r", "c", "configurations", "top switches", "n^2"];

const HEADS: [&str; 10] = [
    "c",
    "n",
    "random",
    "few values",
    "at most",
    "growth",
    "recurrence, 1/(c+1)",
    "recurrence, 1/(2(c+1))",
    "(c+1)/(c+2) n^2",
    "n^2",
];

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    progress.check()?;
    // It takes seconds: shards leave it to the merge.
    if units.part().is_some() {
        return Ok(Vec::new());
    }
    let (exact, growth) = (exact(progress)?, growth(progress)?);
    let text = format!(
        "{HEADER}{}{GROWTH}{}{FINDINGS}",
        markdown(&EXACT_HEADS, exact.iter().cloned()),
        markdown(&HEADS, growth.iter().cloned())
    );
    let file = |path: &str, bytes| StudyFile { path: path.into(), bytes };
    Ok(vec![
        file("README.md", text.into_bytes()),
        file("exact.csv", csv(&EXACT_HEADS, exact.into_iter())?),
        file("growth.csv", csv(&HEADS, growth.into_iter())?),
    ])
}

/// The worst of all permutations.
fn exact(progress: &Progress) -> Result<Vec<Vec<String>>, StudyError> {
    let mut rows = Vec::new();
    for (n, r) in (2..=EXACT.0).flat_map(|n| (2..=EXACT.1).map(move |r| (n, r))) {
        let Some(numbering) = Numbering::of(n, r).filter(|_| patterns(n, r).is_some()) else {
            continue;
        };
        let found = worst(numbering, r, SEED, progress)?;
        let count = found.configurations.lower;
        let tops = &count * &Ratio::from(numbering.per_configuration());
        let square = u64::from(n).pow(2).to_string();
        let numbers = [n, r, numbering.c()].map(|number| number.to_string());
        let counts = [count.to_string(), tops.to_string(), square];
        rows.push(numbers.into_iter().chain(counts).collect());
        progress.inc(1);
    }
    Ok(rows)
}

fn growth(progress: &Progress) -> Result<Vec<Vec<String>>, StudyError> {
    let mut rows = Vec::new();
    for c in 1..=3 {
        let mut before = None;
        for n in SIZES.iter().copied() {
            let used = |drawn| tops(Numbering::with_digits(n, c), n.pow(c), drawn, progress);
            let (random, few) = (used(Drawn::Any)?, used(Drawn::FewValues)?);
            let tops = random.top_switches.max(few.top_switches);
            let growth = before.and_then(|before| Ratio::new(tops, before));
            before = Some(tops);
            let counts = [random.top_switches, few.top_switches, few.most].map(|it| it.to_string());
            let growth = growth.map_or_else(|| "-".into(), |growth| growth.to_string());
            let bounds = [few.sharpened, few.printed].map(|it| it.to_string());
            let last = [few.fraction.to_string(), few.square.to_string()];
            let head = [c, n].map(|number| number.to_string());
            let cells = head.into_iter().chain(counts).chain([growth]).chain(bounds).chain(last);
            rows.push(cells.collect());
        }
    }
    Ok(rows)
}

/// What the worst of the drawn patterns takes.
fn tops(
    numbering: Numbering,
    r: u32,
    drawn: Drawn,
    progress: &Progress,
) -> Result<SwitchUse, Stopped> {
    let found = sampled(numbering, r, drawn, (TRIALS, SEED), progress)?;
    progress.inc(1);
    Ok(SwitchUse::new(numbering, found.map_or(0, |(count, _)| count)))
}

const HEADER: &str = "\
# Top switches of local adaptive routing

How many top switches NONBLOCKINGADAPTIVE of [NB] V takes for the worst permutation, (c+1)n for every
configuration, c being the least with r <= n^c. Made by `routebound study nonblocking-adaptive`. Source
switches are routed independently and share the configurations, so the worst permutation is the worst
pattern of one source switch. Of several largest sets of pairs the first is taken, which the paper leaves
open: lowest partition, lowest destinations. Deterministic routing takes n^2 top switches where r > 2n
([nonblocking-switches](../nonblocking-switches/README.md)), strictly nonblocking switching by a central
controller 2n-1 (Clos), rearrangeable n.

## All permutations of small trees

Every set of at most n destinations that leaves some switch out, so the numbers are exact.

";

const GROWTH: &str = "
## Growth

The most top switches that any of 10,000 patterns (seed 1) takes, r = n^c: *random* destinations, and those
whose coordinates p and (s_i-p)%n take *few values*, about n^(1/(c+1)) each. *At most* is a bound for every
pattern and whichever largest sets are chosen. *Growth* is the factor from n/2 to n; the exponent
2-1/(c+1) means factors towards 2.83, 3.17 and 3.36 for c = 1, 2, 3, the printed 2-1/(2(c+1)) towards 3.36,
3.56 and 3.67, n^2 a factor of 4. The recurrences are those of the proof of Theorem 5, with the exponent
that Lemma 6 really has and with the printed one.

";

/// What the numbers show; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "
## Findings

- Less than n^2 top switches, as [NB] says \"for any permutation\", is false for n <= c+1, and with this choice
  of largest sets for n = 4, r = 4 too ([errata](../errata.md)).
- The worst patterns that were found never exceed the recurrence with exponent 1/(c+1), and random ones need
  no more than those of few values.
- *At most* is attained for c = 1 and 3 everywhere, and for c = 2 up to n = 16: there the numbers are exact.
- The exponent 2-1/(c+1) is exact (`routebound verify nb-theorem-5-tight`), so the printed bound of Theorem 5
  is true and can be sharpened.
";
