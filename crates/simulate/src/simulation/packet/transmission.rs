//! From output queue to input queue: when packets are on their links.

use super::engine::Engine;
use super::packets::Packet;
use super::ports::{Coming, Queued, UNKNOWN};
use super::wheel::Event;
use crate::topology::LinkId;

impl Engine<'_> {
    /// The packet at the head of the queue behind a link leaves it, until `end`.
    pub(super) fn leave(&mut self, link: LinkId, end: u64) {
        self.ports.take(link, end + u64::from(self.model.fly));
        self.ports.at_mut(link).head = end;
        if let Some(head) = self.ports.head(link) {
            self.wheel.push(head.ready.max(end), Event::Request(link));
        }
    }

    /// Fixes the transmission of the packets of an output queue for which there are credits.
    pub(super) fn send(&mut self, link: LinkId) {
        let fly = u64::from(self.model.fly);
        while let Some(Queued { packet, header, tail }) = self.ports.front(link) {
            let credit = self.ports.credit(link);
            if credit == UNKNOWN {
                break;
            }
            let Packet { what, hops, .. } = *self.packets.at(packet);
            let begin = header.max(credit).max(self.ports.at(link).link);
            let cycles = self.fabric.cycles(link, what.flits);
            // A fast link after a slow one waits for the last flit.
            let end = (begin + cycles).max(tail + 1);
            self.measures.carried(link, begin, end);
            let moved = self.packets.at_mut(packet);
            moved.hops += 1;
            if hops == 0 {
                moved.injected = begin;
            }
            self.ports.sent(link, end);
            self.come(link, packet, begin + 1 + fly, end + fly);
        }
        if self.is_wanted(link) {
            self.wake_later(link);
        }
    }

    /// A packet comes over a link: its header at the first time, its last flit at the second.
    fn come(&mut self, link: LinkId, id: u32, header: u64, tail: u64) {
        let is_head = self.ports.head(link).is_none();
        let is_there = self.packets.at(id).what.destination == self.fabric.to[link as usize];
        let routing = if is_there { 0 } else { u64::from(self.model.routing) };
        let coming = Coming { packet: id, ready: header + routing, tail };
        self.ports.come(link, coming);
        if !is_head {
            return;
        }
        let ready = coming.ready.max(self.ports.at(link).head);
        if is_there {
            self.eject(link, Coming { ready, ..coming });
        } else {
            self.wheel.push(ready, Event::Request(link));
        }
    }

    /// The packet at the head of the queue behind a link is at its destination, and leaves the network
    /// from the cycle in which it is ready on.
    pub(super) fn eject(&mut self, link: LinkId, head: Coming) {
        let cycles = self.fabric.cycles(link, self.packets.at(head.packet).what.flits);
        let end = head.tail.max(head.ready + cycles - 1);
        self.wheel.push(end, Event::Arrive(head.packet));
        self.leave(link, end);
    }

    /// Whether a packet waits that might take an output.
    fn is_wanted(&self, output: LinkId) -> bool {
        self.ports.at(output).waiting > 0
            || self.waiting.undecided(self.fabric.from[output as usize]) > 0
    }

    /// Looks at an output again when it is free, if that is known.
    pub(super) fn wake_later(&mut self, output: LinkId) {
        let at = self.free(output);
        if at != UNKNOWN && at < self.ports.at(output).wake && at > self.now() {
            self.ports.at_mut(output).wake = at;
            self.wheel.push(at, Event::Wake(output));
        }
    }
}
