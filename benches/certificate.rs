//! Writing and reading certificates, named and embedded.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::{BenchmarkId, Criterion, Throughput};
use routebound::assessment::Assess;
use routebound::certificate::{self, Certificate};
use routebound::routing::Instance;

fn certify(topology: &str, routing: &str, assess: Assess<'_>) -> Certificate {
    let instance = Instance::named(topology, routing).unwrap();
    assess.run(&instance).unwrap().certificate.unwrap()
}

fn written(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    certificate::write(certificate, &mut bytes).unwrap();
    bytes
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("certificate");
    for (name, certificate) in [
        ("named, dmodk on ft(16,3)", certify("ft(16,3)", "dmodk", Assess::new())),
        ("tables, dmodk on ft(8,3)", certify("ft(8,3)", "dmodk", Assess::new().embedded())),
        ("paths, smodk on ft(8,3)", certify("ft(8,3)", "smodk", Assess::new().embedded())),
    ] {
        let bytes = written(&certificate);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("write", name), |bencher| {
            bencher.iter(|| written(&certificate));
        });
        group.bench_function(BenchmarkId::new("read", name), |bencher| {
            bencher.iter(|| certificate::read(bytes.as_slice()).unwrap());
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
