//! The whole linear program of a best routing, solved approximately by a first-order method.
//!
//! Minimise θ over the shares of pairs on links and, for every link, prices of all links that cost at most θ in total
//! and under which no path from s to d is cheaper than the share of s and d on the link. For that every link has the
//! distances between all nodes under its prices, so that the program has about links·(links + N²) columns
//! (Applegate and Cohen, SIGCOMM 2003, <https://doi.org/10.1145/863955.863991>). Against traffic that only hosts limit
//! there are no distances, and what symmetries take to each other has one row and one column. Primal-dual gradient steps
//! come within a thousandth of the optimum of large ones in a few thousand products with the matrix, without a
//! factorisation of it. The shares are a routing, and the duals are traffic with its paths against every link, and its
//! weight: both sides of the optimum, to be confirmed in exact arithmetic.

mod part;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use super::allowed::Allowed;
use super::gradient::Gradient;
use super::separation::Separation;
use super::streams::{Paths, shares_of};
use crate::bounds::DualDemand;
use crate::lp::interruptible;
use crate::lp::program::{
    Column, ColumnId, Limit, LinearProgram, Relation, RowId, Settings, SolveError, Solver,
};
use crate::topology::{Host, LinkId, NodeId};
use part::Part;

/// Maximum number of coefficients: about a minute per thousand steps.
const MAX_COEFFICIENTS: usize = 1 << 23;

/// Above this number of coefficients gradient steps are our own, on all threads, and a rough solution comes first.
const LARGE: usize = 1 << 20;

/// Maximum number of coefficients at which a vertex is asked for.
const MAX_VERTEX_COEFFICIENTS: usize = 1 << 18;

/// Up to this number of coefficients a vertex takes no longer than a solution near it; a fraction of a second.
const SMALL: usize = 1 << 13;

/// A network with at least this many links for each link of the program is so symmetric that a vertex often ends the
/// search.
const SYMMETRIC: usize = 4;

/// How a program is solved: by gradient steps, more and more accurately, and, if it is small, to a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effort {
    /// To a relative accuracy.
    Near(f64),
    /// To a vertex of the optima.
    Vertex,
}

/// The accuracies, where a vertex is found at once, where there is one at the end, where there is not, and where the
/// program is large.
const ONLY_VERTEX: &[Effort] = &[Effort::Vertex];
const BEFORE_VERTEX: &[Effort] = &[Effort::Near(1e-3), Effort::Near(1e-4), Effort::Vertex];
const WITHOUT_VERTEX: &[Effort] = &[Effort::Near(1e-3), Effort::Near(1e-4), Effort::Near(1e-5)];
const OF_LARGE: &[Effort] = &[
    Effort::Near(5e-2),
    Effort::Near(1e-2),
    Effort::Near(1e-3),
    Effort::Near(1e-4),
    Effort::Near(1e-5),
];

/// Part of the time left for a solve: what gradient steps have reached by then is still to be judged.
const SOLVING: f64 = 0.9;

/// Terms of rows.
type Terms = Vec<(ColumnId, f64)>;

/// The linear program, and what its rows and columns stand for.
pub(super) struct Compact {
    program: LinearProgram,
    /// For every pair that determines others, its columns: a link each, or a listed path.
    columns: Vec<Vec<(ColumnId, Vec<LinkId>)>>,
    parts: Vec<Part>,
    is_symmetric: bool,
}

/// What a solution of the program says.
pub(super) struct Approached {
    /// The paths of every pair that determines others.
    pub(super) routing: Vec<Paths>,
    /// Traffic against links, and its weights.
    pub(super) traffic: Vec<(DualDemand, f64)>,
    /// Iterations of the solver, and seconds in it.
    pub(super) iterations: u64,
    pub(super) seconds: f64,
    /// Whether the time ended before the accuracy was reached.
    pub(super) is_cut: bool,
}

