#![doc = include_str!("OFFLINE.md")]

mod by_load;
mod by_wires;
mod check;
mod ends;
mod exact;
mod forest;
mod pieces;
mod plan;
mod schedule;
mod taken;

pub use check::ScheduleError;
pub use exact::{MAX_CYCLES, MAX_SEARCHED};
pub use plan::{Method, Plan};
pub use schedule::{Schedule, Share};

use super::{DeliveryError, Messages};
use crate::channel_tree::{DOWN, NoWires, UP, WireTree};
use crate::prelude::*;
use by_load::by_load;
use by_wires::by_wires;
use ends::{Ends, ceil_load_factor};

/// Maximum number of pieces of entries, and of shares of a schedule: some 800 MB.
pub const MAX_SHARES: u64 = 1 << 25;

/// Entries times cycles up to which a schedule is made by load: a minute or so.
const MAX_WORK: u64 = 1 << 30;

/// The random order of messages comes from this stream; those of the nodes have lower numbers.
const ORDER: u64 = 1 << 63;

/// Options of the search for a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Options {
    /// Seed of the order of messages.
    pub seed: u64,
    /// Messages that the search for the fewest cycles may place, again and again; 0 for no search.
    pub steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, steps: 100_000 }
    }
}

/// The shortest schedule found, and how short a schedule may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// No schedule has fewer cycles: ⌈λ(M)⌉, or more if a search has shown that.
    pub lower: u64,
    /// ⌈λ(M)⌉.
    pub load_factor: u64,
    /// The schedule.
    pub schedule: Schedule,
    /// Method by which it was made.
    pub method: Method,
    /// Whether the work came to its end; a stop keeps what is known.
    pub is_complete: bool,
}

impl Planned {
    /// Whether no schedule is shorter than this one.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.schedule.length() <= self.lower
    }
}

/// A short schedule: of at most max(1, 4⌈λ(M)⌉ − 5) cycles, unless the work is stopped before, or the
/// messages need more than [`MAX_SHARES`] wires at their hosts. Where that is longer than ⌈λ(M)⌉, one is
/// made by load, if entries times cycles are not too many. Where that is longer, too, the fewest cycles
/// are searched for, up to [`MAX_SEARCHED`] messages and [`MAX_CYCLES`] cycles.
///
/// # Errors
/// [`DeliveryError::UnknownHost`] when an end of a message is not on the tree,
/// [`DeliveryError::NoWires`] when a message has to pass a channel without wires.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::WireTree;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::Messages;
/// use routebound::simulation::delivery::offline::{Options, schedule};
/// use routebound::{topology::UniversalShape, traffic};
/// let shape = UniversalShape::named("universal(16)")?.ok_or("another family")?;
/// let tree = WireTree::universal(&shape);
/// // Eight times 2^40 messages from each half to the other, over channels of four wires.
/// let messages = Messages::of(&traffic::generate("shift(8)", 16)?.into_demands())?.times(1 << 40)?;
/// let planned = schedule(&tree, &messages, Options::default(), &Progress::silent())?;
/// planned.schedule.check(&tree, &messages)?;
/// assert_eq!((planned.lower, planned.schedule.length()), (2 << 40, 2 << 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn schedule(
    tree: &WireTree,
    messages: &Messages,
    options: Options,
    progress: &Progress,
) -> Result<Planned, DeliveryError> {
    let ends = Ends::of(tree, messages)?;
    let loads = ends.loads(tree);
    has_wires(tree, &loads)?;
    let load_factor = ceil_load_factor(tree, &loads);
    drop(loads);
    let mut planning =
        Planning { tree, ends: &ends, options, work: MAX_WORK, lower: load_factor, best: None };
    planning.wires(progress);
    planning.load(progress);
    planning.search(progress);
    let Planning { lower, best, .. } = planning;
    let (schedule, method) =
        best.unwrap_or_else(|| (Schedule::one_by_one(messages), Method::OneByOne));
    let is_complete = schedule.length() <= lower || !progress.cancelled();
    Ok(Planned { lower, load_factor, schedule, method, is_complete })
}

/// Whether every channel that messages pass has a wire.
fn has_wires(tree: &WireTree, loads: &[[u64; 2]]) -> Result<(), NoWires> {
    for (rank, loads) in (0..).zip(loads) {
        for way in [UP, DOWN] {
            if loads[way] > 0 && tree.wires(rank)[way] == 0 {
                let channel = tree.channel(rank, way);
                return Err(NoWires { channel, capacity: Rational::ZERO });
            }
        }
    }
    Ok(())
}

/// State of the search for a schedule.
struct Planning<'a> {
    tree: &'a WireTree,
    ends: &'a Ends,
    options: Options,
    /// Entries times cycles up to which a schedule is made by load.
    work: u64,
    lower: u64,
    best: Option<(Schedule, Method)>,
}

impl Planning<'_> {
    /// The length of the best schedule; one message after the other is always possible.
    fn upper(&self) -> u64 {
        let best = self.best.as_ref().map(|(schedule, _)| schedule.length());
        best.unwrap_or_else(|| self.ends.count.iter().sum())
    }

    fn keep(&mut self, schedule: Schedule, method: Method) {
        if schedule.length() <= self.upper() {
            self.best = Some((schedule, method));
        }
    }

    fn wires(&mut self, progress: &Progress) {
        let streams = Streams::new(self.options.seed);
        // What does not fit or was stopped leaves what is known.
        if let Ok(schedule) = by_wires(self.tree, self.ends, &streams, progress) {
            self.keep(schedule, Method::Wires);
        }
    }

    fn load(&mut self, progress: &Progress) {
        let (upper, entries) = (self.upper(), self.ends.entries() as u64);
        if upper <= self.lower {
            return;
        }
        // A cycle that is not repeated sends the last messages of an entry, or is followed by another
        // order of messages.
        let is_much = |cycles: u64| entries * cycles.min(2 * entries + 1024) > self.work;
        // Rounding up adds one message of each entry, which may be as many cycles again.
        let most = self.work / entries;
        let unit = if is_much(self.lower) { self.lower.div_ceil(most / 2 + 1) } else { 1 };
        let units = self.ends.in_units(unit);
        let cycles = ceil_load_factor(self.tree, &units.loads(self.tree));
        if self.best.is_some() && is_much(cycles) {
            return;
        }
        let mut random = Streams::new(self.options.seed).at(ORDER);
        let limit = (upper - 1) / unit + 1;
        if let Some(found) = by_load(self.tree, &units, limit, &mut random, progress) {
            self.keep(found.stretched(unit, &self.ends.count), Method::Load);
        }
    }

    fn search(&mut self, progress: &Progress) {
        let (from, limit, steps) = (self.lower, self.upper(), self.options.steps);
        let found = exact::search(self.tree, self.ends, from, limit, steps, progress);
        self.lower = found.lower;
        if let Some(schedule) = found.schedule {
            self.keep(schedule, Method::Search);
        }
    }
}

#[cfg(test)]
mod tests;
