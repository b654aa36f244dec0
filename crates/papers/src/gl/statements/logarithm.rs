//! Bounds on natural logarithms in exact arithmetic.

use dashu_int::UBig;

use crate::theorem::prelude::*;

/// Bounds that enclose a number.
pub(super) type Interval = [Rational; 2];

/// Fractional bits that are kept.
const BITS: usize = 100;

/// Terms of the series; the rest is below 3^−2·TERMS.
const TERMS: u64 = 33;

/// An interval widened to ends that are multiples of 2^−100.
pub(super) fn rounded([low, high]: &Interval) -> Option<Interval> {
    let scale = UBig::ONE << BITS;
    let scaled =
        |value: &Rational| Some((value * &Rational::from_big(scale.clone(), UBig::ONE)?).floor());
    let at = |whole: UBig| Rational::from_big(whole, scale.clone());
    Some([at(scaled(low)?)?, at(scaled(high)? + UBig::ONE)?])
}

/// ln x for x ≥ 1, `None` below: x = 2^k·m with 1 ≤ m < 2, and ln m = 2 artanh((m−1)/(m+1)).
pub(super) fn ln(x: &Interval) -> Option<Interval> {
    let [[low, _], [_, high]] = [ln_of(&x[0])?, ln_of(&x[1])?];
    rounded(&[low, high])
}

fn ln_of(x: &Rational) -> Option<Interval> {
    let half = Rational::new(1, 2)?;
    let (mut m, mut k) = (x.clone(), 0_u64);
    while m >= Rational::from(2) {
        (m, k) = (&m * &half, k + 1);
    }
    let [low, high] = rounded(&[m.clone(), m])?;
    // The lower end is at least 1 where m is.
    let argument = |m: &Rational| m.checked_sub(&Rational::ONE)?.checked_div(&(m + &Rational::ONE));
    let [m_low, m_high] = [twice_artanh(&argument(&low)?)?, twice_artanh(&argument(&high)?)?];
    let two = twice_artanh(&Rational::new(1, 3)?)?;
    let times = Rational::from(k);
    Some([&m_low[0] + &(&times * &two[0]), &m_high[1] + &(&times * &two[1])])
}

/// 2 Σ y^(2i+1)/(2i+1) for y at most a little above 1/3.
fn twice_artanh(y: &Rational) -> Option<Interval> {
    let square = y * y;
    let (mut power, mut sum) = (y * &Rational::from(2), Rational::ZERO);
    for i in 0..TERMS {
        sum += &(&power * &Rational::new(1, 2 * i + 1)?);
        power = &power * &square;
    }
    // The omitted terms shrink by y² or more each: their sum is below power/(1 − y²).
    let rest = power.checked_div(&Rational::ONE.checked_sub(&square)?)?;
    let high = &sum + &rest;
    rounded(&[sum, high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_tree::e_bounds;

    fn of(text: &str) -> Interval {
        let x: Rational = text.parse().unwrap();
        ln(&[x.clone(), x]).unwrap()
    }

    #[test]
    fn known_logarithms_are_enclosed_and_narrow() {
        // ln 2 and ln 10 to 24 decimal places.
        for (x, digits) in [("2", "693147180559945309417232"), ("10", "2302585092994045684017991")]
        {
            let [low, high] = of(x);
            let place = "1/1000000000000000000000000".parse().unwrap();
            let known = format!("{digits}/1000000000000000000000000").parse::<Rational>().unwrap();
            assert!(low <= &known + &place && known <= high, "{x}");
            assert!(high.checked_sub(&low).unwrap() < place, "{x}");
        }
        let [low, high] = ln(&e_bounds()).unwrap();
        assert!(low < Rational::ONE && Rational::ONE < high);
        assert!(of("1")[0].is_zero());
        assert!(ln(&[Rational::new(1, 2).unwrap(), Rational::ONE]).is_none());
    }

    /// ln(ab) = ln a + ln b.
    #[test]
    fn products_become_sums() {
        let [a, b, product] = ["17/5", "7/4", "119/20"].map(of);
        assert!(&a[0] + &b[0] <= product[1] && product[0] <= &a[1] + &b[1]);
    }
}
