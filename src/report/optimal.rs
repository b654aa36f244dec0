//! Output of `optimal`.

use serde::Serialize;

use super::counted;
use super::labelled;
use super::numbers::shown_bounds;
use crate::bounds::Bounds;
use crate::integer::as_size;

/// The record of a best routing, as `optimal --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct OptimalReport {
    /// Spec or path.
    pub topology: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Directed links.
    pub links: usize,
    /// Paths that the routing may use: `all`, `shortest`, or `paths of` a routing.
    pub paths: String,
    /// Traffic that it is optimised for: `optu` for all traffic, scaled to optu 1, or `hose`.
    pub traffic: &'static str,
    /// Bounds of the minimum worst case over all routings.
    pub optimum: Bounds,
    /// Bounds of the worst case of the routing that was found.
    pub best: Bounds,
    /// Method by which it was found.
    pub method: &'static str,
    /// Number of solves of linear programs of the routing.
    pub rounds: u64,
    /// Number of cuts, each of which is traffic against a link.
    pub cuts: usize,
    /// Number of columns of the largest of these programs.
    pub columns: usize,
    /// Number of iterations of the solver on them.
    pub iterations: u64,
    /// Seconds for linear programs: those of the routing, and of the worst traffic of every link. Wall time.
    pub seconds: f64,
    /// Seconds in the solver, as solvers state them, or in gradient steps in its place: the sum over all threads.
    pub solver_seconds: f64,
    /// Number of paths of the routing.
    pub routing_paths: usize,
    /// Whether the work was finished.
    pub complete: bool,
    /// Notes on how the network was read and on the assessment.
    pub notes: Vec<String>,
}

impl OptimalReport {
    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, hosts, links, optimum, best, .. } = self;
        let paths = match self.paths.as_str() {
            "shortest" => "shortest paths",
            "all" => "all paths",
            of_routing => of_routing,
        };
        let traffic = match self.traffic {
            "hose" => "max load over traffic that hosts can send and receive",
            _ => "oblivious ratio",
        };
        let notes = labelled("note", 18, &self.notes);
        format!(
            "best oblivious routing of {topology}, {hosts} hosts, {links} links, over {paths}\n\
             measured by       {traffic}\n\
             best of all       {}\n\
             this routing      {}, about {:.10}\n\
             method            {}\n\
             size              {}\n\
             search            {}, {}, {}, {}, {:.2} s, solver on all threads {:.2} s\n{}",
            shown_bounds(optimum),
            shown_bounds(best),
            best.upper.to_f64(),
            self.method,
            counted(self.routing_paths, "path"),
            counted(as_size(self.rounds), "round"),
            counted(self.cuts, "cut"),
            counted(self.columns, "column"),
            counted(as_size(self.iterations), "iteration"),
            self.seconds,
            self.solver_seconds,
            notes,
        )
    }
}
