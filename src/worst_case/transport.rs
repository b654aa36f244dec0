//! Single-path routing between hosts of different capacity: a transportation problem.

use super::WorstCaseError;
use super::problem::{LinkSolver, Problem, Scratch, Solution};
use crate::certificate::Cover;
use crate::flow::FlowNetwork;
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

impl LinkSolver for Solver {
    fn solve(&self, problem: &Problem<'_>, _scratch: &mut Scratch) -> Solution {
        let (mut network, value) = self.maximise(problem);
        let side = network.source_side(0);
        let left = problem.sources.len();
        let chosen = |yes: bool| if yes { Ratio::ONE } else { Ratio::ZERO };
        Solution {
            traffic: self.unscaled(value),
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
        let (network, _) = self.maximise(problem);
        let first = problem.sources.len() + problem.destinations.len();
        let edges = problem.edges().enumerate();
        let demands = edges.map(|(edge, (u, v, _))| Demand {
            s: problem.sources[u],
            d: problem.destinations[v],
            amount: self.unscaled(network.flow(first + edge)),
        });
        demands.filter(|demand| !demand.amount.is_zero()).collect()
    }

    fn host_limit(&self, host: Host, outgoing: bool) -> Ratio {
        self.unscaled(self.limit[host as usize][usize::from(!outgoing)])
    }
}
