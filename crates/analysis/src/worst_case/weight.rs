//! Multi-path routing between equal hosts: maximum-weight matching.
//!
//! Where all pairs of a link have the same share, as on every link of an even split over a
//! tree, this is a maximum-cardinality matching times the share, and its König cover weighted
//! by the share: an order of magnitude faster.

use super::problem::{Attaining, LinkSolver, Scratch, Solution, Solved, Unsolved};
use super::{cardinality, rounded};
use crate::certificate::Cover;
use crate::limit::within;
use crate::load::LinkGraph;
use crate::matching::weighted::{WeightedMatching, maximum_weight};
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::topology::Host;
use crate::traffic::Demand;

/// `unit` is the most that every host sends and receives.
pub(super) struct Solver {
    unit: Rational,
    /// Maximum entries of a link's matrix: its sources times its destinations, 8 bytes each.
    matrix: u64,
}

/// The usual [`Solver::matrix`], which every thread may use up.
const MAX_MATRIX: u64 = 1 << 26;

/// Largest scaled share: sums of potentials stay far below 2^63.
const MAX_WEIGHT: u64 = 1 << 40;

impl Solver {
    pub(super) fn new(unit: Rational) -> Self {
        Self { unit, matrix: MAX_MATRIX }
    }

    /// The solver for pairs of equal share.
    fn unweighted(&self) -> cardinality::Solver {
        cardinality::Solver { unit: self.unit.clone() }
    }

    /// The solution where the shares have no small common denominator.
    fn rounded(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Solved {
        let (prices, attained) = by_rounding(problem, progress)?.prices(problem, progress)?;
        let traffic = &self.unit * &prices.traffic;
        Ok(Solution { traffic, attained, cover: rounded::cover(problem, &prices) })
    }
}

/// The problem of a link, in units of what hosts send and receive.
fn by_rounding(problem: &LinkGraph<'_>, progress: &Progress) -> Result<rounded::Solved, Unsolved> {
    let [supply, demand] =
        [&problem.sources, &problem.destinations].map(|hosts| vec![1; hosts.len()]);
    rounded::solve(problem, supply, demand, None, progress)
}

impl LinkSolver for Solver {
    fn solve(&self, problem: &LinkGraph<'_>, scratch: &mut Scratch, progress: &Progress) -> Solved {
        if let Some(share) = common_share(problem) {
            let solution = self.unweighted().solve(problem, scratch, progress)?;
            return Ok(scaled(solution, share));
        }
        let (scale, matching) = match match_shares(problem, self.matrix, progress) {
            Err(Unsolved::Shares) => return self.rounded(problem, progress),
            found => found?,
        };
        let part = |numerator: u64| {
            Rational::new(numerator, scale).expect("a common denominator is at least 1")
        };
        Ok(Solution {
            traffic: &self.unit * &part(matching.weight),
            attained: true,
            cover: Cover {
                sources: LinkGraph::weighted(&problem.sources, |i| part(matching.row_potential[i])),
                destinations: LinkGraph::weighted(&problem.destinations, |i| {
                    part(matching.column_potential[i])
                }),
                ..Cover::default()
            },
        })
    }

    fn traffic(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining {
        if common_share(problem).is_some() {
            return self.unweighted().traffic(problem, progress);
        }
        let (_, matching) = match match_shares(problem, self.matrix, progress) {
            Err(Unsolved::Shares) => {
                return Ok(by_rounding(problem, progress)?.demands(problem, &self.unit));
            }
            found => found?,
        };
        let matched = matching.column.iter().zip(&problem.sources);
        let demand = |(column, s): (&Option<usize>, &Host)| {
            let d = problem.destinations[(*column)?];
            Some(Demand { s: *s, d, amount: self.unit.clone() })
        };
        Ok(matched.filter_map(demand).collect())
    }

    fn host_limit(&self, _host: Host, _outgoing: bool) -> Rational {
        self.unit.clone()
    }

    fn of_disjoint(&self, pairs: u64, share: &Rational) -> Option<Rational> {
        self.unweighted().of_disjoint(pairs, share)
    }
}

/// The share of all pairs, if they have the same one.
fn common_share<'p>(problem: &LinkGraph<'p>) -> Option<&'p Rational> {
    let first = *problem.shares.first()?;
    // The share of a block of pairs is stored once, so most references are to the same object.
    let same = |share: &&Rational| std::ptr::eq(*share, first) || *share == first;
    problem.shares.iter().all(same).then_some(first)
}

