//! Axes: their scales, and where their ticks are.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0 on.
    FromZero,
    /// Logarithmic with a tick at every power of 2; all values above 0.
    Doubling,
    /// Logarithmic; all values above 0.
    Logarithmic,
}

/// A linear axis with ticks at given places.
pub(super) struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Axis {
    pub(super) fn new(range: Range<f64>, ticks: Vec<f64>) -> Self {
        Self { range, ticks }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range.clone()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Maximum number of ticks of an axis, unless there are more powers of ten.
const MOST_TICKS: usize = 12;

impl Scale {
    /// Whether a value has a place.
    pub(super) fn shows(self, value: f64) -> bool {
        let is_inside = match self {
            Self::FromZero => value >= 0.0,
            Self::Doubling | Self::Logarithmic => value > 0.0,
        };
        value.is_finite() && is_inside
    }

    /// The place of a value on the axis.
    pub(super) fn place(self, value: f64) -> f64 {
        match self {
            Self::FromZero => value,
            Self::Doubling | Self::Logarithmic => value.log2(),
        }
    }

    /// The value at a place of the axis, as its tick says.
    pub(super) fn label(self, place: f64) -> String {
        label(match self {
            Self::FromZero => place,
            Self::Doubling | Self::Logarithmic => place.exp2(),
        })
    }

    /// The range of values that is shown.
    pub(super) fn range(self, least: f64, most: f64) -> Range<f64> {
        match self {
            Self::FromZero if most <= 0.0 => 0.0..1.0,
            Self::FromZero => 0.0..most * 1.06,
            // A sixteenth of what is between them, and not nothing.
            Self::Doubling | Self::Logarithmic => {
                let edge = (most / least).powf(1.0 / 16.0).max(1.08);
                least / edge..most * edge
            }
        }
    }

    /// An axis that shows a range of values.
    pub(super) fn axis(self, range: &Range<f64>) -> Axis {
        let ticks = self.ticks(range).into_iter().map(|value| self.place(value)).collect();
        Axis::new(self.place(range.start)..self.place(range.end), ticks)
    }

    /// Values with a tick.
    fn ticks(self, range: &Range<f64>) -> Vec<f64> {
        let inside = |value: &f64| range.contains(value);
        let powers = |base: f64| {
            let first = range.start.log(base).floor();
            let powers = (0..=64_u8).map(move |i| base.powf(first + f64::from(i)));
            powers.take_while(|power| *power <= range.end)
        };
        match self {
            Self::FromZero => {
                let power = 10_f64.powf(range.end.log10().floor());
                let step = match range.end / power {
                    parts if parts < 2.0 => power / 5.0,
                    parts if parts < 4.0 => power / 2.0,
                    _ => power,
                };
                (0..=20_u8).map(|i| f64::from(i) * step).filter(inside).collect()
            }
            Self::Doubling => powers(2.0).filter(inside).collect(),
            Self::Logarithmic => {
                let fine: &[f64] = &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
                let decades = [fine, &[1.0, 2.0, 5.0], &[1.0]].map(|decade| {
                    let all = powers(10.0).flat_map(|power| decade.iter().map(move |t| t * power));
                    all.filter(inside).collect::<Vec<_>>()
                });
                let [fine, some, tens] = decades;
                [fine, some].into_iter().find(|all| all.len() <= MOST_TICKS).unwrap_or(tens)
            }
        }
    }
}

/// A number on an axis, to three digits after the point; from 10,000 on in thousands (k) or millions (M).
fn label(value: f64) -> String {
    // A place on a logarithmic axis gives 9,999.999 for 10,000.
    let value = (value * 1e3).round() / 1e3;
    let (part, unit) = match value {
        _ if value >= 1e6 => (value / 1e6, "M"),
        _ if value >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{part:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string() + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::FromZero.ticks(&(0.0..7680.0)).last(), Some(&7000.0));
        assert_eq!(Scale::FromZero.ticks(&(0.0..3.2)), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(Scale::Doubling.ticks(&(1.8..9.0)), [2.0, 4.0, 8.0]);
        let ticks = Scale::Logarithmic.ticks(&(0.95..9.0));
        assert_eq!((ticks[0], ticks.len(), ticks.last()), (1.0, 10, Some(&8.0)));
        assert_eq!(Scale::Logarithmic.ticks(&(0.95..60.0)), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(Scale::Logarithmic.ticks(&(5.0..2e6)).len(), 6);
    }

    #[test]
    fn labels_have_no_idle_digits() {
        assert_eq!([1.0, 1.5, 0.02, 9_000.0].map(label), ["1", "1.5", "0.02", "9000"]);
        assert_eq!([15_000.0, 2.5e6].map(label), ["15k", "2.5M"]);
        assert_eq!(Scale::Doubling.label(7.0), "128");
        assert_eq!(Scale::Logarithmic.label(Scale::Logarithmic.place(1e4)), "10k");
    }

    #[test]
    fn ranges_are_wider_than_what_they_show() {
        assert_eq!(Scale::FromZero.range(3.0, 0.0), 0.0..1.0);
        let Range { start, end } = Scale::Logarithmic.range(4.0, 4.0);
        assert!(start < 4.0 && end > 4.0);
        assert!(!Scale::Logarithmic.shows(0.0) && Scale::FromZero.shows(0.0));
        assert!(!Scale::FromZero.shows(f64::NAN));
    }
}
