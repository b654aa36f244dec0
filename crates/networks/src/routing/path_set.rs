//! Listed paths of every pair as `ksp` and other sets of paths have them, with equal shares or with weights.

use super::shortest::no_path;
use super::{Routing, RoutingError, Visit};
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, Topology, host_number};

/// Links from the source of a pair to its destination.
pub(super) type Path = Vec<LinkId>;

/// The paths of all pairs.
pub(super) struct PathSet {
    spec: String,
    hosts: usize,
    /// The paths of pair s·N + d, no two alike, with their weights.
    paths: Vec<Vec<(u64, Path)>>,
    single_path: bool,
}

impl PathSet {
    /// The routing with the paths of pair s·N + d in that order, with equal shares.
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a pair has no path.
    pub(super) fn build(
        spec: &Spec,
        topology: &Topology,
        paths: Vec<Vec<Path>>,
    ) -> Result<Box<dyn Routing>, RoutingError> {
        let alike = |own: Vec<Path>| own.into_iter().map(|path| (1, path)).collect();
        Self::weighted(spec, topology, paths.into_iter().map(alike).collect())
    }

    /// The routing with the paths of pair s·N + d in that order, and shares in proportion to their weights.
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a pair has no path.
    pub(super) fn weighted(
        spec: &Spec,
        topology: &Topology,
        paths: Vec<Vec<(u64, Path)>>,
    ) -> Result<Box<dyn Routing>, RoutingError> {
        let hosts = topology.hosts();
        let lonely = |at: &usize| at / hosts != at % hosts && paths[*at].is_empty();
        if let Some(at) = (0..hosts * hosts).find(lonely) {
            let reason = no_path(topology, host_number(at / hosts), host_number(at % hosts));
            return Err(RoutingError::does_not_fit(spec, topology, reason));
        }
        let single_path = paths.iter().all(|paths| paths.len() <= 1);
        Ok(Box::new(Self { spec: spec.to_string(), hosts, paths, single_path }))
    }
}

impl Routing for PathSet {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.single_path
    }

    fn has_detours(&self) -> bool {
        true
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn for_each_path(&self, s: Host, d: Host, _links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let paths = &self.paths[s as usize * self.hosts + d as usize];
        let sum = paths.iter().map(|(weight, _)| weight).sum();
        for (weight, path) in paths {
            if let Some(share) = Rational::new(*weight, sum) {
                visit(&share, path);
            }
        }
    }
}
