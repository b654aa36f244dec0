//! The worst permutation of a link as an integer program.
//!
//! One 0-1 column per pair of the link, one row per source and per destination and, where optu is
//! not constant, one row per cut (or per link, under the even split), so that optu ≤ u. On trees
//! whose links are equal one u suffices; otherwise optu takes several values (see
//! [`crate::worst_case::permutation_ratio`]), and each is tried. Links with too few sources or
//! destinations to beat what is known are skipped. The solver is not trusted: its permutations are
//! re-evaluated, and its bound is a claim.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;

use super::candidate_links::{CandidateLink, candidate_links};
use super::context::{AttackContext, Optu};
use super::record::Record;
use super::{AdversaryError, Attacked, Finding, IncrementalLoads, Oblivious};
use crate::attack::{Adversary, Built};
use crate::integer::rounded;
use crate::lp::interruptible;
use crate::lp::program::{Column, LinearProgram, Relation, Settings, SolveError};
use crate::prelude::*;
use crate::shards::{Found, Work as Shared};
use crate::worst_case::optu_values;

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "ilp",
    usage: "ilp(programs=256,pairs=16777216)",
    about: "worst permutation of a link by integer programming (HiGHS), with the cuts of slimmed trees",
    reference: "[OR] IV, crates/analysis/src/optimum/cuts.rs",
    examples: &["ilp"],
    build: super::Method { build, work: super::Work::Searches },
};

/// Programs that run at the same time; all start from what was known before the block. A shard looks
/// at as many times more as there are shards.
const BLOCK: usize = 8;

/// Time limit of a program in seconds.
const SECONDS: f64 = 60.0;

/// Maximum number of SD pairs in a program, unless the spec says otherwise.
const MAX_PAIRS: u64 = 1 << 24;

/// Maximum number of values of optu that are tried.
const MAX_SCALES: usize = 64;

#[derive(Deserialize)]
struct Ilp {
    programs: NonZeroU64,
    pairs: NonZeroU64,
}

fn build(spec: &Spec) -> Result<Built<Oblivious>, AdversaryError> {
    let (ilp, shown): (Ilp, Spec) = (spec.read()?, spec.complete());
    let shown = if ilp.pairs.get() == MAX_PAIRS { shown.without("pairs") } else { shown };
    Ok(Built::new(&shown, ilp))
}

/// One program: a link and a limit on optu.
struct Task<'t> {
    candidate: &'t CandidateLink,
    scale: &'t Rational,
}

/// The solver's answer to a task.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    pairs: Vec<(Host, Host)>,
    /// Upper bound on the load in units, if the solver gives one.
    bound: Option<u64>,
    /// Whether the work was stopped before there was an answer.
    #[serde(skip)]
    given_up: bool,
}

/// All tasks, of which several processes may do some each. Which of them are worth solving depends on what
/// the ones before found: a shard does those of its own that its own findings do not rule out, and so at
/// least those that a merge asks for.
struct Tasks<'t>(&'t [Task<'t>]);

impl Shared for Tasks<'_> {
    type Result = Answer;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _task: u64) -> Found<Answer> {
        // They are solved block by block.
        Found::Stopped
    }

    /// Pairs are measured again; the bound is the solver's claim.
    fn fits(&self, task: u64, answer: &Answer) -> bool {
        let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
        let known = &self.0[as_size(task)].candidate.pairs;
        answer.pairs.iter().all(|pair| {
            known.binary_search(pair).is_ok()
                && sources.insert(pair.0)
                && destinations.insert(pair.1)
        })
    }
}

