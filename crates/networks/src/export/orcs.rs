//! Input for ORCS, the Oblivious Routing Congestion Simulator: DOT with routes in comments.
//!
//! A directed edge lists the names of all hosts that it leads to in its `comment`, separated by
//! commas; the comment `*` stands for every host. At each node ORCS takes the first edge
//! whose comment contains the destination, so routes are destination-based. It treats a node as a
//! host if its name starts with `H`, and the rest of the name as its GUID in hexadecimal.
//! Capacities are not part of the format.

use std::io::Write;

use super::{ExportError, address};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::routing::Routing;
use crate::routing::forwarding::NextLinks;
use crate::topology::{LinkId, NodeId, Topology, host_number};

const NAME: &str = "orcs";

pub(super) const KIND: Kind<super::RoutedExport> = Kind {
    name: NAME,
    usage: "route TOPOLOGY ROUTING --format orcs",
    about: "input for the congestion simulator ORCS: DOT, destinations of edges in comments",
    reference: "Schneider, Hoefler and Lumsdaine, ORCS, Indiana University TR 675, 2009",
    examples: &["dmodk"],
    build: write,
};

fn write(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let guids = address::guids(topology, NAME)?;
    let next = NextLinks::of(topology, routing, progress)?;
    let name = |node: NodeId| {
        let kind = if (node as usize) < topology.hosts() { 'H' } else { 'S' };
        format!("{kind}{:016x}", guids[node as usize])
    };
    let hosts: Vec<String> = topology.host_numbers().map(name).collect();
    writeln!(out, "digraph network {{")?;
    for node in topology.node_numbers() {
        for (link, comment) in comments(topology, &next, &hosts, node) {
            if let Some((from, to)) = topology.ends(link) {
                writeln!(out, "{} -> {} [comment=\"{comment}\"];", name(from), name(to))?;
            }
        }
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// The links out of a node, with the destinations they lead to.
fn comments(
    topology: &Topology,
    next: &NextLinks,
    hosts: &[String],
    node: NodeId,
) -> Vec<(LinkId, String)> {
    let mut links: Vec<LinkId> = topology.links_from(node).collect();
    links.sort_unstable();
    if let ([only], true) = (links.as_slice(), (node as usize) < hosts.len()) {
        return vec![(*only, "*".to_string())];
    }
    let mut lists = vec![String::new(); links.len()];
    for (destination, host) in hosts.iter().enumerate() {
        let link = next.get(node, host_number(destination));
        if let Some(at) = link.and_then(|link| links.binary_search(&link).ok()) {
            let separator = if lists[at].is_empty() { "" } else { "," };
            lists[at].push_str(separator);
            lists[at].push_str(host);
        }
    }
    links.into_iter().zip(lists).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::routed;
    use super::*;
    use crate::routing::Instance;

    /// Follows a route as ORCS does: at each node the first edge with the destination.
    fn walk(edges: &[(&str, &str, &str)], from: &str, to: &str) -> Vec<String> {
        let mut nodes = vec![from.to_string()];
        while nodes[nodes.len() - 1] != to {
            let leads = |comment: &str| comment == "*" || comment.split(',').any(|h| h == to);
            let here = nodes[nodes.len() - 1].as_str();
            let edge = edges.iter().find(|(at, _, comment)| *at == here && leads(comment));
            nodes.push(edge.unwrap().1.to_string());
        }
        nodes
    }

    #[test]
    fn orcs_follows_the_paths_of_the_routing() {
        for spec in ["ft(4,2)", "xgft(2;2,3;2,2)"] {
            let instance = Instance::named(spec, "dmodk").unwrap();
            let text = routed(NAME, &instance).unwrap();
            let edges: Vec<(&str, &str, &str)> = text
                .lines()
                .filter_map(|line| {
                    let (from, rest) = line.split_once(" -> ")?;
                    let (to, comment) = rest.split_once(" [comment=\"")?;
                    Some((from, to, comment.strip_suffix("\"];")?))
                })
                .collect();
            let Instance { topology, routing } = &instance;
            assert_eq!(edges.len(), topology.links());
            let guids = address::guids(topology, NAME).unwrap();
            let name = |node: NodeId| {
                let kind = if (node as usize) < topology.hosts() { "H" } else { "S" };
                format!("{kind}{:016x}", guids[node as usize])
            };
            let hosts = host_number(topology.hosts());
            for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
                if s != d {
                    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
                        let ends = path.iter().map(|link| topology.ends(*link).unwrap());
                        let mut nodes = vec![name(s)];
                        nodes.extend(ends.map(|(_, to)| name(to)));
                        assert_eq!(walk(&edges, &name(s), &name(d)), nodes);
                    });
                }
            }
        }
    }

    #[test]
    fn host_links_up_lead_everywhere() {
        let text = routed(NAME, &Instance::named("xgft(1;2;1)", "dmodk").unwrap()).unwrap();
        let expected = "digraph network {\n\
            H0002c90300000000 -> S0002c902000000f1 [comment=\"*\"];\n\
            H0002c90300000100 -> S0002c902000000f1 [comment=\"*\"];\n\
            S0002c902000000f1 -> H0002c90300000000 [comment=\"H0002c90300000000\"];\n\
            S0002c902000000f1 -> H0002c90300000100 [comment=\"H0002c90300000100\"];\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn refuses_routes_by_source() {
        let error = routed(NAME, &Instance::named("ft(4,2)", "smodk").unwrap()).unwrap_err();
        assert!(error.to_string().contains("at sw-1-1"), "{error}");
    }
}
