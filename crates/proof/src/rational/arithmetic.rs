//! Arithmetic that no check needs.

use std::iter::Sum;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_ratio::RBig;

use super::Rational;

impl Rational {
    /// `self - other`, or `None` when that is negative.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| Self(&self.0 - &other.0))
    }

    /// `self · scale` when that is an integer of 64 bits, otherwise `None`.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::rational::Rational;
    /// let half = Rational::new(1, 2).ok_or("zero")?;
    /// assert_eq!(half.scaled(6), Some(3));
    /// assert_eq!(half.scaled(5), None);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn scaled(&self, scale: u64) -> Option<u64> {
        let product = &self.0 * RBig::from(scale);
        let (numerator, denominator) = product.into_parts();
        (denominator.is_one()).then(|| u64::try_from(numerator).ok())?
    }

    /// The largest integer that is not above this.
    #[must_use]
    pub fn floor(&self) -> UBig {
        self.0.numerator().unsigned_abs() / self.0.denominator()
    }

    /// The nearest float, correctly rounded.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// let third: routebound::rational::Rational = "1/3".parse()?;
    /// assert_eq!(third.to_nearest_f64(), 1.0 / 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_nearest_f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// The nearest float or one beside it, for display and plots only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64_fast()
    }
}

/// Least common multiple of the denominators of `ratios`, or `None` above 2^62.
#[must_use]
pub fn common_denominator<'a>(ratios: impl IntoIterator<Item = &'a Rational>) -> Option<u64> {
    ratios.into_iter().try_fold(1_u64, |scale, ratio| {
        let denominator = u64::try_from(ratio.denominator()).ok()?;
        let multiple = (scale / scale.gcd(denominator)).checked_mul(denominator)?;
        (multiple <= 1 << 62).then_some(multiple)
    })
}

/// Whether the least common multiple of the denominators of `ratios` has at most `bits` bits.
/// Sums of any of them are then not longer either, however many there are.
#[must_use]
pub fn denominators_within<'a>(
    bits: usize,
    ratios: impl IntoIterator<Item = &'a Rational>,
) -> bool {
    let mut common = UBig::ONE;
    ratios.into_iter().all(|ratio| {
        let denominator = ratio.denominator();
        if !denominator.is_one() && !(&common % denominator).is_zero() {
            common = (&common / (&common).gcd(denominator)) * denominator;
        }
        common.bit_len() <= bits
    })
}

impl<'a> Sum<&'a Self> for Rational {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |mut total, term| {
            total += term;
            total
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_denominators_are_noticed() {
        let parts: Vec<Rational> =
            [4, 6, 9].iter().map(|d| Rational::new(1, *d).unwrap()).collect();
        // Their least common multiple, 36, has 6 bits.
        assert!(denominators_within(6, &parts));
        assert!(!denominators_within(5, &parts));
        assert_eq!(Rational::new(7, 3).unwrap().floor(), UBig::from(2_u8));
    }

    #[test]
    fn scales_to_integers() {
        let thirds = [Rational::new(1, 3).unwrap(), Rational::new(5, 4).unwrap()];
        assert_eq!(common_denominator(&thirds), Some(12));
        assert_eq!(thirds[1].scaled(12), Some(15));
        assert_eq!(common_denominator(&[Rational::new(1, u64::MAX).unwrap()]), None);
    }
}
