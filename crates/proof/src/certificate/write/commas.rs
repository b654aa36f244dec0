//! Lists in one word of a record.

use std::fmt::{self, Display};

/// The items, with a comma between any two.
pub(super) struct Commas<'i, T>(pub(super) &'i [T]);

impl<T: Display> Display for Commas<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.0.split_first() else { return Ok(()) };
        write!(f, "{first}")?;
        others.iter().try_for_each(|item| write!(f, ",{item}"))
    }
}
