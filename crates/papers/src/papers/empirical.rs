//! Adversaries against the published bounds.
//!
//! The exact verdict of a statement rests on one analysis and its checker. Here the adversaries
//! of [`adversary::KINDS`] search for traffic on every instance with a published bound, without
//! that analysis: they try to break the bounds from above on the ratio, and to reach those from
//! below. What they find is measured exactly, so one finding above an upper bound refutes it;
//! finding nothing proves nothing.
//!
//! Those that are the exact analysis itself ([`Work::Analyses`]) are left out. Where one that tries
//! all permutations fits and completes, it alone decides; elsewhere all the others search. Every instance is attacked
//! once, and what is found there is compared with all its bounds. What an adversary does on an instance
//! is limited by counts ([`Budget`]), never by time, so findings depend on the seed alone; refusals
//! of an instance for its size are counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::budget::Budget;
use super::{PublishedBound, Side, Standing, published};
use crate::adversary::{self, AdversaryError, AttackContext, Method, Work};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::spec::Spec;
use crate::theorem::{Scope, TheoremError, oblivious};

/// The findings of adversaries about the bounds of all statements.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Attacks {
    /// Specs of the adversaries that attacked.
    pub adversaries: Vec<String>,
    /// Names of those that did not.
    pub left_out: String,
    /// Instances that were attacked, each once.
    pub instances: usize,
    /// Traffic evaluated on all of them.
    pub evaluations: u64,
    /// Whether the work was stopped before all instances were attacked.
    pub stopped: bool,
    /// By name of the statement; statements that bound no ratio are absent.
    #[serde(skip)]
    pub statements: BTreeMap<&'static str, Empirical>,
}

impl Attacks {
    /// A summary in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { instances, evaluations, left_out, .. } = self;
        let stopped = if self.stopped { ", stopped early" } else { "" };
        format!(
            "{instances} instances attacked once each, {evaluations} evaluations{stopped}: by {}; \
             {left_out} is left out, as it is the exact analysis",
            self.adversaries.join(", ")
        )
    }

    fn add(&mut self, tried: &Tried, seed: u64) {
        self.instances += usize::from(tried.found.is_some());
        self.evaluations += tried.evaluations;
        for bound in &tried.bounds {
            let entry = self.statements.entry(bound.statement);
            let entry = entry.or_insert_with(|| Empirical { seed, ..Empirical::default() });
            entry.add(tried, bound);
        }
    }
}

/// The findings of adversaries about the bounds of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Empirical {
    /// Instances with a bound that were tried.
    pub instances: usize,
    /// Instances with a bound whose shares do not fit the counters of the adversaries.
    pub left_out: usize,
    /// Instances where a search found as much as the bound says, or more where that is allowed.
    pub reached: usize,
    /// Instances where more was found than the bound allows, with what was found.
    pub broken: Vec<String>,
    /// The first instance where less was found, with what was found.
    pub short: Option<String>,
    /// Instances on which every permutation was tried.
    pub exhaustive: usize,
    /// Instances that were too large for an adversary, by its name; the others tried them.
    pub skipped: BTreeMap<String, usize>,
    /// Traffic evaluated.
    pub evaluations: u64,
    /// Seed of the searches.
    pub seed: u64,
}

impl Empirical {
    /// A few words for a table column.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { instances, reached, exhaustive, evaluations, seed, .. } = self;
        let broken = match self.broken.as_slice() {
            [] => "broken on none".to_string(),
            [first, ..] => format!("broken on {} ({first})", self.broken.len()),
        };
        let short = self.short.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
        let left_out = match self.left_out {
            0 => String::new(),
            some => format!(", {some} too large for counters"),
        };
        let skipped = self.skipped.iter().map(|(name, some)| format!(", {some} without {name}"));
        let skipped: String = skipped.collect();
        format!(
            "reached on {reached} of {instances}{short}, {broken}; {exhaustive} exhaustively\
             {skipped}{left_out}, {evaluations} evaluations, seed {seed}"
        )
    }

    fn add(&mut self, tried: &Tried, bound: &PublishedBound) {
        let Some(found) = &tried.found else {
            self.left_out += 1;
            return;
        };
        self.instances += 1;
        self.exhaustive += usize::from(tried.exhaustive);
        self.evaluations += tried.evaluations;
        for name in &tried.skipped {
            *self.skipped.entry(name.clone()).or_default() += 1;
        }
        let text = || {
            let PublishedBound { side, value, .. } = bound;
            format!("{}: {side} {value}, found {found}", tried.case)
        };
        match bound.standing(found) {
            Standing::Reached => self.reached += 1,
            Standing::Broken => self.broken.push(text()),
            Standing::Short => {
                self.short.get_or_insert_with(text);
            }
        }
    }
}

