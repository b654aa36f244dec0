//! What a case expects of a value: the value, or bounds on it.

use std::fmt;
use std::str::FromStr;

use crate::rational::{Rational, RationalError};

/// The value that a case expects, or bounds on it.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::cases::Expected;
/// for text in ["7/2", "<= 18", ">= 2", "2..18"] {
///     assert_eq!(text.parse::<Expected>()?.to_string(), text);
/// }
/// # Ok::<(), routebound::rational::RationalError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Exactly this.
    Exactly(Rational),
    /// At most this, written `<= 18`.
    AtMost(Rational),
    /// At least this, written `>= 2`.
    AtLeast(Rational),
    /// At least the first and at most the second, written `2..18`.
    Between(Rational, Rational),
}

impl Expected {
    /// Whether a quantity between `lower` and `upper` is as expected; [`Self::Exactly`] needs both to be the value.
    #[must_use]
    pub fn holds_between(&self, lower: &Rational, upper: &Rational) -> bool {
        match self {
            Self::Exactly(value) => lower == value && upper == value,
            Self::AtMost(most) => upper <= most,
            Self::AtLeast(least) => lower >= least,
            Self::Between(least, most) => lower >= least && upper <= most,
        }
    }

    /// The expectation that a value meets which differs from this one: bounds move as far as they must.
    #[must_use]
    pub fn moved_to(&self, found: &Rational) -> Self {
        let found = found.clone();
        match self {
            Self::Exactly(_) => Self::Exactly(found),
            Self::AtMost(_) => Self::AtMost(found),
            Self::AtLeast(_) => Self::AtLeast(found),
            Self::Between(least, most) if found < *least => Self::Between(found, most.clone()),
            Self::Between(least, _) => Self::Between(least.clone(), found),
        }
    }
}

impl FromStr for Expected {
    type Err = RationalError;

    fn from_str(text: &str) -> Result<Self, RationalError> {
        let number = |text: &str| Rational::from_decimal(text.trim());
        let text = text.trim();
        Ok(if let Some(most) = text.strip_prefix("<=") {
            Self::AtMost(number(most)?)
        } else if let Some(least) = text.strip_prefix(">=") {
            Self::AtLeast(number(least)?)
        } else if let Some((least, most)) = text.split_once("..") {
            Self::Between(number(least)?, number(most)?)
        } else {
            Self::Exactly(number(text)?)
        })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(value) => value.fmt(f),
            Self::AtMost(most) => write!(f, "<= {most}"),
            Self::AtLeast(least) => write!(f, ">= {least}"),
            Self::Between(least, most) => write!(f, "{least}..{most}"),
        }
    }
}

impl serde::Serialize for Expected {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_where_both_sides_of_what_was_found_do() {
        for (text, lower, upper, holds) in [
            ("7", 7, 7, true),
            ("7", 6, 7, false),
            ("<=18", 5, 18, true),
            ("<= 18", 5, 19, false),
            (">= 2", 2, 9, true),
            (">= 2", 1, 9, false),
            ("2..18", 2, 18, true),
            ("2 .. 18", 1, 18, false),
            ("2..18", 2, 19, false),
            ("2..1", 2, 2, false),
        ] {
            let expected: Expected = text.parse().unwrap();
            assert_eq!(expected.holds_between(&lower.into(), &upper.into()), holds, "{text}");
        }
        for bad in ["", "< 3", "<=", "..3", "3..", "<= x", "2..3..4"] {
            assert!(bad.parse::<Expected>().is_err(), "{bad}");
        }
    }

    #[test]
    fn bounds_move_as_far_as_they_must() {
        for (text, found, moved) in [
            ("7", 9, "9"),
            ("<= 7", 9, "<= 9"),
            (">= 7", 5, ">= 5"),
            ("2..7", 9, "2..9"),
            ("2..7", 1, "1..7"),
        ] {
            let expected: Expected = text.parse().unwrap();
            assert_eq!(expected.moved_to(&found.into()).to_string(), moved);
        }
    }
}
