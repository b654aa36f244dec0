//! The worst case over all sets of failures.

use anyhow::Result;

use super::RatioVerb;
use crate::cli::{Context, Outcome};
use crate::failure_sets::alone;
use crate::report::FailureSetsReport;

impl RatioVerb {
    /// Looks at all sets of at most `most` failures.
    pub(super) fn failure_sets(&self, most: u8, context: &Context) -> Result<Outcome> {
        let instance = self.network.open_whole(&self.topology, &self.routing, context)?;
        let failures = self.sets.of(most, &instance.topology, 0, context)?;
        context.inputs_are_read()?;
        let mut keep = |report: FailureSetsReport| {
            context.keep(&report, || report.text(self.shown()));
        };
        let (found, mut report) =
            self.sets.find(&instance, (&failures, 1.0, Some(self.embed)), context, &mut keep)?;
        if let Some(peak) = &found.peak {
            let progress = context.progress(0, "the worst set alone");
            let alone = alone(&instance, &failures, peak, &progress)?;
            let known = alone.map(|alone| (alone.permutation_load, alone.oblivious_ratio));
            (report.alone, report.alone_oblivious_ratio) = known.unzip();
        }
        context.write_found(self.certificate.as_deref(), found.certificate.as_ref());
        context.show(&report, || report.text(self.shown()))?;
        if report.loses() {
            context.fails_check();
        }
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
    }
}
