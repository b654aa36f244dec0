//! Top switches that NONBLOCKINGADAPTIVE requires: exactly on small trees, and how they grow.

use crate::integer::as_size;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::simulation::adaptive::{Drawn, Numbering, SwitchUse, patterns, sampled, worst};
use crate::study::StudyError;
use crate::study::engine::{Entry, Job, Page, Rows, Study, Table, Tier};

pub(super) const KIND: Kind<Study> = Kind {
    name: "nonblocking-adaptive",
    usage: "nonblocking-adaptive",
    options: &[],
    about: "top switches that NONBLOCKINGADAPTIVE requires, exactly for small n and r, and their growth up to n = 64",
    reference: "[NB] V, Theorem 5",
    examples: &["nonblocking-adaptive"],
    build: Study::of::<Counts>(),
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

/// What is counted: the worst of all permutations of a tree, or of drawn ones.
#[derive(Clone, Copy)]
enum Count {
    /// n and r.
    Exact(u32, u32),
    /// c and n.
    Drawn(u32, u32),
}

struct Counts(Vec<Count>);

impl Counts {
    fn is_exact(&self, row: usize) -> bool {
        matches!(self.0[row], Count::Exact(..))
    }
}

impl Rows for Counts {
    type Row = Vec<String>;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// They take seconds: shards leave them to the merge.
    fn is_shared(&self, _: u64) -> bool {
        false
    }

    fn find(&self, row: u64, progress: &Progress) -> Result<Vec<String>, StudyError> {
        match self.0[as_size(row)] {
            Count::Exact(n, r) => exact(n, r, progress),
            Count::Drawn(c, n) => drawn(c, n, progress),
        }
    }

    fn holds(&self, _: u64, _: &Vec<String>) -> bool {
        true
    }
}

impl Entry for Counts {
    type Row = Vec<String>;

    /// The small tier has the smallest trees, and the fewest digits.
    fn of(tier: Tier) -> Result<Self, StudyError> {
        let is_small = tier == Tier::Small;
        let (most_n, most_r) = if is_small { (2, 6) } else { EXACT };
        let is_countable = |n, r| Numbering::of(n, r).is_some() && patterns(n, r).is_some();
        let trees = (2..=most_n).flat_map(|n| (2..=most_r).map(move |r| (n, r)));
        let trees = trees.filter(|(n, r)| is_countable(*n, *r)).map(|(n, r)| Count::Exact(n, r));
        let (digits, sizes) = if is_small { (1..=1, &SIZES[..3]) } else { (1..=3, SIZES) };
        let drawn = itertools::iproduct!(digits, sizes.iter().copied());
        Ok(Self(trees.chain(drawn.map(|(c, n)| Count::Drawn(c, n))).collect()))
    }

    fn count(&self) -> u64 {
        Rows::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Vec<String>>>, StudyError> {
        job.in_turn(self)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>, StudyError> {
        let of = |exact| {
            let rows = found.iter().enumerate();
            rows.filter(move |(row, _)| self.is_exact(*row) == exact).map(|(_, cells)| cells)
        };
        let exact = of(true).cloned();
        let growth = with_growth(of(false));
        Ok(vec![
            Table::new("exact.csv", &EXACT_HEADS, exact),
            Table::new("growth.csv", &HEADS, growth),
        ])
    }

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page, StudyError> {
        let [exact, growth] = tables else { return Ok(Page::default()) };
        Ok(Page::new(HEADER).table(exact).text(GROWTH).table(growth).text(FINDINGS))
    }
}

/// The worst of all permutations.
fn exact(n: u32, r: u32, progress: &Progress) -> Result<Vec<String>, StudyError> {
    let numbering = Numbering::of(n, r).ok_or(Stopped)?;
    let found = worst(numbering, r, SEED, progress)?;
    let count = found.configurations.lower;
    let tops = &count * &Rational::from(numbering.per_configuration());
    let square = u64::from(n).pow(2).to_string();
    let numbers = [n, r, numbering.c()].map(|number| number.to_string());
    let counts = [count.to_string(), tops.to_string(), square];
    Ok(numbers.into_iter().chain(counts).collect())
}

/// The worst of drawn patterns; without the growth, which the row before tells.
fn drawn(c: u32, n: u32, progress: &Progress) -> Result<Vec<String>, StudyError> {
    let used = |drawn| tops(Numbering::with_digits(n, c), n.pow(c), drawn, progress);
    let (random, few) = (used(Drawn::Any)?, used(Drawn::FewValues)?);
    let counts = [random.top_switches, few.top_switches, few.most].map(|it| it.to_string());
    let bounds = [few.sharpened, few.printed].map(|it| it.to_string());
    let last = [few.fraction.to_string(), few.square.to_string()];
    let head = [c, n].map(|number| number.to_string());
    Ok(head.into_iter().chain(counts).chain(bounds).chain(last).collect())
}

/// The rows with the growth over the one before, of the same c: most top switches over those there.
fn with_growth<'r>(rows: impl Iterator<Item = &'r Vec<String>>) -> Vec<Vec<String>> {
    let mut before: Option<(String, u64)> = None;
    let mut all = Vec::new();
    for row in rows {
        let tops = row[2..4].iter().filter_map(|cell| cell.parse().ok()).max().unwrap_or(0);
        let same = before.take_if(|(c, _)| *c == row[0]);
        let growth = same.and_then(|(_, before)| Rational::new(tops, before));
        let growth = growth.map_or_else(|| "-".into(), |growth| growth.to_string());
        before = Some((row[0].clone(), tops));
        all.push([&row[..5], &[growth], &row[5..]].concat());
    }
    all
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
