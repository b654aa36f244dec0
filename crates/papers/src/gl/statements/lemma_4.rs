//! \[GL\] Lemma 4, in exact arithmetic.
//!
//! 1 − (μ−w)/(b−w) = (b−μ)/(b−w), and X ≤ w is the same as b − X ≥ b − w. As b − X is not negative,
//! whatever the sign of X, Markov's inequality says for every X ≤ b and every w < μ:
//! (b−w)·Pr{b−X ≥ b−w} ≤ E(b−X) = b − μ. Equality means that what the inequality neglects is 0: X
//! takes no values but w and b.
//!
//! On the grid the values of X are whole numbers from b − 5 to b, its probabilities multiples of 1/6,
//! and w is a multiple of 1/2. Moving X, b and w together changes nothing, but the signs.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-4", "[GL] 4, Lemma 4")
    .about("A random variable X <= b of expectation mu has Pr{X <= w} <= 1 - (mu-w)/(b-w) for every w < mu")
    .hypothesis("b = -1, 0, 3: all distributions on b-5..b in sixths, w a multiple of 1/2; every X, b and w by Markov's inequality")
    .quote("Then for any $w < \\mu$, we have ... $\\Pr\\left\\{X\\leq w\\right\\}\\leq 1-\\frac{\\mu-w}{b-w}.$")
    .cases(|scope| check(scope, 0))
    // b is 1 less than the largest value.
    .planted(Planted::Check(|scope| check(scope, 1)));

/// Values of b.
const BOUNDS: [i64; 3] = [-1, 0, 3];

/// Number of values of X.
const VALUES: usize = 6;

const CLAIM: &str = "Pr{X <= w} <= 1 - (mu-w)/(b-w)";

/// With b − `less` in place of b.
fn check(scope: &Scope, less: i64) -> Findings {
    let parts = if scope.full { 12 } else { 6 };
    let (mut findings, mut all) = (Vec::new(), Vec::new());
    distributions(VALUES, parts, &mut Vec::new(), &mut all);
    for b in BOUNDS {
        scope.progress.check()?;
        findings.push(on_bound(b, less, &all));
        scope.progress.inc(1);
    }
    let markov = "(b-w) Pr{b-X >= b-w} <= b - mu";
    let docs = "the docs of crates/papers/src/gl/statements/lemma_4.rs";
    findings.push(Finding::argued("every X, b and w", CLAIM, markov, docs));
    Ok(findings)
}

/// All ways to write `parts` as a sum of `values` numbers, appended to `all`.
fn distributions(values: usize, parts: i64, begun: &mut Vec<i64>, all: &mut Vec<Vec<i64>>) {
    if values == 1 {
        all.push([&begun[..], &[parts]].concat());
        return;
    }
    for part in 0..=parts {
        begun.push(part);
        distributions(values - 1, parts - part, begun, all);
        begun.pop();
    }
}

/// A random variable: its values with the number of parts of each.
struct Variable<'a> {
    least: i64,
    parts: &'a [i64],
}

impl Variable<'_> {
    fn values(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        (self.least..).zip(self.parts.iter().copied()).filter(|(_, parts)| *parts > 0)
    }

    /// Number of parts, and μ times it.
    fn moments(&self) -> [i64; 2] {
        [self.parts.iter().sum(), self.values().map(|(value, parts)| value * parts).sum()]
    }

    /// Both sides of the claim, times the number of parts and 2(b − w), for w = `twice`/2 < b.
    fn sides(&self, b: i64, twice: i64) -> [i64; 2] {
        let [parts, sum] = self.moments();
        let at_most = self.values().filter(|(value, _)| 2 * value <= twice);
        let width = 2 * b - twice;
        let chance: i64 = at_most.map(|(_, parts)| parts).sum();
        [chance * width, parts * width - (2 * sum - parts * twice)]
    }

    fn is_on(&self, b: i64, twice: i64) -> bool {
        self.values().all(|(value, _)| value == b || 2 * value == twice)
    }
}

/// All distributions on the values up to b, with every w below μ from half below the least value on.
fn on_bound(b: i64, less: i64, all: &[Vec<i64>]) -> Finding {
    let (mut points, mut attained, mut bad) = (0, 0, None);
    let least = b + 1 - i64::try_from(VALUES).unwrap_or(i64::MAX);
    for parts in all {
        let variable = Variable { least, parts };
        let [count, sum] = variable.moments();
        let below = |twice: &i64| count * twice < 2 * sum && *twice < 2 * (b - less);
        for twice in (2 * least - 1..).take_while(below) {
            let [left, right] = variable.sides(b - less, twice);
            points += 1;
            attained += u64::from(left == right);
            let as_argued = left < right || left == right && variable.is_on(b, twice);
            if !as_argued {
                bad = bad
                    .or_else(|| Some(format!("X = {least}.. in parts {parts:?}, w = {twice}/2")));
            }
        }
    }
    let case = format!("all X of {} distributions, b = {b}", all.len());
    let found = format!("equality for {attained} of {points}, in all of which X is w or b");
    Finding::unless(case, CLAIM, found, bad, Basis::Grid { points })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 or 2, each with probability 1/2: μ = 1, and 1/2 of the time X ≤ 0, as 1 − 1/2 says; X ≤ 1/2
    /// as often, where 1 − (1/2)/(3/2) = 2/3 is allowed.
    #[test]
    fn by_hand() {
        let coin = Variable { least: 0, parts: &[1, 0, 1] };
        assert_eq!((coin.moments(), coin.sides(2, 0)), ([2, 2], [4, 4]));
        // Times 2 · 3: 1/2 and 2/3.
        assert_eq!(coin.sides(2, 1), [3, 4]);
        assert!(coin.is_on(2, 0) && !coin.is_on(2, 1));
        // Never below −1, where b − w = 3 and μ − w = 2 allow 1/3.
        assert_eq!(coin.sides(2, -2), [0, 4]);
    }

    /// 10 over 5 distributions, by the number of sums; each has as many parts.
    #[test]
    fn distributions_are_counted() {
        let mut all = Vec::new();
        distributions(6, 5, &mut Vec::new(), &mut all);
        assert_eq!(all.len(), 252);
        assert!(all.iter().all(|parts| parts.iter().sum::<i64>() == 5 && parts.len() == 6));
    }

    /// Where X may be above b, the claim fails.
    #[test]
    fn the_bound_on_x_is_needed() {
        let mut all = Vec::new();
        distributions(6, 2, &mut Vec::new(), &mut all);
        assert!(!on_bound(0, 0, &all).fails() && on_bound(0, 1, &all).fails());
    }
}
