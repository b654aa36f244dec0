//! \[GL\] Lemma 7: the steps of its proof around the inequality of [`super::lemma_7`].
//!
//! Let z be the number of cycles, C the messages that have to pass channel c, and λ ≥ λ(U) > 1.
//!
//! - *Bad cycles.* By Lemma 6 with p = 1/(rλ), while more than λ·cap/2 messages of C remain, a cycle
//!   delivers μ ≥ cap/4r of them on average, and never more than b = cap. By Lemma 4 with w = cap/8r
//!   it is bad with probability at most 1 − (μ−w)/(b−w), which decreases in μ, and with μ = cap/4r is
//!   1 − (1/8r)/(1 − 1/8r) = 1 − 1/(8r−1) < 1 − 1/8r. That is so whatever the cycles before did. A
//!   cycle that begins with fewer messages left counts as good, since the lemma holds by then; so m
//!   given cycles are all bad with probability at most (1 − 1/8r)^m.
//! - *Enough good cycles.* qz of them deliver qz·cap/8r messages, which for z = k1·λ with k1 = 4r/q is
//!   λ·cap/2 ≥ |C|/2.
//! - *Ways.* Fewer than qz good cycles leave m ≥ (1−q)z bad ones. These can be chosen in C(z,m) ways,
//!   and C(z,m)·x^(z−m) (1−x)^m ≤ 1, one term of (x + 1 − x)^z, with x = 1 − m/z says that these are at
//!   most e^(z·H(x)). As x ≤ q ≤ 1/2, H(x) ≤ H(q), and (1 − 1/8r)^m ≤ (1 − 1/8r)^((1−q)z).
//! - *Exponent.* 2^(−z/12r) ≤ n^(−3) for z ≥ k2·lg n with k2 = 36r, and as Theorem 8 says n^(−(k+2))
//!   with k2 = 12(k+2)r.
//! - *All channels.* There are 4n − 2, two of which lead out of the root, and (4n−2)/n³ ≤ 4/n².
//! - *Whole cycles.* The proof takes the loop of TRY-GUESS to make z = max{k1·λ, k2·lg n} cycles, which
//!   may not be a whole number. The next smaller number may be too few. With k1 + 1 and k2 + 1 it is
//!   enough: (k1+1)·λ − 1 > k1·λ, as λ > 1 in the loop, and (k2+1)·lg n − 1 ≥ k2·lg n, as lg n ≥ 1.
//!
//! Each step is an identity or inequality of rational functions of r, q, λ and cap. It is computed on
//! a grid and holds for every r > e.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new(
    "gl-lemma-7-steps",
    "[GL] 4, proof of Lemma 7, without its inequality",
)
    .about("In the proof of Lemma 7 a cycle is bad with probability at most 1-1/(8r-1) < 1-1/8r, k1 = 4r/q makes qz good cycles deliver |C|/2 messages, the bad ones can be chosen in at most (q^q (1-q)^(1-q))^(-z) ways, and k2 = 36r gives n^-3 per channel and O(1/n^2) in all")
    .hypothesis("r, q, lambda and cap on a grid, z up to 40; every value by argument. Where the loop makes whole numbers of cycles, with k1+1 and k2+1")
    .quote("the probability that a given cycle is bad is at most 1 - 1/(8r - 1) < 1 - 1/8r. ... By picking $k_1 = 4r/q$, which implies $z \\ge 4r\\lambda/q$, at least $qzcap(c)/8r \\ge \\frac{1}{2}|C|$ messages will be delivered. ... the channel c is chosen arbitrarily out of the 4n-2 channels in the fat-tree")
    .cases(|scope| check(scope, 4))
    // 3r/q in place of 4r/q.
    .planted(Planted::Check(|scope| check(scope, 3)));

