//! A topology together with its routing.

use std::sync::Arc;

use super::validity::{self, InvalidPair};
use super::{Routing, RoutingError, build};
use crate::progress::{Progress, Stopped};
use crate::topology::{Topology, TopologyError, generate};

/// A network and its routing, which are analysed together. Clones share both.
///
/// Every analysis relies on the promises of [`Routing`]; [`Instance::new`] checks them.
/// Nothing is checked where a field is replaced, as with [`Instance::trusted`].
#[derive(Clone)]
#[non_exhaustive]
pub struct Instance {
    /// The network.
    pub topology: Arc<Topology>,
    /// The routing, built for this network.
    pub routing: Arc<dyn Routing>,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on {}", self.routing.spec(), self.topology.spec())
    }
}

/// Why an instance could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum InstanceError {
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error(transparent)]
    Pair(#[from] InvalidPair),
    #[error(
        "routing `{routing}` was built for {own} hosts, but topology `{topology}` has {hosts}: \
         build it for this topology"
    )]
    OtherNetwork { routing: String, own: usize, topology: String, hosts: usize },
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

impl Instance {
    /// A network and a routing for it, whose paths are checked for every SD pair: their links exist
    /// and join s to d, without visiting a node twice unless [`Routing::may_revisit`] says so, shares are positive and
    /// sum to 1, and [`Routing::is_single_path`] and [`Routing::for_each_use`] agree with the paths. Nothing is
    /// checked for a routing that [`build`] created for this very tree, nor for a split over all shortest
    /// paths that it created for this very network.
    /// O(N²·links of the paths of a pair), on all threads; for large networks,
    /// [`Self::checked`] can be stopped.
    ///
    /// # Errors
    /// [`InstanceError::Pair`] with the first pair that is wrong; [`InstanceError::OtherNetwork`].
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::routing::{Instance, Listed, PathProblem, Routing, InstanceError};
    /// use routebound::{rational::Rational, topology, traffic::PathRecord};
    /// let tree = topology::generate("xgft(1;2;1)")?;
    /// let path = |s, d, links| PathRecord { s, d, share: Rational::ONE, links };
    /// // Link 1 leads from host 1 up to the switch, link 2 down to host 0.
    /// let routing = |last| {
    ///     let records = vec![path(0, 1, vec![0, 3]), path(1, 0, vec![1, last])];
    ///     Listed::new("own".into(), 2, records).map(|listed| Box::new(listed) as Box<dyn Routing>)
    /// };
    /// assert!(Instance::new(tree.clone(), routing(2).ok_or("shares")?).is_ok());
    /// let Err(InstanceError::Pair(error)) = Instance::new(tree, routing(9).ok_or("shares")?) else { panic!() };
    /// assert_eq!((error.s, error.d, error.problem), (1, 0, PathProblem::NoSuchLink { link: 9, links: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        topology: impl Into<Arc<Topology>>,
        routing: impl Into<Arc<dyn Routing>>,
    ) -> Result<Self, InstanceError> {
        Self::checked(topology, routing, &Progress::silent())
    }

    /// Checks the paths of all pairs as [`Self::new`] does, counting sources on `progress`.
    ///
    /// # Errors
    /// As [`Self::new`], and [`InstanceError::Stopped`].
    pub fn checked(
        topology: impl Into<Arc<Topology>>,
        routing: impl Into<Arc<dyn Routing>>,
        progress: &Progress,
    ) -> Result<Self, InstanceError> {
        let instance = Self::trusted(topology, routing);
        if !instance.is_by_spec() && instance.shortest_split().is_none() {
            instance.check_paths(progress)?;
        }
        Ok(instance)
    }

    /// An instance without any check, for routings whose paths are known to be right. Where they are not, analyses may
    /// panic or report an internal error; nothing false becomes `proven`.
    #[must_use]
    pub fn trusted(
        topology: impl Into<Arc<Topology>>,
        routing: impl Into<Arc<dyn Routing>>,
    ) -> Self {
        Self { topology: topology.into(), routing: routing.into() }
    }

    /// Builds a generated topology and its routing from their specs.
    ///
    /// # Errors
    /// [`InstanceError`] when either cannot be built.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let instance = routebound::routing::Instance::named("ft(4,2)", "dmodk")?;
    /// assert_eq!(instance.topology().hosts(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named(topology: &str, routing: &str) -> Result<Self, InstanceError> {
        let topology = generate(topology)?;
        let routing = build(routing, &topology)?;
        Ok(Self::trusted(topology, routing))
    }

    /// The network.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The routing.
    #[must_use]
    pub fn routing(&self) -> &dyn Routing {
        &*self.routing
    }

    /// Network and routing, which other instances may share.
    #[must_use]
    pub fn into_parts(self) -> (Arc<Topology>, Arc<dyn Routing>) {
        (self.topology, self.routing)
    }

    /// Checks the routing as [`Self::new`] does, whoever built it. `progress` advances by N.
    ///
    /// # Errors
    /// As [`Self::checked`].
    pub fn check_paths(&self, progress: &Progress) -> Result<(), InstanceError> {
        validity::check(&self.topology, &*self.routing, progress)
    }

    /// Notes for readers of results: how the network was read, followed by the routing's
    /// notes.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.topology.notes().iter().cloned().chain(self.routing.notes()).collect()
    }
}
