//! The link-by-link programmes against one programme over all links.

use super::graphs::{cycle, grid, uneven_cycle, weighted_network};
use super::programme::{of_best_routing, of_routing};
use routebound::assessment::Assess;
use routebound::lp::optimal::{Options, optimal};
use routebound::lp::programme::Solver;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{self, Topology};

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
fn ratios_of_even_splits_are_those_of_one_programme() {
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

#[test]
fn best_routings_are_those_of_one_programme() {
    for topology in networks() {
        let (reference, _) = of_best_routing(&topology, Solver::Simplex, 60.0);
        let best = optimal(&topology, Options::default(), &Progress::silent()).unwrap();
        let found = best.lower.to_f64();
        assert!(is_near(found, reference.unwrap()), "{}: {reference:?}", topology.spec());
        assert!(is_near(found, best.claimed));
    }
}