impl Compact {
    /// The linear program; `None` where it would be too large, or when stopped.
    pub(super) fn new(separation: &Separation<'_>, allowed: &Allowed) -> Option<Self> {
        let (program, left) = (LinearProgram::default(), MAX_COEFFICIENTS);
        let Separation { reduction, demands, .. } = separation;
        let hose = demands.hose.then(|| reduction.orbits.of_ends(demands.topology.hosts()));
        let mut building = Building { separation, program, left, ends: hose.unwrap_or_default() };
        building.program.add_column(Column::positive(1.0));
        let places = 0..separation.reduction.pairs.len();
        let columns: Option<Vec<_>> = places.map(|place| building.pair(place, allowed)).collect();
        let columns = columns?;
        let terms = building.by_orbit(&columns);
        let mut parts = Vec::new();
        for link in separation.reduction.orbits.links() {
            separation.progress.check().ok()?;
            if separation.reduction.is_own(link) {
                building.link(link, &terms, &mut parts)?;
            }
        }
        let is_symmetric = SYMMETRIC * parts.len() <= separation.network.links();
        Some(Self { program: building.program, columns, parts, is_symmetric })
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.program.columns.len()
    }

    /// The efforts to be made, one after the other. A vertex that takes long is not all that is tried in limited time.
    pub(super) fn efforts(&self, is_limited: bool) -> &'static [Effort] {
        let size = self.program.coefficients();
        let ends_at_vertex = self.is_symmetric && !is_limited && size <= MAX_VERTEX_COEFFICIENTS;
        if size <= SMALL || ends_at_vertex {
            ONLY_VERTEX
        } else if size <= MAX_VERTEX_COEFFICIENTS {
            BEFORE_VERTEX
        } else if size <= LARGE {
            WITHOUT_VERTEX
        } else {
            OF_LARGE
        }
    }

    /// Gradient steps towards a solution, where the program is large.
    pub(super) fn gradient(&self) -> Option<Gradient> {
        (self.program.coefficients() > LARGE).then(|| Gradient::new(&self.program))
    }

    /// A solution of the program by steps that continue, or what they have reached when the time ends; `None` when
    /// stopped, or where that is far from a routing.
    ///
    /// # Errors
    /// [`SolveError`] when steps of the given accuracy make no routing.
    pub(super) fn step(
        &self,
        separation: &Separation<'_>,
        effort: Effort,
        gradient: &mut Gradient,
    ) -> Result<Option<Approached>, SolveError> {
        let Effort::Near(accuracy) = effort else { return Ok(None) };
        let (progress, before) = (separation.progress, gradient.steps);
        let until = progress.time_left().map(|left| Instant::now() + left.mul_f64(SOLVING));
        let begun = Instant::now();
        let Some(is_near) = gradient.approach(accuracy, until, progress) else { return Ok(None) };
        let (iterations, seconds) = (gradient.steps - before, begun.elapsed().as_secs_f64());
        let found = self.read(separation, gradient.values(), gradient.duals());
        if !is_near {
            let cut = |found| Approached { iterations, seconds, is_cut: true, ..found };
            return Ok(found.ok().map(cut));
        }
        found.map(|found| Some(Approached { iterations, seconds, ..found }))
    }

    /// A solution of the program, or what is nearest after many steps or when the time ends; `None` when stopped, or
    /// where that is far from a routing.
    ///
    /// # Errors
    /// [`SolveError`] when the solver fails.
    pub(super) fn solve(
        &self,
        separation: &Separation<'_>,
        effort: Effort,
    ) -> Result<Option<Approached>, SolveError> {
        let progress = separation.progress;
        let is_small = self.program.coefficients() <= SMALL;
        let exact = if is_small { Solver::Simplex } else { Solver::InteriorPoint };
        let (solver, tolerance, presolve) = match effort {
            Effort::Near(tolerance) => (Solver::HiPdlp, tolerance, false),
            Effort::Vertex => (exact, Settings::default().tolerance, true),
        };
        let left = progress.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
        let seconds = SOLVING * left;
        let settings = Settings { solver, tolerance, presolve, seconds, ..Settings::default() };
        let answer = interruptible(self.program.clone(), settings, progress)?;
        let Some(outcome) = answer else { return Ok(None) };
        let is_cut = outcome.limit == Some(Limit::Time);
        if is_cut && effort == Effort::Vertex {
            return Ok(None);
        }
        let (iterations, seconds) = (outcome.iterations, outcome.seconds);
        let found = self.read(separation, &outcome.columns, &outcome.duals);
        if is_cut {
            return Ok(found.ok().map(|found| Approached { iterations, seconds, is_cut, ..found }));
        }
        found.map(|found| Some(Approached { iterations, seconds, ..found }))
    }

    /// What values of the columns and duals of the rows say.
    fn read(
        &self,
        separation: &Separation<'_>,
        values: &[f64],
        duals: &[f64],
    ) -> Result<Approached, SolveError> {
        let pairs = separation.reduction.pairs.iter().zip(&self.columns);
        let routing = pairs.map(|(pair, columns)| {
            let shares = columns.iter().map(|(column, links)| (links, values[*column]));
            shares_of(separation.network, *pair, shares)
        });
        let routing: Option<Vec<_>> = routing.collect();
        let routing = routing.ok_or(SolveError::Failed("no flow"))?;
        let parts = self.parts.iter();
        let traffic = parts.filter_map(|part| part.traffic(separation, duals)).collect();
        Ok(Approached { routing, traffic, iterations: 0, seconds: 0.0, is_cut: false })
    }
}

