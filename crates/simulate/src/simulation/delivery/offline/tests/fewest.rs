//! The fewest cycles, against every way to put messages into cycles.

use super::super::super::algorithm::build;
use super::super::super::deliver;
use super::super::super::tests::facts;
use super::*;

/// The fewest cycles by trying all: every message in every cycle.
fn by_trying(tree: &WireTree, messages: &Messages) -> u64 {
    let singles: Vec<_> = messages
        .iter()
        .enumerate()
        .flat_map(|(entry, message)| (0..message.2).map(move |_| (entry, message.0, message.1)))
        .collect();
    let is_possible = |cycles: usize| {
        (0..cycles.pow(index32(singles.len()))).any(|mut number| {
            let mut shares = Vec::new();
            for (entry, _, _) in &singles {
                let first = (number % cycles) as u64 + 1;
                number /= cycles;
                shares.push((index32(*entry), Share { first, cycles: 1, each: 1 }));
            }
            let schedule = Schedule::of(messages.pairs(), shares.into_iter());
            schedule.check(tree, messages).is_ok()
        })
    };
    (1..=singles.len()).find(|cycles| is_possible(*cycles)).unwrap() as u64
}

fn searched(tree: &WireTree, messages: &Messages) -> Planned {
    let planned = schedule(tree, messages, Options::default(), &Progress::silent()).unwrap();
    planned.schedule.check(tree, messages).unwrap();
    assert!(planned.is_shortest());
    planned
}

/// Calls `each` with every set of `number` messages, with repetitions, among `pairs`.
fn sets(
    pairs: &[(u32, u32)],
    number: usize,
    chosen: &mut Messages,
    each: &mut dyn FnMut(&Messages),
) {
    let Some((pair, rest)) = pairs.split_first() else {
        if number == 0 {
            each(chosen);
        }
        return;
    };
    for count in 0..=number {
        let mut more = chosen.clone();
        more.push(pair.0, pair.1, count as u64).unwrap();
        sets(rest, number - count, &mut more, each);
    }
}

fn pairs(hosts: u32) -> Vec<(u32, u32)> {
    let of = |s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d));
    (0..hosts).flat_map(of).collect()
}

/// All sets of four messages on four hosts, with one wire everywhere and with two in the upper half.
/// None of them needs more than ⌈λ⌉ cycles.
#[test]
fn four_messages_on_four_hosts() {
    for spec in ["universal(4,growth=constant)", "universal(4)"] {
        let tree = universal(spec);
        for number in 1..=4 {
            sets(&pairs(4), number, &mut Messages::new(), &mut |messages| {
                let found = searched(&tree, messages);
                assert_eq!(found.schedule.length(), by_trying(&tree, messages), "{messages:?}");
                assert_eq!(found.lower, found.load_factor);
            });
        }
    }
}

/// The smallest sets that need more than ⌈λ⌉ cycles: eight of five messages on four hosts with one wire
/// everywhere. In the first of them, 0→1, 0→2, 1→3, 2→3, 2→1, each message shares a channel with the one
/// before and the one after it, the last with the first: the wire of host 0, the wire up from hosts 0
/// and 1, the wire down to host 3, the wire of host 2, the wire down to host 1. A ring of five is not two
/// sets of messages that share nothing.
#[test]
fn the_smallest_sets_above_the_load_factor() {
    let tree = universal("universal(4,growth=constant)");
    let mut above = Vec::new();
    sets(&pairs(4), 5, &mut Messages::new(), &mut |messages| {
        let found = searched(&tree, messages);
        if found.lower > found.load_factor {
            assert_eq!((found.load_factor, found.lower, by_trying(&tree, messages)), (2, 3, 3));
            above.push(messages.iter().map(|(s, d, _)| (s, d)).collect::<Vec<_>>());
        }
    });
    println!("λ = 2, three cycles: {above:?}");
    assert_eq!(above.len(), 8);
    assert!(above.contains(&vec![(0, 1), (0, 2), (1, 3), (2, 1), (2, 3)]));
}

/// Five messages on eight hosts: pairs that are drawn, some of them twice.
#[test]
fn few_messages_on_eight_hosts() {
    let mut above = 0;
    for spec in ["universal(8)", "universal(8,growth=constant)", "universal(8,leaf=2)"] {
        let tree = universal(spec);
        for seed in 0..60_u32 {
            let drawn = random(8, 2, seed.into());
            let mut messages = Messages::new();
            for (s, d, count) in drawn.iter().skip((seed % 7) as usize) {
                if messages.total() + count <= 5 {
                    messages.push(s, d, count).unwrap();
                }
            }
            let found = searched(&tree, &messages);
            assert_eq!(found.schedule.length(), by_trying(&tree, &messages), "{spec} {seed}");
            above += u64::from(found.lower > found.load_factor);
        }
    }
    println!("{above} sets above the load factor");
}

/// No algorithm that sends messages without knowing all of them is faster than the fewest cycles.
#[test]
fn no_run_is_faster() {
    let mut slower = 0;
    for (spec, tree) in trees() {
        for seed in 0..12 {
            let messages = random(tree.hosts().min(6), 2, seed);
            let found = searched(&tree, &messages);
            let facts = facts(tree.hosts(), &messages);
            for algorithm in ["greedy", "random-prime", "random"] {
                for rule in ["left", "random", "round-robin"] {
                    let algorithm = build(algorithm, &facts).unwrap();
                    let settings = Settings { loss: loss::find(rule).unwrap(), seed };
                    let run = deliver(
                        &mut Concentrators::new(&tree),
                        &*algorithm,
                        &messages,
                        settings,
                        &Progress::silent(),
                    );
                    let cycles = run.unwrap().cycles;
                    assert!(cycles >= found.lower, "{spec} {seed} {rule}");
                    slower += u64::from(cycles > found.lower);
                }
            }
        }
    }
    assert!(slower > 50, "{slower}");
}

/// Where steps run out both bounds stand; with more they meet.
#[test]
fn a_search_may_end_early() {
    let tree = universal("universal(4,growth=constant)");
    let ring = Messages::listed([(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 1, 1), (2, 3, 1)]).unwrap();
    let found = |steps| {
        let options = Options { seed: 1, steps };
        let planned = schedule(&tree, &ring, options, &Progress::silent()).unwrap();
        (planned.lower, planned.schedule.length(), planned.is_complete)
    };
    assert_eq!(found(3), (2, 3, true));
    assert_eq!(found(100), (3, 3, true));
    let ends = Ends::of(&tree, &ring).unwrap();
    let stop = Stop::default();
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let found = exact::search(&tree, &ends, 2, 9, 100, &stopped);
    assert!(found.lower == 2 && found.schedule.is_none());
    let found = exact::search(&tree, &ends, 2, 9, 100, &Progress::silent());
    assert_eq!((found.lower, found.schedule.unwrap().length()), (3, 3));
    // Larger sets are not searched.
    let many = ring.times(1 << 20).unwrap();
    let ends = Ends::of(&tree, &many).unwrap();
    let found = exact::search(&tree, &ends, 2, 9, 100, &Progress::silent());
    assert_eq!(found.lower, 2);
}
