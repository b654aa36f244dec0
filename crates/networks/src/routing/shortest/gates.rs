//! The nodes that all ways to a host pass.

use std::collections::HashMap;

use crate::integer::index32;
use crate::topology::{Host, NodeId, Topology, host_number};

/// The last nodes of all ways to the hosts.
pub(super) struct Gates {
    /// Hosts with several neighbours are their own gates.
    pub(super) nodes: Vec<NodeId>,
    /// The number of every host's gate, and of the links from there to the host.
    pub(super) of_host: Vec<(u32, u32)>,
}

impl Gates {
    /// O(links).
    pub(super) fn of(topology: &Topology) -> Self {
        let mut gates = Self { nodes: Vec::new(), of_host: Vec::new() };
        let mut known = HashMap::new();
        for host in topology.host_numbers() {
            let tails = topology.links_to(host).filter_map(|link| Some(topology.ends(link)?.0));
            let (mut neighbours, mut cables) = (tails.peekable(), 0);
            let gate = neighbours.peek().copied();
            let is_one = neighbours.inspect(|_| cables += 1).all(|tail| Some(tail) == gate);
            let (gate, cables) = gate.filter(|_| is_one).map_or((host, 0), |gate| (gate, cables));
            let number = *known.entry(gate).or_insert_with(|| {
                gates.nodes.push(gate);
                index32(gates.nodes.len() - 1)
            });
            gates.of_host.push((number, cables));
        }
        gates
    }

    /// Hosts by gate, with the number of links from there.
    pub(super) fn hosts(&self) -> Vec<Vec<(Host, u32)>> {
        let mut hosts = vec![Vec::new(); self.nodes.len()];
        for (host, (gate, cables)) in self.of_host.iter().enumerate() {
            hosts[*gate as usize].push((host_number(host), *cables));
        }
        hosts
    }
}
