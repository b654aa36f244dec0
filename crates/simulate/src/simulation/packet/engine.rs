//! The simulation itself: packets ask for outputs, outputs choose among inputs, cycle by cycle.

use super::fabric::Fabric;
use super::measures::Measures;
use super::model::Model;
use super::order::{Arrival, Order};
use super::packets::{Packet, Packets};
use super::ports::{Coming, Ports, Queued, UNKNOWN};
use super::source::{Offer, Source};
use super::waiting::Waiting;
use super::way::Way;
use super::wheel::{Event, Wheel};
use super::{Outgoing, SimulationError};
use crate::prelude::*;
use crate::simulation::Ledger;

/// Cycles with events between two looks at the clock.
const POLL: u32 = 256;

/// Next packet of a host.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// Nothing, as far as is known.
    Nothing,
    /// A packet that its destination has no room for yet.
    Held(Outgoing),
    /// A packet that asks for an output.
    Asking(u32),
}

/// A run.
pub(super) struct Engine<'a> {
    pub(super) fabric: &'a Fabric,
    pub(super) model: &'a Model,
    way: Way<'a>,
    source: &'a mut dyn Source,
    pub(super) order: Order,
    pub(super) measures: Measures,
    pub(super) ledger: Ledger,
    pub(super) ports: Ports,
    pub(super) packets: Packets,
    pub(super) wheel: Wheel,
    /// Requests of the inputs.
    pub(super) waiting: Waiting,
    next: Vec<Next>,
    /// When each host is to be asked next, as far as it has said.
    asked: Vec<u64>,
    path: Vec<LinkId>,
    candidates: Vec<LinkId>,
    /// Packets whose last flit arrived, in order, and hosts to be asked for packets.
    released: Vec<u32>,
    awake: Vec<Host>,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        fabric: &'a Fabric,
        model: &'a Model,
        way: Way<'a>,
        source: &'a mut dyn Source,
        order: Order,
        measures: Measures,
    ) -> Result<Self, SimulationError> {
        let mut wheel = Wheel::new();
        for host in 0..fabric.hosts {
            wheel.push(0, Event::Offer(host_number(host)));
        }
        Ok(Self {
            ports: Ports::new(fabric, model)?,
            packets: Packets::default(),
            waiting: Waiting::new(fabric),
            next: vec![Next::Nothing; fabric.hosts],
            asked: vec![0; fabric.hosts],
            path: Vec::new(),
            candidates: Vec::new(),
            released: Vec::new(),
            awake: Vec::new(),
            ledger: Ledger::default(),
            fabric,
            model,
            way,
            source,
            order,
            measures,
            wheel,
        })
    }

    /// Checks that everything has been delivered, that all queues are empty and all credits are back.
    pub(super) fn check_end(&self) -> Result<(), SimulationError> {
        let waiting = self.ledger.waiting() + self.order.waiting();
        if waiting > 0 {
            return Err(SimulationError::Stuck { waiting, cycle: self.now() });
        }
        let links = 0..self.fabric.links();
        let is_idle = links.map(crate::topology::link_number).all(|link| self.ports.is_idle(link));
        if is_idle { Ok(()) } else { Err(SimulationError::Lost) }
    }

    /// The cycle that was reached.
    pub(super) fn now(&self) -> u64 {
        self.wheel.now()
    }

    /// Continues until the end of cycle `until`, or until nothing is left to happen; `each` sees the
    /// cycles that have passed. Whether something is left.
    pub(super) fn run(&mut self, until: u64, progress: &Progress) -> Result<bool, SimulationError> {
        let mut events = Vec::new();
        let mut left = 0;
        while let Some(next) = self.wheel.next().filter(|next| *next <= until) {
            if left == 0 {
                progress.check()?;
                left = POLL;
            }
            left -= 1;
            self.wheel.take(next, &mut events);
            for event in &events {
                self.happen(*event)?;
            }
            self.settle()?;
        }
        Ok(self.wheel.next().is_some())
    }

    fn happen(&mut self, event: Event) -> Result<(), SimulationError> {
        match event {
            Event::Request(link) => self.request(link),
            Event::Wake(link) => {
                if self.ports.at(link).wake == self.now() {
                    self.ports.at_mut(link).wake = UNKNOWN;
                }
                self.waiting.mark(self.fabric, link);
                Ok(())
            }
            Event::Arrive(packet) => self.arrive(packet),
            Event::Offer(host) => self.offer(host),
        }
    }

    /// The packet at the head of the queue behind `link` asks for an output.
    fn request(&mut self, link: LinkId) -> Result<(), SimulationError> {
        let Some(head) = self.ports.head(link) else { return Err(SimulationError::Lost) };
        let node = self.fabric.to[link as usize];
        if self.packets.at(head.packet).what.destination == node {
            let now = self.now();
            self.eject(link, Coming { ready: now, ..head });
            self.send(link);
            return Ok(());
        }
        self.ask(node, self.fabric.place[link as usize], head.packet)
    }

    /// Notes what a packet at an input of a node asks for.
    fn ask(&mut self, node: NodeId, place: u32, id: u32) -> Result<(), SimulationError> {
        let Packet { hops, what, .. } = *self.packets.at(id);
        let output = match &self.way {
            Way::Fixed(_) => self.packets.link(id, hops),
            Way::Adaptive(adaptive) => {
                adaptive.candidates(node, what.destination, &mut self.candidates);
                match self.candidates.as_slice() {
                    [] => {
                        return Err(SimulationError::NoWay { node, destination: what.destination });
                    }
                    [only] => *only,
                    _ => {
                        self.waiting.choose(node, place);
                        return Ok(());
                    }
                }
            }
        };
        self.packets.at_mut(id).next = output;
        self.waiting.ask(self.fabric, output, place);
        self.ports.at_mut(output).waiting += 1;
        Ok(())
    }

    /// Looks for a packet of a host, unless one asks already.
    fn offer(&mut self, host: Host) -> Result<(), SimulationError> {
        let now = self.now();
        let out = match self.next[host as usize] {
            Next::Asking(_) => return Ok(()),
            Next::Held(out) => out,
            Next::Nothing => match self.source.offer(host, now) {
                Offer::Packet(out) => out,
                Offer::From(at) => {
                    self.ask_from(host, at.max(now + 1));
                    return Ok(());
                }
                Offer::Nothing => return Ok(()),
            },
        };
        let Some(sequence) = self.order.admit(host, out.destination) else {
            self.next[host as usize] = Next::Held(out);
            return Ok(());
        };
        self.way.path(host, out.destination, &mut self.path);
        if matches!(self.way, Way::Fixed(_)) && self.path.is_empty() {
            return Err(SimulationError::NoWay { node: host, destination: out.destination });
        }
        let packet =
            Packet { source: host, what: out, injected: UNKNOWN, hops: 0, next: 0, sequence };
        let id = self.packets.add(packet, &self.path);
        self.ledger.inject(1);
        self.next[host as usize] = Next::Asking(id);
        self.ask(host, self.fabric.own(host), id)
    }

    /// Asks a host again in a later cycle, once.
    fn ask_from(&mut self, host: Host, at: u64) {
        let asked = &mut self.asked[host as usize];
        if *asked <= self.wheel.now() || at < *asked {
            *asked = at;
            self.wheel.push(at, Event::Offer(host));
        }
    }

    /// Decides all that is to be decided in this cycle.
    fn settle(&mut self) -> Result<(), SimulationError> {
        loop {
            if let Some(output) = self.waiting.next_output() {
                self.arbitrate(output)?;
            } else if let Some(node) = self.waiting.next_node() {
                self.choose(node)?;
            } else {
                return Ok(());
            }
        }
    }

    /// From when on an output can take another packet, if that is known.
    pub(super) fn free(&self, output: LinkId) -> u64 {
        let place = self.ports.place(output);
        if self.model.output_queued { place } else { place.max(self.ports.at(output).crossbar) }
    }

    /// Serves the inputs that ask for an output in turn, as long as it is free.
    fn arbitrate(&mut self, output: LinkId) -> Result<(), SimulationError> {
        while self.ports.at(output).waiting > 0 {
            if self.free(output) > self.now() {
                self.wake_later(output);
                break;
            }
            let turn = self.ports.at(output).turn;
            let Some(place) = self.waiting.serve(self.fabric, output, turn) else {
                return Err(SimulationError::Lost);
            };
            let port = self.ports.at_mut(output);
            port.waiting -= 1;
            port.turn = place;
            self.grant(output, place)?;
        }
        Ok(())
    }

    /// Lets packets of a node that have a choice take free outputs, in turn.
    fn choose(&mut self, node: NodeId) -> Result<(), SimulationError> {
        let mut after = self.waiting.turn(node);
        let mut left = self.waiting.undecided(node);
        while left > 0 {
            left -= 1;
            let Some(place) = self.waiting.after(node, after) else { break };
            after = place;
            let Some(id) = self.asking(node, place) else { return Err(SimulationError::Lost) };
            if let Some(output) = self.select(node, id) {
                self.waiting.decided(node, place);
                self.grant(output, place)?;
            }
        }
        if self.waiting.undecided(node) > 0 {
            let fabric = self.fabric;
            for output in fabric.outputs(node) {
                self.wake_later(*output);
            }
        }
        Ok(())
    }

    /// The packet that asks from an input of a node.
    fn asking(&self, node: NodeId, place: u32) -> Option<u32> {
        match self.fabric.inputs(node).get(place as usize) {
            Some(link) => self.ports.head(*link).map(|head| head.packet),
            None => match self.next.get(node as usize) {
                Some(Next::Asking(id)) => Some(*id),
                _ => None,
            },
        }
    }

    /// The output that a packet takes now, of those that are free.
    fn select(&mut self, node: NodeId, id: u32) -> Option<LinkId> {
        let now = self.now();
        let mut candidates = std::mem::take(&mut self.candidates);
        let destination = self.packets.at(id).what.destination;
        let mut chosen = None;
        if let Way::Adaptive(adaptive) = &self.way {
            adaptive.candidates(node, destination, &mut candidates);
            candidates.retain(|output| self.free(*output) <= now);
        }
        let ports = &self.ports;
        if let Way::Adaptive(adaptive) = &mut self.way {
            let load = &|output| ports.load(output, now);
            chosen = adaptive.select(node, destination, &candidates, load);
        }
        self.candidates = candidates;
        chosen
    }

    /// Lets the packet at an input into the queue of a free output.
    fn grant(&mut self, output: LinkId, place: u32) -> Result<(), SimulationError> {
        let now = self.now();
        let node = self.fabric.from[output as usize];
        let Some(id) = self.asking(node, place) else { return Err(SimulationError::Lost) };
        let cycles = self.fabric.cycles(output, self.packets.at(id).what.flits);
        let input = self.fabric.inputs(node).get(place as usize).copied();
        let (header, tail, end) = match input {
            // The adapter holds the whole packet.
            None => (now, now, now + cycles),
            Some(link) => {
                let arrived = self.ports.head(link).map_or(0, |head| head.tail);
                let (end, delay) =
                    ((now + cycles).max(arrived + 1), u64::from(self.model.crossbar));
                (now + delay, end - 1 + delay, end)
            }
        };
        self.ports.at_mut(output).crossbar = end;
        self.ports.enter(output, Queued { packet: id, header, tail });
        match input {
            None => {
                self.next[node as usize] = Next::Nothing;
                self.send(output);
                self.offer(node)
            }
            Some(link) => {
                self.leave(link, end);
                self.send(link);
                self.send(output);
                Ok(())
            }
        }
    }

    /// The last flit of a packet is at its destination.
    fn arrive(&mut self, id: u32) -> Result<(), SimulationError> {
        let now = self.now();
        let packet = *self.packets.at(id);
        let mut released = std::mem::take(&mut self.released);
        let mut awake = std::mem::take(&mut self.awake);
        released.clear();
        let key = Arrival { id, source: packet.source, destination: packet.what.destination };
        let is_early = self.order.arrive(key, packet.sequence, &mut released, &mut awake)?;
        self.measures.arrived(&packet, is_early, now);
        for id in &released {
            let packet = *self.packets.at(*id);
            self.measures.delivered(&packet, now);
            self.source.delivered(packet.source, &packet.what, now, &mut awake);
            self.packets.remove(*id);
        }
        for host in awake.drain(..) {
            self.wheel.push(now, Event::Offer(host));
        }
        let count = released.len() as u64;
        self.released = released;
        self.awake = awake;
        Ok(self.ledger.close(count, 0, self.packets.len() as u64)?)
    }
}
