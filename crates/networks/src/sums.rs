//! Exact sums of many rationals: integers on a common denominator that grows as needed.
//!
//! What links carry, what leaves subtrees and what hosts send are sums of several thousand amounts
//! each, for several thousand links, subtrees or hosts. Their denominators are few and small (path
//! shares, decimals from a file), so nearly every addition is one of integers. An amount that does
//! not fit is added as a rational, which is slower but never wrong and never overflows.

use std::collections::BTreeMap;

use crate::integer::index32;
use crate::rational::{Rational, common_denominator};

/// A given number of sums, each starting at zero.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Common denominator of `units`.
    scale: u64,
    units: Vec<u128>,
    /// Amounts that do not fit in the units.
    rest: BTreeMap<u32, Rational>,
    /// The last amount with its units, cached since amounts repeat.
    last: (Rational, Option<u64>),
}

impl Sums {
    /// `count` sums.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let last = (Rational::ZERO, Some(0));
        Self { scale: 1, units: vec![0; count], rest: BTreeMap::new(), last }
    }

    /// Adds `amount` to each of the sums in `indices`. O(indices), and O(sums) when the common
    /// denominator grows, which it does at most 62 times.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, sums::Sums};
    /// let mut sums = Sums::new(3);
    /// sums.add([0, 2], &"1/2".parse()?);
    /// sums.add([2], &"1/3".parse()?);
    /// assert_eq!([0, 1, 2].map(|i| sums.get(i).to_string()), ["1/2", "0", "5/6"]);
    /// # Ok::<(), routebound::rational::RationalError>(())
    /// ```
    pub fn add(&mut self, indices: impl IntoIterator<Item = u32>, amount: &Rational) {
        let units = self.units_of(amount);
        for index in indices {
            let sum = &mut self.units[index as usize];
            match units.and_then(|units| sum.checked_add(units.into())) {
                Some(total) => *sum = total,
                None => *self.rest.entry(index).or_default() += amount,
            }
        }
    }

    /// Adds `amount` to the sum at `index` the given number of times. O(1), and as [`Self::add`] otherwise.
    pub fn add_times(&mut self, index: u32, amount: &Rational, times: u64) {
        let units = self.units_of(amount).map(|units| u128::from(units) * u128::from(times));
        let sum = &mut self.units[index as usize];
        match units.and_then(|units| sum.checked_add(units)) {
            Some(total) => *sum = total,
            None => *self.rest.entry(index).or_default() += &(amount * &Rational::from(times)),
        }
    }

    /// Whether two sums are found to be equal without arithmetic; sums partly beyond the units may be equal all the same.
    #[must_use]
    pub fn are_same(&self, a: u32, b: u32) -> bool {
        let are_rests_same = || self.rest.is_empty() || self.rest.get(&a) == self.rest.get(&b);
        self.units[a as usize] == self.units[b as usize] && are_rests_same()
    }

    /// The sum at `index`.
    ///
    /// # Panics
    /// As indexing does, when there is no such sum.
    #[must_use]
    pub fn get(&self, index: u32) -> Rational {
        let units = self.units[index as usize];
        let whole = u64::try_from(units).ok().filter(|_| self.scale == 1);
        let fraction = || Rational::from_big(units.into(), self.scale.into());
        let sum = whole.map(Rational::from).or_else(fraction);
        let sum = sum.expect("a common denominator is at least 1");
        match self.rest.get(&index) {
            Some(rest) => &sum + rest,
            None => sum,
        }
    }

    /// The largest sum and the first index that has it; `None` when there are no sums.
    #[must_use]
    pub fn first_max(&self) -> Option<(u32, Rational)> {
        if self.rest.is_empty() {
            let index = first_max(self.units.iter())?.0;
            return Some((index, self.get(index)));
        }
        first_max((0..index32(self.units.len())).map(|index| self.get(index)))
    }

    /// `amount` in units, after growing the common denominator for it if possible.
    fn units_of(&mut self, amount: &Rational) -> Option<u64> {
        if self.last.0 != *amount {
            let units = amount.scaled(self.scale).or_else(|| {
                self.grow(amount)?;
                amount.scaled(self.scale)
            });
            self.last = (amount.clone(), units);
        }
        self.last.1
    }

    fn grow(&mut self, amount: &Rational) -> Option<()> {
        let scale = common_denominator([&Rational::new(1, self.scale)?, amount])?;
        let factor = u128::from(scale / self.scale);
        let fits = self.units.iter().max().is_none_or(|most| most.checked_mul(factor).is_some());
        fits.then(|| {
            self.units.iter_mut().for_each(|units| *units *= factor);
            self.scale = scale;
        })
    }
}

/// The first of the largest items, with its index; `None` when there are none. O(items).
///
/// ```
/// # use routebound_networks as routebound;
/// assert_eq!(routebound::sums::first_max([2, 7, 7].into_iter()), Some((1, 7)));
/// ```
#[must_use]
pub fn first_max<T: Ord>(items: impl Iterator<Item = T>) -> Option<(u32, T)> {
    (0_u32..).zip(items).reduce(|best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_amount_is_added_many_times() {
        let mut sums = Sums::new(3);
        let (third, large) = (Rational::new(1, 3).unwrap(), Rational::from(u64::MAX));
        sums.add_times(0, &third, 7);
        sums.add([1], &Rational::new(7, 3).unwrap());
        assert!(sums.are_same(0, 1) && !sums.are_same(1, 2));
        let mut expected = Rational::ZERO;
        for _ in 0..3 {
            // Twice this is beyond 128 bits.
            sums.add_times(2, &large, u64::MAX);
            expected += &(&large * &large);
        }
        assert_eq!(sums.get(2), expected);
        sums.add([1], &third);
        assert!(!sums.are_same(0, 1));
    }

    #[test]
    fn amounts_that_do_not_fit_the_units_are_added_all_the_same() {
        let amounts =
            ["1/4611686018427387847", "2/3", "1/4611686018427387847", "18446744073709551615"];
        let amounts = amounts.map(|text| text.parse::<Rational>().unwrap());
        let mut sums = Sums::new(2);
        for amount in &amounts {
            sums.add([1], amount);
        }
        assert_eq!(sums.get(1), amounts.iter().sum::<Rational>());
        assert!(sums.get(0).is_zero());
    }

    proptest! {
        #[test]
        fn sums_are_those_of_rationals(terms in prop::collection::vec((0u32..3, 0u64..u64::MAX, 1u64..40), 0..30)) {
            let mut sums = Sums::new(3);
            let mut expected = vec![Rational::ZERO; 3];
            for (index, numerator, denominator) in terms {
                let amount = Rational::new(numerator, denominator).unwrap();
                sums.add([index], &amount);
                expected[index as usize] += &amount;
            }
            for (index, sum) in expected.iter().enumerate() {
                prop_assert_eq!(&sums.get(index32(index)), sum);
            }
        }
    }
}
