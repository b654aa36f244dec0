//! Numbers in place of shares, for loops over pairs.

use std::collections::HashMap;

use crate::integer::index32;
use crate::rational::Rational;

/// Number of shares that are compared before others are looked up.
const FEW: usize = 8;

/// Distinct shares and their numbers, in order of first use; the first is 1.
#[derive(Clone, Debug)]
pub struct ShareNumbers {
    known: Vec<Rational>,
    numbers: HashMap<Rational, u32>,
}

impl Default for ShareNumbers {
    fn default() -> Self {
        Self { known: vec![Rational::ONE], numbers: HashMap::from([(Rational::ONE, 0)]) }
    }
}

impl ShareNumbers {
    /// The number of a share. O(1) expected.
    #[inline]
    pub fn number(&mut self, share: &Rational) -> u32 {
        let mut few = (0..).zip(self.known.iter().take(FEW));
        if let Some((number, _)) = few.find(|(_, known)| *known == share) {
            return number;
        }
        let next = index32(self.known.len());
        let number = *self.numbers.entry(share.clone()).or_insert(next);
        if number == next {
            self.known.push(share.clone());
        }
        number
    }

    /// All shares, in the order of their numbers.
    #[must_use]
    pub fn all(&self) -> &[Rational] {
        &self.known
    }

    /// The share of a number. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Rational> {
        self.known.get(number as usize)
    }
}

/// The share that all pairs of a link have in common, if they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonShare(u32);

impl CommonShare {
    /// No pair was seen.
    pub const NONE: Self = Self(u32::MAX);
    const SEVERAL: Self = Self(u32::MAX - 1);

    /// Takes a pair with the share of this number into account.
    #[inline]
    pub fn take(&mut self, share: u32) {
        if self.0 != share {
            *self = if *self == Self::NONE { Self(share) } else { Self::SEVERAL };
        }
    }

    /// The share, 1 where no pair was seen; `None` where there are several.
    #[must_use]
    pub fn share(self, shares: &ShareNumbers) -> Option<&Rational> {
        match self {
            Self::NONE => shares.known.first(),
            Self::SEVERAL => None,
            Self(number) => shares.known.get(number as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shares_have_one_number() {
        let mut shares = ShareNumbers::default();
        let parts: Vec<Rational> = (1..=20).map(|n| Rational::new(1, n).unwrap()).collect();
        assert_eq!((shares.get(0), shares.get(1)), (Some(&Rational::ONE), None));
        for _ in 0..2 {
            assert!(parts.iter().map(|part| shares.number(part)).eq(0..20));
        }
    }

    #[test]
    fn a_common_share_is_that_of_all() {
        let mut shares = ShareNumbers::default();
        let (half, third) = (Rational::new(1, 2).unwrap(), Rational::new(1, 3).unwrap());
        let mut common = CommonShare::NONE;
        assert_eq!(common.share(&shares), Some(&Rational::ONE));
        for _ in 0..2 {
            common.take(shares.number(&half));
            assert_eq!(common.share(&shares), Some(&half));
        }
        for share in [&third, &half] {
            common.take(shares.number(share));
            assert_eq!(common.share(&shares), None);
        }
    }
}
