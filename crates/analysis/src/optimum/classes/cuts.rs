//! Lower bounds from cuts, without a search.
//!
//! What leaves a set of nodes for hosts outside it crosses the links out of the set, whatever the routing. Which sets
//! are tried is a guess, and a bound follows from any of them: every gate with its hosts; the parts into which the
//! network falls without its upper levels, such as pods; and those without its lower levels, such as planes. Levels
//! are distances from *leaves*, the gates with many hosts: a few hosts at an upper switch do not pull it down.

use std::collections::VecDeque;

use super::network::Classes;
use crate::integer::index32;
use crate::rational::Rational;
use crate::topology::{LinkId, NodeId, Topology};
use crate::traffic::Demand;

/// Node in no part.
const NONE: u32 = u32::MAX;

/// Maximum number of levels at which a network is divided: those of trees, not those of a long chain.
const MOST_LEVELS: u32 = 16;

/// A lower bound on optu, and the lengths of links that prove it.
pub type Proven = (Rational, Vec<(LinkId, u64)>);

/// The best bound by the baseload and by cuts. O((links + pairs of gates) · levels).
#[must_use]
pub fn best_cut(classes: &Classes<'_>) -> Proven {
    let mut best = classes.baseload().clone();
    let levels = levels(classes);
    for parts in partitions(classes, &levels) {
        if let Some(cut) = best_of(classes, &parts).filter(|cut| cut.0 > best.0) {
            best = cut;
        }
    }
    best
}

/// The part of every node, if it is in one, per way in which [`best_cut`] divides a network. A host at a gate is in the
/// part of the gate. O((nodes + links) · levels).
#[must_use]
pub fn divisions(topology: &Topology) -> Vec<Vec<Option<u32>>> {
    let none: &[Demand] = &[];
    let Some(classes) = Classes::new(topology, none) else { return Vec::new() };
    let gates = classes.gates();
    let is_host = |node: NodeId| (node as usize) < topology.hosts();
    let place = |node| if is_host(node) { gates.node(gates.of(node)) } else { node };
    let of_parts = |parts: Vec<u32>| {
        let part = |node| Some(parts[place(node) as usize]).filter(|part| *part != NONE);
        topology.node_numbers().map(part).collect()
    };
    partitions(&classes, &levels(&classes)).map(of_parts).collect()
}

/// The part of every node, per way to divide the network at the given levels of nodes.
fn partitions(classes: &Classes<'_>, levels: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let mut alone = vec![NONE; classes.topology().nodes()];
    for gate in 0..index32(classes.gates().len()) {
        alone[classes.gates().node(gate) as usize] = gate;
    }
    let top = levels.iter().copied().filter(|level| *level != NONE).max().unwrap_or(0);
    let divided = (1..=top.min(MOST_LEVELS)).flat_map(move |level| {
        [false, true].into_iter().map(move |is_above| {
            let is_kept = |node: usize| levels[node] <= top && (levels[node] >= level) == is_above;
            parts(classes, is_kept)
        })
    });
    std::iter::once(alone).chain(divided)
}

/// Per node, its distance from the nearest leaf.
fn levels(classes: &Classes<'_>) -> Vec<u32> {
    let topology = classes.topology();
    let gates = classes.gates();
    let mut hosts = vec![0_usize; gates.len()];
    for host in topology.host_numbers() {
        hosts[gates.of(host) as usize] += 1;
    }
    let most = hosts.iter().copied().max().unwrap_or(0);
    let leaves = (0..).zip(&hosts).filter(|(_, hosts)| **hosts * 2 >= most);
    let mut queue: VecDeque<_> = leaves.map(|(gate, _)| gates.node(gate)).collect();
    let mut levels = vec![NONE; topology.nodes()];
    for leaf in &queue {
        levels[*leaf as usize] = 0;
    }
    while let Some(node) = queue.pop_front() {
        for arc in classes.out(node) {
            let head = classes.arcs()[*arc as usize].head;
            if levels[head as usize] == NONE {
                levels[head as usize] = levels[node as usize] + 1;
                queue.push_back(head);
            }
        }
    }
    levels
}

/// The connected parts of the nodes that are kept, directions ignored.
fn parts(classes: &Classes<'_>, is_kept: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut parts = vec![NONE; classes.topology().nodes()];
    let mut count = 0;
    for root in classes.topology().node_numbers() {
        if parts[root as usize] != NONE || !is_kept(root as usize) {
            continue;
        }
        parts[root as usize] = count;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            let heads = classes.out(node).iter().map(|arc| classes.arcs()[*arc as usize].head);
            let tails = classes.inward(node).iter().map(|arc| classes.arcs()[*arc as usize].tail);
            for other in heads.chain(tails) {
                if parts[other as usize] == NONE && is_kept(other as usize) {
                    parts[other as usize] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    parts
}

/// The part whose links out, or in, have to carry most.
fn best_of(classes: &Classes<'_>, parts: &[u32]) -> Option<Proven> {
    let count =
        parts.iter().filter(|part| **part != NONE).max().map_or(0, |part| *part as usize + 1);
    let mut crossing = vec![[0_u128; 2]; count];
    let mut capacity = vec![[(); 2].map(|()| Rational::ZERO); count];
    let part_of = |gate| parts[classes.gates().node(gate) as usize];
    let add = |from: u32, to: u32, on: &mut dyn FnMut(usize, usize)| {
        if from != to {
            let ends = [from, to].into_iter().enumerate().filter(|(_, part)| *part != NONE);
            ends.for_each(|(side, part)| on(part as usize, side));
        }
    };
    for group in classes.demands() {
        for (from, units) in &group.sinks {
            let (from, to) = (part_of(*from), part_of(group.source));
            add(from, to, &mut |part, side| crossing[part][side] += units);
        }
    }
    for arc in classes.arcs() {
        let (from, to) = (parts[arc.tail as usize], parts[arc.head as usize]);
        let links = arc.links.iter().map(|(link, _)| &classes.topology().link(*link).capacity);
        let links: Rational = links.sum();
        add(from, to, &mut |part, side| capacity[part][side] += &links);
    }
    let loads =
        crossing.iter().zip(&capacity).enumerate().flat_map(|(part, (crossing, capacity))| {
            [0, 1].into_iter().filter_map(move |side| {
                let crossing = Rational::from_big(crossing[side].into(), classes.units().into())?;
                Some((crossing.checked_div(&capacity[side])?, part, side))
            })
        });
    let (load, part, side) = loads.reduce(|best, cut| if cut.0 > best.0 { cut } else { best })?;
    let is_across = |tail: u32, head: u32| {
        let ends = [tail, head].map(|node| parts[node as usize] as usize == part);
        ends[side] && !ends[1 - side]
    };
    let across = classes.arcs().iter().filter(|arc| is_across(arc.tail, arc.head));
    let mut lengths: Vec<_> =
        across.flat_map(|arc| &arc.links).map(|(link, _)| (*link, 1)).collect();
    lengths.sort_unstable();
    Some((load, lengths))
}
