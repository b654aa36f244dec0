//! `attack`: what adversaries find, compared with the exact value.

use std::time::{Duration, Instant};

use itertools::Itertools;

use super::prelude::*;
use crate::adversary::pattern::{self, PatternAware};
use crate::adversary::{
    self, AdversaryError, AttackContext, Built, Finding, Oblivious, Target, Work, or_first,
};
use crate::assessment::Assess;
use crate::attack;
use crate::bounds::Bounds;
use crate::cli::{ShardOptions, Sharing, TrafficFileOptions, TrafficTarget, context::seconds};
use crate::progress::Progress;
use crate::report::{
    AttackReport, AttackRow, PatternAttackReport, PatternRow, WrittenTraffic, best_finding,
};
use crate::routing::Instance;
use crate::simulation::adaptive::{self, PatternError};
use crate::spec::Spec;

pub(super) const VERB: Verb = Verb {
    name: "attack",
    about: "Search for bad traffic with adversaries and compare it with the exact worst case",
    reference: "see `routebound list adversaries`",
    examples: &[
        "attack ft(8,3) dmodk",
        "attack ft(4,2) random --all --trials 2000",
        "attack xgft(2;4,2;1,2) dmodk --adversary exhaustive --adversary climb --json",
        "attack ft(8,2) random(seed=3) --save-traffic bad.mtx",
        "attack ftree(3,18,4) nonblocking-adaptive --all",
    ],
    ..Verb::of::<Attack>()
};

/// Number of pairs of the worst traffic that are shown.
const SHOWN_PAIRS: usize = 10;

#[derive(clap::Args)]
struct Attack {
    #[arg(help = TOPOLOGY)]
    topology: String,
    #[arg(help = ROUTING)]
    routing: String,
    /// Run every adversary, and report why some do not apply
    #[arg(long, conflicts_with = "adversary")]
    all: bool,
    /// Adversary to run, such as climb or 'random(pattern=bisection)' (repeatable): see `routebound list
    /// adversaries pattern-adversaries` [default: climb]
    #[arg(long, value_name = "ADVERSARY")]
    adversary: Vec<String>,
    /// Number of evaluations of each adversary that takes `trials=`
    #[arg(long, value_name = "NUMBER")]
    trials: Option<u64>,
    /// Time limit of each adversary; results do not depend on it unless it is reached
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Skip the exact value (for networks where it takes too long)
    #[arg(long)]
    no_exact: bool,
    #[command(flatten)]
    traffic: TrafficFileOptions,
    #[command(flatten)]
    shard: ShardOptions,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for Attack {
    fn run(&self, context: &Context) -> Result<Outcome> {
        if adaptive::is_named(&self.routing) {
            return self.by_pattern(context);
        }
        // What finds most comes first: a stop then costs least.
        let kinds = adversary::KINDS.iter().sorted_by_key(|kind| place(kind.build.work));
        let adversaries =
            self.adversaries::<Oblivious>(kinds.flat_map(|kind| kind.examples), context)?;
        let target = self.traffic.target()?;
        let instance = self.network.open(&self.topology, &self.routing, context)?;
        context.inputs_are_read()?;
        let (mut findings, mut rows) = self.findings(&adversaries, &instance, context)?;
        let exact = if self.no_exact { None } else { exact(&instance, context)? };
        if let Some(part) = context.units().part() {
            return context.end_part(part);
        }
        context.units().check()?;
        match &exact {
            Some(exact) => check(&findings, exact)?,
            None if context.units().are_shared() => {
                forget_upper(&mut findings, &mut rows);
            }
            None => {}
        }
        // An adversary that `--time` ended was given what was asked for.
        let cut = self.time.is_none() && rows.iter().any(|row| row.stopped);
        let complete = !context.is_stopped() && !cut;
        let mut report = AttackReport::new(&instance, &findings, rows, exact, complete);
        // What was found is printed even if the traffic cannot be written.
        let written = write_traffic(target.as_ref(), &instance, &findings, context);
        let failure = written.map(|files| report.traffic = files).err();
        context.show(&report, || report.text(SHOWN_PAIRS))?;
        let outcome = if complete { Outcome::Done } else { Outcome::Partial };
        failure.map_or(Ok(outcome), Err)
    }

    fn check_sharing(&self, _: Sharing) -> Result<()> {
        if self.time.is_some() {
            bail!(
                "`--time` makes results depend on time, so the work cannot be sharded: use `--trials`"
            );
        }
        if adaptive::is_named(&self.routing) {
            bail!(
                "`{}` sees the traffic pattern, so the work cannot be sharded: run it in one process",
                self.routing
            );
        }
        Ok(())
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.traffic.check_files(None, allowed)
    }
}

impl Attack {
    /// The requested adversaries against a target, of `all` of them, with the seed and trials of the options.
    fn adversaries<T: Target>(
        &self,
        all: impl Iterator<Item = &'static &'static str>,
        context: &Context,
    ) -> Result<Vec<Built<T>>> {
        let specs: Vec<String> = match self.adversary.as_slice() {
            [] if self.all => all.map(ToString::to_string).collect(),
            [] => vec!["climb".to_string()],
            given => given.to_vec(),
        };
        let seeded = |spec: &String| context.seeded(&self.with_trials::<T>(spec), T::KINDS);
        specs.iter().map(|spec| Ok(attack::build(&seeded(spec))?)).collect()
    }

