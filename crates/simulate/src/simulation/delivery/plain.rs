//! Delivery cycles on a tree of channels (\[GL\] 2), one message at a time: the plain simulator
//! that faster ones are compared with.
//!
//! In every cycle all messages that are not yet delivered are sent; this is GREEDY of \[GL\] 5. Each
//! attempts to establish a path. Where more messages reach a channel than it has wires, as many as
//! it has wires continue and the others are lost, to be sent again in the next cycle; with fewer, none
//! is lost: concentrators are ideal. A message that gets lost has taken wires up to there in vain.

use std::collections::HashMap;

use rand::seq::SliceRandom;

use super::DeliveryError;
use crate::channel_tree::{Channel, ChannelTree, NoWires};
use crate::prelude::*;
use crate::simulation::Ledger;
use crate::topology::Direction;
use crate::traffic::Demand;

/// Maximum number of channels on the paths of all messages together: some 200 MB, and a tenth of a second per
/// cycle.
pub const MAX_HOPS: u64 = 1 << 22;

/// The rule for the messages that continue where more reach a channel than it has wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The messages with the lowest numbers.
    Lowest,
    /// Every set of as many as there are wires with the same probability, for every channel and
    /// cycle anew.
    Random {
        /// Seed of the choices.
        seed: u64,
    },
}

/// Outcome of the plain simulator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Number of messages delivered in each cycle, at least 1; as many entries as cycles.
    pub delivered: Vec<u64>,
    /// The counts of the whole simulation.
    pub ledger: Ledger,
}

/// Sends all messages until each is delivered. The amount of a demand is its number of messages;
/// messages are numbered in the order of the demands. At least one is delivered per cycle.
/// O(cycles · (channels + channels on the paths of undelivered messages)).
///
/// # Errors
/// [`DeliveryError`], [`DeliveryError::TooLarge`] above [`MAX_HOPS`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::plain::{Rule, deliver};
/// use routebound::{channel_tree::ChannelTree, topology::generate, traffic};
/// let tree = ChannelTree::of(&generate("universal(16)")?).ok_or("no tree")?;
/// // Eight messages from each half to the other, over channels of four wires.
/// let messages = traffic::generate("shift(8)", 16)?;
/// let found = deliver(&tree, messages.demands(), Rule::Lowest, &Progress::silent())?;
/// assert_eq!(found.delivered, [8, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deliver(
    tree: &ChannelTree,
    messages: &[Demand],
    rule: Rule,
    progress: &Progress,
) -> Result<Delivery, DeliveryError> {
    let network = Network::of(tree, messages)?;
    let streams = match rule {
        Rule::Lowest => None,
        Rule::Random { seed } => Some(Streams::new(seed)),
    };
    run(network.paths.len(), progress, |cycle, waiting| {
        network.send(waiting, |channel, reached| {
            // There are fewer than 2^32 channels.
            if let Some(streams) = &streams {
                reached.shuffle(&mut streams.at(cycle << 32 | channel as u64));
            }
        })
    })
}

/// Cycles of `send`, which gets the number of the cycle and the messages that wait, until none does.
fn run(
    messages: usize,
    progress: &Progress,
    mut send: impl FnMut(u64, &[u32]) -> Sent,
) -> Result<Delivery, DeliveryError> {
    let mut found = Delivery::default();
    let mut waiting: Vec<u32> = (0..index32(messages)).collect();
    found.ledger.inject(messages as u64);
    while !waiting.is_empty() {
        progress.check()?;
        let Sent { delivered, lost } = send(found.ledger.cycles(), &waiting);
        found.ledger.close(delivered, lost.len() as u64, lost.len() as u64)?;
        found.delivered.push(delivered);
        progress.inc(delivered);
        waiting = lost;
    }
    Ok(found)
}

/// Outcome of one cycle.
struct Sent {
    delivered: u64,
    lost: Vec<u32>,
}

/// The messages on the tree. Channels are numbered in an order in which every path crosses them:
/// up, deepest first, then down.
struct Network {
    wires: Vec<u64>,
    /// The channels on the path of every message.
    paths: Vec<Vec<u32>>,
}

impl Network {
    fn of(tree: &ChannelTree, messages: &[Demand]) -> Result<Self, DeliveryError> {
        let order = tree.order().get(1..).unwrap_or_default();
        let up = order.iter().rev().map(|below| (*below, Direction::Up));
        let all = up.chain(order.iter().map(|below| (*below, Direction::Down)));
        let (mut wires, mut numbers) = (Vec::new(), HashMap::new());
        for (below, direction) in all {
            let channel = Channel { below, direction };
            let capacity = tree.capacity(channel);
            let whole = capacity.scaled(1).filter(|whole| *whole > 0);
            let no_wires = || NoWires { channel, capacity: capacity.clone() };
            numbers.insert(channel, index32(wires.len()));
            wires.push(whole.ok_or_else(no_wires)?);
        }
        let mut network = Self { wires, paths: Vec::new() };
        let mut hops = 0_u128;
        for Demand { s, d, amount } in messages {
            let (s, d, hosts) = (*s, *d, tree.hosts());
            if s.max(d) as usize >= hosts {
                return Err(DeliveryError::UnknownHost { s, d, hosts });
            }
            let no_messages = || DeliveryError::NoMessages { s, d, amount: amount.clone() };
            let count = amount.scaled(1).ok_or_else(no_messages)?;
            let path: Vec<u32> = tree.path(s, d).iter().map(|channel| numbers[channel]).collect();
            // A message from a host to itself is on no channel, but takes memory.
            hops += u128::from(count) * path.len().max(1) as u128;
            let what = "number of channels on the paths of all messages";
            within(what, Some(hops), MAX_HOPS, "send fewer messages at once")?;
            network.paths.extend(std::iter::repeat_n(path, as_size(count)));
        }
        Ok(network)
    }

    /// One cycle. Where too many messages reach a channel, ascending, `arrange` puts those first
    /// that continue.
    fn send(&self, waiting: &[u32], mut arrange: impl FnMut(usize, &mut [u32])) -> Sent {
        let mut through = vec![Vec::new(); self.wires.len()];
        for message in waiting {
            for channel in &self.paths[*message as usize] {
                through[*channel as usize].push(*message);
            }
        }
        let mut is_lost = vec![false; self.paths.len()];
        for (channel, mut reached) in through.into_iter().enumerate() {
            reached.retain(|message| !is_lost[*message as usize]);
            let wires = self.wires[channel];
            if reached.len() as u64 > wires {
                arrange(channel, &mut reached);
                for message in &reached[as_size(wires)..] {
                    is_lost[*message as usize] = true;
                }
            }
        }
        let (lost, delivered): (Vec<u32>, Vec<u32>) =
            waiting.iter().partition(|message| is_lost[**message as usize]);
        Sent { delivered: delivered.len() as u64, lost }
    }
}

#[cfg(test)]
mod tests;
