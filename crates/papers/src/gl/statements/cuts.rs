//! All cuts of a fat-tree, as \[GL\] 2 defines them, without any knowledge of Lemma 1.
//!
//! A directed cut divides the processors into A and B by a set S of wires that every path from A
//! to B meets. Of all S for given A and B, the one with the fewest wires counts: it leads out of a
//! set of nodes, A and some switches, so all sets of nodes are tried, one tree node after another.

use super::prelude::*;
use crate::topology::node_number;

/// The wires of the minimum cut from every set A of processors to all others.
pub(super) struct Cuts {
    hosts: usize,
    /// Entry A, a set of hosts as bits.
    wires: Vec<u64>,
    /// Wires up from and down to every node.
    capacities: Vec<[u64; 2]>,
}

impl Cuts {
    /// Maximum number of hosts: all 2^hosts sets are examined.
    pub(super) const MAX_HOSTS: usize = 16;

    /// The cuts of a tree; `None` when a channel has no integer number of wires.
    /// O(2^hosts · nodes).
    pub(super) fn of(tree: &ChannelTree) -> Option<Self> {
        let hosts = tree.hosts();
        let channels = (0..node_number(tree.order().len())).map(|below| {
            let wires = |direction| tree.capacity(Channel { below, direction }).scaled(1);
            Some([wires(Direction::Up)?, wires(Direction::Down)?])
        });
        let capacities: Vec<[u64; 2]> = channels.collect::<Option<_>>()?;
        let sets = 0..1_u32 << hosts;
        let wires = sets.map(|a| least_cut(tree, &capacities, a)).collect::<Option<_>>()?;
        Some(Self { hosts, wires, capacities })
    }

    /// Fewest wires between A and all other hosts.
    pub(super) fn wires(&self, a: u32) -> u64 {
        self.wires[a as usize]
    }

    /// The channels of a cut with the fewest wires between A and all other hosts. O(nodes).
    pub(super) fn channels(&self, tree: &ChannelTree, a: u32) -> Vec<Channel> {
        let least = least_sides(tree, &self.capacities, a);
        let mut inside = vec![false; tree.order().len()];
        let mut leaving = Vec::new();
        let wires = |node: NodeId, side: bool| least[node as usize][usize::from(side)];
        for (at, node) in tree.order().iter().enumerate() {
            let (above, [up, down]) = match at {
                0 => (None, [0, 0]),
                _ => (Some(inside[tree.parent(*node) as usize]), self.capacities[*node as usize]),
            };
            // Where the node is not on the side of its parent, a channel leaves the set.
            let cost = |side: bool| {
                let more = match (above, side) {
                    (Some(false), true) => up,
                    (Some(true), false) => down,
                    _ => 0,
                };
                wires(*node, side).map(|wires| wires + more)
            };
            let is_inside = cost(false).is_none_or(|out| cost(true).is_some_and(|own| own < out));
            inside[*node as usize] = is_inside;
            let direction = if is_inside { Direction::Up } else { Direction::Down };
            let leaves = above.is_some_and(|above| above != is_inside);
            leaving.extend(leaves.then_some(Channel { below: *node, direction }));
        }
        leaving
    }

    /// λ(M) = max over all cuts of load(M,S) ÷ cap(S), and the A of a cut that attains it; `None`
    /// when an amount is not a number of messages. One host enters or leaves A at a time.
    /// O(2^hosts · hosts).
    pub(super) fn load_factor(&self, messages: &[Demand]) -> Option<(Rational, u32)> {
        let mut sent = vec![vec![0_u64; self.hosts]; self.hosts];
        for Demand { s, d, amount } in messages {
            sent[*s as usize][*d as usize] += amount.scaled(1)?;
        }
        let (mut a, mut load, mut best) = (0_u32, 0_u64, (0_u64, 1_u64, 0_u32));
        for step in 1..1_u32 << self.hosts {
            let host = step.trailing_zeros() as usize;
            let is_in = |other: usize| a >> other & 1 == 1;
            let others = || (0..self.hosts).filter(|other| *other != host);
            let out: u64 = others().filter(|d| !is_in(*d)).map(|d| sent[host][d]).sum();
            let inward: u64 = others().filter(|s| is_in(*s)).map(|s| sent[s][host]).sum();
            load = if is_in(host) { load + inward - out } else { load + out - inward };
            a ^= 1 << host;
            let wires = self.wires[a as usize];
            if wires > 0
                && u128::from(load) * u128::from(best.1) > u128::from(best.0) * u128::from(wires)
            {
                best = (load, wires, a);
            }
        }
        Some((Rational::new(best.0, best.1)?, best.2))
    }
}