/// Values of r, as fractions: the first two are just above e and 4e.
const PARAMETERS: [[u64; 2]; 6] = [[11, 4], [87, 8], [517, 100], [8, 1], [100, 1], [1000, 1]];
/// Values of q.
const PARTS: [[u64; 2]; 4] = [[1, 2], [1, 7], [3, 1000], [1, 100_000]];
/// Values of λ above 1.
const LAMBDAS: [[u64; 2]; 5] = [[101, 100], [3, 2], [2, 1], [22, 7], [1000, 3]];
/// Wires.
const CAPACITIES: [u64; 4] = [1, 3, 64, 1000];
/// Largest z.
const CYCLES: u64 = 40;

fn ratios<const N: usize>(values: [[u64; 2]; N]) -> [Rational; N] {
    values.map(|[numerator, denominator]| fraction(numerator, denominator))
}

/// With k1 = `factor`·r/q.
fn check(scope: &Scope, factor: u64) -> Findings {
    scope.progress.check()?;
    let docs = "the docs of crates/papers/src/gl/statements/lemma_7_steps.rs";
    let every = Finding::argued("every r, q, lambda, cap and z", "each step", "so", docs);
    let steps = [bad_cycles(), enough(factor), ways(CYCLES), whole_cycles()];
    Ok(steps.into_iter().chain([exponent(), channels(scope.hosts)?, every]).collect())
}

/// A step that has to hold on every element of a grid.
fn step<T>(case: &str, claim: &str, grid: &[T], holds: impl Fn(&T) -> Option<bool>) -> Finding {
    let bad = grid.iter().filter(|element| holds(element) != Some(true)).count();
    let found = if bad == 0 { "holds for all".to_string() } else { format!("not for {bad}") };
    let points = grid.len() as u64;
    Finding::holds(
        format!("{case}, {points} values"),
        claim,
        found,
        bad == 0,
        Basis::Grid { points },
    )
}

/// 1 − (μ−w)/(b−w).
fn lemma_4([mean, w, b]: [&Rational; 3]) -> Option<Rational> {
    Rational::ONE.checked_sub(&mean.checked_sub(w)?.checked_div(&b.checked_sub(w)?)?)
}

/// 1 − 1/x.
fn less_than_1(x: &Rational) -> Option<Rational> {
    Rational::ONE.checked_sub(&Rational::ONE.checked_div(x)?)
}

fn bad_cycles() -> Finding {
    let grid = pairs(&ratios(PARAMETERS), &CAPACITIES.map(Rational::from));
    step("bad cycles", "probability 1-1/(8r-1) < 1-1/8r", &grid, |(r, cap)| {
        let [four, eight] = [4, 8].map(|factor| r * &Rational::from(factor));
        let [mean, w] = [cap.checked_div(&four)?, cap.checked_div(&eight)?];
        let bad = lemma_4([&mean, &w, cap])?;
        // A larger mean makes it smaller.
        let more = lemma_4([&(&mean + &w), &w, cap])?;
        let printed = less_than_1(&eight.checked_sub(&Rational::ONE)?)?;
        Some(bad == printed && more < bad && printed < less_than_1(&eight)?)
    })
}

fn pairs(first: &[Rational], second: &[Rational]) -> Vec<(Rational, Rational)> {
    let with = |a: &Rational| second.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
    first.iter().flat_map(with).collect()
}

fn enough(factor: u64) -> Finding {
    let (outer, inner) = (
        pairs(&ratios(PARAMETERS), &ratios(PARTS)),
        pairs(&ratios(LAMBDAS), &CAPACITIES.map(Rational::from)),
    );
    let with = |at: &(Rational, Rational)| {
        inner.iter().map(|b| (at.clone(), b.clone())).collect::<Vec<_>>()
    };
    let grid: Vec<_> = outer.iter().flat_map(with).collect();
    let claim = "q k1 lambda cap/8r >= lambda cap/2";
    step("enough good cycles", claim, &grid, |((r, q), (lambda, cap))| {
        let k1 = (r * &Rational::from(factor)).checked_div(q)?;
        let cycles = q * &(&k1 * lambda);
        let delivered = (&cycles * cap).checked_div(&(r * &Rational::from(8)))?;
        Some(delivered >= &(lambda * cap) * &fraction(1, 2))
    })
}