impl Adversary<Oblivious> for Ilp {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let (candidates, left_out) = candidate_links(context, progress)?;
        let most = candidates.iter().map(|candidate| candidate.pairs.len() as u128).max();
        let remedy = "raise the limit with `pairs=`, or use climb";
        within("number of SD pairs of a link", most.or(Some(0)), self.pairs.get(), remedy)?;
        let (scales, all_scales) = scales(context);
        let pairs = candidates
            .iter()
            .flat_map(|candidate| scales.iter().map(move |scale| (candidate, scale)));
        let tasks: Vec<Task<'_>> =
            pairs.map(|(candidate, scale)| Task { candidate, scale }).collect();
        let mut work = Work {
            context,
            stage: format!("programs of {spec}"),
            tasks: &tasks,
            next: 0,
            counted: 0,
            given_up: false,
            record: Record::default(),
            upper: context.least_ratio(left_out),
        };
        let shards = context.units.shards();
        let programs = self.programs.get().div_ceil(shards);
        while work.next < tasks.len()
            && work.record.evaluations < programs
            && !progress.cancelled()
            && !context.units.have_failed()
        {
            let room = (programs - work.record.evaluations).min(BLOCK as u64);
            work.solve_block(as_size(room.saturating_mul(shards)), progress)?;
        }
        let stopped = work.given_up || (work.next < tasks.len() && progress.cancelled());
        let (upper, text) = (work.upper(), work.text());
        let evidence = Evidence::Claimed(text.clone());
        let mut finding = context.finding(&work.record, spec, evidence, progress)?;
        finding.worst.upper = (context.permutations_suffice() && all_scales).then_some(upper);
        finding.notes.insert(0, text);
        Ok(Finding { stopped, ..finding })
    }
}

/// Progress through the programs.
struct Work<'t, 'a> {
    context: &'a AttackContext<'a>,
    stage: String,
    tasks: &'t [Task<'t>],
    /// The first task not yet done.
    next: usize,
    /// Tasks that counting ruled out.
    counted: usize,
    given_up: bool,
    record: Record,
    /// Upper bound on the ratio of every task done.
    upper: Rational,
}

impl Work<'_, '_> {
    /// Solves the next tasks that may improve on what is known, `room` at most.
    fn solve_block(&mut self, room: usize, progress: &Progress) -> Result<(), AdversaryError> {
        let context = self.context;
        let best = context.ratio(self.record.value);
        let mut block = Vec::new();
        while self.next < self.tasks.len() && block.len() < room {
            let task = &self.tasks[self.next];
            let most = context.at_scale(task.candidate.bound, task.scale);
            if most > best {
                block.push(self.next as u64);
            } else {
                self.upper = most.max(self.upper.clone());
                self.counted += 1;
            }
            self.next += 1;
        }
        let answers = self.answers(&block, progress)?;
        let mut incremental = IncrementalLoads::new(context);
        for (task, answer) in block.iter().zip(answers) {
            let (task, Some(answer)) = (&self.tasks[as_size(*task)], answer) else { continue };
            self.given_up |= answer.given_up;
            if !answer.given_up {
                let value = incremental.measure(&answer.pairs);
                self.record.see(value, || answer.pairs);
            }
            let most = answer.bound.unwrap_or(task.candidate.bound).min(task.candidate.bound);
            self.upper = context.at_scale(most, task.scale).max(self.upper.clone());
        }
        progress.inc(block.len() as u64);
        Ok(())
    }

    /// What the solver says about tasks; a shard gets no answers of others.
    fn answers(
        &self,
        block: &[u64],
        progress: &Progress,
    ) -> Result<Vec<Option<Answer>>, AdversaryError> {
        let (context, mut done) = (self.context, Ok(()));
        let found = context.units.together(&self.stage, block, &Tasks(self.tasks), |mine, take| {
            done = mine.par_iter().try_for_each(|number| {
                let answer = self.tasks[as_size(*number)].solve(context, progress)?;
                let is_final = !answer.given_up && !progress.cancelled();
                take(*number, if is_final { Found::Final(answer) } else { Found::Passing(answer) });
                Ok::<_, AdversaryError>(())
            });
        });
        done.map(|()| found)
    }

    /// Includes the remaining tasks, for which only the counting bound is known.
    fn upper(&self) -> Rational {
        let rest = self.tasks[self.next..].iter();
        let rest = rest.map(|task| self.context.at_scale(task.candidate.bound, task.scale));
        rest.fold(self.upper.clone(), Rational::max)
    }

    fn text(&self) -> String {
        let (solved, left) = (self.record.evaluations, self.tasks.len() - self.next);
        let counted = self.counted;
        format!(
            "HiGHS: {solved} integer programs, {counted} ruled out and {left} bounded by counting"
        )
    }
}

