//! Latency on idle networks, saturation and throughput beside CAMINOS.

use routebound::simulation::packet::Arrivals;
use routebound_caminos::{Arbiter, Case, Run, embedded};

const fn case(
    (down, up): (&'static [usize], &'static [usize]),
    (flits, input_queue, output_queue): (u32, u32, u32),
    (switch, link): (u32, u32),
) -> Case {
    Case { down, up, flits, input_queue, output_queue, switch, link }
}

/// Full and slimmed trees of two to four levels.
const CASES: [Case; 6] = [
    case((&[4, 4], &[4]), (16, 4, 2), (1, 1)),
    case((&[4, 4], &[2]), (16, 4, 4), (2, 1)),
    case((&[4, 4, 4], &[4, 4]), (16, 4, 2), (1, 1)),
    case((&[2, 2, 2, 2], &[2, 2, 2]), (8, 8, 4), (3, 2)),
    case((&[4, 4, 2], &[2, 4]), (32, 2, 2), (20, 9)),
    case((&[8, 8], &[8]), (64, 8, 8), (5, 4)),
];

/// Host i sends to i + shift.
fn shift(hosts: usize, shift: usize) -> Vec<usize> {
    (0..hosts).map(|host| (host + shift) % hosts).collect()
}

/// Host (a, b) sends to (b, a), where `leaves` switches have as many hosts: with D-mod-k all that a
/// switch sends takes one link. Who would send to itself sends to its neighbour.
fn transposed(leaves: usize) -> Vec<usize> {
    let to = |host: usize| host % leaves * leaves + host / leaves;
    let map = (0..leaves * leaves).map(|host| (host, to(host)));
    map.map(|(host, to)| if host == to { host ^ 1 } else { to }).collect()
}

/// A packet on an idle tree takes exactly what the formula says in both; in CAMINOS two packets of one
/// host now and then come in the same moment.
#[test]
fn packets_on_an_idle_tree_take_as_long() {
    for case in &CASES {
        let far = shift(case.hosts(), case.hosts() / 2);
        let idle = Run { load: 1, cycles: 200_000, seed: 1 };
        let links = 2 * case.down.len() as u64;
        let formula = case.model().idle_latency(links, case.flits) as f64;
        let ours = case.ours(&far, idle, Arrivals::Periodic).total;
        let theirs = case.theirs(&embedded(&far), idle, Arbiter::RoundRobin).latency;
        println!("{}: formula {formula}, CAMINOS {theirs:.3}", case.tree());
        assert_eq!(ours.median as f64, formula, "{}", case.tree());
        assert!((formula..1.01 * formula).contains(&theirs), "{}: {theirs}", case.tree());
    }
}

/// Below 1/L, where L is the most messages on a link, CAMINOS delivers what is offered; 5 % above it does not,
/// and neither do we.
#[test]
fn permutations_saturate_at_the_same_load() {
    let permutations = [
        (0, shift(16, 4)),
        (0, transposed(4)),
        (1, shift(16, 4)),
        (2, shift(64, 16)),
        (4, shift(32, 16)),
        (5, transposed(8)),
    ];
    for (number, map) in permutations {
        let case = &CASES[number];
        let most = case.max_load(&map);
        for (percent, keeps_up) in [(95, true), (105, false)] {
            let load = 10 * percent / most;
            if load > 1000 {
                continue;
            }
            let run = Run { load, cycles: 1_000_000 * most / case.hosts() as u64, seed: 1 };
            let offered = load as f64 / 1000.0;
            let theirs = case.theirs(&embedded(&map), run, Arbiter::RoundRobin).accepted / offered;
            let ours = case.ours(&map, run, Arrivals::Periodic);
            let here = ours.accepted.mean / ours.offered;
            println!(
                "{}: L = {most}, {percent} % of 1/L: CAMINOS {theirs:.4}, here {here:.4}",
                case.tree()
            );
            assert_eq!(theirs > 0.985, keeps_up, "{}: CAMINOS {theirs}", case.tree());
            assert_eq!(here > 0.985, keeps_up, "{}: here {here}", case.tree());
        }
    }
}

/// At load 1 without contention both deliver nearly all: hosts that generate at random have nothing to send now
/// and then, and those of CAMINOS drop what they generate beyond 20 messages.
#[test]
fn full_trees_carry_shifts_at_full_load() {
    for number in [0, 2, 3, 5] {
        let case = &CASES[number];
        let map = shift(case.hosts(), case.hosts() / 2);
        let run = Run { load: 1000, cycles: 20_000, seed: 1 };
        let theirs = case.theirs(&embedded(&map), run, Arbiter::RoundRobin).accepted;
        let ours = case.ours(&map, run, Arrivals::Bernoulli).accepted.mean;
        println!("{}: CAMINOS {theirs:.4}, here {ours:.4}", case.tree());
        assert!((ours / theirs - 1.0).abs() < 0.05, "{}: {ours} {theirs}", case.tree());
    }
}
