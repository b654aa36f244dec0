//! What `topo --format` writes reads back to the same network.

use routebound::export::EXPORTS;
use routebound::import::{self, ImportOptions, LinkModel, topology};
use routebound::registry;
use routebound::topology::{self, Topology};

use super::{import_text, instance};

fn exported(format: &str, network: &Topology) -> Vec<u8> {
    let mut bytes = Vec::new();
    (registry::find(EXPORTS, "export", format).unwrap().build)(network, &mut bytes).unwrap();
    bytes
}

/// The networks are equal, node by node and link by link. DOT has no InfiniBand addresses.
fn assert_equal(left: &Topology, right: &Topology, format: &str) {
    let place = format!("{} as {format}", left.spec());
    assert_eq!((left.hosts(), left.nodes()), (right.hosts(), right.nodes()), "{place}");
    for (a, b) in left.graph().node_weights().zip(right.graph().node_weights()) {
        if format == "dot" {
            assert_eq!((a.kind, a.level, &a.name), (b.kind, b.level, &b.name), "{place}");
        } else {
            assert_eq!(a, b, "{place}");
        }
    }
    assert_eq!(left.links(), right.links(), "{place}");
    for link in left.link_numbers() {
        assert_eq!(left.ends(link), right.ends(link), "{place}: link {link}");
        assert_eq!(left.link(link), right.link(link), "{place}: link {link}");
    }
}

fn check(network: &Topology) {
    for format in ["graphml", "json", "dot"] {
        let again = import_text(exported(format, network)).unwrap();
        assert_equal(network, &again, format);
    }
}

#[test]
fn generated_trees() {
    for spec in topology::KINDS.iter().flat_map(|kind| kind.examples) {
        check(&topology::generate(spec).unwrap());
    }
}

#[test]
fn imported_networks() {
    for path in import::KINDS.iter().flat_map(|kind| kind.examples) {
        check(&topology(path, &ImportOptions::default()).unwrap());
    }
}

#[test]
fn shared_links() {
    let link_model = LinkModel::UndirectedShared;
    let options = ImportOptions { link_model, ..ImportOptions::default() };
    for file in ["examples/ring.dot", "topologyzoo/UsCarrier.graphml"] {
        check(&topology(&instance(file), &options).unwrap());
    }
}

/// The file of BookSim has neither names nor ports, but the same nodes and cables.
#[test]
fn networks_of_booksim() {
    let ends = |network: &Topology| {
        let mut ends: Vec<_> = network.link_numbers().map(|link| network.ends(link)).collect();
        ends.sort();
        (network.hosts(), network.nodes(), ends)
    };
    let unit_capacity = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let fabric = |path: &str| {
        let path = super::root().join("instances/fabrics").join(path);
        topology(path.to_str().unwrap(), &unit_capacity).unwrap()
    };
    let dump = fabric("ft8x3/ftree/ibnetdiscover.out.gz");
    for network in [topology::generate("ft(8,3)").unwrap(), dump] {
        let again = import_text(exported("anynet", &network)).unwrap();
        assert_eq!(ends(&again), ends(&network), "{}", network.spec());
        assert_eq!(again.tree(), network.tree());
    }
    let parallel = fabric("pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    let kind = registry::find(EXPORTS, "export", "anynet").unwrap();
    let refused = (kind.build)(&parallel, &mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("is parallel to another"), "{refused}");
}

#[test]
fn names_with_signs() {
    let names = ["a\\b", "\"q\"", "<&>", "é, ü; {x}", "\\\\", "\\\"", "# --", "]]>"];
    let mut graph = topology::generate("ft(4,2)").unwrap().graph().clone();
    for (node, name) in graph.node_weights_mut().zip(names) {
        node.name = name.to_string();
    }
    check(&Topology::new("signs".into(), graph).unwrap());
}
