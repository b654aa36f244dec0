//! The linear program of one link: pack paths that each earn their share.
//!
//! Traffic that some routing carries with max load 1 is a set of paths that together put at most
//! its capacity on every link. A unit of traffic on any path of (s,d) loads the link e by the
//! share that the *examined* routing puts on e. So the worst case of e is
//!
//! maximise Σ share_e(s,d)·x_p over paths p of all pairs, Σ over p through l of x_p ≤ capacity(l).
//!
//! One row per link, one column per path; the dual is link lengths π ≥ 0 with
//! share_e(s,d) ≤ dist_π(s,d), the cover. Paths are generated: under the prices of the last
//! optimum, a pair whose shortest path is shorter than its share gets that path as a column.
//! Any prices, scaled until they cover all pairs, bound the worst case from above, so that the
//! work on a link ends as soon as it is known not to be the worst one.
//!
//! New paths leave the last vertex feasible, and the primal simplex method continues from it. Only
//! costs differ between links, so the linear program can also be carried over from link to link with its
//! paths; that pays where the links are solved many times ([`crate::lp::optimal`]).

use std::collections::HashMap;

use crate::load::SharedPair;
use crate::lp::backend::Model;
use crate::lp::float::rounded;
use crate::lp::program::{
    Column, ColumnId, LinearProgram, Outcome, Relation, RowId, Settings, SolveError, Solver,
};
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::topology::{Host, LinkId};

/// A path improves when it is shorter than its share by more than this.
const LEAST_GAIN: f64 = 1e-8;

/// Bits of the integer lengths used to search for paths.
const LENGTH_BITS: i32 = 40;

/// Reduced costs below this count as zero.
const TIGHT: f64 = 1e-9;

/// Traffic up to this counts as none.
const NO_TRAFFIC: f64 = 1e-11;

/// Maximum number of columns kept from link to link.
const MAX_COLUMNS: usize = 40_000;

/// Maximum number of paths added per round: those shortest relative to their share.
const MAX_ADDED: usize = 2_000;

/// The solver returns this often to check whether it has to stop, then resumes.
const SLICE_SECONDS: f64 = 0.2;

/// The pairs of a link, sorted by source, and their shares as floats.
#[derive(Clone, Debug, Default)]
pub struct LinkTask {
    /// The pairs.
    pub pairs: Vec<(Host, Host)>,
    /// Shares of the pairs.
    pub shares: Vec<f64>,
}

impl LinkTask {
    /// The linear program of these pairs.
    #[must_use]
    pub fn new(pairs: &[SharedPair<'_>]) -> Self {
        let shares = pairs.iter().map(|pair| pair.share.to_f64()).collect();
        Self { pairs: pairs.iter().map(|pair| (pair.s, pair.d)).collect(), shares }
    }

    /// Index ranges of the pairs, source by source.
    fn by_source(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut end = 0;
        self.pairs.chunk_by(|a, b| a.0 == b.0).map(move |chunk| {
            end += chunk.len();
            end - chunk.len()..end
        })
    }
}

/// A path of a pair.
#[derive(Clone, Debug)]
pub struct PairPath {
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// The links from source to destination.
    pub links: Vec<LinkId>,
}

/// The solver's result for a link, in floats, to be confirmed.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// The most traffic on the link, in units of the largest capacity, that these prices allow.
    pub bound: f64,
    /// Price of every link.
    pub prices: Vec<f64>,
    /// Paths and their traffic; empty when the bound was low enough before the optimum.
    pub traffic: Vec<(PairPath, f64)>,
    /// The paths that are exactly as long as their pair's share, at an optimum: those with traffic
    /// first.
    pub tight: Vec<PairPath>,
    /// Whether the work on the link was finished: an optimum, or a bound that is low enough.
    pub finished: bool,
    /// Solves of the linear program.
    pub rounds: u64,
    /// Iterations of the solver.
    pub iterations: u64,
}

/// The linear program, reused from link to link.
pub struct Packing<'n> {
    network: &'n Adjacency,
    /// Capacity of every link ÷ the largest one.
    capacity: &'n [f64],
    model: Model,
    paths: Vec<PairPath>,
    of_pair: HashMap<(Host, Host), Vec<ColumnId>>,
    /// Columns of the current link's pairs, which earn their share.
    earning: Vec<ColumnId>,
    tree: Tree,
}

/// The pairs that given prices do not cover, with their paths, and the factor by which the prices
/// must be scaled to cover all pairs.
struct Priced {
    stretch: f64,
    short: Vec<(f64, usize, Vec<LinkId>)>,
}

impl<'n> Packing<'n> {
    /// The linear program without paths.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept it.
    pub fn new(network: &'n Adjacency, capacity: &'n [f64]) -> Result<Self, SolveError> {
        let model = empty(capacity)?;
        let (paths, of_pair, earning) = (Vec::new(), HashMap::new(), Vec::new());
        Ok(Self { network, capacity, model, paths, of_pair, earning, tree: Tree::default() })
    }

    /// The linear program with paths that are known.
    ///
    /// # Errors
    /// [`SolveError`] when the solver does not accept it.
    pub fn with_paths(
        network: &'n Adjacency,
        capacity: &'n [f64],
        paths: Vec<PairPath>,
    ) -> Result<Self, SolveError> {
        let mut packing = Self::new(network, capacity)?;
        for PairPath { s, d, links } in paths {
            packing.add((s, d), 0.0, links)?;
        }
        Ok(packing)
    }

