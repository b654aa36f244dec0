//! Multi-path routing between equal hosts: maximum-weight matching.

use std::collections::HashMap;

use super::problem::{LinkSolver, Problem, Scratch, Solution};
use crate::certificate::Cover;
use crate::matching::weighted::{WeightedMatching, maximum_weight};
use crate::ratio::{Ratio, common_denominator};
use crate::topology::Host;
use crate::traffic::Demand;

/// `unit` is what every host sends and receives at most.
pub(super) struct Solver {
    pub(super) unit: Ratio,
}

/// Largest scaled share: sums of potentials stay far below 2^63.
const MAX_WEIGHT: u64 = 1 << 40;

impl LinkSolver for Solver {
    fn solve(&self, problem: &Problem<'_>, _scratch: &mut Scratch) -> Solution {
        let Some((scale, matching)) = match_shares(problem) else { return self.trivial(problem) };
        let part = |numerator: u64| Ratio::new(numerator, scale).unwrap_or(Ratio::ZERO);
        Solution {
            traffic: &self.unit * &part(matching.weight),
            attained: true,
            cover: Cover {
                sources: Problem::weighted(&problem.sources, |i| part(matching.row_potential[i])),
                destinations: Problem::weighted(&problem.destinations, |i| {
                    part(matching.column_potential[i])
                }),
                ..Cover::default()
            },
        }
    }

    fn traffic(&self, problem: &Problem<'_>) -> Vec<Demand> {
        let Some((_, matching)) = match_shares(problem) else { return Vec::new() };
        let matched = matching.column.iter().zip(&problem.sources);
        let demand = |(column, s): (&Option<usize>, &Host)| {
            let d = problem.destinations[(*column)?];
            Some(Demand { s: *s, d, amount: self.unit.clone() })
        };
        matched.filter_map(demand).collect()
    }

    fn host_limit(&self, _host: Host, _outgoing: bool) -> Ratio {
        self.unit.clone()
    }
}

/// A maximum-weight matching of the shares, scaled to integers by the returned factor; `None`
/// when no factor below 2^40 makes them integers.
fn match_shares(problem: &Problem<'_>) -> Option<(u64, WeightedMatching)> {
    let scale = common_denominator(problem.shares.iter().copied())?;
    let mut weights = HashMap::new();
    for (u, v, share) in problem.edges() {
        weights.insert((u, v), share.scaled(scale).filter(|weight| *weight <= MAX_WEIGHT)?);
    }
    let weight = |u: usize, v: usize| weights.get(&(u, v)).copied().unwrap_or(0);
    let (rows, columns) = (problem.sources.len(), problem.destinations.len());
    Some((scale, maximum_weight(rows, columns, &weight)))
}
