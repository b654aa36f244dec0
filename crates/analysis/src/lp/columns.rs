//! Optu by column generation: the formulation that scales.
//!
//! A column is one way to route all traffic of one source, given by the load that it puts on
//! every link. The master linear program mixes the columns of every source (weights sum to 1) so as to
//! minimise the largest load θ; it has one row per heavily loaded link and one per source, where
//! the arc formulation has one per node and source. The duals of the link rows are prices; under
//! these, a shortest-path tree is the cheapest routing of a source, and becomes a new column when
//! it is cheaper than the source's mix. The total cost of all trees is a lower bound on θ, so the
//! gap is known in every round. Ford and Fulkerson, Management Science 5(1), 1958,
//! <https://doi.org/10.1287/mnsc.5.1.97>.
//!
//! The first column of a source is the even split over shortest paths. With these alone the
//! master needs no solver: θ is the max load and the most loaded links carry the prices. On
//! trees this is already optimal (\[OR\] Theorem 1), and the first round proves it.
//!
//! Traffic that is alike in both directions is merged before ([`crate::optimum::merged`]): then a
//! *group* stands for the sources that enter a block of the network at the same node, and a cable,
//! both of its links together, takes the place of a link. Elsewhere a group is a source.
//!
//! Links have rows only once they are loaded nearly θ: the others are checked in every round. What
//! that gains is in `benches/LP.md`.

use rayon::prelude::*;

use super::backend::Model;
use super::growth::{Size, amounts_fit};
use super::program::{Column, ColumnId, LinearProgram, Outcome, Relation, RowId, Settings, Solver};
use super::{LpError, Options};
use crate::integer::rounded;
use crate::optimum::merged::Merged;
use crate::optimum::optu::{Found, OptuStats};
use crate::optimum::problem::{Group, Problem, Traffic};
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::topology::{LinkId, link_number};

/// Loads this close to the largest one count as largest in the first round.
const TIE: f64 = 1e-9;

/// Links have a row from the beginning when the even split loads them this fraction of the most ...
const HEAVY: f64 = 0.5;

/// ... and get one together with links that would exceed θ, when loaded this fraction of it.
const NEARLY: f64 = 0.9;

/// Bits of the lengths used for pricing; 1 is added per link so that short paths win among free
/// ones.
const LENGTH_BITS: i32 = 40;

/// Cost of θ. Solvers know only absolute tolerances; a large cost makes the duals large in
/// comparison.
const THETA_COST: f64 = 1024.0;

/// The solver returns this often to check whether it has to stop, then resumes.
const SLICE_SECONDS: f64 = 0.2;

/// The master linear program and its columns.
struct Master<'p> {
    problem: &'p Problem<'p>,
    merged: &'p Merged<'p>,
    model: Model,
    theta: ColumnId,
    /// The row of every cable ([`Merged::cable`]) that has one.
    rows: Vec<Option<RowId>>,
    /// Source and traffic of every column from `theta + 1` on.
    columns: Vec<(usize, Traffic)>,
    size: Size,
}

/// Bounds and evidence so far, in the floats of solvers.
struct Best {
    /// Values of the columns of the master; none while the even split is best.
    weights: Option<Vec<f64>>,
    prices: Vec<f64>,
    upper: f64,
    lower: f64,
}

/// Solves `problem` to `options.gap`, or as far as `progress` allows.
pub(super) fn solve(
    problem: &Problem<'_>,
    options: &Options,
    progress: &Progress,
) -> Result<(Found, OptuStats), LpError> {
    // An even split may load every link. Which links get a row is not known yet.
    amounts_fit(problem.network().links() as u128 * problem.groups().len() as u128)?;
    let splits: Vec<Traffic> =
        problem.groups().par_iter().map(|group| problem.even_split(group)).collect();
    let mut best = first_round(problem, &splits);
    let mut stats = OptuStats { method: "column generation", rounds: 1, ..OptuStats::default() };
    if best.reaches(options.gap) {
        return Ok((Found { flows: splits, prices: best.prices }, stats));
    }
    let merged = Merged::new(problem, &splits, best.lower);
    let mut master = Master::new(problem, &merged)?;
    loop {
        stats.rounds += 1;
        progress.inc(1);
        let Some(outcome) = master.solve(progress, &mut stats)? else { break };
        let new = master.improve(outcome, &mut best)?;
        if new == 0 || best.reaches(options.gap) {
            break;
        }
    }
    stats.stopped = progress.cancelled();
    (stats.rows, stats.columns) = master.model.size();
    stats.nonzeros = usize::try_from(master.size.nonzeros).unwrap_or(usize::MAX);
    let flows = match best.weights {
        Some(weights) => merged.expand(master.flows(&weights), &splits),
        None => splits,
    };
    Ok((Found { flows, prices: best.prices }, stats))
}

impl Best {
    fn reaches(&self, gap: f64) -> bool {
        self.lower >= self.upper * (1.0 - gap)
    }
}

