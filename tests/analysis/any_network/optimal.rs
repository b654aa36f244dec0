//! Best oblivious routings whose ratio is known.

use std::path::PathBuf;

use super::graphs::{complete, cube, cycle, grid, network, petersen};
use routebound::assessment::{LeastAssessment, assess_least};
use routebound::bounds::Evidence;
use routebound::certificate::{self, Among, Least, Quantity};
use routebound::embed;
use routebound::generators::checker::check;
use routebound::import::{self, ImportOptions};
use routebound::lp::optimal::{OptimalError, Options, Paths, optimal};
use routebound::lp::worst_demand::refine;
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::topology::{self, Topology};
use routebound::traffic::PathRecord;
use routebound::worst_case::{analyse, prove};

/// What is proven of the best routing, whose ratio or load is `value` as far as the search can tell.
fn judged(
    topology: Topology,
    options: Options<'_>,
    among: Among,
    value: &Rational,
) -> LeastAssessment {
    let best = optimal(&topology, options, &Progress::silent()).unwrap();
    assert!(best.complete);
    assert_eq!(best.lower, *value);
    let routing = Listed::new("table:best".into(), topology.hosts(), best.paths).unwrap();
    let instance = Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>);
    let quantity = options.quantity;
    let least = Least { quantity, lower: best.lower, among, dual_demands: best.dual_demands };
    assess_least(&instance, least, &Progress::silent()).unwrap()
}

/// The best routing, and the certificate as written to a file: no routing over the same paths has a
/// ratio below `value`, and this one attains it.
fn certified(topology: Topology, options: Options<'_>, among: Among, value: &Rational) {
    let quantity = options.quantity;
    let assessment = judged(topology, options, among, value);
    assert_eq!(assessment.optimum.to_string(), format!("{value} (proven)"));
    assert_eq!(assessment.routing.to_string(), format!("{value} (proven)"));
    let mut bytes = Vec::new();
    certificate::write(&assessment.certificate.unwrap(), &mut bytes).unwrap();
    let accepted = check(&certificate::read(&bytes[..]).unwrap()).unwrap();
    let least = accepted.iter().find(|bounds| bounds.quantity == Least::name(quantity)).unwrap();
    assert_eq!((&least.lower, &least.upper), (value, value));
}

fn expect(topology: Topology, ratio: &Rational) {
    certified(topology, Options::default(), Among::All, ratio);
}

fn parse(text: &str) -> Rational {
    text.parse().unwrap()
}

#[test]
fn cycles() {
    for k in 3..=10_u32 {
        expect(cycle(k), &Rational::new(u64::from(2 * k - 2), k.into()).unwrap());
    }
}

/// Blocks are routed one by one: the cycle of 5 has the larger ratio, 8/5, and a leaf adds nothing.
/// The paths are those of 6 + 10 pairs and the leaf's, two each at most: not of all 56 pairs.
#[test]
fn blocks_that_meet_in_nodes() {
    let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 2), (6, 7)];
    let joined = || network("joined", 8, &edges);
    let best = optimal(&joined(), Options::default(), &Progress::silent()).unwrap();
    assert!(best.stats.paths <= 2 * (3 + 10 + 1), "{:?}", best.stats);
    expect(joined(), &parse("8/5"));
    let shortest = Options { paths: Paths::Shortest, ..Options::default() };
    certified(joined(), shortest, Among::Shortest, &parse("2"));
}

/// More pairs than vertices of the master are good for from the beginning.
#[test]
fn large_cycle() {
    let k = 18_u32;
    expect(cycle(k), &Rational::new(u64::from(2 * k - 2), k.into()).unwrap());
}

