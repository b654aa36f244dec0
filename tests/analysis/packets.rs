//! The packet-level simulator against exact loads, and against its own laws on random networks.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use proptest::prelude::*;
use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::simulation::packet::select::SELECTIONS;
use routebound::simulation::packet::{
    Arrivals, Delivery, Model, OpenLoopRun, Replay, Routes, Search, Setup, Spread,
};
use routebound::simulation::workload::{Message, Trace};
use routebound::topology::{generate, host_number};
use routebound::traffic;

/// Packets of 256 flits through the switches of [GO].
fn model() -> Model {
    Model { packet_bytes: 256, ..Model::go() }
}

fn setup<'a>(instance: &'a Instance, model: &'a Model, seed: u64) -> Setup<'a> {
    let routes = Routes::Oblivious(instance.routing(), Spread::Random);
    Setup { topology: instance.topology(), model, routes, delivery: Delivery::AsTheyCome, seed }
}

/// Under a permutation that puts load L on some link, hosts with single paths keep up load 1/L and no more:
/// within 3 % on every instance with queues of eight packets. With queues of two, a packet at the head of a
/// queue may hold up one behind it that goes elsewhere, which costs up to some 15 %.
#[test]
fn single_paths_saturate_at_the_reciprocal_of_the_max_load() {
    let trees = [
        "ft(4,2)",
        "ft(4,3)",
        "ft(8,2)",
        "kary(4,2)",
        "kary(4,3)",
        "kary(2,4)",
        "xgft(2;4,4;1,2)",
        "xgft(2;8,8;1,4)",
        "xgft(3;4,4,4;1,2,3)",
    ];
    let short = model();
    let long = Model { input_queue: 8, output_queue: 8, ..model() };
    let (mut instances, mut loads) = (0, std::collections::BTreeSet::new());
    for (number, tree) in trees.iter().enumerate() {
        if !cfg!(feature = "slow-tests") && generate(tree).unwrap().hosts() > 16 {
            continue;
        }
        let routings: &[&str] = if cfg!(feature = "slow-tests") {
            &["dmodk", "smodk", "random(seed=3)", "wsr"]
        } else {
            &["dmodk", "random(seed=3)"]
        };
        for name in routings {
            let instance = Instance::named(tree, name).unwrap();
            let hosts = instance.topology().hosts();
            let pattern = format!("permutation(seed={})", 1 + number);
            for pattern in [pattern.as_str(), "shift(3)"] {
                let matrix = traffic::generate(pattern, hosts).unwrap();
                let demands = matrix.demands();
                let quiet = Progress::silent();
                let found = LinkLoads::of(instance.topology(), instance.routing(), demands, &quiet);
                let load = found.unwrap().max_load();
                let search = Search { steps: 10, ..Search::default() };
                for (model, least) in [(&long, 0.97), (&short, 0.85)] {
                    // By default one routing is enough for what short queues cost.
                    if least < 0.9 && *name != "dmodk" && !cfg!(feature = "slow-tests") {
                        continue;
                    }
                    let found =
                        setup(&instance, model, 1).saturation(demands.into(), search, &quiet);
                    let ratio = found.unwrap().sustained.to_f64() * load.to_f64();
                    let holds = (least..=1.03).contains(&ratio);
                    assert!(holds, "{tree} {name} {pattern}: {load} {ratio}");
                }
                instances += 1;
                loads.insert(load);
            }
        }
    }
    let least = if cfg!(feature = "slow-tests") { 4 } else { 3 };
    assert!(instances >= 20 && loads.len() >= least, "{instances} {loads:?}");
}

/// What a run measures over its length agrees with what is offered where nothing is overloaded, for Bernoulli
/// arrivals too.
#[test]
fn what_is_offered_below_saturation_is_accepted() {
    let instance = Instance::named("kary(4,3)", "dmodk").unwrap();
    let model = model();
    for spec in ["uniform", "shift(1)", "hotspot-percent(percent=1,host=5)"] {
        let traffic = traffic::generate(spec, 64).unwrap();
        let load = Rational::new(2, 5).unwrap();
        let run = OpenLoopRun {
            traffic: traffic.demands().into(),
            load: &load,
            arrivals: Arrivals::Bernoulli,
            cycles: 1_000_000,
        };
        let found = setup(&instance, &model, 7).open_loop(&run, &Progress::silent()).unwrap();
        assert!((found.accepted.mean / found.offered - 1.0).abs() < 0.02, "{spec}: {found:?}");
        assert!(found.is_steady && found.network.mean.mean < found.total.mean.mean, "{spec}");
        let longest = found.network.most as f64;
        assert!(longest >= found.network.p99 as f64 && found.network.p99 > found.network.median);
    }
}

/// One host that everybody sends to: its link is busy all the time, and everything continues behind it.
#[test]
fn a_hot_spot_never_deadlocks() {
    let topology = generate("kary(2,3)").unwrap();
    let matrix = traffic::generate("hotspot-percent(percent=100,host=0)", 8).unwrap();
    let model = Model { packet_bytes: 16, input_queue: 1, output_queue: 1, ..Model::go() };
    for kind in SELECTIONS {
        for delivery in [Delivery::AsTheyCome, Delivery::InOrder { buffer: 1 }] {
            let routes = Routes::Adaptive(kind.build);
            let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: 1 };
            let run = OpenLoopRun {
                traffic: matrix.demands().into(),
                load: &Rational::ONE,
                arrivals: Arrivals::Bernoulli,
                cycles: 400_000,
            };
            let found = setup.open_loop(&run, &Progress::silent()).unwrap();
            let busy = found.received[0];
            // A place is free again 9 + 16 + 8 cycles after it was promised.
            assert!(busy > 16.0 / 34.0, "{} {delivery:?}: {busy}", kind.name);
        }
    }
}

