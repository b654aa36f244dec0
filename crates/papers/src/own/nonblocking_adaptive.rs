//! Top switches that NONBLOCKINGADAPTIVE requires: exactly on small trees, and how they grow.

use crate::progress::Stopped;
use crate::simulation::adaptive::{Drawn, Numbering, SwitchUse, patterns, sampled, worst};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Counts>(
    &["nonblocking-adaptive"],
    "[NB] V, Theorem 5",
    "top switches that NONBLOCKINGADAPTIVE requires, exactly for small n and r, and their growth up to n = 64",
);

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
    type Key = Count;
    type Row = Vec<String>;

    fn keys(&self) -> &[Count] {
        &self.0
    }

    /// They take seconds: shards leave them to the merge.
    fn is_shared(&self, _: &Count) -> bool {
        false
    }

    fn find(&self, count: &Count, progress: &Progress) -> Result<Vec<String>> {
        match *count {
            Count::Exact(n, r) => exact(n, r, progress),
            Count::Drawn(c, n) => drawn(c, n, progress),
        }
    }

    fn holds(&self, _: &Count, _: &Vec<String>) -> bool {
        true
    }
}

impl Entry for Counts {
    type Row = Vec<String>;

    /// The small tier has the smallest trees, and the fewest digits.
    fn of(tier: Tier) -> Result<Self> {
        let is_small = tier == Tier::Small;
        let (most_n, most_r) = if is_small { (2, 6) } else { EXACT };
        let is_countable = |n, r| Numbering::of(n, r).is_some() && patterns(n, r).is_some();
        let trees = (2..=most_n).flat_map(|n| (2..=most_r).map(move |r| (n, r)));
        let trees = trees.filter(|(n, r)| is_countable(*n, *r)).map(|(n, r)| Count::Exact(n, r));
        let (digits, sizes) = if is_small { (1..=1, &SIZES[..3]) } else { (1..=3, SIZES) };
        let drawn = itertools::iproduct!(digits, sizes.iter().copied());
        Ok(Self(trees.chain(drawn.map(|(c, n)| Count::Drawn(c, n))).collect()))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>> {
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

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page> {
        let [exact, growth] = tables else { return Ok(Page::default()) };
        Ok(Page::new(HEADER).table(exact).text(GROWTH).table(growth).text(FINDINGS))
    }
}

/// The worst of all permutations.
fn exact(n: u32, r: u32, progress: &Progress) -> Result<Vec<String>> {
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
fn drawn(c: u32, n: u32, progress: &Progress) -> Result<Vec<String>> {
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
    let found = sampled(numbering, r, drawn, TRIALS, SEED, progress)?;
    progress.inc(1);
    Ok(SwitchUse::new(numbering, found.map_or(0, |(count, _)| count)))
}

const HEADER: &str = include_str!("nonblocking_adaptive.header.md");

const GROWTH: &str = include_str!("nonblocking_adaptive.growth.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = include_str!("nonblocking_adaptive.findings.md");
