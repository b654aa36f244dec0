//! A topology together with a routing of it.

use super::{Routing, RoutingError, build};
use crate::topology::{Topology, TopologyError, generate};

/// What is analysed: a network and how it is routed.
pub struct Instance {
    /// The network.
    pub topology: Topology,
    /// A routing made for it.
    pub routing: Box<dyn Routing>,
}

/// Why an instance cannot be made from two specs.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// The topology.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// The routing.
    #[error("{0}")]
    Routing(#[from] RoutingError),
}

impl Instance {
    /// The instance of a generated topology and a routing, from their specs.
    ///
    /// # Errors
    /// [`InstanceError`] when either cannot be made.
    ///
    /// ```
    /// let instance = routebound::routing::Instance::named("ft(4,2)", "dmodk")?;
    /// assert_eq!(instance.topology.hosts(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named(topology: &str, routing: &str) -> Result<Self, InstanceError> {
        let topology = generate(topology)?;
        let routing = build(routing, &topology)?;
        Ok(Self { topology, routing })
    }

    /// What a reader of results has to know: how the network was read, then what the routing leaves
    /// open.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.topology.notes().iter().cloned().chain(self.routing.notes()).collect()
    }
}
