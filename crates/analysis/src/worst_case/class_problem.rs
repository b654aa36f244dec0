//! The worst case of a link between classes of hosts that are alike: a transportation problem, in which a
//! class sends and receives what all its hosts do.

use super::problem::{Attaining, Unsolved};
use super::rounded::{Solved, cover};
use super::{WorstCaseError, host_capacities, rounded};
use crate::certificate::Cover;
use crate::load::{HostClasses, LinkGraph};
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::topology::{Host, Topology};
use crate::traffic::Demand;

/// Classes of hosts and what they send and receive.
#[derive(Clone)]
pub(super) struct ClassSolver<'a> {
    pub(super) classes: &'a HostClasses,
    /// What a host of every class sends and receives, in units.
    room: Vec<[u64; 2]>,
    unit: Rational,
}

/// The most traffic on a link, as far as it was asked for.
pub(super) struct ClassSolution {
    /// No more traffic is on the link.
    pub(super) traffic: Rational,
    /// Whether some traffic attains it.
    pub(super) attained: bool,
    /// Whether some traffic might attain it, which rounded shares keep from being known.
    pub(super) is_rounded: bool,
    /// Proves it, by the first hosts of classes.
    pub(super) cover: Cover,
}

impl<'a> ClassSolver<'a> {
    /// For hosts that all send and receive `unit`, or what their links carry.
    pub(super) fn new(
        topology: &Topology,
        classes: &'a HostClasses,
        unit: Option<&Rational>,
    ) -> Result<Self, WorstCaseError> {
        if let Some(unit) = unit {
            let room = vec![[1; 2]; classes.hosts().len()];
            return Ok(Self { classes, room, unit: unit.clone() });
        }
        let capacities = host_capacities(topology);
        let scale = common_denominator(capacities.iter().flatten());
        let scale = scale.ok_or(WorstCaseError::DENOMINATORS)?;
        let integer = |capacity: &Rational| capacity.scaled(scale).filter(|c| *c < 1 << 40);
        let of_host = |host: Host| {
            let [out, into] = &capacities[host as usize];
            Some([integer(out)?, integer(into)?])
        };
        let room = classes.firsts().into_iter().map(of_host).collect::<Option<_>>();
        let unit = Rational::new(1, scale).ok_or(WorstCaseError::DENOMINATORS)?;
        Ok(Self { classes, room: room.ok_or(WorstCaseError::DENOMINATORS)?, unit })
    }

    /// The units that all hosts of a host's class send (0) or receive (1).
    pub(super) fn room(&self, host: Host, way: usize) -> u64 {
        let class = self.classes.class(host);
        self.room[class][way] * self.classes.hosts()[class].len() as u64
    }

    pub(super) fn traffic(&self, units: &Rational) -> Rational {
        units * &self.unit
    }

    /// The most traffic out of a host (0) or into it (1): what it sends and all others receive.
    pub(super) fn most_of_host(&self, host: Host, way: usize) -> Rational {
        let firsts = self.classes.firsts();
        let all: u64 = firsts.iter().map(|first| self.room(*first, 1 - way)).sum();
        let own = self.room[self.classes.class(host)];
        self.traffic(&Rational::from(own[way].min(all - own[1 - way])))
    }

    /// The most traffic on a link, unless it is seen to be at most `enough`.
    pub(super) fn solve(
        &self,
        problem: &LinkGraph<'_>,
        enough: Option<&Rational>,
        progress: &Progress,
    ) -> Result<ClassSolution, Unsolved> {
        Ok(self.solve_with_flow(problem, enough, progress)?.0)
    }

    /// Like [`Self::solve`], with what sources send to destinations, row by row, in units.
    pub(super) fn solve_with_flow(
        &self,
        problem: &LinkGraph<'_>,
        enough: Option<&Rational>,
        progress: &Progress,
    ) -> Result<(ClassSolution, Vec<u64>), Unsolved> {
        let solved = self.transport(problem, enough, progress)?;
        let solution = self.solution(problem, &solved, progress)?;
        Ok((solution, solved.found.flow))
    }

    fn solution(
        &self,
        problem: &LinkGraph<'_>,
        solved: &Solved,
        progress: &Progress,
    ) -> Result<ClassSolution, Unsolved> {
        let (prices, attained) = solved.prices(problem, progress)?;
        Ok(ClassSolution {
            traffic: self.traffic(&prices.traffic),
            attained,
            is_rounded: solved.found.attained && !attained,
            cover: cover(problem, &prices),
        })
    }

    /// Traffic between hosts that attains the most on a link.
    pub(super) fn demands(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining {
        let Solved { found, .. } = self.transport(problem, None, progress)?;
        Ok(self.between_hosts(problem, &found.flow))
    }

    /// Traffic between hosts that sends from class to class what a flow does, row by row, in units.
    pub(super) fn between_hosts(&self, problem: &LinkGraph<'_>, flow: &[u64]) -> Vec<Demand> {
        let columns = problem.destinations.len();
        let mut senders: Vec<Hosts<'_>> =
            problem.sources.iter().map(|host| self.hosts(*host, 0)).collect();
        let mut receivers: Vec<Hosts<'_>> =
            problem.destinations.iter().map(|host| self.hosts(*host, 1)).collect();
        let mut demands = Vec::new();
        for (place, flow) in flow.iter().enumerate() {
            let (from, to) = (&mut senders[place / columns], &mut receivers[place % columns]);
            let mut left = *flow;
            while let (1.., Some((s, out)), Some((d, into))) = (left, from.next(), to.next()) {
                let units = left.min(out).min(into);
                from.take(units);
                to.take(units);
                left -= units;
                demands.push(Demand { s, d, amount: self.traffic(&Rational::from(units)) });
            }
        }
        demands
    }

    fn hosts(&self, first: Host, way: usize) -> Hosts<'_> {
        let class = self.classes.class(first);
        let each = self.room[class][way];
        Hosts { rest: &self.classes.hosts()[class], each, left: each }
    }

    /// The problem of a link in integers, and its solution.
    fn transport(
        &self,
        problem: &LinkGraph<'_>,
        enough: Option<&Rational>,
        progress: &Progress,
    ) -> Result<Solved, Unsolved> {
        let supply = problem.sources.iter().map(|host| self.room(*host, 0)).collect();
        let demand = problem.destinations.iter().map(|host| self.room(*host, 1)).collect();
        let enough = enough.and_then(|traffic| traffic.checked_div(&self.unit));
        rounded::solve(problem, supply, demand, enough.as_ref(), progress)
    }
}

/// The hosts of a class that have room left, and what the first of them has.
struct Hosts<'a> {
    rest: &'a [Host],
    each: u64,
    left: u64,
}

impl Hosts<'_> {
    fn next(&self) -> Option<(Host, u64)> {
        self.rest.first().map(|host| (*host, self.left))
    }

    fn take(&mut self, units: u64) {
        self.left -= units;
        if self.left == 0 {
            self.rest = self.rest.get(1..).unwrap_or_default();
            self.left = self.each;
        }
    }
}
