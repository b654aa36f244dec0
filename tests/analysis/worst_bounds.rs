//! Bounds on the worst case hold in every case: when hosts differ, work is stopped, there are too
//! many paths or denominators are too large, or a routing is not what its name says.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::time::Instant;

use routebound::assessment::{Assess, Assessment, assess};
use routebound::bounds::{Evidence, RoutedTraffic, Witness};
use routebound::certificate::Quantity;
use routebound::load::LinkLoads;
use routebound::optimum::EvenSplit;
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::topology::{Host, NetworkBuilder, Topology, Xgft, generate};
use routebound::traffic::{Demand, PathRecord};
use routebound::worst_case::{
    Analyse, WorstCase, analyse, permutation_ratio, prove, prove_by, worst_links,
};

fn ratio(text: &str) -> Rational {
    text.parse().unwrap()
}

/// Hosts, then switches, and edges (u, v, capacity), each a link both ways: 2i forth, 2i + 1 back.
fn network(hosts: u32, switches: u32, edges: &[(u32, u32, &str)]) -> Topology {
    let mut network = NetworkBuilder::new();
    let mut node = |i: u32| {
        let name = format!("n{i}");
        if i < hosts { network.host(name) } else { network.switch(name) }
    };
    let ids: Vec<_> = (0..hosts + switches).map(&mut node).collect();
    for (u, v, capacity) in edges {
        network.cable(ids[*u as usize], ids[*v as usize], ratio(capacity));
    }
    network.build("made").unwrap()
}

fn routed(topology: Topology, routing: &str) -> Instance {
    let routing = routing::build(routing, &topology).unwrap();
    Instance::trusted(topology, routing)
}

fn stopped() -> Progress {
    Progress::silent().stopped_by(Stop::at(Some(Instant::now())))
}

fn assessed(instance: &Instance) -> Assessment {
    assess(instance).unwrap()
}

/// The assessment before any work.
fn unexamined(instance: &Instance) -> Assessment {
    let mut first = None;
    let keep = &mut |known: &Assessment| {
        first.get_or_insert_with(|| known.clone());
    };
    Assess::new().keep(keep).run(instance).unwrap();
    first.unwrap()
}

/// Two switches of three hosts each.
fn dumbbell(capacity: &str) -> Instance {
    let edges = [(0, 6), (1, 6), (2, 6), (3, 7), (4, 7), (5, 7), (6, 7)];
    routed(network(6, 2, &edges.map(|(u, v)| (u, v, capacity))), "ecmp")
}

/// Three hosts send 1 each over the middle: load 30 for links of capacity 1/10, 3/4 for capacity 4.
/// The first bounds are that all six might, and that one does on its own link.
#[test]
fn permutations_send_1_whatever_hosts_can() {
    for (capacity, exact, first) in [("1/10", "30", ["10", "60"]), ("4", "3/4", ["1/4", "3/2"])] {
        let instance = dumbbell(capacity);
        assert_eq!(assessed(&instance).permutation_load.exact(), Some(&ratio(exact)));
        let load = unexamined(&instance).permutation_load;
        assert_eq!([load.lower, load.upper], first.map(ratio), "{capacity}");
    }
}

/// A hub with hosts of capacity 10, 1 and 1.
fn star() -> Topology {
    network(3, 1, &[(0, 3, "10"), (1, 3, "1"), (2, 3, "1")])
}

/// A permutation can put load 1 on the second host's link, but only 1/10 on the first's.
#[test]
fn the_fullest_host_link_is_the_one_to_begin_with() {
    let instance = routed(star(), "ecmp");
    for progress in [Progress::silent(), stopped()] {
        let worst =
            Analyse::of(Quantity::PermutationLoad).progress(&progress).run(&instance).unwrap();
        assert_eq!(worst.lower(), &Rational::ONE);
    }
    assert_eq!(assessed(&instance).permutation_load.to_string(), "1 (proven)");
}

