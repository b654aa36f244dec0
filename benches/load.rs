//! Loads of permutations on FT(16,3) (1,024 hosts), and optu of one on FT(48,3) (27,648 hosts).
//!
//! `cargo bench --bench load`. ORCS 2.0 takes about 23 ms for a permutation of FT(16,3).

#![expect(clippy::unwrap_used, reason = "a bench may fail by panic")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use routebound::load::{LinkLoads, PermutationLoads};
use routebound::optimum::optimal_cut;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::{Host, generate, host_number};
use routebound::traffic::Demand;

/// Random permutations of `hosts` hosts.
fn permutations(hosts: usize, count: usize) -> Vec<Vec<Host>> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut image: Vec<Host> = (0..host_number(hosts)).collect();
    let mut next = || {
        image.shuffle(&mut random);
        image.clone()
    };
    (0..count).map(|_| next()).collect()
}

fn demands(image: &[Host]) -> Vec<Demand> {
    let pairs = (0..).zip(image).filter(|(s, d)| s != *d);
    pairs.map(|(s, d)| Demand { s, d: *d, amount: Rational::ONE }).collect()
}

fn permutation_loads(criterion: &mut Criterion) {
    let images = permutations(1024, 1000);
    for routing in ["dmodk", "random", "osrm3"] {
        let instance = Instance::named("ft(16,3)", routing).unwrap();
        let mut loads = PermutationLoads::new(&instance).unwrap();
        let mut images = images.iter().cycle();
        criterion.bench_function(&format!("permutation/ft(16,3)/{routing}"), |bencher| {
            bencher.iter(|| images.next().map(|image| loads.max_load(image)));
        });
    }
    for routing in ["dmodk", "omrmn"] {
        let instance = Instance::named("ft(16,3)", routing).unwrap();
        let demands = demands(&images[0]);
        criterion.bench_function(&format!("rational/ft(16,3)/{routing}"), |bencher| {
            let of = || {
                let (topology, routing) = (instance.topology(), instance.routing());
                LinkLoads::of(topology, routing, &demands, &Progress::silent()).unwrap().max()
            };
            bencher.iter(of);
        });
    }
}

fn closed_form(criterion: &mut Criterion) {
    let demands = demands(&permutations(27_648, 1)[0]);
    criterion.bench_function("generate/ft(48,3)", |bencher| {
        bencher.iter_batched(|| (), |()| generate("ft(48,3)").unwrap(), BatchSize::PerIteration);
    });
    let tree = generate("ft(48,3)").unwrap();
    criterion.bench_function("optimal_cut/ft(48,3)", |bencher| {
        bencher.iter(|| optimal_cut(&tree, &demands));
    });
}

criterion_group!(benches, permutation_loads, closed_form);
criterion_main!(benches);
