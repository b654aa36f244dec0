//! Graphviz DOT, which the importer `dot` can read back.

use std::io::Write;

use petgraph::dot::{Config, Dot, RankDir};
use petgraph::visit::EdgeRef;

use super::{ExportError, printable};
use crate::registry::Kind;
use crate::topology::{NodeKind, Topology, link_number, node_number};

pub(super) const KIND: Kind<super::Export> = Kind {
    name: "dot",
    usage: "topo TOPOLOGY --format dot",
    about: "Graphviz: one edge per directed link, labelled with its capacity; hosts at the bottom",
    reference: "https://graphviz.org/doc/info/lang.html",
    examples: &["ft(4,2)", "xgft(2;2,3;2,2)"],
    build: write,
};

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let no_labels = [Config::NodeNoLabel, Config::EdgeNoLabel, Config::RankDir(RankDir::BT)];
    // The closures end with the statement.
    write!(
        out,
        "{:?}",
        Dot::with_attr_getters(
            topology.graph(),
            &no_labels,
            &|_, edge| {
                let link = edge.weight();
                let (id, capacity) = (edge.id().index(), &link.capacity);
                let ports = format!("from_port={} to_port={}", link.from_port, link.to_port);
                let (level, _) = topology.shown_place(link_number(edge.id().index()));
                let weight =
                    link.weight.as_ref().map(|weight| format!(" link_weight=\"{weight}\""));
                let weight = weight.unwrap_or_default();
                format!(
                    "id={id} label=\"{capacity}\" capacity=\"{capacity}\" level={level} {ports}{weight}"
                )
            },
            &|_, (index, node)| {
                let (kind, shape) = match node.kind {
                    NodeKind::Host => ("host", "ellipse"),
                    NodeKind::Switch => ("switch", "box"),
                };
                let level = topology.shown_level(node_number(index.index()));
                let label = quoted(&node.name);
                format!("label={label} type={kind} shape={shape} level={level}")
            },
        )
    )?;
    Ok(())
}

/// A quoted DOT string. In labels, a backslash starts an escape, so it is doubled.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::super::tests::exported;
    use super::*;
    use crate::topology::generate;

    #[test]
    fn one_edge_per_link() {
        let text = exported("dot", &generate("xgft(1;2;1)").unwrap()).unwrap();
        let expected = r#"digraph {
    rankdir="BT"
    0 [ label="host-0" type=host shape=ellipse level=0]
    1 [ label="host-1" type=host shape=ellipse level=0]
    2 [ label="sw-1-0" type=switch shape=box level=1]
    0 -> 2 [ id=0 label="1" capacity="1" level=1 from_port=1 to_port=1]
    1 -> 2 [ id=1 label="1" capacity="1" level=1 from_port=1 to_port=2]
    2 -> 0 [ id=2 label="1" capacity="1" level=1 from_port=1 to_port=1]
    2 -> 1 [ id=3 label="1" capacity="1" level=1 from_port=2 to_port=1]
}
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c?d\"");
    }
}
