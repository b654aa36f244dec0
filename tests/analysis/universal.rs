//! The binary fat-tree of [GL]: one path per pair, so every routing that fits is the best one.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use routebound::assessment::{Assess, AssessOptimum};
use routebound::channel_tree::{Channel, ChannelTree};
use routebound::generators::checker::check;
use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, RoutingError};
use routebound::topology::{
    self, Direction, LinkId, Topology, TopologyError, host_number, node_number,
};
use routebound::traffic::{self, Demand};

fn examples() -> Vec<Topology> {
    let kind = topology::KINDS.iter().find(|kind| kind.name == "universal").unwrap();
    kind.examples.iter().map(|spec| topology::generate(spec).unwrap()).collect()
}

/// Whether the links lead from `s` to `d`; in a closed tree they climb, then descend.
fn is_path(network: &Topology, s: u32, d: u32, links: &[LinkId]) -> bool {
    let nodes: Option<Vec<u32>> = links
        .iter()
        .scan(s, |at, link| {
            let ends = network.ends(*link).filter(|(from, _)| from == at);
            *at = ends.map_or(u32::MAX, |(_, to)| to);
            Some(ends.map(|(_, to)| to))
        })
        .collect();
    let half = links.len() / 2;
    let up = |link: &LinkId| network.link(*link).direction == Direction::Up;
    let is_open = network.outside_world().is_some();
    nodes.is_some_and(|nodes| nodes.last() == Some(&d))
        && (is_open || links[..half].iter().all(up) && !links[half..].iter().any(up))
}

#[test]
fn there_is_one_path_per_pair() {
    for network in examples() {
        let hosts = host_number(network.hosts());
        let routing = routing::build("omrmn", &network).unwrap();
        assert!(routing.is_single_path(), "{}", network.spec());
        for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
            if s == d {
                continue;
            }
            let mut paths = Vec::new();
            routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                assert!(is_path(&network, s, d, links), "{s} -> {d}: {links:?}");
                paths.push(links.len());
            });
            let length = match network.outside_world() {
                // By the root channel.
                Some(outside) if s == outside || d == outside => outside.ilog2() as usize + 1,
                // Up to the lowest subtree that holds both, and down again.
                _ => 2 * (32 - (s ^ d).leading_zeros() as usize),
            };
            assert_eq!(paths, [length], "{}: {s} -> {d}", network.spec());
        }
    }
}

#[test]
fn every_routing_that_fits_has_ratio_one() {
    for network in examples() {
        for kind in routing::KINDS {
            let spec = kind.examples[0];
            let routing = match routing::build(spec, &network) {
                Ok(routing) => routing,
                Err(RoutingError::DoesNotFit { reason, .. }) => {
                    assert!(!reason.is_empty());
                    continue;
                }
                Err(error) => panic!("{spec}: {error}"),
            };
            let instance = Instance::trusted(network.clone(), routing);
            let found = Assess::new().embedded().run(&instance).unwrap();
            assert_eq!(found.oblivious_ratio.to_string(), "1 (proven)", "{spec}");
            assert!(check(&found.certificate.unwrap()).is_ok(), "{spec}");
        }
    }
}

#[test]
fn the_optimum_of_traffic_is_its_max_load() {
    for network in examples() {
        for spec in ["uniform", "shift(1)", "random(p=0.6,seed=1)"] {
            let demands = traffic::generate(spec, network.hosts()).unwrap();
            let demands = demands.demands();
            let routing = routing::build("ecmp", &network).unwrap();
            let quiet = Progress::silent();
            let loads = LinkLoads::of(&network, &*routing, demands, &quiet).unwrap();
            let assess = AssessOptimum::new().proven_if(false);
            let found = assess.run(&network, demands).unwrap();
            assert_eq!(found.optu.exact(), Some(&loads.max_load()), "{spec} on {}", network.spec());
        }
    }
    // All eight hosts of a half of universal(16) send to the other, over a channel of 4 wires.
    let network = topology::generate("universal(16)").unwrap();
    let routing = routing::build("ecmp", &network).unwrap();
    let demands = traffic::generate("shift(8)", 16).unwrap();
    let loads = LinkLoads::of(&network, &*routing, demands.demands(), &Progress::silent()).unwrap();
    assert_eq!(loads.max_load(), Rational::from(2));
}

/// [GL] 5: messages out of the root. λ·√n of them from processors of a standard fat-tree load its root
/// channel of √n wires by λ, and so do as many that come in.
#[test]
fn messages_leave_by_the_root_channel() {
    let network = topology::generate("universal(16,root=open)").unwrap();
    let outside = network.outside_world().unwrap();
    assert_eq!((outside, network.hosts(), network.links()), (16, 17, 4 * 16 - 2));
    let tree = ChannelTree::of(&network).unwrap();
    assert_eq!((tree.order()[0], tree.channels().count()), (outside, 4 * 16 - 2));
    let routing = routing::build("ecmp", &network).unwrap();
    for out in [true, false] {
        let demand = |host| {
            let (s, d) = if out { (host, outside) } else { (outside, host) };
            Demand { s, d, amount: Rational::ONE }
        };
        let demands: Vec<Demand> = (0..16).map(demand).collect();
        let quiet = Progress::silent();
        let loads = LinkLoads::of(&network, &*routing, &demands, &quiet).unwrap();
        let (link, load) = loads.max().unwrap();
        assert_eq!((link, load), (if out { 60 } else { 61 }, Rational::from(4)));
        let factor = tree.load_factor(&demands);
        assert_eq!(factor.value, Rational::from(4));
        let direction = if out { Direction::Up } else { Direction::Down };
        let below = node_number(network.nodes()) - 1;
        assert_eq!(factor.channel, Some(Channel { below, direction }));
    }
}

#[test]
fn sizes_are_checked_before_work_begins() {
    let error = topology::generate("universal(1048576)").unwrap_err();
    assert!(matches!(error, TopologyError::TooLarge(_)), "{error}");
}
