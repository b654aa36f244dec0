//! `attack`: what adversaries find, compared with the exact value.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use itertools::Itertools;

use crate::adversary::pattern::{self, PatternAdversary, Target};
use crate::adversary::{self, Adversary, AdversaryError, AttackContext, Finding, Work, or_first};
use crate::assessment::Assess;
use crate::bounds::Bounds;
use crate::cli::{
    Context, InstanceOptions, Outcome, Overwriting, Run, ShardOptions, Sharing, TrafficFileOptions,
    TrafficTarget, Verb, context::seconds,
};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::{
    AttackReport, AttackRow, PatternAttackReport, PatternRow, WrittenTraffic, best_finding,
};
use crate::routing::Instance;
use crate::simulation::adaptive::{self, PatternError};
use crate::spec::Spec;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "attack",
    usage: "attack TOPOLOGY ROUTING [--all] [--adversary ADVERSARY]... [--trials N] [--time SECONDS] [--no-exact] [--save-traffic FILE] [--shard I/N --part FILE]",
    options: &[],
    about: "Search for bad traffic with adversaries and compare them with the exact value",
    reference: "see `routebound list adversaries`",
    examples: &[
        "attack ft(8,3) dmodk",
        "attack ft(4,2) random --all --trials 2000",
        "attack xgft(2;4,2;1,2) dmodk --adversary exhaustive --adversary climb(seed=2) --no-exact --json",
        "attack ft(8,2) random(seed=3) --save-traffic bad.mtx",
        "attack ftree(3,18,4) nonblocking-adaptive --all",
    ],
    build: Verb::of::<Attack>(),
};

/// Pairs of the worst traffic that are shown.
const SHOWN_PAIRS: usize = 64;

