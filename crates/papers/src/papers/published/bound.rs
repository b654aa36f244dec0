//! What a published bound says about a ratio that was found.

use serde::Serialize;

use crate::rational::Rational;

/// On which side of a value the ratio lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Side {
    /// The ratio is at least the value.
    #[serde(rename = "at least")]
    AtLeast,
    /// The ratio equals the value.
    #[serde(rename = "equals")]
    Equals,
    /// The ratio is at most the value.
    #[serde(rename = "at most")]
    AtMost,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AtLeast => "at least",
            Self::Equals => "equals",
            Self::AtMost => "at most",
        })
    }
}

/// What a paper says about the oblivious ratio of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedBound {
    /// Name of the statement.
    pub statement: &'static str,
    /// Paper and number.
    pub source: &'static str,
    /// What the value is.
    pub side: Side,
    /// The value.
    pub value: Rational,
}

/// How what was found compares with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Less was found than the bound says, which does not contradict an upper bound.
    Short,
    /// As much, or more where that is allowed.
    Reached,
    /// More than the bound allows.
    Broken,
}

impl PublishedBound {
    /// How a ratio that is known to be reached compares with the bound.
    #[must_use]
    pub fn standing(&self, found: &Rational) -> Standing {
        match found.cmp(&self.value) {
            std::cmp::Ordering::Less => Standing::Short,
            std::cmp::Ordering::Greater if self.side != Side::AtLeast => Standing::Broken,
            _ => Standing::Reached,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Broken, Reached, Short};

    #[test]
    fn standings() {
        let bound = |side| PublishedBound { statement: "x", source: "x", side, value: 2.into() };
        let standings = |side| [1, 2, 3].map(|found: u64| bound(side).standing(&found.into()));
        assert_eq!(standings(Side::AtLeast), [Short, Reached, Reached]);
        assert_eq!(standings(Side::Equals), [Short, Reached, Broken]);
        assert_eq!(standings(Side::AtMost), [Short, Reached, Broken]);
    }
}
