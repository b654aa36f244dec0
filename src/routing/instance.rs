//! A topology together with its routing.

use super::{Routing, RoutingError, build};
use crate::topology::{Topology, TopologyError, generate};

/// What is analysed: a network and its routing.
pub struct Instance {
    /// The network.
    pub topology: Topology,
    /// A routing built for it.
    pub routing: Box<dyn Routing>,
}

/// Why an instance could not be built from two specs.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// An error from the topology.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// An error from the routing.
    #[error("{0}")]
    Routing(#[from] RoutingError),
}

impl Instance {
    /// Builds a generated topology and its routing from their specs.
    ///
    /// # Errors
    /// [`InstanceError`] when either cannot be built.
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

    /// What a reader of results has to know: how the network was read, followed by the routing's
    /// notes.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.topology.notes().iter().cloned().chain(self.routing.notes()).collect()
    }
}
