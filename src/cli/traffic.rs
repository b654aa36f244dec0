//! Opening traffic: a spec or a file.

use anyhow::{Result, bail};

use super::Context;
use crate::ratio::Ratio;
use crate::spec::Spec;
use crate::topology::{Host, Topology};
use crate::traffic::Demand;

const USAGE: &str = "shift(k)";

/// Traffic as verbs use it.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Canonical spec or path.
    pub spec: String,
    /// Demands between different hosts of the topology.
    pub demands: Vec<Demand>,
}

impl Traffic {
    /// The traffic that `text` describes, between the hosts of `topology`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(text: &str, topology: &Topology, _context: &Context) -> Result<Self> {
        let spec = Spec::parse(text)?;
        if spec.name != "shift" {
            bail!("unknown traffic `{}`; known: shift", spec.name);
        }
        let by = spec.arguments(1, &[], USAGE)?[0];
        let hosts = topology.hosts() as u64;
        let image = |s: u64| ((s + by % hosts) % hosts) as Host;
        let demand = |s| Demand { s: s as Host, d: image(s), amount: Ratio::ONE };
        let demands = (0..hosts).map(demand).filter(|demand| demand.s != demand.d).collect();
        Ok(Self { spec: spec.to_string(), demands })
    }
}
