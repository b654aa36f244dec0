//! Optimal loads: column generation, the arc formulation handed to HiGHS in one piece, and the
//! approximation. All of them end in exact bounds, whose computation is included in the time.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::{BenchmarkId, Criterion};
use routebound::import::{self, ImportOptions, traffic::Hosts};
use routebound::lp::{self, Method, Options, program::Solver};
use routebound::optimum::multiplicative::{self, Goal};
use routebound::progress::Progress;
use routebound::topology::Topology;
use routebound::traffic::{Demand, TrafficMatrix};

fn instance(network: &str, traffic: &str) -> (Topology, TrafficMatrix) {
    let topology = import::topology(network, &ImportOptions::default()).unwrap();
    let matrix = import::traffic::open(traffic, Hosts::Of(&topology)).unwrap();
    (topology, matrix)
}

/// Bounds by one method, checked to be close to each other.
fn solve(topology: &Topology, demands: &[Demand], method: Method, solver: Solver) {
    let options = Options { method, solver, ..Options::default() };
    let bounds = lp::optu(topology, demands, &options, &Progress::silent()).unwrap();
    assert!(bounds.gap() < 1e-6, "{method:?} {solver:?}: gap {}", bounds.gap());
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("optu");
    group.sample_size(10);
    for (name, network, traffic) in [
        (
            "GEANT, measured",
            "instances/networks/figret/GEANT.json",
            "file(index=0):instances/networks/figret/GEANT_train_5.hist",
        ),
        ("Abilene, all pairs", "instances/networks/topologyzoo/Abilene.graphml", "uniform"),
        ("ft(4,3), random", "ft(4,3)", "random(p=0.5,seed=1)"),
        ("ft(8,2), all pairs", "ft(8,2)", "uniform"),
    ] {
        let (topology, matrix) = instance(network, traffic);
        let demands = matrix.demands();
        for (way, method, solver) in [
            ("columns", Method::Columns, Solver::Choose),
            ("one linear program, simplex", Method::ArcFlow, Solver::Simplex),
            ("one linear program, interior point", Method::ArcFlow, Solver::InteriorPoint),
        ] {
            group.bench_function(BenchmarkId::new(way, name), |bencher| {
                bencher.iter(|| solve(&topology, demands, method, solver));
            });
        }
        group.bench_function(BenchmarkId::new("approximation to 1 %", name), |bencher| {
            bencher.iter(|| {
                multiplicative::optu(&topology, demands, &Goal { gap: 0.01 }, &Progress::silent())
            });
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
