//! Attempts at one ratio, and their outcome.

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// A routing of this ratio.
    Found,
    /// No such routing exists, with a proof.
    Refuted,
    /// No such routing exists, according to a solver without proof.
    Claimed,
    /// Nothing was found; that proves nothing.
    Missed,
    /// Stopped before an answer.
    Stopped,
}

/// An attempt at one ratio, and its outcome.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Attempt {
    /// The ratio.
    pub ratio: u32,
    /// Method by which it was decided.
    pub method: &'static str,
    /// The outcome.
    pub answer: Answer,
    /// Seconds it took.
    pub seconds: f64,
    /// Variables of the formula, columns of the linear program, 0 where there is neither.
    pub variables: u32,
    /// Clauses of the formula, rows of the linear program.
    pub clauses: usize,
}

impl Attempt {
    /// The outcome, in words.
    #[must_use]
    pub fn outcome(&self) -> String {
        let answer = format!("{:?}", self.answer).to_lowercase();
        format!("{}: {answer} ({})", self.ratio, self.method)
    }
}

/// The size of a formula or a linear program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) variables: u32,
    pub(super) clauses: usize,
}
