//! Adversaries against the published bounds.
//!
//! The exact verdict of a statement rests on one analysis and its checker. Here the adversaries
//! of [`adversary::KINDS`] search for traffic on every instance with a published bound, without
//! that analysis: they try to break what bounds the ratio from above, and to reach what bounds it
//! from below. What they find is measured exactly, so one finding above an upper bound refutes it;
//! that nothing is found proves nothing.
//!
//! Left out is `matching`, which is the exact analysis itself. Where `exhaustive` fits and ends,
//! it alone decides; elsewhere all others search. Every instance is attacked once, and what is
//! found there is held against all its bounds. What an adversary does on an instance is bounded by
//! counts ([`Budget`]), never by time, so findings depend on the seed alone; who refuses an instance
//! for its size is counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{PublishedBound, Scope, Side, Standing, TheoremError, oblivious, published};
use crate::adversary::{self, AdversaryError, Arena};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::spec::Spec;

/// The adversary that is no search.
const LEFT_OUT: &str = "matching";

/// What an adversary does on one instance at most.
struct Budget {
    /// Random traffic of each pattern.
    samples: u64,
    /// Swaps of a search: less work than a sample.
    steps: u64,
    /// Integer programmes.
    programmes: u64,
    /// SD pairs of an integer programme: so few are solved long before their time is over.
    pairs: u64,
    /// Permutations of an exhaustive search: all those of 10 hosts, or 11 in a full run.
    permutations: u64,
}

impl Budget {
    const BRIEF: Self =
        Self { samples: 1000, steps: 10_000, programmes: 8, pairs: 1 << 13, permutations: 1 << 22 };

    const FULL: Self = Self {
        samples: 4000,
        steps: 40_000,
        programmes: 32,
        pairs: 1 << 13,
        permutations: 1 << 26,
    };

    fn of(scope: &Scope) -> Self {
        if scope.full { Self::FULL } else { Self::BRIEF }
    }

    /// `example` of a kind with these numbers where the kind takes them.
    fn apply(&self, kind: &Kind<adversary::Build>, example: &str, seed: u64) -> Option<String> {
        let mut spec = Spec::parse(example).ok()?;
        let trials = if kind.name == "random" { self.samples } else { self.steps };
        for (key, value) in [
            ("trials", trials),
            ("programmes", self.programmes),
            ("pairs", self.pairs),
            ("permutations", self.permutations),
            ("seed", seed),
        ] {
            if kind.usage.contains(&format!("{key}=")) {
                spec.set_default(key, &value.to_string());
            }
        }
        Some(spec.to_string())
    }
}

/// What adversaries found about the bounds of all statements.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Attacks {
    /// Who attacked, by specs.
    pub adversaries: Vec<String>,
    /// Who did not.
    pub left_out: &'static str,
    /// Instances that were attacked, each once.
    pub instances: usize,
    /// Traffic evaluated on all of them.
    pub evaluations: u64,
    /// Whether the work was stopped before all instances were attacked.
    pub stopped: bool,
    /// By name of the statement; those that bound no ratio are not in it.
    #[serde(skip)]
    pub statements: BTreeMap<&'static str, Empirical>,
}

impl Attacks {
    /// One line about all.
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

/// What adversaries found about the bounds of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Empirical {
    /// Instances with a bound that were tried.
    pub instances: usize,
    /// Instances with a bound whose shares do not fit the counters of the adversaries.
    pub left_out: usize,
    /// Those where a search found as much as the bound says, or more where that is allowed.
    pub reached: usize,
    /// Those where more was found than the bound allows, with what was found.
    pub broken: Vec<String>,
    /// The first where less was found, with what was found.
    pub short: Option<String>,
    /// Instances on which every permutation was tried.
    pub exhaustive: usize,
    /// Instances that were too large for an adversary, by its name: the others tried.
    pub skipped: BTreeMap<String, usize>,
    /// Traffic evaluated.
    pub evaluations: u64,
    /// Seed of the searches.
    pub seed: u64,
}

impl Empirical {
    /// A few words for a column.
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

/// What the adversaries found on one instance.
#[derive(Default)]
struct Tried {
    case: String,
    bounds: Vec<PublishedBound>,
    /// The most that was found; `None` where no adversary could work on it.
    found: Option<Ratio>,
    evaluations: u64,
    exhaustive: bool,
    /// Adversaries that the instance is too large for.
    skipped: BTreeSet<String>,
}

/// Lets the adversaries try the bounds of these statements on all instances of the scope, as far
/// as a stop lets them.
///
/// # Errors
/// [`TheoremError`] when an instance cannot be made, or an adversary fails.
///
/// ```
/// use routebound::{progress::Progress, theorem::{Scope, empirically}};
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
    let mut attacks = Attacks { left_out: LEFT_OUT, stopped: !complete, ..Attacks::default() };
    all.iter().for_each(|tried| attacks.add(tried, scope.seed));
    attacks.adversaries = specs;
    Ok(attacks)
}

