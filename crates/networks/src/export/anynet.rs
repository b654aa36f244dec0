//! The network file of BookSim's topology `anynet`, which the importer `anynet` reads back.
//!
//! ```text
//! router 0 node 0 node 1 router 2
//! router 1 node 2 node 3 router 2
//! ```
//!
//! Host n is `node n`, the n-th switch `router n`, both from 0 without a gap, as BookSim requires; a cable is listed
//! once, and BookSim makes both directions of it. The format has no names, ports, capacities or comments: a network
//! whose links differ in more than their ends is refused.

use std::collections::BTreeSet;
use std::io::Write;

use super::ExportError;
use crate::advice::Advice;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{LinkId, NodeId, Topology, node_number};

const NAME: &str = "anynet";

pub(super) const KIND: Kind<super::Export> = Kind {
    name: NAME,
    usage: "topo TOPOLOGY --format anynet",
    about: "network file of BookSim: hosts as node 0, 1, …, switches as router 0, 1, …; single cables of capacity 1",
    reference: "Jiang et al., BookSim 2.0, topology anynet",
    examples: &["ft(4,2)", "xgft(2;2,3;1,2)"],
    build: write,
};

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    check_links(topology)?;
    check_nodes(topology)?;
    let first = node_number(topology.hosts());
    for switch in topology.node_numbers().skip(topology.hosts()) {
        let peers = topology.links_from(switch).filter_map(|link| Some(topology.ends(link)?.1));
        let listed: BTreeSet<NodeId> =
            peers.filter(|peer| *peer < first || *peer > switch).collect();
        if listed.is_empty() {
            continue;
        }
        write!(out, "router {}", switch - first)?;
        for peer in listed {
            match peer.checked_sub(first) {
                None => write!(out, " node {peer}")?,
                Some(router) => write!(out, " router {router}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn refused(topology: &Topology, problem: impl Into<String>) -> ExportError {
    ExportError::does_not_fit(NAME, topology, problem)
}

/// Refuses links that the format cannot tell from others, or cannot hold.
fn check_links(topology: &Topology) -> Result<(), ExportError> {
    let mut joined = BTreeSet::new();
    for link in topology.link_numbers() {
        let refused = |problem: &str| ExportError::bad_link(NAME, topology, link, problem);
        let Some((from, to)) = topology.ends(link) else { continue };
        let is_host = |node: NodeId| (node as usize) < topology.hosts();
        if from == to {
            return Err(refused("leads from a router to itself"));
        }
        if is_host(from) && is_host(to) {
            return Err(refused("joins two hosts, but nodes of anynet are at routers only"));
        }
        if !joined.insert((from, to)) {
            let problem = "is parallel to another, but anynet holds one cable between two routers";
            return Err(refused(problem));
        }
        let capacity = &topology.link(link).capacity;
        if *capacity != Rational::ONE {
            let error = refused(&format!("has capacity {capacity}, but all are alike in anynet"));
            let is_read = topology.is_read();
            return Err(if is_read { error.advising(Advice::IGNORE_CAPACITIES) } else { error });
        }
    }
    let has_back =
        |link: &LinkId| topology.ends(*link).is_none_or(|(from, to)| joined.contains(&(to, from)));
    if let Some(link) = topology.link_numbers().find(|link| !has_back(link)) {
        let problem = "has no link back, as a cable has";
        return Err(ExportError::bad_link(NAME, topology, link, problem));
    }
    if topology.weights_differ() {
        let problem = "its links have weights that differ, which anynet does not hold";
        return Err(refused(topology, problem));
    }
    Ok(())
}

/// Refuses nodes without a cable, which the format cannot name, and hosts with several.
fn check_nodes(topology: &Topology) -> Result<(), ExportError> {
    for node in topology.node_numbers() {
        let name = &topology.node(node).name;
        let is_host = (node as usize) < topology.hosts();
        match topology.links_from(node).count() {
            0 => return Err(refused(topology, format!("{name} has no cable"))),
            2.. if is_host => {
                let problem =
                    format!("{name} has several cables, but a node of anynet is at one router");
                return Err(refused(topology, problem));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exported, refused};
    use super::NAME;
    use crate::rational::Rational;
    use crate::topology::{NetworkBuilder, Topology, generate};

    #[test]
    fn a_small_file() {
        let text = exported(NAME, &generate("xgft(2;2,2;1,1)").unwrap()).unwrap();
        assert_eq!(text, "router 0 node 0 node 1 router 2\nrouter 1 node 2 node 3 router 2\n");
    }

    #[test]
    fn what_the_format_cannot_hold_is_refused() {
        refused(NAME, &generate("xgft(1;2;2)").unwrap(), "host-0 has several cables");
        let mut one_way = generate("ft(4,2)").unwrap().graph().clone();
        one_way.remove_edge(petgraph::graph::EdgeIndex::new(20));
        refused(NAME, &Topology::new("x".into(), one_way).unwrap(), "no link back");
        let network = |cables: &[(usize, usize, u64)]| {
            let mut network = NetworkBuilder::new();
            let mut nodes = vec![network.host("a"), network.host("b")];
            nodes.extend(["x", "y"].map(|name| network.switch(name)));
            for (from, to, capacity) in cables {
                network.cable(nodes[*from], nodes[*to], Rational::from(*capacity));
            }
            network.build("net").unwrap()
        };
        let ends = [(0, 2, 1), (1, 3, 1)];
        let with = |more: &[(usize, usize, u64)]| network(&[&ends, more].concat());
        let text = exported(NAME, &with(&[(2, 3, 1)])).unwrap();
        assert_eq!(text, "router 0 node 0 router 1\nrouter 1 node 1\n");
        refused(NAME, &with(&[(2, 3, 1), (2, 3, 1)]), "is parallel to another");
        refused(NAME, &with(&[(2, 3, 4)]), "has capacity 4, but all are alike");
        refused(NAME, &with(&[(0, 1, 1)]), "joins two hosts");
    }
}
