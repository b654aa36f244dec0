//! Measure of a permutation, for a routing that sees it.

use serde::Serialize;

use crate::progress::Progress;
use crate::simulation::adaptive::{LinkCounts, PatternError, PatternRouting, Routed};
use crate::topology::Topology;
use crate::traffic::Permutation;

/// A routing that is attacked.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// The network.
    pub topology: &'t Topology,
    /// The routing, made for it.
    pub routing: &'t dyn PatternRouting,
}

/// Measure of a permutation; the greater the worse, by its fields in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Measure {
    /// The routing refuses it, as the network has too few top switches.
    pub refused: bool,
    /// Maximum number of paths on one link; 0 for a refused one.
    pub load: u32,
    /// Configurations that it needs; 0 for routings that have none.
    pub configurations: u64,
    /// Top switches on its paths; for a refused permutation those that it needs.
    pub top_switches: u64,
}

/// Working memory with which one thread measures.
pub(super) struct Measurer<'t> {
    target: Target<'t>,
    routed: Routed,
    counts: LinkCounts,
    silent: Progress,
}

impl<'t> Measurer<'t> {
    pub(super) fn new(target: Target<'t>) -> Self {
        let counts = LinkCounts::new(target.topology.links());
        Self { target, routed: Routed::default(), counts, silent: Progress::silent() }
    }

    pub(super) fn measure(&mut self, permutation: &Permutation) -> Result<Measure, PatternError> {
        match self.target.routing.route(permutation, &mut self.routed, &self.silent) {
            Err(PatternError::TooFewSwitches { configurations, needs, .. }) => {
                Ok(Measure { refused: true, load: 0, configurations, top_switches: needs })
            }
            Err(error) => Err(error),
            Ok(()) => Ok(Measure {
                refused: false,
                load: self.counts.most(&self.routed).0,
                configurations: self.routed.configurations,
                top_switches: self.routed.top_switches(self.target.topology),
            }),
        }
    }
}
