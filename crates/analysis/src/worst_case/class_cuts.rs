//! The worst case of a link between classes of hosts, under cuts.
//!
//! Prices on what crosses cuts are subtracted from the shares of the pairs that have to cross; what the
//! transportation problem then leaves, with capacity times price of the cuts, bounds the link for any prices.
//! The best ones follow by column generation (Dantzig and Wolfe 1960): a small program mixes the flows found so
//! far such that no cut carries more than its capacity, its prices lead to the next flow, and when that is no
//! better than the mixture, the bound is what the mixture attains. Cuts enter when the mixture overloads them.
//!
//! Hosts at a switch are on the same side of every cut that is tried, which is why classes stay whole. Flows are mixed
//! in exact numbers; what the cuts do not see is a smaller lower side: the optu of that mixture.

use std::collections::BTreeMap;

use super::candidate_cuts::{Cuts, Limit};
use super::class_problem::{ClassSolution, ClassSolver};
use super::mixture::{Column, Mixture, best_mixture};
use super::problem::Unsolved;
use crate::load::LinkGraph;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::Host;
use crate::traffic::Demand;

/// Maximum number of limits that get a price on one link.
const MOST_LIMITS: usize = 12;

/// Maximum number of flows that are found for one link.
const MOST_FLOWS: usize = 48;

/// Links as transportation problems between classes, under cuts.
pub(super) struct CutSolver<'a> {
    pub(super) solver: &'a ClassSolver<'a>,
    pub(super) cuts: &'a Cuts,
}

/// What is known about a link.
#[derive(Default)]
struct Known {
    /// The best bound.
    best: Option<ClassSolution>,
    flows: Vec<Flow>,
    /// The limits that have prices.
    limits: Vec<Limit>,
    mixture: Option<Mixture>,
}

/// A flow from class to class.
struct Flow {
    /// What it sends, row by row, in units.
    sent: Vec<u64>,
    /// What it puts on the link, in units.
    gain: Rational,
    /// What it takes of every limit, in units.
    takes: Vec<u64>,
}

impl CutSolver<'_> {
    /// The most traffic on a link, unless it is seen to be at most `enough`. The cover names cuts as
    /// [`Cuts`] numbers them. A bound with rounded shares counts as attained.
    pub(super) fn solve(
        &self,
        problem: &LinkGraph<'_>,
        enough: Option<&Rational>,
        progress: &Progress,
    ) -> Result<ClassSolution, Unsolved> {
        let mut known = Known::default();
        let ended = self.search(problem, enough, &mut known, progress);
        match (known.best, ended) {
            (Some(best), ended) => {
                Ok(ClassSolution { attained: matches!(ended, Ok(true)), ..best })
            }
            (None, Err(why)) => Err(why),
            (None, Ok(_)) => Err(Unsolved::Stopped),
        }
    }

    /// Traffic between hosts that attains the most on a link as far as cuts are looked at, and what it puts on the
    /// link.
    pub(super) fn demands(
        &self,
        problem: &LinkGraph<'_>,
        progress: &Progress,
    ) -> Result<(Rational, Vec<Demand>), Unsolved> {
        let mut known = Known::default();
        self.search(problem, None, &mut known, progress)?;
        let mut amounts = BTreeMap::<(Host, Host), Rational>::new();
        let mut gain = Rational::ZERO;
        let parts = known.mixture.into_iter().flat_map(|mixture| mixture.parts);
        for (part, flow) in parts.zip(&known.flows).filter(|(part, _)| !part.is_zero()) {
            gain += &(&part * &flow.gain);
            for Demand { s, d, amount } in self.solver.between_hosts(problem, &flow.sent) {
                *amounts.entry((s, d)).or_default() += &(&part * &amount);
            }
        }
        let demands = amounts.into_iter().map(|((s, d), amount)| Demand { s, d, amount });
        Ok((self.solver.traffic(&gain), demands.collect()))
    }

    /// Looks for better prices until there are none, which is `true`, or the bound is at most `enough`.
    fn search(
        &self,
        problem: &LinkGraph<'_>,
        enough: Option<&Rational>,
        known: &mut Known,
        progress: &Progress,
    ) -> Result<bool, Unsolved> {
        for _ in 0..MOST_FLOWS {
            let prices: Vec<(Limit, Rational)> = known.prices();
            let (found, sent) = self.priced(problem, &prices, enough, progress)?;
            let is_final = found.attained || found.is_rounded;
            known.take(found);
            let best = known.best.as_ref().map(|best| &best.traffic);
            if !is_final || enough.is_some_and(|enough| best <= Some(enough)) {
                return Ok(false);
            }
            let flow = self.flow(problem, sent);
            if !known.is_better(&flow, &prices) {
                return Ok(true);
            }
            known.flows.push(flow);
            known.mix(self.cuts);
        }
        Ok(true)
    }

    /// The bound with given prices, and the flow.
    fn priced(
        &self,
        problem: &LinkGraph<'_>,
        prices: &[(Limit, Rational)],
        enough: Option<&Rational>,
        progress: &Progress,
    ) -> Result<(ClassSolution, Vec<u64>), Unsolved> {
        let paid = prices.iter().fold(Rational::ZERO, |sum, (limit, price)| {
            &sum + &(self.cuts.capacity(*limit) * price)
        });
        let paid = self.solver.traffic(&paid);
        let left = |(row, column, share): (usize, usize, &Rational)| {
            let (s, d) = (problem.sources[row], problem.destinations[column]);
            let crossed = prices.iter().filter(|(limit, _)| self.cuts.crosses(*limit, s, d));
            let price: Rational = crossed.map(|(_, price)| price).sum();
            share.checked_sub(&price).unwrap_or_default()
        };
        let shares: Vec<Rational> = problem.edges().map(left).collect();
        let enough = enough.map(|enough| enough.checked_sub(&paid).unwrap_or_default());
        let reduced = problem.with_shares(&shares);
        let (mut found, sent) = self.solver.solve_with_flow(&reduced, enough.as_ref(), progress)?;
        // Where every share is paid for, nothing is left to be found.
        found.attained |= found.traffic.is_zero();
        found.traffic += &paid;
        for (limit, price) in prices {
            let cover = &mut found.cover;
            let side = if limit.outwards { &mut cover.out_cuts } else { &mut cover.in_cuts };
            side.push((limit.cut, price.clone()));
            side.sort_unstable_by_key(|(cut, _)| *cut);
        }
        Ok((found, sent))
    }

    fn flow(&self, problem: &LinkGraph<'_>, sent: Vec<u64>) -> Flow {
        let (mut gain, mut takes) = (Rational::ZERO, vec![0; self.cuts.limits().count()]);
        let columns = problem.destinations.len();
        for (row, column, share) in problem.edges() {
            let units = sent[row * columns + column];
            if units > 0 {
                gain += &(share * &Rational::from(units));
                let (s, d) = (problem.sources[row], problem.destinations[column]);
                self.cuts.of_pair(s, d).for_each(|limit| takes[limit.place()] += units);
            }
        }
        Flow { sent, gain, takes }
    }
}