/// The program while it is made.
struct Building<'b> {
    separation: &'b Separation<'b>,
    program: LinearProgram,
    /// Coefficients that may be added.
    left: usize,
    /// Where only hosts limit the traffic, the orbit of every link of their star on every link of the network.
    ends: Vec<u32>,
}

impl Building<'_> {
    fn row(&mut self, terms: Terms, relation: Relation, right: f64) -> Option<RowId> {
        self.left = self.left.checked_sub(terms.len())?;
        Some(self.program.add_row(terms, relation, right))
    }

    /// The columns and rows of a pair's paths.
    fn pair(&mut self, place: usize, allowed: &Allowed) -> Option<Vec<(ColumnId, Vec<LinkId>)>> {
        if let Some(paths) = allowed.listed(place) {
            let column = |links: &Vec<LinkId>| {
                (self.program.add_column(Column::positive(0.0)), links.clone())
            };
            let columns: Vec<_> = paths.iter().map(column).collect();
            let terms = columns.iter().map(|(column, _)| (*column, 1.0)).collect();
            self.row(terms, Relation::Equal, 1.0)?;
            return Some(columns);
        }
        let Separation { network, reduction, demands, .. } = self.separation;
        let (s, d) = reduction.pairs[place];
        let number = reduction.orbits.number((s, d))?;
        let mut alike: HashMap<usize, ColumnId> = HashMap::new();
        let mut sums: BTreeMap<NodeId, BTreeMap<ColumnId, i32>> = BTreeMap::new();
        let mut columns = Vec::new();
        for link in
            reduction.links_between((s, d), network).filter(|link| allowed.open(place, *link))
        {
            let (tail, head) = network.ends(link);
            if head == s || tail == d {
                continue;
            }
            let mut new = || self.program.add_column(Column::positive(0.0));
            let column = if demands.hose {
                *alike.entry(reduction.orbits.of(number, link)).or_insert_with(new)
            } else {
                new()
            };
            columns.push((column, vec![link]));
            *sums.entry(tail).or_default().entry(column).or_default() += 1;
            *sums.entry(head).or_default().entry(column).or_default() -= 1;
        }
        self.balance((s, d), sums)?;
        Some(columns)
    }

    /// The rows by which what comes to nodes leaves them: one of those that say the same.
    fn balance(
        &mut self,
        (s, d): (Host, Host),
        sums: BTreeMap<NodeId, BTreeMap<ColumnId, i32>>,
    ) -> Option<()> {
        let mut known = HashSet::new();
        for (node, mut terms) in sums.into_iter().filter(|(node, _)| *node != d) {
            terms.retain(|_, sum| *sum != 0);
            let right = if node == s { 1.0 } else { 0.0 };
            let row = terms.iter().map(|(column, sum)| (*column, f64::from(*sum))).collect();
            if node == s || known.insert(terms) {
                self.row(row, Relation::Equal, right)?;
            }
        }
        Some(())
    }

    /// The shares of pairs on links, by orbit.
    fn by_orbit(&self, columns: &[Vec<(ColumnId, Vec<LinkId>)>]) -> HashMap<usize, Terms> {
        let reduction = self.separation.reduction;
        let sizes = reduction.sizes();
        let mut terms: HashMap<usize, Terms> = HashMap::new();
        for (pair, columns) in reduction.pairs.iter().zip(columns) {
            let Some(number) = reduction.orbits.number(*pair) else { continue };
            for (column, links) in columns {
                for link in links {
                    let orbit = reduction.orbits.of(number, *link);
                    let size = sizes.get(orbit).map_or(1.0, |size| f64::from((*size).max(1)));
                    terms.entry(orbit).or_default().push((*column, 1.0 / size));
                }
            }
        }
        terms
    }
}

#[cfg(test)]
mod tests;
