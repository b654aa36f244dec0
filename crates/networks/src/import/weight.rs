//! Weights of links as written in files of general networks.

use super::Problem;
use crate::rational::Rational;

/// Reads `10`, `2.5` or `1/3`, exactly.
pub(super) fn parse(text: &str) -> Result<Rational, Problem> {
    let text = text.trim();
    let weight = Rational::from_decimal(text).map_err(|reason| Problem::BadWeight { reason })?;
    if weight.is_zero() { Err(Problem::ZeroWeight { found: text.into() }) } else { Ok(weight) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_and_positive() {
        for (text, weight) in [("10", "10"), (" 0.1 ", "1/10"), ("2/6", "1/3"), ("1e2", "100")] {
            assert_eq!(parse(text), Ok(weight.parse().unwrap()), "{text}");
        }
        for zero in ["0", "0.0", "0/3"] {
            assert!(matches!(parse(zero), Err(Problem::ZeroWeight { .. })), "{zero}");
        }
        for bad in ["", "-1", "NaN", "inf", "1Gbps"] {
            assert!(matches!(parse(bad), Err(Problem::BadWeight { .. })), "{bad}");
        }
    }
}
