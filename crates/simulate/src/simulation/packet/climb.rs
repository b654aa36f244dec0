//! Adaptive routing on trees (\[GO\] 3): any way up to a nearest common ancestor, then the one way down.

use super::SimulationError;
use super::select::{Choice, Selection};
use crate::prelude::*;

/// The links that lead towards a destination, and what chooses among them.
pub(super) struct Adaptive<'a> {
    tree: &'a Xgft,
    /// First node of every level, and the number of nodes after the last.
    first: Vec<NodeId>,
    level: Vec<u8>,
    select: &'a dyn Selection,
    streams: Streams,
    /// The random numbers of each node, from its first choice on.
    random: Vec<Option<Box<Stream>>>,
}

/// Streams of switches begin here.
const SWITCHES: u64 = 1 << 41;

impl<'a> Adaptive<'a> {
    pub(super) fn new(
        topology: &'a Topology,
        select: &'a dyn Selection,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        let tree = topology.tree().ok_or_else(|| SimulationError::NoLabels {
            topology: topology.spec().to_string(),
            routing: select.name().to_string(),
        })?;
        let counts = (0..=tree.height()).map(|level| tree.level_nodes(level));
        let first = counts.scan(0, |sum, count| {
            let first = *sum;
            *sum += count;
            Some(crate::topology::node_number(first))
        });
        let level = topology.node_numbers().map(|node| topology.node(node).level).collect();
        Ok(Self {
            tree,
            first: first.collect(),
            level,
            select,
            streams: Streams::new(seed),
            random: vec![None; topology.nodes()],
        })
    }

    /// The number of the subtree of a node, and of the node among those of its level in it. A top switch
    /// may stand for several of the shape, of which this is the first.
    fn label(&self, node: NodeId, level: usize) -> (u32, u32) {
        if level == 0 {
            return (self.tree.subtree(node, 0), 0);
        }
        let index = node - self.first[level];
        if level == self.tree.height() {
            return (0, index * self.tree.cables_to_top());
        }
        let width = self.tree.shortest_paths(level);
        (index / width, index % width)
    }

    /// Writes the links by which a packet at `node` comes nearer to host `d`, which is another node: all
    /// links up, or those down to it.
    pub(super) fn candidates(&self, node: NodeId, d: Host, links: &mut Vec<LinkId>) {
        links.clear();
        let level = usize::from(self.level[node as usize]);
        let (subtree, b) = self.label(node, level);
        let height = self.tree.height();
        if level < height && (level == 0 || self.tree.subtree(d, level) != subtree) {
            let ports = 0..self.tree.parents(level + 1);
            return links.extend(ports.map(|port| self.tree.link_id(level, subtree, b, port).0));
        }
        let below = self.tree.subtree(d, level - 1);
        let same = if level == height { self.tree.cables_to_top() } else { 1 };
        let parents = self.tree.parents(level);
        links.extend(
            (b..b + same).map(|b| self.tree.link_id(level - 1, below, b / parents, b % parents).1),
        );
    }

    /// The link that a packet takes of those that are free, none if there are none.
    pub(super) fn select(
        &mut self,
        node: NodeId,
        d: Host,
        free: &[LinkId],
        load: &dyn Fn(LinkId) -> u32,
    ) -> Option<LinkId> {
        if free.is_empty() {
            return None;
        }
        let level = usize::from(self.level[node as usize]);
        let preferred = self.preferred(node, level, d);
        let streams = &self.streams;
        let random = self.random[node as usize]
            .get_or_insert_with(|| Box::new(streams.at(SWITCHES + u64::from(node))));
        let at = self.select.select(&mut Choice { free, preferred, load, random });
        free.get(at).copied()
    }

    /// The link that D-mod-k takes, on the way up.
    fn preferred(&self, node: NodeId, level: usize, d: Host) -> Option<LinkId> {
        if level == self.tree.height() {
            return None;
        }
        let (subtree, b) = self.label(node, level);
        let digit = if level == 0 { 0 } else { self.tree.digit(d, level) };
        let port = digit % self.tree.parents(level + 1);
        Some(self.tree.link_id(level, subtree, b, port).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Direction, generate};

    /// Whatever is chosen, the way leads to the destination, up and then down, over as many links as the
    /// shortest path has.
    #[test]
    fn all_choices_lead_to_the_destination() {
        for spec in ["ft(4,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)", "kary(2,3)"] {
            let topology = generate(spec).unwrap();
            let tree = topology.tree().unwrap();
            let select = super::super::select::find("ff").unwrap().build;
            let adaptive = Adaptive::new(&topology, select, 1).unwrap();
            for (s, d) in crate::topology::sd_pairs(topology.hosts()) {
                let mut reached = vec![s];
                for hop in 0..2 * tree.nca_level(s, d) {
                    let mut next = Vec::new();
                    let mut links = Vec::new();
                    for node in reached {
                        adaptive.candidates(node, d, &mut links);
                        let is_up = hop < tree.nca_level(s, d);
                        let wanted = if is_up { Direction::Up } else { Direction::Down };
                        for link in &links {
                            assert_eq!(topology.ends(*link).unwrap().0, node);
                            assert_eq!(topology.link(*link).direction, wanted, "{spec} {s} {d}");
                            next.push(topology.ends(*link).unwrap().1);
                        }
                    }
                    next.sort_unstable();
                    next.dedup();
                    reached = next;
                }
                assert_eq!(reached, [d], "{spec}: {s} to {d}");
            }
        }
    }

    /// SADP prefers the way of D-mod-k.
    #[test]
    fn the_preferred_link_is_that_of_dmodk() {
        let topology = generate("ft(4,3)").unwrap();
        let routing = crate::routing::build("dmodk", &topology).unwrap();
        let select = super::super::select::find("sadp").unwrap().build;
        let mut adaptive = Adaptive::new(&topology, select, 1).unwrap();
        for (s, d) in crate::topology::sd_pairs(topology.hosts()) {
            let mut path = Vec::new();
            routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| path = links.to_vec());
            let mut candidates = Vec::new();
            for link in path {
                let node = topology.ends(link).unwrap().0;
                adaptive.candidates(node, d, &mut candidates);
                assert_eq!(adaptive.select(node, d, &candidates, &|_| 0), Some(link));
            }
        }
    }
}
