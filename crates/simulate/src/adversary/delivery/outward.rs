//! Messages out of the root of a fat-tree, sent by GREEDY one cycle after the other.

use crate::channel_tree::WireTree;
use crate::prelude::*;
use crate::simulation::delivery::{Concentrators, DeliveryError, Messages, Network, Run, Settings};

/// `counts` messages from the hosts of a tree, by host, to the outside world, the host after them.
pub(super) fn messages(counts: &[u64]) -> Result<Messages, DeliveryError> {
    let outside = host_number(counts.len());
    Messages::listed((0..).zip(counts).map(|(host, count)| (host, outside, *count)))
}

/// Sends `counts` messages, by host, out of the root of the tree of a shape. After every cycle `see`
/// gets what every host has left; it returns whether to continue.
pub(super) fn send(
    tree: &WireTree,
    counts: &[u64],
    settings: Settings,
    progress: &Progress,
    see: &mut dyn FnMut(&[u64]) -> bool,
) -> Result<(), DeliveryError> {
    let messages = messages(counts)?;
    let mut network = Concentrators::new(tree);
    // Entries are in the order in which hosts inject.
    let mut sources: Vec<usize> = (0..counts.len()).filter(|host| counts[*host] > 0).collect();
    sources.sort_by_key(|host| network.injection_rank(index32(*host)));
    let mut run = Run::new(&mut network, &messages, settings, progress)?;
    let mut left = counts.to_vec();
    while !run.is_done() {
        run.send_all()?;
        for (entry, host) in (0..).zip(&sources) {
            left[*host] = run.outbox().left(entry);
        }
        if !see(&left) {
            break;
        }
    }
    Ok(())
}
