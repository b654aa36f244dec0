//! The network as it is drawn: switches and the cables between them, with hosts folded into their leaf.

use std::collections::BTreeSet;

use crate::failure::{Cable, cables};
use crate::integer::index32;
use crate::rational::Rational;
use crate::topology::{NodeId, NodeKind, Topology};

/// A switch, or a host that is joined to several nodes or to another host.
#[derive(Clone, Debug)]
pub(super) struct DrawnNode {
    /// Name of the node.
    pub name: String,
    /// Level of the node.
    pub level: u8,
    /// Hosts that are joined to this node alone.
    pub hosts: usize,
}

/// A cable between two of them.
#[derive(Clone, Debug)]
pub(super) struct DrawnCable {
    /// The lower node, by its position among [`DrawnNetwork::nodes`].
    pub low: usize,
    /// The upper node.
    pub high: usize,
    /// The cable itself.
    pub cable: Cable,
    /// The worst load up and that down, each the greater one of several links; `None` where there is no
    /// link or its load is not known.
    pub loads: [Option<Rational>; 2],
}

/// The nodes and cables of a network that are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnNetwork {
    /// Switches and routers, by number.
    pub nodes: Vec<DrawnNode>,
    /// Cables between them, by first link.
    pub cables: Vec<DrawnCable>,
    /// By host, the position of the node that stands for it.
    pub of_host: Vec<usize>,
}

impl DrawnCable {
    /// The worst load of the worse direction.
    pub(super) fn worst(&self) -> Option<&Rational> {
        self.loads.iter().flatten().max()
    }
}

impl DrawnNetwork {
    /// O(links · log(links)).
    pub(super) fn of(topology: &Topology, loads: Option<&[Rational]>) -> Self {
        let leaf: Vec<Option<NodeId>> =
            topology.host_numbers().map(|host| leaf(topology, host)).collect();
        let mut nodes = Vec::new();
        let mut place: Vec<Option<usize>> = vec![None; topology.nodes()];
        for number in topology.node_numbers() {
            if leaf.get(number as usize).is_some_and(Option::is_some) {
                continue;
            }
            place[number as usize] = Some(nodes.len());
            let (name, level) = (topology.node(number).name.clone(), topology.shown_level(number));
            nodes.push(DrawnNode { name, level, hosts: 0 });
        }
        let mut of_host = Vec::new();
        for (host, leaf) in topology.host_numbers().zip(&leaf) {
            let at = place[leaf.unwrap_or(host) as usize].unwrap_or_default();
            nodes[at].hosts += usize::from(leaf.is_some());
            of_host.push(at);
        }
        let drawn = |cable: Cable| {
            let [a, b] = cable.ends.map(|(node, _)| place[node as usize]);
            let (a, b) = (a?, b?);
            let (low, high) = if nodes[b].level < nodes[a].level { (b, a) } else { (a, b) };
            Some((low, high, cable))
        };
        let all = cables(topology).into_iter().filter_map(drawn);
        let cables: Vec<DrawnCable> = all
            .map(|(low, high, cable)| {
                let loads = both_ways(topology, &place, low, &cable, loads);
                DrawnCable { low, high, cable, loads }
            })
            .collect();
        Self { nodes, cables, of_host }
    }

    /// The highest level; 0 without nodes.
    pub(super) fn height(&self) -> u8 {
        self.nodes.iter().map(|node| node.level).max().unwrap_or(0)
    }

    /// The position of the cable with the maximum worst load, the first among equals.
    pub(super) fn worst_cable(&self) -> Option<usize> {
        let loads = self.cables.iter().enumerate();
        let known = loads.filter_map(|(at, cable)| Some((cable.worst()?, at)));
        let worst = known.max_by(|(a, at), (b, of)| a.cmp(b).then(of.cmp(at)));
        worst.map(|(_, at)| at)
    }
}

/// The only neighbour of a host, if that is a switch.
fn leaf(topology: &Topology, host: NodeId) -> Option<NodeId> {
    let out = topology.links_from(host).filter_map(|link| topology.ends(link).map(|ends| ends.1));
    let into = topology.links_to(host).filter_map(|link| topology.ends(link).map(|ends| ends.0));
    let neighbours: BTreeSet<NodeId> = out.chain(into).collect();
    let only = neighbours.first().filter(|_| neighbours.len() == 1)?;
    (topology.node(*only).kind == NodeKind::Switch).then_some(*only)
}

/// The worst load of a cable away from its lower end, and that towards it.
fn both_ways(
    topology: &Topology,
    place: &[Option<usize>],
    low: usize,
    cable: &Cable,
    loads: Option<&[Rational]>,
) -> [Option<Rational>; 2] {
    let mut found = [None, None];
    for link in &cable.links {
        let Some((from, _)) = topology.ends(*link) else { continue };
        // Of two links of a switch to itself both go both ways.
        let way = usize::from(place[from as usize] != Some(low));
        let load = loads.and_then(|loads| loads.get(*link as usize)).cloned();
        found[way] = found[way].take().max(load);
    }
    found
}

/// Ranks of the loads that occur, from 1: equal loads have equal ranks, and 0 is a load that is not known.
pub(super) fn ranks(network: &DrawnNetwork) -> Vec<[u32; 2]> {
    let all: BTreeSet<&Rational> =
        network.cables.iter().flat_map(|cable| cable.loads.iter().flatten()).collect();
    let sorted: Vec<&Rational> = all.into_iter().collect();
    let rank = |load: &Option<Rational>| {
        let found = load.as_ref().and_then(|load| sorted.binary_search(&load).ok());
        found.map_or(0, |at| index32(at) + 1)
    };
    network.cables.iter().map(|cable| [rank(&cable.loads[0]), rank(&cable.loads[1])]).collect()
}
