//! Single-path routing between equal hosts: maximum-cardinality matching.

use super::problem::{Attaining, LinkSolver, Scratch, Solution, Solved};
use crate::certificate::Cover;
use crate::load::LinkGraph;
use crate::matching::{Matching, NONE};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::Host;
use crate::traffic::Demand;

/// `unit` is the most that every host sends and receives.
pub(super) struct Solver {
    pub(super) unit: Rational,
}

impl LinkSolver for Solver {
    fn solve(&self, problem: &LinkGraph<'_>, scratch: &mut Scratch, progress: &Progress) -> Solved {
        let matching = &mut scratch.matching;
        matching.maximise_until(&problem.graph, progress)?;
        let (left, right) = matching.cover(&problem.graph);
        let hosts = |side: &[Host], chosen: &[u32]| {
            let mut hosts: Vec<_> =
                chosen.iter().map(|index| (side[*index as usize], Rational::ONE)).collect();
            hosts.sort_unstable_by_key(|(host, _)| *host);
            hosts
        };
        Ok(Solution {
            traffic: &self.unit * &Rational::from(matching.size as u64),
            attained: true,
            cover: Cover {
                sources: hosts(&problem.sources, &left),
                destinations: hosts(&problem.destinations, &right),
                ..Cover::default()
            },
        })
    }

    fn traffic(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining {
        let mut matching = Matching::default();
        matching.maximise_until(&problem.graph, progress)?;
        let matched = matching.left.iter().zip(&problem.sources);
        let matched = matched.filter(|(mate, _)| **mate != NONE);
        let demand = |(mate, s): (&u32, &Host)| Demand {
            s: *s,
            d: problem.destinations[*mate as usize],
            amount: self.unit.clone(),
        };
        Ok(matched.map(demand).collect())
    }

    fn host_limit(&self, _host: Host, _outgoing: bool) -> Rational {
        self.unit.clone()
    }

    fn of_disjoint(&self, pairs: u64, share: &Rational) -> Option<Rational> {
        Some(&(&self.unit * &Rational::from(pairs)) * share)
    }
}
