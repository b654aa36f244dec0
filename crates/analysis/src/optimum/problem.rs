//! Traffic to be routed with least max load, in the forms that solvers and exact arithmetic need.
//!
//! Every demand is held as an integer number of *units*, a unit being the reciprocal of the
//! demands' common denominator, so that sums over paths are integer sums. Solvers see floats near
//! 1: amounts are units times a power of two (exact, as are halves and quarters of them), and
//! capacities are divided by the largest one. Otherwise, networks with capacities of 1e9 bit/s
//! would make an LP solver return wrong answers.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use super::even_tree::even_split;
use super::shortest::{Adjacency, Tree};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::Demand;

/// Maximum bits of the total demand, in units.
const MAX_BITS: usize = 90;

/// An error from bounding the optu of traffic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum OptuError {
    #[error("demand from host {s} to host {d}: hosts are 0 to {last}, and the two must differ")]
    NoPair { s: Host, d: Host, last: usize },
    #[error("no path leads from host {} to host {}: drop this demand or add a link", .called[0], .called[1])]
    Unreachable { s: Host, d: Host, called: Box<[String; 2]> },
    #[error(
        "the demands need more than {MAX_BITS} bits in units of their common denominator: \
         round them to fewer digits"
    )]
    Denominators,
    #[error("{0}")]
    TooLarge(#[from] crate::limit::TooLarge),
}

/// Traffic of links, ascending, in solver floats.
pub type Traffic = Vec<(LinkId, f64)>;

/// All traffic of one source.
pub struct Group {
    /// The source.
    pub source: Host,
    /// Destinations, ascending, and their demands in units.
    pub sinks: Vec<(Host, u128)>,
}

/// A network and the traffic to be carried.
pub struct Problem<'t> {
    topology: &'t Topology,
    network: Adjacency,
    groups: Vec<Group>,
    units: u128,
    total: u128,
    capacity: Vec<f64>,
    largest: Rational,
    exponent: i32,
}

impl<'t> Problem<'t> {
    /// Checks the traffic and groups it by source; demands of the same pair are added.
    /// O(sources · links · log nodes).
    ///
    /// # Errors
    /// [`OptuError`] when a demand is not between two different hosts or has no path, or the
    /// numbers have too many digits.
    pub fn new(topology: &'t Topology, demands: &[Demand]) -> Result<Self, OptuError> {
        let last = topology.hosts() - 1;
        for &Demand { s, d, .. } in demands {
            if s == d || s.max(d) as usize > last {
                return Err(OptuError::NoPair { s, d, last });
            }
        }
        let (units, groups) = in_units(demands).ok_or(OptuError::Denominators)?;
        let capacities = || topology.link_numbers().map(|l| &topology.link(l).capacity);
        let largest = capacities().max().cloned().unwrap_or(Rational::ONE);
        // To a solver a relative capacity below 1e-100 is zero; exact arithmetic uses the true one.
        let relative =
            |c: &Rational| c.checked_div(&largest).map_or(1.0, |c| c.to_f64().max(1e-100));
        let problem = Self {
            topology,
            network: Adjacency::new(topology),
            units,
            total: groups.iter().flat_map(|group| &group.sinks).map(|(_, units)| units).sum(),
            groups,
            capacity: capacities().map(relative).collect(),
            largest,
            exponent: 0,
        };
        problem.reachable()?;
        Ok(problem.scaled())
    }

    fn reachable(&self) -> Result<(), OptuError> {
        let (length, mut tree) = (vec![1; self.network.links()], Tree::default());
        for group in &self.groups {
            tree.search(&self.network, group.source, &length);
            let lost = group.sinks.iter().find(|(d, _)| tree.distance(*d).is_none());
            if let Some((d, _)) = lost {
                let (s, d) = (group.source, *d);
                let called = Box::new([s, d].map(|host| self.topology.host_label(host)));
                return Err(OptuError::Unreachable { s, d, called });
            }
        }
        Ok(())
    }

    /// Sets the power of two that brings the max load of the even split into [1/2, 1).
    fn scaled(mut self) -> Self {
        let mut total = vec![0.0; self.network.links()];
        for group in &self.groups {
            for (link, amount) in self.even_split(group) {
                total[link as usize] += amount;
            }
        }
        self.exponent = -(exponent_of(self.max_load(&total)) + 1);
        self
    }

