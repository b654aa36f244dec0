//! The messages that hosts are sending, cut into packets.

use std::collections::VecDeque;

use super::Model;
use super::packets::Outgoing;
use crate::topology::Host;

/// A message that has not left its host.
#[derive(Clone, Copy, Debug)]
struct Sending {
    destination: Host,
    /// Bytes that have not left.
    bytes: u64,
    generated: u64,
    tag: u32,
}

/// The adapters of all hosts.
#[derive(Debug)]
pub(super) struct Adapters {
    queues: Vec<VecDeque<Sending>>,
    packet_bytes: u32,
    flit_bytes: u32,
    interleaved: bool,
}

impl Adapters {
    pub(super) fn new(hosts: usize, model: &Model) -> Self {
        let Model { packet_bytes, flit_bytes, interleaved, .. } = *model;
        Self { queues: vec![VecDeque::new(); hosts], packet_bytes, flit_bytes, interleaved }
    }

    /// Number of packets of a message of `bytes` bytes.
    pub(super) fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.packet_bytes.into()).max(1)
    }

    /// A host has a message to send.
    pub(super) fn push(
        &mut self,
        host: Host,
        destination: Host,
        bytes: u64,
        generated: u64,
        tag: u32,
    ) {
        self.queues[host as usize].push_back(Sending { destination, bytes, generated, tag });
    }

    /// The next packet of a host, and whether it is the last one of its message. With interleaving its
    /// messages take turns, otherwise they follow each other.
    pub(super) fn next(&mut self, host: Host) -> Option<(Outgoing, bool)> {
        let queue = &mut self.queues[host as usize];
        let mut message = queue.pop_front()?;
        let bytes = u32::try_from(message.bytes).unwrap_or(u32::MAX).min(self.packet_bytes);
        message.bytes -= u64::from(bytes);
        let is_last = message.bytes == 0;
        if !is_last && self.interleaved {
            queue.push_back(message);
        } else if !is_last {
            queue.push_front(message);
        }
        let Sending { destination, generated, tag, .. } = message;
        let flits = bytes.div_ceil(self.flit_bytes).max(1);
        Some((Outgoing { destination, flits, generated, tag }, is_last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(interleaved: bool) -> Vec<(u32, u32, bool)> {
        let model = Model { packet_bytes: 100, flit_bytes: 8, interleaved, ..Model::go() };
        let mut adapters = Adapters::new(2, &model);
        adapters.push(1, 0, 250, 0, 7);
        adapters.push(1, 0, 100, 0, 8);
        assert_eq!((adapters.packets(250), adapters.packets(100), adapters.packets(0)), (3, 1, 1));
        std::iter::from_fn(|| adapters.next(1))
            .map(|(packet, is_last)| (packet.tag, packet.flits, is_last))
            .collect()
    }

    #[test]
    fn messages_are_cut_and_take_turns() {
        let one_by_one = [(7, 13, false), (7, 13, false), (7, 7, true), (8, 13, true)];
        assert_eq!(sent(false), one_by_one);
        assert_eq!(sent(true), [(7, 13, false), (8, 13, true), (7, 13, false), (7, 7, true)]);
    }
}
