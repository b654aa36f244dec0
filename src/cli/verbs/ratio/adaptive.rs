//! The worst case of paths whose rates the sender chooses.

use anyhow::{Result, bail};

use super::{Engine, RatioVerb, SymmetryOption, outcome};
use crate::assessment::{AdaptiveAssessment, assess_adaptive};
use crate::cli::{Context, Outcome};
use crate::report::AdaptiveRatesReport;

impl RatioVerb {
    /// Refuses options that say nothing where the sender chooses the rates.
    fn check_adaptive(&self) -> Result<()> {
        let given = [
            ("--embed", self.embed),
            ("--engine", self.engine != Engine::Auto),
            ("--symmetry", self.symmetry != SymmetryOption::Auto),
            ("--worst-single-failure", self.worst_single_failure),
            ("--links", self.list.is_given()),
            ("--save-traffic", self.traffic.is_given()),
            ("--all", self.all),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            bail!(
                "`{option}` is about the loads that fixed rates give, and the sender chooses others for all traffic: \
                 leave out `{option}`, or `--rates adaptive`"
            );
        }
        Ok(())
    }

    /// Bounds the worst case where the sender chooses the rates.
    pub(super) fn adaptive(&self, context: &Context) -> Result<Outcome> {
        self.check_adaptive()?;
        let instance = self.network.open(&self.topology, &self.routing, context)?;
        context.inputs_are_read()?;
        let report = |known: &AdaptiveAssessment| {
            AdaptiveRatesReport::new(&instance, known, self.at_most.as_ref())
        };
        let begin = |label: &str| context.progress(0, label);
        let mut keep = |known: &AdaptiveAssessment| {
            let report = report(known);
            context.keep(&report, || report.text());
        };
        let found = assess_adaptive(&instance, &begin, &mut keep)?;
        context.write_found(self.certificate.as_deref(), found.certificate.as_ref());
        let report = report(&found);
        context.show(&report, || report.text())?;
        Ok(outcome(report.at_most.as_ref(), report.complete))
    }
}
