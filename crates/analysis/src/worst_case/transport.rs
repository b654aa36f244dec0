//! Hosts of different capacity: a transportation problem, weighted by shares for multi-path
//! routings.

use super::cut_flow::{CutFlow, Maximum, SINK, SOURCE};
use super::problem::{Attaining, LinkSolver, Scratch, Solution, Solved, Unsolved};
use super::{WorstCaseError, rounded};
use crate::certificate::Cover;
use crate::load::LinkGraph;
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::topology::Host;
use crate::traffic::Demand;

/// Host capacities as integers: `limit[host]` is (out, in), in units of 1/`scale`.
pub(super) struct Solver {
    limit: Vec<[u64; 2]>,
    scale: u64,
}

impl Solver {
    /// For the given (out, in) capacities of the hosts.
    pub(super) fn new(capacities: &[[Rational; 2]]) -> Result<Self, WorstCaseError> {
        let scale = common_denominator(capacities.iter().flatten());
        let scale = scale.ok_or(WorstCaseError::DENOMINATORS)?;
        let integer = |capacity: &Rational| capacity.scaled(scale).filter(|c| *c < 1 << 40);
        let limits = capacities.iter().map(|[out, inward]| Some([integer(out)?, integer(inward)?]));
        let limit = limits.collect::<Option<_>>().ok_or(WorstCaseError::DENOMINATORS)?;
        Ok(Self { limit, scale })
    }

    /// The maximum of a link; its cuts are first the sources, then the destinations.
    fn maximise(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Result<Maximum, Unsolved> {
        let mut flow = CutFlow::new();
        let mut side = |hosts: &[Host], outgoing: bool| -> Vec<usize> {
            let add = |host: &Host| {
                let node = flow.node();
                let limit = self.limit[*host as usize];
                if outgoing {
                    flow.cut(SOURCE, node, limit[0]);
                } else {
                    flow.cut(node, SINK, limit[1]);
                }
                node
            };
            hosts.iter().map(add).collect()
        };
        let sources = side(&problem.sources, true);
        let destinations = side(&problem.destinations, false);
        for (u, v, share) in problem.edges() {
            flow.pair(sources[u], destinations[v], share);
        }
        flow.maximise(progress)
    }

    /// The solution where the shares have no small common denominator.
    fn rounded(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Solved {
        let (prices, attained) = self.by_rounding(problem, progress)?.prices(problem, progress)?;
        let traffic = self.unscaled(&prices.traffic);
        Ok(Solution { traffic, attained, cover: rounded::cover(problem, &prices) })
    }

    fn by_rounding(
        &self,
        problem: &LinkGraph<'_>,
        progress: &Progress,
    ) -> Result<rounded::Solved, Unsolved> {
        let room = |hosts: &[Host], way: usize| -> Vec<u64> {
            hosts.iter().map(|host| self.limit[*host as usize][way]).collect()
        };
        let (supply, demand) = (room(&problem.sources, 0), room(&problem.destinations, 1));
        rounded::solve(problem, supply, demand, None, progress)
    }

    fn unscaled(&self, value: &Rational) -> Rational {
        let value = value.checked_div(&Rational::from(self.scale));
        value.expect("a common denominator is at least 1")
    }
}

impl LinkSolver for Solver {
    fn solve(
        &self,
        problem: &LinkGraph<'_>,
        _scratch: &mut Scratch,
        progress: &Progress,
    ) -> Solved {
        let Maximum { traffic, weights, .. } = match self.maximise(problem, progress) {
            Err(Unsolved::Shares) => return self.rounded(problem, progress),
            found => found?,
        };
        let (sent, received) = weights.split_at(problem.sources.len());
        Ok(Solution {
            traffic: self.unscaled(&traffic),
            attained: true,
            cover: Cover {
                sources: LinkGraph::weighted(&problem.sources, |i| sent[i].clone()),
                destinations: LinkGraph::weighted(&problem.destinations, |i| received[i].clone()),
                ..Cover::default()
            },
        })
    }

    fn traffic(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining {
        let Maximum { flow, .. } = match self.maximise(problem, progress) {
            Err(Unsolved::Shares) => {
                let unit = self.unscaled(&Rational::ONE);
                return Ok(self.by_rounding(problem, progress)?.demands(problem, &unit));
            }
            found => found?,
        };
        let pairs = problem.edges().zip(flow).filter(|(_, flow)| *flow > 0);
        let demand = |((u, v, _), flow): ((usize, usize, &Rational), u64)| Demand {
            s: problem.sources[u],
            d: problem.destinations[v],
            amount: self.unscaled(&Rational::from(flow)),
        };
        Ok(pairs.map(demand).collect())
    }

    fn host_limit(&self, host: Host, outgoing: bool) -> Rational {
        self.unscaled(&Rational::from(self.limit[host as usize][usize::from(!outgoing)]))
    }
}
