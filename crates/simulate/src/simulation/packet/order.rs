//! The order of the packets of a pair, and reorder buffers (\[GO\] 5.1).
//!
//! With a buffer for some packets at every destination, packets that arrive early wait there for those
//! before them. A source sends a packet only if its destination has room for all packets that may
//! arrive out of order: of the packets of a pair that are on their way or stored, all but one. One packet
//! of every pair is always allowed, so that nobody waits forever. As in \[GO\] nothing of this takes
//! time or bandwidth: a source knows the room at its destination in the same cycle.

use std::collections::HashMap;

use super::SimulationError;
use crate::topology::Host;

/// Order in which packets of a pair are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Packets are delivered as they arrive, and those that arrive early are counted.
    AsTheyCome,
    /// Delivery in order, with room for the given number of packets at every destination.
    InOrder {
        /// Packets that a destination can store.
        buffer: u32,
    },
}

/// A packet that has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) id: u32,
    pub(super) source: Host,
    pub(super) destination: Host,
}

/// The packets of a pair.
#[derive(Clone, Debug, Default)]
struct Pair {
    /// Packets sent, and the number of the next one to be delivered.
    sent: u32,
    next: u32,
    /// Packets that arrived before that one: number and slot.
    early: Vec<(u32, u32)>,
}

/// A destination with a buffer.
#[derive(Clone, Debug, Default)]
struct Store {
    /// Places that are promised, and places in use.
    promised: u32,
    used: u32,
    /// Sources that wait for room.
    blocked: Vec<Host>,
}

/// All pairs with packets on their way.
#[derive(Debug)]
pub(super) struct Order {
    delivery: Delivery,
    /// Whether packets of a pair can arrive in another order at all.
    may_differ: bool,
    pairs: HashMap<(Host, Host), Pair>,
    stores: Vec<Store>,
    /// Maximum number of packets that a destination stored at a time.
    most: u32,
    /// Times that a source had to wait for room.
    refusals: u64,
}

impl Order {
    pub(super) fn new(delivery: Delivery, may_differ: bool, hosts: usize) -> Self {
        let stores = if may_differ { vec![Store::default(); hosts] } else { Vec::new() };
        Self { delivery, may_differ, pairs: HashMap::new(), stores, most: 0, refusals: 0 }
    }

    /// Packets that sources hold back.
    pub(super) fn waiting(&self) -> u64 {
        self.stores.iter().map(|store| store.blocked.len() as u64).sum()
    }

    /// Maximum number of packets in a reorder buffer at a time.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// How often a source found no room at its destination.
    pub(super) fn refusals(&self) -> u64 {
        self.refusals
    }

    /// The number of the next packet from `s` to `d`, if there is room for it. Otherwise the source is
    /// told when there may be.
    pub(super) fn admit(&mut self, s: Host, d: Host) -> Option<u32> {
        if !self.may_differ {
            return Some(0);
        }
        let pair = self.pairs.entry((s, d)).or_default();
        if let Delivery::InOrder { buffer } = self.delivery
            && pair.sent != pair.next
        {
            let store = &mut self.stores[d as usize];
            if store.promised >= buffer {
                store.blocked.push(s);
                self.refusals += 1;
                return None;
            }
            store.promised += 1;
        }
        pair.sent += 1;
        Some(pair.sent - 1)
    }

    /// A packet has arrived: writes the slots of those that are delivered now, in order, and the sources
    /// that may continue. Whether it came before another one that was sent earlier.
    pub(super) fn arrive(
        &mut self,
        Arrival { id, source, destination }: Arrival,
        sequence: u32,
        released: &mut Vec<u32>,
        awake: &mut Vec<Host>,
    ) -> Result<bool, SimulationError> {
        if !self.may_differ {
            released.push(id);
            return Ok(false);
        }
        let key = (source, destination);
        let pair = self.pairs.get_mut(&key).ok_or(SimulationError::Lost)?;
        let is_early = sequence != pair.next;
        let stores = self.delivery != Delivery::AsTheyCome;
        if is_early {
            pair.early.push((sequence, id));
        } else {
            pair.next += 1;
            released.push(id);
            while let Some(at) = pair.early.iter().position(|(number, _)| *number == pair.next) {
                let (_, id) = pair.early.swap_remove(at);
                pair.next += 1;
                if stores {
                    released.push(id);
                }
            }
        }
        if is_early && !stores {
            released.push(id);
        }
        let is_done = pair.sent == pair.next;
        if stores {
            self.store(destination, is_early, is_done, released.len(), awake);
        }
        if is_done {
            self.pairs.remove(&key);
        }
        Ok(is_early)
    }

