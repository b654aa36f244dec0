//! Ratios of given routings on networks that are not trees of full bisection.

use std::path::PathBuf;

use super::graphs::{complete, cycle, weighted_network};
use petgraph::graph::NodeIndex;
use routebound::assessment::{Assess, Assessment};
use routebound::certificate::{self, Certificate};
use routebound::generators::checker::check;
use routebound::import::{ImportOptions, topology};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::topology::{Host, LinkId, NetworkBuilder, Topology, link_number, sd_pairs};
use routebound::traffic::PathRecord;
use routebound::worst_case::Method;

fn assessed(topology: Topology, paths: impl Fn(Host, Host) -> Vec<LinkId>) -> Assessment {
    let hosts = topology.hosts();
    let record = |(s, d)| PathRecord { s, d, share: Rational::ONE, links: paths(s, d) };
    let routing = Listed::new("table:x".into(), hosts, sd_pairs(hosts).map(record).collect());
    let instance = Instance::trusted(topology, Box::new(routing.unwrap()) as Box<dyn Routing>);
    Assess::new().embedded().run(&instance).unwrap()
}

fn is_accepted(certificate: &Certificate) -> bool {
    let mut bytes = Vec::new();
    certificate::write(certificate, &mut bytes).unwrap();
    check(&certificate::read(&bytes[..]).unwrap()).is_ok()
}

/// The shorter way around the cycle; of two ways of equal length, forth. Link 2i leads from i
/// to i + 1, link 2i + 1 back.
fn shorter_way(k: u32) -> impl Fn(Host, Host) -> Vec<LinkId> {
    move |s, d| {
        let forth = (d + k - s) % k;
        if 2 * forth <= k {
            (0..forth).map(|i| 2 * ((s + i) % k)).collect()
        } else {
            (0..k - forth).map(|i| 2 * ((s + k - 1 - i) % k) + 1).collect()
        }
    }
}

#[test]
fn shortest_paths_around_cycles_have_ratio_two() {
    // Two units between neighbours: one each way round would do.
    for k in 3..=10 {
        let assessment = assessed(cycle(k), shorter_way(k));
        assert_eq!(assessment.oblivious_ratio.to_string(), "2 (proven)", "{k}");
        assert!(is_accepted(&assessment.certificate.unwrap()));
    }
}

#[test]
fn direct_routing_of_complete_graphs_has_ratio_n_minus_one() {
    // All links out of s could carry the traffic to d, one hop later.
    for n in 3..=7_u32 {
        let topology = complete(n);
        let graph = topology.graph().clone();
        let node = |host: Host| NodeIndex::new(host as usize);
        let direct = |s: Host, d: Host| {
            let edge = graph.find_edge(node(s), node(d));
            vec![link_number(edge.unwrap().index())]
        };
        let assessment = assessed(topology, direct);
        assert_eq!(assessment.oblivious_ratio.to_string(), format!("{} (proven)", n - 1));
        assert!(is_accepted(&assessment.certificate.unwrap()));
    }
}

#[test]
fn capacities_decide() {
    // A triangle whose direct link 0–1 has capacity 1/2 and whose others have 3: from 0 to 1
    // the network carries 7/2, direct routing puts all on the thin link: 7.
    let thick = Rational::from(3);
    let thin = Rational::new(1, 2).unwrap();
    let edges = [(0, 1, thin), (1, 2, thick.clone()), (2, 0, thick)];
    let links = [[9, 0, 5], [1, 9, 2], [4, 3, 9]];
    let direct = |s: Host, d: Host| vec![links[s as usize][d as usize]];
    let assessment = assessed(weighted_network("triangle", 3, &edges), direct);
    assert_eq!(assessment.oblivious_ratio.to_string(), "7 (proven)");
}

#[test]
fn a_host_that_forwards_is_not_its_link() {
    // Hosts 0 → 1 → 2 → 0 one way only: every path is forced, so the ratio is 1.
    let mut network = NetworkBuilder::new();
    let hosts = ["a", "b", "c"].map(|name| network.host(name));
    for i in 0..3 {
        network.link_at((hosts[i], 1), (hosts[(i + 1) % 3], 2), Rational::ONE);
    }
    let forced = |s: Host, d: Host| (0..(d + 3 - s) % 3).map(|i| (s + i) % 3).collect();
    let assessment = assessed(network.build("ring").unwrap(), forced);
    assert_eq!(assessment.oblivious_ratio.to_string(), "1 (proven)");
}

#[test]
fn plafrim() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("instances/fabrics/plafrim");
    let subnet = folder.join("ib-subnet-fe80_0000_0000_0000.txt");
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let fabric = topology(subnet.to_str().unwrap(), &options).unwrap();
    let tables = format!("lft:{}", folder.join("ibroutes-fe80_0000_0000_0000").display());
    let routing = routing::build(&tables, &fabric).unwrap();
    let instance = Instance::trusted(fabric, routing);
    let assessment = Assess::new().embedded().run(&instance).unwrap();
    assert_eq!(assessment.oblivious_ratio.to_string(), "6 (proven)");
    assert_eq!(assessment.permutation_load.to_string(), "32 (proven)");
    assert_eq!(assessment.method, Method::Program);
    assert!(is_accepted(&assessment.certificate.unwrap()));
    assert!(is_accepted(&assessment.permutation_certificate.unwrap()));
}
