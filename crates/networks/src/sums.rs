//! Exact sums of many rationals: integers on a common denominator that grows as needed.
//!
//! What links carry, what leaves subtrees and what hosts send are sums of several thousand amounts
//! each, for several thousand links, subtrees or hosts. Their denominators are few and small (path
//! shares, decimals from a file), so nearly every addition is one of integers. An amount that does
//! not fit is added as a rational, which is slower but never wrong and never overflows.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::integer::index32;
use crate::rational::{Rational, common_denominator};

/// A given number of sums, each starting at zero.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Common denominator of `units`.
    scale: u64,
    /// By place.
    units: Vec<u128>,
    /// Amounts that do not fit in the units, by place.
    rest: BTreeMap<u32, Rational>,
    /// The ends of runs of sums that have one place; `None` where each has its own.
    ends: Option<Vec<u32>>,
    /// The last amount with its units, cached since amounts repeat.
    last: (Rational, Option<u64>),
}

impl Sums {
    /// `count` sums.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let last = (Rational::ZERO, Some(0));
        Self { scale: 1, units: vec![0; count], rest: BTreeMap::new(), ends: None, last }
    }

    /// No sums, to which runs of equal ones are appended.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, sums::Sums};
    /// let mut sums = Sums::of_runs();
    /// sums.append(1000, &Rational::ONE, 3);
    /// sums.append(1002, &"1/2".parse()?, 1);
    /// assert_eq!([0, 999, 1000, 1001].map(|i| sums.get(i).to_string()), ["3", "3", "1/2", "1/2"]);
    /// assert_eq!((sums.run(7), sums.first_max()), (0..1000, Some((0, 3.into()))));
    /// # Ok::<(), routebound::rational::RationalError>(())
    /// ```
    #[must_use]
    pub fn of_runs() -> Self {
        Self { ends: Some(Vec::new()), ..Self::new(0) }
    }

    /// Appends sums before `end`, all of which are a number of times `amount`, to others of [`Self::of_runs`].
    pub fn append(&mut self, end: u32, amount: &Rational, times: u64) {
        let place = index32(self.units.len());
        debug_assert!(self.ends.is_some() && end > self.start(place as usize));
        self.units.push(0);
        self.ends.get_or_insert_default().push(end);
        self.add_at([place], amount, times);
    }

    /// The place where the sum at `index` is held, which those of a run share.
    #[must_use]
    #[inline]
    pub fn place(&self, index: u32) -> usize {
        match &self.ends {
            None => index as usize,
            Some(ends) => ends.partition_point(|end| *end <= index),
        }
    }

    /// The run of equal sums that the one at `index` is in.
    #[must_use]
    pub fn run(&self, index: u32) -> Range<u32> {
        let place = self.place(index);
        self.ends.as_ref().map_or(index..index + 1, |ends| self.start(place)..ends[place])
    }

    /// The first index with a place; behind all places, the number of sums.
    #[must_use]
    pub fn start(&self, place: usize) -> u32 {
        match &self.ends {
            None => index32(place),
            Some(ends) => place.checked_sub(1).map_or(0, |before| ends[before]),
        }
    }

    /// Gives each sum a place of its own, so that one can be changed.
    fn part(&mut self) {
        let Some(ends) = self.ends.take() else { return };
        let (units, rest) = (std::mem::take(&mut self.units), std::mem::take(&mut self.rest));
        for (place, (end, units)) in (0..).zip(ends.into_iter().zip(units)) {
            let run = index32(self.units.len())..end;
            self.rest.extend(
                rest.get(&place)
                    .into_iter()
                    .flat_map(|rest| run.clone().map(|index| (index, rest.clone()))),
            );
            self.units.resize(end as usize, units);
        }
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
        self.part();
        let units = self.units_of(amount);
        for index in indices {
            let sum = &mut self.units[index as usize];
            match units.and_then(|units| sum.checked_add(units.into())) {
                Some(total) => *sum = total,
                None => *self.rest.entry(index).or_default() += amount,
            }
        }
    }

    /// Adds `amount` the given number of times to each of the sums in `indices`, in the time of [`Self::add`].
    pub fn add_times(
        &mut self,
        indices: impl IntoIterator<Item = u32>,
        amount: &Rational,
        times: u64,
    ) {
        self.part();
        self.add_at(indices, amount, times);
    }

    fn add_at(&mut self, places: impl IntoIterator<Item = u32>, amount: &Rational, times: u64) {
        let units = self.units_of(amount).map(|units| u128::from(units) * u128::from(times));
        for place in places {
            let sum = &mut self.units[place as usize];
            match units.and_then(|units| sum.checked_add(units)) {
                Some(total) => *sum = total,
                None => *self.rest.entry(place).or_default() += &(amount * &Rational::from(times)),
            }
        }
    }

    /// Whether two sums are found to be equal without arithmetic; sums partly beyond the units may be equal all the same.
    #[must_use]
    pub fn are_same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.place(a), self.place(b));
        let rest = |place| self.rest.get(&index32(place));
        self.units[a] == self.units[b] && (self.rest.is_empty() || rest(a) == rest(b))
    }

    /// The sum at `index`.
    ///
    /// # Panics
    /// As indexing does, when there is no such sum.
    #[must_use]
    pub fn get(&self, index: u32) -> Rational {
        self.at(index32(self.place(index)))
    }

    /// The sum with a place.
    fn at(&self, place: u32) -> Rational {
        let units = self.units[place as usize];
        let whole = u64::try_from(units).ok().filter(|_| self.scale == 1);
        let fraction = || Rational::from_big(units.into(), self.scale.into());
        let sum = whole.map(Rational::from).or_else(fraction);
        let sum = sum.expect("a common denominator is at least 1");
        match self.rest.get(&place) {
            Some(rest) => &sum + rest,
            None => sum,
        }
    }

    /// All sums.
    pub fn all(&self) -> impl Iterator<Item = Rational> {
        (0..self.start(self.units.len())).map(|index| self.get(index))
    }

    /// The largest sum and the first index that has it; `None` when there are no sums.
    #[must_use]
    pub fn first_max(&self) -> Option<(u32, Rational)> {
        let place = if self.rest.is_empty() {
            first_max(self.units.iter())?.0
        } else {
            first_max((0..index32(self.units.len())).map(|place| self.at(place)))?.0
        };
        Some((self.start(place as usize), self.at(place)))
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

/// As many sums, each of which is the same number.
impl PartialEq for Sums {
    fn eq(&self, other: &Self) -> bool {
        self.all().eq(other.all())
    }
}

/// Sums of one number each.
impl FromIterator<Rational> for Sums {
    fn from_iter<I: IntoIterator<Item = Rational>>(numbers: I) -> Self {
        let mut sums = Self::new(0);
        for (index, number) in (0..).zip(numbers) {
            sums.units.push(0);
            sums.add([index], &number);
        }
        sums
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
        sums.add_times([0], &third, 7);
        sums.add([1], &Rational::new(7, 3).unwrap());
        assert!(sums.are_same(0, 1) && !sums.are_same(1, 2));
        let mut expected = Rational::ZERO;
        for _ in 0..3 {
            // Twice this is beyond 128 bits.
            sums.add_times([2], &large, u64::MAX);
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

    /// Runs, of which some are beyond the units, with one sum changed afterwards.
    #[test]
    fn sums_in_runs_are_those_one_by_one() {
        let large = Rational::from(u64::MAX);
        let mut runs = Sums::of_runs();
        assert_eq!((runs.first_max(), runs.all().count()), (None, 0));
        let mut one_by_one = Vec::new();
        let half = Rational::new(1, 2).unwrap();
        for (end, amount, times) in
            [(2, &half, 3), (3, &Rational::ZERO, 0), (7, &large, u64::MAX), (8, &half, 3)]
        {
            runs.append(end, amount, times);
            one_by_one.resize(end as usize, amount * &Rational::from(times));
            let same: Sums = one_by_one.iter().cloned().collect();
            assert_eq!((&runs, runs.first_max()), (&same, same.first_max()));
        }
        // The third is beyond the units, which count halves.
        runs.units[2] = u128::MAX;
        let in_units = Rational::from_big(u128::MAX.into(), 2_u8.into()).unwrap();
        one_by_one[3..7].iter_mut().for_each(|sum| *sum += &in_units);
        let mut parted = runs.clone();
        parted.add([4], &large);
        for index in 0..8 {
            assert_eq!(runs.get(index), one_by_one[index as usize], "{index}");
            let more = if index == 4 { &large } else { &Rational::ZERO };
            assert_eq!(parted.get(index), &one_by_one[index as usize] + more, "{index}");
        }
        assert!(runs.are_same(3, 6) && runs.are_same(0, 7) && !runs.are_same(2, 3));
        assert_eq!((runs.run(1), runs.run(2), runs.run(6)), (0..2, 2..3, 3..7));
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
            for (index, sum) in (0..).zip(&expected) {
                prop_assert_eq!(&sums.get(index), sum);
            }
            let mut same: Sums = expected.into_iter().collect();
            prop_assert_eq!(&sums, &same);
            same.add([1], &Rational::ONE);
            prop_assert!(sums != same && sums != Sums::new(2));
        }
    }
}
