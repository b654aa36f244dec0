//! Splits over shortest paths by number of links, from network and pair alone.
//!
//! One breadth-first search from a host serves all of its pairs: the links of a pair's shortest paths
//! are found by a walk back from its other end, layer by layer. Shares are integers over a whole that
//! all nodes at one distance have in common; a rational is made once for each that is new.

use std::collections::HashMap;

use crate::certificate::Split;
use crate::limit::TooLarge;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::known::Numbered;
use super::network::Network;
use super::{Refusal, Result};

/// The distance of a node that was not reached.
const UNSEEN: u32 = u32::MAX;

/// Fractions whose numbers are held.
const HELD: usize = 1 << 16;

/// The shortest paths between one host and all others, and the buffers of a pair.
#[derive(Default)]
pub(super) struct SplitSearch {
    /// Whether pairs come with the same destination one after another, rather than the same source.
    pub(super) by_destination: bool,
    /// The host that was searched from, and whether it is the destination.
    root: Option<(Host, bool)>,
    distance: Vec<u32>,
    /// Reached nodes, nearest first.
    reached: Vec<NodeId>,
    /// By node, where in `back` its links are.
    place: Vec<(usize, usize)>,
    /// Links of shortest paths between the root and a node, at the node, with their other end.
    back: Vec<(LinkId, NodeId)>,
    pair: Pair,
    numbers: HashMap<(u128, u128), u32>,
}

/// The shortest paths of a pair.
#[derive(Default)]
struct Pair {
    /// Nodes, layer by layer from the source on.
    nodes: Vec<NodeId>,
    /// Links in the order of their tails' layers.
    hops: Vec<Hop>,
    /// By node; all 0 between pairs.
    amount: Vec<u128>,
    more: Vec<u128>,
}

/// A link on a shortest path.
struct Hop {
    link: LinkId,
    tail: NodeId,
    head: NodeId,
}

impl SplitSearch {
    /// Appends the links that carry the pair to `parts`, each with the number of its share.
    /// O(links of its shortest paths), except for the first pair of a root.
    pub(super) fn take(
        &mut self,
        network: &Network,
        (split, pair): (Split, (Host, Host)),
        (parts, shares): (&mut Vec<(LinkId, u32)>, &mut Numbered),
    ) -> Result<()> {
        self.walk(network, pair)?;
        let Self { pair: found, distance, numbers, .. } = self;
        if numbers.len() > HELD {
            numbers.clear();
        }
        let mut last = ((0, 0), 0);
        let mut carry = |link: LinkId, share: (u128, u128)| {
            if last.0 != share {
                let number =
                    || Some(shares.number(&Rational::from_big(share.0.into(), share.1.into())?));
                let known = numbers.get(&share).copied().or_else(number);
                // The whole is 1 or more.
                last = (share, known.unwrap_or_default());
                numbers.insert(share, last.1);
            }
            parts.push((link, last.1));
        };
        let (done, what) = match split {
            Split::Paths => (found.by_paths(&mut carry), "the number of shortest paths"),
            Split::Hops => (found.by_hops(distance, &mut carry), "a common denominator of shares"),
        };
        for node in &found.nodes {
            (found.amount[*node as usize], found.more[*node as usize]) = (0, 0);
        }
        done.ok_or_else(|| too_fine(what, pair, "write its paths out, or state another repair"))
    }

    /// Whether a pair was looked at.
    pub(super) fn is_used(&self) -> bool {
        self.root.is_some()
    }

    /// Forgets the numbers of shares.
    pub(super) fn forget_shares(&mut self) {
        self.numbers.clear();
    }

    /// Whether all shortest paths of the pair have a property; ends with the first that has not.
    pub(super) fn all_paths(
        &mut self,
        network: &Network,
        pair: (Host, Host),
        property: impl Fn(&[LinkId]) -> bool,
    ) -> Result<bool> {
        self.walk(network, pair)?;
        let hops = &self.pair.hops;
        // Places of a path's links among the hops, and where to look for the next one.
        let (mut path, mut from) = (Vec::<usize>::new(), 0);
        loop {
            network.go_on()?;
            let at = path.last().map_or(pair.0, |place| hops[*place].head);
            if at == pair.1 {
                let links: Vec<LinkId> = path.iter().map(|place| hops[*place].link).collect();
                if !property(&links) {
                    return Ok(false);
                }
            }
            // A link's successors come behind it.
            if let Some(next) = (from..hops.len()).find(|place| hops[*place].tail == at) {
                path.push(next);
                from = next + 1;
            } else if let Some(last) = path.pop() {
                from = last + 1;
            } else {
                return Ok(true);
            }
        }
    }

    /// Finds the links of the pair's shortest paths.
    fn walk(&mut self, network: &Network, (s, d): (Host, Host)) -> Result<()> {
        let (root, end) = if self.by_destination { (d, s) } else { (s, d) };
        if self.root != Some((root, self.by_destination)) {
            self.search(network, root);
        }
        if self.distance[end as usize] == UNSEEN {
            return Err(Refusal::MissingPair { s, d });
        }
        let Pair { nodes, hops, more, .. } = &mut self.pair;
        nodes.clear();
        hops.clear();
        nodes.push(end);
        let mut at = 0;
        while let Some(node) = nodes.get(at).copied() {
            at += 1;
            let (first, behind) = self.place[node as usize];
            for (link, other) in &self.back[first..behind] {
                let (tail, head) =
                    if self.by_destination { (node, *other) } else { (*other, node) };
                hops.push(Hop { link: *link, tail, head });
                if more[*other as usize] == 0 {
                    more[*other as usize] = 1;
                    nodes.push(*other);
                }
            }
        }
        for node in nodes.iter() {
            more[*node as usize] = 0;
        }
        if !self.by_destination {
            nodes.reverse();
            hops.reverse();
        }
        Ok(())
    }

