//! Satisfiability: single-path routings of trees as formulas, and what a solver says of them.
//!
//! A model is checked against the formula before it is used, and the routing that it means is
//! assessed like any other. A refutation is a claim until [`crate::checker`] has read its proof.

pub mod backend;
pub mod cover;
mod formula;
mod rotation;

pub use formula::{Formula, Literal};

/// What a solver says of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values of all variables that satisfy it: variable v at place v − 1.
    Model(Vec<bool>),
    /// It has no model.
    Refuted,
    /// Stopped before the answer.
    Stopped,
}

/// What the search should be good at finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Unknown.
    #[default]
    Either,
    /// A model.
    Model,
    /// A refutation.
    Refutation,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What to be good at.
    pub target: Target,
    /// Seed of the solver's choices.
    pub seed: u32,
    /// Most conflicts, after which the search stops: unlike time, the same on every machine.
    pub conflicts: Option<u32>,
}

/// Why a solver has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SatError {
    /// The solver did not accept something or gave up.
    #[error("the SAT solver failed ({0})")]
    Failed(&'static str),
    /// The proof cannot be written.
    #[error("cannot write the proof: {0}")]
    Proof(#[from] std::io::Error),
    /// What it calls a model does not satisfy the formula.
    #[error("the model of the SAT solver does not satisfy the formula: a defect of the solver")]
    NoModel,
}
