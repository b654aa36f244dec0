//! What a sample of numbers says about its mean.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::rational::Rational;

/// A sample that is not empty. Everything is exact for the sample, except
/// [`half_width`](Self::half_width).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{rational::Rational, sampling::Summary};
/// let sample = [1, 1, 2, 4].map(|value| (Rational::from(value), 1));
/// let summary = Summary::of(sample).ok_or("empty")?;
/// assert_eq!((summary.count(), summary.mean()), (4, Rational::from(2)));
/// // Squares of the deviations: (1 + 1 + 0 + 4) ÷ 3.
/// assert_eq!(summary.variance(), Rational::from(2));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How often each value was drawn.
    counts: BTreeMap<Rational, u64>,
    count: u64,
    sum: Rational,
    least: Rational,
    most: Rational,
}

impl Summary {
    /// The summary of values with their counts; `None` when there are none, or more than 2^64. O(values·log
    /// values), with memory for the different values.
    pub fn of(values: impl IntoIterator<Item = (Rational, u64)>) -> Option<Self> {
        let mut counts: BTreeMap<Rational, u64> = BTreeMap::new();
        let mut count = 0_u64;
        for (value, times) in values.into_iter().filter(|(_, times)| *times > 0) {
            count = count.checked_add(times)?;
            *counts.entry(value).or_default() += times;
        }
        let sum = total(counts.iter().map(|(value, times)| value * &Rational::from(*times)));
        let ends = [counts.first_key_value()?, counts.last_key_value()?];
        let [least, most] = ends.map(|(value, _)| value.clone());
        Some(Self { counts, count, sum, least, most })
    }

    /// Size of the sample, at least 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Sum of the values.
    #[must_use]
    pub fn sum(&self) -> &Rational {
        &self.sum
    }

    /// The least value.
    #[must_use]
    pub fn least(&self) -> &Rational {
        &self.least
    }

    /// The maximum.
    #[must_use]
    pub fn most(&self) -> &Rational {
        &self.most
    }

    /// The value in the middle; of an even number of values the higher of the two in the middle.
    /// O(different values).
    #[must_use]
    pub fn median(&self) -> &Rational {
        let mut below = 0;
        let mut values = self.counts.iter();
        let middle = values.find(|(_, times)| {
            below += **times;
            below > self.count / 2
        });
        middle.map_or(&self.most, |(value, _)| value)
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Rational {
        self.over_count(&self.sum)
    }

    /// The variance of the distribution as estimated from the sample: squares of the deviations
    /// from the mean ÷ (count − 1); 0 for a single value. O(different values), in numbers that may
    /// have twice the digits of the sum.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "n Σx² is at least (Σx)², and no divisor is 0")]
    pub fn variance(&self) -> Rational {
        let square = |(value, times): (&Rational, &u64)| &(value * value) * &Rational::from(*times);
        let squares = total(self.counts.iter().map(square));
        let spread = (&Rational::from(self.count) * &squares).checked_sub(&(&self.sum * &self.sum));
        let spread = spread.expect("by Cauchy and Schwarz");
        let divisor = Rational::from(self.count.max(2) - 1);
        self.over_count(&spread.checked_div(&divisor).expect("at least 1"))
    }

    /// Half the width of the 95 % confidence interval of the mean, from the normal distribution: an
    /// estimate, in floats, that adds up in ascending order. O(different values).
    #[must_use]
    pub fn half_width(&self) -> f64 {
        let centre = self.mean().to_f64();
        let square =
            |(value, times): (&Rational, &u64)| (value.to_f64() - centre).powi(2) * *times as f64;
        let squares: f64 = self.counts.iter().map(square).sum();
        let variance = squares / (self.count.max(2) - 1) as f64;
        1.96 * (variance / self.count as f64).sqrt()
    }

    /// Compares the mean with that of an independent sample; `None` where they cannot be distinguished,
    /// being within two standard errors of their difference. Where nothing varies in either,
    /// nothing is uncertain. Exact.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, sampling::Summary};
    /// let of = |values: [u64; 4]| Summary::of(values.map(|value| (Rational::from(value), 1)));
    /// let (low, high) = (of([1, 2, 1, 2]).ok_or("empty")?, of([5, 6, 5, 6]).ok_or("empty")?);
    /// assert!(low.compare(&high).is_some_and(|order| order.is_lt()));
    /// assert_eq!(low.compare(&low), None);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let (mean, than) = (self.mean(), other.mean());
        let order = mean.cmp(&than);
        let difference = mean.checked_sub(&than).or_else(|| than.checked_sub(&mean))?;
        let error = |sample: &Self| sample.over_count(&sample.variance());
        let errors = &error(self) + &error(other);
        let is_clear = &difference * &difference > &Rational::from(4) * &errors;
        (is_clear || errors.is_zero()).then_some(order)
    }