    /// `text` with `--trials`, if its kind takes them and it gives none.
    fn with_trials<T: Target>(&self, text: &str) -> String {
        let (Ok(mut spec), Some(trials)) = (Spec::parse(text), self.trials) else {
            return text.to_string();
        };
        if T::KINDS.iter().any(|kind| kind.name == spec.name && kind.takes("trials")) {
            spec.set_default("trials", &trials.to_string());
        }
        spec.to_string()
    }

    /// The findings of all adversaries; a shard runs only those whose work is shared.
    fn findings(
        &self,
        adversaries: &[Built<Oblivious>],
        instance: &Instance,
        context: &Context,
    ) -> Result<(Vec<Finding>, Vec<AttackRow>)> {
        let progress = context.progress(0, "sources");
        let attacked = match AttackContext::new(instance, &progress) {
            Err(AdversaryError::Stopped(stopped)) => Err(stopped),
            attacked => Ok(attacked?.shared_by(context.units().clone())),
        };
        drop(progress);
        let (mut findings, mut rows) = (Vec::new(), Vec::new());
        let seed = context.seed().unwrap_or(1);
        for (at, adversary) in adversaries.iter().enumerate() {
            if context.is_stopped() && !findings.is_empty() {
                rows.push(AttackRow::not_begun(&adversary.spec));
                continue;
            }
            let share = self.share(adversaries.len() - at, context);
            let found = |progress: &Progress| match &attacked {
                Ok(attacked) => adversary.attack(attacked, progress),
                Err(stopped) => Err((*stopped).into()),
            };
            let found = |progress: &Progress| or_first(found(progress), seed, instance);
            let (finding, row) = self.attack(adversary, share, found, context)?;
            findings.extend(finding);
            rows.push(row);
        }
        Ok((findings, rows))
    }

    /// The fraction of the remaining time that the next of `to_come` adversaries may take, so that each gets its
    /// turn. Work that processes share must not depend on time.
    fn share(&self, to_come: usize, context: &Context) -> f64 {
        let is_alone = !self.all || context.units().are_shared();
        if is_alone { 1.0 } else { 2.0 / (to_come as f64 + 1.0) }
    }

