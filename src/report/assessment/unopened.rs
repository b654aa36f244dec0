//! What `ratio` knows of any routing of a network, while the routing is not open yet.

use super::{AssessmentReport, are_hosts_alike, has_unit_links};
use crate::assessment::rough_worst_case;
use crate::certificate::Quantity;
use crate::topology::Topology;

impl AssessmentReport {
    /// The record of a routing that is not open yet, by the text that names it.
    #[must_use]
    pub fn unopened(topology: &Topology, routing: &str) -> Self {
        let ratio = rough_worst_case(topology, Quantity::ObliviousRatio);
        Self {
            topology: topology.spec().to_string(),
            routing: routing.to_string(),
            hosts: topology.hosts(),
            permutation_ratio: ratio.clone(),
            oblivious_ratio: ratio,
            permutation_load: rough_worst_case(topology, Quantity::PermutationLoad),
            method: "none: stopped early",
            symmetry: None,
            complete: false,
            witness: None,
            worst_loads: Vec::new(),
            worst_ratios: Vec::new(),
            shows_permutations: are_hosts_alike(topology) || has_unit_links(topology),
            notes: topology.notes().to_vec(),
            failure: None,
            at_most: None,
            traffic: Vec::new(),
        }
    }
}
