//! The five numbers of a box plot.

use serde::Serialize;

/// Minimum, quartiles and maximum of a sample. Quartiles between two values are interpolated
/// linearly, as R does by default (Hyndman and Fan, Am. Stat. 50, 1996, definition 7).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quartiles {
    /// The least value.
    pub least: f64,
    /// A quarter of the sample is below it.
    pub lower: f64,
    /// Half of the sample is below it.
    pub median: f64,
    /// A quarter of the sample is above it.
    pub upper: f64,
    /// The maximum.
    pub most: f64,
}

impl Quartiles {
    /// The quartiles of finite values; `None` when there are none, or one is not finite. O(values·log values).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::sampling::Quartiles;
    /// let found = Quartiles::of(&[4.0, 1.0, 2.0, 3.0]).ok_or("empty")?;
    /// assert_eq!([found.least, found.lower, found.median, found.upper, found.most], [1.0, 1.75, 2.5, 3.25, 4.0]);
    /// assert!(Quartiles::of(&[]).is_none() && Quartiles::of(&[f64::NAN]).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        if !sorted.iter().all(|value| value.is_finite()) {
            return None;
        }
        // Between the values at the two sides of quarter/4 of the way from the first to the last.
        let at = |quarter: usize| {
            let (below, part) =
                (quarter * (sorted.len() - 1) / 4, quarter * (sorted.len() - 1) % 4);
            let next = sorted.get(below + 1).copied().unwrap_or(most);
            sorted[below] + (next - sorted[below]) * part as f64 / 4.0
        };
        Some(Self { least, lower: at(1), median: at(2), upper: at(3), most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f64]) -> Vec<f64> {
        let Quartiles { least, lower, median, upper, most } = Quartiles::of(values).unwrap();
        vec![least, lower, median, upper, most]
    }

    #[test]
    fn by_hand() {
        assert_eq!(numbers(&[7.0]), [7.0; 5]);
        assert_eq!(numbers(&[3.0, 1.0]), [1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(numbers(&[5.0, 3.0, 1.0, 2.0, 4.0]), [1.0, 2.0, 3.0, 4.0, 5.0]);
    }
}
