//! The path of every SD pair, for every registered routing: time per pair.

mod common;

use criterion::{Criterion, Throughput};
use routebound::routing::{self, Instance};
use routebound::topology::host_number;

/// 128 hosts each; a routing runs on the first topology that it fits.
const TOPOLOGIES: [&str; 3] = ["ft(8,3)", "ft(16,2)", "ftree(4,16,32)"];

fn follow(instance: &Instance) -> usize {
    let (hosts, mut scratch, mut hops) = (host_number(instance.topology().hosts()), Vec::new(), 0);
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            let mut count = |_: &_, links: &[_]| hops += links.len();
            instance.routing().for_each_path(s, d, &mut scratch, &mut count);
        }
    }
    hops
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("paths");
    for kind in routing::KINDS {
        // Routings that read files fit none of these.
        let mut instances = TOPOLOGIES.iter().flat_map(|t| Instance::named(t, kind.examples[0]));
        let Some(instance) = instances.next() else { continue };
        let hosts = instance.topology().hosts() as u64;
        group.throughput(Throughput::Elements(hosts * (hosts - 1)));
        let name = format!("{} on {}", instance.routing().spec(), instance.topology().spec());
        group.bench_function(name, |bencher| bencher.iter(|| follow(&instance)));
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
