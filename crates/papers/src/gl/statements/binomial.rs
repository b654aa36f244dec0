//! Binomial tails for every probability, and powers, as proofs of \[GL\] 4 use them.

use crate::theorem::prelude::*;

/// Whether B(s,t,p) ≤ `factor`·p^s for **every** p in [0,1], s ≤ t: both sides are written as sums
/// of p^j (1−p)^(t−j), with p^s = p^s (p + 1 − p)^(t−s), and each C(t,j) must be at most
/// `factor`·C(t−s,j−s). O(t) products.
pub(super) fn is_below_for_every_p(s: u64, t: u64, factor: &Rational) -> bool {
    // C(t,s) and 1 = C(t−s,0) for j = s.
    let (mut left, mut right) = (Rational::ONE, factor.clone());
    for i in 0..s {
        left = &left * &fraction(t - i, i + 1);
    }
    (s..=t).all(|j| {
        let holds = left <= right;
        let step = |rest: u64, chosen: u64| fraction(rest, chosen);
        left = &left * &step(t - j, j + 1);
        right = &right * &step(t - j, j + 1 - s);
        holds
    })
}

/// x^n.
pub(super) fn power(x: &Rational, n: u64) -> Rational {
    (0..n).fold(Rational::ONE, |product, _| &product * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::proportion::tail;

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn powers_by_hand() {
        assert_eq!(power(&ratio("1/6"), 3), ratio("1/216"));
        assert_eq!(power(&Rational::ZERO, 0), Rational::ONE);
    }

    /// B(1,2,p) = 2p − p²: at most 2p for every p, and 1.9 p is below it for p < 1/10.
    #[test]
    fn bounds_for_every_p() {
        assert!(is_below_for_every_p(1, 2, &ratio("2")));
        assert!(!is_below_for_every_p(1, 2, &ratio("19/10")));
        assert!(tail(1, 2, &ratio("1/20")) > ratio("19/200"));
        // B(t,t,p) = p^t.
        assert!(is_below_for_every_p(5, 5, &Rational::ONE));
        assert!(!is_below_for_every_p(5, 5, &ratio("9/10")));
    }
}
