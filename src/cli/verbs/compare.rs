//! `compare`: what a change of tables, an engine or a failure does to links and pairs.

use std::num::NonZeroU32;
use std::path::Path;

use super::prelude::*;
use crate::cli::{DANGEROUS, FailureSetOptions, JobOptions};
use crate::fabric::{Comparison, LidSpread, Sources, TableSet};
use crate::failure_sets::Failures;
use crate::jobs::{JobChange, compare_jobs};
use crate::rational::Rational;
use crate::report::{ComparisonReport, LidOrders};
use crate::routing::Instance;

pub(super) const VERB: Verb = Verb {
    name: "compare",
    about: "Compare two routings or two states of a fabric: which links and pairs get worse",
    reference: "[OR] IV; this project",
    examples: &[
        "compare dmodk osrm2 --network ft(8,2)",
        "compare dmodk dmodk --network ft(8,2) --fail 2 --threshold 2",
        "compare minhop dmodk --network ft(8,3) --shuffle-lids 20",
        "compare dmodk osrm2 --network ft(8,2) --failures 1",
        "compare instances/fabrics/ft8x3/updn instances/fabrics/ft8x3/ftree",
        "compare instances/fabrics/ft16x3/ftree instances/fabrics/ft16x3/updn --network instances/fabrics/ft16x3/ibnetdiscover.out.gz --threshold 5",
    ],
    ..Verb::of::<Compare>()
};

/// Number of rows of each list that are shown without `--all`.
const SHOWN: usize = 8;
/// Seed of the first order of LIDs.
const SEED: u64 = 1;

#[derive(clap::Args)]
struct Compare {
    /// State before: a folder with the dumps of a fabric or, with `--network`, forwarding tables or a routing
    before: String,
    /// State after, like BEFORE; `--fail`, `--fail-links` and `--fail-switches` apply only here
    after: String,
    /// Topology or network file of both states
    #[arg(long, value_name = "NETWORK")]
    network: Option<String>,
    /// Exit with code 1 if the worst permutation load, or the worst load of a job, grows by more than FACTOR,
    /// such as 3/2
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    threshold: Rational,
    /// Also report the worst loads over N random orders of LIDs, for routings that depend on that order, such
    /// as minhop
    #[arg(long, value_name = "N")]
    shuffle_lids: Option<NonZeroU32>,
    /// Show all rows of every list [default: the first 8]
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    jobs: JobOptions,
    #[command(flatten)]
    sets: FailureSetOptions,
    #[command(flatten)]
    options: InstanceOptions,
}

impl Run for Compare {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let [before, after] =
            [self.state(&self.before, context)?, self.state(&self.after, context)?];
        let first = self.options.open_whole(&before[0], &before[1], context)?;
        let second = if self.jobs.are_given() {
            self.options.open(&after[0], &after[1], context)?
        } else {
            self.options.open_remaining(&after[0], &after[1], context)?.instance
        };
        self.check_spread(&first, &second)?;
        let failures = self.failures(&first, &second, context)?;
        let jobs = self.compare_jobs(&first, &second, context)?;
        let found = compared(&first, &second, context)?;
        let mut report =
            ComparisonReport::new([before, after], self.threshold.clone(), found, jobs);
        if let Some(orders) = self.shuffle_lids {
            self.keep(&report, context);
            report.lid_orders =
                Some([spread(&first, orders, context)?, spread(&second, orders, context)?]);
        }
        if let Some([before, after]) = &failures {
            self.keep(&report, context);
            let find = |side, (failures, part)| {
                self.sets.find(side, (failures, part, None), context, &mut |_| {})
            };
            let (_, before) = find(&first, (before, 0.5))?;
            // Where the run is stopped, both have what is known by then.
            let (_, after) = find(&second, (after, 1.0))?;
            report.failure_sets = Some([before, after]);
        }
        context.show(&report, || report.text(self.most()))?;
        Ok(match (report.above_threshold, report.is_complete()) {
            (true, _) => Outcome::CheckFailed,
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Partial,
        })
    }
}

