//! Routings that a search has found, as instances. They are called `table:STEM.csv`, after the file
//! that they are written to.

use crate::integer::index32;
use crate::routing::tree::{TreeRouting, UpDigits};
use crate::routing::{Instance, Routing, RoutingError};
use crate::spec::Spec;
use crate::topology::{Host, Topology, Xgft};

use super::rectangles::Rectangle;
use super::{Options, SynthError};

/// A path for every pair, by its up-digits, at index s·N + d; surplus digits are ignored.
struct Listed {
    hosts: usize,
    digits: Vec<Vec<u32>>,
}

impl UpDigits for Listed {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let digits = &self.digits[s as usize * self.hosts + d as usize];
        up.copy_from_slice(&digits[..up.len()]);
    }
}

/// The routing by the up-digits of every pair.
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
    let routing: Box<dyn Routing> = Box::new(TreeRouting::new(&spec, tree, rule));
    Ok(Instance::trusted(topology.clone(), routing))
}

/// The routing of a two-level tree in which top switch t takes the pairs with source index in A_t
/// and destination index in B_t.
pub(super) struct ByRectangles(pub(super) Vec<Rectangle>);

impl UpDigits for ByRectangles {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let (row, column) = (tree.digit(s, 1), tree.digit(d, 1));
        let has = |(a, b): &Rectangle| a >> row & 1 == 1 && b >> column & 1 == 1;
        up.fill(0);
        if let [_, top] = up {
            *top = index32(self.0.iter().position(has).expect("the rectangles cover the grid"));
        }
    }
}

/// The routing through the first ports: used where any will do.
#[cfg(any(feature = "sat", feature = "highs"))]
pub(super) struct FirstPorts;

#[cfg(any(feature = "sat", feature = "highs"))]
impl UpDigits for FirstPorts {
    fn up_digits(&self, _tree: &Xgft, _s: Host, _d: Host, up: &mut [u32]) {
        up.fill(0);
    }
}
