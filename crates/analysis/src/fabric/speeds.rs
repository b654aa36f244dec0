//! Cables that are slower or faster than others between the same levels.

use std::collections::BTreeMap;

use crate::failure::{Cable, cables};
use crate::rational::Rational;
use crate::topology::{NodeKind, Topology};

/// The cables of one capacity between two levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speed {
    /// The higher level; host cables have level 1.
    pub level: u8,
    /// Whether the cables join switches of the same level.
    pub flat: bool,
    /// Capacity of either direction, in units of a host link.
    pub capacity: Rational,
    /// The cables.
    pub cables: Vec<Cable>,
    /// Whether most cables of the level have another capacity.
    pub odd: bool,
}

/// The cables by level and capacity, host cables first, the fastest of a level first.
/// O(links · log(links)).
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{fabric::speeds, rational::Rational, topology::generate};
/// let found = speeds(&generate("ft(4,2)")?);
/// assert_eq!(found.iter().map(|speed| speed.cables.len()).collect::<Vec<_>>(), [8, 8]);
/// assert!(found.iter().all(|speed| !speed.odd && speed.capacity == Rational::ONE));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn speeds(topology: &Topology) -> Vec<Speed> {
    let mut by_level: BTreeMap<(u8, bool), BTreeMap<Rational, Vec<Cable>>> = BTreeMap::new();
    let levels = topology.levels();
    for cable in cables(topology) {
        let Some(first) = cable.links.first() else { continue };
        let link = topology.link(*first);
        let is_host = |(node, _)| topology.node(node).kind == NodeKind::Host;
        let shown = cable.ends.map(|(node, _)| levels.shown(node));
        let key = match cable.ends.map(|(node, _)| levels.level(node)) {
            [Some(a), Some(b)] => (a.max(b), a == b),
            // Hosts count as such wherever they are; a switch that stands aside is beside every level.
            _ if cable.ends.into_iter().any(is_host) => (1, false),
            _ => (shown.into_iter().max().unwrap_or(0), true),
        };
        let level = by_level.entry(key).or_default();
        level.entry(link.capacity.clone()).or_default().push(cable);
    }
    let mut speeds = Vec::new();
    for ((level, flat), capacities) in by_level {
        let most = capacities.values().map(Vec::len).max();
        for (capacity, cables) in capacities.into_iter().rev() {
            let odd = Some(cables.len()) != most;
            speeds.push(Speed { level, flat, capacity, cables, odd });
        }
    }
    speeds
}