    /// Runs one adversary in its part of the time left. With `--all`, one that refuses the instance becomes a row that
    /// says so.
    fn attack(
        &self,
        adversary: &Built<Oblivious>,
        share: f64,
        found: impl Fn(&Progress) -> Result<Finding, AdversaryError>,
        context: &Context,
    ) -> Result<(Option<Finding>, AttackRow)> {
        let begun = Instant::now();
        let progress = context.progress_within(self.time, 0, "evaluations");
        let progress = progress.with_part_of_time(if self.time.is_some() { 1.0 } else { share });
        match found(&progress) {
            Ok(finding) => {
                // The time to look results up is not that of the search.
                let is_own = !context.units().are_shared();
                let seconds = is_own.then(|| begun.elapsed().as_secs_f64());
                let row = AttackRow::found(&finding, seconds);
                Ok((Some(finding), row))
            }
            Err(error @ AdversaryError::TooLarge(_)) if self.all => {
                Ok((None, AttackRow::refused(&adversary.spec, &error)))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Attack {
    /// Adversaries against a routing that sees the pattern.
    fn by_pattern(&self, context: &Context) -> Result<Outcome> {
        if self.traffic.target()?.is_some() {
            bail!(
                "`--save-traffic` is for routings that do not see the traffic pattern, but `{}` does",
                self.routing
            );
        }
        let topology = self.network.open_topology(&self.topology, context)?;
        let routing = adaptive::build(&self.routing, &topology)?;
        let target = pattern::Target { topology: &topology, routing: &*routing };
        let (mut findings, mut rows) = (Vec::new(), Vec::new());
        let all = pattern::KINDS.iter().flat_map(|kind| kind.examples);
        for adversary in self.adversaries::<PatternAware>(all, context)? {
            let progress = context.progress_within(self.time, 0, "permutations");
            match adversary.attack(&target, &progress) {
                Ok(finding) => {
                    rows.push(PatternRow::found(&finding));
                    findings.push(finding);
                }
                Err(error @ PatternError::TooLarge(_)) if self.all => {
                    rows.push(PatternRow::refused(&adversary.spec, &error));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let complete = !context.is_stopped();
        let report = PatternAttackReport::new(&target, rows, &findings, complete);
        context.show(&report, || report.text())?;
        Ok(if complete { Outcome::Done } else { Outcome::Partial })
    }
}

/// The place of an adversary among all: the exact analysis, then searches, then what only measures.
fn place(work: Work) -> u8 {
    match work {
        Work::Analyses => 0,
        Work::Searches => 1,
        Work::Measures => 2,
        Work::Samples => 3,
        Work::TriesAll => 4,
    }
}

/// Writes the witness of the best finding, if a target is given.
fn write_traffic(
    target: Option<&TrafficTarget>,
    instance: &Instance,
    findings: &[Finding],
    context: &Context,
) -> Result<Vec<WrittenTraffic>> {
    let Some(target) = target else { return Ok(Vec::new()) };
    let Some((finding, witness)) =
        best_finding(findings).and_then(|finding| Some((finding, finding.worst.witness.as_ref()?)))
    else {
        context.remark("no traffic was written: no adversary found any");
        return Ok(Vec::new());
    };
    let found_by = Some(finding.adversary.as_str());
    Ok(vec![target.write(instance, witness, found_by, context)?])
}

/// Bounds of the oblivious ratio from the exact analysis, unless the run is to end.
fn exact(instance: &Instance, context: &Context) -> Result<Option<Bounds>> {
    if context.is_stopped() {
        return Ok(None);
    }
    let progress =
        context.progress(2 * instance.topology.hosts() as u64, "exact analysis, sources");
    let assess = Assess::new().units(context.units()).progress(&progress);
    let assessment = assess.run(instance)?;
    Ok(Some(assessment.oblivious_ratio).filter(|_| assessment.complete || !context.is_stopped()))
}

/// Takes back upper bounds that follow from the parts of shards, where no analysis was made that would
/// contradict a wrong one.
fn forget_upper(findings: &mut [Finding], rows: &mut [AttackRow]) {
    for finding in findings {
        finding.worst.upper = None;
    }
    for row in rows {
        if let Some(upper) = row.upper.take() {
            let note = format!("from the parts follows at most {upper}, which was not checked");
            row.notes.push(note);
        }
    }
}

/// A lower bound above an upper one means that one of them is wrong.
fn check(findings: &[Finding], exact: &Bounds) -> Result<()> {
    let mut claims =
        findings.iter().filter_map(|found| Some((&found.adversary, found.worst.upper.as_ref()?)));
    if let Some((name, upper)) = claims.find(|(_, upper)| **upper < exact.lower) {
        bail!(
            "internal error: the analysis proves at least {}, but {name} at most {upper}; please report it",
            exact.lower
        );
    }
    let above = findings.iter().filter(|finding| finding.worst.lower > exact.upper);
    let above = above.map(|finding| format!("{} found {}", finding.adversary, finding.worst.lower));
    let above = above.collect_vec();
    if !above.is_empty() {
        bail!(
            "internal error: the analysis proves at most {}, but {}; please report it",
            exact.upper,
            above.join(", ")
        );
    }
    Ok(())
}
