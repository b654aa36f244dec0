//! Which case a finding is about.

use std::fmt;

/// A name for people, and the numbers by which a [`Remark`](super::Remark) recognises the case:
/// numbers are never parsed out of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Such as `dmodk on ft(4,2)`; the names of all findings of a statement differ.
    pub name: String,
    /// The check of the statement defines what they are; none where names are enough.
    pub numbers: Vec<u64>,
}

impl Case {
    /// A case with its numbers.
    ///
    /// ```
    /// # use routebound_papers as routebound;
    /// use routebound::theorem::Case;
    /// let case = Case::of("n = 2, r = 5", [2, 5]);
    /// assert!(matches!(case.numbers[..], [n, r] if r > 2 * n));
    /// assert_eq!(case.to_string(), "n = 2, r = 5");
    /// ```
    #[must_use]
    pub fn of(name: impl Into<String>, numbers: impl Into<Vec<u64>>) -> Self {
        Self { name: name.into(), numbers: numbers.into() }
    }
}

impl<T: Into<String>> From<T> for Case {
    fn from(name: T) -> Self {
        Self::of(name, [])
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
