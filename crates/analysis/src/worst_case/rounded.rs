//! The most traffic between the sources and destinations of a link, whatever the denominators of its shares.
//!
//! Shares without a small common denominator are rounded up to integers: the prices found with them cover all pairs,
//! but allow a little too much. Where the traffic found is a maximum for the exact shares too, exact prices prove it.

use super::class_prices::{Prices, exact_prices};
use super::problem::Unsolved;
use crate::certificate::Cover;
use crate::limit::within;
use crate::load::LinkGraph;
use crate::matching::transport::{Transport, Transported, most_weight};
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::traffic::Demand;

/// Largest share after scaling to integers.
const MAX_WEIGHT: u64 = 1 << 40;

/// Maximum number of entries of the matrix of a link.
const MAX_MATRIX: u64 = 1 << 26;

/// The problem of a link in integers, and its solution.
pub(super) struct Solved {
    /// Shares are in units of 1/scale.
    scale: u64,
    /// Whether shares were rounded up.
    pub(super) is_rounded: bool,
    transport: Transport,
    pub(super) found: Transported,
}

/// Solves the problem of a link whose sources send no more than `supply` and whose destinations receive no more than
/// `demand`, unless its traffic is seen to be at most `enough`.
pub(super) fn solve(
    problem: &LinkGraph<'_>,
    supply: Vec<u64>,
    demand: Vec<u64>,
    enough: Option<&Rational>,
    progress: &Progress,
) -> Result<Solved, Unsolved> {
    let (rows, columns) = (supply.len(), demand.len());
    let what = format!("number of sources times destinations of link {}", problem.link);
    let entries = (rows as u128).checked_mul(columns as u128);
    within(&what, entries, MAX_MATRIX, "analyse a part of the network")?;
    let exact = common_denominator(problem.shares.iter().copied());
    let exact = exact.filter(|scale| {
        let mut shares = problem.shares.iter();
        shares.all(|share| share.scaled(*scale).is_some_and(|share| share <= MAX_WEIGHT))
    });
    let scale = exact.unwrap_or(MAX_WEIGHT / 2);
    let mut weight = vec![0; rows * columns];
    for (row, column, share) in problem.edges() {
        weight[row * columns + column] = rounded_up(share, scale).ok_or(Unsolved::Shares)?;
    }
    let transport = Transport { supply, demand, weight };
    let enough = enough.map_or(0, |units| {
        u128::try_from((units * &Rational::from(scale)).floor()).unwrap_or(u128::MAX)
    });
    let found = most_weight(&transport, enough, progress)?;
    Ok(Solved { scale, is_rounded: exact.is_none(), transport, found })
}

impl Solved {
    /// Prices that prove the most traffic, and whether that is attained.
    pub(super) fn prices(
        &self,
        problem: &LinkGraph<'_>,
        progress: &Progress,
    ) -> Result<(Prices, bool), Unsolved> {
        if let Some(prices) = self.exact(problem, progress)? {
            return Ok((prices, true));
        }
        let Self { scale, found, .. } = self;
        let part = |units: &u64| Rational::new(*units, *scale).unwrap_or_default();
        let prices = |prices: &[u64]| prices.iter().map(part).collect::<Vec<_>>();
        let traffic = Rational::from_big(found.most.into(), (*scale).into()).unwrap_or_default();
        let (rows, columns) = (prices(&found.row_price), prices(&found.column_price));
        Ok((Prices { rows, columns, traffic }, found.attained && !self.is_rounded))
    }

    /// Exact prices of a maximum that was found with rounded shares, where they prove it.
    fn exact(
        &self,
        problem: &LinkGraph<'_>,
        progress: &Progress,
    ) -> Result<Option<Prices>, Unsolved> {
        if !self.is_rounded || !self.found.attained {
            return Ok(None);
        }
        let columns = problem.destinations.len();
        let mut shares = vec![None; self.transport.weight.len()];
        for (row, column, share) in problem.edges() {
            shares[row * columns + column] = Some(share);
        }
        Ok(exact_prices(&self.transport, &shares, &self.found, progress)?)
    }

    /// The traffic between hosts, in units.
    pub(super) fn demands(&self, problem: &LinkGraph<'_>, unit: &Rational) -> Vec<Demand> {
        let columns = problem.destinations.len();
        let sent = self.found.flow.iter().enumerate().filter(|(_, units)| **units > 0);
        let demand = |(place, units): (usize, &u64)| Demand {
            s: problem.sources[place / columns],
            d: problem.destinations[place % columns],
            amount: unit * &Rational::from(*units),
        };
        sent.map(demand).collect()
    }
}

/// A share in units of 1/scale, rounded up.
fn rounded_up(share: &Rational, scale: u64) -> Option<u64> {
    let units = share * &Rational::from(scale);
    let below = u64::try_from(units.floor()).ok()?;
    let above = if Rational::from(below) == units { below } else { below + 1 };
    (above <= MAX_WEIGHT).then_some(above)
}

/// The cover of a link with the given prices of its sources and destinations.
pub(super) fn cover(problem: &LinkGraph<'_>, prices: &Prices) -> Cover {
    let Prices { rows, columns, .. } = prices;
    Cover {
        sources: LinkGraph::weighted(&problem.sources, |row| rows[row].clone()),
        destinations: LinkGraph::weighted(&problem.destinations, |column| columns[column].clone()),
        ..Cover::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::SharedPair;
    use crate::topology::Host;
    use itertools::Itertools as _;

    /// Hosts 0 to 3 send to hosts 4 to 7, with shares whose denominators are 16 different primes above 1000: the most
    /// by trying all permutations.
    #[test]
    fn shares_of_any_denominator_are_solved_exactly() {
        let primes = [
            1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091,
            1093, 1097,
        ];
        let shares = primes.map(|prime| Rational::new(prime * 37 % 1000, prime).unwrap());
        let ends = (0..4).flat_map(|s: Host| (4..8).map(move |d: Host| (s, d)));
        let pairs = ends.zip(&shares).map(|((s, d), share)| SharedPair { s, d, share });
        let mut problem = LinkGraph::for_hosts(8);
        problem.load(0, pairs);
        let silent = Progress::silent();
        let solved = solve(&problem, vec![1; 4], vec![1; 4], None, &silent).unwrap();
        let (found, attained) = solved.prices(&problem, &silent).unwrap();
        let sum = |columns: Vec<usize>| -> Rational {
            columns.iter().enumerate().map(|(row, column)| &shares[4 * row + column]).sum()
        };
        let most = (0..4).permutations(4).map(sum).max().unwrap();
        assert!(solved.is_rounded && attained);
        assert_eq!(found.traffic, most);
        let carried = solved.demands(&problem, &Rational::ONE).into_iter().map(|demand| {
            let at = 4 * demand.s + demand.d - 4;
            &shares[at as usize] * &demand.amount
        });
        assert_eq!(carried.fold(Rational::ZERO, |sum, part| &sum + &part), most);
        let paid = found.rows.iter().chain(&found.columns).sum::<Rational>();
        assert_eq!(paid, most);
    }
}
