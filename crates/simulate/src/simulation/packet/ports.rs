//! The queues at both ends of every link, as times: which packet is where, and until when.
//!
//! Packets leave a queue in the order in which they came. So as soon as a packet is let into an output
//! queue, and the one before it has left the input queue beyond the link, all times of its transmission
//! are known: nothing is simulated but the choices at switches. A time that is not known yet is
//! [`UNKNOWN`].

use std::collections::VecDeque;

use super::SimulationError;
use super::fabric::Fabric;
use super::model::Model;
use crate::prelude::*;

/// A time that follows from a choice that has not been made.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// Maximum number of places in all queues.
const MAX_PLACES: u64 = 1 << 27;

/// A packet in an output queue.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queued {
    pub(super) packet: u32,
    /// When its first flit is there.
    pub(super) header: u64,
    /// The cycle after which its last flit is there.
    pub(super) tail: u64,
}

/// A packet in an input queue, or on the cable before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coming {
    pub(super) packet: u32,
    /// When its route is known.
    pub(super) ready: u64,
    /// The cycle after which its last flit is there.
    pub(super) tail: u64,
}

/// The output port of a link and the input port beyond it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    /// Packets let into the output queue so far.
    pub(super) granted: u32,
    /// Packets whose transmission is fixed.
    pub(super) sent: u32,
    /// Packets that have left the input queue beyond.
    pub(super) taken: u32,
    /// The input that was served last.
    pub(super) turn: u32,
    /// Inputs that ask for the output.
    pub(super) waiting: u32,
    /// Until when the crossbar fills the output queue.
    pub(super) crossbar: u64,
    /// Until when the link is busy.
    pub(super) link: u64,
    /// The next event that wakes the output.
    pub(super) wake: u64,
    /// From when on the packet at the head of the input queue beyond may ask for an output.
    pub(super) head: u64,
}

impl Port {
    const IDLE: Self = Self {
        granted: 0,
        sent: 0,
        taken: 0,
        turn: 0,
        waiting: 0,
        crossbar: 0,
        link: 0,
        wake: UNKNOWN,
        head: 0,
    };
}

/// All ports.
#[derive(Debug)]
pub(super) struct Ports {
    states: Vec<Port>,
    output_queue: u32,
    input_queue: u32,
    /// What is in each output queue, the next one to be sent first.
    queued: Vec<VecDeque<Queued>>,
    /// When the packet in a place of an output queue has left.
    left: Vec<u64>,
    /// Whether an output queue has no limit, and its places stand for nothing.
    is_unlimited: Vec<bool>,
    coming: Vec<Coming>,
    /// When the credit for a place of an input queue is back.
    credits: Vec<u64>,
}

impl Ports {
    /// O(links·places). Where switches have queues at their outputs alone, these have no limit.
    pub(super) fn new(fabric: &Fabric, model: &Model) -> Result<Self, SimulationError> {
        let (links, output, input) = (fabric.links(), model.output_queue, model.input_queue);
        let places = links as u128 * (u128::from(output) + u128::from(input));
        let remedy = "simulate a smaller network or shorter queues";
        within("number of places in all queues", Some(places), MAX_PLACES, remedy)?;
        let (outputs, inputs) = (links * output as usize, links * input as usize);
        let is_switch = |node: &NodeId| *node as usize >= fabric.hosts;
        Ok(Self {
            states: vec![Port::IDLE; links],
            output_queue: output,
            input_queue: input,
            queued: vec![VecDeque::new(); links],
            left: vec![0; outputs],
            is_unlimited: fabric.from.iter().map(|n| model.output_queued && is_switch(n)).collect(),
            coming: vec![Coming::default(); inputs],
            credits: vec![0; inputs],
        })
    }

