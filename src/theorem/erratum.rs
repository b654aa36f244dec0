//! Known errata: where a statement is expected to fail, or its bound to be loose.

/// What is wrong with a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It does not hold on the listed cases, and holds on all others.
    Wrong,
    /// It holds, but on the listed cases more is true.
    Loose,
}

/// A known flaw of a paper, to be found again by every run.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Which kind.
    pub flaw: Flaw,
    /// What is true instead.
    pub says: &'static str,
    /// Whether the flaw shows on a case, by the name of the case.
    pub on: fn(&str) -> bool,
}
