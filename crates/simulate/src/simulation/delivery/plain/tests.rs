//! Deliveries worked out by hand, load factors, and simulators with planted bugs.

use std::collections::HashSet;

use super::*;
use crate::progress::Stop;
use crate::simulation::Imbalance;
use crate::topology::{generate, sd_pairs};
use crate::traffic;

fn tree(spec: &str) -> ChannelTree {
    ChannelTree::of(&generate(spec).unwrap()).unwrap()
}

fn of(pairs: &[(Host, Host)]) -> Vec<Demand> {
    pairs.iter().map(|(s, d)| Demand { s: *s, d: *d, amount: Rational::ONE }).collect()
}

fn cycles(tree: &ChannelTree, messages: &[Demand], rule: Rule) -> Vec<u64> {
    let found = deliver(tree, messages, rule, &Progress::silent()).unwrap();
    let total: Rational = messages.iter().map(|message| &message.amount).sum();
    assert_eq!(Rational::from(found.delivered.iter().sum::<u64>()), total);
    assert_eq!((found.ledger.waiting(), found.ledger.cycles()), (0, found.delivered.len() as u64));
    found.delivered
}

/// Four hosts, one wire everywhere; the lowest number continues.
///
/// Messages a = 0→2, b = 1→3, c = 0→1. Cycle 1: a and c want the wire of host 0, a continues; a and b
/// want the wire above hosts 0 and 1, a continues and arrives. Cycle 2: b and c share no channel.
///
/// Messages a = 1→2, b = 0→3, c = 0→1. Cycle 1: b takes the wire of host 0 before c, then loses to
/// a above hosts 0 and 1: the wire was taken in vain. Cycle 2: b before c. Cycle 3: c. Load factor
/// 2, but three cycles.
#[test]
fn four_hosts_by_hand() {
    let tree = tree("universal(4,growth=constant)");
    assert_eq!(cycles(&tree, &of(&[(0, 2), (1, 3), (0, 1)]), Rule::Lowest), [1, 2]);
    let in_vain = of(&[(1, 2), (0, 3), (0, 1)]);
    assert_eq!(cycles(&tree, &in_vain, Rule::Lowest), [1, 1, 1]);
    assert_eq!(tree.load_factor(&in_vain).value, Rational::from(2));
    // c before b: both a and c arrive at once.
    assert_eq!(cycles(&tree, &of(&[(1, 2), (0, 1), (0, 3)]), Rule::Lowest), [2, 1]);
    // Only the wire down to host 3 is shared.
    assert_eq!(cycles(&tree, &of(&[(0, 3), (2, 3)]), Rule::Lowest), [1, 1]);
}

/// Eight hosts with 1, 2, 2 wires from the hosts up. From each half four messages go to the other
/// half: all pass the wires of hosts and pairs, two the wires of the half. The next cycle takes the
/// others. With 1, 2, 4 wires nothing is lost, with 1, 1, 1 one message per half and cycle arrives.
#[test]
fn eight_hosts_by_hand() {
    let shift = traffic::generate("shift(4)", 8).unwrap();
    for (growth, expected) in
        [("double2", vec![4, 4]), ("double", vec![8]), ("constant", vec![2, 2, 2, 2])]
    {
        let tree = tree(&format!("universal(8,growth={growth})"));
        for rule in [Rule::Lowest, Rule::Random { seed: 3 }] {
            assert_eq!(cycles(&tree, shift.demands(), rule), expected, "{growth} {rule:?}");
        }
    }
    // Three messages of one pair, on one wire: one per cycle.
    let three = [Demand { s: 0, d: 7, amount: Rational::from(3) }];
    assert_eq!(cycles(&tree("universal(8)"), &three, Rule::Lowest), [1, 1, 1]);
}

/// At most cap(c) messages pass a channel in a cycle; with no more than that nothing is lost.
#[test]
fn one_cycle_is_enough_where_the_load_factor_is_at_most_1() {
    let (mut at_once, mut later) = (0, 0);
    for spec in ["universal(8)", "universal(16,leaf=3)", "xgft(2;4,3;1,1)", "xgft(1;5;1)"] {
        let tree = tree(spec);
        for seed in 0..60 {
            let traffic = format!("random(p=1/{},seed={seed})", 3 + seed);
            let traffic = traffic::generate(&traffic, tree.hosts()).unwrap();
            let factor = tree.load_factor(traffic.demands()).value;
            for rule in [Rule::Lowest, Rule::Random { seed }] {
                let found = cycles(&tree, traffic.demands(), rule).len() as u64;
                assert_eq!(found <= 1, factor <= Rational::ONE, "{traffic:?}");
                assert!(Rational::from(found) >= factor);
                *(if found == 1 { &mut at_once } else { &mut later }) += 1;
            }
        }
    }
    assert!(at_once > 50 && later > 50, "{at_once} {later}");
}

