//! The best of what a search tries.

use super::{AdversaryError, AttackContext, Finding, Ratio, Verdict};
use crate::prelude::*;
use crate::traffic::Demand;

/// Keeps the best of the traffic that a search tries, counts the evaluations, and notes where the
/// best ratio rose: what an [`Adversary`](super::Adversary) needs to make its [`Finding`].
///
/// All that is kept was judged in exact rationals ([`AttackContext::judge`]). A search that looks
/// at many candidates compares them by [`IncrementalLoads::ratio`](super::IncrementalLoads::ratio)
/// and has only those judged that exceed [`Self::best`].
#[derive(Clone, Debug, Default)]
pub struct Trials {
    best: Option<Verdict>,
    evaluations: u64,
    curve: Vec<(u64, Rational)>,
}

impl Trials {
    /// Trials of which none has been made yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges traffic, as one evaluation, and keeps it if it proves more than any before. Returns
    /// the ratio that it proves, 0 where it loads no link.
    ///
    /// # Errors
    /// As [`AttackContext::judge`].
    pub fn judge(
        &mut self,
        context: &AttackContext<'_>,
        demands: Vec<Demand>,
        progress: &Progress,
    ) -> Result<Rational, AdversaryError> {
        let verdict = context.judge(demands, progress)?;
        self.evaluations += 1;
        let Some(verdict) = verdict else { return Ok(Rational::ZERO) };
        let lower = verdict.lower.clone();
        if lower > self.best() {
            self.curve.push((self.evaluations, lower.clone()));
            self.best = Some(verdict);
        }
        Ok(lower)
    }

    /// The best ratio so far, 0 before any.
    #[must_use]
    pub fn best(&self) -> Rational {
        self.best.as_ref().map(|best| best.lower.clone()).unwrap_or_default()
    }

    /// Evaluations so far.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The finding of the adversary of this spec.
    #[must_use]
    pub fn finding(self, adversary: &str, evidence: Evidence) -> Finding {
        let Self { best, evaluations, curve } = self;
        let worst = Ratio { curve, ..best.into() };
        Finding { worst, evaluations, ..Finding::nothing(adversary, evidence) }
    }
}
