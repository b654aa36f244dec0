//! Output of `improve`.

use super::numbers::at_least;
use super::prelude::*;
use crate::assessment::Assessment;
use crate::improve::{self, Improvement};
use crate::quote::printable;
use crate::topology::NodeId;

/// The record of a search for better forwarding tables, as `improve --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct ImproveReport {
    /// Spec or path.
    pub topology: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Directed links.
    pub links: usize,
    /// The routing that was given.
    pub before: RoutingLoads,
    /// The best routing: the tables that were found, or the given one where none are better.
    pub after: RoutingLoads,
    /// Whether tables of lower worst permutation load were found.
    pub found: bool,
    /// The lower bound on the worst permutation load of all forwarding tables of this network.
    pub least: LeastTables,
    /// The lower bound on the worst permutation load of all single-path routings whose paths lead up, then down, where
    /// counting proves one: on whole trees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_single_path: Option<u32>,
    /// Whether the given routing forwards by destination.
    #[serde(skip)]
    is_by_destination: bool,
    /// Number of times that a destination was put into tables.
    pub steps: u64,
    /// File of the tables, if it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// What the search could not use, and how the network was read.
    pub notes: Vec<String>,
    /// Whether nothing was stopped.
    pub complete: bool,
}

/// What traffic can do to a routing.
#[derive(Clone, Debug, Serialize)]
pub struct RoutingLoads {
    /// Spec.
    pub routing: String,
    /// Bounds of the maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// Bounds of sup max load ÷ optu.
    pub oblivious_ratio: Bounds,
}

/// A bound that holds for all forwarding tables of a network.
#[derive(Clone, Debug, Serialize)]
pub struct LeastTables {
    /// No forwarding tables have a lower worst permutation load.
    pub permutation_load: Rational,
    /// Evidence for it.
    pub evidence: Evidence,
    /// The switches that show it: a leaf switch, or those of a pod.
    pub switches: Vec<String>,
}

impl LeastTables {
    /// The bound without a search; `None` for networks whose tables `improve` does not search, and where there is only
    /// one switch with hosts.
    #[must_use]
    pub fn of(topology: &Topology) -> Option<Self> {
        let (load, nodes) = improve::least(topology).ok().flatten()?;
        Some(Self::new(topology, load, improve::claimed(), &nodes))
    }

    fn new(
        topology: &Topology,
        permutation_load: Rational,
        evidence: Evidence,
        nodes: &[NodeId],
    ) -> Self {
        let switches = nodes.iter().map(|node| topology.node(*node).name.clone()).collect();
        Self { permutation_load, evidence, switches }
    }
}

impl RoutingLoads {
    fn new(routing: &str, found: &Assessment) -> Self {
        Self {
            routing: routing.to_string(),
            permutation_load: found.permutation_load.clone(),
            oblivious_ratio: found.oblivious_ratio.clone(),
        }
    }

    fn text(&self, when: &str) -> String {
        let Self { routing, permutation_load, oblivious_ratio } = self;
        format!(
            "{when:18}{routing}\n  permutation load  {}\n  oblivious ratio   {}\n",
            shown_bounds(permutation_load),
            shown_bounds(oblivious_ratio)
        )
    }
}

impl ImproveReport {
    /// The record of a search that began with the routing called `given`; its tables are in the file `tables`, if they
    /// were written.
    #[must_use]
    pub fn new(given: &str, found: &Improvement, tables: Option<String>) -> Self {
        let topology = &found.best.topology;
        let after = match &tables {
            Some(file) if found.is_found => format!("lft:{file}"),
            None if found.is_found => {
                "tables of this search, which `--save-tables FILE` writes".to_string()
            }
            _ => given.to_string(),
        };
        let Bounds { lower, evidence, .. } = found.least.clone();
        let least = LeastTables::new(topology, lower, evidence, &found.nodes);
        Self {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            before: RoutingLoads::new(given, &found.before),
            after: RoutingLoads::new(&after, &found.after),
            found: found.is_found,
            least_single_path: found.single_path,
            is_by_destination: found.is_by_destination,
            least,
            steps: found.steps,
            tables,
            notes: topology.notes().iter().cloned().chain(found.notes.clone()).collect(),
            complete: found.complete,
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, hosts, links, before, after, least, .. } = self;
        let lower = &least.permutation_load;
        let verdict = match (self.found, after.permutation_load.upper == *lower) {
            (true, true) => "found the best there are",
            (true, false) => "found better ones",
            (false, true) if self.is_by_destination => "the given ones are the best there are",
            (false, _) => "found none that are better",
        };
        let paths =
            if self.found { "paths             up, then down: no credit loop\n" } else { "" };
        let single = self.least_single_path.map_or_else(String::new, |least| {
            format!("all single paths  at least {least} (proven), up, then down\n")
        });
        let shown_by = match &least.switches[..] {
            [] => String::new(),
            [switch] => format!(", by the hosts of `{}`", printable(switch)),
            pod => format!(", by the pod of `{}` ({} switches)", printable(&pod[0]), pod.len()),
        };
        format!(
            "forwarding tables of {topology}, {hosts} hosts, {links} links: {verdict}\n{}{}\
             all tables        at least {} ({}){shown_by}\n{single}\
             {paths}\
             search            {} destinations put into tables\n{}",
            before.text("before"),
            after.text("after"),
            at_least(lower),
            least.evidence,
            self.steps,
            labelled("note", 18, &self.notes),
        )
    }
}
