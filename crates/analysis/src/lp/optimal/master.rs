//! The master linear program: the best routing against the traffic known so far.
//!
//! Minimise θ over the shares x of paths, Σ x = 1 for every SD pair, subject to one row per *cut*:
//! traffic D with optu ≤ 1 and a link l, Σ over paths through l of D(s,d)·x ≤ capacity(l)·θ.
//! Every cut is valid for every routing, so θ bounds the optimum from below as soon as no path has
//! a negative reduced cost. The duals of the cuts give each pair its own lengths, Σ dual·D(s,d) on
//! the cuts' links; a pair's shortest path under them is the column to add.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::allowed::Allowed;
use crate::lp::backend::Model;
use crate::lp::float::rounded;
use crate::lp::program::{
    Column, ColumnId, LinearProgram, Outcome, Relation, RowId, Settings, SolveError, Solver,
};
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::topology::{Host, LinkId, link_number};

/// A path shorter by less than this is not an improvement.
const LEAST_GAIN: f64 = 1e-9;

/// Bits of the integer lengths used to search for paths.
const LENGTH_BITS: i32 = 40;

/// The length of a forbidden link: about four times the largest length of an open one.
pub const FORBIDDEN: u64 = 1 << 41;

/// The solver returns this often to check whether it has to stop, then resumes.
const SLICE_SECONDS: f64 = 0.2;

/// Traffic against a link, by the links that the paths of pairs take where they, or those that follow from them by
/// symmetries, load the link.
#[derive(Clone, Debug)]
pub struct Cut {
    /// For each of these links, ascending, pair indices, ascending, and amounts in units of the capacity of the link
    /// that the traffic is against.
    pub sides: Vec<(LinkId, Vec<(usize, f64)>)>,
}

impl Cut {
    /// What a unit of the pair's traffic on `link` adds to the load.
    fn amount(&self, link: LinkId, pair: usize) -> Option<f64> {
        let side = self.sides.binary_search_by_key(&link, |(side, _)| *side).ok()?;
        let demands = &self.sides[side].1;
        let at = demands.binary_search_by_key(&pair, |(pair, _)| *pair).ok()?;
        Some(demands[at].1)
    }
}

/// A solution of the master linear program, in floats.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// θ.
    pub value: f64,
    /// Share of every path.
    pub shares: Vec<f64>,
    /// Dual of every cut, ≥ 0.
    pub weights: Vec<f64>,
    /// Dual of every pair: a path must cost less to improve on it.
    pub worth: Vec<f64>,
}

/// The result of a search for new paths.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// Paths added.
    pub added: usize,
    /// Total cost of the cheapest paths of all pairs. Divided by the sum of the cuts' weights, it
    /// bounds the worst case of every routing from below.
    pub cost: f64,
}

/// The linear program with its paths and cuts.
pub struct Master<'n> {
    network: &'n Adjacency,
    pairs: Vec<(Host, Host)>,
    allowed: &'n Allowed,
    /// Made at the first vertex that is asked for.
    model: Option<Model>,
    /// Pair and links of every path; column 0 is θ.
    pub paths: Vec<(usize, Vec<LinkId>)>,
    /// The cuts.
    pub cuts: Vec<Cut>,
    paths_of: Vec<Vec<usize>>,
    cuts_of: Vec<Vec<usize>>,
    /// Iterations of the solver.
    pub iterations: u64,
    /// Time in the solver.
    pub solving: Duration,
}

impl<'n> Master<'n> {
    /// The linear program with the listed paths, or every pair's path with the fewest links, and no cut.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept it.
    pub fn new(
        network: &'n Adjacency,
        pairs: Vec<(Host, Host)>,
        allowed: &'n Allowed,
    ) -> Result<Self, SolveError> {
        let links = network.links();
        let (paths_of, cuts_of) = (vec![Vec::new(); links], vec![Vec::new(); links]);
        let (paths, cuts) = (Vec::new(), Vec::new());
        let mut master = Self {
            network,
            pairs,
            allowed,
            model: None,
            paths,
            cuts,
            paths_of,
            cuts_of,
            iterations: 0,
            solving: Duration::ZERO,
        };
        let infinite = vec![f64::INFINITY; master.pairs.len()];
        master.extend(&[], &infinite)?;
        for pair in 0..master.pairs.len() {
            for links in allowed.listed(pair).unwrap_or_default() {
                master.add_path(pair, links.clone())?;
            }
        }
        Ok(master)
    }

