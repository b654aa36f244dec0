//! GraphML, which graph tools read and the importer `graphml` can read back.
//!
//! `capacity` has type double if all capacities are integers, so that readers can compute with
//! it; otherwise it is the exact ratio as a string. `weight`, of networks that have weights, likewise.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{ExportError, printable};
use crate::registry::Kind;
use crate::topology::{LinkId, NodeId, NodeKind, Topology};

pub(super) const KIND: Kind<super::Export> = Kind {
    name: "graphml",
    usage: "topo TOPOLOGY --format graphml",
    about: "GraphML: nodes with name, kind and level; edges with id, capacity, level, ports and weight",
    reference: "http://graphml.graphdrawing.org/specification.html",
    examples: &["ft(4,2)", "xgft(2;2,3;2,2)"],
    build: write,
};

type Xml<'w> = Writer<&'w mut dyn Write>;

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut xml = Writer::new_with_indent(out, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("graphml")
        .with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"))
        .write_inner_content(|xml| {
            write_keys(topology, xml)?;
            let graph = xml.create_element("graph").with_attributes([
                ("id", printable(topology.spec()).as_str()),
                ("edgedefault", "directed"),
            ]);
            graph.write_inner_content(|xml| {
                topology.node_numbers().try_for_each(|node| write_node(topology, node, xml))?;
                topology.link_numbers().try_for_each(|link| write_edge(topology, link, xml))
            })?;
            Ok(())
        })?;
    writeln!(xml.get_mut())?;
    Ok(())
}

fn write_keys(topology: &Topology, xml: &mut Xml) -> io::Result<()> {
    let kind = |whole: bool| if whole { "double" } else { "string" };
    let mut links = topology.graph().edge_weights();
    let capacity = kind(links.all(|link| link.capacity.denominator().is_one()));
    let mut weights = topology.link_numbers().filter_map(|link| topology.weight(link));
    let weight = ("edge", "weight", kind(weights.all(|weight| weight.denominator().is_one())));
    let addresses = || topology.graph().node_weights().filter_map(|node| node.address);
    let has_ports = addresses().any(|address| address.port_guid.is_some());
    let has_addresses = addresses().next().is_some();
    let port = has_ports.then_some(("node", "port_guid", "string"));
    let numbers = [("node", "lid", "int"), ("node", "lmc", "int")];
    let addresses = std::iter::once(("node", "guid", "string")).chain(port).chain(numbers);
    let keys = [
        ("node", "name", "string"),
        ("node", "kind", "string"),
        ("all", "level", "int"),
        ("edge", "capacity", capacity),
        ("edge", "from_port", "int"),
        ("edge", "to_port", "int"),
    ];
    let addresses = addresses.filter(|_| has_addresses);
    let weight = topology.weights().map(|_| weight);
    for (of, name, kind) in keys.into_iter().chain(weight).chain(addresses) {
        let attributes = [("id", name), ("for", of), ("attr.name", name), ("attr.type", kind)];
        xml.create_element("key").with_attributes(attributes).write_empty()?;
    }
    Ok(())
}

fn write_node(topology: &Topology, id: NodeId, xml: &mut Xml) -> io::Result<()> {
    let node = topology.node(id);
    let kind = if node.kind == NodeKind::Host { "host" } else { "switch" };
    let element = xml.create_element("node").with_attribute(("id", format!("n{id}").as_str()));
    element.write_inner_content(|xml| {
        write_data("name", &printable(&node.name), xml)?;
        write_data("kind", kind, xml)?;
        write_data("level", &topology.shown_level(id).to_string(), xml)?;
        let Some(address) = node.address else { return Ok(()) };
        write_data("guid", &format!("{:#018x}", address.guid), xml)?;
        if let Some(guid) = address.port_guid {
            write_data("port_guid", &format!("{guid:#018x}"), xml)?;
        }
        write_data("lid", &address.lid.to_string(), xml)?;
        write_data("lmc", &address.lmc.to_string(), xml)
    })?;
    Ok(())
}

fn write_edge(topology: &Topology, id: LinkId, xml: &mut Xml) -> io::Result<()> {
    let Some((from, to)) = topology.ends(id) else { return Ok(()) };
    let link = topology.link(id);
    let (name, from, to) = (format!("e{id}"), format!("n{from}"), format!("n{to}"));
    let attributes = [("id", name.as_str()), ("source", &from), ("target", &to)];
    xml.create_element("edge").with_attributes(attributes).write_inner_content(|xml| {
        write_data("capacity", &link.capacity.to_string(), xml)?;
        write_data("level", &topology.shown_place(id).0.to_string(), xml)?;
        write_data("from_port", &link.from_port.to_string(), xml)?;
        write_data("to_port", &link.to_port.to_string(), xml)?;
        let Some(weight) = &link.weight else { return Ok(()) };
        write_data("weight", &weight.to_string(), xml)
    })?;
    Ok(())
}

fn write_data(key: &str, value: &str, xml: &mut Xml) -> io::Result<()> {
    let element = xml.create_element("data").with_attribute(("key", key));
    element.write_text_content(BytesText::new(value))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;

    use super::super::tests::exported;
    use super::*;
    use crate::rational::Rational;
    use crate::topology::generate;

    /// Names of the elements of a well-formed document, in order.
    fn elements(text: &str) -> Vec<String> {
        let mut reader = Reader::from_str(text);
        let mut elements = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) | Event::Empty(element) => {
                    assert!(element.attributes().all(|attribute| attribute.is_ok()));
                    elements.push(element.name().as_ref().to_string());
                }
                Event::Eof => return elements,
                _ => {}
            }
        }
    }

    #[test]
    fn well_formed_with_every_node_and_link() {
        let text = exported("graphml", &generate("ft(4,2)").unwrap()).unwrap();
        let elements = elements(&text);
        let count = |name: &str| elements.iter().filter(|element| *element == name).count();
        assert_eq!((count("node"), count("edge"), count("key")), (14, 32, 6));
        let edge = r#"  <edge id="e8" source="n8" target="n0">
   <data key="capacity">1</data>
   <data key="level">1</data>
   <data key="from_port">1</data>
   <data key="to_port">1</data>
  </edge>"#;
        assert!(text.contains(edge), "{text}");
        assert!(text.contains(r#"attr.name="capacity" attr.type="double""#));
    }

    #[test]
    fn names_are_escaped_and_ratios_exact() {
        let mut graph = generate("xgft(1;2;1)").unwrap().graph().clone();
        let names = ["<a> & \"b\"", "c\u{1}d"];
        for (node, name) in graph.node_weights_mut().zip(names) {
            node.name = name.to_string();
        }
        for link in graph.edge_weights_mut() {
            link.capacity = Rational::new(3, 2).unwrap();
        }
        let topology = Topology::new("a<b>.txt".into(), graph).unwrap();
        let text = exported("graphml", &topology).unwrap();
        elements(&text);
        assert!(text.contains("&lt;a&gt; &amp; "), "{text}");
        assert!(text.contains("c?d") && text.contains(">3/2<"));
        assert!(text.contains(r#"attr.name="capacity" attr.type="string""#));
    }
}