    /// Notes what is stored at a destination, after an arrival that delivered `delivered` packets.
    fn store(
        &mut self,
        destination: Host,
        is_early: bool,
        is_done: bool,
        delivered: usize,
        awake: &mut Vec<Host>,
    ) {
        let store = &mut self.stores[destination as usize];
        let delivered = u32::try_from(delivered).unwrap_or(u32::MAX);
        if is_early {
            store.used += 1;
            self.most = self.most.max(store.used);
            return;
        }
        store.used -= delivered - 1;
        // All but one of the packets of a pair are promised a place.
        store.promised -= if is_done { delivered - 1 } else { delivered };
        awake.append(&mut store.blocked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Checked {
        order: Order,
        released: Vec<u32>,
        awake: Vec<Host>,
    }

    impl Checked {
        fn new(delivery: Delivery) -> Self {
            let order = Order::new(delivery, true, 4);
            Self { order, released: Vec::new(), awake: Vec::new() }
        }

        /// Packet `sequence` from host 0 to host 1 arrives, in the slot of its number.
        fn arrive(&mut self, sequence: u32) -> (bool, Vec<u32>) {
            self.released.clear();
            let arrival = Arrival { id: sequence, source: 0, destination: 1 };
            let Self { order, released, awake } = self;
            let is_early = order.arrive(arrival, sequence, released, awake).unwrap();
            (is_early, released.clone())
        }
    }

    #[test]
    fn packets_wait_for_those_before_them() {
        let mut checked = Checked::new(Delivery::InOrder { buffer: 2 });
        for wanted in [Some(0), Some(1), Some(2), None] {
            assert_eq!(checked.order.admit(0, 1), wanted);
        }
        // One packet of each other pair is always allowed, a second one is not.
        assert_eq!((checked.order.admit(2, 1), checked.order.admit(2, 1)), (Some(0), None));
        assert_eq!(checked.arrive(2), (true, vec![]));
        assert_eq!(checked.arrive(1), (true, vec![]));
        assert_eq!(checked.order.most(), 2);
        assert!(checked.awake.is_empty());
        assert_eq!(checked.arrive(0), (false, vec![0, 1, 2]));
        assert_eq!(checked.awake, [0, 2]);
        assert_eq!(checked.order.refusals(), 2);
        // The pair is done, and all of its room is there again.
        let store = &checked.order.stores[1];
        assert_eq!((store.promised, store.used), (0, 0));
        assert_eq!(checked.order.admit(0, 1), Some(0));
    }

    #[test]
    fn without_buffers_early_packets_are_counted_only() {
        let mut checked = Checked::new(Delivery::AsTheyCome);
        (0..4).for_each(|wanted| assert_eq!(checked.order.admit(0, 1), Some(wanted)));
        let found: Vec<_> = [1, 0, 3, 2].map(|sequence| checked.arrive(sequence)).into();
        let wanted = [(true, vec![1]), (false, vec![0]), (true, vec![3]), (false, vec![2])];
        assert_eq!(found, wanted);
        assert!(checked.order.pairs.is_empty());
        let arrival = Arrival { id: 0, source: 0, destination: 1 };
        let lost = checked.order.arrive(arrival, 0, &mut Vec::new(), &mut Vec::new());
        assert!(matches!(lost, Err(SimulationError::Lost)));
    }
}
