//! Adversaries against the published bounds.
//!
//! The exact verdict of a statement rests on one analysis and its checker. Here the adversaries
//! of [`adversary::KINDS`] search for traffic on every instance with a published bound, without
//! that analysis: they try to break what bounds the ratio from above, and to reach what bounds it
//! from below. What they find is measured exactly, so one finding above an upper bound refutes it;
//! that nothing is found proves nothing.
//!
//! Left out is `matching`, which is the exact analysis itself. Where `exhaustive` fits and ends,
//! it alone decides; elsewhere all others search, with so many trials each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{PublishedBound, Scope, Standing, TheoremError, oblivious, published};
use crate::adversary::{self, AdversaryError, Arena};
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::spec::Spec;

/// Trials of an adversary for each trial of the scope: a swap is less than a permutation.
const TRIALS: u64 = 10;

/// Integer programmes an instance.
const PROGRAMMES: &str = "8";

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
        format!(
            "reached on {reached} of {instances}{short}, {broken}; {exhaustive} exhaustively\
             {left_out}, {evaluations} evaluations, seed {seed}"
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
struct Tried {
    case: String,
    bounds: Vec<PublishedBound>,
    /// The most that was found; `None` where no adversary could work on it.
    found: Option<Ratio>,
    evaluations: u64,
    exhaustive: bool,
}

/// Lets the adversaries try the bounds of these statements on all instances of the scope. By name
/// of the statement; those that bound no ratio are not in it.
///
/// # Errors
/// [`TheoremError`] when an instance cannot be made or the work was stopped.
///
/// ```
/// use routebound::{progress::Progress, theorem::{Scope, empirically}};
/// let progress = Progress::silent();
/// let scope = Scope::new(8, &progress).on(vec!["ft(4,2)".into()]);
/// let found = empirically(&scope, &["or-theorem-3"])?;
/// let theorem_3 = &found["or-theorem-3"];
/// assert!(theorem_3.reached > 0 && theorem_3.broken.is_empty());
/// # Ok::<(), routebound::theorem::TheoremError>(())
/// ```
pub fn empirically(
    scope: &Scope,
    statements: &[&str],
) -> Result<BTreeMap<&'static str, Empirical>, TheoremError> {
    let specs = specs(scope);
    let mut all: BTreeMap<&'static str, Empirical> = BTreeMap::new();
    for tried in scope.instances(|instance| tried(instance, scope, statements, &specs))? {
        for bound in &tried.bounds {
            let entry = all.entry(bound.statement);
            let entry =
                entry.or_insert_with(|| Empirical { seed: scope.seed, ..Empirical::default() });
            entry.add(&tried, bound);
        }
    }
    Ok(all)
}

/// The adversaries with seed and trials of the scope, `exhaustive` first.
fn specs(scope: &Scope) -> Vec<String> {
    let with = |usage: &str, example: &str| {
        let mut spec = Spec::parse(example).ok()?;
        let (trials, seed) = ((TRIALS * scope.trials).to_string(), scope.seed.to_string());
        for (key, value) in [("trials", &*trials), ("seed", &*seed), ("programmes", PROGRAMMES)] {
            if usage.contains(&format!("{key}=")) {
                spec.set_default(key, value);
            }
        }
        Some(spec.to_string())
    };
    let kinds = adversary::KINDS.iter().filter(|kind| kind.name != "matching");
    let examples =
        kinds.flat_map(|kind| kind.examples.iter().map(|example| (kind.usage, *example)));
    let mut specs: Vec<String> =
        examples.filter_map(|(usage, example)| with(usage, example)).collect();
    specs.sort_by_key(|spec| !spec.starts_with("exhaustive"));
    specs
}

/// What they find; `None` where no bound of the statements applies.
fn tried(
    instance: &Instance,
    scope: &Scope,
    statements: &[&str],
    specs: &[String],
) -> Result<Option<Tried>, TheoremError> {
    let mut bounds = published(&instance.topology, &*instance.routing);
    bounds.retain(|bound| statements.contains(&bound.statement));
    if bounds.is_empty() {
        return Ok(None);
    }
    let case = oblivious::case(instance);
    let mut tried = Tried { case, bounds, found: None, evaluations: 0, exhaustive: false };
    let arena = match Arena::new(instance, scope.progress) {
        Err(AdversaryError::TooLarge(_) | AdversaryError::Denominators) => return Ok(Some(tried)),
        arena => arena.map_err(Box::new)?,
    };
    for spec in specs {
        scope.progress.check()?;
        let finding =
            match adversary::build(spec).and_then(|one| one.attack(&arena, scope.progress)) {
                Err(AdversaryError::TooLarge(_)) => continue,
                finding => finding.map_err(Box::new)?,
            };
        scope.progress.check()?;
        tried.evaluations += finding.evaluations;
        tried.found = tried.found.max(Some(finding.lower));
        if spec.starts_with("exhaustive") && finding.upper.is_some() {
            tried.exhaustive = true;
            break;
        }
    }
    Ok(Some(tried))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing;
    use crate::theorem::planted::renamed;
    use std::sync::Arc;

    fn on(networks: &[&str], scope: Scope) -> BTreeMap<&'static str, Empirical> {
        let networks = networks.iter().map(ToString::to_string).collect();
        let all: Vec<&str> = crate::theorem::KINDS.iter().map(|kind| kind.name).collect();
        empirically(&scope.on(networks), &all).unwrap()
    }

    #[test]
    fn searches_reach_the_bounds_of_small_trees_and_break_none() {
        let progress = Progress::silent();
        let found = on(&["ft(4,2)", "ft(4,3)"], Scope::new(16, &progress));
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
        let found = on(&["ft(4,3)"], Scope::new(16, &progress).with_instances(&worse));
        let broken = "osrm3 on ft(4,3): equals 2, found 3";
        assert_eq!(found["or-theorem-7"].broken, [broken]);
        assert!(found["or-theorem-7"].text().contains(&format!("broken on 1 ({broken})")));
        assert!(found["or-theorem-4"].broken.is_empty());
    }

    #[test]
    fn stopped_work_ends() {
        let stop = crate::progress::Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let scope = Scope::new(8, &progress);
        assert!(matches!(empirically(&scope, &["or-theorem-7"]), Err(TheoremError::Stopped(_))));
    }
}