/// The fewest wires that leave a set of nodes whose hosts are A; `channels` has the wires up from
/// and down to every node.
fn least_cut(tree: &ChannelTree, channels: &[[u64; 2]], a: u32) -> Option<u64> {
    let least = least_sides(tree, channels, a);
    least[tree.order()[0] as usize].into_iter().flatten().min()
}

/// Entry `node`: least wires below it when it is outside the set, and when it is inside.
fn least_sides(tree: &ChannelTree, channels: &[[u64; 2]], a: u32) -> Vec<[Option<u64>; 2]> {
    let mut least = vec![[Some(0), Some(0)]; tree.order().len()];
    for (host, sides) in least.iter_mut().take(tree.hosts()).enumerate() {
        sides[usize::from(a >> host & 1 == 0)] = None;
    }
    for node in tree.order().iter().skip(1).rev() {
        let [up, down] = channels[*node as usize];
        let [outside, inside] = least[*node as usize];
        let add = |wires: Option<u64>, more: u64| wires.map(|wires| wires + more);
        let best = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        // If the parent is outside, an inner node adds its wires up; if it is inside, an outer node
        // adds its wires down.
        let sides = [best(outside, add(inside, up)), best(add(outside, down), inside)];
        for (sum, least) in least[tree.parent(*node) as usize].iter_mut().zip(sides) {
            *sum = sum.zip(least).map(|(sum, least)| sum + least);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of nodes, hosts and switches alike.
    #[test]
    fn least_cuts_are_those_over_all_sets_of_nodes() {
        for (topology, tree) in trees::all(8).unwrap() {
            let cuts = Cuts::of(&tree).unwrap();
            let mut least = vec![None::<u64>; 1 << tree.hosts()];
            for set in 0_u32..1 << topology.nodes() {
                let inside = |node: u32| set >> node & 1 == 1;
                let ends = topology.link_numbers().map(|l| (l, topology.ends(l).unwrap()));
                let leaving = ends.filter(|(_, (from, to))| inside(*from) && !inside(*to));
                let capacity = |link| topology.link(link).capacity.scaled(1).unwrap();
                let wires: u64 = leaving.map(|(link, _)| capacity(link)).sum();
                let known = &mut least[(set & ((1 << tree.hosts()) - 1)) as usize];
                *known = Some(known.map_or(wires, |k| k.min(wires)));
            }
            let least: Vec<u64> = least.into_iter().flatten().collect();
            assert_eq!(least, cuts.wires, "{}", topology.spec());
        }
    }

    #[test]
    fn load_factors_are_those_of_counting() {
        let (_, tree) = trees::tree(8, "sqrt2", 3).unwrap();
        let cuts = Cuts::of(&tree).unwrap();
        for index in 0..20 {
            let set = messages::random(8, 4, 3, index);
            let factor = |a: u32| {
                let inside = |host: u32| a >> host & 1 == 1;
                let crossing = set.iter().filter(|m| inside(m.s) && !inside(m.d));
                let load: Rational = crossing.map(|m| &m.amount).sum();
                load.checked_div(&cuts.wires[a as usize].into()).unwrap_or_default()
            };
            let most = (0..1_u32 << 8).map(factor).max().unwrap();
            let (found, a) = cuts.load_factor(&set).unwrap();
            assert_eq!((&found, &factor(a)), (&most, &most));
        }
    }
}