/// The solution when every pair has `share` instead of 1.
fn scaled(solution: Solution, share: &Rational) -> Solution {
    let Solution { traffic, mut cover, attained } = solution;
    for (_, weight) in cover.sources.iter_mut().chain(&mut cover.destinations) {
        *weight = share.clone();
    }
    Solution { traffic: &traffic * share, cover, attained }
}

/// A maximum-weight matching of the shares, scaled to integers of at most 2^40 by the returned
/// factor. Its matrix has at most `limit` entries.
fn match_shares(
    problem: &LinkGraph<'_>,
    limit: u64,
    progress: &Progress,
) -> Result<(u64, WeightedMatching), Unsolved> {
    let (rows, columns) = (problem.sources.len(), problem.destinations.len());
    let what = format!("number of sources times destinations of link {}", problem.link);
    let entries = (rows as u128).checked_mul(columns as u128);
    within(&what, entries, limit, "use a routing with one path per pair or with equal shares")?;
    let (scale, weights) = scaled_shares(problem).ok_or(Unsolved::Shares)?;
    let weight = |u: usize, v: usize| weights[u * columns + v];
    let matching = maximum_weight(rows, columns, &weight, progress)?;
    Ok((scale, matching))
}

/// The shares as a matrix of integers, and the factor that scales them.
fn scaled_shares(problem: &LinkGraph<'_>) -> Option<(u64, Vec<u64>)> {
    let scale = common_denominator(problem.shares.iter().copied())?;
    let (rows, columns) = (problem.sources.len(), problem.destinations.len());
    let mut weights = vec![0; rows * columns];
    // The share of a block of pairs is stored once.
    let mut last: Option<(&Rational, u64)> = None;
    for (u, v, share) in problem.edges() {
        let weight = match last {
            Some((known, weight)) if std::ptr::eq(known, share) => weight,
            _ => share.scaled(scale).filter(|weight| *weight <= MAX_WEIGHT)?,
        };
        last = Some((share, weight));
        weights[u * columns + v] = weight;
    }
    Some((scale, weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LinkGraph, SharedPair};

    /// Host 0 sends to 2 and 3, host 1 to 2, with the given shares; both sides of the result.
    fn solve(shares: [(u64, u64); 3]) -> (Solution, Vec<(Host, Host)>) {
        let shares = shares.map(|(n, d)| Rational::new(n, d).unwrap());
        let ends = [(0, 2), (0, 3), (1, 2)];
        let pairs = ends.into_iter().zip(&shares).map(|((s, d), share)| SharedPair { s, d, share });
        let mut problem = LinkGraph::for_hosts(4);
        problem.load(0, pairs);
        let solver = Solver::new(Rational::from(2));
        let silent = Progress::silent();
        let demands = solver.traffic(&problem, &silent).unwrap().into_iter();
        let pairs = demands.map(|demand| (demand.s, demand.d)).collect();
        (solver.solve(&problem, &mut Scratch::default(), &silent).unwrap(), pairs)
    }

    #[test]
    fn the_matrix_is_limited() {
        let shares = [(3, 4), (1, 4), (1, 4)].map(|(n, d)| Rational::new(n, d).unwrap());
        let ends = [(0, 2), (0, 3), (1, 2)];
        let pairs = ends.into_iter().zip(&shares).map(|((s, d), share)| SharedPair { s, d, share });
        let mut problem = LinkGraph::for_hosts(4);
        problem.load(5, pairs);
        let solve = |matrix| {
            let solver = Solver { unit: Rational::ONE, matrix };
            solver.solve(&problem, &mut Scratch::default(), &Progress::silent())
        };
        // Two sources, two destinations.
        assert!(solve(4).is_ok());
        let Err(Unsolved::TooLarge(limit)) = solve(3) else { panic!("no limit") };
        let said = limit.to_string();
        assert!(said.contains("destinations of link 5 is 4, above the limit of 3"), "{said}");
    }

    /// By hand: (0,3) and (1,2) are disjoint, so equal shares of 1/3 give 2·(1/3 + 1/3); with
    /// shares 3/4, 1/4, 1/4 the pair (0,2) alone gives more.
    #[test]
    fn equal_and_unequal_shares() {
        let third = Rational::new(1, 3).unwrap();
        let (equal, pairs) = solve([(1, 3); 3]);
        assert_eq!(equal.traffic, Rational::new(4, 3).unwrap());
        assert_eq!(pairs, [(0, 3), (1, 2)]);
        // Two hosts of weight 1/3 cover all three pairs: 0 and 1, or 0 and 2.
        let weights = equal.cover.sources.iter().chain(&equal.cover.destinations);
        let weights: Vec<_> = weights.cloned().collect();
        assert!(
            weights == [(0, third.clone()), (1, third.clone())]
                || weights == [(0, third.clone()), (2, third)]
        );
        let (unequal, pairs) = solve([(3, 4), (1, 4), (1, 4)]);
        assert_eq!(unequal.traffic, Rational::new(3, 2).unwrap());
        assert_eq!(pairs, [(0, 2)]);
    }

    /// Hosts 0 and 1 have different shares to the hosts of the other leaf. A link that is too large
    /// is bounded by its hosts, the others are solved, and the reason is kept.
    #[test]
    fn links_that_are_too_large_keep_a_bound() {
        use crate::certificate::Quantity;
        use crate::routing::{Instance, Listed, Routing};
        use crate::shards::Units;
        use crate::traffic::PathRecord;
        use crate::worst_case::{Method, WorstCaseError, analyse_with};

        let topology = crate::topology::generate("xgft(2;2,2;1,2)").unwrap();
        let tree = topology.tree().unwrap();
        let mut records = Vec::new();
        for (s, d) in (0..4).flat_map(|s| (0..4).map(move |d| (s, d))).filter(|(s, d)| s != d) {
            let level = tree.nca_level(s, d);
            let parts = if level == 1 { [1, 0] } else { [1 + u64::from(s), 6 - u64::from(s + 1)] };
            let whole: u64 = parts.iter().sum();
            for (port, part) in (0..2_u32).zip(parts).filter(|(_, part)| *part > 0) {
                let mut links = Vec::new();
                tree.push_path(s, d, &[0, port][..level], &mut links);
                let share = Rational::new(part, whole).unwrap();
                records.push(PathRecord { s, d, share, links });
            }
        }
        let routing: Box<dyn Routing> =
            Box::new(Listed::new("written".into(), 4, records).unwrap());
        let instance = Instance::new(topology, routing).unwrap();
        let worst = |matrix| {
            let solver = Solver { unit: Rational::ONE, matrix };
            let (quantity, quiet) = (Quantity::PermutationLoad, Progress::silent());
            let units = Units::default();
            analyse_with(&instance, quantity, None, Method::Weight, &solver, &units, &quiet)
                .unwrap()
        };
        let (small, large) = (worst(3), worst(4));
        assert!(large.is_complete() && large.unsolved.is_none());
        assert!(!small.is_complete() && small.upper() >= large.upper());
        assert!(matches!(small.unsolved, Some(WorstCaseError::TooLarge(_))));
    }
}
