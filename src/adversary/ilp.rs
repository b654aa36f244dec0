//! The worst permutation of a link as an integer programme.
//!
//! One 0-1 column a pair of the link, one row a source and a destination, and where optu is no
//! constant one row a cut (or a link, under the even split), so that optu ≤ u. On trees whose
//! links are equal one u suffices; else optu takes several values (see
//! [`crate::worst_case::permutation_ratio`]), and each is tried. Links whose sources or
//! destinations are too few to beat what is known are left out. The solver is not believed:
//! its permutations are measured again, its bound is a claim.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::arena::{Arena, Optu};
use super::record::Record;
use super::targets::{Target, targets};
use super::{Adversary, AdversaryError, Finding, Kernel};
use crate::bounds::Evidence;
use crate::limit::within;
use crate::lp::program::{Column, LinearProgram, Relation, Settings, SolveError};
use crate::lp::watched;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::Host;
use crate::worst_case::optu_values;

const USAGE: &str = "ilp(programmes=256,pairs=16777216)";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "ilp",
    usage: USAGE,
    about: "worst permutation of a link by integer programming (HiGHS), with the cuts of slimmed trees",
    reference: "[OR] IV, src/optimum/cuts.rs",
    examples: &["ilp"],
    build,
};

/// Programmes that run at the same time; all begin with what was known before.
const BLOCK: usize = 8;

/// Most seconds of a programme.
const SECONDS: f64 = 60.0;

/// Most SD pairs of a programme, unless the spec says otherwise.
const MOST_PAIRS: u64 = 1 << 24;

/// Most values of optu that are tried.
const MOST_SCALES: usize = 64;

struct Ilp {
    spec: String,
    programmes: u64,
    pairs: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn Adversary>, AdversaryError> {
    spec.arguments(0, &["programmes", "pairs"], USAGE)?;
    let programmes = spec.integer_option("programmes", 256, USAGE)?;
    let pairs = spec.integer_option("pairs", MOST_PAIRS, USAGE)?;
    if programmes == 0 || pairs == 0 {
        return Err(spec.bad(USAGE, "programmes and pairs must be at least 1").into());
    }
    let limit = if pairs == MOST_PAIRS { String::new() } else { format!(",pairs={pairs}") };
    let spec = format!("ilp(programmes={programmes}{limit})");
    Ok(Box::new(Ilp { spec, programmes, pairs }))
}

/// One programme: a link, and what optu may be.
struct Task<'t> {
    target: &'t Target,
    scale: &'t Ratio,
}

/// What the solver says of it.
struct Answer {
    pairs: Vec<(Host, Host)>,
    /// Most load in units, if it says so.
    bound: Option<u64>,
    /// Whether the work had to end before the answer.
    given_up: bool,
}

impl Adversary for Ilp {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Finding, AdversaryError> {
        let (targets, left_out) = targets(arena, progress)?;
        let most = targets.iter().map(|target| target.pairs.len() as u128).max();
        let remedy = "give more with `pairs=`, or use climb";
        within("number of SD pairs of a link", most.or(Some(0)), self.pairs, remedy)?;
        let (scales, all_scales) = scales(arena);
        let pairs =
            targets.iter().flat_map(|target| scales.iter().map(move |scale| (target, scale)));
        let tasks: Vec<Task<'_>> = pairs.map(|(target, scale)| Task { target, scale }).collect();
        let mut work = Work {
            arena,
            tasks: &tasks,
            next: 0,
            counted: 0,
            given_up: false,
            record: Record::default(),
            upper: arena.least_ratio(left_out),
        };
        while work.next < tasks.len()
            && work.record.evaluations < self.programmes
            && !progress.cancelled()
        {
            let room = (self.programmes - work.record.evaluations).min(BLOCK as u64);
            work.solve_block(room as usize, progress)?;
        }
        let stopped = work.given_up || (work.next < tasks.len() && progress.cancelled());
        let (upper, text) = (work.upper(), work.text());
        let finding =
            work.record.finding(arena, &self.spec, Evidence::Claimed(text.clone()), progress)?;
        let upper = (arena.permutations_suffice() && all_scales).then_some(upper);
        let notes = [text].into_iter().chain(finding.notes).collect();
        Ok(Finding { upper, stopped, notes, ..finding })
    }
}

/// How far the programmes are.
struct Work<'t, 'a> {
    arena: &'a Arena<'a>,
    tasks: &'t [Task<'t>],
    /// First task that is not done.
    next: usize,
    /// Tasks that counting spared.
    counted: usize,
    given_up: bool,
    record: Record,
    /// No link of the tasks done has more.
    upper: Ratio,
}

impl Work<'_, '_> {
    /// Solves the next tasks that may improve on what is known, at most `room`.
    fn solve_block(&mut self, room: usize, progress: &Progress) -> Result<(), AdversaryError> {
        let arena = self.arena;
        let best = arena.ratio(self.record.value);
        let mut block = Vec::new();
        while self.next < self.tasks.len() && block.len() < room {
            let task = &self.tasks[self.next];
            let most = arena.at_scale(task.target.bound, task.scale);
            if most > best {
                block.push(task);
            } else {
                self.upper = most.max(self.upper.clone());
                self.counted += 1;
            }
            self.next += 1;
        }
        let answers = block.par_iter().map(|task| task.solve(arena, progress));
        let answers: Vec<Answer> = answers.collect::<Result<_, AdversaryError>>()?;
        let mut kernel = Kernel::new(arena);
        for (task, answer) in block.iter().zip(answers) {
            self.given_up |= answer.given_up;
            if !answer.given_up {
                let value = kernel.measure(&answer.pairs);
                self.record.see(value, || answer.pairs);
            }
            let most = answer.bound.unwrap_or(task.target.bound).min(task.target.bound);
            self.upper = arena.at_scale(most, task.scale).max(self.upper.clone());
        }
        progress.inc(block.len() as u64);
        Ok(())
    }

