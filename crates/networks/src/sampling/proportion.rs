//! Proportions: the binomial distribution in exact arithmetic, and confidence intervals.

use crate::integer::as_size;
use crate::rational::Rational;

/// The probability of at least `s` successes in `t` trials of probability `p` ≤ 1, which is B(s,t,p) in
/// \[GL\] 4. O(t) products of numbers that grow to t times the length of `p`.
///
/// # Panics
/// For 2^64 − 1 trials, whose number plus 1 has no place in 64 bits.
#[must_use]
pub fn tail(s: u64, t: u64, p: &Rational) -> Rational {
    let Some(q) = Rational::ONE.checked_sub(p) else { return Rational::ONE };
    let failures: Vec<Rational> =
        std::iter::successors(Some(Rational::ONE), |power| Some(power * &q))
            .take(as_size(t) + 1)
            .collect();
    // C(t,k) p^k, from k = 0 on.
    let (mut term, mut sum) = (Rational::ONE, Rational::ZERO);
    for k in 0..=t {
        if k >= s {
            sum += &(&term * &failures[as_size(t - k)]);
        }
        let step = Rational::new(t - k, k + 1).expect("the denominator is not 0");
        term = &(&term * &step) * p;
    }
    sum
}

/// Fractional bits of the ends of an interval.
const BITS: u32 = 16;

/// Fixed-point unit of the weights of outcomes, relative to the likeliest outcome.
const ONE: u128 = 1 << 90;

/// An interval that contains the probability with confidence 1 − 2α, after `successes` of
/// `trials` < 2^26 (Clopper and Pearson 1934, <https://doi.org/10.1093/biomet/26.4.404>). The ends
/// are multiples of 2^−16, rounded outward.
///
/// # Panics
/// From 2^26 trials on, where the weights of outcomes may not fit into 128 bits.
#[must_use]
pub fn interval(successes: u64, trials: u64, alpha: &Rational) -> [Rational; 2] {
    let whole = 1_u64 << BITS;
    let at = |x: u64| Rational::new(x, whole).expect("the denominator is not 0");
    // Lower end: the largest x with P(X >= successes; x) <= alpha.
    let is_low = |x: u64| successes > 0 && upper_tail(successes, trials, x, whole) <= *alpha;
    let is_high = |x: u64| {
        successes < trials && upper_tail(trials - successes, trials, whole - x, whole) <= *alpha
    };
    let low = last(0, whole, is_low);
    let high = whole - last(0, whole, |x| is_high(whole - x));
    [at(low), at(high)]
}

/// The last x below `end` with a property that holds up to some point, or else `low`.
fn last(mut low: u64, mut end: u64, has: impl Fn(u64) -> bool) -> u64 {
    while end - low > 1 {
        let middle = low.midpoint(end);
        if has(middle) { low = middle } else { end = middle }
    }
    low
}

/// An upper bound on P(X ≥ s) for s ≥ 1, where X is the number of successes in `trials` trials of
/// probability x/whole, 0 < x < whole.
fn upper_tail(s: u64, trials: u64, x: u64, whole: u64) -> Rational {
    let (success, failure) = (u128::from(x), u128::from(whole - x));
    let mode = u128::from(trials + 1) * success / u128::from(whole);
    let mode = u64::try_from(mode).map_or(trials, |mode| mode.min(trials));
    // Weights relative to the mode: rounded up where they count, down elsewhere.
    let (mut counted, mut rest) = (0_u128, 0_u128);
    let mut add = |k: u64, up: u128, down: u128| if k >= s { counted += up } else { rest += down };
    add(mode, ONE, ONE);
    let (mut up, mut down) = (ONE, ONE);
    for k in mode..trials {
        let (times, by) = (u128::from(trials - k) * success, u128::from(k + 1) * failure);
        (up, down) = (scaled(up, times, by).1, scaled(down, times, by).0);
        add(k + 1, up, down);
        if up <= 1 {
            // Each of the others weighs at most one unit.
            add(trials, u128::from(trials - k), 0);
            break;
        }
    }
    (up, down) = (ONE, ONE);
    for k in (0..mode).rev() {
        let (times, by) = (u128::from(k + 1) * failure, u128::from(trials - k) * success);
        (up, down) = (scaled(up, times, by).1, scaled(down, times, by).0);
        add(k, up, down);
        if up <= 1 {
            add(s, u128::from(k), 0);
            break;
        }
    }
    let total = counted + rest;
    Rational::from_big(counted.into(), total.into()).expect("the denominator is not 0")
}

/// a · times ÷ by, rounded down and up.
fn scaled(a: u128, times: u128, by: u128) -> (u128, u128) {
    // a ≤ 2^91 and times < 2^43: the product may need more than 128 bits.
    let (high, low) = (a >> 45, a & ((1 << 45) - 1));
    let (quotient, remainder) = (high * times / by, high * times % by);
    let rest = (remainder << 45) + low * times;
    let floor = (quotient << 45) + rest / by;
    (floor, floor + u128::from(!rest.is_multiple_of(by)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn tails_by_hand() {
        // Two dice throws: a six at least once, 11/36; both times, 1/36.
        let six = ratio("1/6");
        assert_eq!(
            [0, 1, 2, 3].map(|s| tail(s, 2, &six)),
            [ratio("1"), ratio("11/36"), ratio("1/36"), Rational::ZERO]
        );
        assert_eq!(
            (tail(1, 3, &Rational::ZERO), tail(3, 3, &Rational::ONE)),
            (Rational::ZERO, Rational::ONE)
        );
    }

    #[test]
    fn fixed_point_tails_are_just_above_the_exact_ones() {
        for (s, t, x) in
            [(1, 1, 1), (3, 10, 5), (10, 10, 15), (60, 200, 4), (1, 300, 1), (150, 300, 8)]
        {
            let exact = tail(s, t, &Rational::new(x, 16).unwrap());
            let fixed = upper_tail(s, t, x, 16);
            let excess = fixed.checked_sub(&exact).expect("rounded up");
            assert!(excess < ratio("1/1000000000000000"), "{s} {t} {x}: {excess}");
        }
    }

    /// By the definition: at its ends the observed count, or a more extreme one, has
    /// probability α; one step inward more than that.
    #[test]
    fn intervals_are_those_of_clopper_and_pearson() {
        let (alpha, step) = (ratio("1/100"), Rational::new(1, 1 << BITS).unwrap());
        for (x, n) in [(0, 50), (1, 50), (17, 50), (50, 50), (3, 400)] {
            let [low, high] = interval(x, n, &alpha);
            assert_eq!((low.is_zero(), high == Rational::ONE), (x == 0, x == n));
            assert!(x == 0 || tail(x, n, &low) <= alpha);
            assert!(x == 0 || tail(x, n, &(&low + &step)) > alpha);
            // At most x successes.
            let below = |p: &Rational| Rational::ONE.checked_sub(&tail(x + 1, n, p)).unwrap();
            assert!(x == n || below(&high) <= alpha);
            assert!(x == n || below(&high.checked_sub(&step).unwrap()) > alpha);
        }
    }
}