    /// A vertex of the optima, or `None` when the work has to stop first.
    ///
    /// # Errors
    /// [`SolveError`] when the solver fails.
    pub fn vertex(&mut self, progress: &Progress) -> Result<Option<Solution>, SolveError> {
        let settings = Settings {
            solver: Solver::Simplex,
            presolve: false,
            seconds: SLICE_SECONDS,
            ..Settings::default()
        };
        let mut model = match self.model.take() {
            Some(model) => model,
            None => Model::new(&self.program(), settings)?,
        };
        let begun = Instant::now();
        let found = model.optimum(progress, &mut self.iterations);
        self.solving += begun.elapsed();
        let found = found?;
        let Some(outcome) = found else { return Ok(None) };
        self.model = Some(model);
        Ok(Some(self.solution(&outcome)))
    }

    fn solution(&self, outcome: &Outcome) -> Solution {
        let (worth, weights) = outcome.duals.split_at(self.pairs.len());
        Solution {
            value: outcome.columns[0],
            shares: outcome.columns[1..].to_vec(),
            weights: weights.iter().map(|dual| (-dual).max(0.0)).collect(),
            worth: worth.to_vec(),
        }
    }

    /// Number of pairs.
    pub(super) fn pairs_count(&self) -> usize {
        self.pairs.len()
    }

    /// The numbers of the paths of every pair.
    pub(super) fn paths_of_pairs(&self) -> Vec<Vec<usize>> {
        let mut of_pair = vec![Vec::new(); self.pairs.len()];
        for (path, (pair, _)) in self.paths.iter().enumerate() {
            of_pair[*pair].push(path);
        }
        of_pair
    }

    /// The shares with which every pair uses its present paths alike.
    pub(super) fn even_shares(&self) -> Vec<f64> {
        let of_pair = self.paths_of_pairs();
        self.paths.iter().map(|(pair, _)| 1.0 / of_pair[*pair].len() as f64).collect()
    }

    /// The linear program over the present paths and cuts.
    fn program(&self) -> LinearProgram {
        let mut program = LinearProgram::default();
        let theta = program.add_column(Column::positive(1.0));
        for _ in &self.paths {
            program.add_column(Column::positive(0.0));
        }
        for own in self.paths_of_pairs() {
            let terms = own.into_iter().map(|path| (path + 1, 1.0)).collect();
            program.add_row(terms, Relation::Equal, 1.0);
        }
        for cut in &self.cuts {
            let terms = self.terms(cut).into_iter().map(|(path, amount)| (path + 1, amount));
            let terms = std::iter::once((theta, -1.0)).chain(terms);
            program.add_row(terms.collect(), Relation::AtMost, 0.0);
        }
        program
    }

    /// Adds the shortest path of every pair where it costs less than the pair's dual; returns the
    /// number added and the total cost of the cheapest paths of all pairs. Where the paths are
    /// listed, all of them are present already. O(pairs·links·log nodes), pairs in parallel.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept a path.
    pub fn extend(&mut self, weights: &[f64], worth: &[f64]) -> Result<Extension, SolveError> {
        if matches!(self.allowed, Allowed::Listed(_)) {
            return Ok(Extension { added: 0, cost: worth.iter().sum() });
        }
        // The solver cannot be shared between threads; the rest can.
        let prices = self.prices(weights);
        let Self { network, pairs, allowed, .. } = &*self;
        let pricing = Pricing { network, pairs, allowed, prices };
        let found: Vec<(f64, Vec<LinkId>)> = (0..pairs.len())
            .into_par_iter()
            .map_init(Tree::default, |tree, pair| pricing.cheapest(tree, pair))
            .collect();
        let mut extension = Extension { added: 0, cost: 0.0 };
        for (pair, (cost, links)) in found.into_iter().enumerate() {
            extension.cost += cost;
            if cost < worth[pair] - LEAST_GAIN {
                extension.added += 1;
                self.add_path(pair, links)?;
            }
        }
        Ok(extension)
    }

