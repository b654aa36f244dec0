//! The tables against the definition, done slowly.

use super::*;
use crate::import::{ImportOptions, topology};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Address, NetworkBuilder, generate};

/// By the definition, table by table: one count per node and link.
fn by_definition(topology: &Topology, order: &[Host]) -> Vec<Vec<Option<LinkId>>> {
    let nodes = topology.nodes();
    let mut next = vec![vec![None; topology.hosts()]; nodes];
    let mut counts = vec![0; topology.links()];
    for d in order {
        // Bellman and Ford: no queue.
        let mut distance = vec![usize::MAX / 2; nodes];
        distance[*d as usize] = 0;
        for _ in 0..nodes {
            for (tail, head) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
                let longer = distance[head as usize] + 1;
                distance[tail as usize] = distance[tail as usize].min(longer);
            }
        }
        for node in topology.node_numbers().filter(|node| node != d) {
            let mut best: Option<(u64, u32, LinkId)> = None;
            for link in topology.links_from(node) {
                let head = topology.ends(link).unwrap().1;
                if distance[head as usize] + 1 == distance[node as usize] {
                    let own = (counts[link as usize], topology.link(link).from_port, link);
                    best = Some(best.map_or(own, |best| best.min(own)));
                }
            }
            if let Some((_, _, link)) = best {
                counts[link as usize] += 1;
                next[node as usize][*d as usize] = Some(link);
            }
        }
    }
    next
}

fn compare(topology: &Topology, spec: &str, order: &[Host]) {
    let routing = crate::routing::build(spec, topology).unwrap();
    let expected = by_definition(topology, order);
    for (s, d) in topology.host_numbers().flat_map(|s| topology.host_numbers().map(move |d| (s, d)))
    {
        if s == d {
            continue;
        }
        routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
            assert_eq!(share, &Rational::ONE);
            let mut node = s;
            for link in links {
                assert_eq!(expected[node as usize][d as usize], Some(*link), "{spec} {s} {d}");
                node = topology.ends(*link).unwrap().1;
            }
            assert_eq!(node, d);
        });
    }
    Instance::new(topology.clone(), routing).unwrap();
}

#[test]
fn tables_are_those_of_the_definition() {
    for spec in ["ft(4,2)", "xgft(2;3,4;1,2)", "xgft(3;2,3,2;2,1,3)", "universal(8,root=open)"] {
        let tree = generate(spec).unwrap();
        let hosts: Vec<Host> = tree.host_numbers().collect();
        compare(&tree, "minhop", &hosts);
    }
    let file = |path: &str| topology(path, &ImportOptions::default()).unwrap();
    for path in ["networks/examples/ring.csv", "networks/b4/B4.json"] {
        let network = file(&format!("instances/{path}"));
        let hosts: Vec<Host> = network.host_numbers().collect();
        compare(&network, "minhop", &hosts);
    }
    let fabric = file("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    compare(&fabric, "minhop", &by_lid(&fabric).0);
}

#[test]
fn orders_follow_seeds_and_lids() {
    let tree = generate("xgft(2;3,4;1,2)").unwrap();
    let mut order: Vec<Host> = tree.host_numbers().collect();
    order.shuffle(&mut Streams::new(7).at(0));
    compare(&tree, "minhop(seed=7)", &order);
    // LIDs in the reverse order of the hosts.
    let mut graph = tree.graph().clone();
    for (host, lid) in tree.host_numbers().zip((1..100_u16).rev()) {
        let node = petgraph::graph::NodeIndex::new(host as usize);
        graph[node].address = Some(Address { guid: 0, port_guid: None, lid, lmc: 0 });
    }
    let addressed = Topology::new("addressed".into(), graph).unwrap();
    let reverse: Vec<Host> = tree.host_numbers().rev().collect();
    assert_eq!(by_lid(&addressed).0, reverse);
    compare(&addressed, "minhop", &reverse);
}

/// The formula of the module's documentation and of `NAMES.md`.
#[test]
fn on_labelled_trees_ports_are_remainders() {
    for spec in ["ft(4,3)", "xgft(3;3,2,2;1,2,3)", "xgft(2;4,3;2,3)", "xgft(3;2,2,3;1,3,2)"] {
        let topology = generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        let routing = crate::routing::build("minhop", &topology).unwrap();
        let hosts = topology.hosts();
        for (s, d) in
            (0..host_number(hosts)).flat_map(|s| (0..host_number(hosts)).map(move |d| (s, d)))
        {
            if s == d {
                continue;
            }
            let mut found = Vec::new();
            routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                for link in &links[..links.len() / 2] {
                    let node = topology.ends(*link).unwrap().0;
                    let ups = topology.links_from(node);
                    let mut ups: Vec<LinkId> = ups
                        .filter(|up| topology.link(*up).direction == crate::topology::Direction::Up)
                        .collect();
                    ups.sort_unstable();
                    found.push(ups.iter().position(|up| up == link).unwrap());
                }
            });
            let port = |l: usize| {
                let below = tree.subtree_hosts(l);
                let r = if d / below < s / below { d } else { d - below };
                r as usize % tree.parents(l + 1) as usize
            };
            let expected: Vec<usize> = (0..tree.nca_level(s, d)).map(port).collect();
            assert_eq!(found, expected, "{spec} {s} {d}");
        }
    }
}

#[test]
fn parallel_cables_and_hosts_with_several_links_are_taken_in_turn() {
    let mut network = NetworkBuilder::new();
    let (left, right) = (network.switch("left"), network.switch("right"));
    let hosts: Vec<_> = (0..4).map(|host| network.host(format!("h{host}"))).collect();
    for (host, switch) in hosts.iter().zip([left, left, right, right]) {
        network.cable(*host, switch, Rational::ONE);
    }
    network.cable(hosts[0], right, Rational::ONE);
    network.cable(left, right, Rational::ONE);
    network.cable(left, right, Rational::ONE);
    let network = network.build("two").unwrap();
    compare(&network, "minhop", &[0, 1, 2, 3]);
    let routing = crate::routing::build("minhop", &network).unwrap();
    let mut used = Vec::new();
    for d in [2, 3] {
        routing.for_each_path(1, d, &mut Vec::new(), &mut |_, links| used.push(links[1]));
    }
    assert_ne!(used[0], used[1]);
}

#[test]
fn a_pair_without_a_path_is_refused() {
    let mut network = NetworkBuilder::new();
    for side in ["a", "b"] {
        let leaf = network.switch(side);
        for host in 0..2 {
            let host = network.host(format!("{side}{host}"));
            network.cable(host, leaf, Rational::ONE);
        }
    }
    let network = network.build("apart").unwrap();
    let error = crate::routing::build("minhop", &network).err().unwrap().to_string();
    assert!(error.contains("host `b0` has no path to host `a0`"), "{error}");
}