/// The traffic of `worst` puts the stated load on its link, and no host sends or receives more than
/// its links carry.
fn check_attained(instance: &Instance, worst: &WorstCase) {
    let (topology, routing) = (instance.topology(), instance.routing());
    let loads = LinkLoads::of(topology, routing, &worst.demands, &Progress::silent()).unwrap();
    assert_eq!(loads.load(worst.worst), *worst.lower());
    for host in topology.host_numbers() {
        let sum = |is_own: &dyn Fn(&&Demand) -> bool| {
            worst.demands.iter().filter(is_own).map(|demand| &demand.amount).sum::<Rational>()
        };
        assert!(sum(&|demand| demand.s == host) <= topology.host_capacity(host, true));
        assert!(sum(&|demand| demand.d == host) <= topology.host_capacity(host, false));
    }
}

/// In a fork of hosts, the narrow end's only link in starts from that host's traffic and not from
/// that of the host at its other end. In the star the wide host cannot fill its link alone: the
/// other two take 2 of 10.
#[test]
fn host_links_get_what_hosts_can_exchange() {
    let fork = routed(network(3, 0, &[(0, 1, "1"), (0, 2, "10")]), "ecmp");
    let star = routed(star(), "ecmp");
    for instance in [&fork, &star] {
        for progress in [Progress::silent(), stopped()] {
            let worst = Analyse::of(Quantity::HoseLoad).progress(&progress).run(instance).unwrap();
            check_attained(instance, &worst);
        }
    }
    let worst = Analyse::of(Quantity::HoseLoad).run(&star).unwrap();
    assert!(worst.is_complete());
    let wide = worst.links[0].as_ref().unwrap();
    assert_eq!((&wide.load, wide.attained), (&ratio("1/5"), true));
}

/// Two fast hosts on slow leaf switches: neither fills its own link when optu is 1.
#[test]
fn hosts_alone_on_their_leaf_send_what_goes_up() {
    let mut graph = generate("xgft(2;1,2;1,1)").unwrap().graph().clone();
    for link in graph.edge_weights_mut().filter(|link| link.level == 1) {
        link.capacity = Rational::from(10);
    }
    let tree = Topology::new("made".into(), graph).unwrap().recognised();
    assert!(tree.tree().is_some_and(|tree| !tree.full_bisection()));
    let found = assessed(&routed(tree, "dmodk"));
    assert_eq!(found.oblivious_ratio.to_string(), "1 (proven)");
}

/// Two switches joined by `hops` hops of 16 cables each, a host at both ends and one a hop further;
/// every pair takes the first cables.
fn cables(hops: u32) -> Instance {
    let first = 3;
    let mut edges = vec![(0, first, "1"), (1, first + hops, "1"), (2, first + 1, "1")];
    for hop in 0..hops {
        edges.extend([(first + hop, first + hop + 1, "1"); 16]);
    }
    let topology = network(3, hops + 1, &edges);
    let place = [0, hops, 1];
    let path = |s: Host, d: Host| {
        let [from, to] = [s, d].map(|host| place[host as usize]);
        let forth = (from..to).map(|hop| 2 * (3 + 16 * hop));
        let back = (to..from).rev().map(|hop| 2 * (3 + 16 * hop) + 1);
        let links = std::iter::once(2 * s).chain(forth).chain(back).chain([2 * d + 1]).collect();
        PathRecord { s, d, share: Rational::ONE, links }
    };
    let pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
    let records = pairs.map(|(s, d)| path(s, d)).to_vec();
    let routing = Listed::new("written".into(), 3, records).unwrap();
    Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>)
}