/// A random network, with everything else that is to be chosen.
#[derive(Clone, Debug)]
struct Case {
    tree: &'static str,
    routing: usize,
    spread: usize,
    delivery: Option<u32>,
    figures: [u32; 6],
    messages: Vec<(u32, u32, u64, u64)>,
    seed: u64,
}

const TREES: [&str; 8] = [
    "xgft(1;3;1)",
    "xgft(2;2,2;1,1)",
    "xgft(2;2,2;1,2)",
    "xgft(2;2,3;2,2)",
    "kary(2,3)",
    "xgft(3;2,2,2;1,2,1)",
    "ft(4,2)",
    "xgft(2;3,2;1,3)",
];

const ROUTINGS: [&str; 6] = ["dmodk", "smodk", "random(seed=5)", "omrmn", "ecmp", "kpath(k=2)"];

fn cases() -> impl Strategy<Value = Case> {
    let messages = prop::collection::vec((0..64_u32, 0..64_u32, 0..2_000_u64, 1..600_u64), 1..40);
    let figures = (0..30_u32, 0..4_u32, 0..12_u32, 1..4_u32, 1..4_u32, 1..100_u32);
    let rest = (0..ROUTINGS.len() + SELECTIONS.len(), 0..3_usize, prop::option::of(0..6_u32));
    (prop::sample::select(&TREES[..]), rest, figures, messages, 0..1_000_u64).prop_map(
        |(tree, (routing, spread, delivery), (a, b, c, d, e, f), messages, seed)| Case {
            tree,
            routing,
            spread,
            delivery,
            figures: [a, b, c, d, e, f],
            messages,
            seed,
        },
    )
}

/// Everything is delivered, no sooner than on an idle network, and the same twice.
fn conserved(case: &Case) -> Result<(), TestCaseError> {
    let topology = generate(case.tree).unwrap();
    let hosts = host_number(topology.hosts());
    let [routing, crossbar, fly, input_queue, output_queue, packet_bytes] = case.figures;
    let model =
        Model { routing, crossbar, fly, input_queue, output_queue, packet_bytes, ..Model::go() };
    let mut messages: Vec<_> = case
        .messages
        .iter()
        .map(|(s, d, at, bytes)| (*at, Message { s: s % hosts, d: d % hosts, bytes: *bytes }))
        .filter(|(_, message)| message.s != message.d)
        .collect();
    messages.sort_by_key(|(at, _)| *at);
    let mut trace = Trace::empty(hosts as usize);
    let mut bytes = 0;
    for (at, message) in messages {
        bytes += message.bytes;
        trace.push(at, message).unwrap();
    }
    let built = ROUTINGS.get(case.routing).map(|name| routing::build(name, &topology).unwrap());
    let routes = match &built {
        Some(routing) => Routes::Oblivious(&**routing, Spread::ALL[case.spread].1),
        None => Routes::Adaptive(SELECTIONS[case.routing - ROUTINGS.len()].build),
    };
    let delivery =
        case.delivery.map_or(Delivery::AsTheyCome, |buffer| Delivery::InOrder { buffer });
    let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: case.seed };
    let mut source = Replay::new(&trace, &model).unwrap();
    let found = setup.complete(&mut source, &Progress::silent());
    let found = found.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(found.flits, bytes);
    prop_assert_eq!(source.arrived(), trace.len() as u64);
    prop_assert!(trace.is_empty() || found.cycles > model.idle_latency(2, 1) - 1);
    prop_assert!(case.delivery.is_none_or(|buffer| found.stored <= buffer));
    // Every link carries a flit per cycle.
    prop_assert!(found.busy.iter().all(|busy| *busy <= found.cycles));
    let again = setup.complete(&mut Replay::new(&trace, &model).unwrap(), &Progress::silent());
    prop_assert_eq!(again.unwrap(), found);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(feature = "slow-tests") { 100_000 } else { 500 }, ..ProptestConfig::default() })]

    #[test]
    fn random_networks_deliver_everything(case in cases()) {
        conserved(&case)?;
    }
}

/// Runs at the same time are the runs one by one.
#[test]
fn threads_do_not_matter() {
    let instance = Instance::named("kary(4,2)", "omrmn").unwrap();
    let model = model();
    let matrix = traffic::generate("uniform", 16).unwrap();
    let run = |seed| {
        let load = Rational::new(1, 2).unwrap();
        let run = OpenLoopRun {
            traffic: matrix.demands().into(),
            load: &load,
            arrivals: Arrivals::Bernoulli,
            cycles: 50_000,
        };
        setup(&instance, &model, seed).open_loop(&run, &Progress::silent()).unwrap()
    };
    let alone: Vec<_> = (0..8).map(run).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let together: Vec<_> = pool.install(|| {
        use rayon::prelude::*;
        (0..8_u64).into_par_iter().map(run).collect()
    });
    assert_eq!(alone, together);
    assert_ne!(alone[0], alone[1]);
}