impl AttackContext<'_> {
    /// The ratio of a load in units to an optu of `scale`.
    fn at_scale(&self, load: u64, scale: &Rational) -> Rational {
        let load = Rational::new(load, self.uses.scale()).expect("a common unit is not 0");
        load.checked_div(scale).expect("traffic has an optu above 0")
    }

    /// A link between a host and its switch never raises the ratio above 1; other links left out
    /// have a load of at most `load`.
    fn least_ratio(&self, load: u64) -> Rational {
        self.at_scale(load, &self.least_optu()).max(Rational::ONE)
    }
}

/// Values of optu to try, and whether these are all that matter.
fn scales(context: &AttackContext<'_>) -> (Vec<Rational>, bool) {
    let tree = match (&context.optu, context.topology().tree()) {
        (Optu::Constant(optu), _) => return (vec![optu.clone()], !context.is_rough),
        (Optu::Cuts(_), Some(tree)) => tree,
        _ => return (vec![Rational::ONE], false),
    };
    match optu_values(tree, MAX_SCALES) {
        Some(values) => (values.into_iter().collect(), true),
        None => (vec![context.least_optu()], false),
    }
}

impl Task<'_> {
    fn solve(
        &self,
        context: &AttackContext<'_>,
        progress: &Progress,
    ) -> Result<Answer, AdversaryError> {
        let program = self.program(context);
        let seconds = progress.time_left().map_or(SECONDS, |left| left.as_secs_f64().min(SECONDS));
        let settings = Settings { seconds, ..Settings::default() };
        let none = |given_up| Answer { pairs: Vec::new(), bound: None, given_up };
        let outcome = match interruptible(program, settings, progress) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return Ok(none(true)),
            Err(SolveError::Failed(_)) => return Ok(none(false)),
            Err(error) => return Err(error.into()),
        };
        let chosen = |value: &f64| outcome.feasible && *value > 0.5;
        let pairs = self.candidate.pairs.iter().zip(&outcome.columns);
        let pairs = disjoint(pairs.filter(|(_, value)| chosen(value)).map(|(pair, _)| *pair));
        // Loads are whole units, so the fraction of a unit in a float bound is noise.
        let units = |bound: f64| rounded((-bound * unit_of(context) + 1e-3).floor());
        let bound = outcome.dual_bound.filter(|b| b.is_finite()).map(units);
        Ok(Answer { pairs, bound, given_up: false })
    }

    fn program(&self, context: &AttackContext<'_>) -> LinearProgram {
        let mut program = LinearProgram::default();
        let mut rows: BTreeMap<(u8, u32), Vec<(usize, f64)>> = BTreeMap::new();
        for ((s, d), units) in self.candidate.pairs.iter().zip(&self.candidate.units) {
            let cost = -(*units as f64) / unit_of(context);
            let column = program.add_column(Column { cost, lower: 0.0, upper: 1.0, integer: true });
            rows.entry((0, *s)).or_default().push((column, 1.0));
            rows.entry((1, *d)).or_default().push((column, 1.0));
            let limit = |id, units: u64| {
                rows.entry((2, id))
                    .or_default()
                    .push((column, units as f64 / context.optu.scale() as f64));
            };
            match &context.optu {
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
fn unit_of(context: &AttackContext<'_>) -> f64 {
    context.uses.scale() as f64
}

/// The pairs, without those whose source or destination occurred before.
fn disjoint(pairs: impl Iterator<Item = (Host, Host)>) -> Vec<(Host, Host)> {
    let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
    pairs.filter(|(s, d)| sources.insert(*s) && destinations.insert(*d)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_of_trees() {
        let of = |topology: &str| {
            let instance = Instance::named(topology, "dmodk").unwrap();
            let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
            let (scales, complete) = scales(&context);
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
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let mut incremental = IncrementalLoads::new(&context);
        // Two hosts of a leaf send to the first hosts of two other leaves: root 0.
        let value = incremental.measure(&[(0, 8), (1, 16)]);
        assert_eq!(context.ratio(value), Rational::from(2));
    }
}
