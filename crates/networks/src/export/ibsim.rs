//! Net files for ibsim, which lets real subnet managers run on a generated network.
//!
//! ```text
//! caguid=0x2c90300000000          node GUID of the next record
//! Ca      1 "host-0"              kind, number of ports, unique id
//! [1]     "sw-1-0"[1]             [own port] "peer"[port of the peer]
//! ```
//!
//! An empty line ends a record; a cable is listed at both ends. The format has cables, not
//! directed links, and no capacities.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use super::{ExportError, address};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{NodeId, NodeKind, Topology};

const NAME: &str = "ibsim";

pub(super) const KIND: Kind<super::Export> = Kind {
    name: NAME,
    usage: "topo TOPOLOGY --format ibsim",
    about: "net file of the InfiniBand simulator ibsim: lets OpenSM route the network",
    reference: "https://github.com/linux-rdma/ibsim",
    examples: &["ft(4,2)", "xgft(2;2,3;2,2)"],
    build: write,
};

/// For each port of a node: the node and port at the other end of the cable.
type Ports = BTreeMap<u32, (NodeId, u32)>;

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let guids = address::guids(topology, NAME)?;
    let ports = cables(topology)?;
    let ids = ids(topology, &guids);
    let (hosts, switches) = (topology.hosts(), topology.nodes() - topology.hosts());
    let cables = topology.links() / 2;
    writeln!(out, "# {hosts} hosts, {switches} switches, {cables} cables")?;
    if topology.graph().edge_weights().any(|link| link.capacity != Rational::ONE) {
        writeln!(out, "# capacities of links differ; a net file does not hold them")?;
    }
    writeln!(out, "speed=7\n")?;
    for (index, node) in topology.graph().node_weights().enumerate() {
        let (key, kind) = match node.kind {
            NodeKind::Host => ("caguid", "Ca"),
            NodeKind::Switch => ("switchguid", "Switch"),
        };
        let last = ports[index].last_key_value().map_or(0, |(port, _)| *port);
        writeln!(out, "{key}=0x{:x}\n{kind}\t{last} \"{}\"", guids[index], ids[index])?;
        for (port, (peer, peer_port)) in &ports[index] {
            writeln!(out, "[{port}]\t\"{}\"[{peer_port}]", ids[*peer as usize])?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The cables of a network; refuses links without a link back.
fn cables(topology: &Topology) -> Result<Vec<Ports>, ExportError> {
    let refuse = |link, problem| Err(ExportError::bad_link(NAME, topology, link, problem));
    let links = || topology.link_numbers().filter_map(|l| Some((l, topology.ends(l)?)));
    let mut ports = vec![Ports::new(); topology.nodes()];
    for (id, (from, to)) in links() {
        let link = topology.link(id);
        if !(1..=254).contains(&link.from_port) {
            return refuse(id, "leaves by a port outside 1..254, the range of InfiniBand");
        }
        ports[from as usize].insert(link.from_port, (to, link.to_port));
    }
    for (id, (from, to)) in links() {
        let link = topology.link(id);
        if ports[to as usize].get(&link.to_port) != Some(&(from, link.from_port)) {
            return refuse(id, "has no link back between the same ports, as a cable needs");
        }
    }
    Ok(ports)
}

/// The names if they can serve as ids (all different and of plain characters), else GUIDs.
fn ids(topology: &Topology, guids: &[u64]) -> Vec<String> {
    let names: Vec<&str> = topology.graph().node_weights().map(|n| n.name.as_str()).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./: ".contains(c);
    let different: HashSet<&str> = names.iter().copied().collect();
    let fit = |name: &&str| (1..=64).contains(&name.len()) && name.chars().all(plain);
    if different.len() == names.len() && names.iter().all(fit) {
        return names.into_iter().map(str::to_string).collect();
    }
    let kinds = topology.graph().node_weights().map(|node| node.kind);
    let id = |(kind, guid): (NodeKind, &u64)| match kind {
        NodeKind::Host => format!("H-{guid:016x}"),
        NodeKind::Switch => format!("S-{guid:016x}"),
    };
    kinds.zip(guids).map(id).collect()
}

#[cfg(test)]
mod tests {

    use super::super::tests::{exported, refused};
    use super::*;
    use crate::topology::generate;

    #[test]
    fn a_small_net_file() {
        let text = exported("ibsim", &generate("xgft(1;2;1)").unwrap()).unwrap();
        let expected = "# 2 hosts, 1 switches, 2 cables\nspeed=7\n\n\
            caguid=0x2c90300000000\nCa\t1 \"host-0\"\n[1]\t\"sw-1-0\"[1]\n\n\
            caguid=0x2c90300000100\nCa\t1 \"host-1\"\n[1]\t\"sw-1-0\"[2]\n\n\
            switchguid=0x2c902000000f1\nSwitch\t2 \"sw-1-0\"\n\
            [1]\t\"host-0\"[1]\n[2]\t\"host-1\"[1]\n\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn refuses_one_way_links_and_wide_ports() {
        let graph = generate("ft(4,2)").unwrap().graph().clone();
        let mut one_way = graph.clone();
        one_way.remove_edge(petgraph::graph::EdgeIndex::new(20));
        refused(NAME, &Topology::new("x".into(), one_way).unwrap(), "no link back");
        let mut wide = graph;
        wide[petgraph::graph::EdgeIndex::new(17)].from_port = 255;
        wide.remove_edge(petgraph::graph::EdgeIndex::new(25));
        refused(NAME, &Topology::new("x".into(), wide).unwrap(), "1..254");
    }

    #[test]
    fn names_that_cannot_be_ids_become_guids() {
        let mut graph = generate("xgft(1;2;1)").unwrap().graph().clone();
        graph[petgraph::graph::NodeIndex::new(1)].name = "host-0".into();
        let text = exported("ibsim", &Topology::new("x".into(), graph).unwrap()).unwrap();
        assert!(text.contains("\"H-0002c90300000100\"") && !text.contains("host-0"), "{text}");
    }
}
