//! What no forwarding tables can avoid.

use super::fabric::Fabric;
use crate::integer::index32;
use crate::topology::{NodeId, Topology};

/// A lower bound on the worst permutation load of forwarding tables, as traffic per link, and the switch that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DestinationBound {
    /// No tables of the network have a link that permutations load with fewer pairs.
    pub(super) pairs: u32,
    /// The leaf switch.
    pub(super) node: NodeId,
}

/// The bound, for the leaf switch where it is highest; `None` where there is only one switch with hosts.
pub(super) fn bound(fabric: &Fabric, topology: &Topology) -> Option<DestinationBound> {
    let of_leaf = |leaf: &super::fabric::Leaf| {
        let links = fabric.out[leaf.switch as usize].len();
        let (own, others) = (leaf.hosts.len(), fabric.hosts - leaf.hosts.len());
        let pairs = own.min(others.div_ceil(links.max(1)));
        (index32(pairs), std::cmp::Reverse(index32(topology.hosts()) + leaf.switch))
    };
    let leaves = fabric.leaves.iter().filter(|_| fabric.leaves.len() > 1);
    let (pairs, node) = leaves.map(of_leaf).max()?;
    Some(DestinationBound { pairs, node: node.0 })
}
