//! Networks of delivery cycles: each takes messages, and says which have arrived.

use super::DeliveryError;
use super::flight::Flight;
use super::loss::{Congested, LossRule};
use super::messages::Messages;
use crate::channel_tree::WireTree;
use crate::prelude::*;

/// Messages of one entry, of which some are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The entry, by the place of its source in the order of injection.
    pub entry: u32,
    /// Number of its messages, at least 1.
    pub count: u64,
}

/// A network on which messages attempt to establish paths.
pub trait Network {
    /// One delivery cycle: injects `parts`, ascending by entry, and adds what arrived to `arrived`.
    fn cycle(&mut self, parts: &[Part], rules: &mut Rules<'_>, arrived: &mut Vec<Part>);

    /// The order in which hosts inject: entries are numbered by it.
    fn injection_rank(&self, host: Host) -> u32;

    /// Number of hosts.
    fn hosts(&self) -> usize;

    /// The tree whose channels have ideal concentrators, if it is one.
    fn tree(&self) -> Option<&WireTree> {
        None
    }

    /// Tells the ends of the entries, in their order, before the first cycle.
    fn prepare(&mut self, ends: Vec<(Host, Host)>);
}

/// Rules of a cycle: which messages are lost, and random bits.
pub struct Rules<'r> {
    /// The rule that chooses which messages continue where too many reach a channel.
    pub loss: &'r mut dyn LossRule,
    /// The random numbers of this cycle.
    pub random: &'r mut Stream,
}

/// Messages in the order in which a network injects them.
pub(super) struct Entries {
    /// Source and destination of every entry.
    pub(super) ends: Vec<(Host, Host)>,
    /// Its number of messages.
    pub(super) counts: Vec<u64>,
}

/// The messages in the order in which the network injects them; what a host sends keeps the order in
/// which it was given. O(pairs + nodes).
pub(super) fn ordered(
    network: &dyn Network,
    messages: &Messages,
) -> Result<Entries, DeliveryError> {
    let hosts = network.hosts();
    let unknown = |(s, d, _): &(Host, Host, u64)| (*s).max(*d) as usize >= hosts;
    if let Some((s, d, _)) = messages.iter().find(unknown) {
        return Err(DeliveryError::UnknownHost { s, d, hosts });
    }
    let rank: Vec<u32> = (0..index32(hosts)).map(|host| network.injection_rank(host)).collect();
    // Where the next entry of every rank belongs.
    let mut next = vec![0_usize; rank.iter().max().map_or(0, |last| *last as usize + 2)];
    for (s, _, _) in messages.iter() {
        next[rank[s as usize] as usize + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let pairs = messages.pairs();
    let mut entries = Entries { ends: vec![(0, 0); pairs], counts: vec![0; pairs] };
    for (s, d, count) in messages.iter() {
        let at = &mut next[rank[s as usize] as usize];
        (entries.ends[*at], entries.counts[*at]) = ((s, d), count);
        *at += 1;
    }
    Ok(entries)
}

/// Moves the flights that the rule lets through a channel to the front; returns their number.
#[inline]
pub(super) fn concentrate(
    flights: &mut [Flight],
    channel: usize,
    wires: u64,
    rules: &mut Rules<'_>,
) -> usize {
    let messages = flights.iter().map(|flight| flight.count).sum();
    concentrate_counted(flights, messages, channel, wires, rules)
}

/// Like [`concentrate`], for flights with `messages` messages in all.
#[inline]
pub(super) fn concentrate_counted(
    flights: &mut [Flight],
    messages: u64,
    channel: usize,
    wires: u64,
    rules: &mut Rules<'_>,
) -> usize {
    if messages <= wires {
        return flights.len();
    }
    rules.loss.choose(Congested { channel, wires, messages }, flights, rules.random)
}