/// The even split over the paths of a tree has ratio 1, so there is nothing to search for.
#[test]
fn an_even_split_is_known_to_be_best() {
    let tree = topology::generate("xgft(2;4,4;1,5)").unwrap();
    let routing = routing::build("omrmn", &tree).unwrap();
    let options = Options { paths: Paths::Of(routing.as_ref()), ..Options::default() };
    assert_eq!(optimal(&tree, options, &Progress::silent()).unwrap().stats.rounds, 0);
    let among = embed::among(&tree, routing.as_ref(), &Progress::silent()).unwrap();
    certified(tree, options, among, &parse("1"));
}

/// The exact ratio of a routing.
fn ratio_of(topology: Topology, paths: Vec<PathRecord>) -> f64 {
    let routing = Listed::new("table:found".into(), topology.hosts(), paths).unwrap();
    let instance = Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>);
    let quiet = Progress::silent();
    let mut worst = analyse(&instance).unwrap();
    let proof = prove(&instance, &worst);
    let (proof, _) = refine(&instance, &mut worst, &proof, &quiet).unwrap();
    assert_eq!(proof.bounds.lower, proof.bounds.upper);
    proof.bounds.upper.to_f64()
}

/// The worst case of the routing so far is its true one, whenever a search stops.
#[test]
fn claims_of_a_stopped_search_hold() {
    for rounds in if cfg!(feature = "slow-tests") { 1..6 } else { 2..3 } {
        let stop = Stop::at(None);
        let progress = Progress::silent().stopped_by(stop.clone()).watched_by(move |done| {
            if done >= rounds {
                stop.request();
            }
        });
        let best = optimal(&cycle(18), Options::default(), &progress).unwrap();
        assert!(!best.complete);
        let ratio = ratio_of(cycle(18), best.paths);
        assert!((best.claimed / ratio - 1.0).abs() < 1e-6, "{rounds}: {} {ratio}", best.claimed);
        assert!(best.lower.to_f64() <= ratio);
    }
}

/// Up to six nodes, in the full tier seven.
#[test]
fn complete_graphs() {
    for n in 3..=if cfg!(feature = "slow-tests") { 7 } else { 6_u32 } {
        expect(complete(n), &Rational::new(u64::from(2 * n - 2), n.into()).unwrap());
    }
}

#[test]
fn small_grid() {
    expect(grid(2, 3), &parse("39/23"));
}

#[test]
fn square_grid() {
    expect(grid(3, 3), &parse("29/15"));
}

#[test]
fn three_cube() {
    expect(cube(), &parse("2"));
}

#[test]
fn petersen_graph() {
    expect(petersen(), &parse("11/5"));
}

#[test]
fn abilene() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("instances/networks/topologyzoo/Abilene.graphml");
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let network = import::topology(file.to_str().unwrap(), &options).unwrap();
    // 1.8505747126…
    expect(network, &parse("161/87"));
}

#[test]
fn shortest_paths_only() {
    // On odd cycles there is one shortest path per pair, with ratio 2.
    let options = Options { paths: Paths::Shortest, ..Options::default() };
    certified(cycle(5), options, Among::Shortest, &parse("2"));
}

#[test]
fn given_paths_only() {
    // Single paths leave no choice; all shortest paths of a full tree reach 1.
    for (given, ratio) in [("dmodk", "2"), ("kpath(k=2,choice=shift)", "1"), ("omrmn", "1")] {
        let tree = topology::generate("ft(4,2)").unwrap();
        let routing = routing::build(given, &tree).unwrap();
        let options = Options { paths: Paths::Of(routing.as_ref()), ..Options::default() };
        let among = embed::among(&tree, routing.as_ref(), &Progress::silent()).unwrap();
        certified(tree, options, among, &parse(ratio));
    }
}

