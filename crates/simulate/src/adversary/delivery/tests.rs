//! Bad sets, exact expectations and searches, each against something else.

use super::*;
use crate::sampling::Summary;
use crate::simulation::delivery::loss::{Congested, LOSSES, LossRule, find};
use crate::simulation::delivery::{Flight, Settings, bottleneck};

fn shape(spec: &str) -> UniversalShape {
    UniversalShape::named(spec).unwrap().unwrap()
}

fn deterministic() -> impl Iterator<Item = &'static Kind<Loss>> {
    LOSSES.iter().filter(|kind| kind.build.is_admissible && kind.build.is_deterministic)
}

/// [GL] Theorem 9 on 4^h hosts: the three properties in every copy, the steps of the proof, and the
/// number of cycles that these rules take, λ(1 + lg n/6).
fn theorem_9_holds(heights: std::ops::RangeInclusive<u32>) {
    let (progress, factor) = (Progress::silent(), Rational::new(1, 24).unwrap());
    for height in heights {
        let shape = shape(&format!("universal({},root=open)", 1_u64 << (2 * height)));
        for rule in deterministic() {
            for lambda in [12, 24, 48] {
                let bad = theorem_9(&shape, lambda, rule, &progress).unwrap();
                let settings = Settings { loss: rule, seed: 1 };
                let found = bad.prove(&shape, settings, &progress).unwrap();
                let case = format!("{} 4^{height} {lambda}", rule.name);
                assert_eq!(found.trees.len(), height as usize + 1);
                for tree in &found.trees {
                    assert!(
                        tree.has_load_factor(lambda) && tree.has_full_root(),
                        "{case}: {tree:?}"
                    );
                    assert!(
                        tree.has_additional(lambda, &factor) && tree.has_step(),
                        "{case}: {tree:?}"
                    );
                }
                let least = bound(lambda, found.trees[0].tree, &factor);
                assert!(Rational::from(found.cycles) >= least, "{case}");
                assert_eq!(3 * found.cycles, lambda * (3 + u64::from(height)), "{case}");
            }
        }
    }
}

