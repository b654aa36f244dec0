//! Fewest hops, links in turn: `minhop`, for any network.
//!
//! Destinations are taken one by one in the order of their LIDs. Every node sends to each by that of
//! its links on shortest paths by which it sends to the fewest destinations so far, on a tie the one at
//! its lowest port. Each node decides for itself, for every host that it reaches, whether or not traffic
//! passes there. The order is that of the LIDs where all hosts have one, and that of the hosts
//! elsewhere; `minhop(seed=S)` takes a random one, as if the adapters had changed places.
//!
//! The engine of this name in OpenSM also takes shortest paths and the port with the fewest
//! destinations. It has further rules: by default it takes the LIDs switch by switch, those with
//! most hosts first, and with several LIDs per host it tries to spread them over switches. So this is a
//! model of its tables, which tells what an order of LIDs does, and not a promise of them.
//! `tests/command_line/fabrics/lids.rs` compares the two: they are equal on the whole trees among the
//! instances, where LIDs follow the hosts and all leaf switches have as many hosts.
//!
//! On a labelled tree with hosts in order, the node of level l above source s sends by port
//! W_{l+1} = r mod w_{l+1}, where r counts the hosts before d that are not below the node.

use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Deserialize;

use super::by_tables::{ByTables, NONE};
use super::shortest::no_path;
use super::{Routing, RoutingError};
use crate::integer::index32;
use crate::limit::within;
use crate::registry::Kind;
use crate::sampling::Streams;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "minhop",
    usage: "minhop, minhop(seed=1)",
    about: "one shortest path by destination: every node takes its links in turn, destinations in the \
            order of their LIDs, or in a random one",
    reference: "osm_ucast_mgr.c of OpenSM, simplified; this project",
    examples: &["minhop", "minhop(seed=7)"],
    build: super::Family {
        build,
        digits: super::Digits::None("a port depends on how many destinations precede"),
        defined: true,
    },
};

/// Maximum number of entries of the tables: nodes that choose times hosts, 4 bytes each.
const MAX_ENTRIES: u64 = 1 << 28;
/// Number of destinations whose distances are held at a time.
const BLOCK: usize = 64;

#[derive(Deserialize)]
struct Options {
    seed: Option<u64>,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Options { seed } = spec.read()?;
    let Some(seed) = seed else {
        let (order, note) = by_lid(topology);
        return Ok(Box::new(tables(spec, topology, &order, note)?));
    };
    let mut order: Vec<Host> = topology.host_numbers().collect();
    order.shuffle(&mut Streams::new(seed).at(0));
    Ok(Box::new(tables(spec, topology, &order, None)?))
}

/// The hosts in the order of their LIDs, if all have one; a note on the order.
fn by_lid(topology: &Topology) -> (Vec<Host>, Option<String>) {
    let mut order: Vec<Host> = topology.host_numbers().collect();
    let lid = |host: &Host| topology.node(*host).address.map_or(0, |address| address.lid);
    if order.iter().all(|host| lid(host) > 0) {
        order.sort_by_key(lid);
        return (order, Some("destinations in the order of their base LIDs".to_string()));
    }
    let note = topology
        .is_read()
        .then(|| "destinations in the order of the hosts: not all have a LID".to_string());
    (order, note)
}

/// The links out of all nodes by port, with their heads.
struct Network {
    hosts: usize,
    /// The links of node v are `links[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    links: Vec<(LinkId, NodeId)>,
    /// The nodes with a link to v are `tails[first_tail[v]..first_tail[v + 1]]`.
    first_tail: Vec<u32>,
    tails: Vec<NodeId>,
}

/// The row of a node, while it is filled.
struct Row<'a> {
    node: NodeId,
    next: &'a mut [LinkId],
    /// How many destinations each of its links has.
    counts: Vec<u32>,
}

