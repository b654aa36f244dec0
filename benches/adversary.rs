//! Swap evaluations of the adversaries' incremental loads on one core: two destinations are
//! exchanged and the max load is read.
//!
//! `cargo bench --bench adversary`.

#![expect(clippy::unwrap_used, reason = "a bench may fail by panic")]

mod common;

use criterion::{Criterion, Throughput};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use routebound::adversary::{AttackContext, IncrementalLoads};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::{Host, host_number};

const INSTANCES: [(&str, &str); 6] = [
    ("ft(8,3)", "dmodk"),
    ("ft(8,3)", "random"),
    ("ft(8,3)", "kpath(k=2)"),
    ("ft(16,3)", "dmodk"),
    ("ft(16,3)", "random"),
    ("xgft(3;8,8,16;1,4,4)", "dmodk"),
];

/// Swaps of one iteration.
const SWAPS: u64 = 1000;

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("adversary");
    group.throughput(Throughput::Elements(SWAPS));
    for (topology, routing) in INSTANCES {
        let instance = Instance::named(topology, routing).unwrap();
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let mut generator = ChaCha8Rng::seed_from_u64(1);
        let hosts = host_number(instance.topology().hosts());
        let mut image: Vec<Host> = (0..hosts).collect();
        image.shuffle(&mut generator);
        let mut incremental = IncrementalLoads::new(&context);
        incremental.set(&image);
        let mut draw = || (generator.random_range(0..hosts), generator.random_range(0..hosts));
        let swaps: Vec<(Host, Host)> = (0..SWAPS).map(|_| draw()).collect();
        group.bench_function(format!("swap/{topology}/{routing}"), |bencher| {
            bencher.iter(|| {
                let one = |sum, (a, b): &(Host, Host)| {
                    incremental.swap(*a, *b);
                    incremental.max_units().max(sum)
                };
                swaps.iter().fold(0, one)
            });
        });
        // The counters still agree with the permutation.
        let image: Vec<Host> = (0..hosts).map(|s| incremental.image(s)).collect();
        let mut fresh = IncrementalLoads::new(&context);
        fresh.set(&image);
        assert!(incremental.ratio() == fresh.ratio() && fresh.ratio() > Some(Rational::ZERO));
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
