//! Output of `ratio --rates adaptive`.

use super::assessment::AtMost;
use super::prelude::*;
use crate::assessment::AdaptiveAssessment;
use crate::certificate::Quantity;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};

/// The record of paths whose rates the sender chooses, as `ratio --rates adaptive --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct AdaptiveRatesReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec of the routing whose paths these are.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Rule by which the paths of a pair get their shares: always `adaptive`.
    pub rates: &'static str,
    /// Bounds of sup max load ÷ optu with the best shares for the traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oblivious_ratio: Option<Bounds>,
    /// In its place, bounds of the maximum load over all traffic that hosts can send and receive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hose_load: Option<Bounds>,
    /// In its place, bounds of the maximum load over permutations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permutation_load: Option<Bounds>,
    /// Bounds of the same with the best shares that are the same for all traffic.
    pub fixed_rates: Bounds,
    /// Whether the work was finished. The bounds may then differ nevertheless.
    pub complete: bool,
    /// Traffic that attains the lower side; `None` where none is known.
    pub witness: Option<AdaptiveWitness>,
    /// Notes on the routing and the analysis.
    pub notes: Vec<String>,
    /// The comparison with a limit, if one is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
}

/// Traffic of optu 1, or such as hosts can send and receive, and lengths of links that prove what its sender can reach.
#[derive(Clone, Debug, Serialize)]
pub struct AdaptiveWitness {
    /// Source, destination, demand.
    pub pairs: Vec<(Host, Host, Rational)>,
    /// Link and length, which is 0 for all others.
    pub lengths: Vec<(LinkId, u64)>,
}

impl AdaptiveRatesReport {
    /// The record of an assessed instance, compared with a limit if there is one.
    #[must_use]
    pub fn new(
        instance: &Instance,
        found: &AdaptiveAssessment,
        at_most: Option<&Rational>,
    ) -> Self {
        let AdaptiveAssessment { quantity, adaptive, fixed, traffic, complete, notes, .. } =
            found.clone();
        let bounds = |of: Quantity| (of == quantity).then(|| adaptive.clone());
        let witness = traffic.map(|traffic| AdaptiveWitness {
            pairs: traffic.demands.into_iter().map(|d| (d.s, d.d, d.amount)).collect(),
            lengths: traffic.lengths,
        });
        Self {
            topology: instance.topology().spec().to_string(),
            routing: instance.routing().spec().to_string(),
            hosts: instance.topology().hosts(),
            rates: "adaptive",
            at_most: at_most.map(|limit| AtMost::new(limit, &adaptive)),
            oblivious_ratio: bounds(Quantity::ObliviousRatio),
            hose_load: bounds(Quantity::HoseLoad),
            permutation_load: bounds(Quantity::PermutationLoad),
            fixed_rates: fixed,
            complete,
            witness,
            notes: instance.notes().into_iter().chain(notes).collect(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, hosts, fixed_rates, .. } = self;
        let mut text = format!(
            "paths of {routing} on {topology}, {hosts} hosts, rates chosen for the traffic\n"
        );
        for (label, bounds) in [
            ("oblivious ratio", &self.oblivious_ratio),
            ("hose load", &self.hose_load),
            ("permutation load", &self.permutation_load),
        ] {
            text.extend(bounds.iter().map(|known| format!("{label:24}{}\n", shown_bounds(known))));
        }
        text.extend([format!("with fixed rates        {} at best\n", shown_bounds(fixed_rates))]);
        text.extend(self.at_most.as_ref().map(AtMost::text));
        text.extend(self.witness.as_ref().map(|AdaptiveWitness { pairs, lengths }| {
            let (pairs, links) = (counted(pairs.len(), "pair"), counted(lengths.len(), "link"));
            format!("worst traffic           {pairs}, by the lengths of {links} (--json)\n")
        }));
        text.push_str(&labelled("note", 24, &self.notes));
        text
    }
}
