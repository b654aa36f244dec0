//! The imported FT(8,3) is the generated one, and D-mod-k as tables is D-mod-k.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use routebound::import::{ImportOptions, topology};
use routebound::routing::{self, Routing};
use routebound::topology::{Direction, LinkId, Topology, generate, sd_pairs};

use super::{import, root, route_text};

/// Names of the ends of every link.
fn cables(topology: &Topology) -> BTreeSet<(String, String)> {
    topology.link_numbers().map(|link| names(topology, link)).collect()
}

fn names(topology: &Topology, link: LinkId) -> (String, String) {
    let (from, to) = topology.ends(link).unwrap();
    (topology.node(from).name.clone(), topology.node(to).name.clone())
}

fn imported(path: &str) -> Topology {
    import(root().join("instances/fabrics").join(path).to_str().unwrap())
}

fn check_same(fabric: &Topology, tree: &Topology) {
    assert_eq!(fabric.links(), tree.links());
    assert_eq!(cables(fabric), cables(tree));
    for host in tree.host_numbers() {
        assert_eq!(fabric.node(host).name, format!("host-{host}"));
    }
    for (index, node) in tree.graph().node_weights().enumerate() {
        let same = fabric.graph().node_weights().find(|other| other.name == node.name).unwrap();
        assert_eq!((same.kind, same.level), (node.kind, node.level), "{index}");
    }
    let shape = |topology: &Topology| {
        let links = topology.graph().edge_weights();
        let mut counts: BTreeMap<(u8, Direction), usize> = BTreeMap::new();
        links.for_each(|link| *counts.entry((link.level, link.direction)).or_default() += 1);
        counts
    };
    assert_eq!(shape(fabric), shape(tree));
}

#[test]
fn imported_tree_is_the_generated_tree() {
    let tree = generate("ft(8,3)").unwrap();
    check_same(&imported("ft8x3/ftree/ibnetdiscover.out.gz"), &tree);
}

#[test]
fn netlist_is_the_generated_tree() {
    let path = root().join("instances/fabrics/ft4x2/netlist.ibsim");
    let path = path.to_str().unwrap();
    let fabric =
        topology(path, &ImportOptions { unit_capacity: true, ..ImportOptions::default() }).unwrap();
    check_same(&fabric, &generate("ft(4,2)").unwrap());
    // A netlist has neither speeds nor LIDs.
    let error = topology(path, &ImportOptions::default()).unwrap_err().to_string();
    assert!(error.contains("give every link capacity 1"), "{error}");
    let error = routing::build("lft:Cargo.toml", &fabric).err().unwrap().to_string();
    assert!(error.contains("host `host-0` has no LID"), "{error}");
}

/// Tables in OpenSM's format that forward as a destination-based routing of `tree` does.
fn dump(fabric: &Topology, tree: &Topology, routing: &dyn Routing) -> String {
    let ports: BTreeMap<(String, String), u32> = fabric
        .link_numbers()
        .map(|link| (names(fabric, link), fabric.link(link).from_port))
        .collect();
    let mut tables: BTreeMap<String, BTreeMap<u16, u32>> = BTreeMap::new();
    for (s, d) in sd_pairs(tree.hosts()) {
        let lid = fabric.node(d).address.unwrap().lid;
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            for link in &links[1..] {
                let ends = names(tree, *link);
                let port = ports[&ends];
                let before = tables.entry(ends.0).or_default().insert(lid, port);
                assert!(before.is_none_or(|before| before == port));
            }
        });
    }
    let mut text = String::new();
    for (switch, table) in tables {
        let node = fabric.graph().node_weights().find(|node| node.name == switch).unwrap();
        let address = node.address.unwrap();
        let (lid, guid) = (address.lid, address.guid);
        writeln!(text, "Unicast lids [0-208] of switch Lid {lid} guid {guid:#018x} ('{switch}'):")
            .unwrap();
        for (lid, port) in table {
            writeln!(text, "0x{lid:04x} {port:03}").unwrap();
        }
        writeln!(text, "208 lids dumped").unwrap();
    }
    text
}

#[test]
fn tables_of_dmodk_are_dmodk() {
    let tree = generate("ft(8,3)").unwrap();
    let fabric = imported("ft8x3/ftree/ibnetdiscover.out.gz");
    let original = routing::build("dmodk", &tree).unwrap();
    let tables = route_text(&fabric, &dump(&fabric, &tree, original.as_ref())).unwrap();
    assert!(tables.is_single_path());
    let path = |topology: &Topology, routing: &dyn Routing, s, d| {
        let mut path = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            path.extend(links.iter().map(|link| names(topology, *link)));
        });
        path
    };
    for (s, d) in sd_pairs(128) {
        let expected = path(&tree, original.as_ref(), s, d);
        assert_eq!(path(&fabric, tables.as_ref(), s, d), expected);
    }
}
