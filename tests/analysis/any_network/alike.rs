//! Symmetry saves work in the search for a best routing and changes no result.

use std::collections::BTreeSet;

use super::graphs::{complete, cube, cycle, grid, network, petersen, uneven_cycle};
use routebound::assessment::{OptimalAssessment, OptimalQuestion, assess_optimal};
use routebound::certificate::{self, Among, Quantity};
use routebound::embed;
use routebound::generators::checker::check;
use routebound::lp::optimal::{Options, Paths, automorphisms, optimal};
use routebound::progress::Progress;
use routebound::routing;
use routebound::symmetry::{Images, generators};
use routebound::topology::{self, Topology};

/// The best routing as `optimal` finds it, by automorphisms.
fn by_orbits(topology: &Topology, options: Options<'_>, among: Among) -> OptimalAssessment {
    let topology = topology.clone().into();
    let question = OptimalQuestion { topology, options, among, spec: "table:best".into() };
    assess_optimal(&question, &|_| Progress::silent(), &mut |_| {}).unwrap()
}

/// Complete bipartite.
fn bipartite(a: u32, b: u32) -> Topology {
    let edges: Vec<_> = (0..a).flat_map(|u| (a..a + b).map(move |v| (u, v))).collect();
    network(&format!("K{a},{b}"), a + b, &edges)
}

/// A path and a star: blocks that automorphisms exchange.
fn blocks() -> [Topology; 2] {
    let star = network(
        "star of triangles",
        7,
        &[(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (0, 5), (5, 6), (6, 0)],
    );
    [network("path", 4, &[(0, 1), (1, 2), (2, 3)]), star]
}

fn small() -> Vec<Topology> {
    let mut all: Vec<Topology> = (3..8).map(cycle).chain((3..6).map(complete)).collect();
    all.extend([grid(2, 3), cube(), bipartite(2, 3), bipartite(3, 3), uneven_cycle(4)]);
    // Automorphisms may take one of two parallel links to the other.
    all.push(network("twins", 3, &[(0, 1), (0, 1), (1, 2), (1, 2), (2, 0)]));
    all.extend(blocks());
    all.extend(["ft(4,2)", "xgft(2;2,3;1,2)"].map(|tree| topology::generate(tree).unwrap()));
    all
}

/// All paths for one quantity and shortest paths for the other, in turns: the full tier has both for both.
#[test]
fn symmetry_changes_no_optimum() {
    let quantities = [Quantity::ObliviousRatio, Quantity::HoseLoad];
    for (index, topology) in small().into_iter().enumerate() {
        let sets = [(Paths::All, Among::All), (Paths::Shortest, Among::Shortest)];
        for (set, (paths, among)) in sets.into_iter().enumerate() {
            let turn = (index + set) % 2;
            let kept = if cfg!(feature = "slow-tests") {
                &quantities[..]
            } else {
                &quantities[turn..=turn]
            };
            for &quantity in kept {
                let options = Options { paths, quantity, ..Options::default() };
                let plain = optimal(&topology, options, &Progress::silent()).unwrap();
                let found = by_orbits(&topology, options, among.clone());
                let optimum = found.routing.assessment.optimum;
                let what = format!("{}, {}, {among:?}", topology.spec(), quantity.name());
                assert!(plain.complete && found.complete, "{what}");
                assert_eq!(optimum.exact(), Some(&plain.lower), "{what}");
                let mut bytes = Vec::new();
                let certificate = found.routing.assessment.certificate.unwrap();
                certificate::write(&certificate, &mut bytes).unwrap();
                check(&certificate::read(&bytes[..]).unwrap()).unwrap();
            }
        }
    }
}

/// Paths that are given, some of which automorphisms take to others.
#[test]
fn given_paths_may_be_symmetric() {
    for (topology, given) in [
        (cycle(5), "ecmp"),
        (cube(), "ecmp"),
        (complete(4), "ksp(k=3)"),
        (grid(2, 3), "ksp(k=2)"),
        (topology::generate("ft(4,2)").unwrap(), "omrmn"),
    ] {
        let routing = routing::build(given, &topology).unwrap();
        let paths = Paths::Of(routing.as_ref());
        let options = Options { paths, ..Options::default() };
        let among = embed::among(&topology, routing.as_ref(), &Progress::silent()).unwrap();
        let plain = optimal(&topology, options, &Progress::silent()).unwrap();
        let found = by_orbits(&topology, options, among);
        let optimum = &found.routing.assessment.optimum;
        assert_eq!(optimum.exact(), Some(&plain.lower), "{} {given}", topology.spec());
    }
}

/// The best shares of the paths with at most two turns are found by themselves, where no symmetry helps.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn paths_with_two_turns_need_no_symmetry() {
    let torus = topology::generate("torus(4,2)").unwrap();
    let routing = routing::build("2turn", &torus).unwrap();
    let paths = Paths::Of(routing.as_ref());
    let options = Options { paths, quantity: Quantity::HoseLoad, ..Options::default() };
    let plain = optimal(&torus, options, &Progress::silent()).unwrap();
    assert_eq!((plain.complete, plain.lower), (true, 4.into()));
}

