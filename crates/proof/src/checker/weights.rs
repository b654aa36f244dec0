//! Weights of one side of a cover.

use crate::rational::Rational;

/// The first ID that is not below `count`, or not above the one before it.
pub(super) fn misplaced(side: &[(u32, Rational)], count: usize) -> Option<u32> {
    let mut previous = None;
    let mut ids = side.iter().map(|(id, _)| *id);
    ids.find(|id| *id as usize >= count || previous.replace(*id) >= Some(*id))
}

/// The weight of an ID, of a side in order.
pub(super) fn weight(side: &[(u32, Rational)], id: u32) -> Option<&Rational> {
    let at = side.binary_search_by_key(&id, |(id, _)| *id).ok()?;
    Some(&side[at].1)
}
