//! Traces: every message is sent when its time has come.

use super::adapter::Adapters;
use super::packets::Outgoing;
use super::source::{Offer, Source};
use super::{Model, SimulationError};
use crate::prelude::*;
use crate::simulation::workload::Trace;

/// Maximum number of packets of a trace or a program.
pub const MAX_PACKETS: u64 = 1 << 31;

/// The hosts replay a trace.
#[derive(Debug)]
pub struct Replay<'t> {
    trace: &'t Trace,
    adapters: Adapters,
    /// The messages of each host that are to come, the next one last.
    coming: Vec<Vec<u32>>,
    /// When each message begins, in cycles.
    times: Vec<u64>,
    /// Packets of each message that have not arrived.
    left: Vec<u32>,
    /// Messages that have arrived, and the cycles that all of them took together.
    arrived: u64,
    latency: u64,
}

impl<'t> Replay<'t> {
    /// O(messages).
    ///
    /// # Errors
    /// [`SimulationError::TooLarge`] for more than [`MAX_PACKETS`] packets.
    pub fn new(trace: &'t Trace, model: &Model) -> Result<Self, SimulationError> {
        let adapters = Adapters::new(trace.hosts(), model);
        let messages = trace.messages();
        let packets =
            messages.iter().map(|(_, message)| u128::from(adapters.packets(message.bytes)));
        let remedy = "take fewer messages or larger packets";
        within("number of packets", Some(packets.sum()), MAX_PACKETS, remedy)?;
        let mut coming = vec![Vec::new(); trace.hosts()];
        for (number, (_, message)) in messages.iter().enumerate().rev() {
            coming[message.s as usize].push(index32(number));
        }
        let count = |(_, message): &(u64, crate::simulation::workload::Message)| {
            u32::try_from(adapters.packets(message.bytes)).unwrap_or(u32::MAX)
        };
        Ok(Self {
            left: messages.iter().map(count).collect(),
            times: messages.iter().map(|(time, _)| model.cycles(*time)).collect(),
            trace,
            adapters,
            coming,
            arrived: 0,
            latency: 0,
        })
    }

    /// Messages that have arrived.
    #[must_use]
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Mean number of cycles from the time of a message until its last flit was delivered.
    #[must_use]
    pub fn mean_latency(&self) -> f64 {
        self.latency as f64 / self.arrived.max(1) as f64
    }
}

impl Source for Replay<'_> {
    fn offer(&mut self, host: Host, now: u64) -> Offer {
        let coming = &mut self.coming[host as usize];
        while let Some(number) = coming.last().copied()
            && self.times[number as usize] <= now
        {
            coming.pop();
            let (_, message) = self.trace.messages()[number as usize];
            let time = self.times[number as usize];
            self.adapters.push(host, message.d, message.bytes, time, number);
        }
        match (self.adapters.next(host), self.coming[host as usize].last()) {
            (Some((packet, _)), _) => Offer::Packet(packet),
            (None, Some(number)) => Offer::From(self.times[*number as usize]),
            (None, None) => Offer::Nothing,
        }
    }

    fn delivered(&mut self, _: Host, packet: &Outgoing, now: u64, _: &mut Vec<Host>) {
        let left = &mut self.left[packet.tag as usize];
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.arrived += 1;
            self.latency += now - packet.generated;
        }
    }
}
