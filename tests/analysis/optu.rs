//! Optimal loads: the three methods agree with each other and with published and hand-computed
//! values, and the checker accepts every claim.
#![cfg_attr(feature = "highs", expect(clippy::unwrap_used, reason = "helpers of tests may panic"))]
#![cfg(feature = "highs")]

use std::path::{Path, PathBuf};

use itertools::Itertools;
use proptest::prelude::*;
use routebound::assessment::{AssessOptimum, OptimumAssessment, OptimumMethod};
use routebound::import::{self, ImportOptions, traffic::Hosts};
use routebound::load::LinkLoads;
use routebound::lp;
use routebound::optimum::baseload;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing;
use routebound::topology::{self, NetworkBuilder, Topology, host_number};
use routebound::traffic::{self, Demand};

use crate::trees::trees;

fn optu(topology: &Topology, demands: &[Demand], method: OptimumMethod) -> OptimumAssessment {
    let found = AssessOptimum::new().by(method).run(topology, demands).unwrap();
    assert_eq!(found.optu.evidence.to_string(), "proven");
    assert!(found.optu.lower <= found.optu.upper && found.complete);
    found
}

/// \[OR\] Corollary 1 and Theorem 1: on m-port n-trees optu = baseload, and OMRMN reaches it.
#[test]
fn optu_is_baseload_on_full_trees_for_every_pattern() {
    for spec in ["ft(4,2)", "ft(4,3)", "ft(8,2)"] {
        let tree = topology::generate(spec).unwrap();
        let omrmn = routing::build("omrmn", &tree).unwrap();
        let mut tried = 0;
        for pattern in traffic::KINDS.iter().flat_map(|kind| kind.examples) {
            let Ok(matrix) = traffic::generate(pattern, tree.hosts()) else { continue };
            let demands = matrix.demands();
            if demands.is_empty() {
                continue;
            }
            tried += 1;
            let base = baseload(&tree, demands);
            for method in [OptimumMethod::ClosedForm, OptimumMethod::Lp] {
                let found = optu(&tree, demands, method);
                assert_eq!(found.optu.exact(), Some(&base), "{pattern} on {spec}, {method:?}");
            }
            let loads = LinkLoads::of(&tree, &*omrmn, demands, &Progress::silent()).unwrap();
            assert_eq!(loads.max_load(), base, "{pattern} on {spec}");
        }
        assert!(tried >= 10, "{tried} patterns fit {spec}");
    }
}

/// The arc formulation, handed over in one piece, against column generation.
#[test]
fn formulations_agree() {
    let ring = network(5, &[(0, 1, 2), (1, 2, 1), (2, 3, 1), (3, 4, 3), (4, 0, 1), (0, 2, 1)]);
    let networks = [topology::generate("xgft(2;3,2;1,2)").unwrap(), ring];
    for (topology, pattern) in networks.iter().cartesian_product(["uniform", "shift(1)", "ring"]) {
        let matrix = traffic::generate(pattern, topology.hosts()).unwrap();
        let [columns, arcs] = [lp::Method::Columns, lp::Method::ArcFlow].map(|method| {
            let options = lp::Options { method, ..lp::Options::default() };
            lp::optu(topology, matrix.demands(), &options, &Progress::silent()).unwrap()
        });
        let name = format!("{pattern} on {}", topology.spec());
        assert!(columns.gap() < 1e-9 && arcs.gap() < 1e-6, "{name}");
        assert!(arcs.lower <= columns.upper && columns.lower <= arcs.upper, "{name}");
    }
}

