//! Paths of forwarding tables: many at a time they are what they are one by one.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use routebound::import::{ImportOptions, topology};
use routebound::progress::Progress;
use routebound::routing::forwarding::{NextLinks, NextRow};
use routebound::routing::{self, Instance, Paths, Routing};
use routebound::topology::{Host, LinkId};

/// A network and tables, by files below `instances/fabrics`.
fn instance(network: &str, lid: &str, tables: &str) -> Instance {
    let folder = format!("{}/instances/fabrics", env!("CARGO_MANIFEST_DIR"));
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let network = topology(&format!("{folder}/{network}"), &options).unwrap();
    let lid = lid.replace("FOLDER", &folder);
    let routing = routing::build(&format!("lft{lid}:{folder}/{tables}"), &network).unwrap();
    Instance::trusted(network, routing)
}

/// Fabrics whose hosts share switches; the last one's sources use different LIDs.
fn instances() -> Vec<Instance> {
    let few = ("ft8x2/minhop_lmc2/ibnetdiscover.out", "ft8x2/minhop_lmc2/opensm-lfts.dump.gz");
    let chosen = "ft8x2/osrm2_file_lmc1";
    vec![
        instance("ft8x3/ftree/ibnetdiscover.out.gz", "", "ft8x3/ftree/opensm-lfts.dump.gz"),
        instance("ft8x3/updn/ibnetdiscover.out.gz", "", "ft8x3/updn/opensm-lfts.dump.gz"),
        instance(few.0, "", few.1),
        instance(few.0, "(lid=3)", few.1),
        instance(
            "plafrim/ib-subnet-fe80_0000_0000_0000.txt",
            "",
            "plafrim/ibroutes-fe80_0000_0000_0000",
        ),
        instance(
            &format!("{chosen}/ibnetdiscover.out"),
            &format!("(lid=\"FOLDER/{chosen}/lid_choice.txt\")"),
            &format!("{chosen}/opensm-lfts.dump.gz"),
        ),
    ]
}

/// The path of a pair; none from a host to itself.
fn path(routing: &dyn Routing, s: Host, d: Host) -> Vec<LinkId> {
    let mut found = Vec::new();
    if s != d {
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| found = links.to_vec());
    }
    found
}

#[test]
fn paths_of_many_destinations_are_those_of_each() {
    let mut paths = Paths::default();
    for instance in instances() {
        let hosts: Vec<Host> = instance.topology().host_numbers().collect();
        let routing = instance.routing();
        assert!(routing.is_single_path());
        let backwards: Vec<Host> = hosts.iter().rev().copied().collect();
        for lists in [vec![&hosts[..]], hosts.chunks(5).collect(), backwards.chunks(7).collect()] {
            for (s, destinations) in hosts.iter().flat_map(|s| lists.iter().map(move |l| (*s, *l)))
            {
                routing.paths_from(s, destinations, &mut paths);
                let expected = destinations.iter().map(|d| path(routing, s, *d));
                let found = paths.iter().map(<[LinkId]>::to_vec);
                assert!(found.eq(expected), "{instance:?}: {s} to {destinations:?}");
            }
        }
    }
}

#[test]
fn next_links_are_those_of_all_paths() {
    for instance in &instances()[..5] {
        let (topology, routing) = (instance.topology(), instance.routing());
        let nodes: Vec<_> = topology.node_numbers().collect();
        let mut expected = vec![vec![None; topology.hosts()]; nodes.len()];
        for (s, d) in
            topology.host_numbers().flat_map(|s| topology.host_numbers().map(move |d| (s, d)))
        {
            for link in path(routing, s, d) {
                let from = topology.ends(link).unwrap().0;
                expected[from as usize][d as usize] = Some(link);
            }
        }
        let next = NextLinks::of(topology, routing, &Progress::silent()).unwrap();
        for ((node, row), expected) in nodes.iter().zip(next.rows(&nodes)).zip(&expected) {
            let single: Vec<_> = topology.host_numbers().map(|d| next.get(*node, d)).collect();
            assert_eq!(&single, expected, "{instance:?}: node {node}");
            match row {
                NextRow::Each(row) => {
                    let row: Vec<_> = row.iter().map(|next| next.link()).collect();
                    assert_eq!(&row, expected);
                }
                NextRow::Only(link) => {
                    let mut others = (0..).zip(expected).filter(|(d, _)| d != node);
                    assert!(others.all(|(_, next)| *next == Some(link)));
                }
            }
        }
    }
}