#[test]
fn the_same_seed_gives_the_same_deliveries_and_others_others() {
    let tree = tree("universal(16,growth=constant)");
    let all: Vec<(Host, Host)> = sd_pairs(16).collect();
    let found = |seed| cycles(&tree, &of(&all), Rule::Random { seed });
    assert_eq!(found(1), found(1));
    let different: HashSet<Vec<u64>> = (0..5).map(found).collect();
    assert!(different.len() > 1);
    assert!(!different.contains(&cycles(&tree, &of(&all), Rule::Lowest)));
}

/// Of two messages on one wire each goes first for some seeds: the first leaves the wire of host 0
/// to the third, the second does not.
#[test]
fn a_random_choice_favours_nobody() {
    let tree = tree("universal(4,growth=constant)");
    let messages = of(&[(1, 2), (0, 3), (0, 1)]);
    let first = |seed| cycles(&tree, &messages, Rule::Random { seed })[0];
    let two = (0..400).filter(|seed| first(*seed) == 2).count();
    // The third message wins the wire of host 0 with probability 1/2, and then two arrive: 200 of
    // 400, with a standard deviation of 10.
    assert!((150..250).contains(&two), "{two}");
}

/// The ledger notices simulators that forget a message or deliver one twice.
#[test]
fn planted_simulators_are_caught() {
    let tree = tree("universal(4,growth=constant)");
    let network = Network::of(&tree, &of(&[(0, 2), (1, 3), (0, 1)])).unwrap();
    let run = |planted: fn(&mut Sent)| {
        run(3, &Progress::silent(), |_, waiting| {
            let mut sent = network.send(waiting, |_, _| {});
            planted(&mut sent);
            sent
        })
    };
    assert_eq!(run(|_| {}).unwrap().delivered, [1, 2]);
    let forgotten = Imbalance { cycle: 1, injected: 3, delivered: 1, waiting: 1 };
    assert_eq!(run(|sent| sent.lost.truncate(1)), Err(forgotten.into()));
    let twice = Imbalance { cycle: 1, injected: 3, delivered: 2, waiting: 2 };
    assert_eq!(run(|sent| sent.delivered += 1), Err(twice.into()));
}

#[test]
fn what_cannot_be_delivered_is_refused() {
    let narrow = tree("universal(4)");
    let refused = |messages: &[Demand]| {
        deliver(&narrow, messages, Rule::Lowest, &Progress::silent()).unwrap_err()
    };
    let hosts = refused(&of(&[(0, 1), (0, 4)]));
    assert_eq!(hosts, DeliveryError::UnknownHost { s: 0, d: 4, hosts: 4 });
    let half = [Demand { s: 0, d: 1, amount: Rational::new(1, 2).unwrap() }];
    assert!(matches!(refused(&half), DeliveryError::NoMessages { s: 0, d: 1, .. }));
    for amount in [MAX_HOPS / 4 + 1, u64::MAX] {
        let many = [Demand { s: 0, d: 3, amount: Rational::from(amount) }];
        assert!(matches!(refused(&many), DeliveryError::TooLarge(_)));
    }
    let mut graph = generate("universal(4)").unwrap().graph().clone();
    graph.edge_weights_mut().for_each(|link| link.capacity = Rational::new(3, 2).unwrap());
    let odd = ChannelTree::of(&Topology::new("odd".into(), graph).unwrap()).unwrap();
    let found = deliver(&odd, &of(&[(0, 1)]), Rule::Lowest, &Progress::silent()).unwrap_err();
    let DeliveryError::NoWires(NoWires { capacity, .. }) = &found else { panic!("{found}") };
    assert_eq!(*capacity, Rational::new(3, 2).unwrap());
    let stop = Stop::default();
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let found = deliver(&narrow, &of(&[(0, 1)]), Rule::Lowest, &stopped);
    assert_eq!(found, Err(DeliveryError::Stopped(Stopped)));
}

#[test]
fn nothing_and_what_stays_at_its_host() {
    let tree = tree("universal(4)");
    assert_eq!(cycles(&tree, &[], Rule::Lowest), [0; 0]);
    assert_eq!(cycles(&tree, &of(&[(2, 2)]), Rule::Lowest), [1]);
}
