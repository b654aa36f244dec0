//! The network as one JSON object, for scripts.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::ExportError;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{Address, Direction, LinkId, NodeId, NodeKind, Topology};

pub(super) const KIND: Kind<super::Export> = Kind {
    name: "json",
    usage: "topo TOPOLOGY --format json",
    about: "one JSON object with all nodes and directed links; capacities and weights are exact strings",
    reference: "https://www.rfc-editor.org/rfc/rfc8259",
    examples: &["ft(4,2)", "xgft(2;2,3;2,2)"],
    build: write,
};

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    write_with(topology, &|node| topology.node(node).address, out)
}

/// Writes a network whose nodes have the given addresses.
pub(super) fn write_with(
    topology: &Topology,
    address: &dyn Fn(NodeId) -> Option<Address>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let (spec, hosts) = (topology.spec(), topology.hosts());
    let (nodes, links) = (Nodes(topology, address), Links(topology));
    let network = Network { topology: spec, hosts, nodes, links };
    serde_json::to_writer(&mut *out, &network).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

#[derive(Serialize)]
struct Network<'t> {
    topology: &'t str,
    hosts: usize,
    nodes: Nodes<'t>,
    links: Links<'t>,
}

/// Written node by node, without a second copy of the network.
struct Nodes<'t>(&'t Topology, &'t dyn Fn(NodeId) -> Option<Address>);
struct Links<'t>(&'t Topology);

#[derive(Serialize)]
struct NodeRecord<'t> {
    id: NodeId,
    kind: &'static str,
    level: u8,
    name: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port_guid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lid: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lmc: Option<u8>,
}

#[derive(Serialize)]
struct LinkRecord<'t> {
    id: LinkId,
    from: NodeId,
    to: NodeId,
    capacity: &'t Rational,
    level: u8,
    direction: Direction,
    from_port: u32,
    to_port: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<&'t Rational>,
}

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.node_numbers().map(|id| node_record(self.0, id, self.1(id))))
    }
}

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids = self.0.link_numbers();
        serializer.collect_seq(ids.filter_map(|id| link_record(self.0, id)))
    }
}

fn node_record(topology: &Topology, id: NodeId, address: Option<Address>) -> NodeRecord<'_> {
    let node = topology.node(id);
    // As text: many readers cannot hold 64 bits in a number.
    let written = |guid: u64| format!("0x{guid:016x}");
    let kind = if node.kind == NodeKind::Host { "host" } else { "switch" };
    NodeRecord {
        id,
        kind,
        level: topology.shown_level(id),
        name: &node.name,
        guid: address.map(|address| written(address.guid)),
        port_guid: address.and_then(|address| address.port_guid).map(written),
        lid: address.map(|address| address.lid),
        lmc: address.map(|address| address.lmc),
    }
}

fn link_record(topology: &Topology, id: LinkId) -> Option<LinkRecord<'_>> {
    let (from, to) = topology.ends(id)?;
    let link = topology.link(id);
    let (level, direction) = topology.shown_place(id);
    Some(LinkRecord {
        id,
        from,
        to,
        capacity: &link.capacity,
        level,
        direction,
        from_port: link.from_port,
        to_port: link.to_port,
        weight: topology.weight(id),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::exported;
    use crate::topology::generate;

    #[test]
    fn holds_every_node_and_link() {
        let text = exported("json", &generate("ft(4,2)").unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["nodes"].as_array().unwrap().len(), 14);
        assert_eq!(value["links"].as_array().unwrap().len(), 32);
        // Hosts 0..8, leaf switches 8..12, roots 12 and 13. Links 0..8 lead up from the hosts,
        // 8..16 down to them, 16..24 up from the leaves: link 17 is port 4 of the first leaf.
        let expected = serde_json::json!({
            "id": 17, "from": 8, "to": 13, "capacity": "1", "level": 2, "direction": "up",
            "from_port": 4, "to_port": 1
        });
        assert_eq!(value["links"][17], expected);
        let expected = serde_json::json!({"id": 8, "kind": "switch", "level": 1, "name": "sw-1-0"});
        assert_eq!(value["nodes"][8], expected);
    }
}
