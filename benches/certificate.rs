//! Writing and reading certificates, named and embedded.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::{BenchmarkId, Criterion, Throughput};
use routebound::assessment::{Form, assess};
use routebound::certificate::{self, Certificate};
use routebound::progress::Progress;
use routebound::routing::Instance;

fn certify(topology: &str, routing: &str, form: Form) -> Certificate {
    let instance = Instance::named(topology, routing).unwrap();
    assess(&instance, form, &Progress::silent()).unwrap().certificate.unwrap()
}

fn written(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    certificate::write(certificate, &mut bytes).unwrap();
    bytes
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("certificate");
    for (name, certificate) in [
        ("named, dmodk on ft(16,3)", certify("ft(16,3)", "dmodk", Form::Shortest)),
        ("tables, dmodk on ft(8,3)", certify("ft(8,3)", "dmodk", Form::Embedded)),
        ("paths, smodk on ft(8,3)", certify("ft(8,3)", "smodk", Form::Embedded)),
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
    let mut criterion = common::criterion();
    bench(&mut criterion);
    criterion.final_summary();
}
