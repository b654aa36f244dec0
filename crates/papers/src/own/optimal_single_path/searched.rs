//! The search of a row, with the evidence that the merging process checks again.

use std::time::Instant;

use crate::bounds::Evidence;
use crate::certificate::Refutation;
use crate::own::proven::Proven;
use crate::study::prelude::*;
use crate::synth::{Attempt, Options, least_ratio};

/// Specs of trees, and what is searched for.
pub(super) struct Searches(pub(super) Vec<(String, Options)>);

/// The result of a search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Searched {
    pub(super) hosts: usize,
    pub(super) lower: Rational,
    pub(super) upper: Rational,
    pub(super) evidence: String,
    /// The best routing.
    pub(super) routing: String,
    /// How the ratio below the lower bound is refuted.
    pub(super) refuted: String,
    pub(super) proven: Option<Proven>,
    /// What was tried, in words.
    pub(super) tried: Vec<String>,
    /// The size of the largest formula.
    pub(super) variables: u32,
    pub(super) clauses: usize,
    pub(super) seconds: f64,
}

impl Searched {
    /// Both bounds with their evidence, in words.
    pub(super) fn bounds(&self) -> String {
        let Self { lower, upper, evidence, .. } = self;
        if lower == upper {
            return format!("{lower} ({evidence})");
        }
        format!("between {lower} and {upper} ({evidence})")
    }

    /// The value, or both bounds.
    pub(super) fn optimum(&self) -> String {
        if self.lower == self.upper {
            return self.lower.to_string();
        }
        format!("{}..{}", self.lower, self.upper)
    }
}

/// A refutation in a cell.
fn named(refutation: &Refutation) -> String {
    match refutation {
        Refutation::Trivial => "-".to_string(),
        Refutation::Count { height } => format!("height {height}"),
        Refutation::Nested { low, high } => format!("heights {low}, {high}"),
        Refutation::Lrat(_) => "formula".to_string(),
    }
}

impl Rows for Searches {
    type Key = (String, Options);
    type Row = Searched;

    fn keys(&self) -> &[(String, Options)] {
        &self.0
    }

    fn find(&self, (spec, options): &(String, Options), progress: &Progress) -> Result<Searched> {
        let begun = Instant::now();
        let topology = generate(spec)?;
        let found = least_ratio(&topology, options, &progress.part(1.0))?;
        let largest = found.attempts.iter().max_by_key(|tried| tried.clauses);
        let (variables, clauses) = largest.map_or((0, 0), |tried| (tried.variables, tried.clauses));
        Ok(Searched {
            hosts: topology.hosts(),
            lower: found.bounds.lower.clone(),
            upper: found.bounds.upper.clone(),
            evidence: found.bounds.evidence.to_string(),
            routing: found.best.routing.spec().to_string(),
            refuted: named(&found.refutation),
            proven: Proven::of(&found)?,
            tried: found.attempts.iter().map(Attempt::outcome).collect(),
            variables,
            clauses,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    fn is_kept(&self, found: &Searched) -> bool {
        found.proven.as_ref().is_some_and(Proven::is_small)
    }

    /// The certificate is checked; what was tried, and for how long, is as the part says.
    fn holds(&self, (spec, options): &(String, Options), found: &Searched) -> bool {
        let checked = found.proven.as_ref().and_then(|proven| proven.checked(spec, &options.stem));
        checked.is_some_and(|checked| {
            checked.topology.hosts() == found.hosts
                && checked.accepted.lower == found.lower
                && checked.accepted.upper == found.upper
                && checked.routing == found.routing
                && named(&checked.refutation) == found.refuted
                && found.evidence == Evidence::Proven.to_string()
        })
    }
}