    /// With the tasks left, of which only counting is known.
    fn upper(&self) -> Ratio {
        let rest = self.tasks[self.next..].iter();
        let rest = rest.map(|task| self.arena.at_scale(task.target.bound, task.scale));
        rest.fold(self.upper.clone(), Ratio::max)
    }

    fn text(&self) -> String {
        let (solved, left) = (self.record.evaluations, self.tasks.len() - self.next);
        let counted = self.counted;
        format!("HiGHS: {solved} integer programmes, {counted} spared and {left} left to counting")
    }
}

impl Arena<'_> {
    /// The ratio that a load in units means at optu ≤ `scale`.
    fn at_scale(&self, load: u64, scale: &Ratio) -> Ratio {
        let load = Ratio::new(load, self.uses.scale()).expect("a common unit is not 0");
        load.checked_div(scale).expect("traffic has an optu above 0")
    }

    /// No link between a host and its switch makes the ratio larger than 1; others left out
    /// have `load` at most.
    fn least_ratio(&self, load: u64) -> Ratio {
        self.at_scale(load, &self.least_optu()).max(Ratio::ONE)
    }
}

/// Values of optu to try, and whether they are all that matter.
fn scales(arena: &Arena<'_>) -> (Vec<Ratio>, bool) {
    let tree = match (&arena.optu, arena.topology().tree()) {
        (Optu::Constant(optu), _) => return (vec![optu.clone()], !arena.is_rough),
        (Optu::Cuts(_), Some(tree)) => tree,
        _ => return (vec![Ratio::ONE], false),
    };
    match optu_values(tree, MOST_SCALES) {
        Some(values) => (values.into_iter().collect(), true),
        None => (vec![arena.least_optu()], false),
    }
}

impl Task<'_> {
    fn solve(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Answer, AdversaryError> {
        let program = self.program(arena);
        let seconds = progress.time_left().map_or(SECONDS, |left| left.as_secs_f64().min(SECONDS));
        let settings = Settings { seconds, ..Settings::default() };
        let none = |given_up| Answer { pairs: Vec::new(), bound: None, given_up };
        let outcome = match watched(program, settings, progress) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return Ok(none(true)),
            Err(SolveError::Failed(_)) => return Ok(none(false)),
            Err(error) => return Err(error.into()),
        };
        let chosen = |value: &f64| outcome.feasible && *value > 0.5;
        let pairs = self.target.pairs.iter().zip(&outcome.columns);
        let pairs = disjoint(pairs.filter(|(_, value)| chosen(value)).map(|(pair, _)| *pair));
        // Loads are whole units: what a bound in floats exceeds by less than a unit is noise.
        let units = |bound: f64| (-bound * unit_of(arena) + 1e-3).max(0.0).floor() as u64;
        let bound = outcome.dual_bound.filter(|b| b.is_finite()).map(units);
        Ok(Answer { pairs, bound, given_up: false })
    }

    fn program(&self, arena: &Arena<'_>) -> LinearProgram {
        let mut program = LinearProgram::default();
        let mut rows: BTreeMap<(u8, u32), Vec<(usize, f64)>> = BTreeMap::new();
        for ((s, d), units) in self.target.pairs.iter().zip(&self.target.units) {
            let cost = -(*units as f64) / unit_of(arena);
            let column = program.add_column(Column { cost, lower: 0.0, upper: 1.0, integer: true });
            rows.entry((0, *s)).or_default().push((column, 1.0));
            rows.entry((1, *d)).or_default().push((column, 1.0));
            let limit = |id, units: u64| {
                rows.entry((2, id))
                    .or_default()
                    .push((column, units as f64 / arena.optu.scale() as f64));
            };
            match &arena.optu {
                Optu::Constant(_) => {}
                Optu::Cuts(cuts) => cuts.each(*s, *d, limit),
                Optu::Even(even) => even.each(*s, *d, limit),
            }
        }
        for ((kind, _), coefficients) in rows {
            let right = if kind == 2 { self.scale.to_f64() } else { 1.0 };
            program.add_row(coefficients, Relation::AtMost, right);
        }
        program
    }
}

/// Units of a load of 1, for the solver's floats.
fn unit_of(arena: &Arena<'_>) -> f64 {
    arena.uses.scale() as f64
}

/// The pairs without those whose source or destination came before.
fn disjoint(pairs: impl Iterator<Item = (Host, Host)>) -> Vec<(Host, Host)> {
    let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
    pairs.filter(|(s, d)| sources.insert(*s) && destinations.insert(*d)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Instance;

    #[test]
    fn scales_of_trees() {
        let of = |topology: &str| {
            let instance = Instance::named(topology, "dmodk").unwrap();
            let arena = Arena::new(&instance, &Progress::silent()).unwrap();
            let (scales, complete) = scales(&arena);
            assert!(complete);
            scales.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of("ft(4,2)"), ["1"]);
        assert_eq!(of("xgft(2;8,8;1,1)"), ["1"]);
        assert_eq!(of("xgft(2;2,3;2,1)"), ["1/2"]);
    }

    #[test]
    fn a_value_is_what_its_pairs_give() {
        let instance = Instance::named("xgft(2;8,8;1,4)", "dmodk").unwrap();
        let arena = Arena::new(&instance, &Progress::silent()).unwrap();
        let mut kernel = Kernel::new(&arena);
        // Two hosts of a leaf send to the first hosts of two other leaves: root 0.
        let value = kernel.measure(&[(0, 8), (1, 16)]);
        assert_eq!(arena.ratio(value), Ratio::from(2));
    }
}
