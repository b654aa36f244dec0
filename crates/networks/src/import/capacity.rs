//! Capacities as written in files of general networks.

use super::Problem;
use crate::advice::Advice;
use crate::rational::Rational;

/// Units of data rates and their powers of ten. An upper-case B would mean bytes.
const UNITS: &[(&str, &str)] = &[
    ("Tbps", "e12"),
    ("Gbps", "e9"),
    ("Mbps", "e6"),
    ("kbps", "e3"),
    ("Kbps", "e3"),
    ("bps", "e0"),
    ("Tbit/s", "e12"),
    ("Gbit/s", "e9"),
    ("Mbit/s", "e6"),
    ("kbit/s", "e3"),
    ("Kbit/s", "e3"),
    ("bit/s", "e0"),
    ("Tb/s", "e12"),
    ("Gb/s", "e9"),
    ("Mb/s", "e6"),
    ("kb/s", "e3"),
    ("Kb/s", "e3"),
    ("b/s", "e0"),
    ("Tbit", "e12"),
    ("Gbit", "e9"),
    ("Mbit", "e6"),
    ("kbit", "e3"),
    ("Kbit", "e3"),
    ("T", "e12"),
    ("G", "e9"),
    ("M", "e6"),
    ("K", "e3"),
];

/// A positive capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    /// As written, or in bit/s if the number has a unit.
    pub value: Rational,
    /// Whether the number has a unit.
    pub has_unit: bool,
}

/// Reads `155000000`, `2.4e9`, `3/2` or `1Gbps`, exactly.
pub(super) fn parse(text: &str) -> Result<Capacity, Problem> {
    let text = text.trim();
    let unit = UNITS.iter().find_map(|(unit, power)| Some((text.strip_suffix(unit)?, *power)));
    let value = match unit {
        Some((number, power)) => Rational::from_decimal(number.trim_end())
            .and_then(|number| Ok(&number * &Rational::from_decimal(&format!("1{power}"))?)),
        None => Rational::from_decimal(text),
    };
    let advice = Advice::IGNORE_CAPACITIES;
    let value = value.map_err(|reason| Problem::BadCapacity { reason, advice })?;
    if value.is_zero() {
        return Err(Problem::ZeroCapacity { found: text.into(), advice });
    }
    Ok(Capacity { value, has_unit: unit.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        for (text, value, has_unit) in [
            ("155000000", "155000000", false),
            (" 2.4e9 ", "2400000000", false),
            ("10000000000.0", "10000000000", false),
            ("0.1", "1/10", false),
            ("3/2", "3/2", false),
            ("1Gbps", "1000000000", true),
            ("2.5 Mbps", "2500000", true),
            ("7bps", "7", true),
            ("0.4kbps", "400", true),
            ("1Tbps", "1000000000000", true),
            ("40 Gbit/s", "40000000000", true),
            ("100Mb/s", "100000000", true),
            ("9 b/s", "9", true),
            ("1Gbit", "1000000000", true),
            ("25G", "25000000000", true),
        ] {
            let value = value.parse().unwrap();
            assert_eq!(parse(text), Ok(Capacity { value, has_unit }), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_positive_number() {
        for zero in ["0", "0.0", "0e5", "0Gbps", "0/7"] {
            assert!(matches!(parse(zero), Err(Problem::ZeroCapacity { .. })), "{zero}");
        }
        for bad in [
            "", "-1", "NaN", "nan", "inf", "Infinity", "1e400", "1GBps", "1GB/s", "1GB", "Gbps",
            "x",
        ] {
            assert!(matches!(parse(bad), Err(Problem::BadCapacity { .. })), "{bad}");
        }
    }
}
