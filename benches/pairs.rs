//! The SD pairs of every link, counted and then collected, against the obvious way: one list per
//! link that grows path by path.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use criterion::{BenchmarkId, Criterion};
use routebound::load::{LinkPairs, PairCounts};
use routebound::progress::Progress;
use routebound::routing::Instance;
use routebound::topology::{Host, host_number, link_number};

fn collect(instance: &Instance) -> LinkPairs {
    let (links, silent) = (instance.topology().links(), Progress::silent());
    let counts = PairCounts::collect(instance, vec![true; links], &silent).unwrap();
    LinkPairs::collect(instance, &counts, 0..link_number(links), &silent).unwrap()
}

fn grow(instance: &Instance) -> Vec<Vec<(Host, Host)>> {
    let (hosts, mut scratch) = (host_number(instance.topology().hosts()), Vec::new());
    let mut pairs = vec![Vec::new(); instance.topology().links()];
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            instance.routing().for_each_path(s, d, &mut scratch, &mut |_, links| {
                for link in links {
                    pairs[*link as usize].push((s, d));
                }
            });
        }
    }
    pairs
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pairs");
    for (topology, routing) in [("ft(8,3)", "dmodk"), ("ft(16,3)", "dmodk"), ("ft(16,3)", "random")]
    {
        let instance = Instance::named(topology, routing).unwrap();
        let name = format!("{routing} on {topology}");
        group.bench_function(BenchmarkId::new("routebound", &name), |bencher| {
            bencher.iter(|| collect(&instance));
        });
        group.bench_function(BenchmarkId::new("growing lists", &name), |bencher| {
            bencher.iter(|| grow(&instance));
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
