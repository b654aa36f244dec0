//! The whole linear program of a best routing, solved approximately by a first-order method.
//!
//! Minimise θ over the shares of pairs on links and, for every link, prices of all links that cost at most θ in total
//! and under which no path from s to d is cheaper than the share of s and d on the link. For that every link has the
//! distances between all nodes under its prices, so that the program has about links·(links + N²) columns
//! (Applegate and Cohen, SIGCOMM 2003, <https://doi.org/10.1145/863955.863991>). Primal-dual gradient steps
//! come within a thousandth of the optimum of large ones in a few thousand products with the matrix, without a
//! factorisation of it. The shares are a routing, and the duals are traffic with its paths against every link, and its
//! weight: both sides of the optimum, to be confirmed in exact arithmetic.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use super::allowed::Allowed;
use super::exact::is_simple;
use super::gradient::Gradient;
use super::separation::Separation;
use super::streams::{NOISE, Paths, shares_of, take_paths};
use crate::bounds::{DualDemand, RoutedTraffic};
use crate::lp::interruptible;
use crate::lp::program::{
    Column, ColumnId, Limit, LinearProgram, Relation, RowId, Settings, SolveError, Solver,
};
use crate::lp::worst_demand::exact::{Routed, routable, routable_in_units};
use crate::lp::worst_demand::packing::PairPath;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

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

/// The rows of a link.
struct Part {
    link: LinkId,
    total: RowId,
    shares: Vec<((Host, Host), RowId)>,
    /// By source and link of the demands.
    distances: Vec<(Host, LinkId, RowId)>,
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
        let program = LinearProgram::default();
        let mut building = Building { separation, program, left: MAX_COEFFICIENTS };
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

impl Part {
    /// The traffic against the link, and its weight.
    fn traffic(&self, separation: &Separation<'_>, duals: &[f64]) -> Option<(DualDemand, f64)> {
        let weight = -duals[self.total];
        if weight < NOISE {
            return None;
        }
        let network = &separation.demands.network;
        let mut flows: BTreeMap<Host, Vec<f64>> = BTreeMap::new();
        for (s, link, row) in &self.distances {
            let flow = flows.entry(*s).or_insert_with(|| vec![0.0; network.links()]);
            flow[*link as usize] = (-duals[*row] / weight).max(0.0);
        }
        let mut paths = Vec::new();
        for ((s, d), row) in &self.shares {
            let Some(flow) = flows.get_mut(s) else { continue };
            let amount = -duals[*row] / weight;
            let found = take_paths(network, (*s, *d), flow, amount);
            paths.extend(
                found.into_iter().map(|(links, amount)| (PairPath { s: *s, d: *d, links }, amount)),
            );
        }
        let (demands, paths) = short(&separation.demands.topology, &paths)?;
        let flow = (!separation.demands.hose).then_some(RoutedTraffic::Paths(paths));
        Some((DualDemand { link: self.link, demands, flow }, weight))
    }
}

/// The traffic in exact amounts: fractions of small denominators, or multiples of one unit, since sums over the traffic
/// against many links have to stay short.
fn short(topology: &Topology, traffic: &[(PairPath, f64)]) -> Option<Routed> {
    let found = routable(topology, traffic)?;
    let is_simple = found.0.iter().all(|demand| is_simple(&demand.amount));
    if is_simple { Some(found) } else { routable_in_units(topology, traffic) }
}

/// The program while it is made.
struct Building<'b> {
    separation: &'b Separation<'b>,
    program: LinearProgram,
    /// Coefficients that may be added.
    left: usize,
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
        let Separation { network, reduction, .. } = self.separation;
        let (s, d) = reduction.pairs[place];
        let mut sums: BTreeMap<NodeId, Terms> = BTreeMap::new();
        let mut columns = Vec::new();
        for link in
            reduction.links_between((s, d), network).filter(|link| allowed.open(place, *link))
        {
            let (tail, head) = network.ends(link);
            if head == s || tail == d {
                continue;
            }
            let column = self.program.add_column(Column::positive(0.0));
            columns.push((column, vec![link]));
            sums.entry(tail).or_default().push((column, 1.0));
            sums.entry(head).or_default().push((column, -1.0));
        }
        for (node, terms) in sums.into_iter().filter(|(node, _)| *node != d) {
            self.row(terms, Relation::Equal, if node == s { 1.0 } else { 0.0 })?;
        }
        Some(columns)
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

    /// The columns and rows of a link, where some pair can load it.
    fn link(
        &mut self,
        link: LinkId,
        terms: &HashMap<usize, Terms>,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let Separation { topology, reduction, demands, .. } = self.separation;
        let orbits = &reduction.orbits;
        let mut by_source: BTreeMap<Host, Vec<(Host, &Terms)>> = BTreeMap::new();
        for (number, (s, d)) in (0..).zip(orbits.pairs()) {
            if let Some(terms) = terms.get(&orbits.of(number, link)) {
                by_source.entry(*s).or_default().push((*d, terms));
            }
        }
        if by_source.is_empty() {
            return Some(());
        }
        let prices: Vec<(LinkId, ColumnId)> = (0..link_number(demands.network.links()))
            .filter(|near| demands.hose || reduction.is_same_block(link, *near))
            .map(|near| (near, self.program.add_column(Column::positive(0.0))))
            .collect();
        let cost = |(near, price): &(LinkId, ColumnId)| (*price, demands.capacity[*near as usize]);
        let scale = topology.link(link).capacity.to_f64() / demands.largest;
        let costs = std::iter::once((0, -scale)).chain(prices.iter().map(cost)).collect();
        let total = self.row(costs, Relation::AtMost, 0.0)?;
        let mut part = Part { link, total, shares: Vec::new(), distances: Vec::new() };
        for (s, destinations) in by_source {
            self.source(s, &destinations, &prices, &mut part)?;
        }
        parts.push(part);
        Some(())
    }

    /// The columns and rows of the distances of nodes from a source under the prices of a link, and of the shares of
    /// its pairs on that.
    fn source(
        &mut self,
        s: Host,
        destinations: &[(Host, &Terms)],
        prices: &[(LinkId, ColumnId)],
        part: &mut Part,
    ) -> Option<()> {
        let network = &self.separation.demands.network;
        let mut distance: HashMap<NodeId, ColumnId> = HashMap::new();
        for (link, price) in prices {
            let (tail, head) = network.ends(*link);
            if head == s {
                continue;
            }
            let mut column = |node| {
                let new = || self.program.add_column(Column::positive(0.0));
                *distance.entry(node).or_insert_with(new)
            };
            let mut row = vec![(column(head), 1.0), (*price, -1.0)];
            if tail != s {
                row.push((column(tail), -1.0));
            }
            part.distances.push((s, *link, self.row(row, Relation::AtMost, 0.0)?));
        }
        for (d, terms) in destinations {
            let Some(column) = distance.get(d) else { continue };
            let row = terms.iter().copied().chain([(*column, -1.0)]).collect();
            part.shares.push(((s, *d), self.row(row, Relation::AtMost, 0.0)?));
        }
        Some(())
    }
}
