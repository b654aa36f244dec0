//! Local search from one order to the next: exchanges, reversals and moves of ranks.
//!
//! A step exchanges the nodes of two ranks, reverses a segment of ranks, or moves a rank past its
//! neighbours. A climb keeps a step unless cost, or at the same cost the sum of the fourth powers of all
//! loads, gets worse. Annealing goes by that sum alone, and at first also accepts steps against it, by less than a
//! random part of a threshold that falls to zero (threshold accepting: Dueck and Scheuer, J. Comput. Phys. 90,
//! 1990). Every order visited counts as found.

use rand::RngExt;

use super::state::{Score, State};
use crate::integer::{as_size, index32};
use crate::jobs::collectives::Rank;
use crate::progress::Progress;
use crate::sampling::Stream;

/// Goal of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An order that costs as much as possible.
    Worst,
    /// One that costs as little as possible.
    Best,
}

/// Steps between checks of the clock.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// Maximum number of ranks of a segment.
const SEGMENT: usize = 32;

/// The initial threshold, as a fraction of the sum.
const THRESHOLD: f64 = 0.2;

/// The best order of some, and how many were evaluated.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) score: Score,
    pub(super) nodes: Vec<u32>,
    pub(super) evaluations: u64,
}

/// The walks of a search, and what they share.
pub(super) struct Walk<'p> {
    pub(super) goal: Goal,
    pub(super) steps: u64,
    pub(super) progress: &'p Progress,
}

/// A step, which can be undone.
#[derive(Default)]
struct Step {
    ranks: Vec<Rank>,
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Goal {
    /// Whether the first value is better than the second, in the sense of the goal.
    pub(super) fn prefers<T: Ord>(self, one: &T, other: &T) -> bool {
        match self {
            Self::Worst => one > other,
            Self::Best => one < other,
        }
    }
}

impl Record {
    /// The walk of the present order alone.
    pub(super) fn of(state: &State<'_>) -> Self {
        Self { score: state.score(), nodes: state.nodes().to_vec(), evaluations: 1 }
    }

    /// Counts one more evaluation.
    pub(super) fn see(&mut self, goal: Goal, score: Score, state: &State<'_>) {
        self.evaluations += 1;
        if goal.prefers(&score, &self.score) {
            self.score = score;
            self.nodes.copy_from_slice(state.nodes());
        }
    }

    /// Adds the evaluations that came after, and says whether the best is among them.
    pub(super) fn append(&mut self, goal: Goal, later: Self) -> bool {
        self.evaluations += later.evaluations;
        let is_better = goal.prefers(&later.score, &self.score);
        if is_better {
            (self.score, self.nodes) = (later.score, later.nodes);
        }
        is_better
    }
}

impl Walk<'_> {
    /// Walks from a start, which is evaluated in any case.
    pub(super) fn run(
        &self,
        state: &mut State<'_>,
        start: &[u32],
        anneals: bool,
        generator: &mut Stream,
    ) -> Record {
        state.set(start);
        let (mut record, mut step) = (Record::of(state), Step::default());
        let mut current = (state.score(), state.energy());
        for number in 0..self.steps {
            if number.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.progress.cancelled() {
                break;
            }
            step.draw(state.nodes(), generator);
            state.place(&step.ranks, &step.after);
            let new = (state.score(), state.energy());
            record.see(self.goal, new.0, state);
            let keep = if anneals {
                let left = (self.steps - number) as f64 / self.steps as f64;
                self.accepts(new.1, current.1, THRESHOLD * left * generator.random::<f64>())
            } else {
                !self.goal.prefers(&current, &new)
            };
            if keep {
                current = new;
            } else {
                state.place(&step.ranks, &step.before);
            }
        }
        self.progress.inc(record.evaluations);
        record
    }

    /// Whether annealing accepts a sum that may be worse by this part.
    fn accepts(&self, new: u128, current: u128, part: f64) -> bool {
        let (new, current) = (new as f64, current as f64);
        match self.goal {
            Goal::Worst => new >= current * (1.0 - part),
            Goal::Best => new <= current * (1.0 + part),
        }
    }
}

impl Step {
    /// Draws a step from an order of at least two ranks.
    fn draw(&mut self, nodes: &[u32], generator: &mut Stream) {
        let count = nodes.len();
        let first = generator.random_range(0..index32(count));
        let kind = generator.random_range(0..4);
        let length = match kind {
            0 | 1 => 2,
            _ => generator.random_range(2..=index32(count.min(SEGMENT))),
        };
        self.ranks.clear();
        if kind < 2 {
            let other = (first + generator.random_range(1..index32(count))) % index32(count);
            self.ranks.extend([first, other]);
        } else {
            let at = |offset: u32| index32((first as usize + as_size(offset.into())) % count);
            self.ranks.extend((0..length).map(at));
        }
        self.before.clear();
        self.before.extend(self.ranks.iter().map(|rank| nodes[*rank as usize]));
        self.after.clone_from(&self.before);
        match kind {
            0..=2 => self.after.reverse(),
            _ if generator.random() => self.after.rotate_left(1),
            _ => self.after.rotate_right(1),
        }
    }
}