/// The tables of a network. O(hosts · links).
fn tables(
    spec: &Spec,
    topology: &Topology,
    order: &[Host],
    note: Option<String>,
) -> Result<ByTables, RoutingError> {
    let network = Network::of(topology);
    let hosts = topology.hosts();
    let chooses = |node: &NodeId| *node as usize >= hosts || network.links(*node).len() != 1;
    let choosing: Vec<NodeId> = topology.node_numbers().filter(chooses).collect();
    let entries = Some(choosing.len() as u128 * hosts as u128);
    within("nodes that choose × hosts", entries, MAX_ENTRIES, "analyse a part of the network")?;
    let mut next = vec![NONE; choosing.len() * hosts];
    let mut rows: Vec<Row> = next
        .chunks_mut(hosts)
        .zip(&choosing)
        .map(|(next, node)| Row { node: *node, next, counts: vec![0; network.links(*node).len()] })
        .collect();
    for block in order.chunks(BLOCK) {
        let distances = network.distances(block);
        if let Some((s, d)) = network.unreached(&distances, block) {
            return Err(RoutingError::does_not_fit(spec, topology, no_path(topology, s, d)));
        }
        rows.par_iter_mut().for_each(|row| row.take(&network, block, &distances));
    }
    drop(rows);
    let tables = ByTables::new(spec.to_string(), topology, &choosing, next);
    Ok(tables.with_notes(note.into_iter().collect()))
}

impl Row<'_> {
    /// Chooses a link to every destination of a block, in order.
    fn take(&mut self, network: &Network, block: &[Host], distances: &[u32]) {
        let nodes = distances.len() / block.len();
        let links = network.links(self.node);
        for (d, distance) in block.iter().zip(distances.chunks(nodes)) {
            let own = distance[self.node as usize];
            if own == 0 || own == NONE {
                continue;
            }
            let nearer =
                |(_, (_, head)): &(usize, &(LinkId, NodeId))| distance[*head as usize] == own - 1;
            let nearer = links.iter().enumerate().filter(nearer);
            // The first of several is at the lowest port.
            if let Some((at, (link, _))) = nearer.min_by_key(|(at, _)| self.counts[*at]) {
                self.counts[at] += 1;
                self.next[*d as usize] = *link;
            }
        }
    }
}

impl Network {
    fn of(topology: &Topology) -> Self {
        let (mut first, mut links) = (vec![0], Vec::with_capacity(topology.links()));
        let (mut first_tail, mut tails) = (vec![0], Vec::with_capacity(topology.links()));
        for node in topology.node_numbers() {
            let begin = links.len();
            let out = topology.links_from(node);
            links.extend(out.filter_map(|link| Some((link, topology.ends(link)?.1))));
            links[begin..].sort_by_key(|(link, _)| (topology.link(*link).from_port, *link));
            first.push(index32(links.len()));
            let into = topology.links_to(node);
            tails.extend(into.filter_map(|link| Some(topology.ends(link)?.0)));
            first_tail.push(index32(tails.len()));
        }
        Self { hosts: topology.hosts(), first, links, first_tail, tails }
    }

    fn links(&self, node: NodeId) -> &[(LinkId, NodeId)] {
        let node = node as usize;
        &self.links[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The number of links from every node to each destination of a block, destination by destination.
    fn distances(&self, block: &[Host]) -> Vec<u32> {
        let nodes = self.first.len() - 1;
        let mut distances = vec![NONE; nodes * block.len()];
        let rows = distances.par_chunks_mut(nodes).zip(block);
        rows.for_each_init(Vec::new, |queue, (distance, d)| {
            distance[*d as usize] = 0;
            queue.clear();
            queue.push(*d);
            let mut at = 0;
            while let Some(node) = queue.get(at).map(|node| *node as usize) {
                at += 1;
                let next = distance[node] + 1;
                for tail in
                    &self.tails[self.first_tail[node] as usize..self.first_tail[node + 1] as usize]
                {
                    if distance[*tail as usize] == NONE {
                        distance[*tail as usize] = next;
                        queue.push(*tail);
                    }
                }
            }
        });
        distances
    }

    /// The first pair of a host and a destination of a block without a path.
    fn unreached(&self, distances: &[u32], block: &[Host]) -> Option<(Host, Host)> {
        let nodes = distances.len() / block.len();
        let mut pairs = block.iter().zip(distances.chunks(nodes)).filter_map(|(d, distance)| {
            let host = distance[..self.hosts].iter().position(|links| *links == NONE)?;
            Some((host_number(host), *d))
        });
        pairs.next()
    }
}

#[cfg(test)]
mod tests;
