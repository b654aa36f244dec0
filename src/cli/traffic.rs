//! Opening traffic: a spec or a file.

use anyhow::Result;

use super::Context;
use crate::import::traffic::Hosts;
use crate::topology::Topology;
use crate::traffic;

/// Help on the argument that names traffic.
pub const TRAFFIC: &str = "Traffic, such as 'shift(1)', or a traffic file: see `routebound list traffic \
    traffic-files`";

/// Traffic in the form that verbs use.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Canonical spec or path.
    pub spec: String,
    /// Demands between different hosts of the topology.
    pub demands: traffic::Traffic,
    /// Number of demands from a host to itself, which were left out.
    pub self_demands: usize,
    /// Notes on how a file was read.
    pub notes: Vec<String>,
}

impl Traffic {
    /// The traffic that `text` describes, between the hosts of `topology`.
    ///
    /// # Errors
    /// When it cannot be built or read.
    pub fn open(text: &str, topology: &Topology, context: &Context) -> Result<Self> {
        let (spec, demands, notes) = context.open_traffic(text, Hosts::Of(topology))?;
        let self_demands = demands.self_demands();
        Ok(Self { spec, demands, self_demands, notes })
    }

    /// Number of demands.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.demands.view().len()
    }
}