/// 16^33 shortest paths are too many to count, so the routing itself carries the traffic.
/// Each cable has pairs of one source or of one destination only.
#[test]
fn traffic_with_too_many_shortest_paths_has_bounds() {
    let instance = cables(33);
    let demand = |s, d| [Demand { s, d, amount: Rational::ONE }];
    assert!(EvenSplit::route(instance.topology(), &demand(0, 1)).is_none());
    assert_eq!(assessed(&instance).oblivious_ratio.to_string(), "1 (proven)");
    // 16^31 are counted.
    let counted = cables(31);
    assert!(EvenSplit::route(counted.topology(), &demand(0, 1)).is_some());
    assert_eq!(assessed(&counted).oblivious_ratio.to_string(), "1 (proven)");
}

/// Paths further away do not matter: from the next switch there are 16 ways.
#[test]
fn only_paths_of_the_pair_are_counted() {
    let instance = cables(40);
    let near = [Demand { s: 2, d: 0, amount: Rational::ONE }];
    let split = EvenSplit::route(instance.topology(), &near).unwrap();
    // The first cable between the first two switches, back.
    assert_eq!(split.load(2 * 3 + 1), ratio("1/16"));
}

/// 2049 hosts are too many for a certificate to list their pairs; S-mod-k has no forwarding tables.
/// Every down link carries two sources, one from each of the other leaves.
#[test]
fn bounds_are_kept_where_the_certificate_is_too_large() {
    let instance = Instance::named("xgft(2;683,3;1,683)", "smodk").unwrap();
    let found = Assess::new().embedded().run(&instance).unwrap();
    assert_eq!(found.oblivious_ratio.exact(), Some(&Rational::from(2)));
    assert!(matches!(found.oblivious_ratio.evidence, Evidence::Claimed(_)));
    let limit = "number of SD pairs to list is 4198401, above the limit of 4194304";
    assert!(found.certificate.unwrap_err().to_string().contains(limit) && !found.complete);
    assert!(found.notes.iter().any(|note| note.contains(limit)), "{:?}", found.notes);
}

/// The tree with two paths for every pair that meets above the leaves, by the first two up-digits
/// W2; the share of the first path differs for every pair.
fn two_paths(spec: &str, mut share: impl FnMut() -> Rational) -> Instance {
    let topology = generate(spec).unwrap();
    let tree: &Xgft = topology.tree().unwrap();
    let mut records = Vec::new();
    let hosts = topology.host_numbers();
    for (s, d) in hosts.clone().flat_map(|s| hosts.clone().map(move |d| (s, d))) {
        let level = tree.nca_level(s, d);
        let mut add = |up: [u32; 2], share: Rational| {
            let mut links = Vec::new();
            tree.push_path(s, d, &up[..level], &mut links);
            records.push(PathRecord { s, d, share, links });
        };
        match level {
            0 => {}
            1 => add([0, 0], Rational::ONE),
            _ => {
                let first = share();
                let second = Rational::ONE.checked_sub(&first).unwrap();
                add([0, 0], first);
                add([0, 1], second);
            }
        }
    }
    let routing = Listed::new("written".into(), topology.hosts(), records).unwrap();
    Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>)
}

/// 1/p for one prime after the other: the shares of a link have no common denominator of 62 bits.
fn prime_shares() -> impl FnMut() -> Rational {
    let is_prime = |n: &u64| (2..*n).take_while(|f| f * f <= *n).all(|f| !n.is_multiple_of(f));
    let mut primes = (1000..).filter(is_prime);
    move || Rational::new(1, primes.next().unwrap()).unwrap()
}

/// Links that cannot be solved are bounded by their hosts, and the reason is stated; nothing was
/// stopped.
#[test]
fn shares_without_a_small_denominator_leave_bounds() {
    let instance = two_paths("xgft(2;4,2;1,2)", prime_shares());
    let found = assessed(&instance);
    let bounds = &found.oblivious_ratio;
    assert!(bounds.lower >= Rational::ONE && bounds.upper <= Rational::from(4), "{bounds}");
    assert_eq!(bounds.evidence, Evidence::Proven);
    let reason = |note: &String| note.contains("small common denominator");
    assert!(!found.complete && found.notes.iter().any(reason), "{:?}", found.notes);
    // Permutations are limited by their hosts alone.
    assert!(worst_links(&instance, &Progress::silent()).is_ok());
}