/// The adversaries with seed and budget of the scope, `exhaustive` first.
fn specs(scope: &Scope) -> Vec<String> {
    let budget = Budget::of(scope);
    let kinds = adversary::KINDS.iter().filter(|kind| kind.name != LEFT_OUT);
    let examples = kinds.flat_map(|kind| kind.examples.iter().map(move |example| (kind, *example)));
    let mut specs: Vec<String> =
        examples.filter_map(|(kind, example)| budget.apply(kind, example, scope.seed)).collect();
    specs.sort_by_key(|spec| !spec.starts_with("exhaustive"));
    specs
}

/// No ratio is below 1: nothing has to be found for that.
fn says_something(bound: &PublishedBound) -> bool {
    bound.side != Side::AtLeast || bound.value > Ratio::ONE
}

/// What they find; `None` where no bound of the statements applies.
fn tried(
    instance: &Instance,
    progress: &Progress,
    statements: &[&str],
    specs: &[String],
) -> Result<Option<Tried>, TheoremError> {
    let mut bounds = published(&instance.topology, &*instance.routing);
    bounds.retain(|bound| statements.contains(&bound.statement) && says_something(bound));
    if bounds.is_empty() {
        return Ok(None);
    }
    let mut tried = Tried { case: oblivious::case(instance), bounds, ..Tried::default() };
    let arena = match Arena::new(instance, progress) {
        Err(AdversaryError::TooLarge(_) | AdversaryError::Denominators) => return Ok(Some(tried)),
        arena => arena.map_err(failed)?,
    };
    for spec in specs {
        progress.check()?;
        let adversary = adversary::build(spec).map_err(failed)?;
        let finding = match adversary.attack(&arena, progress) {
            Err(AdversaryError::TooLarge(_)) => {
                tried.skipped.extend(Spec::parse(spec).map(|spec| spec.name));
                continue;
            }
            finding => finding.map_err(failed)?,
        };
        progress.check()?;
        tried.evaluations += finding.evaluations;
        tried.found = tried.found.max(Some(finding.lower));
        if spec.starts_with("exhaustive") && finding.upper.is_some() {
            tried.exhaustive = true;
            break;
        }
    }
    Ok(Some(tried))
}

