//! Loads in classes of colour, and numbers in bins of equal width. Floats are only for the eye here.

use std::collections::{BTreeMap, BTreeSet};

use crate::integer::{as_size, whole};
use crate::rational::Rational;

/// Number of colours, from the minimum load to the maximum.
pub(super) const COLOURS: usize = 7;

/// Loads in classes, each with its colour.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    /// Class by load.
    classes: BTreeMap<Rational, usize>,
    /// Minimum and maximum load of every class.
    ranges: Vec<(Rational, Rational)>,
}

/// Bins of equal width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bins {
    least: f64,
    width: f64,
    /// Number of bins.
    pub count: usize,
}

impl Scale {
    /// A class for every load, or as many of equal width as there are colours, and one for 0.
    pub(super) fn of<'a>(loads: impl Iterator<Item = &'a Rational>) -> Self {
        let loads: BTreeSet<&Rational> = loads.collect();
        let bins = Bins::of(loads.iter().copied().filter(|load| !load.is_zero()), COLOURS);
        let mut scale = Self::default();
        let mut last = None;
        for (at, load) in loads.iter().enumerate() {
            // What carries nothing is a class of its own.
            let bin = match (load.is_zero(), loads.len() <= COLOURS) {
                (true, _) => 0,
                (false, true) => at + 1,
                (false, false) => bins.at(load.to_f64()) + 1,
            };
            if last.replace(bin) != Some(bin) {
                scale.ranges.push(((*load).clone(), (*load).clone()));
            }
            let class = scale.ranges.len() - 1;
            scale.ranges[class].1 = (*load).clone();
            scale.classes.insert((*load).clone(), class);
        }
        scale
    }

    /// The class of a load that the scale was made of.
    pub(super) fn class(&self, load: &Rational) -> Option<usize> {
        self.classes.get(load).copied()
    }

    /// The loads of a class: `3`, `3 to 4`, or `3 to 22/7 (3.00 to 3.14)`.
    pub(super) fn text(&self, class: usize) -> String {
        let Some((least, most)) = self.ranges.get(class) else { return String::new() };
        let exact = range(least, most);
        if [least, most].iter().all(|load| load.denominator_bits() == 1) {
            return exact;
        }
        let [low, high] = [least, most].map(|load| format!("{:.2}", load.to_f64()));
        let about = if least == most { low } else { format!("{low} to {high}") };
        format!("{exact} ({about})")
    }

    /// The name of the colour of a class for style sheets: `k0` to `k6`, or `none` for links that carry
    /// nothing.
    pub(super) fn colour(&self, class: usize) -> &'static str {
        const NAMES: [&str; COLOURS] = ["k0", "k1", "k2", "k3", "k4", "k5", "k6"];
        let is_zero = |at: usize| self.ranges.get(at).is_some_and(|range| range.1.is_zero());
        if is_zero(class) {
            return "none";
        }
        // Loads of 0 need no colour; a single other one is the least if it is no more than a link carries.
        let first = usize::from(is_zero(0));
        let (class, last) = (class - first, self.ranges.len() - 1 - first);
        let alone = if self.ranges[first].1 <= Rational::ONE { 0 } else { COLOURS - 1 };
        NAMES[(class * (COLOURS - 1)).checked_div(last).unwrap_or(alone)]
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }
}

impl Bins {
    /// At most `most` bins for numbers: one for each where they are integers that lie close, else that number of
    /// equal width, with integer ends for integers.
    pub(super) fn of<'a>(numbers: impl Iterator<Item = &'a Rational>, most: usize) -> Self {
        let (mut least, mut greatest, mut integers) = (f64::INFINITY, 0_f64, true);
        for number in numbers {
            let value = number.to_f64();
            (least, greatest) = (least.min(value), greatest.max(value));
            integers &= number.denominator_bits() == 1;
        }
        if !least.is_finite() {
            return Self { least: 0.0, width: 1.0, count: 0 };
        }
        let span = greatest - least;
        if integers {
            let width = ((span + 1.0) / most as f64).ceil();
            return Self { least, width, count: as_size(whole(span / width)) + 1 };
        }
        let width = if span > 0.0 { span / most as f64 } else { 1.0 };
        Self { least, width, count: if span > 0.0 { most } else { 1 } }
    }

    /// The bin of a number.
    pub(super) fn at(&self, value: f64) -> usize {
        as_size(whole((value - self.least) / self.width)).min(self.count.saturating_sub(1))
    }
}

/// `3`, or `3 to 7`.
pub(super) fn range(least: &Rational, most: &Rational) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(texts: &str) -> Vec<Rational> {
        texts.split(' ').map(|text| text.parse().unwrap()).collect()
    }

    fn texts(loads: &str) -> Vec<(String, &'static str)> {
        let scale = Scale::of(ratios(loads).iter());
        (0..scale.len()).map(|class| (scale.text(class), scale.colour(class))).collect()
    }

    #[test]
    fn few_loads_have_a_class_each() {
        let expected = [("0", "none"), ("1", "k0"), ("3/2 (1.50)", "k3"), ("64", "k6")];
        let expected = expected.map(|(text, colour)| (text.to_string(), colour));
        assert_eq!(texts("64 1 3/2 0 1"), expected);
        assert_eq!(texts("1"), [("1".to_string(), "k0")]);
        assert_eq!(texts("0 4"), [("0".to_string(), "none"), ("4".to_string(), "k6")]);
        assert_eq!(texts("0"), [("0".to_string(), "none")]);
    }

    #[test]
    fn many_loads_share_classes_in_their_order() {
        let loads: Vec<Rational> = (1..=18).map(Rational::from).collect();
        let scale = Scale::of(loads.iter());
        let classes: Vec<usize> = loads.iter().map(|load| scale.class(load).unwrap()).collect();
        assert!(classes.is_sorted() && classes[0] == 0);
        assert_eq!((scale.len(), scale.text(0)), (6, "1 to 3".to_string()));
        assert_eq!((scale.text(5), scale.colour(5)), ("16 to 18".to_string(), "k6"));
        assert_eq!(scale.class(&Rational::from(99)), None);
        let with_zero = Scale::of(loads.iter().chain([&Rational::ZERO]));
        assert_eq!(
            (with_zero.len(), with_zero.text(0), with_zero.colour(0)),
            (7, "0".into(), "none")
        );
        assert_eq!((with_zero.text(1), with_zero.colour(1)), ("1 to 3".into(), "k0"));
    }

    #[test]
    fn bins_hold_every_number() {
        for numbers in ["3 4 4 9", "0 1000 17 3", "1/2 1/3 7", "5", "1/2"] {
            let numbers = ratios(numbers);
            let bins = Bins::of(numbers.iter(), 24);
            assert!(bins.count >= 1 && bins.count <= 24);
            for number in &numbers {
                let value = number.to_f64();
                let bin = bins.at(value);
                let begin = bins.least + bin as f64 * bins.width;
                let fits = begin <= value + 1e-9 && value <= begin + bins.width + 1e-9;
                assert!(bin < bins.count && fits, "{number} in bin {bin} of {bins:?}");
            }
        }
        assert_eq!(Bins::of(ratios("3 9").iter(), 24).count, 7);
        assert_eq!(Bins::of([].iter(), 24).count, 0);
    }
}
