//! Hashes of flows as sums of parts.
//!
//! All hash functions here are linear but for a constant: what a bit of the key does to the hash does not depend on the
//! other bits. So the hash of a flow at a switch is the exclusive or of a part for each of its seed, source, destination
//! and port, which are computed once.

use super::function::Function;
use super::key::{Fields, Key};
use crate::topology::{Host, NodeId, host_number};

/// What every part of a key does to the hash.
pub(super) struct Sums {
    hash: Function,
    /// By host, as source and as destination.
    hosts: Vec<[u32; 2]>,
    /// By upper and by lower byte of the source port.
    ports: [[u32; 256]; 2],
    /// By node, with the offset of its hash.
    switches: Vec<(u32, u32)>,
}

impl Sums {
    /// The parts for so many hosts, and for nodes with these seeds and offsets.
    pub(super) fn new(
        hash: Function,
        fields: &Fields,
        hosts: usize,
        switches: &[(u32, u32)],
    ) -> Self {
        let of = |s: Host, d: Host, port, seed| hash.of(Key::of(fields, s, d, port).seeded(seed));
        let none = of(0, 0, 0, 0);
        let mut ports = [[0; 256]; 2];
        for (part, byte) in ports[0].iter_mut().zip(0_u16..) {
            *part = of(0, 0, byte << 8, 0) ^ none;
        }
        for (part, byte) in ports[1].iter_mut().zip(0_u16..) {
            *part = of(0, 0, byte, 0) ^ none;
        }
        let all = 0..host_number(hosts);
        Self {
            hash,
            // The constant is in one of the parts.
            hosts: all.map(|host| [of(host, 0, 0, 0), of(0, host, 0, 0) ^ none]).collect(),
            ports,
            switches: switches
                .iter()
                .map(|(seed, bits)| (of(0, 0, 0, *seed) ^ none, *bits))
                .collect(),
        }
    }

    /// What a flow does to the hashes of all switches.
    #[inline]
    pub(super) fn of_flow(&self, s: Host, d: Host, port: u16) -> u32 {
        let [upper, lower] = port.to_be_bytes();
        let [own, other] = [self.hosts[s as usize][0], self.hosts[d as usize][1]];
        own ^ other ^ self.ports[0][usize::from(upper)] ^ self.ports[1][usize::from(lower)]
    }

    /// The hash of a flow at a node, of which `flow` is the part of the flow.
    #[inline]
    pub(super) fn at(&self, node: NodeId, flow: u32) -> u32 {
        let (seed, offset) = self.switches[node as usize];
        self.hash.rotated(flow ^ seed, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums are the hashes of whole keys.
    #[test]
    fn sums_are_hashes() {
        for hash in [Function::Crc32, Function::Crc16, Function::Crc16cc, Function::Xor] {
            for fields in ["src+dst+sport+dport+proto", "dst+sport", "src+proto", "proto"] {
                let fields = Fields::try_from(fields.to_string()).unwrap();
                let switches = [(0, 0), (7, 3), (0xdead_beef, 15)];
                let sums = Sums::new(hash, &fields, 300, &switches);
                for (s, d, port) in [(0, 1, 0), (7, 299, 0xc0de), (256, 8, 0xffff), (255, 256, 9)] {
                    let flow = sums.of_flow(s, d, port);
                    for (node, (seed, offset)) in (0..).zip(switches) {
                        let whole = hash.of(Key::of(&fields, s, d, port).seeded(seed));
                        assert_eq!(sums.at(node, flow), hash.rotated(whole, offset));
                    }
                }
            }
        }
    }
}