impl Known {
    /// The limits with a price above 0.
    fn prices(&self) -> Vec<(Limit, Rational)> {
        let prices = self.mixture.iter().flat_map(|mixture| &mixture.prices);
        let prices = self.limits.iter().zip(prices).filter(|(_, price)| !price.is_zero());
        prices.map(|(limit, price)| (*limit, price.clone())).collect()
    }

    fn take(&mut self, found: ClassSolution) {
        if self.best.as_ref().is_none_or(|best| found.traffic < best.traffic) {
            self.best = Some(found);
        }
    }

    /// Whether a flow is worth more at these prices than the mixture.
    fn is_better(&self, flow: &Flow, prices: &[(Limit, Rational)]) -> bool {
        let whole = self.mixture.as_ref().map(|mixture| &mixture.price_of_whole);
        let paid = prices.iter().fold(whole.cloned().unwrap_or_default(), |sum, (limit, price)| {
            &sum + &(price * &Rational::from(flow.takes[limit.place()]))
        });
        flow.gain > paid
    }

    /// Mixes the flows anew, with prices for limits that the mixture would exceed.
    fn mix(&mut self, cuts: &Cuts) {
        loop {
            let column = |flow: &Flow| {
                let takes =
                    self.limits.iter().map(|limit| Rational::from(flow.takes[limit.place()]));
                Column { gain: flow.gain.clone(), takes: takes.collect() }
            };
            let columns: Vec<Column> = self.flows.iter().map(column).collect();
            let limits: Vec<Rational> =
                self.limits.iter().map(|limit| cuts.capacity(*limit).clone()).collect();
            let mixture = best_mixture(&columns, &limits);
            let exceeded = self.exceeded(cuts, &mixture);
            self.mixture = Some(mixture);
            match exceeded.filter(|_| self.limits.len() < MOST_LIMITS) {
                Some(limit) => self.limits.push(limit),
                None => return,
            }
        }
    }

    /// The limit that a mixture exceeds by the largest factor.
    fn exceeded(&self, cuts: &Cuts, mixture: &Mixture) -> Option<Limit> {
        let used: Vec<_> =
            mixture.parts.iter().zip(&self.flows).filter(|(part, _)| !part.is_zero()).collect();
        let factor = |limit: Limit| {
            let taken = used.iter().fold(Rational::ZERO, |sum, (part, flow)| {
                match flow.takes[limit.place()] {
                    0 => sum,
                    units => &sum + &(*part * &Rational::from(units)),
                }
            });
            Some((taken.checked_div(cuts.capacity(limit))?, limit))
        };
        let exceeded =
            cuts.limits().filter_map(factor).filter(|(factor, _)| *factor > Rational::ONE);
        let most = exceeded.reduce(|most, other| if other.0 > most.0 { other } else { most });
        most.map(|(_, limit)| limit)
    }
}
