//! Entries of switches that no path passes: shortest paths to the destination.

use std::collections::VecDeque;

use super::NONE;
use crate::topology::{LinkId, NodeId, Topology, node_number};

/// Shortest paths between the nodes of a network.
pub(super) struct Trees<'t> {
    topology: &'t Topology,
    hosts: usize,
}

impl<'t> Trees<'t> {
    pub fn of(topology: &'t Topology) -> Self {
        Self { topology, hosts: topology.hosts() }
    }

    /// The link by which every switch forwards to the node `to`: one of `links` where there is one, of which no two
    /// leave the same switch and all lead on to `to`; else the first link of a shortest path, evenly among these over
    /// all `to`. Either way each step comes closer to `to` or to a switch from which `links` lead on, so all arrive.
    pub fn row(&self, to: NodeId, links: &[LinkId]) -> Vec<LinkId> {
        let distance = self.distances(to);
        let mut row: Vec<LinkId> = (self.hosts..self.topology.nodes())
            .map(|switch| self.towards(node_number(switch), to, &distance))
            .collect();
        for link in links {
            if let Some((from, _)) = self.topology.ends(*link) {
                row[from as usize - self.hosts] = *link;
            }
        }
        row
    }

    /// Number of links to `to` from every node; hosts do not forward.
    fn distances(&self, to: NodeId) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.topology.nodes()];
        distance[to as usize] = Some(0);
        let mut reached = VecDeque::from([(to, 0)]);
        while let Some((node, steps)) = reached.pop_front() {
            for (from, _) in self.topology.links_to(node).filter_map(|l| self.topology.ends(l)) {
                if from as usize >= self.hosts && distance[from as usize].is_none() {
                    distance[from as usize] = Some(steps + 1);
                    reached.push_back((from, steps + 1));
                }
            }
        }
        distance
    }

    fn towards(&self, switch: NodeId, to: NodeId, distance: &[Option<u32>]) -> LinkId {
        let Some(steps) = distance[switch as usize].filter(|steps| *steps > 0) else { return NONE };
        let closer = |link: &LinkId| {
            let end = self.topology.ends(*link).and_then(|(_, end)| distance[end as usize]);
            end.is_some_and(|end| end + 1 == steps)
        };
        let links: Vec<LinkId> = self.topology.links_from(switch).filter(closer).collect();
        links.get(to as usize % links.len().max(1)).copied().unwrap_or(NONE)
    }
}
