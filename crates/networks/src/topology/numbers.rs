//! Positions in lists as the numbers of hosts, links and nodes.

use super::{Host, LinkId, NodeId};

/// The host at a position, or the end of a range of hosts.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::host_number;
/// let far: Vec<_> = [1, 0, 7].iter().enumerate().filter(|(_, hops)| **hops > 0).collect();
/// let hosts: Vec<u32> = far.iter().map(|(at, _)| host_number(*at)).collect();
/// assert_eq!(hosts, [0, 2]);
/// ```
///
/// # Panics
/// From 2^32 on, more hosts than a network may have.
#[must_use]
#[inline]
pub fn host_number(position: usize) -> Host {
    Host::try_from(position).expect("petgraph numbers nodes, and thus hosts, with 32 bits")
}

/// The link at a position, or the end of a range of links.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::link_number;
/// let capacities = [1, 4, 2];
/// let largest = (0..link_number(capacities.len())).max_by_key(|link| capacities[*link as usize]);
/// assert_eq!(largest, Some(1));
/// ```
///
/// # Panics
/// From 2^32 on, more links than a network may have: see [`MAX_LINKS`](super::MAX_LINKS).
#[must_use]
#[inline]
pub fn link_number(position: usize) -> LinkId {
    LinkId::try_from(position).expect("a network has at most MAX_LINKS links")
}

/// The node at a position, or the end of a range of nodes.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::node_number;
/// let names = ["h0", "h1", "leaf", "root"];
/// let root = (0..node_number(names.len())).find(|node| names[*node as usize] == "root");
/// assert_eq!(root, Some(3));
/// ```
///
/// # Panics
/// From 2^32 on, more nodes than a network may have.
#[must_use]
#[inline]
pub fn node_number(position: usize) -> NodeId {
    NodeId::try_from(position).expect("petgraph numbers nodes with 32 bits")
}
