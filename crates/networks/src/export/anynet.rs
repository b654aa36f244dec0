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

fn refuse(topology: &Topology, problem: String, advice: Option<Advice>) -> Result<(), ExportError> {
    let problem = match advice {
        Some(advice) => format!("{problem}: {advice}"),
        None => problem,
    };
    let topology = topology.spec().to_string();
    Err(ExportError::DoesNotFit { format: NAME, topology, problem, advice })
}

/// Refuses links that the format cannot tell from others, or cannot hold.
fn check_links(topology: &Topology) -> Result<(), ExportError> {
    let mut joined = BTreeSet::new();
    for link in topology.link_numbers() {
        let refuse = |problem: &str, advice: Option<Advice>| {
            refuse(topology, format!("the link {} {problem}", topology.link_name(link)), advice)
        };
        let Some((from, to)) = topology.ends(link) else { continue };
        let is_host = |node: NodeId| (node as usize) < topology.hosts();
        if from == to {
            return refuse("leads from a router to itself", None);
        }
        if is_host(from) && is_host(to) {
            return refuse("joins two hosts, but nodes of anynet are at routers only", None);
        }
        if !joined.insert((from, to)) {
            return refuse(
                "is parallel to another, but anynet holds one cable between two routers",
                None,
            );
        }
        let capacity = &topology.link(link).capacity;
        if *capacity != Rational::ONE {
            let advice = topology.is_read().then_some(Advice::IGNORE_CAPACITIES);
            return refuse(
                &format!("has capacity {capacity}, but all are alike in anynet"),
                advice,
            );
        }
    }
    let has_back =
        |link: &LinkId| topology.ends(*link).is_none_or(|(from, to)| joined.contains(&(to, from)));
    if let Some(link) = topology.link_numbers().find(|link| !has_back(link)) {
        let name = topology.link_name(link);
        return refuse(topology, format!("the link {name} has no link back, as a cable has"), None);
    }
    if topology.weights_differ() {
        return refuse(
            topology,
            "its links have weights that differ, which anynet does not hold".into(),
            None,
        );
    }
    Ok(())
}

/// Refuses nodes without a cable, which the format cannot name, and hosts with several.
fn check_nodes(topology: &Topology) -> Result<(), ExportError> {
    for node in topology.node_numbers() {
        let name = &topology.node(node).name;
        let is_host = (node as usize) < topology.hosts();
        match topology.links_from(node).count() {
            0 => return refuse(topology, format!("{name} has no cable"), None),
            2.. if is_host => {
                let problem =
                    format!("{name} has several cables, but a node of anynet is at one router");
                return refuse(topology, problem, None);
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::exported;
    use crate::rational::Rational;
    use crate::topology::{NetworkBuilder, Topology, generate};

    #[test]
    fn a_small_file() {
        let text = exported("anynet", &generate("xgft(2;2,2;1,1)").unwrap()).unwrap();
        assert_eq!(text, "router 0 node 0 node 1 router 2\nrouter 1 node 2 node 3 router 2\n");
    }

    fn refused(topology: &Topology, says: &str) {
        let error = exported("anynet", topology).unwrap_err().to_string();
        assert!(error.contains(says), "no `{says}` in: {error}");
    }

    #[test]
    fn what_the_format_cannot_hold_is_refused() {
        refused(&generate("xgft(1;2;2)").unwrap(), "host-0 has several cables");
        let mut one_way = generate("ft(4,2)").unwrap().graph().clone();
        one_way.remove_edge(petgraph::graph::EdgeIndex::new(20));
        refused(&Topology::new("x".into(), one_way).unwrap(), "no link back");
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
        let text = exported("anynet", &with(&[(2, 3, 1)])).unwrap();
        assert_eq!(text, "router 0 node 0 router 1\nrouter 1 node 1\n");
        refused(&with(&[(2, 3, 1), (2, 3, 1)]), "is parallel to another");
        refused(&with(&[(2, 3, 4)]), "has capacity 4, but all are alike");
        refused(&with(&[(0, 1, 1)]), "joins two hosts");
    }
}
