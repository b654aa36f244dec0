//! Satisfiability: routings of trees as formulas, single-path ones and local adaptive ones, and a
//! solver's answers about them.
//!
//! A model is checked against the formula before it is used, and the routing that it encodes is
//! assessed like any other. A refutation is a claim until [`crate::checker`] has checked its proof.
//!
//! A formula is about a tree only if the checker says so. The cover encoding is written from `ENCODING.md`, that of
//! local adaptive routings from `LOCAL.md`; the checker writes them again from the same texts and compares the two, so
//! that a refutation is about routings and not just about some formula.

pub mod backend;
pub mod cover;
mod formula;
pub mod local_adaptive;
mod order;
mod rotation;

pub use formula::{Formula, Literal};

/// A solver's answer about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values of all variables that satisfy it: variable v at place v − 1.
    Model(Vec<bool>),
    /// The formula has no model.
    Refuted,
    /// Stopped before an answer was found.
    Stopped,
}

/// The answer that a search is tuned to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Either answer.
    #[default]
    Either,
    /// A model.
    Model,
    /// A refutation.
    Refutation,
}

/// Settings of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The answer to aim for.
    pub target: Target,
    /// Seed of the solver's choices.
    pub seed: u32,
    /// Maximum bytes of the proof, both formats together; beyond it the search fails with an error.
    pub proof_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { target: Target::Either, seed: 0, proof_bytes: MAX_PROOF }
    }
}

/// Maximum size of a proof in bytes: 16 GiB.
pub const MAX_PROOF: u64 = 1 << 34;

/// An error from the SAT solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SatError {
    #[error("the SAT solver failed ({0})")]
    Failed(&'static str),
    #[error("cannot write the proof: {0}")]
    Proof(#[from] std::io::Error),
    #[error("the proof of the SAT solver is larger than {0} bytes: choose a smaller tree")]
    ProofTooLarge(u64),
    #[error("the model of the SAT solver does not satisfy the formula: a bug in the solver")]
    NoModel,
}