fn compared(before: &Instance, after: &Instance, context: &Context) -> Result<Comparison> {
    let hosts = before.topology.hosts() + after.topology.hosts();
    let progress = context.progress(3 * hosts as u64, "sources, in three passes");
    Ok(Comparison::of(before, after, &progress)?)
}

/// The worst loads of a side over orders of LIDs, or why it has none.
fn spread(side: &Instance, orders: NonZeroU32, context: &Context) -> Result<LidOrders> {
    let routing = side.routing.spec();
    if let Err(reason) = LidSpread::check(routing) {
        return Ok(LidOrders::refused(routing, &reason));
    }
    let progress = context.progress(u64::from(orders.get()), "orders of LIDs");
    let seed = context.seed().unwrap_or(SEED);
    Ok(LidOrders::of(&LidSpread::of(&side.topology, routing, seed, orders, &progress)?))
}

impl Compare {
    /// The changes for the jobs that were given.
    fn compare_jobs(
        &self,
        before: &Instance,
        after: &Instance,
        context: &Context,
    ) -> Result<Vec<JobChange>> {
        let jobs = self.jobs.read(&before.topology, context)?;
        for note in &jobs.notes {
            context.remark(note);
        }
        let progress = context.progress(0, "jobs");
        Ok(compare_jobs(before, after, &jobs.jobs, &progress)?)
    }

    /// The sets of failures of both sides, if they are asked for.
    fn failures(
        &self,
        before: &Instance,
        after: &Instance,
        context: &Context,
    ) -> Result<Option<[Failures; 2]>> {
        let Some(most) = self.sets.most() else { return Ok(None) };
        self.sets.check_networks()?;
        self.sets.check_routings(2)?;
        let of = |side: &Instance| self.sets.of(most, &side.topology, DANGEROUS, context);
        Ok(Some([of(before)?, of(after)?]))
    }

    fn most(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN }
    }

    /// Keeps the comparison in case the run is stopped before the spreads are known.
    fn keep(&self, report: &ComparisonReport, context: &Context) {
        context.keep(report, || report.text(self.most()));
    }

    /// Fails where orders of LIDs are asked for and neither side follows one.
    fn check_spread(&self, before: &Instance, after: &Instance) -> Result<()> {
        let sides = [before, after].map(|side| LidSpread::check(side.routing.spec()));
        match sides {
            [Err(first), Err(second)] if self.shuffle_lids.is_some() => {
                bail!("`--shuffle-lids` has no effect on these routings: {first}; {second}")
            }
            _ => Ok(()),
        }
    }

    /// Network and routing of a state.
    fn state(&self, text: &str, context: &Context) -> Result<[String; 2]> {
        let is_path = Path::new(text).exists();
        match &self.network {
            Some(network) if !is_path => Ok([network.clone(), text.to_string()]),
            Some(network) => {
                let paths = [network.clone(), text.to_string()];
                let found = context.reading(text, || Ok(Sources::of_tables(&paths[1])?))?;
                Ok([network.clone(), self.only(text, found)?])
            }
            None if !is_path => bail!(
                "`{text}` is not a file or folder: give folders with the dumps of a fabric, or add \
                 `--network NETWORK` to compare routings"
            ),
            None => {
                let paths = [text.to_string()];
                let found = context.reading(text, || Ok(Sources::of(&paths)?))?;
                Ok([found.network, self.only(text, found.tables)?])
            }
        }
    }

    /// The only set of tables, as a routing.
    fn only(&self, text: &str, mut tables: Vec<TableSet>) -> Result<String> {
        match tables.as_mut_slice() {
            [set] => {
                if self.options.chooses_lids() {
                    set.lids = None;
                }
                // Of adaptive tables the even choice.
                Ok(set.routings().swap_remove(0))
            }
            [] => bail!("`{text}` has no forwarding tables: give the folder that has them"),
            [first, second, ..] => bail!(
                "`{text}` has several sets of forwarding tables, `{}` and `{}` among them: name one, and the \
                 network by `--network`",
                first.path,
                second.path
            ),
        }
    }
}
