//! Delivery cycles: messages · cycles per second, of GREEDY and RANDOM on universal fat-trees.
//!
//! `cargo bench --bench delivery`. The throughput counts every message that waits in a cycle, sent or
//! not, so it is what a simulator that looks at each of them would have to do.

#![expect(clippy::unwrap_used, reason = "a bench may fail by panic")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use routebound::progress::Progress;
use routebound::simulation::delivery::{
    Deliveries, Ground, Settings, algorithm, loss, plain, sets,
};
use routebound::topology::UniversalShape;

/// Messages that wait, summed over all cycles.
fn waits(found: &Deliveries) -> u64 {
    let mut waiting = found.ledger.delivered();
    let mut last = 0;
    let mut sum = 0;
    for (cycle, count) in &found.delivered {
        sum += waiting * (cycle - last);
        (last, waiting) = (*cycle, waiting - count);
    }
    sum
}

fn delivery(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("delivery");
    group.sample_size(10);
    for (tree, messages) in [
        ("universal(1024)", "messages(count=20000)"),
        ("universal(65536)", "messages(count=100000)"),
    ] {
        let ground = Ground::universal(&UniversalShape::named(tree).unwrap().unwrap());
        let (messages, _) = sets::open(messages, ground.ends()).unwrap();
        for (name, rule) in
            [("greedy", "random"), ("greedy", "left"), ("random(k1=1,k2=1,r=2)", "random")]
        {
            let algorithm = algorithm::build(name, &ground.facts(&messages)).unwrap();
            let settings = Settings { loss: loss::find(rule).unwrap(), seed: 1 };
            let quiet = Progress::silent();
            let run = || ground.deliver((&*algorithm, &messages), settings, &quiet).unwrap();
            group.throughput(Throughput::Elements(waits(&run())));
            group.bench_function(format!("{name}/{rule}/{tree}"), |bencher| bencher.iter(run));
        }
    }
    group.finish();
}

/// The simulator that looks at every message, on the smaller tree.
fn one_by_one(criterion: &mut Criterion) {
    let topology = routebound::topology::generate("universal(1024)").unwrap();
    let tree = routebound::channels::ChannelTree::of(&topology).unwrap();
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
    group.bench_function("greedy/random/universal(1024)", |bencher| bencher.iter(run));
    group.finish();
}

criterion_group!(benches, delivery, one_by_one);
criterion_main!(benches);
