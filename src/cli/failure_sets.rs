//! Options for sets of failures that are looked at in turn.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};

use super::{Context, listed};
use crate::failure_sets::{
    Element, FailureSets, Failures, Repair, Unit, failure_sets, prove_failure_sets,
};
use crate::input::STDIN;
use crate::integer::as_size;
use crate::progress::Told;
use crate::report::{FailureSetsReport, on_both_sides};
use crate::routing::Instance;
use crate::topology::Topology;

/// Number of sets of each size that `--dangerous` may list.
const LISTED: RangeInclusive<u64> = 1..=1000;

/// Number of sets of each size that `fabric` and `compare` list.
pub(super) const DANGEROUS: usize = 10;

/// What fails together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "All sets of failures")]
pub(super) struct FailureSetOptions {
    /// Find the worst permutation load over every set of at most K failures (1 or 2), the set that has it, and who is
    /// cut off
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2), conflicts_with_all =
        ["fail", "fail_links", "fail_switches"])]
    failures: Option<u8>,
    /// With `--failures`, list the N most dangerous failures and, with 2, the N most dangerous pairs: those with the
    /// highest worst permutation load, if that is more than without failures [default: 10 in `fabric` and `compare`]
    #[arg(long, value_name = "N", requires = "failures", value_parser =
        clap::value_parser!(u64).range(LISTED))]
    dangerous: Option<u64>,
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

    /// Fails where two networks cannot both read from stdin what may fail.
    pub(super) fn check_networks(&self) -> Result<()> {
        match self.among.as_deref() {
            Some(STDIN) => {
                bail!("`--among -` cannot be read twice: name a file, or list the names")
            }
            _ => Ok(()),
        }
    }

    /// Fails where several routings would be repaired by the tables of one.
    pub(super) fn check_routings(&self, count: usize) -> Result<()> {
        match self.repair {
            Repair::Tables(_) if count > 1 => {
                bail!("`--repair tables=FOLDER` has the tables of one routing: give only one")
            }
            _ => Ok(()),
        }
    }

    /// The failures of a network, of which at most `most` happen, with `ranked` sets of each size in the list unless
    /// another number is given.
    pub(super) fn of(
        &self,
        most: u8,
        topology: &Topology,
        ranked: usize,
        context: &Context,
    ) -> Result<Failures> {
        let unit = self.unit();
        let elements = match &self.among {
            None => Element::all(topology, unit),
            Some(list) => {
                let read = |text: &str| Element::listed(topology, unit, text);
                listed("--among", list, read, context)?
            }
        };
        let ranked = self.dangerous.map_or(ranked, as_size);
        let failures = Failures { elements, most, repair: self.repair.clone(), ranked };
        failures.check(topology)?;
        Ok(failures)
    }

    /// Looks at all sets of failures of an instance, in at most `part` of the time left, and proves what is found where
    /// `embedded` says how its certificate is written; `keep` receives what is known from time to time.
    pub(super) fn find(
        &self,
        instance: &Instance,
        (failures, part, embedded): (&Failures, f64, Option<bool>),
        context: &Context,
        keep: &mut dyn FnMut(FailureSetsReport),
    ) -> Result<(FailureSets, FailureSetsReport)> {
        let progress =
            context.progress(failures.sets(), "sets of failures").with_part_of_time(part);
        let report = |found: &_| FailureSetsReport::new(instance, self.unit(), failures, found);
        let mut keep = |found: &FailureSets| {
            progress.tell(Told::Known(&on_both_sides("load", &found.load)));
            keep(FailureSetsReport { complete: false, ..report(found) });
        };
        let found = match embedded {
            None => failure_sets(instance, failures, &progress, &mut keep),
            Some(embedded) => {
                prove_failure_sets(instance, failures, embedded, &progress, &mut keep)
            }
        }?;
        let report = report(&found);
        Ok((found, report))
    }
}
