//! Cables: the units that fail as a whole.

use std::collections::HashMap;

use rand::seq::SliceRandom;

use super::FailureError;
use crate::integer::as_size;
use crate::sampling::Streams;
use crate::topology::{LinkId, NodeId, NodeKind, Topology};

/// The links between two ports: one in each direction, or a single one if the network has
/// one-way links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cable {
    /// Links of the cable, ascending.
    pub links: Vec<LinkId>,
    /// Node and port of each end, starting with the sender of the first link.
    pub ends: [(NodeId, u32); 2],
}

impl Cable {
    /// A human-readable name: `sw-1-0[5]:sw-2-0[1]`.
    #[must_use]
    pub fn name(&self, topology: &Topology) -> String {
        let end = |(node, port): (NodeId, u32)| format!("{}[{port}]", topology.node(node).name);
        format!("{}:{}", end(self.ends[0]), end(self.ends[1]))
    }
}

/// All cables, ordered by their first link. O(links).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// // Eight at hosts, and one from each of the four leaves to each of the two roots.
/// assert_eq!(failure::cables(&tree).len(), 16);
/// assert_eq!(failure::between_switches(&tree).len(), 8);
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn cables(topology: &Topology) -> Vec<Cable> {
    let mut cables: Vec<Cable> = Vec::new();
    let mut known: HashMap<[(NodeId, u32); 2], usize> = HashMap::new();
    for id in topology.link_numbers() {
        let Some((from, to)) = topology.ends(id) else { continue };
        let link = topology.link(id);
        let ends = [(from, link.from_port), (to, link.to_port)];
        let mut key = ends;
        key.sort_unstable();
        let at = *known.entry(key).or_insert(cables.len());
        match cables.get_mut(at) {
            Some(cable) => cable.links.push(id),
            None => cables.push(Cable { links: vec![id], ends }),
        }
    }
    cables
}

/// The cables that join two switches.
#[must_use]
pub fn between_switches(topology: &Topology) -> Vec<Cable> {
    let is_switch = |(node, _): &(NodeId, u32)| topology.node(*node).kind == NodeKind::Switch;
    let all = cables(topology).into_iter();
    all.filter(|cable| cable.ends.iter().all(is_switch)).collect()
}

/// The cables between two switches or two hosts: all but those by which hosts are attached. Where there are cables
/// between hosts, as in backbones, hosts forward.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, rational::Rational, topology::NetworkBuilder};
/// let mut line = NetworkBuilder::new();
/// let routers = ["a", "b"].map(|name| line.host(name.to_string()));
/// let switch = line.switch("s".to_string());
/// line.cable(routers[0], routers[1], Rational::ONE);
/// line.cable(routers[1], switch, Rational::ONE);
/// assert_eq!(failure::inner_cables(&line.build("line")?).len(), 1);
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn inner_cables(topology: &Topology) -> Vec<Cable> {
    let kind = |(node, _): (NodeId, u32)| topology.node(node).kind;
    let mut all = cables(topology);
    all.retain(|cable| kind(cable.ends[0]) == kind(cable.ends[1]));
    all
}

/// `count` random [`inner_cables`], every set equally likely. The same
/// seed gives the same cables, and a larger count adds more to them.
///
/// # Errors
/// [`FailureError::TooMany`] if there are fewer cables.
pub fn at_random(topology: &Topology, count: u64, seed: u64) -> Result<Vec<Cable>, FailureError> {
    let mut cables = inner_cables(topology);
    let found = cables.len();
    if count > found as u64 {
        return Err(FailureError::TooMany { wanted: count, found });
    }
    cables.shuffle(&mut Streams::new(seed).at(0));
    cables.truncate(as_size(count));
    cables.sort_unstable_by_key(|cable| cable.links.first().copied());
    Ok(cables)
}
