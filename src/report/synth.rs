//! Output of `synth`.

use super::prelude::*;
use crate::certificate::{LratRefutation, Refutation};
use crate::synth::{Attempt, OptimalAssessment, Options};
use crate::topology::Xgft;

/// The record of a search for the best single-path routing, as `synth --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct SynthReport {
    /// Canonical spec.
    pub topology: String,
    /// The tree that it is, if it was read from a file. The certificate is about this tree.
    pub shape: Option<String>,
    /// Number of hosts N.
    pub hosts: usize,
    /// Directed links.
    pub links: usize,
    /// The quantity to minimise.
    pub quantity: &'static str,
    /// Bounds of the minimum over all single-path routings.
    pub optimum: Bounds,
    /// The best routing found: its spec, or `table:FILE` if it was written to a file.
    pub routing: String,
    /// Why no routing is below the lower bound.
    pub refutation: String,
    /// Attempts at single ratios, in order.
    pub attempts: Vec<Attempt>,
    /// Why the bounds are wider than they might be, apart from a stop.
    pub notes: Vec<String>,
    /// Whether the question was answered.
    pub complete: bool,
}

impl SynthReport {
    /// The record of a search, whose routing was written to the file `written`, if any.
    #[must_use]
    pub fn new(found: &OptimalAssessment, options: &Options, written: Option<&str>) -> Self {
        let topology = &found.best.topology;
        Self {
            topology: topology.spec().to_string(),
            shape: topology.tree().filter(|_| !topology.is_named_tree()).map(Xgft::shape),
            hosts: topology.hosts(),
            links: topology.links(),
            quantity: options.quantity.name(),
            optimum: found.bounds.clone(),
            routing: routing(found.best.routing.spec(), written),
            refutation: why(&found.refutation),
            attempts: found.attempts.clone(),
            notes: found.notes.clone(),
            complete: found.complete,
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, hosts, links, quantity, optimum, .. } = self;
        let attempts = self.attempts.iter().map(|attempt| {
            let size = match attempt.variables {
                0 => String::new(),
                some => format!("; {some} variables, {} clauses", attempt.clauses),
            };
            let Attempt { ratio, answer, seconds, method, .. } = attempt;
            let answer = format!("{answer:?}").to_lowercase();
            format!("tried             {ratio}: {answer} in {seconds:.3} s ({method}{size})\n")
        });
        let notes = labelled("note", 18, &self.notes);
        let shape = self.shape.as_ref().map_or_else(String::new, |shape| {
            format!("shape             {shape}: the certificate is about this tree\n")
        });
        format!(
            "best single-path routing of {topology}, {hosts} hosts, {links} links, paths up, then \
             down\n{shape}\
             least {quantity:<17} {}\n\
             routing           {}\n\
             lower bound       {}\n{}{}",
            shown_bounds(optimum),
            self.routing,
            self.refutation,
            attempts.collect::<String>(),
            notes
        )
    }
}

/// The name of the best routing: a spec that rebuilds it, if there is one.
pub(super) fn routing(spec: &str, written: Option<&str>) -> String {
    match (spec.starts_with("table:"), written) {
        (false, _) => spec.to_string(),
        (true, Some(file)) => format!("table:{file}"),
        (true, None) => "a table of this search, which `--output FILE` writes".to_string(),
    }
}

fn why(refutation: &Refutation) -> String {
    match refutation {
        Refutation::Trivial => "what one pair puts on its one path".to_string(),
        Refutation::Count { height } => {
            format!("counting the pairs between subtrees of height {height}")
        }
        Refutation::Nested { low, high } => {
            format!("counting the pairs between subtrees of heights {low} and {high}")
        }
        Refutation::Lrat(refuted) => {
            let LratRefutation { kept, formula, proof, .. } = &**refuted;
            let subtrees = kept.last().copied().unwrap_or_default();
            format!("formula {formula} of {subtrees} subtrees below the roots refuted by {proof}")
        }
    }
}