/// The findings of adversaries on one instance.
#[derive(Default)]
struct Tried {
    case: String,
    bounds: Vec<PublishedBound>,
    /// The most that was found; `None` where no adversary could work on it.
    found: Option<Rational>,
    evaluations: u64,
    exhaustive: bool,
    /// Adversaries that the instance is too large for.
    skipped: BTreeSet<String>,
}

/// Lets the adversaries try the bounds of these statements on all instances of the scope, or until
/// the work is stopped.
///
/// # Errors
/// [`TheoremError`] when an instance cannot be built, or an adversary fails.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::{papers::empirically, progress::Progress, theorem::Scope};
/// let progress = Progress::silent();
/// let scope = Scope::new(8, &progress).on(vec!["ft(4,2)".into()]);
/// let found = empirically(&scope, &["or-theorem-3"])?;
/// let theorem_3 = &found.statements["or-theorem-3"];
/// assert!(theorem_3.reached > 0 && theorem_3.broken.is_empty());
/// # Ok::<(), routebound::theorem::TheoremError>(())
/// ```
pub fn empirically(scope: &Scope, statements: &[&str]) -> Result<Attacks, TheoremError> {
    let specs = specs(scope);
    // The progress of the scope counts networks, not evaluations.
    let own = scope.progress.part(1.0);
    let visit = |instance: &Instance| tried(instance, &own, statements, &specs);
    let (all, complete) = scope.instances(visit)?;
    let mut attacks = Attacks { left_out: left_out(), stopped: !complete, ..Attacks::default() };
    for tried in &all {
        attacks.add(tried, scope.seed);
    }
    attacks.adversaries = specs.into_iter().map(|(spec, _)| spec).collect();
    Ok(attacks)
}

/// Names of the adversaries that do not search.
fn left_out() -> String {
    let kinds = adversary::KINDS.iter().filter(|kind| kind.build.work == Work::Analyses);
    kinds.map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// The adversaries with seed and budget of the scope, those that try all permutations first.
fn specs(scope: &Scope) -> Vec<(String, Work)> {
    let budget = Budget::of(scope);
    let kinds = adversary::KINDS.iter().filter(|kind| kind.build.work != Work::Analyses);
    let examples = kinds.flat_map(|kind| kind.examples.iter().map(move |example| (kind, *example)));
    let spec = |(kind, example): (&Kind<Method>, _)| {
        Some((budget.apply(kind, example, scope.seed)?, kind.build.work))
    };
    let mut specs: Vec<(String, Work)> = examples.filter_map(spec).collect();
    specs.sort_by_key(|(_, work)| *work != Work::TriesAll);
    specs
}

/// Whether there is anything to search for: no ratio is below 1.
fn says_something(bound: &PublishedBound) -> bool {
    bound.side != Side::AtLeast || bound.value > Rational::ONE
}

/// The findings of adversaries on an instance; `None` where no bound of the statements applies.
fn tried(
    instance: &Instance,
    progress: &Progress,
    statements: &[&str],
    specs: &[(String, Work)],
) -> Result<Option<Tried>, TheoremError> {
    let mut bounds = published(&instance.topology, &*instance.routing);
    bounds.retain(|bound| statements.contains(&bound.statement) && says_something(bound));
    if bounds.is_empty() {
        return Ok(None);
    }
    let mut tried = Tried { case: oblivious::case(instance), bounds, ..Tried::default() };
    let context = match AttackContext::new(instance, progress) {
        Err(AdversaryError::TooLarge(_) | AdversaryError::Denominators(_)) => {
            return Ok(Some(tried));
        }
        context => context.map_err(failed)?,
    };
    for (spec, work) in specs {
        progress.check()?;
        let adversary = adversary::build(spec).map_err(failed)?;
        let finding = match adversary.attack(&context, progress) {
            Err(AdversaryError::TooLarge(_)) => {
                tried.skipped.extend(Spec::parse(spec).map(|spec| spec.name));
                continue;
            }
            finding => finding.map_err(failed)?,
        };
        progress.check()?;
        tried.evaluations += finding.evaluations;
        tried.found = tried.found.max(Some(finding.worst.lower));
        if *work == Work::TriesAll && finding.worst.upper.is_some() {
            tried.exhaustive = true;
            break;
        }
    }
    Ok(Some(tried))
}

/// A stop is not a failure.
fn failed(error: AdversaryError) -> TheoremError {
    match error {
        AdversaryError::Stopped(stopped) => stopped.into(),
        error => Box::new(error).into(),
    }
}

#[cfg(test)]
mod tests;