/// C(z,m)·x^(z−m) (1−x)^m ≤ 1 for x = 1 − m/z.
fn ways(most: u64) -> Finding {
    let grid: Vec<_> = (1..=most).flat_map(|z| (0..=z).map(move |m| (z, m))).collect();
    step("ways to choose m bad of z cycles", "C(z,m) <= e^(z H(m/z))", &grid, |(z, m)| {
        let chosen = (0..*m)
            .try_fold(Rational::ONE, |ways, at| Some(&ways * &Rational::new(z - at, at + 1)?));
        let [bad, good] = [Rational::new(*m, *z)?, Rational::new(z - m, *z)?];
        Some(&chosen? * &(&power(&bad, *m) * &power(&good, z - m)) <= Rational::ONE)
    })
}

/// The next smaller whole numbers of cycles, with k1 + 1 and k2 + 1.
fn whole_cycles() -> Finding {
    let constants = ratios([[1, 3], [7, 2], [40, 1], [61_600, 7]]);
    let heights: Vec<Rational> = (1..=24).chain([64]).map(Rational::from).collect();
    let above_1 = [&ratios(LAMBDAS)[..], &heights].concat();
    let claim = "floor((k+1) x) >= k x for x >= 1";
    step("whole cycles", claim, &pairs(&constants, &above_1), |(k, x)| {
        let whole = (&(k + &Rational::ONE) * x).floor();
        Some(Rational::from_big(whole, 1_u8.into())? >= k * x)
    })
}

/// k2·lg n ÷ 12r = (k+2)·lg n for k2 = 12(k+2)r, 36r for k = 1.
fn exponent() -> Finding {
    let grid = pairs(&ratios(PARAMETERS), &[1_u64, 2, 5].map(Rational::from));
    step("exponent", "k2/12r = k+2 for k2 = 12(k+2)r, 3 for 36r", &grid, |(r, k)| {
        let twelve = r * &Rational::from(12);
        let more = k + &Rational::from(2);
        let thirty_six = (r * &Rational::from(36)).checked_div(&twelve)?;
        Some((&twelve * &more).checked_div(&twelve)? == more && thirty_six == Rational::from(3))
    })
}

/// The channels inside trees and the two out of the root.
fn channels(hosts: usize) -> Result<Finding> {
    let trees = trees::all(hosts)?;
    let claim = "4n-2 channels, (4n-2)/n^3 <= 4/n^2";
    Ok(step("all channels", claim, &trees, |(topology, tree)| {
        let n = topology.hosts() as u64;
        let channels = tree.channels().count() as u64 + 2;
        Some(
            channels == 4 * n - 2
                && Rational::new(channels, n.pow(3))? <= Rational::new(4, n.pow(2))?,
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// r = 8, one wire: μ = 1/32, w = 1/64, so 1 − (1/64)/(63/64) = 62/63.
    #[test]
    fn lemma_4_by_hand() {
        let [mean, w] = [fraction(1, 32), fraction(1, 64)];
        assert_eq!(lemma_4([&mean, &w, &Rational::ONE]), Rational::new(62, 63));
        assert_eq!(less_than_1(&Rational::from(63)), Rational::new(62, 63));
    }

    /// Without one more cycle per λ, 7/2 · 3/2 = 5.25 cycles would be 5.
    #[test]
    fn steps_notice_what_is_false() {
        assert!(enough(3).fails() && !enough(4).fails());
        assert_eq!(ways(12).outcome, Outcome::Holds);
        let too_few = step("x", "y", &[(fraction(7, 2), fraction(3, 2))], |(k, x)| {
            Some(Rational::from_big((k * x).floor(), 1_u8.into())? >= k * x)
        });
        assert!(too_few.fails());
        assert!(step("x", "y", &[0], |_| None).fails());
    }
}
