//! Upper bounds on optu from a routing in exact amounts.
//!
//! A solver's flow is in floats: it may miss demands by a rounding error, and its max load may lie
//! below the optimum. Here it becomes a routing whose paths carry exactly the demand of every
//! pair. Amounts are integers in units of 1/(units · factor) of one unit of demand, with the same
//! factor for all paths, so loads are integer sums and the bound is exact. Two factors are tried:
//! a power of two, and the common denominator of the amounts, when the floats look like fractions
//! with a small one.

use rayon::prelude::*;

use super::flow_decomposition::{FlowDecomposer, PathFlow};
use super::problem::{Group, Problem};
use super::rational_reconstruction::common_factor;
use crate::limit::{TooLarge, within};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};
use crate::traffic::PathRecord;

/// Maximum number of paths of a routing: about 1 GB.
pub const MAX_PATHS: u64 = 1 << 23;

/// Largest common denominator to look for in amounts.
const MAX_FACTOR: u64 = 1 << 26;

/// Maximum bits of amounts and loads.
const BITS: i32 = 126;

/// Bits of the largest demand after scaling by a power of two: more than a float can hold.
const FINE: i32 = 62;

/// The paths of one SD pair, with a solver's amounts.
struct Pair {
    s: Host,
    d: Host,
    units: u128,
    paths: Vec<PathFlow>,
}

/// The paths of all pairs, with a solver's amounts.
pub struct Support<'p> {
    problem: &'p Problem<'p>,
    pairs: Vec<Pair>,
}

/// A routing of the traffic in exact amounts, and its max load.
pub struct ExactRouting {
    /// Max load of the routing: an upper bound on optu.
    pub max_load: Rational,
    /// The number of parts into which a unit of [`Problem::units`] is divided.
    factor: u128,
    /// Amount of every path, pair by pair.
    parts: Vec<u128>,
}

impl<'p> Support<'p> {
    /// Decomposes the link flows of every group into paths, sources in parallel.
    ///
    /// # Errors
    /// [`TooLarge`] when there would be more than [`MAX_PATHS`] paths.
    pub fn new(
        problem: &'p Problem<'p>,
        flows: &[Vec<(LinkId, f64)>],
        lengths: &[u64],
    ) -> Result<Self, TooLarge> {
        let groups = problem.groups().par_iter().zip(flows);
        let pairs = groups.map_init(
            || FlowDecomposer::new(problem),
            |decomposer, (group, flow)| {
                let paths = decomposer.decompose(group, flow, lengths);
                pairs_of(group, paths).collect::<Vec<Pair>>()
            },
        );
        let pairs: Vec<Pair> = pairs.flatten_iter().collect();
        let paths: usize = pairs.iter().map(|pair| pair.paths.len()).sum();
        let remedy = "use a smaller network or fewer demands";
        within("number of paths of the routing", Some(paths as u128), MAX_PATHS, remedy)?;
        Ok(Self { problem, pairs })
    }

    /// The routing of least max load among those tried; stops at one that reaches `enough`.
    #[must_use]
    pub fn best_routing(&self, enough: &Rational) -> ExactRouting {
        let fine = self.exact(1 << self.fine_bits());
        if fine.max_load <= *enough {
            return fine;
        }
        match self.common_factor().map(|factor| self.exact(u128::from(factor))) {
            Some(nice) if nice.max_load <= fine.max_load => nice,
            _ => fine,
        }
    }

    /// The paths with their shares, in the order of the pairs.
    #[must_use]
    pub fn records(self, routing: &ExactRouting) -> Vec<PathRecord> {
        let mut records = Vec::with_capacity(routing.parts.len());
        let mut parts = routing.parts.iter();
        for pair in self.pairs {
            let whole = pair.units * routing.factor;
            for (path, part) in pair.paths.into_iter().zip(parts.by_ref()) {
                if let Some(share) =
                    Rational::from_big((*part).into(), whole.into()).filter(|_| *part > 0)
                {
                    records.push(PathRecord { s: pair.s, d: pair.d, share, links: path.links });
                }
            }
        }
        records
    }

    /// The amount of a path in units, as a float.
    fn in_units(&self, amount: f64) -> f64 {
        amount * 2_f64.powi(-self.problem.exponent())
    }

    /// The factor that turns all amounts into integers, if it is small.
    fn common_factor(&self) -> Option<u64> {
        let split = self.pairs.iter().filter(|pair| pair.paths.len() > 1);
        let amounts = split.flat_map(|pair| &pair.paths).map(|path| self.in_units(path.amount));
        let factor = common_factor(amounts, MAX_FACTOR, |amount| (amount * 1e-11).max(1e-6))?;
        let bits = bits(u128::from(factor)) + bits(self.problem.total());
        (bits <= BITS).then_some(factor)
    }

    fn fine_bits(&self) -> i32 {
        let largest = self.pairs.iter().map(|pair| pair.units).max().unwrap_or(1);
        (FINE - bits(largest)).min(BITS - bits(self.problem.total())).max(0)
    }

    fn exact(&self, factor: u128) -> ExactRouting {
        let mut load = vec![0_u128; self.problem.network().links()];
        let mut parts = Vec::new();
        for pair in &self.pairs {
            let first = parts.len();
            let rounded =
                pair.paths.iter().map(|path| whole(self.in_units(path.amount) * factor as f64));
            parts.extend(rounded);
            settle(&mut parts[first..], pair.units * factor);
            for (path, part) in pair.paths.iter().zip(&parts[first..]) {
                for link in &path.links {
                    load[*link as usize] += part;
                }
            }
        }
        ExactRouting { max_load: self.max_load(&load, factor), factor, parts }
    }

    /// The exact max load, over the links that floats do not rule out.
    fn max_load(&self, load: &[u128], factor: u128) -> Rational {
        if load.is_empty() {
            return Rational::ZERO;
        }
        let near: Vec<f64> = load.iter().map(|load| *load as f64).collect();
        let most = self.problem.max_load(&near) * (1.0 - 1e-9);
        let candidates = (0..).zip(load).filter(|(link, _)| {
            near[*link as usize] / self.problem.capacity()[*link as usize] >= most
        });
        let loads = candidates.map(|(link, load)| {
            let traffic =
                Rational::from_big((*load).into(), (self.problem.units() * factor).into());
            let traffic = traffic.expect("units and factor are at least 1");
            self.problem.topology().load_of(link, &traffic)
        });
        loads.max().expect("the most loaded link by floats is not ruled out by floats")
    }
}

fn pairs_of(group: &Group, paths: Vec<Vec<PathFlow>>) -> impl Iterator<Item = Pair> {
    let s = group.source;
    group.sinks.iter().zip(paths).map(move |(&(d, units), paths)| Pair { s, d, units, paths })
}

/// The nearest integer of an amount.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates; wrong parts are settled"
)]
pub(super) fn whole(amount: f64) -> u128 {
    amount.round() as u128
}

/// Makes `parts` sum to `whole`: a deficit is added to the largest part, an excess is taken from
/// the largest ones. Without parts there is nothing to do.
pub fn settle(parts: &mut [u128], whole: u128) {
    let total: u128 = parts.iter().sum();
    let mut excess = total.saturating_sub(whole);
    while let Some(largest) = parts.iter_mut().max() {
        let taken = excess.min(*largest);
        *largest -= taken;
        excess -= taken;
        if excess == 0 {
            *largest += whole.saturating_sub(total);
            break;
        }
    }
}

fn bits(value: u128) -> i32 {
    128 - value.leading_zeros().cast_signed()
}
