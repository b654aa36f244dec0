//! The traffic of one pair, layer by layer of the nodes at equal distances from its destination.
//!
//! Shares are numbers of parts of a whole, which grows where a node cannot divide its parts. They are
//! machine integers until the whole exceeds these.

use std::ops::AddAssign;

use dashu_int::UBig;

use super::Visit;
use super::shortest::{ShortestPaths, To};
use crate::integer::{Gcd, index32};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

/// The nodes that a walk is at.
#[derive(Debug, Default)]
pub(super) struct Layer {
    small: Parts<u64>,
    large: Parts<UBig>,
}

impl Layer {
    /// Visits the links from `s` to `d`, distance by distance, links with equal shares of one distance
    /// together where they follow each other. O(ports of the nodes on shortest paths).
    pub(super) fn walk(
        &mut self,
        routing: &ShortestPaths,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: Visit<'_>,
    ) {
        self.small.start(s, routing.nodes());
        if self.small.walk(routing, d, links, visit).is_none() {
            self.large.take_over(&self.small, routing.nodes());
            self.large.walk(routing, d, links, visit).expect("there is no largest integer");
        }
    }
}

/// Numbers of parts, exact or `None`.
trait Number: Clone + Default + PartialEq + for<'a> AddAssign<&'a Self> {
    const ONE: Self;

    fn times(&self, other: &Self) -> Option<Self>;
    fn times32(&self, factor: u32) -> Option<Self>;
    /// Quotient and rest.
    fn divided(&self, by: u32) -> (Self, u32);
    fn share(&self, whole: &Self) -> Option<Rational>;
}

impl Number for u64 {
    const ONE: Self = 1;

    fn times(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other)
    }

    fn times32(&self, factor: u32) -> Option<Self> {
        self.checked_mul(factor.into())
    }

    fn divided(&self, by: u32) -> (Self, u32) {
        let by = Self::from(by);
        (self / by, u32::try_from(self % by).expect("a rest is less than the divisor"))
    }

    fn share(&self, whole: &Self) -> Option<Rational> {
        Rational::new(*self, *whole)
    }
}

impl Number for UBig {
    const ONE: Self = Self::ONE;

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn times32(&self, factor: u32) -> Option<Self> {
        Some(self * factor)
    }

    fn divided(&self, by: u32) -> (Self, u32) {
        (self / by, self % by)
    }

    fn share(&self, whole: &Self) -> Option<Rational> {
        Rational::from_big(self.clone(), whole.clone())
    }
}

/// Nodes and links with their parts.
#[derive(Debug, Default)]
struct Parts<N> {
    whole: N,
    /// Ascending.
    nodes: Vec<(NodeId, N)>,
    /// Links to the next layer with their heads.
    links: Vec<(LinkId, NodeId, N)>,
    /// One more than the place of every node of the next layer; 0 for others.
    place: Vec<u32>,
}

impl<N: Number> Parts<N> {
    fn start(&mut self, s: Host, nodes: usize) {
        self.whole = N::ONE;
        self.nodes.clear();
        self.nodes.push((s, N::ONE));
        self.place.resize(nodes, 0);
    }

    /// Continues to `d`; `None` where the whole gets too large, at the layer before.
    fn walk(
        &mut self,
        routing: &ShortestPaths,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: Visit<'_>,
    ) -> Option<()> {
        let to = routing.to(d);
        while self.nodes.first().is_some_and(|(node, _)| *node != d) {
            self.divide(to)?;
            for equal in self.links.chunk_by(|a, b| a.2 == b.2) {
                let share = equal[0].2.share(&self.whole);
                links.clear();
                links.extend(equal.iter().map(|(link, ..)| *link));
                visit(&share.expect("the whole is not 0"), links);
            }
            self.advance();
        }
        Some(())
    }

    /// Divides the parts of the nodes among their next hops, in the order of the nodes.
    fn divide(&mut self, to: To<'_>) -> Option<()> {
        let mut factor = N::ONE;
        for (node, part) in &self.nodes {
            let total = to.total(*node);
            let (_, rest) = part.times(&factor)?.divided(total);
            factor = factor.times32(total / total.gcd(rest))?;
        }
        // No part exceeds the whole.
        let whole = self.whole.times(&factor)?;
        self.links.clear();
        for (node, part) in &self.nodes {
            let (unit, _) = part.times(&factor)?.divided(to.total(*node));
            for hop in to.hops(*node) {
                self.links.push((hop.link, hop.head, unit.times32(hop.weight)?));
            }
        }
        self.whole = whole;
        Some(())
    }

    /// Advances to the heads of the links.
    fn advance(&mut self) {
        self.nodes.clear();
        for (_, head, part) in &self.links {
            let place = &mut self.place[*head as usize];
            if *place == 0 {
                self.nodes.push((*head, part.clone()));
                *place = index32(self.nodes.len());
            } else {
                self.nodes[*place as usize - 1].1 += part;
            }
        }
        for (node, _) in &self.nodes {
            self.place[*node as usize] = 0;
        }
        self.nodes.sort_unstable_by_key(|(node, _)| *node);
    }
}

impl Parts<UBig> {
    fn take_over(&mut self, small: &Parts<u64>, nodes: usize) {
        self.whole = small.whole.into();
        self.nodes.clear();
        self.nodes.extend(small.nodes.iter().map(|(node, part)| (*node, UBig::from(*part))));
        self.place.resize(nodes, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::routing::{UseScratch, build};
    use crate::topology::{NetworkBuilder, Topology};

    /// Layers of 13 switches between two hosts, whose numbers of next hops share no factor.
    fn layers(layers: usize) -> Topology {
        let mut network = NetworkBuilder::new();
        let [s, d] = ["s", "d"].map(|name| network.host(name));
        let all: Vec<_> = (0..layers * 13).map(|at| network.switch(format!("{at}"))).collect();
        for first in &all[..13] {
            network.cable(s, *first, Rational::ONE);
        }
        for (at, switch) in all.iter().enumerate() {
            match all.get((at / 13 + 1) * 13..) {
                Some(next) if !next.is_empty() => {
                    let hops = [2, 3, 5, 7, 11, 13][at % 13 % 6];
                    (0..hops).for_each(|hop| {
                        network.cable(*switch, next[(at + hop) % 13], Rational::ONE);
                    });
                }
                _ => network.cable(*switch, d, Rational::ONE),
            }
        }
        network.build("layers").unwrap()
    }

    /// What crosses every link is the sum over its paths, also where the whole exceeds machine integers,
    /// and buffers may be used again.
    #[test]
    fn uses_are_sums_over_paths() {
        let mut scratch = UseScratch::default();
        for (network, is_large) in [(layers(2), false), (layers(7), true), (layers(3), false)] {
            let ecmp = build("ecmp", &network).unwrap();
            let (mut by_path, mut by_use) = (BTreeMap::new(), BTreeMap::new());
            ecmp.for_each_path(0, 1, &mut Vec::new(), &mut |share, links| {
                for link in links {
                    *by_path.entry(*link).or_insert(Rational::ZERO) += share;
                }
            });
            ecmp.for_each_use(0, 1, &mut scratch, &mut |share, links| {
                by_use.extend(links.iter().map(|link| (*link, share.clone())));
            });
            assert_eq!(by_path, by_use);
            assert_eq!(scratch.layer.large.nodes.len() == 1, is_large);
            scratch.layer.large.nodes.clear();
        }
    }
}
