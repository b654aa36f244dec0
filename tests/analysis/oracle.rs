//! The exact analysis against exhaustive search: every permutation of every small tree under
//! every routing.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use routebound::certificate::{NetworkForm, Quantity, RoutingForm};
use routebound::optimum::EvenSplit;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, RoutingError};
use routebound::topology::{self, Link, LinkId, host_number};
use routebound::traffic::Demand;
use routebound::worst_case::{Analyse, WorstCase, analyse, prove};

/// Links of every pair of an instance.
fn paths(instance: &Instance) -> Vec<Vec<Vec<LinkId>>> {
    let hosts = host_number(instance.topology().hosts());
    let path = |s, d| {
        let mut path = Vec::new();
        if s != d {
            instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                path = links.to_vec();
            });
        }
        path
    };
    (0..hosts).map(|s| (0..hosts).map(|d| path(s, d)).collect()).collect()
}

/// Calls `visit` with every permutation of 0..n (Heap's algorithm). A fixed point is an idle
/// host, so partial permutations are among them up to pairs that only add load.
pub fn for_each_permutation(n: usize, visit: &mut dyn FnMut(&[usize])) {
    fn step(k: usize, items: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
        if k <= 1 {
            return visit(items);
        }
        for i in 0..k {
            step(k - 1, items, visit);
            items.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
    step(n, &mut (0..n).collect(), visit);
}

/// The maximum number of pairs on every link over all permutations: source after source takes each destination that
/// is left. What a link carries most depends on which are taken, not on who took them.
pub fn exhaustive(paths: &[Vec<Vec<LinkId>>], links: usize) -> Vec<u64> {
    let hosts = paths.len();
    let mut most = vec![vec![0; links]; 1 << hosts];
    for taken in 1_usize..1 << hosts {
        let from = &paths[taken.count_ones() as usize - 1];
        for d in (0..hosts).filter(|d| taken & 1 << d != 0) {
            let mut loads = most[taken & !(1 << d)].clone();
            for link in &from[d] {
                loads[*link as usize] += 1;
            }
            for (most, load) in most[taken].iter_mut().zip(loads) {
                *most = load.max(*most);
            }
        }
    }
    most.pop().unwrap()
}

fn small_instances() -> Vec<Instance> {
    let mut instances = Vec::new();
    for topology in topology::KINDS.iter().flat_map(|kind| kind.examples) {
        if topology::generate(topology).unwrap().hosts() > 8 {
            continue;
        }
        // The examples of `ksp` and `hash` need weights.
        let examples = routing::KINDS.iter().flat_map(|kind| kind.examples).copied();
        for routing in examples.chain(["ksp", "hash"]) {
            let topology = topology::generate(topology).unwrap();
            match routing::build(routing, &topology) {
                Ok(routing) if routing.is_single_path() => {
                    instances.push(Instance::trusted(topology, routing));
                }
                Ok(_) | Err(RoutingError::DoesNotFit { .. }) => {}
                Err(error) => unreachable!("{routing}: {error}"),
            }
        }
    }
    instances
}

#[test]
fn every_link_of_every_small_instance_agrees_with_exhaustive_search() {
    let instances = small_instances();
    assert!(instances.len() > 100, "{}", instances.len());
    for instance in &instances {
        let name = format!("{} {}", instance.topology().spec(), instance.routing().spec());
        let worst = Analyse::of(Quantity::PermutationLoad).run(instance).unwrap();
        let found: Vec<Rational> =
            worst.links.iter().map(|bound| bound.as_ref().unwrap().load.clone()).collect();
        let capacities = instance.topology().graph().edge_weights().map(|link| &link.capacity);
        let most = exhaustive(&paths(instance), instance.topology().links());
        let most = most.into_iter().map(Rational::from).zip(capacities);
        let most: Vec<Rational> =
            most.map(|(pairs, capacity)| pairs.checked_div(capacity).unwrap()).collect();
        // Links that carry nothing have no bound to attain; all others agree one by one.
        assert_eq!(found, most, "{name}");
        assert_eq!(Some(worst.lower()), worst.upper().as_ref(), "{name}");
    }
}

#[test]
fn the_witness_has_the_load_that_it_claims() {
    for instance in small_instances() {
        let name = format!("{} {}", instance.topology().spec(), instance.routing().spec());
        let worst = analyse(&instance).unwrap();
        let proof = prove(&instance, &worst);
        let paths = paths(&instance);
        let on_link = |demand: &&Demand| {
            paths[demand.s as usize][demand.d as usize].contains(&proof.witness.link)
        };
        let loading = proof.witness.demands.iter().filter(on_link);
        let traffic: Rational = loading.map(|demand| &demand.amount).sum();
        let load = traffic.checked_div(&instance.topology().link(proof.witness.link).capacity);
        assert_eq!(load.as_ref(), Some(worst.lower()), "{name}");
        let split = EvenSplit::route(instance.topology(), &proof.witness.demands).unwrap();
        assert_eq!(split.max_load(), proof.witness.optu, "{name}");
        if instance.topology().tree().is_some_and(topology::Xgft::full_bisection) {
            assert_eq!(proof.bounds.lower, proof.bounds.upper, "{name}");
        }
        assert!(proof.bounds.lower <= proof.bounds.upper && proof.bounds.lower >= Rational::ONE);
    }
}

/// Unit-capacity host links but other inner capacities: the load is divided by them.
#[test]
fn inner_capacities_divide_loads() {
    let tree = topology::generate("ft(4,2)").unwrap();
    let plain = routing::build("dmodk", &tree).unwrap();
    let mut graph = tree.graph().clone();
    for link in graph.edge_weights_mut() {
        let Link { capacity, level, .. } = link;
        if *level == 2 {
            *capacity = Rational::new(4, 1).unwrap();
        }
    }
    let topology = topology::Topology::new("fast roots".into(), graph).unwrap();
    let instance = Instance::trusted(topology, plain);
    let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    // Two pairs on a link of capacity 4 load it with 1/2; the host links decide.
    assert_eq!(worst.upper(), Some(Rational::ONE));
    let inner = |bound: &&Rational| **bound < Rational::ONE;
    let loads: Vec<Rational> =
        worst.links.iter().flatten().map(|bound| bound.load.clone()).collect();
    assert_eq!(loads.iter().filter(inner).max(), Rational::new(1, 2).as_ref());
}

/// What was seen before a stop gives no upper bound: links that were not reached may carry more.
#[test]
fn an_unfinished_analysis_has_no_upper_bound() {
    let instance = Instance::named("ft(8,3)", "dmodk").unwrap();
    let mut worst = analyse(&instance).unwrap();
    assert_eq!(worst.upper(), Some(Rational::from(7)));
    let loads =
        |worst: &WorstCase| worst.links.iter().flatten().map(|link| link.load.clone()).max();
    for link in &mut worst.links {
        // Stopped before the links of the worst load.
        if link.as_ref().is_some_and(|bound| bound.load == Rational::from(7)) {
            *link = None;
        }
    }
    assert_eq!(loads(&worst), Some(Rational::from(4)));
    assert_eq!(worst.upper(), None);
    let proof = prove(&instance, &worst);
    // By its shape, 16 units leave a subtree of 16 hosts, and no link can carry more.
    assert_eq!(proof.bounds.upper, Rational::from(16));
    let (network, routing) =
        (NetworkForm::Named("ft(8,3)".into()), RoutingForm::Named("dmodk".into()));
    assert!(proof.certificate(network, routing).is_none());
}

/// Host 0 of a leaf has three times the capacity of the others: the worst traffic of an up
/// link is not a permutation. By hand, on two leaves of two hosts under one root, the up link
/// of leaf 0 carries all of it: 3 + 1 from the sources, but the destinations take 1 + 1.
#[test]
fn unequal_hosts_are_a_transportation_problem() {
    let tree = topology::generate("xgft(2;2,2;1,1)").unwrap();
    let routing = routing::build("dmodk", &tree).unwrap();
    let mut graph = tree.graph().clone();
    let fast = Rational::from(3);
    for link in tree.links_from(0).chain(tree.links_to(0)) {
        graph.edge_weights_mut().nth(link as usize).unwrap().capacity = fast.clone();
    }
    let topology = topology::Topology::new("one fast host".into(), graph).unwrap();
    let instance = Instance::trusted(topology, routing);
    let worst = analyse(&instance).unwrap();
    let up = |leaf: u32| tree.tree().unwrap().link_id(1, leaf, 0, 0);
    let load = |link: LinkId| worst.links[link as usize].as_ref().unwrap().load.clone();
    assert_eq!(load(up(0).0), Rational::from(2));
    assert_eq!(load(up(1).0), Rational::from(2));
    assert_eq!(load(up(0).1), Rational::from(2));
    assert_eq!(worst.upper(), Some(Rational::from(2)));
    let sent: Rational = worst.demands.iter().map(|demand| &demand.amount).sum();
    assert_eq!(sent, Rational::from(2));
}
