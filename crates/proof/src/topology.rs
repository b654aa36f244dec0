//! The numbers of hosts, links and nodes: all that certificates and their checker share with the
//! networks of this crate.

/// Number of a host, `0..N`; host `i` is also node `i`.
pub type Host = u32;
/// Number of a directed link; parallel links have different ids.
pub type LinkId = u32;
/// Number of a node: hosts first, then switches.
pub type NodeId = u32;

/// Maximum number of directed links of a network, generated or written out.
pub const MAX_LINKS: u64 = 1 << 22;
