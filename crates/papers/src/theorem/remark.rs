//! What is known about a statement besides its verdict: where the print is wrong, imprecise or can
//! be sharpened, and where a verdict depends on how we read it.

use super::Case;

/// The kind of a remark about the print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// The printed words do not hold on the listed cases, and hold on all others. An erratum.
    Wrong,
    /// The printed words do not hold on the listed cases as they stand; what the paper does with
    /// them elsewhere holds, or they hold under a condition that is stated elsewhere.
    Imprecise,
    /// The printed bound holds, but on the listed cases more is true. Not an erratum: the paper
    /// does not claim tightness.
    CanBeSharpened,
    /// On the listed cases the statement does not hold as we read a word that the paper leaves
    /// open, or in a case that the paper does not cover. Not an erratum.
    OurReading,
}

impl RemarkKind {
    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Imprecise => "imprecise",
            Self::CanBeSharpened => "can be sharpened",
            Self::OurReading => "our reading",
        }
    }

    /// Whether the listed cases must fail; those of a bound that can be sharpened are loose.
    #[must_use]
    pub fn expects_failure(self) -> bool {
        self != Self::CanBeSharpened
    }
}

/// A known property of a statement, which every run must find again.
#[derive(Clone, Copy, Debug)]
pub struct Remark {
    /// Kind of the remark.
    pub kind: RemarkKind,
    /// The truth in place of the print.
    pub says: &'static str,
    /// Whether it shows on a case.
    pub on: fn(&Case) -> bool,
}

/// The author of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The paper states it, in the words that are quoted.
    Paper,
    /// Stronger than the quoted words: by the paper's own argument or by a proof of ours.
    Sharpened,
    /// Not in the paper: what we found beyond the quoted words, or how we correct them.
    Ours,
    /// Known to come from a paper whose text could not be read: nothing is quoted, nothing claimed to be printed.
    Recalled,
}

impl Whose {
    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "the paper's",
            Self::Sharpened => "sharpened",
            Self::Ours => "ours",
            Self::Recalled => "as recalled",
        }
    }
}
