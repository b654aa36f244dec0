//! The packets between the adapters, in numbered slots that are used again.

use crate::prelude::*;

/// A packet that a host sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Host that it is sent to.
    pub destination: Host,
    /// Length, at least 1.
    pub flits: u32,
    /// The cycle in which it was there to be sent.
    pub generated: u64,
    /// Name by which the source knows it.
    pub tag: u32,
}

/// A packet on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) source: Host,
    pub(super) what: Outgoing,
    /// When its first flit left its source.
    pub(super) injected: u64,
    /// Links passed or begun.
    pub(super) hops: u32,
    /// The link that it takes next, where that is known.
    pub(super) next: LinkId,
    /// Its number among the packets of its pair.
    pub(super) sequence: u32,
}

/// All packets on their way, and their paths.
#[derive(Debug, Default)]
pub(super) struct Packets {
    slots: Vec<Packet>,
    free: Vec<u32>,
    /// Links of the path of every packet, `stride` each; none where packets choose as they go.
    paths: Vec<LinkId>,
    stride: usize,
}

impl Packets {
    /// Makes room for paths of the given number of links.
    fn widen(&mut self, stride: usize) {
        let mut paths = vec![0; self.slots.len() * stride];
        for (id, path) in paths.chunks_exact_mut(stride).enumerate() {
            path[..self.stride].copy_from_slice(&self.paths[id * self.stride..][..self.stride]);
        }
        (self.paths, self.stride) = (paths, stride);
    }

    pub(super) fn add(&mut self, packet: Packet, path: &[LinkId]) -> u32 {
        if path.len() > self.stride {
            self.widen(path.len());
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.slots.push(packet);
            self.paths.resize(self.slots.len() * self.stride, 0);
            index32(self.slots.len() - 1)
        });
        self.slots[id as usize] = packet;
        self.paths[id as usize * self.stride..][..path.len()].copy_from_slice(path);
        id
    }

    pub(super) fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    #[inline]
    pub(super) fn at(&self, id: u32) -> &Packet {
        &self.slots[id as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, id: u32) -> &mut Packet {
        &mut self.slots[id as usize]
    }

    /// Link number `hop` of the path of a packet.
    #[inline]
    pub(super) fn link(&self, id: u32, hop: u32) -> LinkId {
        self.paths[id as usize * self.stride + hop as usize]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
