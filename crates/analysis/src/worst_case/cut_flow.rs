//! The most traffic on a link when cuts limit it: a max flow, or a min-cost flow.
//!
//! Arcs of cost 0 stand for cuts; every pair on the link is an arc whose gain, the negative of its
//! cost, is its share. Where all shares are 1 the maximum is a max flow, and a min cut proves it;
//! otherwise dual prices of the cuts do.

use dashu_int::UBig;

use super::problem::Unsolved;
use crate::flow::{FlowNetwork, MinCostNetwork};
use crate::progress::{Progress, Stopped};
use crate::rational::{Rational, common_denominator};

/// The node where all flow starts.
pub(super) const SOURCE: usize = 0;
/// The node where all flow ends.
pub(super) const SINK: usize = 1;

/// A flow network under construction.
pub(super) struct CutFlow<'p> {
    nodes: usize,
    /// Tail, head, capacity.
    cuts: Vec<(usize, usize, u64)>,
    /// Tail, head, share.
    pairs: Vec<(usize, usize, &'p Rational)>,
}

/// A maximum.
pub(super) struct Maximum {
    /// Σ flow·share over the pairs.
    pub(super) traffic: Rational,
    /// Flow of every pair.
    pub(super) flow: Vec<u64>,
    /// Weight of every cut: those that a pair crosses sum to at least its share, and
    /// Σ weight·capacity is the maximum.
    pub(super) weights: Vec<Rational>,
}

/// Largest share after scaling to integers.
const MAX_GAIN: u64 = 1 << 40;

impl<'p> CutFlow<'p> {
    /// A network of a source and a sink only.
    pub(super) fn new() -> Self {
        Self { nodes: 2, cuts: Vec::new(), pairs: Vec::new() }
    }

    /// Adds a node.
    pub(super) fn node(&mut self) -> usize {
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds a cut.
    pub(super) fn cut(&mut self, tail: usize, head: usize, capacity: u64) {
        self.cuts.push((tail, head, capacity));
    }

    /// Adds a pair.
    pub(super) fn pair(&mut self, tail: usize, head: usize, share: &'p Rational) {
        self.pairs.push((tail, head, share));
    }

    /// The maximum, unless the shares have no sufficiently small common denominator.
    pub(super) fn maximise(&self, progress: &Progress) -> Result<Maximum, Unsolved> {
        if self.pairs.iter().all(|(_, _, share)| **share == Rational::ONE) {
            return Ok(self.maximise_flow(progress)?);
        }
        let (scale, mut network) = self.min_cost_network().ok_or(Unsolved::Shares)?;
        let gain = network.maximise(SOURCE, SINK, progress)?;
        Ok(self.maximum(scale, &network, gain))
    }

    /// More than any pair can carry.
    fn unlimited(&self) -> u64 {
        self.cuts.iter().map(|(_, _, capacity)| capacity).max().map_or(1, |most| most + 1)
    }

    fn maximise_flow(&self, progress: &Progress) -> Result<Maximum, Stopped> {
        let mut network = FlowNetwork::new(self.nodes);
        for (tail, head, capacity) in &self.cuts {
            network.add_arc(*tail, *head, *capacity);
        }
        for (tail, head, _) in &self.pairs {
            network.add_arc(*tail, *head, self.unlimited());
        }
        let value = network.maximise(SOURCE, SINK, progress)?;
        let side = network.source_side(SOURCE);
        let weight = |(tail, head, _): &(usize, usize, u64)| {
            if side[*tail] && !side[*head] { Rational::ONE } else { Rational::ZERO }
        };
        let first = self.cuts.len();
        Ok(Maximum {
            traffic: Rational::from(value),
            flow: (first..first + self.pairs.len()).map(|arc| network.flow(arc)).collect(),
            weights: self.cuts.iter().map(weight).collect(),
        })
    }

    /// The network with integer gains, and the scale: gains are in units of 1/scale.
    fn min_cost_network(&self) -> Option<(u64, MinCostNetwork)> {
        let scale = common_denominator(self.pairs.iter().map(|(_, _, share)| *share))?;
        let mut network = MinCostNetwork::new(self.nodes);
        for (tail, head, capacity) in &self.cuts {
            network.add_arc(*tail, *head, *capacity, 0);
        }
        for (tail, head, share) in &self.pairs {
            let gain = share.scaled(scale).filter(|gain| *gain <= MAX_GAIN)?;
            network.add_arc(*tail, *head, self.unlimited(), gain);
        }
        Some((scale, network))
    }

    /// The maximum of a solved network.
    fn maximum(&self, scale: u64, network: &MinCostNetwork, gain: u128) -> Maximum {
        let first = self.cuts.len();
        let prices = network.prices(SOURCE, SINK).into_iter().take(first);
        let unscaled = |value: UBig| {
            Rational::from_big(value, scale.into()).expect("a common denominator is at least 1")
        };
        Maximum {
            traffic: unscaled(gain.into()),
            flow: (first..first + self.pairs.len()).map(|arc| network.flow(arc)).collect(),
            weights: prices.map(|price| unscaled(price.into())).collect(),
        }
    }
}