#[test]
fn theorem_9_holds_on_small_trees() {
    theorem_9_holds(1..=5);
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn theorem_9_holds_on_large_trees() {
    theorem_9_holds(6..=8);
}

/// The numbers of messages and the load factors, by the count of the simulator.
#[test]
fn bad_sets_have_their_load_factor() {
    let progress = Progress::silent();
    for (spec, n) in [("universal(4,root=open)", 4_u64), ("universal(256,root=open)", 256)] {
        let shape = shape(spec);
        let tree = WireTree::universal(&shape);
        for rule in LOSSES.iter().filter(|kind| kind.build.is_admissible) {
            // 31 counts as 24.
            for (lambda, counted) in [(12, 12), (31, 24), (60, 60)] {
                let bad = theorem_9(&shape, lambda, rule, &progress).unwrap();
                let found = bottleneck(&tree, &bad.messages).unwrap().unwrap();
                assert_eq!(bad.lambda, counted);
                assert_eq!(bad.messages.total(), counted * n.isqrt());
                assert_eq!(found.load_factor, Rational::from(counted), "{spec} {}", rule.name);
                assert_eq!(bad.counts[bad.last.first as usize], counted);
            }
        }
    }
}

/// By hand: left never sends hosts 2 and 3 while hosts 0 and 1 have messages, right the other way
/// round; round-robin takes one wire of each side, the first.
#[test]
fn unfavoured_subtrees_are_those_by_hand() {
    let shape = shape("universal(16,root=open)");
    for (rule, provided, chosen) in
        [("left", [4, 4, 0, 0], 2), ("right", [0, 0, 4, 4], 0), ("round-robin", [4, 0, 4, 0], 1)]
    {
        let bad = theorem_9(&shape, 12, find(rule).unwrap(), &Progress::silent()).unwrap();
        let Level { tree, until, runs, .. } = bad.levels[0];
        assert_eq!((tree.hosts(), until, runs), (16, 2, 1));
        assert_eq!((bad.levels[0].provided, bad.levels[0].chosen), (provided, chosen), "{rule}");
        let counts = &bad.counts[4 * chosen..4 * chosen + 4];
        assert_eq!(counts.iter().sum::<u64>(), 24, "{rule}");
        let even = bad.counts.chunks(4).enumerate().filter(|(at, _)| *at != chosen);
        assert!(even.map(|(_, counts)| counts).all(|counts| counts == [2, 2, 2, 2]), "{rule}");
    }
}

/// Whether a channel is congested follows from the numbers of messages that reach it, whatever the rule
/// loses: these must be the channels that the rule is asked about.
#[test]
fn full_channels_are_those_of_the_simulator() {
    use super::properties::Channels;
    use crate::simulation::delivery::{Concentrators, Network, Outbox, Rules};

    struct Spy(Box<dyn LossRule>, Vec<usize>);
    impl LossRule for Spy {
        fn choose(&mut self, at: Congested, flights: &mut [Flight], random: &mut Stream) -> usize {
            self.1.push(at.channel);
            self.0.choose(at, flights, random)
        }
    }
    let shape = shape("universal(64,root=open)");
    let tree = WireTree::universal(&shape);
    for rule in LOSSES.iter().filter(|kind| kind.build.is_admissible) {
        let bad = theorem_9(&shape, 24, rule, &Progress::silent()).unwrap();
        let mut network = Concentrators::new(&tree);
        network.prepare(bad.messages.iter().map(|(s, d, _)| (s, d)).collect());
        let mut outbox = Outbox::new(bad.messages.iter().map(|(_, _, count)| count).collect());
        let (mut parts, mut channels) = (Vec::new(), Channels::of(&shape));
        let mut spy = Spy((rule.build.rule)(), Vec::new());
        let streams = Streams::new(3);
        for cycle in 0.. {
            let mut left = vec![0; 64];
            for (entry, (s, _, _)) in (0..).zip(bad.messages.iter()) {
                left[s as usize] = outbox.left(entry);
            }
            channels.carry(&left);
            outbox.all(&mut parts);
            let (mut arrived, random) = (Vec::new(), &mut streams.at(cycle));
            network.cycle(&parts, &mut Rules { loss: &mut spy, random }, &mut arrived);
            let delivered = outbox.deliver(&arrived).unwrap();
            assert_eq!(channels.carried[6], [delivered], "{} {cycle}", rule.name);
            let mut wanted = Vec::new();
            for k in 0..=6 {
                for (at, carried) in channels.carried[k].iter().enumerate() {
                    let reach = match k {
                        0 => left[at],
                        _ => channels.carried[k - 1][2 * at] + channels.carried[k - 1][2 * at + 1],
                    };
                    // Level by level below the outside world, so that the root has rank 1.
                    wanted.extend((reach > *carried).then_some(2 * ((1 << (6 - k)) + at)));
                }
            }
            spy.1.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(spy.1, wanted, "{} {cycle}", rule.name);
            spy.1.clear();
            if outbox.total() == 0 {
                break;
            }
        }
    }
}

#[test]
fn what_has_no_bad_set_is_refused() {
    let (progress, standard) = (Progress::silent(), shape("universal(16,root=open)"));
    let of = |shape: &UniversalShape, lambda, rule: &str| {
        theorem_9(shape, lambda, find(rule).unwrap(), &progress).unwrap_err().to_string()
    };
    assert!(of(&shape("universal(16)"), 12, "left").contains("not a standard fat-tree"));
    assert!(of(&standard, 11, "left").contains("at least 12"));
    assert!(of(&standard, 12, "all").contains("not admissible"));
    // So many messages at every host that some are left.
    assert!(of(&standard, 1 << 50, "left").contains("limit"));
    let bad = theorem_9(&standard, 12, find("left").unwrap(), &progress).unwrap();
    let settings = Settings { loss: find("left").unwrap(), seed: 1 };
    assert!(bad.prove(&shape("universal(64,root=open)"), settings, &progress).is_err());
}

/// Sixteen sets under the random rule: the mean of 1000 runs, in the full tier 4000, is within 4.5 standard errors.
#[test]
fn expectations_are_those_of_runs() {
    let random = find("random").unwrap();
    for (spec, pairs) in [
        ("universal(4)", &[(0, 1), (0, 2), (1, 2), (2, 1), (3, 0), (3, 1)][..]),
        ("universal(4,growth=constant)", &[(0, 2), (1, 3), (2, 0), (2, 1), (3, 1)][..]),
        ("universal(4,root=open)", &[(0, 4), (1, 4), (2, 4), (3, 4), (4, 1)][..]),
        ("universal(8)", &[(0, 7), (1, 7), (2, 6), (3, 6), (4, 0), (5, 0), (0, 3)][..]),
    ] {
        let tree = WireTree::universal(&shape(spec));
        for more in 0..4 {
            let counts = (0..).map(|at| 1 + at * (more + 1) % 3);
            let entries = pairs.iter().zip(counts).map(|((s, d), count)| (*s, *d, count));
            let messages = Messages::listed(entries).unwrap();
            let exact = expected_cycles(&tree, &messages, &Progress::silent()).unwrap().to_f64();
            let of_run = |seed| {
                let settings = Settings { loss: random, seed };
                Rational::from(cycles(&tree, &messages, settings, &Progress::silent()).unwrap())
            };
            let runs = if cfg!(feature = "slow-tests") { 4000 } else { 1000 };
            let sample = Summary::of((0..runs).map(|seed| (of_run(seed), 1))).unwrap();
            let error = sample.half_width() / 1.96;
            let off = (sample.mean().to_f64() - exact).abs();
            assert!(off <= 4.5 * error, "{spec} {more}: {off}, {error}");
        }
    }
}

/// By hand, for the two wires out of the root of a tree of four hosts.
#[test]
fn expectations_by_hand() {
    let of = |spec: &str, set: &[(Host, Host, u64)]| {
        let messages = Messages::listed(set.iter().copied()).unwrap();
        let tree = WireTree::universal(&shape(spec));
        expected_cycles(&tree, &messages, &Progress::silent()).map(|cycles| cycles.to_string())
    };
    let open = "universal(4,root=open)";
    assert_eq!(of(open, &[(0, 4, 7)]).unwrap(), "7");
    // Three hosts with one message: two, then the third.
    assert_eq!(of(open, &[(0, 4, 1), (2, 4, 1), (3, 4, 1)]).unwrap(), "2");
    // Host 0 has two. It is among the two that are served first with probability 2/3: then 2 cycles,
    // else 1 + 2.
    assert_eq!(of(open, &[(0, 4, 2), (2, 4, 1), (3, 4, 1)]).unwrap(), "7/3");
    assert_eq!(of("universal(2)", &[]).unwrap(), "0");
    assert!(matches!(of(open, &[(0, 4, 61)]), Err(AttackError::TooLarge(_))));
    assert!(matches!(of(open, &[(0, 5, 1)]), Err(AttackError::UnknownHost { to: 5, hosts: 5 })));
}

/// The numbers of sets are those of matrices with zero diagonal and bounded sums of rows and columns,
/// counted row by row elsewhere; the symmetries of four hosts make 470 of 3395.
#[test]
fn all_sets_are_tried() {
    let shape = shape("universal(4)");
    let tree = WireTree::universal(&shape);
    for (spec, loss, sets, most) in [
        ("exhaustive(lambda=1)", "left", 107, "1"),
        ("exhaustive(lambda=2)", "left", 3395, "4"),
        ("exhaustive(lambda=2)", "round-robin", 3395, "4"),
        ("exhaustive(lambda=2)", "random", 470, "767/256"),
    ] {
        let target = Target { tree: &tree, shape: None, loss: find(loss).unwrap() };
        let found = build(spec).unwrap().attack(&target, &Progress::silent()).unwrap();
        let worst = found.worst.unwrap();
        assert_eq!((found.evaluations, worst.cycles.to_string().as_str()), (sets, most), "{loss}");
        assert!(worst.load_factor <= Rational::from(2) && !found.stopped);
        let again = if loss == "random" {
            expected_cycles(&tree, &worst.messages, &Progress::silent()).unwrap()
        } else {
            let settings = Settings { loss: target.loss, seed: 1 };
            cycles(&tree, &worst.messages, settings, &Progress::silent()).unwrap().into()
        };
        assert_eq!(again, worst.cycles);
    }
}
