//! Schedules against their definition, the simulator and proven lengths.

mod fewest;
mod random_choice;

pub(super) use super::super::tests::random;
use super::super::tests::trees as named_trees;
use super::super::{Concentrators, Network, Part, Run, Settings, loss};
use super::*;
use crate::progress::Stop;
use crate::topology::UniversalShape;
use crate::traffic;

pub(super) fn trees() -> impl Iterator<Item = (&'static str, WireTree)> {
    named_trees().map(|(spec, tree)| (spec, WireTree::of(&tree).unwrap()))
}

fn universal(spec: &str) -> WireTree {
    WireTree::universal(&UniversalShape::named(spec).unwrap().unwrap())
}

/// The bound of Theorem 2.
fn in_any_order(tree: &WireTree, ends: &Ends) -> u64 {
    let loads = ends.loads(tree);
    let full = |(rank, way): (u32, usize)| (loads[rank as usize][way] - 1) / tree.wires(rank)[way];
    let of = |entry| ends.path(tree, entry).map(full).sum::<u64>();
    1 + (0..ends.entries()).map(of).max().unwrap()
}

#[test]
fn schedules_are_valid_and_as_short_as_proven() {
    let (mut wires_are_longer, mut as_short) = (0, 0);
    for (spec, tree) in trees() {
        for seed in 0..40 {
            let times = if seed % 3 == 2 { (1 << 40) + seed } else { 1 };
            let messages = random(tree.hosts(), 1 + seed % 4, seed).times(times).unwrap();
            let ends = Ends::of(&tree, &messages).unwrap();
            let k = ceil_load_factor(&tree, &ends.loads(&tree));
            let progress = Progress::silent();
            let wires = by_wires(&tree, &ends, &Streams::new(seed), &progress).unwrap();
            wires.check(&tree, &messages).unwrap();
            assert!((k..=1.max(4 * k - 5)).contains(&wires.length()), "{spec} {seed}");
            let has_one_wire = spec.contains("constant") || spec.starts_with("xgft");
            assert!(!has_one_wire || wires.length() < 2 * k, "{spec} {seed}");
            let mut random = Streams::new(seed).at(ORDER);
            let load = by_load(&tree, &ends, u64::MAX, &mut random, &progress).unwrap();
            load.check(&tree, &messages).unwrap();
            assert!((k..=in_any_order(&tree, &ends)).contains(&load.length()), "{spec} {seed}");
            let found =
                schedule(&tree, &messages, Options { seed, steps: 100 }, &progress).unwrap();
            found.schedule.check(&tree, &messages).unwrap();
            assert!(found.schedule.length() <= wires.length().min(load.length()));
            assert!(found.is_complete && found.load_factor == k && found.lower >= k);
            wires_are_longer += u64::from(wires.length() > load.length());
            as_short += u64::from(found.is_shortest());
        }
    }
    assert!(wires_are_longer > 10 && as_short > 150, "{wires_are_longer} {as_short}");
}

/// Carried out by the simulator, where only the excess is lost, nothing is: every message arrives in
/// its cycle.
#[test]
fn the_simulator_delivers_every_message_in_its_cycle() {
    for (spec, tree) in trees() {
        for seed in 0..if cfg!(feature = "slow-tests") { 10 } else { 3 } {
            let messages = random(tree.hosts(), 3, seed);
            let options = Options { seed, ..Options::default() };
            let progress = Progress::silent();
            let found = schedule(&tree, &messages, options, &progress).unwrap().schedule;
            let mut network = Concentrators::new(&tree);
            // The simulator numbers entries in the order of injection.
            let sources: Vec<_> = messages.iter().map(|(s, _, _)| s).collect();
            let mut order: Vec<usize> = (0..sources.len()).collect();
            order.sort_by_key(|entry| network.injection_rank(sources[*entry]));
            let place = |entry: u32| order.iter().position(|of| *of == entry as usize).unwrap();
            let settings = Settings { loss: loss::find("left").unwrap(), seed };
            let mut run = Run::new(&mut network, &messages, settings, &progress).unwrap();
            for cycle in 1..=found.length() {
                let numbered = |part: Part| Part { entry: index32(place(part.entry)), ..part };
                let mut parts: Vec<Part> = found.cycle(cycle).into_iter().map(numbered).collect();
                parts.sort_unstable_by_key(|part| part.entry);
                let before = run.outbox().total();
                run.send(&parts).unwrap();
                let sent: u64 = parts.iter().map(|part| part.count).sum();
                assert_eq!(run.outbox().total() + sent, before, "{spec} {seed} {cycle}");
            }
            assert!(run.is_done());
            let delivered = run.end();
            assert_eq!((delivered.cycles, delivered.ledger.lost()), (found.length(), 0));
        }
    }
}

/// Messages whose load factor is at most 1 go in one cycle.
#[test]
fn load_factor_1_is_one_cycle() {
    let tree = universal("universal(64,growth=double)");
    let shift = Messages::of(traffic::generate("shift(32)", 64).unwrap().demands()).unwrap();
    for (messages, cycles) in [(shift, 1), (Messages::new(), 0)] {
        let found = schedule(&tree, &messages, Options::default(), &Progress::silent()).unwrap();
        assert_eq!((found.lower, found.schedule.length()), (cycles, cycles));
    }
}

