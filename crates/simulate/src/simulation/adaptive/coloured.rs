//! Single paths with little contention for traffic that is known: a central controller, as Colored of
//! \[RO\] VII.
//!
//! Permutations on trees whose switches have no fewer links up than down get conflict-free routes by
//! edge colouring ([`conflict_free`]). For other traffic, or on other trees, single paths of least
//! contention are searched (`colouring`), and counting says how far from the best they can be.

use super::colouring::{self, Effort};
use super::{
    Build, Guarantee, PatternError, PatternRouting, Routed, RoutedTraffic, Scope, TrafficRouting,
};
use crate::bounds::{Bounds, Evidence};
use crate::prelude::*;
use crate::rearrange::conflict_free;
use crate::traffic::{Permutation, TrafficError, TrafficMatrix};

pub(super) const KIND: Kind<Build> = Kind {
    name: "coloured",
    usage: "coloured(seed=1,steps=33554432)",
    about: "global: single paths of little contention for any traffic, by edge colouring and local search; \
            conflict-free for permutations on trees whose switches have no fewer links up than down",
    reference: "Kőnig, Math. Ann. 77, 1916; [RO] II, VII",
    examples: &["coloured", "coloured(seed=2,steps=100000)"],
    build,
};

struct Coloured {
    spec: String,
    tree: Xgft,
    effort: Effort,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn PatternRouting>, PatternError> {
    let effort = spec.read()?;
    let tree = topology
        .tree()
        .ok_or_else(|| PatternError::does_not_fit(spec, topology, "it needs a tree with labels"))?;
    Ok(Box::new(Coloured { spec: spec.to_string(), tree: tree.clone(), effort }))
}

impl Coloured {
    /// Whether every switch has as many links up as down.
    fn is_rearrangeable(&self) -> bool {
        (1..self.tree.height())
            .all(|level| self.tree.parents(level + 1) >= self.tree.children(level))
    }

    /// The flows of a permutation that leave a subtree of this height at most, and its up links.
    fn crossing(&self, height: usize) -> (u64, u64) {
        let inside = u64::from(self.tree.subtree_hosts(height));
        let outside = self.tree.hosts() as u64 - inside;
        (inside.min(outside), self.tree.shortest_paths(height + 1).into())
    }
}

impl PatternRouting for Coloured {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn scope(&self) -> Scope {
        Scope::Global
    }

    fn route(
        &self,
        pattern: &Permutation,
        routed: &mut Routed,
        progress: &Progress,
    ) -> Result<(), PatternError> {
        progress.check()?;
        routed.clear();
        let paths = if self.is_rearrangeable() {
            conflict_free(&self.tree, pattern, progress)?
        } else {
            let found = self.route_traffic(&pattern.to_matrix()?, progress)?;
            if found.stopped {
                return Err(Stopped.into());
            }
            found.paths
        };
        for path in paths {
            routed.push((path.s, path.d), |links| links.extend(&path.links));
        }
        Ok(())
    }

    fn traffic_routing(&self) -> Option<&dyn TrafficRouting> {
        Some(self)
    }

    fn guarantee(&self, _: u64, _: &Progress) -> Result<Guarantee, PatternError> {
        let all = self.is_rearrangeable();
        let by = if all { "Kőnig's theorem" } else { "counting over subtrees" };
        let mut load = Bounds {
            lower: Rational::ZERO,
            upper: Rational::ZERO,
            evidence: Evidence::Claimed(by.to_string()),
        };
        let mut least = 0;
        for height in 0..self.tree.height() {
            let (flows, links) = self.crossing(height);
            let on_link = flows.div_ceil(links);
            least = least.max(on_link);
            let load_of = |flows: u64| {
                let load = Rational::from(flows).checked_div(self.tree.capacity(height + 1));
                load.unwrap_or_default()
            };
            load.lower = load.lower.max(load_of(on_link));
            load.upper = load.upper.max(load_of(if all { on_link } else { flows }));
        }
        let nonblocking = if all { Some(true) } else { (least > 1).then_some(false) };
        Ok(Guarantee { nonblocking, load, needs: None, hardest: None, notes: Vec::new() })
    }
}

impl TrafficRouting for Coloured {
    fn route_traffic(
        &self,
        traffic: &TrafficMatrix,
        progress: &Progress,
    ) -> Result<RoutedTraffic, PatternError> {
        colouring::route(&self.tree, traffic, self.effort, progress)
    }
}

impl From<TrafficError> for PatternError {
    fn from(error: TrafficError) -> Self {
        match error {
            TrafficError::TooLarge(error) => error.into(),
            // The hosts of a permutation exist.
            error => Self::Traffic(error),
        }
    }
}
