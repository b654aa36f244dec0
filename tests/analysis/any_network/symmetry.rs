//! Classes of equivalent links: those of all automorphisms that the routing respects, found by trying
//! every permutation, and the same worst loads with them and without.

use std::collections::BTreeMap;

use itertools::Itertools as _;
use routebound::assessment::{Assess, Assessment};
use routebound::certificate::Certificate;
use routebound::generators::checker::check;
use routebound::lp::worst_demand::refine;
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::symmetry::Symmetry;
use routebound::topology::{Host, LinkId, NetworkBuilder, NodeId, Topology, link_number};
use routebound::traffic::PathRecord;
use routebound::worst_case::{analyse, prove};

use super::graphs::{
    complete, cube, cycle, grid, network, petersen, uneven_cycle, weighted_network,
};

/// The share of a pair on every link that it uses.
type Shares = BTreeMap<LinkId, Rational>;

fn shares(instance: &Instance, (s, d): (Host, Host)) -> Shares {
    let mut shares = Shares::new();
    instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
        for link in links {
            *shares.entry(*link).or_insert(Rational::ZERO) += share;
        }
    });
    shares
}

/// All ways to take links to links where nodes are taken to `nodes`.
fn link_images(topology: &Topology, nodes: &[NodeId]) -> Vec<Vec<LinkId>> {
    let mut between: BTreeMap<(NodeId, NodeId), Vec<LinkId>> = BTreeMap::new();
    for link in topology.link_numbers() {
        between.entry(topology.ends(link).unwrap()).or_default().push(link);
    }
    let image = |node: NodeId| nodes[node as usize];
    let ways = between.iter().map(|((tail, head), links)| {
        let there = between.get(&(image(*tail), image(*head))).cloned().unwrap_or_default();
        let same =
            |(a, b): (&LinkId, &LinkId)| topology.link(*a).capacity == topology.link(*b).capacity;
        let ways = there.iter().copied().permutations(there.len());
        let ways = ways.filter(|way| way.len() == links.len() && links.iter().zip(way).all(same));
        ways.map(|way| links.iter().copied().zip(way).collect_vec()).collect_vec()
    });
    let all = ways.multi_cartesian_product();
    all.map(|parts| parts.concat().into_iter().sorted().map(|(_, to)| to).collect()).collect()
}

/// The lowest link of every link's class, from all permutations of the nodes.
fn by_force(instance: &Instance) -> Vec<LinkId> {
    let topology = instance.topology();
    let hosts = topology.hosts();
    let pairs = topology.host_numbers().permutations(2).map(|pair| (pair[0], pair[1]));
    let of_pair: BTreeMap<_, _> = pairs.map(|pair| (pair, shares(instance, pair))).collect();
    let mut lowest: Vec<LinkId> = topology.link_numbers().collect();
    for nodes in topology.node_numbers().permutations(topology.nodes()) {
        if nodes[..hosts].iter().any(|node| *node as usize >= hosts) {
            continue;
        }
        for links in link_images(topology, &nodes) {
            let is_kept = |((s, d), shares): (&(Host, Host), &Shares)| {
                let moved =
                    shares.iter().map(|(link, share)| (links[*link as usize], share.clone()));
                of_pair[&(nodes[*s as usize], nodes[*d as usize])] == moved.collect()
            };
            if of_pair.iter().all(is_kept) {
                // The permutations form a group: all images of a link are its class.
                for (link, image) in (0..).zip(&links) {
                    let own: &mut LinkId = &mut lowest[*image as usize];
                    *own = link.min(*own);
                }
            }
        }
    }
    lowest
}

fn found(instance: &Instance) -> Vec<LinkId> {
    let links = instance.topology().link_numbers();
    match Symmetry::of(instance, &Progress::silent()) {
        Some(symmetry) => links.map(|link| symmetry.representative(link)).collect(),
        None => links.collect(),
    }
}

fn instance(topology: Topology, routing: &str) -> Instance {
    let routing = routing::build(routing, &topology).unwrap();
    Instance::new(topology, routing).unwrap()
}

