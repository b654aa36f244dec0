//! The oblivious ratio of a routing, or of the best one, as one linear program over all links,
//! as Applegate and Cohen state it (SIGCOMM 2003): the reference that the link-by-link linear programs
//! are tested and benchmarked against.
//!
//! Minimise θ such that every link l has lengths π_l ≥ 0 with Σ capacity·π_l ≤ θ·capacity(l) under
//! which every pair is at least as far apart as its share on l. Distances are potentials from every
//! source. If the routing is not given, the shares are a flow of 1 for every pair.

use routebound::load::{LinkPairs, PairCounts};
use routebound::lp;
use routebound::lp::program::{Column, ColumnId, LinearProgram, Relation, Settings, Solver};
use routebound::progress::Progress;
use routebound::routing::Instance;
use routebound::topology::{Host, LinkId, Topology, host_number, link_number};

/// The share of a pair on a link: a number, or a column.
enum Share {
    Known(f64),
    Flow(ColumnId),
}

struct Builder<'t> {
    topology: &'t Topology,
    program: LinearProgram,
    theta: ColumnId,
}

/// The ratio of `instance`, `None` if it takes longer than `seconds`, and the numbers of rows and
/// columns of the linear program.
pub(crate) fn of_routing(
    instance: &Instance,
    solver: Solver,
    seconds: f64,
) -> (Option<f64>, (usize, usize)) {
    let mut builder = Builder::new(instance.topology());
    let links = instance.topology().links();
    let quiet = Progress::silent();
    let counts = PairCounts::collect(instance, vec![true; links], &quiet).expect("not stopped");
    for range in counts.batches() {
        let pairs = LinkPairs::collect(instance, &counts, range.clone(), &quiet);
        let pairs = pairs.expect("not stopped");
        for link in range {
            let shares =
                pairs.of(link).map(|pair| (pair.s, pair.d, Share::Known(pair.share.to_f64())));
            let shares: Vec<_> = shares.collect();
            builder.add_link(link, &shares);
        }
    }
    builder.solve(solver, seconds)
}

/// The same for the best routing of `topology`.
pub(crate) fn of_best_routing(
    topology: &Topology,
    solver: Solver,
    seconds: f64,
) -> (Option<f64>, (usize, usize)) {
    let mut builder = Builder::new(topology);
    let hosts = host_number(topology.hosts());
    let pairs: Vec<(Host, Host)> =
        (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))).filter(|(s, d)| s != d).collect();
    let flows: Vec<Vec<ColumnId>> = pairs.iter().map(|pair| builder.add_flow(*pair)).collect();
    for link in 0..topology.links() {
        let share =
            |((s, d), flow): (&(Host, Host), &Vec<ColumnId>)| (*s, *d, Share::Flow(flow[link]));
        let shares: Vec<_> = pairs.iter().zip(&flows).map(share).collect();
        builder.add_link(link_number(link), &shares);
    }
    builder.solve(solver, seconds)
}

impl<'t> Builder<'t> {
    fn new(topology: &'t Topology) -> Self {
        let mut program = LinearProgram::default();
        let theta = program.add_column(Column::positive(1.0));
        Self { topology, program, theta }
    }

    fn links(&self) -> impl Iterator<Item = (usize, (usize, usize), f64)> + use<'t> {
        let topology = self.topology;
        (0..topology.links()).filter_map(move |link| {
            let (from, to) = topology.ends(link_number(link))?;
            let capacity = topology.link(link_number(link)).capacity.to_f64();
            Some((link, (from as usize, to as usize), capacity))
        })
    }

    /// One unit of flow from s to d: its column on every link.
    fn add_flow(&mut self, (s, d): (Host, Host)) -> Vec<ColumnId> {
        let columns: Vec<ColumnId> =
            self.links().map(|_| self.program.add_column(Column::positive(0.0))).collect();
        for node in 0..self.topology.nodes() {
            let mut row = Vec::new();
            for (link, (from, to), _) in self.links() {
                row.extend((from == node).then_some((columns[link], 1.0)));
                row.extend((to == node).then_some((columns[link], -1.0)));
            }
            let right = f64::from(i8::from(node == s as usize) - i8::from(node == d as usize));
            self.program.add_row(row, Relation::Equal, right);
        }
        columns
    }

    /// Lengths that cover the shares of a link, sorted by source.
    fn add_link(&mut self, link: LinkId, shares: &[(Host, Host, Share)]) {
        let lengths: Vec<ColumnId> =
            self.links().map(|_| self.program.add_column(Column::positive(0.0))).collect();
        let capacity = self.topology.link(link).capacity.to_f64();
        let mut weight = vec![(self.theta, -capacity)];
        weight.extend(self.links().map(|(other, _, capacity)| (lengths[other], capacity)));
        self.program.add_row(weight, Relation::AtMost, 0.0);
        for shares in shares.chunk_by(|a, b| a.0 == b.0) {
            let reach: Vec<ColumnId> = (0..self.topology.nodes())
                .map(|_| self.program.add_column(Column::positive(0.0)))
                .collect();
            let source = shares[0].0 as usize;
            self.program.add_row(vec![(reach[source], 1.0)], Relation::Equal, 0.0);
            for (other, (from, to), _) in self.links() {
                let row = vec![(reach[to], 1.0), (reach[from], -1.0), (lengths[other], -1.0)];
                self.program.add_row(row, Relation::AtMost, 0.0);
            }
            for (_, d, share) in shares {
                let mut row = vec![(reach[*d as usize], 1.0)];
                let right = match share {
                    Share::Known(share) => *share,
                    Share::Flow(column) => {
                        row.push((*column, -1.0));
                        0.0
                    }
                };
                self.program.add_row(row, Relation::AtLeast, right);
            }
        }
    }

    fn solve(self, solver: Solver, seconds: f64) -> (Option<f64>, (usize, usize)) {
        let size = (self.program.rows.len(), self.program.columns.len());
        let settings = Settings { solver, seconds, ..Settings::default() };
        let outcome = lp::interruptible(self.program, settings, &Progress::silent());
        let value = outcome.ok().flatten().filter(|outcome| outcome.limit.is_none());
        (value.map(|outcome| outcome.objective), size)
    }
}