    /// Finds the distances between the root and all nodes.
    fn search(&mut self, network: &Network, root: Host) {
        let to_root = self.by_destination;
        let (leaving, entering) = (&network.leaving, &network.entering);
        let (onward, backward) = if to_root { (entering, leaving) } else { (leaving, entering) };
        let other = |link: LinkId, forward: bool| {
            let (tail, head) = network.ends[link as usize];
            if forward { head } else { tail }
        };
        self.distance.clear();
        self.distance.resize(network.nodes, UNSEEN);
        self.place.resize(network.nodes, (0, 0));
        self.pair.amount.resize(network.nodes, 0);
        self.pair.more.resize(network.nodes, 0);
        self.reached.clear();
        self.back.clear();
        self.root = Some((root, to_root));
        self.distance[root as usize] = 0;
        self.reached.push(root);
        let mut at = 0;
        while let Some(node) = self.reached.get(at).map(|node| *node as usize) {
            at += 1;
            for link in &onward[node] {
                let next = other(*link, !to_root);
                if self.distance[next as usize] == UNSEEN {
                    self.distance[next as usize] = self.distance[node] + 1;
                    self.reached.push(next);
                }
            }
            let first = self.back.len();
            let nearer = self.distance[node].checked_sub(1);
            let links = backward[node].iter().map(|link| (*link, other(*link, to_root)));
            let distance = &self.distance;
            self.back.extend(links.filter(|(_, node)| nearer == Some(distance[*node as usize])));
            self.place[node] = (first, self.back.len());
        }
    }
}

impl Pair {
    /// Every path has the same share: `carry(link, (paths over it, all paths))`. `None` where there
    /// are 2^128 paths or more.
    fn by_paths(&mut self, carry: &mut impl FnMut(LinkId, (u128, u128))) -> Option<()> {
        let Self { nodes, hops, amount: ways, more: beyond } = self;
        let [first, .., last] = nodes[..] else { return Some(()) };
        beyond[last as usize] = 1;
        for Hop { tail, head, .. } in hops.iter().rev() {
            let sum = beyond[*tail as usize].checked_add(beyond[*head as usize]);
            beyond[*tail as usize] = sum?;
        }
        let all = beyond[first as usize];
        ways[first as usize] = 1;
        for Hop { link, tail, head } in hops.iter() {
            // Neither product nor sum is above all paths.
            let before = ways[*tail as usize];
            carry(*link, (before * beyond[*head as usize], all));
            ways[*head as usize] += before;
        }
        Some(())
    }

    /// What is at a node is divided evenly among its links: `carry(link, (part, whole))`. `None` where
    /// a common denominator is 2^128 or more.
    fn by_hops(
        &mut self,
        distance: &[u32],
        carry: &mut impl FnMut(LinkId, (u128, u128)),
    ) -> Option<()> {
        let Self { nodes, hops, amount, more: count } = self;
        for Hop { tail, .. } in hops.iter() {
            count[*tail as usize] += 1;
        }
        let layer = |node: NodeId| distance[node as usize];
        let mut whole = 1;
        amount[*nodes.first()? as usize] = 1;
        let layers = nodes.chunk_by(|a, b| layer(*a) == layer(*b));
        let links = hops.chunk_by(|a, b| layer(a.tail) == layer(b.tail));
        for (nodes, hops) in layers.zip(links) {
            let factor = if let Some(factor) = least_factor(nodes, amount, count, whole) {
                factor
            } else {
                reduce(nodes, amount, &mut whole);
                least_factor(nodes, amount, count, whole)?
            };
            whole *= factor;
            for node in nodes.iter().map(|node| *node as usize) {
                amount[node] = amount[node] * factor / count[node];
            }
            for Hop { link, tail, head } in hops {
                let part = amount[*tail as usize];
                carry(*link, (part, whole));
                amount[*head as usize] += part;
            }
        }
        Some(())
    }
}

/// The least number by which amounts and whole must be multiplied so that every node can divide its
/// amount; `None` where the whole does not fit. Counts of links are below 2^32.
fn least_factor(nodes: &[NodeId], amount: &[u128], count: &[u128], whole: u128) -> Option<u128> {
    let mut factor = 1_u128;
    for node in nodes.iter().map(|node| *node as usize) {
        let count = count[node];
        let rest = (amount[node] % count) * (factor % count) % count;
        if rest > 0 {
            factor = factor.checked_mul(count / gcd(count, rest))?;
        }
    }
    whole.checked_mul(factor)?;
    Some(factor)
}

/// Divides whole and amounts by what they have in common.
fn reduce(nodes: &[NodeId], amount: &mut [u128], whole: &mut u128) {
    let common = nodes.iter().fold(*whole, |common, node| gcd(common, amount[*node as usize]));
    *whole /= common;
    for node in nodes {
        amount[*node as usize] /= common;
    }
}

/// The greatest common divisor of two numbers, one of which is not 0.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The refusal to compute with more than 128 bits.
pub(super) fn too_fine(what: &str, (s, d): (Host, Host), remedy: &'static str) -> Refusal {
    Refusal::TooLarge(TooLarge {
        what: format!("length in bits of {what} from {s} to {d}"),
        size: "more than 128".into(),
        limit: u128::BITS.into(),
        remedy: remedy.into(),
    })
}

#[cfg(test)]
mod tests;
