//! From two specs to a checked certificate as text: what `routebound ratio` does.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::Criterion;
use routebound::assessment::assess;
use routebound::certificate;
use routebound::routing::Instance;

fn assessed(topology: &str, routing: &str) -> Vec<u8> {
    let instance = Instance::named(topology, routing).unwrap();
    let assessment = assess(&instance).unwrap();
    let mut bytes = Vec::new();
    certificate::write(&assessment.certificate.unwrap(), &mut bytes).unwrap();
    bytes
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("end_to_end");
    group.sample_size(10);
    group.bench_function("dmodk on ft(16,3)", |bencher| {
        bencher.iter(|| assessed("ft(16,3)", "dmodk"));
    });
    group.finish();
}

fn main() {
    common::run(bench);
}
