//! Maximum-weight matching with dual potentials, against `pathfinding::kuhn_munkres` (which
//! gives no potentials).
#![expect(clippy::unwrap_used, reason = "benches stop on failure")]

mod common;

use criterion::{BenchmarkId, Criterion};
use pathfinding::prelude::{Matrix, kuhn_munkres};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::matching::weighted::maximum_weight;
use routebound::progress::Progress;

const SIDE: usize = 128;

/// Random weights with `largest` distinct values; routings have few distinct shares, such as k/8.
fn weights(largest: u64) -> Matrix<i64> {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    Matrix::from_fn(SIDE, SIDE, |_| (generator.next_u64() % largest).cast_signed())
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("weighted_matching");
    for (name, weights) in [("eighths", weights(9)), ("many weights", weights(1 << 20))] {
        let weight = |row: usize, column: usize| weights[(row, column)].cast_unsigned();
        let silent = Progress::silent();
        let found = maximum_weight(SIDE, SIDE, &weight, &silent).unwrap().weight;
        assert_eq!(found.cast_signed(), kuhn_munkres(&weights).0);
        group.bench_function(BenchmarkId::new("routebound", name), |bencher| {
            bencher.iter(|| maximum_weight(SIDE, SIDE, &weight, &silent));
        });
        group.bench_function(BenchmarkId::new("pathfinding", name), |bencher| {
            bencher.iter(|| kuhn_munkres(&weights));
        });
    }
    group.finish();
}

fn main() {
    common::run(bench);
}