    #[inline]
    pub(super) fn at(&self, link: LinkId) -> &Port {
        &self.states[link as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, link: LinkId) -> &mut Port {
        &mut self.states[link as usize]
    }

    #[inline]
    fn output(&self, link: LinkId, number: u32) -> usize {
        link as usize * self.output_queue as usize + (number % self.output_queue) as usize
    }

    #[inline]
    fn input(&self, link: LinkId, number: u32) -> usize {
        link as usize * self.input_queue as usize + (number % self.input_queue) as usize
    }

    /// From when on the output queue has a place, which may be past.
    #[inline]
    pub(super) fn place(&self, link: LinkId) -> u64 {
        if self.is_unlimited[link as usize] {
            return 0;
        }
        self.left[self.output(link, self.at(link).granted)]
    }

    /// When the credit for the next packet over the link is there.
    #[inline]
    pub(super) fn credit(&self, link: LinkId) -> u64 {
        self.credits[self.input(link, self.at(link).sent)]
    }

    /// Puts a packet into the output queue, which has a place.
    #[inline]
    pub(super) fn enter(&mut self, link: LinkId, packet: Queued) {
        let at = self.output(link, self.at(link).granted);
        self.queued[link as usize].push_back(packet);
        self.left[at] = UNKNOWN;
        self.at_mut(link).granted += 1;
    }

    /// The next packet to be sent over the link, if there is one.
    #[inline]
    pub(super) fn front(&self, link: LinkId) -> Option<Queued> {
        self.queued[link as usize].front().copied()
    }

    /// Fixes the transmission of that packet, until `end`; [`Self::come`] follows.
    #[inline]
    pub(super) fn sent(&mut self, link: LinkId, end: u64) {
        let at = self.output(link, self.at(link).sent);
        self.left[at] = end;
        self.queued[link as usize].pop_front();
        self.at_mut(link).link = end;
    }

    /// The packet that was sent comes into the input queue beyond.
    #[inline]
    pub(super) fn come(&mut self, link: LinkId, coming: Coming) {
        let at = self.input(link, self.at(link).sent);
        self.coming[at] = coming;
        self.credits[at] = UNKNOWN;
        self.at_mut(link).sent += 1;
    }

    /// The packet at the head of the input queue beyond a link, or on its way there.
    #[inline]
    pub(super) fn head(&self, link: LinkId) -> Option<Coming> {
        let port = self.at(link);
        (port.taken != port.sent).then(|| self.coming[self.input(link, port.taken)])
    }

    /// Takes it out; its place is known to be free again, at the other end, from `credit` on.
    #[inline]
    pub(super) fn take(&mut self, link: LinkId, credit: u64) {
        let at = self.input(link, self.at(link).taken);
        self.credits[at] = credit;
        self.at_mut(link).taken += 1;
    }

    /// Packets in the output queue and, as far as credits tell, in the input queue beyond, in a cycle.
    pub(super) fn load(&self, link: LinkId, now: u64) -> u32 {
        let count = |times: &[u64], used: u32| {
            let held = times.iter().take(used as usize).filter(|time| **time > now).count();
            u32::try_from(held).unwrap_or(u32::MAX)
        };
        let port = self.at(link);
        let (output, input) = (self.output(link, 0), self.input(link, 0));
        let (outputs, inputs) = (self.output_queue, self.input_queue);
        count(&self.left[output..][..outputs as usize], port.granted.min(outputs))
            + count(&self.credits[input..][..inputs as usize], port.sent.min(inputs))
    }

    /// Whether no queue of a link holds a packet, and all credits are back by `now` or on their way.
    pub(super) fn is_idle(&self, link: LinkId) -> bool {
        let port = self.at(link);
        let (output, input) = (self.output(link, 0), self.input(link, 0));
        let known = |times: &[u64]| times.iter().all(|time| *time != UNKNOWN);
        port.granted == port.sent
            && port.sent == port.taken
            && known(&self.left[output..][..self.output_queue as usize])
            && known(&self.credits[input..][..self.input_queue as usize])
    }
}