    /// Per pair, what links cost under the weights of the cuts.
    fn prices(&self, weights: &[f64]) -> Vec<Vec<(LinkId, f64)>> {
        let mut prices = vec![Vec::new(); self.pairs.len()];
        for (cut, weight) in self.cuts.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            for (link, demands) in &cut.sides {
                for (pair, amount) in demands {
                    prices[*pair].push((*link, weight * amount));
                }
            }
        }
        prices
    }

    fn add_path(&mut self, pair: usize, links: Vec<LinkId>) -> Result<(), SolveError> {
        let mut coefficients: Vec<(RowId, f64)> = vec![(pair, 1.0)];
        for link in &links {
            for cut in &self.cuts_of[*link as usize] {
                if let Some(amount) = self.cuts[*cut].amount(*link, pair) {
                    coefficients.push((self.pairs.len() + cut, amount));
                }
            }
            self.paths_of[*link as usize].push(self.paths.len());
        }
        let coefficients = summed(coefficients);
        if let Some(model) = &mut self.model {
            model.add_column(Column::positive(0.0), &coefficients)?;
        }
        self.paths.push((pair, links));
        Ok(())
    }

    /// Adds what is new of the given paths of pairs; returns the shares of all paths.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept a path.
    pub(super) fn take_paths(
        &mut self,
        routing: Vec<Vec<(Vec<LinkId>, f64)>>,
    ) -> Result<Vec<f64>, SolveError> {
        let numbered = self.paths.iter().cloned().zip(0..);
        let mut known: HashMap<(usize, Vec<LinkId>), usize> = numbered.collect();
        let mut shares = vec![0.0; self.paths.len()];
        for (pair, paths) in routing.into_iter().enumerate() {
            for (links, share) in paths {
                let number = match known.entry((pair, links)) {
                    Entry::Occupied(at) => *at.get(),
                    Entry::Vacant(at) => {
                        let links = at.key().1.clone();
                        at.insert(shares.len());
                        self.add_path(pair, links)?;
                        shares.push(0.0);
                        shares.len() - 1
                    }
                };
                shares[number] += share;
            }
        }
        Ok(shares)
    }

    /// The load of the cut's link when paths have the given shares.
    #[must_use]
    pub fn load(&self, cut: &Cut, shares: &[f64]) -> f64 {
        let share = |path: usize| shares.get(path).copied().unwrap_or(0.0);
        self.terms(cut).into_iter().map(|(path, amount)| share(path) * amount).sum()
    }

    /// The paths that load the cut's link, and what their shares are multiplied by.
    pub(super) fn terms(&self, cut: &Cut) -> Vec<(usize, f64)> {
        let terms = cut.sides.iter().flat_map(|(link, _)| {
            let amount = |path: &usize| Some((*path, cut.amount(*link, self.paths[*path].0)?));
            self.paths_of[*link as usize].iter().filter_map(amount)
        });
        summed(terms.collect())
    }

    /// Adds a cut over the present paths.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept it.
    pub fn add_cut(&mut self, cut: Cut) -> Result<(), SolveError> {
        let mut coefficients: Vec<(ColumnId, f64)> = vec![(0, -1.0)];
        let terms = self.terms(&cut);
        coefficients.extend(terms.into_iter().map(|(path, amount)| (path + 1, amount)));
        if let Some(model) = &mut self.model {
            model.add_row(&coefficients, Relation::AtMost, 0.0)?;
        }
        for (link, _) in &cut.sides {
            self.cuts_of[*link as usize].push(self.cuts.len());
        }
        self.cuts.push(cut);
        Ok(())
    }
}

/// Terms of which no two are of one number: those that are, are added up, in place of the first.
fn summed(terms: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    let mut place: HashMap<usize, usize> = HashMap::with_capacity(terms.len());
    let mut sums: Vec<(usize, f64)> = Vec::with_capacity(terms.len());
    for (number, amount) in terms {
        match place.entry(number) {
            Entry::Occupied(at) => sums[*at.get()].1 += amount,
            Entry::Vacant(at) => {
                at.insert(sums.len());
                sums.push((number, amount));
            }
        }
    }
    sums
}

/// The inputs for pricing a pair.
struct Pricing<'m> {
    network: &'m Adjacency,
    pairs: &'m [(Host, Host)],
    allowed: &'m Allowed,
    prices: Vec<Vec<(LinkId, f64)>>,
}

impl Pricing<'_> {
    /// The cheapest path of a pair, and its cost.
    fn cheapest(&self, tree: &mut Tree, pair: usize) -> (f64, Vec<LinkId>) {
        let mut prices = vec![0.0; self.network.links()];
        for (link, part) in &self.prices[pair] {
            prices[*link as usize] += part;
        }
        let largest = prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let length = |(link, price): (usize, &f64)| {
            if !self.allowed.open(pair, link_number(link)) {
                return FORBIDDEN;
            }
            rounded(price / largest * 2_f64.powi(LENGTH_BITS)) / 2 + 1
        };
        let lengths: Vec<u64> = prices.iter().enumerate().map(length).collect();
        let (s, d) = self.pairs[pair];
        tree.search(self.network, s, &lengths);
        let mut links = Vec::new();
        tree.path(self.network, d, &mut links);
        (links.iter().map(|link| prices[*link as usize]).sum(), links)
    }
}
