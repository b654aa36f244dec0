//! The share of a path, multiplied hop by hop: a quotient of machine integers as long as it fits.

use crate::integer::Gcd as _;
use crate::rational::Rational;

/// A part of a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// In lowest terms.
    Small(u64, u64),
    Large(Rational),
}

impl Part {
    pub(super) const WHOLE: Self = Self::Small(1, 1);

    /// `weight` of `total` units of it.
    ///
    /// # Panics
    /// When `total` is 0.
    pub(super) fn times(&self, weight: u32, total: u32) -> Self {
        if let Self::Small(numerator, denominator) = self {
            let (weight, total) = (u64::from(weight), u64::from(total));
            let product = numerator.checked_mul(weight).zip(denominator.checked_mul(total));
            if let Some((numerator, denominator)) = product {
                let common = if numerator == 1 { 1 } else { numerator.gcd(denominator) };
                return Self::Small(numerator / common, denominator / common);
            }
        }
        let factor = Rational::new(weight.into(), total.into()).expect("a link leads on");
        Self::Large(&self.to_ratio() * &factor)
    }

    pub(super) fn to_ratio(&self) -> Rational {
        match self {
            Self::Small(numerator, denominator) => {
                Rational::new(*numerator, *denominator).expect("no denominator is 0")
            }
            Self::Large(ratio) => ratio.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond 64 bits too.
    #[test]
    fn a_part_is_the_product_of_its_quotients() {
        let (mut part, mut ratio) = (Part::WHOLE, Rational::ONE);
        for hop in 1..40_u32 {
            let (weight, total) = (hop % 3 + 1, 7 * hop + 5);
            part = part.times(weight, total);
            ratio = &ratio * &Rational::new(weight.into(), total.into()).unwrap();
            assert_eq!(part.to_ratio(), ratio);
        }
        assert!(matches!(part, Part::Large(_)));
        assert_eq!(Part::WHOLE.times(2, 6).times(3, 1), Part::WHOLE);
    }
}
