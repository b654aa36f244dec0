//! The worst case over all sets of failures.

use anyhow::Result;

use super::RatioVerb;
use crate::cli::{Context, Outcome, listed};
use crate::failure_sets::{Element, FailureSets, Failures, Repair, Unit, alone, failure_sets};
use crate::progress::Told;
use crate::report::{FailureSetsReport, on_both_sides};

/// What fails together.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Failing {
    /// Cables between switches, or between hosts that forward
    Cables,
    /// Switches, or hosts that forward, with all their cables
    Switches,
}

/// What is done about broken paths, as it is written.
fn repair(text: &str) -> Result<Repair, String> {
    Ok(match text {
        "none" => Repair::None,
        "reroute" => Repair::Reroute,
        "ecmp" => Repair::Ecmp,
        other => match other.strip_prefix("tables=") {
            Some(folder) if !folder.is_empty() => Repair::Tables(folder.into()),
            _ => return Err("expected `none`, `reroute`, `ecmp` or `tables=FOLDER`".into()),
        },
    })
}

/// The failures of which all sets are looked at.
#[derive(clap::Args)]
#[command(next_help_heading = "All sets of failures")]
pub(super) struct FailureSetOptions {
    /// Find the worst permutation load over every set of at most K failures (1 or 2), the set that has it, and who is
    /// cut off
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2), conflicts_with_all =
        ["at_most", "certificate", "embed", "engine", "symmetry", "worst_single_failure", "seeds", "fail", "fail_links",
         "fail_switches", "save_traffic", "links", "shard"])]
    failures: Option<u8>,
    /// With `--failures`, what fails
    #[arg(long, value_enum, default_value_t = Failing::Cables, requires = "failures")]
    failing: Failing,
    /// With `--failures`, what may fail: cables or switches, written as for `--fail-links` and `--fail-switches`
    /// [default: all]
    #[arg(long, value_name = "LIST|FILE", requires = "failures")]
    among: Option<String>,
    /// With `--failures`, what is done about broken paths. `none`: pairs whose path breaks send nothing. `reroute`: what
    /// the routing does by itself, the next shortest path on trees; `ecmp`, `omrmn` and others of any network are
    /// recomputed, tables stay as they are. `ecmp`: pairs whose path breaks are split by ECMP on what remains, the
    /// others keep their paths. `tables=FOLDER`: every set of cables has tables of its own, in FOLDER under the names
    /// of the cables that are printed, with `+` between two
    #[arg(long, value_parser = repair, default_value = "reroute", requires = "failures")]
    repair: Repair,
}

impl FailureSetOptions {
    /// Whether sets of failures are asked for.
    pub(super) fn is_given(&self) -> bool {
        self.failures.is_some()
    }

    /// How many may fail together, if sets of failures are asked for.
    pub(super) fn most(&self) -> Option<u8> {
        self.failures
    }

    fn unit(&self) -> Unit {
        match self.failing {
            Failing::Cables => Unit::Cable,
            Failing::Switches => Unit::Switch,
        }
    }
}

impl RatioVerb {
    /// Looks at all sets of at most `most` failures.
    pub(super) fn failure_sets(&self, most: u8, context: &Context) -> Result<Outcome> {
        let instance = self.network.open_whole(&self.topology, &self.routing, context)?;
        let (topology, unit) = (&instance.topology, self.sets.unit());
        let elements = match &self.sets.among {
            None => Element::all(topology, unit),
            Some(list) => {
                let read = |text: &str| Element::listed(topology, unit, text);
                listed("--among", list, read, context)?
            }
        };
        context.inputs_are_read()?;
        let failures = Failures { elements, most, repair: self.sets.repair.clone() };
        let progress = context.progress(failures.sets(), "sets of failures");
        let report = |found: &_| FailureSetsReport::new(&instance, unit, &failures, found);
        let mut keep = |found: &FailureSets| {
            let report = FailureSetsReport { complete: false, ..report(found) };
            progress.tell(Told::Known(&on_both_sides("load", &found.load)));
            context.keep(&report, || report.text(self.shown()));
        };
        let found = failure_sets(&instance, &failures, &progress, &mut keep)?;
        let mut report = report(&found);
        if let Some(peak) = &found.peak {
            report.alone = alone(&instance, &failures, peak, &progress)?;
        }
        drop(progress);
        context.show(&report, || report.text(self.shown()))?;
        if report.loses() {
            context.fails_check();
        }
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}
