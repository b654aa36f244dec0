//! Data rates of InfiniBand links, and of Ethernet links in Gbit/s or Mbit/s.
//!
//! A link of width w runs w lanes of the same speed. What counts is the data rate after line
//! coding (8b/10b up to QDR, 64b/66b from FDR10 on): FDR signals at 14.0625 Gbit/s per lane and
//! carries 14.0625 · 64/66 = 150/11 (InfiniBand Architecture Specification, volume 2).

use std::sync::LazyLock;

use crate::rational::Rational;

/// Data rate of one lane in Gbit/s, as numerator and denominator.
const LANE: &[(&str, u64, u64)] = &[
    ("SDR", 2, 1),
    ("DDR", 4, 1),
    ("QDR", 8, 1),
    ("FDR10", 10, 1),
    ("FDR", 150, 11),
    ("EDR", 25, 1),
    ("HDR", 50, 1),
    ("NDR", 100, 1),
    ("XDR", 200, 1),
];

const WIDTHS: &[u64] = &[1, 2, 4, 8, 12];

/// The rate of every width and lane speed, computed once: a fabric needs the same few rates
/// thousands of times.
static RATES: LazyLock<Vec<(u64, &str, Rational)>> = LazyLock::new(|| {
    let rate = |width: u64, (name, numerator, denominator): &(&'static str, u64, u64)| {
        Some((width, *name, Rational::new(width * numerator, *denominator)?))
    };
    WIDTHS.iter().flat_map(|width| LANE.iter().filter_map(|lane| rate(*width, lane))).collect()
});

/// The data rate in Gbit/s of a text such as `4xQDR`, `4x QDR` or `100 Gbit/s`, or `None`.
pub(super) fn parse(text: &str) -> Option<Rational> {
    if let Some((number, unit)) = text.split_once(' ').filter(|(_, unit)| unit.ends_with("bit/s")) {
        let number = number.parse::<u32>().ok().filter(|number| *number > 0)?;
        let thousandths = match unit {
            "Gbit/s" => 1000,
            "Mbit/s" => 1,
            _ => return None,
        };
        return Rational::new(u64::from(number) * thousandths, 1000);
    }
    let (width, speed) = text.split_once('x')?;
    let (width, speed): (u64, &str) = (width.parse().ok()?, speed.trim());
    let known = RATES.iter().find(|known| (known.0, known.1) == (width, speed))?;
    Some(known.2.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rates() {
        let gbit = |text: &str| parse(text).unwrap().to_string();
        assert_eq!(gbit("4xQDR"), "32");
        assert_eq!(gbit("4x SDR"), "8");
        assert_eq!(gbit("12xDDR"), "48");
        assert_eq!(gbit("4xFDR"), "600/11");
        assert_eq!(gbit("4xFDR10"), "40");
        assert_eq!(gbit("2xHDR"), "100");
        assert_eq!(gbit("400 Gbit/s"), "400");
        assert_eq!(gbit("2500 Mbit/s"), "5/2");
    }

    #[test]
    fn refuses_other_texts() {
        for bad in [
            "", "x", "4x", "4x ???", "3xQDR", "QDR", "4xqdr", "-4xQDR", "4xFDR14", "0 Gbit/s",
            "1 kbit/s",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