/// The master of the even splits alone, solved by hand.
fn first_round(problem: &Problem<'_>, splits: &[Traffic]) -> Best {
    let loads = problem.loads(splits);
    let upper = loads.iter().copied().fold(0.0, f64::max);
    let tied = loads.iter().map(|load| *load >= upper * (1.0 - TIE));
    let prices: Vec<f64> = tied.map(|tied| f64::from(u8::from(tied))).collect();
    let trees = cheapest(problem, problem.network(), problem.groups(), &prices);
    let offered: f64 = prices.iter().zip(problem.capacity()).map(|(p, c)| p * c).sum();
    let lower = trees.iter().map(|(cost, _)| cost).sum::<f64>() / offered;
    Best { weights: None, prices, upper, lower }
}

/// Shortest-path trees of every group under `prices`, one price per link for one unit of traffic,
/// with their costs.
fn cheapest(
    problem: &Problem<'_>,
    network: &Adjacency,
    groups: &[Group],
    prices: &[f64],
) -> Vec<(f64, Traffic)> {
    let largest = prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let length = |price: &f64| rounded(price / largest * 2_f64.powi(LENGTH_BITS)) + 1;
    let lengths: Vec<u64> = prices.iter().map(length).collect();
    let scratch = || (Tree::default(), vec![0.0; network.nodes()]);
    let trees = groups.par_iter().map_init(scratch, |(tree, amount), group| {
        tree.search(network, group.source, &lengths);
        for (d, units) in &group.sinks {
            amount[*d as usize] = problem.amount(*units);
        }
        let mut traffic = Vec::new();
        tree.send(network, amount, |link, part| traffic.push((link, part)));
        traffic.sort_unstable_by_key(|(link, _)| *link);
        (cost(prices, &traffic), traffic)
    });
    trees.collect()
}

/// How the master is solved.
fn settings() -> Settings {
    Settings {
        // New columns leave the last vertex feasible: the primal simplex continues from it.
        solver: Solver::PrimalSimplex,
        tolerance: 1e-10,
        presolve: false,
        seconds: SLICE_SECONDS,
        ..Settings::default()
    }
}

fn cost(prices: &[f64], traffic: &Traffic) -> f64 {
    traffic.iter().map(|(link, amount)| prices[*link as usize] * amount).sum()
}

impl<'p> Master<'p> {
    /// With one column per group, and rows for heavily loaded cables. The rows of cables are
    /// Σ weight · load − θ ≤ 0, in units of load, so that all coefficients are at most about 1.
    fn new(problem: &'p Problem<'p>, merged: &'p Merged<'p>) -> Result<Self, LpError> {
        let (mut program, mut size) = (LinearProgram::default(), Size::default());
        let theta = program.add_column(Column::positive(THETA_COST));
        size.add_column(0, 0)?;
        for _ in merged.groups() {
            size.add_row(0)?;
            program.add_row(Vec::new(), Relation::Equal, 1.0);
        }
        let splits = merged.groups().par_iter().map(|group| problem.even_split(group));
        let splits: Vec<Traffic> = splits.collect();
        let mut load = vec![0.0; problem.network().links()];
        for (link, amount) in splits.iter().flatten() {
            load[merged.cable(*link) as usize] += amount / problem.capacity()[*link as usize];
        }
        let heavy = load.iter().copied().fold(0.0, f64::max) * HEAVY;
        let mut rows = vec![None; load.len()];
        for (row, _) in rows.iter_mut().zip(&load).filter(|(_, load)| **load >= heavy) {
            size.add_row(1)?;
            *row = Some(program.add_row(vec![(theta, -1.0)], Relation::AtMost, 0.0));
        }
        if let Some((link, load)) = merged.forced() {
            size.add_row(1)?;
            let row = program.add_row(vec![(theta, -1.0)], Relation::AtMost, -load);
            rows[merged.cable(link) as usize] = Some(row);
        }
        let model = Model::new(&program, settings())?;
        let columns = Vec::new();
        let mut master = Self { problem, merged, model, theta, rows, columns, size };
        for (group, traffic) in splits.into_iter().enumerate() {
            master.add(group, traffic)?;
        }
        Ok(master)
    }

    fn add(&mut self, group: usize, traffic: Traffic) -> Result<(), LpError> {
        let capacity = self.problem.capacity();
        let load = |(link, amount): &(LinkId, f64)| {
            let row = self.rows[self.merged.cable(*link) as usize]?;
            Some((row, amount / capacity[*link as usize]))
        };
        let mut coefficients: Vec<(RowId, f64)> = traffic.iter().filter_map(load).collect();
        coefficients.push((group, 1.0));
        self.size.add_column(coefficients.len(), traffic.len())?;
        self.model.add_column(Column::positive(0.0), &coefficients)?;
        self.columns.push((group, traffic));
        Ok(())
    }

