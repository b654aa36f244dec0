//! Opening traffic: a spec or a file.

use anyhow::Result;

use super::Context;
use crate::import::traffic::Hosts;
use crate::topology::Topology;
use crate::traffic::Demand;

/// Traffic in the form that verbs use.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Canonical spec or path.
    pub spec: String,
    /// Demands between different hosts of the topology.
    pub demands: Vec<Demand>,
    /// How many demands from a host to itself were left out.
    pub self_demands: usize,
}

impl Traffic {
    /// The traffic that `text` describes, between the hosts of `topology`.
    ///
    /// # Errors
    /// When it cannot be built or read.
    pub fn open(text: &str, topology: &Topology, context: &Context) -> Result<Self> {
        let (spec, matrix) = context.open_traffic(text, Hosts::Of(topology))?;
        let (demands, self_demands) = (matrix.demands().to_vec(), matrix.self_demands());
        Ok(Self { spec, demands, self_demands })
    }
}