/// A shortest path for every pair: the first one at each node, or any of them for a seed above 0.
fn single(topology: Topology, seed: u64) -> Option<Instance> {
    let pairs = topology.host_numbers().permutations(2).map(|pair| (pair[0], pair[1]));
    let mut records = Vec::new();
    for (s, d) in pairs {
        let (mut at, mut links) = (s, Vec::new());
        while at != d {
            let hops = distances(&topology, d);
            let nearer = topology.links_from(at).sorted().filter(|link| {
                hops[topology.ends(*link).unwrap().1 as usize] + 1 == hops[at as usize]
            });
            let nearer = nearer.collect_vec();
            let drawn = [s, d, at].iter().fold(seed, |sum, part| {
                (sum + u64::from(*part) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 3
            });
            let place =
                if seed == 0 { 0 } else { drawn % u64::try_from(nearer.len().max(1)).unwrap() };
            let link = *nearer.get(usize::try_from(place).unwrap())?;
            links.push(link);
            at = topology.ends(link).unwrap().1;
        }
        records.push(PathRecord { s, d, share: Rational::ONE, links });
    }
    let listed = Listed::new("table:x".into(), topology.hosts(), records).unwrap();
    Some(Instance::new(topology, Box::new(listed) as Box<dyn Routing>).unwrap())
}

/// Number of links from every node to `d`, less than `u32::MAX` if there is a way.
fn distances(topology: &Topology, d: Host) -> Vec<u32> {
    let mut hops = vec![u32::MAX - 1; topology.nodes()];
    hops[d as usize] = 0;
    for _ in topology.node_numbers() {
        for link in topology.link_numbers() {
            let (tail, head) = topology.ends(link).unwrap();
            hops[tail as usize] =
                hops[tail as usize].min(hops[head as usize] + 1).min(u32::MAX - 1);
        }
    }
    hops
}

/// What a network is routed by: a spec, or single shortest paths with a seed.
#[derive(Clone, Copy)]
enum By {
    Spec(&'static str),
    Single(u64),
}

impl By {
    fn route(self, topology: Topology) -> Option<Instance> {
        match self {
            Self::Spec(spec) => {
                let routing = routing::build(spec, &topology).ok()?;
                Some(Instance::new(topology, routing).unwrap())
            }
            Self::Single(seed) => single(topology, seed),
        }
    }
}

const ROUTINGS: [By; 5] =
    [By::Spec("ecmp"), By::Spec("omrmn"), By::Single(0), By::Single(1), By::Single(2)];

/// All connected networks of `nodes` hosts, some more than once, with the given routing.
fn small(nodes: u32, by: By) -> Vec<Instance> {
    let edges: Vec<(u32, u32)> = (0..nodes).array_combinations().map(|[u, v]| (u, v)).collect();
    let chosen = edges.into_iter().powerset();
    let all = chosen.filter_map(|edges| by.route(network("small", nodes, &edges)));
    all.collect()
}

/// Two switches with two hosts each, joined by two cables of this capacity.
fn dumbbell(capacity: [u64; 2]) -> Topology {
    let mut network = NetworkBuilder::new();
    let hosts: Vec<_> = (0..4).map(|host| network.host(format!("h{host}"))).collect();
    let switches: Vec<_> = (0..2).map(|switch| network.switch(format!("s{switch}"))).collect();
    for (at, host) in hosts.into_iter().enumerate() {
        network.cable(host, switches[at / 2], Rational::ONE);
    }
    for capacity in capacity {
        network.cable(switches[0], switches[1], Rational::from(capacity));
    }
    network.build("dumbbell").unwrap()
}

#[test]
fn the_classes_are_those_of_all_permutations() {
    let mut instances: Vec<Instance> = ROUTINGS.iter().flat_map(|by| small(4, *by)).collect();
    instances.extend(small(5, By::Spec("ecmp")).into_iter().step_by(7));
    let [even, uneven] = [dumbbell([2, 2]), dumbbell([1, 2])];
    for topology in [cycle(6), grid(2, 3), uneven_cycle(5), complete(5), even, uneven] {
        instances.extend(ROUTINGS.map(|by| by.route(topology.clone()).unwrap()));
    }
    let weights = |weights: [u64; 4]| {
        let edge = |(at, weight)| (at, (at + 1) % 4, Rational::from(weight));
        weighted_network("C4", 4, &(0..).zip(weights).map(edge).collect_vec())
    };
    for weights in [weights([1, 2, 1, 2]), weights([1, 1, 2, 2]), weights([1, 2, 3, 4])] {
        instances.push(instance(weights, "ecmp"));
    }
    let mut symmetric = 0;
    for instance in &instances {
        let classes = found(instance);
        assert_eq!(classes, by_force(instance), "{instance:?}");
        let links = link_number(classes.len());
        symmetric += usize::from(!classes.into_iter().eq(0..links));
    }
    let others = instances.len() - symmetric;
    assert!(symmetric > 100 && others > 5, "{symmetric}, {others}");
}

#[test]
fn larger_groups_are_found_by_few_automorphisms() {
    for (topology, classes) in
        [(petersen(), 1), (cube(), 1), (complete(9), 1), (cycle(12), 1), (grid(4, 4), 6)]
    {
        let name = topology.spec().to_string();
        let symmetry = Symmetry::of(&instance(topology, "ecmp"), &Progress::silent()).unwrap();
        assert_eq!(symmetry.classes(), classes, "{name}");
        assert!(symmetry.automorphisms().len() <= 4, "{name}");
    }
}

fn assessed(instance: &Instance, by_class: bool) -> Assessment {
    Assess::new().embedded().by_class(by_class).run(instance).unwrap()
}

/// Loads of all links, the ratio and the permutation load, and that the checker accepts it when it is
/// read.
#[test]
fn worst_loads_do_not_depend_on_classes() {
    let mut instances = small(4, By::Spec("ecmp"));
    instances.extend(small(4, By::Single(0)));
    for topology in [cycle(7), grid(3, 3), cube(), petersen(), uneven_cycle(6), dumbbell([1, 2])] {
        instances.extend(ROUTINGS.map(|by| by.route(topology.clone()).unwrap()));
    }
    let mut used = 0;
    for instance in &instances {
        let [with, without] = [true, false].map(|by_class| assessed(instance, by_class));
        assert_eq!(with.oblivious_ratio, without.oblivious_ratio, "{instance:?}");
        assert_eq!(with.permutation_load, without.permutation_load, "{instance:?}");
        assert_eq!(with.histogram, without.histogram, "{instance:?}");
        assert!(without.symmetry.is_none());
        used += usize::from(with.symmetry.is_some());
        for certificate in
            [with.certificate.ok(), with.permutation_certificate].into_iter().flatten()
        {
            let again: Certificate = certificate.to_string().parse().unwrap();
            assert_eq!(again, certificate);
            assert!(check(&again).is_ok(), "{instance:?}");
        }
    }
    assert!(used > 40, "{used}");
}

#[test]
fn every_link_gets_the_load_of_its_own_program() {
    for instance in [
        instance(grid(3, 3), "ecmp"),
        instance(uneven_cycle(5), "omrmn"),
        instance(dumbbell([1, 2]), "ecmp"),
    ] {
        let silent = Progress::silent();
        let mut alone = analyse(&instance).unwrap();
        let mut by_class = alone.clone();
        let symmetry = Symmetry::of(&instance, &silent).unwrap();
        by_class.adopt(&symmetry.into());
        let of_baseload = |worst: &routebound::worst_case::WorstCase| {
            worst.links.iter().map(|bound| bound.as_ref().unwrap().load.clone()).collect_vec()
        };
        assert_eq!(of_baseload(&by_class), of_baseload(&alone), "{instance:?}");
        let proof = prove(&instance, &alone);
        let (alone, _) = refine(&instance, &mut alone, &proof, &silent).unwrap();
        let (by_class, stats) = refine(&instance, &mut by_class, &proof, &silent).unwrap();
        assert_eq!(by_class.bounds, alone.bounds, "{instance:?}");
        assert!(stats.solved < instance.topology().links() / 2, "{instance:?}");
    }
}

/// A ring on which every pair goes forth, but for one pair where that is asked.
fn one_way(hosts: u32, is_broken: bool) -> Instance {
    let topology = cycle(hosts);
    let pairs = (0..hosts).permutations(2).map(|pair| (pair[0], pair[1]));
    let record = |(s, d): (Host, Host)| {
        let forth = (d + hosts - s) % hosts;
        let links = if is_broken && (s, d) == (3, 1) {
            vec![2 * 2 + 1, 2 + 1]
        } else {
            (0..forth).map(|hop| 2 * ((s + hop) % hosts)).collect()
        };
        PathRecord { s, d, share: Rational::ONE, links }
    };
    let listed = Listed::new("table:x".into(), hosts as usize, pairs.map(record).collect());
    Instance::new(topology, Box::new(listed.unwrap()) as Box<dyn Routing>).unwrap()
}

#[test]
fn a_single_pair_breaks_the_symmetry() {
    // All links forth are alike, and all links back, which carry nothing.
    let whole = found(&one_way(6, false));
    assert!(whole.iter().enumerate().all(|(link, lowest)| *lowest as usize == link % 2));
    assert!(found(&one_way(6, true)).into_iter().eq(0..12));
    assert!(assessed(&one_way(6, true), true).symmetry.is_none());
}

#[test]
fn nothing_is_found_after_a_stop_or_beyond_limits() {
    let stop = Stop::default();
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    assert!(Symmetry::of(&one_way(6, false), &stopped).is_none());
    // 2050² pairs.
    let topology = cycle(2050);
    let routing = routing::build("ecmp", &topology).unwrap();
    let large = Instance::trusted(topology, routing);
    assert!(Symmetry::of(&large, &Progress::silent()).is_none());
}

/// The result does not depend on the number of threads.
#[test]
fn one_thread_finds_the_same() {
    let instance = instance(grid(4, 5), "ecmp");
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let [one, three] = [1, 3].map(|threads| {
        let symmetry = pool(threads).install(|| Symmetry::of(&instance, &Progress::silent()));
        symmetry.unwrap().automorphisms().to_vec()
    });
    assert_eq!(one, three);
}
