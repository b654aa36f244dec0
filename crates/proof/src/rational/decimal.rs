//! Decimal numbers as exact ratios, both ways.
//!
//! Measured traffic comes as decimals, such as `66806850.99999999` or `500e+6`. Read through a
//! float they would be rounded, and a claim about them would be about other numbers.

use std::str::FromStr;

use dashu_int::UBig;
use dashu_int::ops::UnsignedAbs;

use super::{MAX_DIGITS, Rational, RationalError};
use crate::quote::quote;

impl Rational {
    /// Reads a number as measurements are written: decimal, such as `12`, `0.5` or
    /// `1234.5e-3`, or a fraction such as `3/2`. Exact: nothing is rounded.
    ///
    /// # Errors
    /// [`RationalError::NotDecimal`] for anything else (negative numbers, `nan`, `inf`),
    /// [`RationalError::OutOfRange`] beyond [`MAX_DIGITS`] digits before or after the point; for
    /// fractions the errors of [`Rational::from_str`].
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::rational::Rational;
    /// assert_eq!(Rational::from_decimal("1234.5e-3")?, "2469/2000".parse()?);
    /// assert!(Rational::from_decimal("1e400").is_err());
    /// # Ok::<(), routebound::rational::RationalError>(())
    /// ```
    pub fn from_decimal(text: &str) -> Result<Self, RationalError> {
        if text.contains('/') {
            return text.parse();
        }
        let shown = || quote(text);
        let Decimal { whole, fraction, exponent } =
            Decimal::split(text).ok_or_else(|| RationalError::NotDecimal(shown()))?;
        // Digits before and after the point once the exponent is applied.
        let before = whole.len() as i128 + i128::from(exponent);
        let after = fraction.len() as i128 - i128::from(exponent);
        let most = MAX_DIGITS as i128;
        if whole.len() + fraction.len() > 2 * MAX_DIGITS || before > most || after >= most {
            return Err(RationalError::OutOfRange(shown()));
        }
        let digits = UBig::from_str(&format!("0{whole}{fraction}"));
        let digits = digits.map_err(|_| RationalError::NotDecimal(shown()))?;
        let power = UBig::from(10_u8).pow(after.unsigned_abs() as usize);
        let ratio = if after > 0 {
            Self::from_big(digits, power)
        } else {
            Self::from_big(digits * power, UBig::ONE)
        };
        ratio.ok_or_else(|| RationalError::NotDecimal(shown()))
    }

    /// The number as a decimal without exponent, which [`Self::from_decimal`] reads back;
    /// `None` when it has no finite one, such as 1/3, or none short enough.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::rational::Rational;
    /// assert_eq!("2469/2000".parse::<Rational>()?.to_decimal().as_deref(), Some("1.2345"));
    /// assert_eq!("1/3".parse::<Rational>()?.to_decimal(), None);
    /// # Ok::<(), routebound::rational::RationalError>(())
    /// ```
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        let (numerator, denominator) = (self.0.numerator().unsigned_abs(), self.denominator());
        if denominator.is_one() {
            return Some(numerator.to_string());
        }
        // A finite decimal has a denominator 2^a·5^b, and max(a, b) digits after the point.
        let power = |digits| UBig::from(10_u8).pow(digits);
        let digits = (1..MAX_DIGITS).find(|n| (power(*n) % denominator).is_zero())?;
        let number = numerator * (power(digits) / denominator);
        let text = format!("{:0>width$}", number.to_string(), width = digits + 1);
        let (whole, fraction) = text.split_at(text.len() - digits);
        Some(format!("{whole}.{fraction}"))
    }
}

/// The parts of a decimal number, without insignificant zeros.
struct Decimal<'t> {
    whole: &'t str,
    fraction: &'t str,
    exponent: i64,
}

impl<'t> Decimal<'t> {
    /// `None` when the text is not digits with at most one point and one exponent.
    fn split(text: &'t str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let given = whole.len() + fraction.len() > 0 && !power.is_empty();
        (given && [whole, fraction, power].into_iter().all(is_digits)).then(|| Self {
            whole: whole.trim_start_matches('0'),
            fraction: fraction.trim_end_matches('0'),
            // Whatever does not fit is out of range in any case.
            exponent: exponent.parse().unwrap_or(i64::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (text, exact) in [
            ("0", "0"),
            ("0.0", "0"),
            ("000.500", "1/2"),
            ("12.", "12"),
            (".25", "1/4"),
            ("500e+6", "500000000"),
            ("1234.5e-3", "2469/2000"),
            ("1E2", "100"),
            ("0.05e2", "5"),
            ("66806850.99999999", "6680685099999999/100000000"),
            ("3/2", "3/2"),
        ] {
            assert_eq!(Rational::from_decimal(text).unwrap(), exact.parse().unwrap(), "{text}");
        }
        let longest = Rational::from_decimal("1e199").unwrap();
        assert_eq!(longest.to_string().len(), 200);
        assert_eq!(Rational::from_decimal("1e-199").unwrap().to_decimal().unwrap().len(), 201);
    }

    #[test]
    fn bad_decimals_are_refused() {
        for bad in [
            "", "-1", "+1", "-0", "nan", "NaN", "inf", "1e", "e5", ".", "1.2.3", "1e5.0", "0x10",
            "1 2", "1,5", "1e+-3", "²",
        ] {
            assert!(
                matches!(Rational::from_decimal(bad), Err(RationalError::NotDecimal(_))),
                "{bad}"
            );
        }
        let long = "9".repeat(201);
        for bad in ["1e400", "1e-400", "1e200", "1e-200", "1e99999999999999999999", &long] {
            assert!(
                matches!(Rational::from_decimal(bad), Err(RationalError::OutOfRange(_))),
                "{bad}"
            );
        }
        let tiny = "1e-99999999999999999999";
        assert!(matches!(Rational::from_decimal(tiny), Err(RationalError::OutOfRange(_))));
        assert!(matches!(Rational::from_decimal("-1/2"), Err(RationalError::Malformed(_))));
    }

    #[test]
    fn decimals_print_back() {
        for (text, decimal) in [("7", "7"), ("1/8", "0.125"), ("101/100", "1.01"), ("3/5", "0.6")] {
            let ratio: Rational = text.parse().unwrap();
            assert_eq!(ratio.to_decimal().unwrap(), decimal);
            assert_eq!(Rational::from_decimal(decimal).unwrap(), ratio);
        }
        assert_eq!(Rational::new(1, 6).unwrap().to_decimal(), None);
    }
}