/// A stop is no failure.
fn failed(error: AdversaryError) -> TheoremError {
    match error {
        AdversaryError::Stopped(stopped) => stopped.into(),
        error => Box::new(error).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing;
    use crate::theorem::planted::renamed;
    use std::sync::Arc;

    fn on(networks: &[&str], scope: Scope) -> Attacks {
        let networks = networks.iter().map(ToString::to_string).collect();
        let all: Vec<&str> = crate::theorem::KINDS.iter().map(|kind| kind.name).collect();
        empirically(&scope.on(networks), &all).unwrap()
    }

    #[test]
    fn searches_reach_the_bounds_of_small_trees_and_break_none() {
        let progress = Progress::silent();
        let found = on(&["ft(4,2)", "ft(4,3)"], Scope::new(16, &progress)).statements;
        assert!(found.values().all(|one| one.broken.is_empty()), "{found:?}");
        let theorem_7 = &found["or-theorem-7"];
        assert_eq!((theorem_7.instances, theorem_7.reached, theorem_7.exhaustive), (1, 1, 0));
        let table = &found["or-table-1-mod-k"];
        assert_eq!((table.instances, table.reached), (4, 4));
        // FT(4,2) has 8 hosts: all permutations of dmodk and smodk are tried.
        assert_eq!(table.exhaustive, 2);
        assert!(table.text().starts_with("reached on 4 of 4, broken on none; 2 exhaustively, "));
    }

    /// D-mod-k has ratio 3 on FT(4,3), where OSRM3 is said to have 2.
    #[test]
    fn a_worse_routing_breaks_the_bound() {
        let progress = Progress::silent();
        let worse = |instance: Instance| {
            if instance.routing.spec() != "osrm3" {
                return instance;
            }
            let paths = routing::build("dmodk", &instance.topology).unwrap();
            renamed(instance, Arc::from(paths))
        };
        let found = on(&["ft(4,3)"], Scope::new(16, &progress).with_instances(&worse)).statements;
        let broken = "osrm3 on ft(4,3): equals 2, found 3";
        assert_eq!(found["or-theorem-7"].broken, [broken]);
        assert!(found["or-theorem-7"].text().contains(&format!("broken on 1 ({broken})")));
        assert!(found["or-theorem-4"].broken.is_empty());
    }

    /// Any traffic has a ratio of at least 1, so nobody searches for it.
    #[test]
    fn that_ratios_are_at_least_1_takes_no_search() {
        let progress = Progress::silent();
        let scope = Scope::new(8, &progress).on(vec!["ft(4,2)".to_string()]);
        let found = empirically(&scope, &["or-perf", "or-lemma-9"]).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), [&"or-lemma-9"]);
        let lemma_9 = &found["or-lemma-9"];
        assert!(lemma_9.reached == lemma_9.instances && lemma_9.broken.is_empty(), "{lemma_9:?}");
    }

    #[test]
    fn an_instance_is_attacked_once_for_all_its_bounds() {
        let progress = Progress::silent();
        let scope = || Scope::new(16, &progress).on(vec!["ft(4,3)".to_string()]);
        let alone = empirically(&scope(), &["or-theorem-7"]).unwrap();
        let both = empirically(&scope(), &["or-theorem-7", "or-theorem-4"]).unwrap();
        // OSRM3 has both bounds; its attack counts for each, and once in all.
        let [theorem_7, theorem_4] = ["or-theorem-7", "or-theorem-4"].map(|s| &both.statements[s]);
        assert_eq!(alone.statements["or-theorem-7"], *theorem_7);
        assert_eq!((alone.instances, theorem_7.instances), (1, 1));
        assert_eq!(alone.evaluations, theorem_7.evaluations);
        assert!(theorem_4.instances > 1);
        assert_eq!(both.instances, theorem_4.instances);
        assert_eq!(both.evaluations, theorem_4.evaluations);
    }

    /// 16 hosts have 2·10^13 permutations, which OSRM3 has no symmetry to make few of.
    #[test]
    fn who_refuses_an_instance_is_counted() {
        let progress = Progress::silent();
        let found = on(&["ft(4,3)"], Scope::new(16, &progress));
        let theorem_7 = &found.statements["or-theorem-7"];
        assert_eq!(theorem_7.skipped, BTreeMap::from([("exhaustive".to_string(), 1)]));
        assert!(theorem_7.text().contains("; 0 exhaustively, 1 without exhaustive, "));
        assert!(found.text().contains("; matching is left out, as it is the exact analysis"));
        assert!(!found.adversaries.iter().any(|spec| spec.starts_with("matching")));
        assert!(found.adversaries[0].starts_with("exhaustive(permutations="));
    }

    /// On every small instance the searches reach the exact value and never exceed it: so they break
    /// an upper bound that is a little too small, and none that is true.
    #[test]
    fn a_bound_that_is_a_little_too_small_is_broken() {
        let progress = Progress::silent();
        let networks = ["ft(4,2)", "ft(6,2)", "ft(4,3)"].map(String::from);
        let scope = Scope::new(18, &progress).on(networks.to_vec());
        let (specs, statements) = (specs(&scope), ["or-theorem-3", "or-theorem-4"]);
        let visit = |instance: &Instance| {
            let exact = scope.assess(instance)?.oblivious_ratio.exact().cloned().unwrap();
            let tried = tried(instance, &progress, &statements, &specs)?;
            Ok(tried.map(|tried| (tried, exact)))
        };
        let (all, complete) = scope.instances(visit).unwrap();
        assert!(complete && all.len() > 25, "{}", all.len());
        for (tried, exact) in all {
            let upper = |value| PublishedBound {
                statement: "planted",
                source: "planted",
                side: crate::theorem::Side::Equals,
                value,
            };
            let found = tried.found.as_ref().unwrap();
            assert_eq!(upper(exact.clone()).standing(found), Standing::Reached, "{}", tried.case);
            let planted = upper(exact.checked_sub(&Ratio::new(1, 2).unwrap()).unwrap());
            let mut empirical = Empirical::default();
            empirical.add(&tried, &planted);
            assert_eq!((empirical.reached, empirical.broken.len()), (0, 1), "{}", tried.case);
        }
    }

    #[test]
    fn stopped_work_ends() {
        let stop = crate::progress::Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let scope = Scope::new(8, &progress);
        let attacks = empirically(&scope, &["or-theorem-7"]).unwrap();
        assert!(attacks.stopped && attacks.instances == 0 && attacks.statements.is_empty());
    }
}
