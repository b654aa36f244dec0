//! Routings that a search has made, as instances. They are called `table:STEM.csv`, the file that
//! they are written to.

use crate::routing::tree::{TreeRouting, UpDigits};
use crate::routing::{Instance, RoutingError};
use crate::spec::Spec;
use crate::topology::{Host, Topology, Xgft};

use super::rectangles::Rectangle;
use super::{Options, SynthError};

/// A path for every pair, by its up-digits, at place s·N + d; surplus digits mean nothing.
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
    let routing = Box::new(TreeRouting::new(&spec, tree, rule));
    Ok(Instance { topology: topology.clone(), routing })
}

/// The up-digits of every pair of a two-level tree, at place s·N + d, of which the top switch t takes
/// those with source index in A_t and destination index in B_t.
pub(super) fn by_rectangles(tree: &Xgft, cover: &[Rectangle]) -> Vec<Vec<u32>> {
    let hosts = tree.hosts() as Host;
    let has =
        |s, d, (a, b): &Rectangle| a >> tree.digit(s, 1) & 1 == 1 && b >> tree.digit(d, 1) & 1 == 1;
    let pairs = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
    let top = |(s, d)| cover.iter().position(|rectangle| has(s, d, rectangle)).unwrap_or(0);
    pairs.map(|pair| vec![0, top(pair) as u32]).collect()
}
