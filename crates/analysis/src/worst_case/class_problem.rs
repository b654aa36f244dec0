//! The worst case of a link between classes of hosts that are alike: a transportation problem, in which a
//! class sends and receives what all its hosts do.

use super::class_prices::{Prices, exact_prices};
use super::problem::{Attaining, Unsolved};
use super::{WorstCaseError, host_capacities};
use crate::certificate::Cover;
use crate::limit::within;
use crate::load::{HostClasses, LinkGraph};
use crate::matching::transport::{Transport, Transported, most_weight};
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::topology::{Host, Topology};
use crate::traffic::Demand;

/// Largest share after scaling to integers.
const MAX_WEIGHT: u64 = 1 << 40;

/// Maximum number of entries of the matrix of a link.
const MAX_MATRIX: u64 = 1 << 26;

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
        let Solved { scale, found, .. } = solved;
        if let Some(prices) = solved.exact(problem, progress)? {
            let Prices { rows, columns, traffic } = prices;
            let cover = cover(problem, &rows, &columns);
            let traffic = self.traffic(&traffic);
            return Ok(ClassSolution { traffic, attained: true, is_rounded: false, cover });
        }
        let part = |units: &u64| Rational::new(*units, *scale).unwrap_or_default();
        let prices = |prices: &[u64]| prices.iter().map(part).collect::<Vec<_>>();
        let most = Rational::from_big(found.most.into(), (*scale).into()).unwrap_or_default();
        Ok(ClassSolution {
            traffic: self.traffic(&most),
            attained: found.attained && !solved.is_rounded,
            is_rounded: found.attained && solved.is_rounded,
            cover: cover(problem, &prices(&found.row_price), &prices(&found.column_price)),
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
        let (rows, columns) = (problem.sources.len(), problem.destinations.len());
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
        let supply = problem.sources.iter().map(|host| self.room(*host, 0)).collect();
        let demand = problem.destinations.iter().map(|host| self.room(*host, 1)).collect();
        let enough = enough.and_then(|traffic| traffic.checked_div(&self.unit));
        let enough = enough.map_or(0, |units| {
            u128::try_from((&units * &Rational::from(scale)).floor()).unwrap_or(u128::MAX)
        });
        let transport = Transport { supply, demand, weight };
        let found = most_weight(&transport, enough, progress)?;
        Ok(Solved { scale, is_rounded: exact.is_none(), transport, found })
    }
}

/// The problem of a link in integers, and its solution.
struct Solved {
    /// Shares are in units of 1/scale.
    scale: u64,
    /// Whether shares were rounded up.
    is_rounded: bool,
    transport: Transport,
    found: Transported,
}

impl Solved {
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
}

/// A share in units of 1/scale, rounded up.
fn rounded_up(share: &Rational, scale: u64) -> Option<u64> {
    let units = share * &Rational::from(scale);
    let below = u64::try_from(units.floor()).ok()?;
    let above = if Rational::from(below) == units { below } else { below + 1 };
    (above <= MAX_WEIGHT).then_some(above)
}

/// The cover of a link with the given prices of its sources and destinations.
fn cover(problem: &LinkGraph<'_>, rows: &[Rational], columns: &[Rational]) -> Cover {
    Cover {
        sources: LinkGraph::weighted(&problem.sources, |row| rows[row].clone()),
        destinations: LinkGraph::weighted(&problem.destinations, |column| columns[column].clone()),
        ..Cover::default()
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
