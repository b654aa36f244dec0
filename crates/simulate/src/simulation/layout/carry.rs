//! Store-and-forward: messages wait at processors until a wire is free.

use std::collections::VecDeque;

use super::routes::{Channels, paths};
use super::{Layout, LayoutError};
use crate::prelude::*;
use crate::simulation::Ledger;

/// Maximum number of messages that are carried: each is held with its path.
const MAX_MESSAGES: u64 = 1 << 20;

/// Outcome of carrying messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The steps until the last message arrived.
    pub steps: u64,
    /// Wires that messages took, in all steps.
    pub hops: u64,
    /// The most messages that waited for one link in one direction.
    pub queue: u64,
    /// The counts of the whole run.
    pub ledger: Ledger,
}

/// Delivers messages (source, destination, number): in every step a wire takes one message in each
/// direction, and of those that wait for a link those that came first continue. Paths are by dimension
/// order on meshes, and shortest ones on other networks. Messages of a processor to itself are left
/// out. O(messages·diameter + channels·steps), where paths are searched O(messages·links) before that.
///
/// # Errors
/// [`LayoutError`], also where the work was stopped.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::simulation::layout::{Layout, carry};
/// // Along a side of the square, 0, 1, 4, 5, one behind the other.
/// let mesh = Layout::named("mesh2", 16, 1)?;
/// let found = carry(&mesh, [(0, 5, 1), (1, 5, 1)], &Progress::silent())?;
/// assert_eq!((found.steps, found.hops), (3, 5));
/// # Ok::<(), routebound::simulation::layout::LayoutError>(())
/// ```
pub fn carry(
    layout: &Layout,
    messages: impl IntoIterator<Item = (Host, Host, u64)>,
    progress: &Progress,
) -> Result<Carried, LayoutError> {
    let pairs = listed(layout, messages)?;
    let channels = Channels::of(layout);
    let mut queues = Queues {
        paths: paths(layout, &channels, &pairs)?,
        waiting: vec![VecDeque::new(); channels.to.len()],
        moved: Vec::new(),
    };
    let mut found = Carried::default();
    found.ledger.inject(pairs.len() as u64);
    for (message, path) in (0..).zip(&queues.paths) {
        if let Some(channel) = path.first() {
            queues.waiting[*channel as usize].push_back((message, 1));
        }
    }
    let mut waiting = queues.count(&mut found);
    while waiting > 0 {
        progress.check()?;
        let delivered = queues.step(layout.wires, &mut found);
        waiting = queues.count(&mut found);
        found.steps += 1;
        found.ledger.close(delivered, 0, waiting)?;
    }
    Ok(found)
}

/// Messages one by one.
fn listed(
    layout: &Layout,
    messages: impl IntoIterator<Item = (Host, Host, u64)>,
) -> Result<Vec<(Host, Host)>, LayoutError> {
    let mut pairs = Vec::new();
    let hosts = layout.hosts;
    for (s, d, count) in messages.into_iter().filter(|(s, d, _)| s != d) {
        if s.max(d) >= host_number(hosts) {
            return Err(LayoutError::UnknownHost { s, d, hosts });
        }
        let total = pairs.len() as u128 + u128::from(count);
        within("number of messages", Some(total), MAX_MESSAGES, "send fewer messages")?;
        pairs.extend((0..count).map(|_| (s, d)));
    }
    Ok(pairs)
}

/// The messages that wait, by channel: their numbers, and how much of their paths lies behind them
/// when they have passed it.
struct Queues {
    paths: Vec<Vec<u32>>,
    waiting: Vec<VecDeque<(u32, u32)>>,
    /// What passed a channel in this step, in the order of the channels.
    moved: Vec<(u32, u32)>,
}

impl Queues {
    /// One step; returns how many messages arrived.
    fn step(&mut self, wires: u64, found: &mut Carried) -> u64 {
        self.moved.clear();
        for queue in &mut self.waiting {
            let passing = wires.min(queue.len() as u64);
            self.moved.extend(queue.drain(..as_size(passing)));
        }
        found.hops += self.moved.len() as u64;
        let mut delivered = 0;
        for (message, behind) in &self.moved {
            match self.paths[*message as usize].get(*behind as usize) {
                Some(channel) => {
                    self.waiting[*channel as usize].push_back((*message, behind + 1));
                }
                None => delivered += 1,
            }
        }
        delivered
    }

    /// The messages that wait now.
    fn count(&self, found: &mut Carried) -> u64 {
        let lengths = || self.waiting.iter().map(|queue| queue.len() as u64);
        found.queue = found.queue.max(lengths().max().unwrap_or(0));
        lengths().sum()
    }
}