/// Every pair has a direct link and a way over the third node: with both ways given, the best
/// routing of the triangle is the best over all paths, with ratio 2 − 2/3.
#[test]
fn all_paths_given_are_all_paths() {
    let triangle = cycle(3);
    let mut records = Vec::new();
    for (s, d) in (0..3).flat_map(|s| (0..3).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        // Link 2i leads from i to i + 1, link 2i + 1 back.
        let half = Rational::new(1, 2).unwrap();
        let direct = if (s + 1) % 3 == d { vec![2 * s] } else { vec![2 * d + 1] };
        let around = if (s + 1) % 3 == d {
            vec![2 * ((s + 2) % 3) + 1, 2 * d + 1]
        } else {
            vec![2 * s, 2 * ((s + 1) % 3)]
        };
        records.push(PathRecord { s, d, share: half.clone(), links: direct });
        records.push(PathRecord { s, d, share: half, links: around });
    }
    let routing = Listed::new("table:both".into(), 3, records).unwrap();
    let options = Options { paths: Paths::Of(&routing), ..Options::default() };
    let among = embed::among(&triangle, &routing, &Progress::silent()).unwrap();
    certified(triangle, options, among, &parse("4/3"));
}

#[test]
fn hose_traffic() {
    // A star: every link is a host's, which sends or receives no more than it carries. The
    // middle host has two links each way, so its capacity is 2, but an end receives at most 1.
    let star = network("star", 3, &[(0, 1), (1, 2)]);
    let options = Options { quantity: Quantity::HoseLoad, ..Options::default() };
    certified(star, options, Among::All, &parse("1"));
    // Four hosts of a leaf may all send over its one link, though the tree cannot carry that.
    let slimmed = topology::generate("xgft(2;4,2;1,1)").unwrap();
    certified(slimmed, options, Among::All, &parse("4"));
}

/// Values by another formulation: flows of all pairs, and prices of hosts for every link, in one linear program
/// (HiGHS's interior point method). Their best routings have shares of many different denominators.
#[test]
fn hose_traffic_on_random_networks() {
    for (spec, value) in
        [("jellyfish(10,3,p=0,seed=8)", "5"), ("jellyfish(10,4,p=0,seed=3)", "10/3")]
    {
        let options = Options { quantity: Quantity::HoseLoad, ..Options::default() };
        let topology = topology::generate(spec).unwrap();
        let found = judged(topology, options, Among::All, &parse(value)).optimum;
        assert_eq!((&found.lower, &found.evidence), (&parse(value), &Evidence::Proven), "{spec}");
        assert!(found.upper.to_f64() < found.lower.to_f64() * (1.0 + 1e-6), "{spec}: {found}");
    }
}

#[test]
fn a_stopped_search_has_bounds() {
    let stop = Stop::at(None);
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let best = optimal(&cube(), Options::default(), &progress).unwrap();
    assert!(!best.complete && best.lower == parse("1"));
    assert_eq!(best.paths.len(), 56);
}

/// However early the stop, there is a routing of all pairs over the paths that are allowed.
#[test]
fn a_stopped_search_has_a_routing() {
    let tree = topology::generate("xgft(2;4,4;1,5)").unwrap();
    let routing = routing::build("omrmn", &tree).unwrap();
    for paths in [Paths::All, Paths::Shortest, Paths::Of(routing.as_ref())] {
        let stop = Stop::at(None);
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let best = optimal(&tree, Options { paths, ..Options::default() }, &progress).unwrap();
        assert!(!best.complete);
        assert!(Listed::new("table:start".into(), tree.hosts(), best.paths).is_some());
    }
}

#[test]
fn bad_networks_are_refused() {
    let apart = network("apart", 3, &[(0, 1)]);
    let refused = optimal(&apart, Options::default(), &Progress::silent()).unwrap_err();
    assert!(matches!(refused, OptimalError::Unreachable { s: 0, d: 2, .. }));
    let alone = network("alone", 1, &[]);
    let refused = optimal(&alone, Options::default(), &Progress::silent()).unwrap_err();
    assert_eq!(refused, OptimalError::OneHost);
    let large = network("large", 200, &[]);
    let refused = optimal(&large, Options::default(), &Progress::silent()).unwrap_err();
    assert!(matches!(refused, OptimalError::TooLarge(_)));
}