/// 2^50 messages in a few shares: multiplicities are not objects.
#[test]
fn multiplicities_are_numbers() {
    let tree = universal("universal(64)");
    let pairs = traffic::generate("random(p=0.1,seed=1)", 64).unwrap();
    let messages = Messages::of(pairs.demands()).unwrap();
    let times = (1 << 50) / messages.total();
    let messages = messages.times(times).unwrap();
    let found = schedule(&tree, &messages, Options::default(), &Progress::silent()).unwrap();
    found.schedule.check(&tree, &messages).unwrap();
    let shares: usize = (0..messages.pairs()).map(|entry| found.schedule.shares(entry).len()).sum();
    assert!(shares < 60 * messages.pairs(), "{shares}");
    // Within a tenth of the load factor, where a bound of four times is proven.
    assert!(found.schedule.length() < found.lower + found.lower / 10);
}

/// As many messages as fit on all levels alike: of the messages in every channel as many turn above it
/// as do not fit the channel above.
fn on_all_levels(tree: &WireTree, factor: u64, seed: u64) -> Messages {
    let mut messages = Messages::new();
    for level in 1..tree.levels() {
        let ranks = tree.level_ranks(level);
        let above = if level > 1 { tree.wires(tree.parent(ranks.start))[UP] } else { 0 };
        let turning = factor * (2 * tree.wires(ranks.start)[UP] - above) / 2;
        let mut random = Streams::new(seed).at(level as u64);
        let hosts = index32(tree.hosts()) / index32(ranks.len());
        for at in 0..index32(ranks.len()) {
            for _ in 0..turning {
                let s = at * hosts + random.random_range(0..hosts);
                let d = (at ^ 1) * hosts + random.random_range(0..hosts);
                messages.push(s, d, 1).unwrap();
            }
        }
    }
    messages
}

/// What `OFFLINE.md` says of lengths in practice.
#[test]
fn lengths_are_close_to_the_load_factor() {
    for growth in ["double2", "constant"] {
        let tree = universal(&format!("universal(256,growth={growth})"));
        for factor in [4, 16, 64] {
            let messages = on_all_levels(&tree, factor, 1);
            let ends = Ends::of(&tree, &messages).unwrap();
            let k = ceil_load_factor(&tree, &ends.loads(&tree));
            let progress = Progress::silent();
            let wires = by_wires(&tree, &ends, &Streams::new(1), &progress).unwrap().length();
            let mut random = Streams::new(1).at(ORDER);
            let load = by_load(&tree, &ends, u64::MAX, &mut random, &progress).unwrap().length();
            println!("{growth} {factor}: load factor {k}, by wires {wires}, by load {load}");
            assert!(4 * wires <= 5 * k && 100 * load <= 107 * k, "{growth} {k} {wires} {load}");
        }
    }
}

/// Where entries times cycles are too many, messages are counted in units: a schedule of fewer
/// decisions that is as valid.
#[test]
fn units_save_work() {
    let tree = universal("universal(64)");
    let (mut by_units, mut given_up) = (0, 0);
    for seed in 0..8 {
        let messages = random(64, 7, seed).times((1 << 30) + seed).unwrap();
        let ends = Ends::of(&tree, &messages).unwrap();
        let lower = ceil_load_factor(&tree, &ends.loads(&tree));
        for work in [1 << 10, 1 << 19, 1 << 21] {
            let options = Options { seed, steps: 0 };
            let mut planning =
                Planning { tree: &tree, ends: &ends, options, work, lower, best: None };
            planning.wires(&Progress::silent());
            let wires = planning.upper();
            planning.load(&Progress::silent());
            let (schedule, method) = planning.best.unwrap();
            schedule.check(&tree, &messages).unwrap();
            assert_eq!(method == Method::Load, schedule.length() < wires);
            *(if method == Method::Load { &mut by_units } else { &mut given_up }) += 1;
        }
    }
    assert!(by_units > 8 && given_up >= 8, "{by_units} {given_up}");
}

#[test]
fn the_seed_decides() {
    let tree = universal("universal(64)");
    let messages = random(64, 3, 1);
    let found = |seed| {
        let options = Options { seed, steps: 0 };
        schedule(&tree, &messages, options, &Progress::silent()).unwrap().schedule
    };
    assert_eq!(found(1), found(1));
    assert_ne!(found(1), found(2));
}

#[test]
fn a_stop_keeps_a_schedule() {
    let (stop, tree) = (Stop::default(), universal("universal(64)"));
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let messages = random(64, 3, 1);
    let found = schedule(&tree, &messages, Options::default(), &progress).unwrap();
    assert_eq!((found.method, found.is_complete), (Method::OneByOne, false));
    found.schedule.check(&tree, &messages).unwrap();
    assert_eq!(found.schedule.length(), messages.total());
}

#[test]
fn messages_that_cannot_be_sent_are_refused() {
    let tree = universal("universal(8)");
    let messages = Messages::listed([(0, 8, 1)]).unwrap();
    let refused = schedule(&tree, &messages, Options::default(), &Progress::silent());
    assert!(matches!(refused, Err(DeliveryError::UnknownHost { d: 8, hosts: 8, .. })));
    let bare = tree.with_wires(|wires| wires - 1);
    let messages = Messages::listed([(0, 4, 1)]).unwrap();
    let refused = schedule(&bare, &messages, Options::default(), &Progress::silent());
    assert!(matches!(refused, Err(DeliveryError::NoWires(_))));
    // More wires than can be distinguished: messages go by load.
    let wide = universal("universal(4)").with_wires(|wires| wires << 30);
    let messages = Messages::listed([(0, 2, 1 << 40)]).unwrap();
    let found = schedule(&wide, &messages, Options::default(), &Progress::silent()).unwrap();
    assert_eq!((found.method, found.schedule.length()), (Method::Load, 1 << 10));
    found.schedule.check(&wide, &messages).unwrap();
}