/// Number of elements of the group that generators make, node by node.
fn order(found: &[Images]) -> usize {
    let Some(nodes) = found.first().map(|images| images.nodes.len()) else { return 1 };
    let identity: Vec<u32> = (0..).take(nodes).collect();
    let (mut group, mut waiting) = (BTreeSet::from([identity.clone()]), vec![identity]);
    while let Some(element) = waiting.pop() {
        for images in found {
            let next: Vec<u32> = element.iter().map(|node| images.nodes[*node as usize]).collect();
            if group.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    group.len()
}

fn generated(spec: &str) -> Topology {
    topology::generate(spec).unwrap()
}

/// Orders that the literature states: of the dihedral groups, symmetric groups, the hyperoctahedral group, S5, and
/// PΓO(3,9). Those of Slim Flies and dragonflies are counted one by one where these are generated, and those of HyperX
/// are of products of symmetric groups, which may be exchanged where they are alike.
#[test]
fn generators_make_up_the_whole_group() {
    let silent = Progress::silent();
    let known = [
        (cycle(7), 14),
        (complete(5), 120),
        (cube(), 48),
        (petersen(), 120),
        (bipartite(3, 3), 72),
        (bipartite(2, 3), 12),
        (grid(2, 3), 4),
        (grid(3, 3), 8),
        (uneven_cycle(5), 5),
        (network("path", 4, &[(0, 1), (1, 2), (2, 3)]), 2),
        (generated("polarfly(9,p=0)"), 1440),
        (generated("slimfly(3,p=0)"), 216),
        (generated("dragonfly(0,2,1)"), 12),
        (generated("dragonfly(0,3,1)"), 24),
        (generated("hyperx(3,3,p=0)"), 72),
        (generated("hyperx(2,3,p=0)"), 12),
        (network("asymmetric", 6, &[(0, 1), (1, 2), (2, 3), (3, 4), (1, 3), (3, 5), (5, 0)]), 1),
    ];
    for (topology, expected) in known {
        assert_eq!(order(&generators(&topology, None, &silent)), expected, "{}", topology.spec());
    }
}

/// The Hoffman–Singleton graph, PΣU(3,5²), and the Slim Fly of q = 4.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a quarter of a minute")]
fn generators_make_up_large_groups() {
    for (spec, expected) in [("slimfly(4,p=0)", 1920), ("slimfly(5,p=0)", 252_000)] {
        let found = generators(&generated(spec), None, &Progress::silent());
        assert_eq!(order(&found), expected, "{spec}");
    }
}

/// Fewer generators join as much: those that the search needs make the whole group's orbits.
#[test]
fn few_generators_suffice() {
    let silent = Progress::silent();
    for topology in [petersen(), complete(6), cube()] {
        let found = automorphisms(&topology, Paths::All, &silent).unwrap();
        assert!((1..=4).contains(&found.len()), "{}: {}", topology.spec(), found.len());
    }
}

/// Points of a projective plane on the conic have a cable less, so that they send and receive less than the others.
#[test]
fn hosts_may_differ_in_what_they_send() {
    let options = Options { quantity: Quantity::HoseLoad, ..Options::default() };
    let plane = topology::generate("polarfly(3,p=0)").unwrap();
    let found = by_orbits(&plane, options, Among::All);
    assert!(found.complete && found.routing.assessment.certificate.is_ok());
}

/// The 4-ary 2-cube is the hypercube of 16 nodes.
#[test]
fn hypercube_of_16_nodes() {
    for spec in ["hypercube(4)", "torus(4,2)"] {
        let found = by_orbits(&topology::generate(spec).unwrap(), Options::default(), Among::All);
        assert_eq!(found.routing.assessment.optimum.to_string(), "42/17 (proven)", "{spec}");
    }
}
