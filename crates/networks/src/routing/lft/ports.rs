//! Where the ports of switches lead.

use crate::topology::{LinkId, NodeId, Topology, node_number};

/// A link and the node that it leads to.
pub(in crate::routing) type Way = (LinkId, NodeId);

/// No link has this id: there are at most [`Topology::MAX_LINKS`].
const NOTHING: Way = (LinkId::MAX, NodeId::MAX);

/// The link behind every port of every switch.
pub(in crate::routing) struct Ports {
    /// Index of every switch's first way, that of its port 0, and the end.
    start: Vec<usize>,
    ways: Vec<Way>,
}

impl Ports {
    pub(in crate::routing) fn of(topology: &Topology) -> Self {
        let mut ports = Self { start: vec![0], ways: Vec::new() };
        for switch in topology.hosts()..topology.nodes() {
            let first = ports.ways.len();
            for link in topology.links_from(node_number(switch)) {
                // Tables store ports in one byte: they never name any other port.
                let port = u8::try_from(topology.link(link).from_port);
                let (Ok(port), Some((_, head))) = (port, topology.ends(link)) else { continue };
                let place = first + usize::from(port);
                if ports.ways.len() <= place {
                    ports.ways.resize(place + 1, NOTHING);
                }
                ports.ways[place] = (link, head);
            }
            ports.start.push(ports.ways.len());
        }
        ports
    }

    /// The way out of a port that is known to have one. Panics, as indexing does, when there is
    /// no such switch; returns the way of another port when there is no such port.
    #[inline]
    pub(in crate::routing) fn way(&self, switch: usize, port: u8) -> Way {
        self.ways[self.start[switch] + usize::from(port)]
    }

    /// The way of a port as a slice; empty when there is no such port.
    pub(in crate::routing) fn only(&self, switch: usize, port: u8) -> &[Way] {
        let place = self.start[switch] + usize::from(port);
        self.ways.get(place..=place).unwrap_or(&[])
    }

    /// The way out of a port, if it has a cable.
    pub(in crate::routing) fn find(&self, switch: usize, port: u8) -> Option<Way> {
        let own = &self.ways[self.start[switch]..self.start[switch + 1]];
        own.get(usize::from(port)).copied().filter(|way| *way != NOTHING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// A leaf of ft(4,2): hosts at ports 1 and 2, roots at ports 3 and 4.
    #[test]
    fn ports_lead_where_their_links_lead() {
        let tree = generate("ft(4,2)").unwrap();
        let ports = Ports::of(&tree);
        for (switch, node) in (8..node_number(tree.nodes())).enumerate() {
            let mut cables = 0;
            for port in 0..=u8::MAX {
                let expected =
                    tree.links_from(node).find(|l| tree.link(*l).from_port == u32::from(port));
                let expected = expected.map(|link| (link, tree.ends(link).unwrap().1));
                assert_eq!(ports.find(switch, port), expected, "{node} {port}");
                if let Some(way) = expected {
                    assert_eq!(ports.way(switch, port), way);
                    cables += 1;
                }
            }
            assert_eq!(cables, 4, "{node}");
        }
    }
}
