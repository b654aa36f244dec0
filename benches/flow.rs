//! Maximum flow with its minimum cut on a transportation problem like that of a link with unequal
//! hosts, against the `dinics` of petgraph and the `edmonds_karp_sparse` of pathfinding. The times
//! of all three include building the network.
#![expect(clippy::unwrap_used, reason = "benches stop on failure")]

mod common;

use criterion::Criterion;
use pathfinding::prelude::edmonds_karp_sparse;
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::flow::FlowNetwork;
use routebound::progress::Progress;

const SIDE: usize = 64;
const NODES: usize = 2 + 2 * SIDE;
/// One pair in 4 is on the link.
const PAIRS: u32 = 4;

/// Arcs (from, to, capacity) from node 0 through sources and destinations to node 1.
fn arcs() -> Vec<(usize, usize, u64)> {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut arcs = Vec::new();
    for index in 0..SIDE {
        arcs.push((0, 2 + index, 1 + generator.next_u64() % 8));
        arcs.push((2 + SIDE + index, 1, 1 + generator.next_u64() % 8));
    }
    for s in 0..SIDE {
        let pairs = (0..SIDE).filter(|_| generator.next_u32().is_multiple_of(PAIRS));
        arcs.extend(pairs.map(|d| (2 + s, 2 + SIDE + d, 9)));
    }
    arcs
}

fn routebound(arcs: &[(usize, usize, u64)]) -> u64 {
    let mut network = FlowNetwork::new(NODES);
    for (from, to, capacity) in arcs {
        network.add_arc(*from, *to, *capacity);
    }
    network.maximise(0, 1, &Progress::silent()).unwrap()
}

fn petgraph(arcs: &[(usize, usize, u64)]) -> u64 {
    let mut network = DiGraph::<(), u64>::with_capacity(NODES, arcs.len());
    for _ in 0..NODES {
        network.add_node(());
    }
    for (from, to, capacity) in arcs {
        network.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), *capacity);
    }
    dinics(&network, NodeIndex::new(0), NodeIndex::new(1)).0
}

fn pathfinding(arcs: &[(usize, usize, u64)]) -> u64 {
    let nodes: Vec<usize> = (0..NODES).collect();
    let arcs = arcs.iter().map(|(from, to, capacity)| ((*from, *to), capacity.cast_signed()));
    edmonds_karp_sparse(&nodes, &0, &1, arcs).1.cast_unsigned()
}

fn bench(criterion: &mut Criterion) {
    let arcs = arcs();
    let value = routebound(&arcs);
    assert_eq!((petgraph(&arcs), pathfinding(&arcs)), (value, value));
    let mut group = criterion.benchmark_group("flow");
    group.bench_function("routebound", |bencher| bencher.iter(|| routebound(&arcs)));
    group.bench_function("petgraph", |bencher| bencher.iter(|| petgraph(&arcs)));
    group.bench_function("pathfinding", |bencher| bencher.iter(|| pathfinding(&arcs)));
    group.finish();
}

fn main() {
    common::run(bench);
}
