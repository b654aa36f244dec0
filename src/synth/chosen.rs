//! Routings that a search has made, as instances. They are called `table:STEM.csv`, the file that
//! they are written to.

use crate::routing::tree::{TreeRouting, UpDigits};
use crate::routing::{Instance, RoutingError};
use crate::spec::Spec;
#[cfg(feature = "sat")]
use crate::topology::Host;
use crate::topology::{Topology, Xgft};

use super::{Options, SynthError};

/// A path for every pair, by its up-digits, at place s·N + d; surplus digits mean nothing.
#[cfg(feature = "sat")]
struct Listed {
    hosts: usize,
    digits: Vec<Vec<u32>>,
}

#[cfg(feature = "sat")]
impl UpDigits for Listed {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let digits = &self.digits[s as usize * self.hosts + d as usize];
        up.copy_from_slice(&digits[..up.len()]);
    }
}

/// The routing by the up-digits of every pair.
#[cfg(feature = "sat")]
pub(super) fn listed(
    topology: &Topology,
    tree: &Xgft,
    digits: Vec<Vec<u32>>,
    options: &Options,
) -> Result<Instance, SynthError> {
    instance(topology, tree, Listed { hosts: tree.hosts(), digits }, options)
}

/// The routing by a rule.
pub(super) fn instance(
    topology: &Topology,
    tree: &Xgft,
    rule: impl UpDigits + 'static,
    options: &Options,
) -> Result<Instance, SynthError> {
    let spec = Spec::parse(&format!("table:{}.csv", options.stem)).map_err(RoutingError::from)?;
    let routing = Box::new(TreeRouting::new(&spec, tree, rule));
    Ok(Instance { topology: topology.clone(), routing })
}
