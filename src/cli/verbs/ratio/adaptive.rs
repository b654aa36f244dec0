//! The worst case of paths whose rates the sender chooses.

use anyhow::{Result, bail};

use super::{Engine, RatioVerb, SymmetryOption, outcome};
use crate::assessment::{AdaptiveAssessment, assess_adaptive};
use crate::certificate::Quantity;
use crate::cli::{Context, Outcome};
use crate::report::AdaptiveRatesReport;

/// Who chooses the shares of a pair's paths.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Rates {
    /// The routing: they are the same for all traffic
    Fixed,
    /// The sender, knowing the traffic: the best shares for it over the paths of the routing. Bounds the ratio from
    /// both sides by linear programming, on small networks; with `--permutations` on large ones by sets of links
    Adaptive,
}

/// The traffic against which paths are measured whose rates the sender chooses.
#[derive(clap::Args)]
pub(super) struct OverOptions {
    /// With `--rates adaptive`, bound the maximum load over all traffic that hosts can send and receive (the hose
    /// set), instead of its ratio to the optimum
    #[arg(long)]
    hose: bool,
    /// With `--rates adaptive`, bound the maximum load over permutations, each pair with demand 1
    #[arg(long, conflicts_with = "hose")]
    permutations: bool,
}

impl OverOptions {
    /// What is bounded.
    fn quantity(&self) -> Quantity {
        match (self.hose, self.permutations) {
            (true, _) => Quantity::HoseLoad,
            (_, true) => Quantity::PermutationLoad,
            _ => Quantity::ObliviousRatio,
        }
    }

    /// Refuses a choice of traffic where the rates are fixed.
    pub(super) fn check_fixed(&self) -> Result<()> {
        if self.hose {
            bail!(
                "`--hose` is for `--rates adaptive`: add that, or leave out `--hose`; `optimal --hose --among ROUTING` \
                 finds the best fixed rates for such traffic"
            );
        }
        if self.permutations {
            bail!(
                "`--permutations` is for `--rates adaptive`: add that, or leave out `--permutations`; with fixed \
                 rates the worst permutation load is always printed"
            );
        }
        Ok(())
    }
}

impl RatioVerb {
    /// Refuses options that say nothing where the sender chooses the rates.
    fn check_adaptive(&self) -> Result<()> {
        let given = [
            ("--embed", self.embed),
            ("--engine", self.engine != Engine::Auto),
            ("--symmetry", self.symmetry != SymmetryOption::Auto),
            ("--worst-single-failure", self.worst_single_failure),
            ("--failures", self.sets.most().is_some()),
            ("--seeds", self.seeds.is_some()),
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
        let found = assess_adaptive(&instance, self.over.quantity(), &begin, &mut keep)?;
        context.write_found(self.certificate.as_deref(), found.certificate.as_ref());
        let report = report(&found);
        context.show(&report, || report.text())?;
        Ok(outcome(report.at_most.as_ref(), report.complete))
    }
}