/// Where only hosts limit the traffic, their denominators do not matter.
#[test]
fn shares_of_any_denominator_are_solved_on_a_full_tree() {
    let instance = two_paths("ft(4,2)", prime_shares());
    let found = assessed(&instance);
    let ratio = found.oblivious_ratio.exact().unwrap();
    assert!(Rational::ONE < *ratio && *ratio < Rational::from(2), "{ratio}");
    assert!(found.complete && found.notes.is_empty(), "{:?}", found.notes);
    assert!(worst_links(&instance, &Progress::silent()).is_ok());
}

/// With equal shares the same is exact: half of what one path would carry.
#[test]
fn equal_shares_are_solved() {
    let instance = two_paths("xgft(2;4,2;1,2)", || ratio("1/2"));
    let found = assessed(&instance);
    assert_eq!(found.oblivious_ratio.to_string(), "1 (proven)");
    assert!(found.complete && found.notes.is_empty());
}

/// One pair takes a detour through another subtree: no cut of a leaf there bounds it.
#[test]
fn a_detour_leaves_bounds() {
    let plain = Instance::named("xgft(3;2,2,2;2,2,1)", "dmodk").unwrap();
    let tree = plain.topology().tree().unwrap();
    let mut records = Vec::new();
    let hosts = plain.topology().host_numbers();
    for (s, d) in hosts.clone().flat_map(|s| hosts.clone().map(move |d| (s, d))) {
        if s == d {
            continue;
        }
        let mut links = Vec::new();
        tree.push_path(s, d, &[0; 3][..tree.nca_level(s, d)], &mut links);
        if (s, d) == (0, 2) {
            // Over a top to the third leaf, and over another top back to the second.
            let link = |height, subtree, b, port| tree.link_id(height, subtree, b, port);
            let there = [link(2, 0, 0, 0).0, link(2, 1, 0, 0).1, link(1, 2, 0, 0).1];
            let back = [link(1, 2, 0, 1).0, link(2, 1, 1, 0).0, link(2, 0, 1, 0).1];
            let last = [link(1, 1, 0, 1).1];
            links.splice(2..3, [&there[..], &back, &last].concat());
        }
        records.push(PathRecord { s, d, share: Rational::ONE, links });
    }
    let routing = Listed::new("written".into(), plain.topology().hosts(), records).unwrap();
    let instance = Instance::trusted(plain.into_parts().0, Box::new(routing) as Box<dyn Routing>);
    let found = assessed(&instance).oblivious_ratio;
    assert_eq!(found.evidence, Evidence::Proven);
    // All eight hosts have two links, of which they use the first.
    assert!(found.lower >= Rational::from(2), "{found}");
}

/// A witness from the caller says nothing about permutations, whatever it proves about the ratio.
#[test]
fn permutation_loads_are_claimed_with_their_own_traffic() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let worst = analyse(&instance).unwrap();
    assert!(prove(&instance, &worst).permutation_load.is_some());
    let demands = vec![Demand { s: 0, d: 7, amount: ratio("1/2") }];
    let (link, optu, flow) = (worst.worst, ratio("1/2"), RoutedTraffic::Even);
    let other = Witness { link, demands, optu, flow };
    let proof = prove_by(instance.topology(), &worst, other, Rational::ONE);
    assert!(proof.permutation_load.is_none());
}

/// Stopped work keeps what was found; the permutation ratio is never below 1.
#[test]
fn a_stopped_permutation_ratio_is_a_lower_bound() {
    let instance = Instance::named("xgft(2;2,2;2,2)", "dmodk").unwrap();
    let found = permutation_ratio(&instance, &stopped()).unwrap();
    assert!(!found.is_exact && found.limit.is_none());
    assert!((Rational::ONE..=Rational::from(2)).contains(&found.lower));
}
