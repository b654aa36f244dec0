//! The counts of every file, as an independent reader found them.

use routebound::integer::index32;
use std::collections::BTreeMap;

use super::{collection, import, instance, switches};

/// Nodes, edges without self loops, whether every edge has a LinkSpeedRaw.
const ZOO: &[(&str, usize, usize, bool)] = &[
    ("Abilene", 11, 14, false),
    ("Arpanet196912", 4, 4, false),
    ("AttMpls", 25, 57, false),
    ("Bics", 33, 48, false),
    ("BtEurope", 24, 37, false),
    ("BtNorthAmerica", 36, 76, false),
    ("Cesnet201006", 52, 63, false),
    ("Chinanet", 42, 66, false),
    ("Cogentco", 197, 245, false),
    ("Colt", 153, 191, false),
    ("Deltacom", 113, 183, false),
    ("DeutscheTelekom", 39, 62, false),
    ("Dfn", 58, 87, false),
    ("DialtelecomCz", 193, 151, false),
    ("Digex", 31, 38, false),
    ("Esnet", 68, 92, false),
    ("Garr201201", 61, 89, false),
    ("Geant2001", 27, 38, true),
    ("Geant2009", 34, 52, true),
    ("Geant2012", 40, 61, false),
    ("Goodnet", 17, 31, false),
    ("GtsCe", 149, 193, false),
    ("HiberniaGlobal", 55, 81, false),
    ("Highwinds", 18, 53, false),
    ("Internode", 66, 78, false),
    // 158 edges, two of them from a node to itself.
    ("Interoute", 110, 156, false),
    ("Ion", 125, 150, false),
    ("Kdl", 754, 899, false),
    ("Nsfnet", 13, 15, false),
    // 33 of 43 edges have a LinkSpeedRaw.
    ("Renater2006", 33, 43, false),
    ("Renater2010", 43, 56, true),
    ("Sprint", 11, 18, false),
    ("Surfnet", 50, 73, false),
    ("Switch", 74, 92, false),
    ("TataNld", 145, 194, false),
    ("Tinet", 53, 89, false),
    ("Uninett2010", 74, 101, false),
    ("UsCarrier", 158, 189, false),
    ("Uunet", 49, 84, false),
];

fn check_zoo(path: &str, nodes: usize, edges: usize, has_speeds: bool) {
    let network = import(path);
    assert_eq!((network.hosts(), network.nodes()), (nodes, nodes), "{path}");
    assert_eq!(network.links(), 2 * edges, "{path}");
    let all_one = network.graph().edge_weights().all(|link| link.capacity.to_string() == "1");
    assert_eq!(all_one, !has_speeds, "{path}");
    let mut names: Vec<_> = network.graph().node_weights().map(|node| &node.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), nodes, "{path}: names are distinct");
}

#[test]
fn networks_of_sndlib() {
    for (name, nodes, edges) in [("germany50", 50, 88), ("nobel-us", 14, 21)] {
        check_zoo(&instance(&format!("sndlib/{name}.gml")), nodes, edges, false);
    }
}

#[test]
fn the_zoo() {
    for (name, nodes, edges, has_speeds) in ZOO {
        if ["Abilene", "Geant2012", "UsCarrier"].contains(name) {
            let path = instance(&format!("topologyzoo/{name}.graphml"));
            check_zoo(&path, *nodes, *edges, *has_speeds);
        }
        let Some(folder) = collection("topologyzoo") else { continue };
        let path = folder.join(format!("{name}.graphml"));
        check_zoo(path.to_str().unwrap(), *nodes, *edges, *has_speeds);
    }
}

#[test]
fn zoo_networks_that_are_odd() {
    let Some(folder) = collection("topologyzoo") else { return };
    let zoo = |name: &str| import(folder.join(name).to_str().unwrap());
    let notes = |name: &str| zoo(name).notes().join("\n");
    assert!(notes("Interoute.graphml").contains("left out 2 links from a node to itself"));
    assert!(notes("DialtelecomCz.graphml").contains("parts"));
    assert!(notes("Renater2006.graphml").contains("only 33 of 43 links have a LinkSpeedRaw"));
    assert!(zoo("Renater2010.graphml").notes().is_empty());
    // Renater2010 gives 155 Mbit/s for some links; that is its least capacity.
    let network = zoo("Renater2010.graphml");
    let least = network.graph().edge_weights().map(|link| &link.capacity).min().unwrap();
    assert_eq!(least.to_string(), "155000000");
}

/// How many links have each capacity.
fn capacities(path: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for link in import(path).graph().edge_weights() {
        *found.entry(link.capacity.to_string()).or_default() += 1;
    }
    found
}

fn check_json(path: &str, nodes: usize, expected: &[(&str, usize)]) {
    let network = import(path);
    assert_eq!((network.hosts(), network.nodes()), (nodes, nodes), "{path}");
    let expected = expected.iter().map(|(capacity, links)| ((*capacity).to_string(), *links));
    assert_eq!(capacities(path), expected.collect(), "{path}");
}

#[test]
fn node_link_files() {
    let geant: &[(&str, usize)] = &[("10000000000", 32), ("2400000000", 32), ("155000000", 8)];
    check_json(&instance("figret/GEANT.json"), 22, geant);
    check_json(&instance("figret/Facebook_pod_a.json"), 4, &[("10000", 12)]);
    check_json(&instance("b4/B4.json"), 12, &[("5000", 38)]);
    let Some(folder) = collection("figret") else { return };
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    check_json(&path("GEANT/GEANT.json"), 22, geant);
    check_json(&path("Facebook_pod_a/Facebook_pod_a.json"), 4, &[("10000", 12)]);
    check_json(&path("Facebook_pod_b/Facebook_pod_b.json"), 8, &[("100000", 56)]);
}

#[test]
fn yates_files() {
    let Some(folder) = collection("yates/topologies") else { return };
    // Hosts, as many as switches; directed links between switches; host links.
    for (name, hosts, between, rate) in [
        ("abilene", 12, 30, "10000000000"),
        ("b4", 12, 38, "10000000000"),
        ("3cycle", 3, 6, "5000000000"),
        ("4cycle", 4, 8, "10000000000"),
    ] {
        let path = folder.join(format!("{name}.dot"));
        let network = import(path.to_str().unwrap());
        assert_eq!((network.hosts(), switches(&network)), (hosts, hosts), "{name}");
        let expected =
            BTreeMap::from([("1000000000".to_string(), between), (rate.to_string(), 2 * hosts)]);
        assert_eq!(capacities(path.to_str().unwrap()), expected, "{name}");
        // Row i of the matrices belongs to h<i+1>.
        let row = |host: usize| network.node(index32(host)).name.clone();
        assert!((0..hosts).all(|host| row(host) == format!("h{}", host + 1)), "{name}");
        let levels: Vec<u8> = network.graph().node_weights().map(|node| node.level).collect();
        assert!(levels[..hosts].iter().all(|level| *level == 0), "{name}");
        assert!(levels[hosts..].iter().all(|level| *level == 1), "{name}");
    }
}
