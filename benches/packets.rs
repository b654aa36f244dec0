//! Packets: packets and flit-hops per second of the simulator on one core.
//!
//! `cargo bench --bench packets`. A flit-hop is a flit that crosses a link. Throughput is that of packets;
//! a packet of the first group has as many flits as the name says.

#![expect(clippy::unwrap_used, reason = "a bench may fail by panic")]

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing;
use routebound::simulation::packet::select::SELECTIONS;
use routebound::simulation::packet::{
    Arrivals, Delivery, Model, OpenLoopRun, Routes, Setup, Spread, Steady,
};
use routebound::topology::generate;
use routebound::traffic::{self, TrafficMatrix};

fn run(setup: &Setup<'_>, matrix: &TrafficMatrix, load: &Rational, cycles: u64) -> Steady {
    let traffic = matrix.demands().into();
    let run = OpenLoopRun { traffic, load, arrivals: Arrivals::Bernoulli, cycles };
    setup.open_loop(&run, &Progress::silent()).unwrap()
}

/// A tree, its traffic and load, and the flits and cycles of a run.
fn measure(
    criterion: &mut Criterion,
    (tree, pattern, load): (&str, &str, u64),
    (flits, cycles): (u32, u64),
) {
    let topology = generate(tree).unwrap();
    let model = Model { packet_bytes: flits, input_queue: 8, output_queue: 8, ..Model::go() };
    let matrix = traffic::generate(pattern, topology.hosts()).unwrap();
    let load = Rational::new(load, 10).unwrap();
    let dmodk = routing::build("dmodk", &topology).unwrap();
    let mut ways = vec![("dmodk", Routes::Oblivious(&*dmodk, Spread::Random))];
    ways.extend(SELECTIONS.iter().map(|kind| (kind.name, Routes::Adaptive(kind.build))));
    let mut group = criterion.benchmark_group(format!("packets/{tree}/{pattern}/{flits} flits"));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, routes) in ways {
        let delivery = Delivery::AsTheyCome;
        let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: 1 };
        let found = run(&setup, &matrix, &load, cycles);
        let hops: f64 = found.busy.iter().sum::<f64>() * cycles as f64;
        println!("{name}: {} packets, {hops:.0} flit-hops", found.delivered);
        group.throughput(Throughput::Elements(found.delivered));
        group.bench_function(name, |bencher| {
            bencher.iter(|| run(&setup, &matrix, &load, cycles));
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    measure(criterion, ("kary(8,3)", "uniform", 5), (16, 4_000));
    measure(criterion, ("kary(8,3)", "uniform", 5), (1, 1_000));
    measure(criterion, ("ft(16,3)", "permutation(seed=1)", 10), (16, 4_000));
}

criterion_group!(benches, all);
criterion_main!(benches);
