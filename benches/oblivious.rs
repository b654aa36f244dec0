//! The oblivious ratio of a routing, and the best routing: linear programs solved link by link against
//! one linear program over all links, handed to HiGHS in one piece. Both are checked to agree.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a bench may panic")]

mod common;
#[path = "common/one_program.rs"]
mod one_program;

use criterion::{BenchmarkId, Criterion};
use one_program::{of_best_routing, of_routing};
use routebound::import::{self, ImportOptions};
use routebound::lp::optimal::{Options, optimal};
use routebound::lp::program::Solver;
use routebound::lp::worst_demand::refine;
use routebound::progress::Progress;
use routebound::routing::{self, Instance};
use routebound::topology::Topology;
use routebound::worst_case::{analyse, prove};

/// A linear program not solved within this time gets no figure.
const SECONDS: f64 = 300.0;

fn network(name: &str) -> Topology {
    let path = format!("instances/networks/{name}");
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    import::topology(&path, &options).unwrap()
}

/// The exact ratio, link by link, confirmed in exact arithmetic.
fn ratio(instance: &Instance) -> f64 {
    let quiet = Progress::silent();
    let mut worst = analyse(instance).unwrap();
    let proof = prove(instance, &worst);
    let (proof, _) = refine(instance, &mut worst, &proof, &quiet).unwrap();
    proof.bounds.upper.to_f64()
}

fn agree(found: f64, reference: (Option<f64>, (usize, usize))) {
    let (Some(value), size) = reference else { return };
    assert!((found - value).abs() < 1e-5, "{found} {value} {size:?}");
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("oblivious ratio of ecmp");
    group.sample_size(10);
    for name in ["topologyzoo/Abilene.graphml", "b4/B4.json", "topologyzoo/Geant2012.graphml"] {
        let topology = network(name);
        let routing = routing::build("ecmp", &topology).unwrap();
        let instance = Instance::trusted(topology, routing);
        for (way, solver) in
            [("simplex", Solver::Simplex), ("interior point", Solver::InteriorPoint)]
        {
            agree(ratio(&instance), of_routing(&instance, solver, SECONDS));
            let id = BenchmarkId::new(format!("one linear program, {way}"), name);
            group.bench_function(id, |b| b.iter(|| of_routing(&instance, solver, SECONDS)));
        }
        group.bench_function(BenchmarkId::new("link by link", name), |b| {
            b.iter(|| ratio(&instance));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("best routing");
    group.sample_size(10);
    let name = "topologyzoo/Abilene.graphml";
    let topology = network(name);
    let best = || optimal(&topology, Options::default(), &Progress::silent()).unwrap().claimed;
    agree(best(), of_best_routing(&topology, Solver::InteriorPoint, SECONDS));
    group.bench_function(BenchmarkId::new("one linear program, interior point", name), |b| {
        b.iter(|| of_best_routing(&topology, Solver::InteriorPoint, SECONDS));
    });
    group.bench_function(BenchmarkId::new("paths and traffic in turn", name), |b| b.iter(best));
    group.finish();
}

fn main() {
    common::run(bench);
}