    /// The most traffic on the link whose pairs are in `task`; stops early when the bound is at
    /// most `enough`.
    ///
    /// # Errors
    /// [`SolveError`] when the solver fails.
    pub fn solve(
        &mut self,
        task: &LinkTask,
        enough: f64,
        progress: &Progress,
    ) -> Result<Packed, SolveError> {
        self.aim(task)?;
        let mut packed = Packed { bound: f64::INFINITY, ..Packed::default() };
        loop {
            let found = self.model.optimum(progress, &mut packed.iterations)?;
            let Some(outcome) = found else { return Ok(packed) };
            packed.rounds += 1;
            let prices: Vec<f64> = outcome.duals.iter().map(|dual| (-dual).max(0.0)).collect();
            let found = self.price(task, &prices, LEAST_GAIN);
            let offered: f64 = prices.iter().zip(self.capacity).map(|(p, c)| p * c).sum();
            if offered * found.stretch <= packed.bound {
                packed.bound = offered * found.stretch;
                packed.prices = prices;
            }
            let added = self.extend(task, found)?;
            packed.finished = added == 0 || packed.bound <= enough;
            if packed.finished {
                if added == 0 {
                    packed.traffic = self.traffic(&outcome);
                    packed.tight = self.tight(&outcome);
                }
                return Ok(packed);
            }
        }
    }

    /// Seconds in the solver so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.model.spent()
    }

    /// Lets the columns of the link's pairs earn their shares and all others nothing. Pairs
    /// without a column get the path with the fewest links.
    fn aim(&mut self, task: &LinkTask) -> Result<(), SolveError> {
        if self.paths.len() > MAX_COLUMNS {
            *self = Self::new(self.network, self.capacity)?;
        }
        for column in std::mem::take(&mut self.earning) {
            self.model.change_cost(column, 0.0)?;
        }
        for (pair, share) in task.pairs.iter().zip(&task.shares) {
            for column in self.of_pair.get(pair).into_iter().flatten() {
                self.model.change_cost(*column, -share)?;
                self.earning.push(*column);
            }
        }
        let uniform = vec![1.0; self.capacity.len()];
        let mut all = self.price(task, &uniform, f64::NEG_INFINITY);
        all.short.retain(|(_, at, _)| !self.of_pair.contains_key(&task.pairs[*at]));
        for (_, at, links) in all.short {
            self.add(task.pairs[at], task.shares[at], links)?;
        }
        Ok(())
    }

    /// The shortest paths of all pairs under `prices` that gain more than `least`.
    fn price(&mut self, task: &LinkTask, prices: &[f64], least: f64) -> Priced {
        let largest = prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let length = |price: &f64| rounded(price / largest * 2_f64.powi(LENGTH_BITS)) + 1;
        let lengths: Vec<u64> = prices.iter().map(length).collect();
        let mut found = Priced { stretch: 0.0, short: Vec::new() };
        let mut links = Vec::new();
        for range in task.by_source() {
            self.tree.search(self.network, task.pairs[range.start].0, &lengths);
            for at in range {
                links.clear();
                self.tree.path(self.network, task.pairs[at].1, &mut links);
                let distance: f64 = links.iter().map(|link| prices[*link as usize]).sum();
                let share = task.shares[at];
                found.stretch = found.stretch.max(share / distance);
                if share - distance > least {
                    found.short.push((share - distance, at, links.clone()));
                }
            }
        }
        found
    }

    /// Adds those paths of the maximum gain that are new; returns their number.
    fn extend(&mut self, task: &LinkTask, mut priced: Priced) -> Result<usize, SolveError> {
        priced.short.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        priced.short.truncate(MAX_ADDED);
        let mut added = 0;
        for (_, at, links) in priced.short {
            let known = self.of_pair.get(&task.pairs[at]).into_iter().flatten();
            if known.map(|column| &self.paths[*column].links).all(|path| *path != links) {
                self.add(task.pairs[at], task.shares[at], links)?;
                added += 1;
            }
        }
        Ok(added)
    }

    fn add(
        &mut self,
        (s, d): (Host, Host),
        share: f64,
        links: Vec<LinkId>,
    ) -> Result<(), SolveError> {
        let coefficients: Vec<(RowId, f64)> =
            links.iter().map(|link| (*link as RowId, 1.0)).collect();
        let column = self.model.add_column(Column::positive(-share), &coefficients)?;
        self.paths.push(PairPath { s, d, links });
        self.of_pair.entry((s, d)).or_default().push(column);
        self.earning.push(column);
        Ok(())
    }

    fn tight(&self, outcome: &Outcome) -> Vec<PairPath> {
        let is_tight = |column: &&ColumnId| outcome.reduced_costs[**column].abs() < TIGHT;
        let mut tight: Vec<ColumnId> = self.earning.iter().filter(is_tight).copied().collect();
        tight.sort_by_key(|column| (outcome.columns[*column] <= NO_TRAFFIC, *column));
        tight.into_iter().map(|column| self.paths[column].clone()).collect()
    }

    fn traffic(&self, outcome: &Outcome) -> Vec<(PairPath, f64)> {
        let mut earning = self.earning.clone();
        earning.sort_unstable();
        let carrying = earning.into_iter().filter(|column| outcome.columns[*column] > NO_TRAFFIC);
        carrying.map(|column| (self.paths[column].clone(), outcome.columns[column])).collect()
    }
}

fn empty(capacity: &[f64]) -> Result<Model, SolveError> {
    let mut program = LinearProgram::default();
    for capacity in capacity {
        program.add_row(Vec::new(), Relation::AtMost, *capacity);
    }
    let settings = Settings {
        // New costs and new columns leave the last vertex feasible: the primal simplex continues.
        solver: Solver::PrimalSimplex,
        presolve: false,
        seconds: SLICE_SECONDS,
        ..Settings::default()
    };
    Model::new(&program, settings)
}
