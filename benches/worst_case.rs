//! The worst case of every link, against a straightforward reference: follow all paths, then for
//! each link build a graph of its pairs and match it with petgraph, on one thread. The
//! reference gives only loads, without covers or a witness.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

mod common;

use std::collections::HashMap;

use criterion::{BenchmarkId, Criterion};
use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};
use routebound::routing::Instance;
use routebound::topology::{Host, host_number};
use routebound::worst_case::{WorstCase, analyse};

const INSTANCES: [(&str, &str); 3] =
    [("ft(8,3)", "dmodk"), ("ft(8,3)", "random"), ("ft(16,3)", "dmodk")];

fn routebound(instance: &Instance) -> WorstCase {
    analyse(instance).unwrap()
}

fn reference(instance: &Instance) -> usize {
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
    pairs.iter().map(|pairs| largest_disjoint_subset(pairs)).max().unwrap()
}

fn largest_disjoint_subset(pairs: &[(Host, Host)]) -> usize {
    let mut graph = UnGraph::<(), ()>::new_undirected();
    let (mut sources, mut destinations) = (HashMap::new(), HashMap::new());
    for (s, d) in pairs {
        let left: NodeIndex = *sources.entry(*s).or_insert_with(|| graph.add_node(()));
        let right = *destinations.entry(*d).or_insert_with(|| graph.add_node(()));
        graph.add_edge(left, right, ());
    }
    maximum_matching(&graph).len()
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("worst_case");
    group.sample_size(10);
    for (topology, routing) in INSTANCES {
        let instance = Instance::named(topology, routing).unwrap();
        let name = format!("{routing} on {topology}");
        assert_eq!(routebound(&instance).upper(), Some((reference(&instance) as u64).into()));
        group.bench_function(BenchmarkId::new("routebound", &name), |bencher| {
            bencher.iter(|| routebound(&instance));
        });
        group.bench_function(BenchmarkId::new("petgraph per link", &name), |bencher| {
            bencher.iter(|| reference(&instance));
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