    /// An optimum that keeps the loads of all links to θ, or `None` when the work has to stop
    /// first. Links get their rows once they would be loaded more.
    fn solve(
        &mut self,
        progress: &Progress,
        stats: &mut OptuStats,
    ) -> Result<Option<Outcome>, LpError> {
        loop {
            let found = self.model.optimum(progress, &mut stats.iterations)?;
            let Some(outcome) = found else { return Ok(None) };
            if self.add_rows(&outcome)? == 0 {
                // New columns leave the last vertex feasible: the primal simplex continues from it.
                self.model.choose(Solver::PrimalSimplex);
                return Ok(Some(outcome));
            }
            // New rows leave its duals feasible.
            self.model.choose(Solver::Simplex);
        }
    }

    /// Adds the rows of links loaded nearly θ or more that have none, if one of them is loaded more;
    /// returns their number.
    fn add_rows(&mut self, outcome: &Outcome) -> Result<usize, LpError> {
        let (theta, capacity) = (outcome.columns[self.theta], self.problem.capacity());
        let mut load = vec![0.0; capacity.len()];
        let weights = outcome.columns[self.theta + 1..].iter();
        for (weight, (_, traffic)) in weights.zip(&self.columns).filter(|(w, _)| **w > 0.0) {
            for (link, amount) in traffic {
                load[self.merged.cable(*link) as usize] +=
                    weight * amount / capacity[*link as usize];
            }
        }
        let above = |most: f64| {
            let without = load.iter().zip(&self.rows).zip(0..);
            without.filter_map(move |((l, row), link)| (row.is_none() && *l > most).then_some(link))
        };
        if above(theta * (1.0 + TIE)).next().is_none() {
            return Ok(0);
        }
        let new: Vec<LinkId> = above(theta * NEARLY).collect();
        for link in &new {
            let mut coefficients = vec![(self.theta, -1.0)];
            for (column, (_, traffic)) in (self.theta + 1..).zip(&self.columns) {
                // A shortest path takes at most one direction of a cable.
                let at = |link: LinkId| traffic.binary_search_by_key(&link, |(l, _)| *l).ok();
                let at = at(*link).or_else(|| at(self.merged.other(*link)?));
                coefficients
                    .extend(at.map(|at| (column, traffic[at].1 / capacity[*link as usize])));
            }
            self.size.add_row(coefficients.len())?;
            let row = self.model.add_row(&coefficients, Relation::AtMost, 0.0)?;
            self.rows[*link as usize] = Some(row);
        }
        Ok(new.len())
    }

    /// Records what an optimum of the master shows and adds the columns that improve on it; returns
    /// their number.
    fn improve(&mut self, outcome: Outcome, best: &mut Best) -> Result<usize, LpError> {
        let (merged, groups) = (self.merged, self.merged.groups().len());
        let prices = self.prices(&outcome);
        let trees = cheapest(self.problem, merged.network(), merged.groups(), &prices);
        let lower = self.lower(&prices, &trees);
        if lower > best.lower {
            (best.lower, best.prices) = (lower, prices);
        }
        let least = 1e-12 * THETA_COST / groups as f64;
        let mut added = 0;
        for (group, (cost, traffic)) in trees.into_iter().enumerate() {
            if cost < outcome.duals[group] - least {
                self.add(group, traffic)?;
                added += 1;
            }
        }
        let upper = outcome.columns[self.theta].max(merged.least());
        if upper <= best.upper {
            (best.upper, best.weights) = (upper, Some(outcome.columns));
        }
        Ok(added)
    }

    /// The price of every link: what one unit of its traffic adds to the cost, by the duals.
    fn prices(&self, outcome: &Outcome) -> Vec<f64> {
        let price = |(link, capacity): (LinkId, &f64)| {
            let row = self.rows[self.merged.cable(link) as usize];
            row.map_or(0.0, |row| (-outcome.duals[row]).max(0.0) / capacity)
        };
        (0..).zip(self.problem.capacity()).map(price).collect()
    }

    /// Σ costs ÷ Σ prices: a lower bound on θ.
    fn lower(&self, prices: &[f64], trees: &[(f64, Traffic)]) -> f64 {
        let offered = |link: LinkId| prices[link as usize] * self.problem.capacity()[link as usize];
        let cables =
            (0..link_number(prices.len())).filter(|link| self.merged.cable(*link) == *link);
        let forced = self.merged.forced().map_or(0.0, |(link, load)| load * offered(link));
        let costs: f64 = trees.iter().map(|(cost, _)| cost).sum();
        (forced + costs) / cables.map(offered).sum::<f64>()
    }

    /// The link traffic of every group in a mix of the columns.
    fn flows(&self, weights: &[f64]) -> Vec<Traffic> {
        let mut flows: Vec<Traffic> = vec![Vec::new(); self.merged.groups().len()];
        for (weight, (group, traffic)) in weights[self.theta + 1..].iter().zip(&self.columns) {
            if *weight > 0.0 {
                flows[*group].extend(traffic.iter().map(|(link, amount)| (*link, amount * weight)));
            }
        }
        for flow in &mut flows {
            flow.sort_unstable_by_key(|(link, _)| *link);
            flow.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
        }
        flows
    }
}
