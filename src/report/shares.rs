//! Output of `synth --paths`.

use super::prelude::*;
use crate::synth::Options;
use crate::synth::shares::{BestShares, Tried};

use super::synth::routing;

/// The record of a search for k paths per pair with any shares, as `synth --paths K --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct SharesReport {
    /// Canonical spec.
    pub topology: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Directed links.
    pub links: usize,
    /// Maximum number k of paths per pair.
    pub paths: u32,
    /// The quantity to minimise.
    pub quantity: &'static str,
    /// Bounds of the minimum over all routings with k paths per pair.
    pub optimum: Bounds,
    /// Bounds of the best routing found.
    pub best: Bounds,
    /// The best routing found: its spec, or `table:FILE` if it was written to a file.
    pub routing: String,
    /// The bound on all such routings, as a formula where it is irrational.
    pub lower_bound: String,
    /// The ratios that were searched for, in order.
    pub tried: Vec<Tried>,
    /// Why the bounds are wider than they might be, apart from a stop.
    pub notes: Vec<String>,
    /// Whether the search ran to its end.
    pub complete: bool,
}

impl SharesReport {
    /// The record of a search, whose routing was written to the file `written`, if any.
    #[must_use]
    pub fn new(found: &BestShares, options: &Options, written: Option<&str>) -> Self {
        let topology = &found.best.topology;
        Self {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            paths: found.paths,
            quantity: options.quantity.name(),
            optimum: found.optimum.clone(),
            best: found.found.clone(),
            routing: routing(found.best.routing.spec(), written),
            lower_bound: found.least.to_string(),
            tried: found.tried.clone(),
            notes: found.notes.clone(),
            complete: found.complete,
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, hosts, links, paths, quantity, best, lower_bound, .. } = self;
        let tried = self.tried.iter().map(|tried| {
            let answer = format!("{:?}", tried.answer).to_lowercase();
            format!("tried             {}: {answer} (local search)\n", shown(&tried.ratio))
        });
        let notes = labelled("note", 18, &self.notes);
        let proven = match self.optimum.evidence {
            Evidence::Proven => "proven",
            _ => "a theorem, not in the certificate",
        };
        format!(
            "best routing with {paths} paths per pair and any shares on {topology}, {hosts} hosts, \
             {links} links, paths up, then down\n\
             {quantity:<22}  {}\n\
             routing           {}\n\
             lower bound       {lower_bound} ({proven}), for all routings with {paths} paths per pair\n{}{}",
            shown_bounds(best),
            self.routing,
            tried.collect::<String>(),
            notes
        )
    }
}
