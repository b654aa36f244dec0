//! The numbers of hosts, links and nodes: all that certificates and their checker share with the
//! networks of this crate.

/// Number of a host, `0..N`; host `i` is also node `i`.
pub type Host = u32;
/// Number of a directed link; parallel links have different ids.
pub type LinkId = u32;
/// Number of a node: hosts first, then switches.
pub type NodeId = u32;

/// The host at a position, or the end of a range of hosts.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::topology::host_number;
/// let far: Vec<_> = [1, 0, 7].iter().enumerate().filter(|(_, hops)| **hops > 0).collect();
/// let hosts: Vec<u32> = far.iter().map(|(at, _)| host_number(*at)).collect();
/// assert_eq!(hosts, [0, 2]);
/// ```
///
/// # Panics
/// From 2^32 on: no network has that many hosts.
#[must_use]
#[inline]
pub fn host_number(position: usize) -> Host {
    Host::try_from(position).expect("petgraph numbers nodes, and thus hosts, with 32 bits")
}

/// The link at a position, or the end of a range of links.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::topology::link_number;
/// let capacities = [1, 4, 2];
/// let largest = (0..link_number(capacities.len())).max_by_key(|link| capacities[*link as usize]);
/// assert_eq!(largest, Some(1));
/// ```
///
/// # Panics
/// From 2^32 on: no network has that many links, see [`MAX_LINKS`].
#[must_use]
#[inline]
pub fn link_number(position: usize) -> LinkId {
    LinkId::try_from(position).expect("a network has at most MAX_LINKS links")
}

/// The node at a position, or the end of a range of nodes.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::topology::node_number;
/// let names = ["h0", "h1", "leaf", "root"];
/// let root = (0..node_number(names.len())).find(|node| names[*node as usize] == "root");
/// assert_eq!(root, Some(3));
/// ```
///
/// # Panics
/// From 2^32 on: no network has that many nodes.
#[must_use]
#[inline]
pub fn node_number(position: usize) -> NodeId {
    NodeId::try_from(position).expect("petgraph numbers nodes with 32 bits")
}

/// Maximum number of directed links of a network, generated or written out.
pub const MAX_LINKS: u64 = 1 << 22;
