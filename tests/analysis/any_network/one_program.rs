//! The link-by-link linear programs against one linear program over all links.

use super::graphs::{cycle, grid, uneven_cycle, weighted_network};
use super::program::{of_best_routing, of_routing};
use routebound::assessment::Assess;
use routebound::failure;
use routebound::lp::optimal::{Options, optimal};
use routebound::lp::program::Solver;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{self, Topology};
use routebound::worst_case::Method;

/// Links of several capacities, some of them parallel.
fn uneven() -> Topology {
    let edges = [(0, 1, 3), (1, 2, 1), (2, 3, 2), (3, 0, 1), (0, 2, 1), (0, 2, 2), (3, 4, 1)];
    let edges: Vec<_> = edges.iter().map(|(u, v, c)| (*u, *v, Rational::from(*c))).collect();
    weighted_network("uneven", 5, &edges)
}

fn networks() -> Vec<Topology> {
    let slimmed = topology::generate("xgft(2;3,2;1,2)").unwrap();
    vec![cycle(5), grid(2, 3), uneven(), uneven_cycle(4), slimmed]
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn ratios_of_even_splits_are_those_of_one_program() {
    for topology in networks() {
        let name = topology.spec().to_string();
        let routing = routing::build("ecmp", &topology).unwrap();
        let instance = Instance::trusted(topology, routing);
        let (reference, _) = of_routing(&instance, Solver::Simplex, 60.0);
        let found = Assess::new().embedded().run(&instance).unwrap();
        let found = found.oblivious_ratio.exact().unwrap().to_f64();
        assert!(is_near(found, reference.unwrap()), "{name}: {found} {reference:?}");
    }
}

/// Tapered trees that lost cables, as fabrics do: the worst link is often one into a leaf switch, where the worst
/// traffic is one flow.
#[test]
fn ratios_of_damaged_trees_are_those_of_one_program() {
    let mut by_flow = 0;
    for seed in 0..12 {
        let tree = topology::generate(["xgft(2;4,3;1,3)", "xgft(2;3,4;1,2)"][seed % 2]).unwrap();
        let cables = failure::at_random(&tree, 1 + seed as u64 % 3, seed as u64).unwrap();
        let ecmp = routing::build("ecmp", &tree).unwrap();
        let Ok(damaged) = failure::fail(&tree, ecmp.into(), &cables) else { continue };
        // A switch whose hosts are cut off is on no level.
        if damaged.topology.hosts() < tree.hosts() {
            continue;
        }
        let graph = damaged.topology.graph().clone();
        let topology = Topology::new("damaged".to_string(), graph).unwrap();
        let ecmp = routing::build("ecmp", &topology).unwrap();
        let instance = Instance::trusted(topology, ecmp);
        let (reference, _) = of_routing(&instance, Solver::Simplex, 60.0);
        let found = Assess::new().run(&instance).unwrap();
        by_flow += usize::from(found.method == Method::Cuts);
        let found = found.oblivious_ratio.exact().unwrap().to_f64();
        assert!(is_near(found, reference.unwrap()), "{seed}: {found} {reference:?}");
    }
    assert!(by_flow > 4, "{by_flow} by flow");
}

#[test]
fn best_routings_are_those_of_one_program() {
    for topology in networks() {
        let (reference, _) = of_best_routing(&topology, Solver::Simplex, 60.0);
        let best = optimal(&topology, Options::default(), &Progress::silent()).unwrap();
        let found = best.lower.to_f64();
        assert!(is_near(found, reference.unwrap()), "{}: {reference:?}", topology.spec());
        assert!(is_near(found, best.claimed));
    }
}
