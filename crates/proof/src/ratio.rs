//! Exact non-negative rationals, the numbers of every claim.
//!
//! A claim compares exact numbers only, so this type has no conversion from floats and its
//! arithmetic cannot overflow: numerator and denominator grow as needed. Text from outside is
//! limited to [`MAX_DIGITS`] digits per part, so that no input creates a number of unbounded size.
//!
//! Bounds, shares, capacities and demands are such numbers. Matchings and flows run on integers scaled by a common
//! denominator.

mod decimal;
#[cfg(feature = "serde")]
mod json;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};
use std::str::FromStr;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_ratio::RBig;

use crate::quote::quote;

/// Maximum decimal digits of a numerator or a denominator in text.
pub const MAX_DIGITS: usize = 200;

/// An exact non-negative rational number in lowest terms.
///
/// Prints as `7` or `3/2` and parses the same.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::ratio::Ratio;
/// let half: Ratio = "1/2".parse()?;
/// assert_eq!((&half + &half).to_string(), "1");
/// assert!(Ratio::from(3) > "5/2".parse()?);
/// # Ok::<(), routebound::ratio::RatioError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(RBig);

/// Why a text is not a ratio.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RatioError {
    /// Not of the form `7` or `3/2`.
    #[error("`{0}` is not a non-negative rational such as 7 or 3/2")]
    Malformed(String),
    /// More than [`MAX_DIGITS`] digits.
    #[error("number of {0} digits is too long (at most {MAX_DIGITS} digits)")]
    TooLong(usize),
    /// The denominator is zero.
    #[error("`{0}` has denominator zero")]
    ZeroDenominator(String),
    /// Negative, not finite, or not a decimal number at all.
    #[error("`{0}` is not a finite non-negative decimal number such as 12, 0.5 or 1e-3")]
    NotDecimal(String),
    /// A decimal number beyond [`MAX_DIGITS`] digits before or after the point.
    #[error(
        "`{0}` is out of range: a number has at most {MAX_DIGITS} digits before the point and fewer than {MAX_DIGITS} after it"
    )]
    OutOfRange(String),
}

impl Ratio {
    /// Zero.
    pub const ZERO: Self = Self(RBig::ZERO);
    /// One.
    pub const ONE: Self = Self(RBig::ONE);

    /// `numerator / denominator`, or `None` when the denominator is zero.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        Self::from_big(UBig::from(numerator), UBig::from(denominator))
    }

    /// The same from integers of any size.
    #[must_use]
    pub fn from_big(numerator: UBig, denominator: UBig) -> Option<Self> {
        (!denominator.is_zero()).then(|| Self(RBig::from_parts(numerator.into(), denominator)))
    }

    /// `self / divisor`, or `None` when the divisor is zero.
    #[must_use]
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        (!divisor.is_zero()).then(|| Self(&self.0 / &divisor.0))
    }

    /// `self - other`, or `None` when that is negative.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| Self(&self.0 - &other.0))
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The numerator in lowest terms.
    #[must_use]
    pub fn numerator(&self) -> UBig {
        self.0.numerator().clone().unsigned_abs()
    }

    /// The denominator in lowest terms.
    #[must_use]
    pub fn denominator(&self) -> &UBig {
        self.0.denominator()
    }

    /// Number of bits of the denominator in lowest terms. O(1).
    #[must_use]
    pub fn denominator_bits(&self) -> usize {
        self.denominator().bit_len()
    }

    /// `self · scale` when that is an integer of 64 bits, otherwise `None`.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::ratio::Ratio;
    /// let half = Ratio::new(1, 2).ok_or("zero")?;
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

    /// The nearest float, for display and plots only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64_fast()
    }
}

/// Least common multiple of the denominators of `ratios`, or `None` above 2^62.
#[must_use]
pub fn common_denominator<'a>(ratios: impl IntoIterator<Item = &'a Ratio>) -> Option<u64> {
    ratios.into_iter().try_fold(1_u64, |scale, ratio| {
        let denominator = u64::try_from(ratio.denominator()).ok()?;
        let multiple = (scale / scale.gcd(denominator)).checked_mul(denominator)?;
        (multiple <= 1 << 62).then_some(multiple)
    })
}

