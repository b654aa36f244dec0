//! The paths to one destination, without the links that leave their sources.

use std::collections::HashMap;

use super::LidTablesError;
use crate::integer::index32;
use crate::routing::Routing;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// The paths to a destination from the switches of its sources on, each once.
pub(super) struct Tails {
    /// By source, its path; `None` for the destination itself.
    pub of_source: Vec<Option<u32>>,
    pub links: Vec<Vec<LinkId>>,
}

impl Tails {
    /// # Errors
    /// [`LidTablesError::NotOnePath`].
    pub fn to(topology: &Topology, routing: &dyn Routing, d: Host) -> Result<Self, LidTablesError> {
        let mut tails = Self { of_source: vec![None; topology.hosts()], links: Vec::new() };
        let mut known: HashMap<Vec<LinkId>, u32> = HashMap::new();
        let mut scratch = Vec::new();
        for s in topology.host_numbers().filter(|s| *s != d) {
            let (mut paths, mut found) = (0, 0);
            routing.for_each_path(s, d, &mut scratch, &mut |_, path| {
                let tail = path.get(1..).unwrap_or_default();
                paths += 1;
                let next = index32(tails.links.len());
                found = known.get(tail).copied().unwrap_or(next);
                if found == next {
                    tails.links.push(tail.to_vec());
                    known.insert(tail.to_vec(), next);
                }
            });
            if paths != 1 {
                let [source_host, destination] = [s, d].map(|host| topology.host_label(host));
                let routing = routing.spec().to_string();
                return Err(LidTablesError::NotOnePath {
                    routing,
                    source_host,
                    destination,
                    paths,
                });
            }
            tails.of_source[s as usize] = Some(found);
        }
        Ok(tails)
    }

    /// Every link of every path, with the node that it leaves and the path: sorted by nodes, then links.
    pub fn steps(&self, from: &[NodeId]) -> Vec<(NodeId, LinkId, u32)> {
        let steps = self.links.iter().zip(0..);
        let steps = steps.flat_map(|(links, tail)| {
            links.iter().map(move |link| (from[*link as usize], *link, tail))
        });
        let mut steps: Vec<_> = steps.collect();
        steps.sort_unstable();
        steps
    }

    /// The largest number of links by which paths leave a node, at least 1, and the node.
    pub fn widest(&self, from: &[NodeId]) -> (usize, NodeId) {
        let mut steps = self.steps(from);
        steps.dedup_by_key(|(_, link, _)| *link);
        let nodes = steps.chunk_by(|one, other| one.0 == other.0);
        let widest = nodes.map(|links| (links.len(), links[0].0)).max_by_key(|(width, _)| *width);
        widest.unwrap_or((1, 0))
    }
}
