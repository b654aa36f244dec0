//! Runs that end with a check that failed, whatever else they find.

use std::sync::atomic::Ordering;

use super::Context;
use crate::cli::Outcome;

impl Context {
    /// Ends the run with a check that failed unless it ends with an error: what fails cuts hosts off, or leaves pairs
    /// without a path.
    pub fn fails_check(&self) {
        self.has_failed_check.store(true, Ordering::Relaxed);
    }

    /// The outcome of the run; that of a part is the verdict of the merge.
    pub(in crate::cli) fn judged(&self, outcome: Outcome) -> Outcome {
        let is_failed = self.has_failed_check.load(Ordering::Relaxed);
        if is_failed && self.units.part().is_none() {
            outcome.or_worse(Outcome::CheckFailed)
        } else {
            outcome
        }
    }
}