    /// The traffic of every link, ascending, when the traffic of `group` is split evenly over all
    /// shortest paths, in solver floats. O(nodes + links).
    #[must_use]
    pub fn even_split(&self, group: &Group) -> Traffic {
        let sinks = group.sinks.iter().map(|(d, units)| (*d, self.amount(*units)));
        even_split(&self.network, group.source, sinks)
    }

    /// The network.
    #[must_use]
    pub fn topology(&self) -> &'t Topology {
        self.topology
    }

    /// The links of the network by node.
    #[must_use]
    pub fn network(&self) -> &Adjacency {
        &self.network
    }

    /// The traffic by source, ascending.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Units of one unit of demand: their common denominator.
    #[must_use]
    pub fn units(&self) -> u128 {
        self.units
    }

    /// The total demand in units; below 2^90.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Capacity of every link ÷ the largest capacity.
    #[must_use]
    pub fn capacity(&self) -> &[f64] {
        &self.capacity
    }

    /// An amount in units as solvers see it: `units · 2^exponent`, exact below 2^53 units.
    #[must_use]
    pub fn amount(&self, units: u128) -> f64 {
        units as f64 * 2f64.powi(self.exponent)
    }

    /// The power of two of [`Self::amount`].
    #[must_use]
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The max load, in solver floats, of the given traffic on every link.
    #[must_use]
    pub fn max_load(&self, traffic: &[f64]) -> f64 {
        let loads =
            traffic.iter().zip(&self.capacity).map(|(traffic, capacity)| traffic / capacity);
        loads.fold(0.0, f64::max)
    }

    /// The load of every link, in solver floats, under the traffic of several sources.
    #[must_use]
    pub fn loads(&self, flows: &[Traffic]) -> Vec<f64> {
        let mut load = vec![0.0; self.capacity.len()];
        for (link, amount) in flows.iter().flatten() {
            load[*link as usize] += amount;
        }
        for (load, capacity) in load.iter_mut().zip(&self.capacity) {
            *load /= capacity;
        }
        load
    }

    /// Converts a max load in solver floats to the true one, rounded.
    #[must_use]
    pub fn unscaled(&self, load: f64) -> f64 {
        load / 2f64.powi(self.exponent) / self.units as f64 / self.largest.to_f64()
    }
}

/// The exponent e with 2^e ≤ value < 2^(e+1), approximately; 0 for zero.
#[expect(clippy::cast_possible_truncation, reason = "exponents of floats are small")]
fn exponent_of(value: f64) -> i32 {
    if value > 0.0 { value.log2().floor() as i32 } else { 0 }
}

/// The common denominator of the demands and the demands in units of it, by source; `None` when either needs too many
/// bits.
pub(super) fn in_units(demands: &[Demand]) -> Option<(u128, Vec<Group>)> {
    let units = demands.iter().try_fold(UBig::ONE, |units, demand| {
        let denominator = demand.amount.denominator();
        let multiple = &units / (&units).gcd(denominator) * denominator;
        (multiple.bit_len() <= MAX_BITS).then_some(multiple)
    })?;
    let mut entries = Vec::with_capacity(demands.len());
    let mut total = 0u128;
    for demand in demands.iter().filter(|demand| !demand.amount.is_zero()) {
        let amount = demand.amount.numerator() * (&units / demand.amount.denominator());
        let amount = u128::try_from(amount).ok()?;
        total = total.checked_add(amount).filter(|total| total >> MAX_BITS == 0)?;
        entries.push((demand.s, demand.d, amount));
    }
    entries.sort_unstable();
    let mut groups: Vec<Group> = Vec::new();
    for (source, d, amount) in entries {
        match groups.last_mut().filter(|group| group.source == source) {
            None => groups.push(Group { source, sinks: vec![(d, amount)] }),
            Some(group) => match group.sinks.last_mut().filter(|sink| sink.0 == d) {
                Some(sink) => sink.1 += amount,
                None => group.sinks.push((d, amount)),
            },
        }
    }
    Some((u128::try_from(units).ok()?, groups))
}
