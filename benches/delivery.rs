//! Delivery cycles: messages sent per second of GREEDY and RANDOM on universal fat-trees.
//!
//! `cargo bench --bench delivery`. A message counts once for every cycle in which it is sent, whatever
//! becomes of it: messages sent, summed over the cycles.

#![expect(clippy::unwrap_used, reason = "a bench may fail by panic")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use routebound::progress::Progress;
use routebound::simulation::Ledger;
use routebound::simulation::delivery::{
    Concentrators, Ground, Messages, Run, Settings, algorithm, loss, plain, sets,
};
use routebound::topology::UniversalShape;

fn ground(tree: &str) -> Ground {
    Ground::universal(&UniversalShape::named(tree).unwrap().unwrap())
}

fn settings(rule: &str) -> Settings {
    Settings { loss: loss::find(rule).unwrap(), seed: 1 }
}

/// Messages sent, summed over all cycles.
fn sent(ledger: &Ledger) -> u64 {
    ledger.delivered() + ledger.lost()
}

/// From the first cycle to the last.
fn to_completion(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("delivery");
    group.sample_size(10);
    for (tree, messages) in [
        ("universal(1024)", "messages(count=20000)"),
        ("universal(16384)", "messages(count=100000)"),
    ] {
        let ground = ground(tree);
        let (messages, _) = sets::open(messages, ground.ends()).unwrap();
        for (name, rule) in
            [("greedy", "random"), ("greedy", "left"), ("random(k1=1,k2=1,r=2)", "random")]
        {
            let algorithm = algorithm::build(name, &ground.facts(&messages)).unwrap();
            let (settings, quiet) = (settings(rule), Progress::silent());
            let run = || ground.deliver(&*algorithm, &messages, settings, &quiet).unwrap();
            group.throughput(Throughput::Elements(sent(&run().ledger)));
            group.bench_function(format!("{name}/{rule}/{tree}"), |bencher| bencher.iter(run));
        }
    }
    group.finish();
}

/// The first cycles after everything has been sent once: RANDOM with the probability of its first guess
/// under the constants of the proof, or GREEDY. Returns how long they took, and the messages sent.
fn first_cycles(ground: &Ground, messages: &Messages, p: f64, cycles: u64) -> (Duration, u64) {
    let mut network = Concentrators::new(ground.tree());
    let quiet = Progress::silent();
    let mut run = Run::new(&mut network, messages, settings("random"), &quiet).unwrap();
    run.send_all().unwrap();
    let begin = Instant::now();
    if p < 1.0 {
        run.send_each(p, cycles).unwrap();
    } else {
        for _ in 0..cycles {
            run.send_all().unwrap();
        }
    }
    let took = begin.elapsed();
    let all = sent(&black_box(run.end()).ledger);
    (took, all - messages.total())
}

/// Ten million messages, which take minutes to arrive: the first cycles only.
fn many(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first cycles");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(1));
    let ground = ground("universal(1048576)");
    let (messages, _) = sets::open("messages(count=10000000)", ground.ends()).unwrap();
    for (name, p, cycles) in [("greedy", 1.0, 10), ("random", 1.0 / 12.0, 50)] {
        let (_, sent) = first_cycles(&ground, &messages, p, cycles);
        group.throughput(Throughput::Elements(sent));
        group.bench_function(format!("{name}/universal(1048576)"), |bencher| {
            bencher.iter_custom(|times| {
                (0..times).map(|_| first_cycles(&ground, &messages, p, cycles).0).sum()
            });
        });
    }
    group.finish();
}

/// The simulator that looks at every message, on the smaller tree.
fn one_by_one(criterion: &mut Criterion) {
    let topology = routebound::topology::generate("universal(1024)").unwrap();
    let tree = routebound::channel_tree::ChannelTree::of(&topology).unwrap();
    let ground = Ground::of(&topology).unwrap();
    let (messages, _) = sets::open("messages(count=20000)", ground.ends()).unwrap();
    let demand =
        |(s, d, count): (u32, u32, u64)| routebound::traffic::Demand { s, d, amount: count.into() };
    let demands: Vec<_> = messages.iter().map(demand).collect();
    let run = || {
        let rule = plain::Rule::Random { seed: 1 };
        plain::deliver(&tree, &demands, rule, &Progress::silent()).unwrap()
    };
    let mut group = criterion.benchmark_group("one by one");
    group.sample_size(10);
    group.throughput(Throughput::Elements(sent(&run().ledger)));
    group.bench_function("greedy/random/universal(1024)", |bencher| bencher.iter(run));
    group.finish();
}

criterion_group!(benches, to_completion, many, one_by_one);
criterion_main!(benches);