#[derive(clap::Args)]
struct Attack {
    /// Topology, such as 'ft(8,3)', or a fabric file: see `routebound list topologies`
    topology: String,
    /// Routing, such as dmodk: see `routebound list routings`
    routing: String,
    /// Run every adversary; those that refuse the instance say why
    #[arg(long, conflicts_with = "adversary")]
    all: bool,
    /// Adversary, such as climb or 'random(pattern=bisection)': see `routebound list adversaries`
    /// [default: climb]
    #[arg(long, value_name = "ADVERSARY")]
    adversary: Vec<String>,
    /// Trials (evaluations) of each adversary that takes a number of them
    #[arg(long, value_name = "NUMBER")]
    trials: Option<u64>,
    /// Time limit of each adversary; if its trials fit within it, the finding does not depend on
    /// it
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Leave out the exact value, for networks where it takes too long
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
        let adversaries = self.adversaries(context)?;
        let target = self.traffic.target(context)?;
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
                forget_upper(&adversaries, &mut findings, &mut rows);
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
        if context.json() {
            context.print_json(&report)?;
        } else if !target.is_some_and(|target| target.is_stdout()) {
            context.print(&report.text(SHOWN_PAIRS))?;
        }
        let outcome = if complete { Outcome::Done } else { Outcome::Partial };
        failure.map_or(Ok(outcome), Err)
    }

    fn check_sharing(&self, _: Sharing) -> Result<()> {
        if self.time.is_some() {
            bail!(
                "`--time` makes findings depend on time, so the work cannot be shared: bound it by \
                 `--trials`"
            );
        }
        if adaptive::is_named(&self.routing) {
            bail!(
                "the work against `{}`, which sees the pattern, cannot be shared: run it in one process",
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
    /// The requested adversaries, with the seed and trials of the options.
    fn adversaries(&self, context: &Context) -> Result<Vec<Box<dyn Adversary>>> {
        // What finds most comes first: a stop then costs least.
        let kinds = adversary::KINDS.iter().sorted_by_key(|kind| place(kind.build.work));
        let all = kinds.flat_map(|kind| kind.examples);
        let specs: Vec<String> = match self.adversary.as_slice() {
            [] if self.all => all.map(ToString::to_string).collect(),
            [] => vec!["climb".to_string()],
            given => given.to_vec(),
        };
        let seeded = |spec: &String| context.seeded(&self.with_trials(spec), adversary::KINDS);
        let built = specs.iter().map(|spec| Ok(adversary::build(&seeded(spec))?));
        built.collect()
    }

    /// `text` with `--trials`, if its kind takes them and it gives none.
    fn with_trials(&self, text: &str) -> String {
        let (Ok(mut spec), Some(trials)) = (Spec::parse(text), self.trials) else {
            return text.to_string();
        };
        let mut kinds = adversary::KINDS.iter().filter(|kind| kind.takes("trials"));
        if kinds.any(|kind| kind.name == spec.name) {
            spec.set_default("trials", &trials.to_string());
        }
        spec.to_string()
    }

    /// What all adversaries find; a shard does only what others take from its part.
    fn findings(
        &self,
        adversaries: &[Box<dyn Adversary>],
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
        let is_part = context.units().part().is_some();
        for (at, adversary) in adversaries.iter().enumerate() {
            if is_part && !adversary.is_shared() {
                continue;
            }
            if context.is_stopped() && !findings.is_empty() {
                rows.push(AttackRow::not_begun(adversary.spec()));
                continue;
            }
            let share = self.share(adversaries.len() - at, context);
            let found = |progress: &Progress| match &attacked {
                Ok(attacked) => adversary.attack(attacked, progress),
                Err(stopped) => Err((*stopped).into()),
            };
            let found = |progress: &Progress| or_first(found(progress), seed, instance);
            let (finding, row) = self.attack((&**adversary, share), found, context)?;
            findings.extend(finding);
            rows.push(row);
        }
        Ok((findings, rows))
    }

    /// The part of the time left that the next adversary may take when so many are to come, itself included: so that
    /// none keeps all others from their turn. What processes share is not to depend on time.
    fn share(&self, to_come: usize, context: &Context) -> f64 {
        let is_alone = !self.all || context.units().are_shared();
        if is_alone { 1.0 } else { 2.0 / (to_come as f64 + 1.0) }
    }

    /// Runs one adversary in its part of the time left. With `--all`, one that refuses the instance becomes a row that
    /// says so.
    fn attack(
        &self,
        (adversary, share): (&dyn Adversary, f64),
        found: impl Fn(&Progress) -> Result<Finding, AdversaryError>,
        context: &Context,
    ) -> Result<(Option<Finding>, AttackRow)> {
        let begun = Instant::now();
        let progress = context.progress_within(self.time, 0, "evaluations");
        let progress = progress.with_part_of_time(if self.time.is_some() { 1.0 } else { share });
        match found(&progress) {
            Ok(finding) => {
                // The time to look results up is not that of the search.
                let is_own = !(context.units().are_shared() && adversary.is_shared());
                let seconds = is_own.then(|| begun.elapsed().as_secs_f64());
                let row = AttackRow::found(&finding, seconds);
                Ok((Some(finding), row))
            }
            Err(error @ AdversaryError::TooLarge(_)) if self.all => {
                Ok((None, AttackRow::refused(adversary.spec(), &error)))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Attack {
    /// Adversaries against a routing that sees the pattern.
    fn by_pattern(&self, context: &Context) -> Result<Outcome> {
        if self.traffic.target(context)?.is_some() {
            bail!(
                "`--save-traffic` is for routings that do not see the pattern, and `{}` does",
                self.routing
            );
        }
        let topology = self.network.open_topology(&self.topology, context)?;
        let routing = adaptive::build(&self.routing, &topology)?;
        let target = Target { topology: &topology, routing: &*routing };
        let (mut findings, mut rows) = (Vec::new(), Vec::new());
        for adversary in self.pattern_adversaries(context)? {
            let progress = context.progress_within(self.time, 0, "permutations");
            match adversary.attack(&target, &progress) {
                Ok(finding) => {
                    rows.push(PatternRow::found(&finding));
                    findings.push(finding);
                }
                Err(error @ PatternError::TooLarge(_)) if self.all => {
                    rows.push(PatternRow::refused(adversary.spec(), &error));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let complete = !context.is_stopped();
        let report = PatternAttackReport::new(&target, rows, &findings, complete);
        if context.json() {
            context.print_json(&report)?;
        } else {
            context.print(&report.text())?;
        }
        Ok(if complete { Outcome::Done } else { Outcome::Partial })
    }

    fn pattern_adversaries(&self, context: &Context) -> Result<Vec<Box<dyn PatternAdversary>>> {
        let all = pattern::KINDS.iter().flat_map(|kind| kind.examples);
        let specs: Vec<String> = match self.adversary.as_slice() {
            [] if self.all => all.map(ToString::to_string).collect(),
            [] => vec!["climb".to_string()],
            given => given.to_vec(),
        };
        let with_trials = |text: &String| {
            let (Some(trials), Ok(mut spec)) = (self.trials, Spec::parse(text)) else {
                return text.clone();
            };
            if pattern::KINDS.iter().any(|kind| kind.name == spec.name && kind.takes("trials")) {
                spec.set_default("trials", &trials.to_string());
            }
            spec.to_string()
        };
        let built = specs.iter().map(|spec| {
            let seeded = context.seeded(&with_trials(spec), pattern::KINDS);
            Ok(pattern::build(&seeded)?)
        });
        built.collect()
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
        best_finding(findings).and_then(|finding| Some((finding, finding.witness.as_ref()?)))
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
    let progress = context.progress(2 * instance.topology.hosts() as u64, "sources");
    let assess = Assess::new().units(context.units()).progress(&progress);
    let assessment = assess.run(instance)?;
    Ok(Some(assessment.oblivious_ratio).filter(|_| assessment.complete || !context.is_stopped()))
}

/// Takes back upper bounds that follow from the parts of shards, where no analysis was made that would
/// contradict a wrong one.
fn forget_upper(
    adversaries: &[Box<dyn Adversary>],
    findings: &mut [Finding],
    rows: &mut [AttackRow],
) {
    let shared: Vec<&str> =
        adversaries.iter().filter(|one| one.is_shared()).map(|one| one.spec()).collect();
    let is_shared = |name: &str| shared.contains(&name);
    for finding in findings.iter_mut().filter(|finding| is_shared(&finding.adversary)) {
        finding.upper = None;
    }
    for row in rows.iter_mut().filter(|row| is_shared(&row.adversary)) {
        if let Some(upper) = row.upper.take() {
            let note = format!("from the parts follows at most {upper}, which was not checked");
            row.notes.push(note);
        }
    }
}

/// A lower bound above an upper one means that one of them is wrong.
fn check(findings: &[Finding], exact: &Bounds) -> Result<()> {
    let mut claims =
        findings.iter().filter_map(|found| Some((&found.adversary, found.upper.as_ref()?)));
    if let Some((name, upper)) = claims.find(|(_, upper)| **upper < exact.lower) {
        bail!("the analysis says at least {}, but {name} at most {upper}: a defect", exact.lower);
    }
    let above = findings.iter().filter(|finding| finding.lower > exact.upper);
    let above = above.map(|finding| format!("{} found {}", finding.adversary, finding.lower));
    let above = above.collect_vec();
    if !above.is_empty() {
        bail!("the analysis says at most {}, but {}: a defect", exact.upper, above.join(", "));
    }
    Ok(())
}
