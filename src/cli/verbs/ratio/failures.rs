//! What failures do to the worst case.

use anyhow::Result;

use super::RatioVerb;
use crate::cli::{Context, Outcome};
use crate::failure::{Remainder, inner_cables};
use crate::report::{FailureReport, SingleFailuresReport};
use crate::single_failures::{SingleFailures, rerouted, single_failures};

/// Number of cables of `--worst-single-failure` that are shown without `--all`.
const SHOWN_CABLES: usize = 10;

impl RatioVerb {
    /// Lets every cable fail in turn.
    pub(super) fn single_failures(&self, context: &Context) -> Result<Outcome> {
        let instance = self.network.open_whole(&self.topology, &self.routing, context)?;
        let progress = context.progress(inner_cables(&instance.topology).len() as u64, "cables");
        let most = if self.all { usize::MAX } else { SHOWN_CABLES };
        let report = |found: &_| SingleFailuresReport::new(&instance, found);
        let mut keep = |found: &SingleFailures| {
            let report = SingleFailuresReport { complete: false, ..report(found) };
            context.keep(&report, || report.text(most));
        };
        let found = single_failures(&instance, &progress, &mut keep)?;
        drop(progress);
        let report = report(&found);
        context.show(&report, || report.text(most))?;
        if report.broken > 0 {
            context.fails_check();
        }
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}

/// What a failure takes, and what rerouting could reach where pairs are lost.
pub(super) fn report(left: &Remainder, context: &Context) -> Option<FailureReport> {
    let progress = context.progress(0, "rerouting");
    let rerouted = (left.lost.count > 0).then(|| rerouted(&left.instance, &progress));
    FailureReport::new(left, rerouted.flatten())
}
