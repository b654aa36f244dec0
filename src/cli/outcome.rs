//! Outcomes of verbs, and their exit codes.

/// Outcome of a verb that ended without an error, from the best to the least informative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Done, and what was claimed holds: exit code 0.
    Done,
    /// A check failed or a certificate was refused; the reason was printed: exit code 1.
    CheckFailed,
    /// One of several inputs could not be read; the reason was printed: exit code 2.
    BadInput,
    /// A limit was reached; partial bounds were printed: exit code 3.
    Partial,
}

impl Outcome {
    /// The exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::CheckFailed => 1,
            Self::BadInput => 2,
            Self::Partial => 3,
        }
    }

    /// The worse of two: worst is a check that failed, then bad input, then a limit.
    #[must_use]
    pub fn or_worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Done, other) | (other, Self::Done) => other,
            (one, other) => one.min(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{BadInput, CheckFailed, Done, Partial};

    #[test]
    fn the_worst_outcome_wins_in_any_order() {
        for (good, bad) in [
            (Done, Done),
            (Done, Partial),
            (Done, BadInput),
            (Done, CheckFailed),
            (Partial, BadInput),
            (Partial, CheckFailed),
            (BadInput, CheckFailed),
        ] {
            assert_eq!((good.or_worse(bad), bad.or_worse(good)), (bad, bad));
        }
    }
}
