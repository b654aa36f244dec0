//! The checker against the analysis whose result it checks: a check should be no slower.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::{BenchmarkId, Criterion};
use routebound::assessment::Assess;
use routebound::generators::checker::check;
use routebound::routing::Instance;
use routebound::worst_case::{Proof, analyse, prove};

fn proof(instance: &Instance) -> Proof {
    let worst = analyse(instance).unwrap();
    prove(instance, &worst)
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checker");
    group.sample_size(10);
    for (topology, routing, embed) in [
        ("ft(16,3)", "dmodk", false),
        ("ft(16,3)", "dmodk", true),
        ("ft(16,3)", "osrm3", false),
        ("ft(16,3)", "random(seed=1)", false),
    ] {
        let instance = Instance::named(topology, routing).unwrap();
        let assess = if embed { Assess::new().embedded() } else { Assess::new() };
        let kind = if embed { "embedded" } else { "named" };
        let name = format!("{kind}, {routing} on {topology}");
        let assessed = assess.run(&instance).unwrap();
        let certificate = assessed.certificate.unwrap();
        group.bench_function(BenchmarkId::new("check", &name), |bencher| {
            bencher.iter(|| check(&certificate).unwrap());
        });
        group.bench_function(BenchmarkId::new("analyse and prove", &name), |bencher| {
            bencher.iter(|| proof(&instance));
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