/// Whether the least common multiple of the denominators of `ratios` has at most `bits` bits.
/// Sums of any of them are then not longer either, however many there are.
#[must_use]
pub fn denominators_within<'a>(bits: usize, ratios: impl IntoIterator<Item = &'a Ratio>) -> bool {
    let mut common = UBig::ONE;
    ratios.into_iter().all(|ratio| {
        let denominator = ratio.denominator();
        if !denominator.is_one() && !(&common % denominator).is_zero() {
            common = (&common / (&common).gcd(denominator)) * denominator;
        }
        common.bit_len() <= bits
    })
}

impl From<u64> for Ratio {
    fn from(value: u64) -> Self {
        Self(RBig::from(value))
    }
}

impl Add for &Ratio {
    type Output = Ratio;
    fn add(self, other: Self) -> Ratio {
        Ratio(&self.0 + &other.0)
    }
}

impl Mul for &Ratio {
    type Output = Ratio;
    fn mul(self, other: Self) -> Ratio {
        Ratio(&self.0 * &other.0)
    }
}

impl AddAssign<&Self> for Ratio {
    fn add_assign(&mut self, other: &Self) {
        if self.denominator().is_one() && other.denominator().is_one() {
            // Sums of unit demands are the common case: three times as fast.
            let (numerator, _) = std::mem::take(&mut self.0).into_parts();
            self.0 = RBig::from(numerator + other.0.numerator());
        } else {
            self.0 += &other.0;
        }
    }
}

impl<'a> Sum<&'a Self> for Ratio {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |mut total, term| {
            total += term;
            total
        })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl FromStr for Ratio {
    type Err = RatioError;
    fn from_str(text: &str) -> Result<Self, RatioError> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let digits = |part: &str| -> Result<UBig, RatioError> {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(RatioError::Malformed(quote(text)));
            }
            if part.len() > MAX_DIGITS {
                return Err(RatioError::TooLong(part.len()));
            }
            UBig::from_str(part).map_err(|_| RatioError::Malformed(quote(part)))
        };
        Self::from_big(digits(numerator)?, digits(denominator)?)
            .ok_or_else(|| RatioError::ZeroDenominator(quote(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints_in_lowest_terms() {
        assert_eq!("6/4".parse::<Ratio>().unwrap().to_string(), "3/2");
        assert_eq!("7".parse::<Ratio>().unwrap(), Ratio::from(7));
    }

    #[test]
    fn refuses_bad_text() {
        for bad in ["", "-1", "1/", "/2", "1.5", "1/2/3", "x", "1e9", "+1"] {
            assert!(matches!(bad.parse::<Ratio>(), Err(RatioError::Malformed(_))), "{bad}");
        }
        assert_eq!("1/0".parse::<Ratio>(), Err(RatioError::ZeroDenominator("1/0".into())));
        assert_eq!("9".repeat(201).parse::<Ratio>(), Err(RatioError::TooLong(201)));
    }

    #[test]
    fn long_denominators_are_noticed() {
        let parts: Vec<Ratio> = [4, 6, 9].iter().map(|d| Ratio::new(1, *d).unwrap()).collect();
        // Their least common multiple, 36, has 6 bits.
        assert!(denominators_within(6, &parts));
        assert!(!denominators_within(5, &parts));
        assert_eq!(Ratio::new(7, 3).unwrap().floor(), UBig::from(2_u8));
    }

    #[test]
    fn scales_to_integers() {
        let thirds = [Ratio::new(1, 3).unwrap(), Ratio::new(5, 4).unwrap()];
        assert_eq!(common_denominator(&thirds), Some(12));
        assert_eq!(thirds[1].scaled(12), Some(15));
        assert_eq!(common_denominator(&[Ratio::new(1, u64::MAX).unwrap()]), None);
    }
}