    fn over_count(&self, value: &Rational) -> Rational {
        value.checked_div(&Rational::from(self.count)).expect("a sample is not empty")
    }
}

fn total(values: impl Iterator<Item = Rational>) -> Rational {
    values.fold(Rational::ZERO, |sum, value| &sum + &value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Summary {
        Summary::of(values.iter().map(|value| (Rational::from(*value), 1))).unwrap()
    }

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    /// 1, 1, 2, 4: mean 2, variance (1 + 1 + 0 + 4) ÷ 3 = 2.
    #[test]
    fn by_hand() {
        let sample = of(&[4, 1, 2, 1]);
        assert_eq!((sample.count(), sample.sum(), sample.mean()), (4, &ratio("8"), ratio("2")));
        assert_eq!((sample.least(), sample.most()), (&ratio("1"), &ratio("4")));
        assert_eq!((sample.median(), sample.variance()), (&ratio("2"), ratio("2")));
        assert!((sample.half_width() - 1.96 * 0.5_f64.sqrt()).abs() < 1e-12);
        // Counts are repetitions, whatever the order, and none of a value is not a value.
        let counted = [(ratio("4"), 1), (ratio("9"), 0), (ratio("1"), 2), (ratio("2"), 1)];
        assert_eq!(Summary::of(counted), Some(sample));
    }

    /// 1/2 and 3/4 twice: mean 2/3, deviations 1/6, 1/12, 1/12, variance (1/36 + 2/144) ÷ 2 = 1/48.
    #[test]
    fn fractions_are_exact() {
        let sample = Summary::of([(ratio("3/4"), 2), (ratio("1/2"), 1)]).unwrap();
        assert_eq!((sample.mean(), sample.variance()), (ratio("2/3"), ratio("1/48")));
        assert_eq!(sample.median(), &ratio("3/4"));
    }

    #[test]
    fn samples_without_spread() {
        assert_eq!(Summary::of([]), None);
        assert_eq!(Summary::of([(Rational::ONE, 0)]), None);
        assert_eq!(Summary::of([(Rational::ONE, u64::MAX), (Rational::ZERO, 1)]), None);
        let one = of(&[7]);
        assert_eq!(
            (one.mean(), one.median(), one.variance()),
            (ratio("7"), &ratio("7"), Rational::ZERO)
        );
        assert!(one.half_width().abs() < f64::EPSILON);
    }

    /// The exact variance and the float of the half width are two computations of one number.
    #[test]
    fn the_half_width_agrees_with_the_variance() {
        let sample = of(&(0..200).map(|i| i * i % 37).collect::<Vec<_>>());
        let width = 1.96 * (sample.variance().to_f64() / 200.0).sqrt();
        assert!((sample.half_width() - width).abs() < 1e-9 * width);
    }

    #[test]
    fn means_that_are_near_are_not_told_apart() {
        let (low, high) = (of(&[1, 2, 1, 2, 1, 2]), of(&[5, 6, 5, 6, 5, 6]));
        assert_eq!(low.compare(&high), Some(Ordering::Less));
        assert_eq!(high.compare(&low), Some(Ordering::Greater));
        assert_eq!(low.compare(&of(&[2, 1, 2, 1, 2, 2])), None);
        assert_eq!(of(&[7, 7]).compare(&of(&[7, 7])), Some(Ordering::Equal));
        assert_eq!(of(&[7, 7]).compare(&of(&[6, 6])), Some(Ordering::Greater));
    }

    /// Squares of standard errors 2/4 and (16/7)/8, so that means are distinguished where the square of
    /// their difference exceeds 4·(1/2 + 2/7) = 22/7, which is between 49/16 and 256/81.
    #[test]
    fn two_standard_errors_are_the_limit() {
        let shifted = |by: &str| {
            let values =
                [(1, 2), (2, 1), (4, 1)].map(|(x, n)| (&Rational::from(x) + &ratio(by), n));
            Summary::of(values).unwrap()
        };
        let other = of(&[0, 0, 2, 2, 2, 2, 4, 4]);
        let errors = other.variance().checked_div(&Rational::from(8)).unwrap();
        assert_eq!((other.mean(), errors), (ratio("2"), ratio("2/7")));
        assert_eq!(shifted("7/4").compare(&other), None);
        assert_eq!(shifted("16/9").compare(&other), Some(Ordering::Greater));
        assert_eq!(other.compare(&shifted("16/9")), Some(Ordering::Less));
    }
}
