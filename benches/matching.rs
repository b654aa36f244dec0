//! Maximum-cardinality matching with its König cover, against petgraph's maximum matching
//! (which gives no cover).

mod common;

use criterion::{BenchmarkId, Criterion};
use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::integer::index32;
use routebound::matching::{Graph, Matching};

const COMPLETE_SIDE: usize = 128;
const RANDOM_SIDE: u32 = 512;
const RANDOM_DEGREE: u32 = 4;

/// A bipartite graph of `side` + `side` vertices with the edges for which `has` returns true.
fn graph(side: usize, mut has: impl FnMut() -> bool) -> Graph {
    let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right: side };
    for _ in 0..side {
        graph.targets.extend((0..index32(side)).filter(|_| has()));
        graph.offsets.push(index32(graph.targets.len()));
    }
    graph
}

fn random() -> Graph {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    graph(RANDOM_SIDE as usize, || generator.next_u32() % RANDOM_SIDE < RANDOM_DEGREE)
}

fn petgraph(graph: &Graph) -> UnGraph<(), ()> {
    let mut same = UnGraph::with_capacity(graph.left() + graph.right, graph.targets.len());
    for _ in 0..graph.left() + graph.right {
        same.add_node(());
    }
    for (u, ends) in graph.offsets.windows(2).enumerate() {
        for v in &graph.targets[ends[0] as usize..ends[1] as usize] {
            let right = graph.left() + *v as usize;
            same.add_edge(NodeIndex::new(u), NodeIndex::new(right), ());
        }
    }
    same
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("matching");
    for (name, graph) in [("random", random()), ("complete", graph(COMPLETE_SIDE, || true))] {
        let mut matching = Matching::default();
        group.bench_function(BenchmarkId::new("routebound", name), |bencher| {
            bencher.iter(|| {
                matching.maximise(&graph);
                matching.cover(&graph)
            });
        });
        let same = petgraph(&graph);
        assert_eq!(maximum_matching(&same).len(), matching.size);
        group.bench_function(BenchmarkId::new("petgraph", name), |bencher| {
            bencher.iter(|| maximum_matching(&same).len());
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
