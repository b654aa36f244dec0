//! Paths as walks on the graph, without the label arithmetic that produced them.

use crate::integer::index32;
use crate::routing::Routing;
use crate::topology::{Direction, Host, LinkId, NodeId, Topology};

/// The links of the one path of a pair, or of its last path.
pub(crate) fn path(routing: &dyn Routing, s: Host, d: Host) -> Vec<LinkId> {
    let mut path = Vec::new();
    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| path = links.to_vec());
    path
}

/// The links of a path that lead up.
pub(crate) fn ascent(topology: &Topology, path: &[LinkId]) -> Vec<LinkId> {
    let up = |link: &LinkId| topology.link(*link).direction == Direction::Up;
    path.iter().copied().take_while(up).collect()
}

/// The node where a path turns, an NCA; `None` for a path that does not climb.
pub(crate) fn turn(topology: &Topology, path: &[LinkId]) -> Option<NodeId> {
    let last = *ascent(topology, path).last()?;
    topology.ends(last).map(|(_, to)| to)
}

/// The index, from 0, of every link of an ascent among the up links of its node: the up-digits.
pub(crate) fn ports(topology: &Topology, path: &[LinkId]) -> Vec<u32> {
    let port = |link: &LinkId| {
        let (from, _) = topology.ends(*link)?;
        let below = topology.links_from(from).map(|other| topology.link(other));
        let below = index32(below.filter(|other| other.direction == Direction::Down).count());
        Some(topology.link(*link).from_port - 1 - below)
    };
    ascent(topology, path).iter().filter_map(port).collect()
}

/// The other direction of a cable: the link that leads back over the same ports.
pub(crate) fn opposite(topology: &Topology, link: LinkId) -> Option<LinkId> {
    let (from, to) = topology.ends(link)?;
    let ports = (topology.link(link).to_port, topology.link(link).from_port);
    topology.links_from(to).find(|back| {
        let link = topology.link(*back);
        topology.ends(*back) == Some((to, from)) && (link.from_port, link.to_port) == ports
    })
}
