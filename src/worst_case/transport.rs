//! Hosts of different capacity: a transportation problem, of the most traffic for single-path
//! routings and of the most profit for shares.

use super::WorstCaseError;
use super::problem::{LinkSolver, Problem, Scratch, Solution};
use crate::certificate::Cover;
use crate::flow::{FlowNetwork, ProfitNetwork};
use crate::ratio::{Ratio, common_denominator};
use crate::topology::Host;
use crate::traffic::Demand;

/// Host capacities as integers: `limit[host]` is (out, in), in units of 1/`scale`.
pub(super) struct Solver {
    limit: Vec<[u64; 2]>,
    scale: u64,
}

impl Solver {
    /// For the given (out, in) capacities of the hosts.
    pub(super) fn new(capacities: &[[Ratio; 2]]) -> Result<Self, WorstCaseError> {
        let scale = common_denominator(capacities.iter().flatten());
        let scale = scale.ok_or(WorstCaseError::Denominators)?;
        let integer = |capacity: &Ratio| capacity.scaled(scale).filter(|c| *c < 1 << 40);
        let limits = capacities.iter().map(|[out, inward]| Some([integer(out)?, integer(inward)?]));
        let limit = limits.collect::<Option<_>>().ok_or(WorstCaseError::Denominators)?;
        Ok(Self { limit, scale })
    }

    /// The flow network of a link, maximised: node 0 the source, 1 the sink, then the link's
    /// sources, then its destinations; arcs of hosts first, then those of the pairs.
    fn maximise(&self, problem: &Problem<'_>) -> (FlowNetwork, u64) {
        let (left, right) = (problem.sources.len(), problem.destinations.len());
        let mut network = FlowNetwork::new(2 + left + right);
        for (index, host) in problem.sources.iter().enumerate() {
            network.add_arc(0, 2 + index, self.limit[*host as usize][0]);
        }
        for (index, host) in problem.destinations.iter().enumerate() {
            network.add_arc(2 + left + index, 1, self.limit[*host as usize][1]);
        }
        for (u, v, _) in problem.edges() {
            let most = self.limit[problem.sources[u] as usize][0];
            network.add_arc(2 + u, 2 + left + v, most.saturating_add(1));
        }
        let value = network.maximise(0, 1);
        (network, value)
    }

    fn unscaled(&self, value: u64) -> Ratio {
        Ratio::new(value, self.scale).unwrap_or(Ratio::ZERO)
    }
}

/// Traffic of most profit.
struct Profit {
    /// Of every edge of the link's graph.
    flow: Vec<u64>,
    /// Price of every source, then of every destination, for one unit of traffic.
    prices: Vec<Ratio>,
    traffic: Ratio,
}

impl Solver {
    /// The same with shares; `None` when capacities or shares are no small integers in units of
    /// their common denominators.
    fn maximise_profit(&self, problem: &Problem<'_>) -> Option<Profit> {
        let (left, right) = (problem.sources.len(), problem.destinations.len());
        let shares = common_denominator(problem.shares.iter().copied())?;
        let mut network = ProfitNetwork::new(2 + left + right);
        let sent: u64 = problem.sources.iter().map(|host| self.limit[*host as usize][0]).sum();
        if sent >= 1 << 20 {
            return None;
        }
        for (index, host) in problem.sources.iter().enumerate() {
            network.add_arc(0, 2 + index, self.limit[*host as usize][0], 0);
        }
        for (index, host) in problem.destinations.iter().enumerate() {
            network.add_arc(2 + left + index, 1, self.limit[*host as usize][1], 0);
        }
        for (u, v, share) in problem.edges() {
            let profit = share.scaled(shares).filter(|profit| *profit <= 1 << 40)?;
            network.add_arc(2 + u, 2 + left + v, 1 << 20, profit);
        }
        let profit = network.maximise(0, 1);
        let part = |value: u64| Ratio::new(value, shares);
        let edges = left + right..left + right + problem.shares.len();
        Some(Profit {
            flow: edges.map(|arc| network.flow(arc)).collect(),
            prices: network.prices(0, 1).into_iter().filter_map(part).collect(),
            traffic: &self.unscaled(profit) * &part(1)?,
        })
    }

    fn is_whole(problem: &Problem<'_>) -> bool {
        problem.shares.iter().all(|share| **share == Ratio::ONE)
    }

    fn solve_profit(&self, problem: &Problem<'_>) -> Solution {
        let Some(Profit { prices, traffic, .. }) = self.maximise_profit(problem) else {
            return self.trivial(problem);
        };
        let left = problem.sources.len();
        let price = |at: usize| prices.get(at).cloned().unwrap_or(Ratio::ZERO);
        let cover = Cover {
            sources: Problem::weighted(&problem.sources, price),
            destinations: Problem::weighted(&problem.destinations, |i| price(left + i)),
            ..Cover::default()
        };
        Solution { traffic, attained: true, cover }
    }

    /// What the edges of the link's graph carry.
    fn flow(&self, problem: &Problem<'_>) -> Vec<u64> {
        if !Self::is_whole(problem) {
            return self.maximise_profit(problem).map_or_else(Vec::new, |profit| profit.flow);
        }
        let (network, _) = self.maximise(problem);
        let first = problem.sources.len() + problem.destinations.len();
        (first..first + problem.shares.len()).map(|arc| network.flow(arc)).collect()
    }
}

impl LinkSolver for Solver {
    fn solve(&self, problem: &Problem<'_>, _scratch: &mut Scratch) -> Solution {
        if !Self::is_whole(problem) {
            return self.solve_profit(problem);
        }
        let (mut network, value) = self.maximise(problem);
        let side = network.source_side(0);
        let left = problem.sources.len();
        let chosen = |yes: bool| if yes { Ratio::ONE } else { Ratio::ZERO };
        Solution {
            traffic: self.unscaled(value),
            attained: true,
            cover: Cover {
                sources: Problem::weighted(&problem.sources, |i| chosen(!side[2 + i])),
                destinations: Problem::weighted(&problem.destinations, |i| {
                    chosen(side[2 + left + i])
                }),
                ..Cover::default()
            },
        }
    }

    fn traffic(&self, problem: &Problem<'_>) -> Vec<Demand> {
        let edges = problem.edges().zip(self.flow(problem));
        let demands = edges.map(|((u, v, _), flow)| Demand {
            s: problem.sources[u],
            d: problem.destinations[v],
            amount: self.unscaled(flow),
        });
        demands.filter(|demand| !demand.amount.is_zero()).collect()
    }

    fn host_limit(&self, host: Host, outgoing: bool) -> Ratio {
        self.unscaled(self.limit[host as usize][usize::from(!outgoing)])
    }
}