/// A tree of 2 to 36 hosts that is not of full bisection.
fn slim_tree() -> impl Strategy<Value = String> {
    trees(1..=4, 1..=3, 2..=3, 2..=36).prop_filter("full", |spec| {
        !topology::generate(spec).unwrap().tree().unwrap().full_bisection()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Closed form = LP, exactly, on slimmed trees with random traffic, and on the same network
    /// without labels, where the LP cannot start from the answer's own structure.
    #[test]
    fn closed_form_is_the_lp_on_slimmed_trees(
        spec in slim_tree(), p in 1..=9_u32, seed in 0..999_u64
    ) {
        let tree = topology::generate(&spec).unwrap();
        let matrix = traffic::generate(&format!("random(p=0.{p},seed={seed})"), tree.hosts()).unwrap();
        let weight = |d: &Demand| Rational::new(u64::from(d.s + 2 * d.d) % 7 + 1, 3).unwrap();
        let demands: Vec<Demand> =
            matrix.demands().iter().map(|d| Demand { amount: weight(d), ..d.clone() }).collect();
        if demands.is_empty() {
            return Ok(());
        }
        let closed = optu(&tree, &demands, OptimumMethod::ClosedForm).optu;
        prop_assert!(closed.exact().is_some());
        let plain = Topology::new("plain".into(), tree.graph().clone()).unwrap();
        for network in [&tree, &plain] {
            let lp = optu(network, &demands, OptimumMethod::Lp).optu;
            prop_assert_eq!((&lp.lower, &lp.upper), (&closed.lower, &closed.upper), "{}", spec);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The approximation keeps its promise: the exact value lies between its bounds, and these are
    /// as near as asked.
    #[test]
    fn the_approximation_encloses_the_optimum(
        links in prop::collection::vec((0..7_u32, 0..7_u32, 1..9_u64), 4..24),
        pairs in prop::collection::vec((0..7_u32, 0..7_u32, 1..9_u64), 1..9)
    ) {
        let topology = network(7, &links);
        let demands: Vec<Demand> = pairs
            .iter()
            .filter(|(s, d, _)| s != d)
            .map(|(s, d, amount)| Demand { s: *s, d: *d, amount: Rational::from(*amount) })
            .collect();
        if demands.is_empty() {
            return Ok(());
        }
        let exact = optu(&topology, &demands, OptimumMethod::Lp).optu;
        for gap in [0.2, 0.02] {
            let assess = AssessOptimum::new().by(OptimumMethod::Approximation).up_to(gap);
            let found = assess.run(&topology, &demands).unwrap();
            let near = &found.optu;
            prop_assert!(near.lower <= exact.upper && exact.lower <= near.upper);
            let ratio = near.lower.checked_div(&near.upper).unwrap().to_f64();
            prop_assert!(ratio >= 1.0 - gap - 1e-6, "{} for {}", 1.0 - ratio, gap);
        }
    }
}

/// A ring of hosts, each way with capacity 1, and further links.
fn network(hosts: u32, links: &[(u32, u32, u64)]) -> Topology {
    let mut network = NetworkBuilder::new();
    let nodes: Vec<_> = (0..hosts).map(|host| network.host(format!("n{host}"))).collect();
    let ring = (0..hosts).flat_map(|i| {
        let next = (i + 1) % hosts;
        [(i, next, 1), (next, i, 1)]
    });
    let all = ring.chain(links.iter().copied()).filter(|(a, b, _)| a != b);
    for (port, (from, to, capacity)) in (1..).zip(all) {
        let ends = (nodes[from as usize], nodes[to as usize]);
        network.link_at((ends.0, port), (ends.1, port), Rational::from(capacity));
    }
    network.build("ring and more").unwrap()
}

/// The path of a file that must exist.
fn data(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    assert!(path.is_file(), "{} is missing", path.display());
    path
}

/// Optu of matrix `index` of a file, to 12 digits, with a gap below 1e-9.
fn value(network: &Path, matrix: &Path, index: usize) -> f64 {
    let topology = import::topology(network.to_str().unwrap(), &ImportOptions::default()).unwrap();
    let spec = format!("file(index={index}):{}", matrix.display());
    let matrix = import::traffic::open(&spec, Hosts::Of(&topology)).unwrap();
    let bounds = optu(&topology, matrix.demands(), OptimumMethod::Lp).optu;
    let gap = bounds.upper.checked_sub(&bounds.lower).unwrap();
    assert!(gap.checked_div(&bounds.upper).unwrap() <= Rational::new(1, 1_000_000_000).unwrap());
    bounds.upper.to_f64()
}

fn assert_values(network: &str, matrix: &str, expected: &[(usize, f64)]) {
    let (network, matrix) = (data(network), data(matrix));
    for (index, expected) in expected {
        let found = value(&network, &matrix, *index);
        assert!((found - expected).abs() < 1e-9 * expected, "{index}: {found} against {expected}");
    }
}

/// The optima published with the data (MIT licence, see `instances/README.md`).
#[test]
fn published_optima() {
    assert_values(
        "instances/networks/figret/GEANT.json",
        "instances/networks/figret/GEANT_train_5.hist",
        &[
            (0, 0.952_525_396_774),
            (1, 0.985_010_551_613),
            (2, 0.992_795_870_968),
            (3, 0.925_513_522_581),
            (4, 1.071_960_970_97),
            (5, 0.993_942_977_419),
        ],
    );
    assert_values(
        "instances/networks/figret/Facebook_pod_a.json",
        "instances/networks/figret/Facebook_pod_a_test_5.hist",
        &[(0, 4.671_533_333_33), (1, 4.280_366_666_67), (2, 4.274_166_666_67), (3, 4.1564)],
    );
}

/// Values found by another program, for data that is not part of this project and may be missing
/// entirely.
#[test]
fn optima_of_outside_data() {
    let Some(yates) = super::collection::collection("data/yates") else { return };
    let yates = yates.display();
    assert_values(
        &format!("{yates}/topologies/abilene.dot"),
        &format!("{yates}/demands/abilene.txt"),
        &[
            (0, 0.476_810_778_133),
            (1, 0.476_903_149_2),
            (2, 0.482_013_334_133),
            (35, 0.488_187_221_2),
        ],
    );
    for (name, expected) in [("3cycle", 0.5), ("4cycle", 1.0)] {
        assert_values(
            &format!("{yates}/topologies/{name}.dot"),
            &format!("{yates}/demands/{name}_demands.txt"),
            &[(0, expected)],
        );
    }
}

/// Gravity traffic on 158 nodes: every pair, in proportion to the product of their degrees.
#[test]
fn gravity_traffic_on_a_large_network() {
    let path = data("instances/networks/topologyzoo/UsCarrier.graphml");
    let topology = import::topology(path.to_str().unwrap(), &ImportOptions::default()).unwrap();
    assert_eq!(topology.hosts(), 158);
    let hosts = host_number(topology.hosts());
    let degree = |host| topology.links_from(host).count() as u64;
    let pairs = (0..hosts).flat_map(|s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)));
    let demands: Vec<Demand> = pairs
        .map(|(s, d)| Demand { s, d, amount: Rational::from(degree(s) * degree(d)) })
        .collect();
    let bounds = optu(&topology, &demands, OptimumMethod::Lp).optu;
    let gap = bounds.upper.checked_sub(&bounds.lower).unwrap();
    assert!(gap.checked_div(&bounds.upper).unwrap().to_f64() <= 1e-9);
}

/// Links that stay lightly loaded have no row in the master linear program.
#[test]
fn light_links_have_no_rows() {
    let path = data("instances/networks/topologyzoo/Geant2012.graphml");
    let topology = import::topology(path.to_str().unwrap(), &ImportOptions::default()).unwrap();
    let matrix = traffic::generate("uniform", topology.hosts()).unwrap();
    let quiet = Progress::silent();
    let bounds = lp::optu(&topology, matrix.demands(), &lp::Options::default(), &quiet).unwrap();
    assert!(bounds.stats.rounds > 1 && bounds.gap() < 1e-12, "{:?}", bounds.stats);
    assert!(bounds.stats.rows < topology.hosts() + topology.links(), "{:?}", bounds.stats);
}

/// Where all is alike in both directions, the links of a cable have one row of the master linear program,
/// and sources that enter the core of a network at the same node one too.
#[test]
fn merged_sources_and_directions_have_one_row() {
    let path = data("../shared/data/topologyzoo/Internode.graphml");
    let topology = import::topology(path.to_str().unwrap(), &ImportOptions::default()).unwrap();
    let matrix = traffic::generate("uniform", topology.hosts()).unwrap();
    let mut demands = matrix.demands().to_vec();
    let quiet = Progress::silent();
    let solve = |demands: &[Demand]| {
        let bounds = lp::optu(&topology, demands, &lp::Options::default(), &quiet).unwrap();
        assert!(bounds.stats.rounds > 1 && bounds.gap() < 1e-12, "{:?}", bounds.stats);
        bounds.stats
    };
    let alike = solve(&demands);
    demands[0].amount = Rational::from(2);
    let uneven = solve(&demands);
    assert!(uneven.rows > topology.hosts(), "one row a source: {uneven:?}");
    assert!(alike.rows < topology.hosts(), "{alike:?}");
}

/// Random networks with trees on them, whose links leave traffic no choice, and traffic that every
/// other time is alike in both directions: both formulations agree, and the checker accepts both ends.
#[test]
fn formulations_agree_where_traffic_has_no_choice() {
    for seed in 0..12_u32 {
        let random = |at: u32| (at * 7919 + seed * 104_729) % 10_007;
        let mut builder = NetworkBuilder::new();
        let nodes: Vec<_> = (0..12).map(|node| builder.host(format!("n{node}"))).collect();
        let mut cable = |a: u32, b: u32, capacity: u32| {
            builder.cable(
                nodes[a as usize],
                nodes[b as usize],
                Rational::from(u64::from(capacity)),
            );
        };
        (0..6).for_each(|i| cable(i, (i + 1) % 6, 2));
        (0..3).for_each(|i| cable(i, i + 3, 1 + random(i) % 3));
        // Chains and leaves, wide enough not to decide, or so narrow that they do.
        let wide = if seed % 3 == 0 { 1 } else { 60 };
        (6..12).for_each(|i| cable(i, random(i) % i, wide));
        let topology = builder.build("ring with trees").unwrap();
        let pairs = (0..12_u32).flat_map(|s| (0..12).map(move |d| (s, d)));
        // Whether the amount depends on the direction.
        let from = |s: u32, d: u32| if seed % 2 == 0 { s } else { s.min(d) };
        let demand = |(s, d): (u32, u32)| Demand {
            s,
            d,
            amount: Rational::new(u64::from(random(13 * from(s, d) + s.max(d)) % 5), 3).unwrap(),
        };
        let demands: Vec<Demand> =
            pairs.filter(|(s, d)| s != d).map(demand).filter(|d| !d.amount.is_zero()).collect();
        let [columns, arcs] = [lp::Method::Columns, lp::Method::ArcFlow].map(|method| {
            let options = lp::Options { method, ..lp::Options::default() };
            lp::optu(&topology, &demands, &options, &Progress::silent()).unwrap()
        });
        assert!(columns.gap() < 1e-9 && arcs.gap() < 1e-6, "{seed}");
        assert!(arcs.lower <= columns.upper && columns.lower <= arcs.upper, "{seed}");
        let found = optu(&topology, &demands, OptimumMethod::Lp).optu;
        assert_eq!((found.lower, found.upper), (columns.lower, columns.upper));
    }
}

#[test]
fn methods_that_do_not_apply_are_refused() {
    let tree = topology::generate("ft(4,2)").unwrap();
    let plain = Topology::new("plain".into(), tree.graph().clone()).unwrap();
    let demands = [Demand { s: 0, d: 7, amount: Rational::ONE }];
    let refusal = |topology, demands: &[Demand], method| {
        AssessOptimum::new().by(method).run(topology, demands).unwrap_err().to_string()
    };
    assert!(refusal(&plain, &demands, OptimumMethod::ClosedForm).contains("no closed form"));
    assert!(refusal(&tree, &[], OptimumMethod::Auto).contains("no demand"));
    let mut graph = tree.graph().clone();
    graph.retain_edges(|graph, edge| graph[graph.edge_endpoints(edge).unwrap().1].name != "host-7");
    let text = match Topology::new("cut".into(), graph) {
        Ok(cut) => refusal(&cut, &demands, OptimumMethod::Lp),
        Err(error) => error.to_string(),
    };
    assert!(text.contains("host-7") || text.contains("host 7"), "{text}");
}
