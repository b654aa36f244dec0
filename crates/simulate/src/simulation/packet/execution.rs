//! Programs: operations of ranks that wait for each other, rank r on host r.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::adapter::Adapters;
use super::packets::Outgoing;
use super::replay::MAX_PACKETS;
use super::source::{Offer, Source};
use super::{Model, SimulationError};
use crate::prelude::*;
use crate::simulation::workload::{Operation, Place, Program};

/// State of an operation: what it waits for, and which wait for it.
#[derive(Clone, Debug, Default)]
struct State {
    /// Operations of the rank that have to end, or to start, before it starts.
    waits: u32,
    has_started: bool,
    /// Packets that have not left, of a send, or not arrived, of a receive.
    packets: u32,
    /// Operations that wait for its end, and for its start.
    after_end: Vec<u32>,
    after_start: Vec<u32>,
}

/// The hosts execute a program.
#[derive(Debug)]
pub struct Execution<'p> {
    program: &'p Program,
    model: &'p Model,
    adapters: Adapters,
    states: Vec<State>,
    /// Number of the first operation of each rank.
    first: Vec<u32>,
    /// When computations of each rank end.
    timers: Vec<BinaryHeap<Reverse<(u64, u32)>>>,
    /// Operations that start now, of one rank.
    starting: Vec<u32>,
    /// When the last operation ended, and how many have.
    end: u64,
    ended: u64,
}

impl<'p> Execution<'p> {
    /// Prepares a program for a network of at least as many hosts as it has ranks. O(operations + dependencies).
    ///
    /// # Errors
    /// [`SimulationError::TooLarge`] for more than [`MAX_PACKETS`] packets.
    pub fn new(
        program: &'p Program,
        hosts: usize,
        model: &'p Model,
    ) -> Result<Self, SimulationError> {
        let adapters = Adapters::new(hosts.max(program.ranks().len()), model);
        let all = program.ranks().iter().flat_map(|rank| &rank.operations);
        let packets = all.map(|operation| match operation {
            Operation::Send { bytes, .. } => u128::from(adapters.packets(*bytes)),
            _ => 0,
        });
        let remedy = "send fewer bytes or take larger packets";
        within("number of packets", Some(packets.sum()), MAX_PACKETS, remedy)?;
        let (states, first) = states(program, &adapters);
        let timers = vec![BinaryHeap::new(); hosts.max(program.ranks().len())];
        let mut execution = Self {
            program,
            model,
            adapters,
            states,
            first,
            timers,
            starting: Vec::new(),
            end: 0,
            ended: 0,
        };
        execution.begin();
        Ok(execution)
    }

    /// Cycle in which the last operation ended, of those that have.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Whether all operations have ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.ended == self.states.len() as u64
    }

    /// Starts what waits for nothing.
    fn begin(&mut self) {
        for rank in 0..self.program.ranks().len() {
            let from = self.first[rank];
            let to = from + index32(self.program.ranks()[rank].operations.len());
            let free = (from..to).filter(|number| self.states[*number as usize].waits == 0);
            self.starting = free.collect();
            self.start(host_number(rank), 0);
        }
    }

    /// Starts the operations noted, and what follows from that, in cycle `now`.
    fn start(&mut self, rank: Host, now: u64) {
        while let Some(number) = self.starting.pop() {
            let state = &mut self.states[number as usize];
            state.has_started = true;
            let (packets, after) = (state.packets, std::mem::take(&mut state.after_start));
            for next in after {
                self.release(next);
            }
            let operation = number - self.first[rank as usize];
            let of = &self.program.ranks()[rank as usize].operations;
            match of[operation as usize] {
                Operation::Send { to, bytes, .. } => {
                    self.adapters.push(rank, to, bytes, now, number);
                }
                Operation::Receive { .. } if packets == 0 => self.finish(number, now),
                Operation::Receive { .. } => {}
                Operation::Compute { ns } => {
                    let end = now + self.model.cycles(ns);
                    self.timers[rank as usize].push(Reverse((end, number)));
                }
            }
        }
    }

    /// One thing fewer that an operation waits for.
    fn release(&mut self, number: u32) {
        let state = &mut self.states[number as usize];
        state.waits -= 1;
        if state.waits == 0 {
            self.starting.push(number);
        }
    }

    /// An operation has ended; what waited for it is noted.
    fn finish(&mut self, number: u32, now: u64) {
        self.end = self.end.max(now);
        self.ended += 1;
        let after = std::mem::take(&mut self.states[number as usize].after_end);
        for next in after {
            self.release(next);
        }
    }

    /// Ends the computations of a rank that are over by `now`, each at its time.
    fn compute(&mut self, rank: Host, now: u64) {
        while let Some(Reverse((end, number))) = self.timers[rank as usize].peek().copied()
            && end <= now
        {
            self.timers[rank as usize].pop();
            self.finish(number, end);
            self.start(rank, end);
        }
    }
}

/// What every operation waits for, and the number of the first one of each rank.
fn states(program: &Program, adapters: &Adapters) -> (Vec<State>, Vec<u32>) {
    let packets = |operation: &Operation| match operation {
        Operation::Send { bytes, .. } | Operation::Receive { bytes, .. } => {
            u32::try_from(adapters.packets(*bytes)).unwrap_or(u32::MAX)
        }
        Operation::Compute { .. } => 0,
    };
    let (mut states, mut first) = (Vec::with_capacity(program.operations()), Vec::new());
    for rank in program.ranks() {
        let base = states.len();
        first.push(index32(base));
        let of = |operation| State { packets: packets(operation), ..State::default() };
        states.extend(rank.operations.iter().map(of));
        let waits = rank.requires.iter().zip(&rank.starts_after).enumerate();
        for (at, (requires, starts_after)) in waits {
            let number = index32(base + at);
            let count = requires.len() + starts_after.len();
            states[base + at].waits = u32::try_from(count).unwrap_or(u32::MAX);
            for on in requires {
                states[base + *on as usize].after_end.push(number);
            }
            for on in starts_after {
                states[base + *on as usize].after_start.push(number);
            }
        }
    }
    (states, first)
}

impl Source for Execution<'_> {
    fn offer(&mut self, host: Host, now: u64) -> Offer {
        self.compute(host, now);
        if let Some((packet, is_last)) = self.adapters.next(host) {
            if is_last {
                // The message has left.
                self.finish(packet.tag, now);
                self.start(host, now);
            }
            return Offer::Packet(packet);
        }
        match self.timers[host as usize].peek() {
            Some(Reverse((end, _))) => Offer::From(*end),
            None => Offer::Nothing,
        }
    }

    fn delivered(&mut self, source: Host, packet: &Outgoing, now: u64, awake: &mut Vec<Host>) {
        let operation = packet.tag - self.first[source as usize];
        let Some(place) = self.program.partner(Place { rank: source, operation }) else { return };
        let number = self.first[place.rank as usize] + place.operation;
        let state = &mut self.states[number as usize];
        state.packets = state.packets.saturating_sub(1);
        if state.packets == 0 && state.has_started {
            self.compute(place.rank, now);
            self.finish(number, now);
            self.start(place.rank, now);
            awake.push(place.rank);
        }
    }
}
