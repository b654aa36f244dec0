//! Networks with their routings.

use crate::failure_sets::Repair;
use crate::study::fabrics;
use crate::study::prelude::*;

/// The seed of everything that fails at random.
pub(super) const SEED: u64 = 1;

/// A network with its routing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) network: &'static str,
    pub(super) routing: &'static str,
    /// How many cables fail in turn, drawn at random; `None` for all.
    pub(super) drawn: Option<u64>,
}

impl Case {
    const fn new(network: &'static str, routing: &'static str) -> Self {
        Self { network, routing, drawn: None }
    }

    /// With some of many cables.
    const fn large(network: &'static str, routing: &'static str) -> Self {
        Self { network, routing, drawn: Some(24) }
    }

    pub(super) fn instance(&self) -> Result<Instance> {
        fabrics::instance((self.network, self.routing))
    }

    /// Tables of a subnet manager stay as they are but for pairs with a broken path; our routings repair themselves.
    pub(super) fn repair(&self) -> Repair {
        if self.network.contains('(') { Repair::Reroute } else { Repair::Ecmp }
    }

    /// The name of the repair.
    pub(super) fn repair_name(&self) -> &'static str {
        if self.repair() == Repair::Ecmp { "ecmp" } else { "reroute" }
    }
}

/// FT(8,3) with half of its roots.
const SLIMMED: &str = "xgft(3;4,4,8;1,4,2)";

/// All of them. The small tier has the first.
pub(super) const CASES: [Case; 15] = [
    Case::new("ft(8,3)", "dmodk"),
    Case::new("ft(8,3)", "random(seed=1)"),
    Case::new("ft(8,3)", "omrmn"),
    Case::new("ft(8,3)", "ecmp"),
    Case::new("ft8x3", "ftree"),
    Case::new("ft8x3", "dfsssp"),
    Case::new("ft8x3", "minhop"),
    Case::new("ft8x3", "nue"),
    Case::new("ft8x3", "updn"),
    Case::new(SLIMMED, "dmodk"),
    Case::new(SLIMMED, "random(seed=1)"),
    Case::new(SLIMMED, "ecmp"),
    Case::large("ft(16,3)", "dmodk"),
    Case::large("ft16x3", "ftree"),
    Case::large("ft16x3", "dfsssp"),
];
