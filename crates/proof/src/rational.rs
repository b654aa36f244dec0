//! Exact non-negative rationals, the numbers of every claim.
//!
//! A claim compares exact numbers only, so this type has no conversion from floats and its
//! arithmetic cannot overflow: numerator and denominator grow as needed. Text from outside is
//! limited to [`MAX_DIGITS`] digits per part, so that no input creates a number of unbounded size.
//!
//! Bounds, shares, capacities and demands are such numbers. Matchings and flows run on integers scaled by a common
//! denominator.
//!
//! ```
//! # use routebound_proof as routebound;
//! use routebound::rational::Rational;
//! let third = Rational::new(1, 3).ok_or("division by 0")?;
//! assert_eq!((&third * &Rational::from(6), third.to_string()), (2.into(), "1/3".to_string()));
//! # Ok::<(), &str>(())
//! ```

#[cfg(feature = "analysis")]
mod arithmetic;
#[cfg(feature = "analysis")]
mod decimal;
#[cfg(feature = "serde")]
mod json;

#[cfg(feature = "analysis")]
pub use arithmetic::{common_denominator, denominators_within};

use std::fmt;
use std::ops::{Add, AddAssign, Mul};
use std::str::FromStr;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
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
/// use routebound::rational::Rational;
/// let half: Rational = "1/2".parse()?;
/// assert_eq!((&half + &half).to_string(), "1");
/// assert!(Rational::from(3) > "5/2".parse()?);
/// # Ok::<(), routebound::rational::RationalError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rational(RBig);

/// Why a text is not a ratio.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RationalError {
    #[error("`{0}` is not a non-negative rational such as 7 or 3/2")]
    Malformed(String),
    /// More than [`MAX_DIGITS`] digits.
    #[error("number of {0} digits is too long (at most {MAX_DIGITS} digits)")]
    TooLong(usize),
    #[error("`{0}` has denominator zero")]
    ZeroDenominator(String),
    #[error("`{0}` is not a finite non-negative decimal number such as 12, 0.5 or 1e-3")]
    NotDecimal(String),
    /// A decimal number beyond [`MAX_DIGITS`] digits before or after the point.
    #[error(
        "`{0}` is out of range: a number has at most {MAX_DIGITS} digits before the point and fewer than {MAX_DIGITS} after it"
    )]
    OutOfRange(String),
}

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(RBig::ZERO);
    /// One.
    pub const ONE: Self = Self(RBig::ONE);

    /// `numerator / denominator`, or `None` when the denominator is zero.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        Self::from_big(UBig::from(numerator), UBig::from(denominator))
    }

    /// The fraction of two integers of any size.
    #[must_use]
    pub fn from_big(numerator: UBig, denominator: UBig) -> Option<Self> {
        (!denominator.is_zero()).then(|| Self(RBig::from_parts(numerator.into(), denominator)))
    }

    /// `self / divisor`, or `None` when the divisor is zero.
    #[must_use]
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        (!divisor.is_zero()).then(|| Self(&self.0 / &divisor.0))
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
}

impl From<u64> for Rational {
    fn from(value: u64) -> Self {
        Self(RBig::from(value))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: Self) -> Rational {
        Rational(&self.0 + &other.0)
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: Self) -> Rational {
        Rational(&self.0 * &other.0)
    }
}

impl AddAssign<&Self> for Rational {
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

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl FromStr for Rational {
    type Err = RationalError;
    fn from_str(text: &str) -> Result<Self, RationalError> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let digits = |part: &str| -> Result<UBig, RationalError> {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(RationalError::Malformed(quote(text)));
            }
            if part.len() > MAX_DIGITS {
                return Err(RationalError::TooLong(part.len()));
            }
            UBig::from_str(part).map_err(|_| RationalError::Malformed(quote(part)))
        };
        Self::from_big(digits(numerator)?, digits(denominator)?)
            .ok_or_else(|| RationalError::ZeroDenominator(quote(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints_in_lowest_terms() {
        assert_eq!("6/4".parse::<Rational>().unwrap().to_string(), "3/2");
        assert_eq!("7".parse::<Rational>().unwrap(), Rational::from(7));
    }

    #[test]
    fn refuses_bad_text() {
        for bad in ["", "-1", "1/", "/2", "1.5", "1/2/3", "x", "1e9", "+1"] {
            assert!(matches!(bad.parse::<Rational>(), Err(RationalError::Malformed(_))), "{bad}");
        }
        assert_eq!("1/0".parse::<Rational>(), Err(RationalError::ZeroDenominator("1/0".into())));
        assert_eq!("9".repeat(201).parse::<Rational>(), Err(RationalError::TooLong(201)));
    }
}
