//! Routings that see the traffic, which need not be a permutation.

use super::PatternError;
use crate::bounds::Bounds;
use crate::prelude::*;
use crate::traffic::{PathRecord, TrafficMatrix};

/// A scheme that gives every SD pair with traffic one path, decided from the whole traffic.
pub trait TrafficRouting: Send + Sync {
    /// The paths of `traffic`. The same traffic always gets the same paths, unless `progress` ends
    /// the search for better ones.
    ///
    /// # Errors
    /// [`PatternError::Hosts`] for traffic of other hosts, [`PatternError::TooLarge`], and
    /// [`PatternError::Stopped`] where there are no paths yet.
    fn route_traffic(
        &self,
        traffic: &TrafficMatrix,
        progress: &Progress,
    ) -> Result<RoutedTraffic, PatternError>;
}

/// Single paths for traffic, and how far they are from the best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutedTraffic {
    /// One path for every demand, with share 1, in the order of the demands.
    pub paths: Vec<PathRecord>,
    /// The least contention (\[RO\] IV) that single shortest paths of this traffic can have on the link that
    /// has most: at most what these have, at least what counting gives.
    pub contention: Bounds,
    /// The contention of every link.
    pub by_link: Vec<u32>,
    /// Max load of the traffic on these paths.
    pub max_load: Rational,
    /// Start of the search.
    pub start: &'static str,
    /// Flows that were looked at; the budget counts them.
    pub steps: u64,
    /// Whether a stop ended the search early.
    pub stopped: bool,
}

impl RoutedTraffic {
    /// Whether no single shortest paths have less contention.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{progress::Progress, simulation::adaptive, topology, traffic};
    /// let tree = topology::generate("xgft(2;4,4;1,3)")?;
    /// let ring = traffic::generate("ring", 16)?;
    /// let scheme = adaptive::build("coloured", &tree)?;
    /// let scheme = scheme.traffic_routing().ok_or("permutations only")?;
    /// let routed = scheme.route_traffic(&ring, &Progress::silent())?;
    /// assert!(routed.is_optimal() && routed.links().count() == ring.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.contention.exact().is_some()
    }

    /// The links of every path, in the order of the demands.
    pub fn links(&self) -> impl Iterator<Item = &[LinkId]> {
        self.paths.iter().map(|path| &path.links[..])
    }
}
