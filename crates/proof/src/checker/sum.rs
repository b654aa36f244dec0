//! Sums of rationals, refused where they become too long to add.
//!
//! Rationals of a certificate are short, but a sum over denominators without common factors gets
//! longer with every term, and every further addition takes longer than the one before.

use crate::limit::within;
use crate::rational::Rational;

use super::Result;

/// Maximum bits of the denominator of a sum, in lowest terms.
const MAX_BITS: u64 = 1 << 16;

/// Adds a term.
///
/// # Errors
/// [`TooLarge`](super::Refusal::TooLarge) when the denominator of the sum has more than [`MAX_BITS`] bits.
#[inline]
pub(super) fn add(sum: &mut Rational, term: &Rational) -> Result<()> {
    *sum += term;
    check_bits(sum.denominator_bits())
}

/// Verifies the length of a denominator of terms to be added up.
///
/// # Errors
/// As [`add`].
#[inline]
pub(super) fn check_bits(bits: usize) -> Result<()> {
    check_within(bits, MAX_BITS)
}

/// The sum of all terms.
///
/// # Errors
/// As [`add`].
pub(super) fn total<'a>(terms: impl IntoIterator<Item = &'a Rational>) -> Result<Rational> {
    let mut sum = Rational::ZERO;
    terms.into_iter().try_for_each(|term| add(&mut sum, term))?;
    Ok(sum)
}

#[inline]
fn check_within(bits: usize, limit: u64) -> Result<()> {
    if bits as u64 > limit {
        let (what, size) = ("length of the denominator of a sum, in bits,", Some(bits as u128));
        within(what, size, limit, "use denominators that have more factors in common")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::Refusal;

    #[test]
    fn the_denominator_is_limited_in_lowest_terms() {
        let sum = &Rational::new(1, 3).unwrap() + &Rational::new(1, 5).unwrap();
        // 8/15: four bits.
        assert_eq!(check_within(sum.denominator_bits(), 4), Ok(()));
        let refused = check_within(sum.denominator_bits(), 3);
        let Err(Refusal::TooLarge(limit)) = refused else { panic!("no limit") };
        let said = limit.to_string();
        assert!(said.contains("in bits, is 4, above the limit of 3"), "{said}");
        let whole = &sum + &Rational::new(7, 15).unwrap();
        assert_eq!(check_within(whole.denominator_bits(), 1), Ok(()));
    }
}
