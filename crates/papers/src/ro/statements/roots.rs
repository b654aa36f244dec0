//! Routes per NCA (\[RO\] VII.D, Fig. 4).

use std::collections::BTreeMap;

use crate::routing::Instance;
use crate::theorem::walk::{path, turn};
use crate::topology::{node_number, sd_pairs};

/// The trees of Fig. 4. The paper prints XGFT(2;16,16;16,10) for both, which would give every host
/// 16 links.
pub(super) const FULL: &str = "xgft(2;16,16;1,16)";
pub(super) const SLIMMED: &str = "xgft(2;16,16;1,10)";

/// The number of SD pairs whose path turns at each switch of the top level.
pub(super) fn routes(instance: &Instance) -> Vec<u64> {
    let Instance { topology, routing, .. } = instance;
    let top = topology.node(node_number(topology.nodes()) - 1).level;
    let roots = topology.node_numbers().filter(|node| topology.node(*node).level == top);
    let mut routes: BTreeMap<u32, u64> = roots.map(|root| (root, 0)).collect();
    for (s, d) in sd_pairs(topology.hosts()) {
        let root = turn(topology, &path(&**routing, s, d));
        if let Some(count) = root.and_then(|root| routes.get_mut(&root)) {
            *count += 1;
        }
    }
    routes.into_values().collect()
}

/// Most − fewest.
pub(super) fn spread(routes: &[u64]) -> u64 {
    let (least, most) = (routes.iter().min(), routes.iter().max());
    most.zip(least).map_or(0, |(most, least)| most - least)
}
