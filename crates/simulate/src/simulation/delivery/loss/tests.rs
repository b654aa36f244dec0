//! Rules of loss by hand and message by message.

use super::*;
use crate::sampling::Streams;

/// Flights as (input, messages).
fn of(flights: &[(u32, u64)]) -> Vec<Flight> {
    let flight = |(entry, (input, count)): (u32, &(u32, u64))| Flight {
        count: *count,
        to: 0,
        entry,
        input: *input,
        is_lost: false,
    };
    (0..).zip(flights).map(flight).collect()
}

/// The messages that continue, as (entry, messages).
fn chosen(
    rule: &mut dyn LossRule,
    flights: &[(u32, u64)],
    wires: u64,
    seed: u64,
) -> Vec<(u32, u64)> {
    let mut flights = of(flights);
    let messages = flights.iter().map(|flight| flight.count).sum();
    let at = Congested { channel: 3, wires, messages };
    let kept = rule.choose(at, &mut flights, &mut Streams::new(seed).at(0));
    flights[..kept].iter().map(|flight| (flight.entry, flight.count)).collect()
}

fn rule(name: &str) -> Box<dyn LossRule> {
    (find(name).unwrap().build.rule)()
}

#[test]
fn one_side_is_favoured() {
    let flights = [(0, 2), (0, 1), (1, 4), (2, 3)];
    assert_eq!(chosen(&mut *rule("left"), &flights, 5, 1), [(0, 2), (1, 1), (2, 2)]);
    assert_eq!(chosen(&mut *rule("right"), &flights, 5, 1), [(2, 2), (3, 3)]);
}

/// Three inputs with 3, 4 and 3 messages, five wires: one round, then the first two; then the turn
/// is the third's: one round, then the third and the first. An input that runs out gives its turns to the others.
#[test]
fn inputs_take_turns() {
    let mut rule = rule("round-robin");
    let flights = [(0, 2), (0, 1), (1, 4), (2, 3)];
    assert_eq!(chosen(&mut *rule, &flights, 5, 1), [(0, 2), (2, 2), (3, 1)]);
    assert_eq!(chosen(&mut *rule, &flights, 5, 1), [(0, 2), (2, 1), (3, 2)]);
    assert_eq!(chosen(&mut *rule, &[(0, 1), (1, 9), (2, 1)], 7, 1), [(0, 1), (1, 5), (2, 1)]);
    // The last served was input 1.
    assert_eq!(chosen(&mut *rule, &flights, 1, 1), [(3, 1)]);
    assert_eq!(chosen(&mut *rule, &flights, 1, 1), [(0, 1)]);
}

/// By hand, message by message: each input in turn, from the turn on.
#[test]
fn rounds_are_those_of_single_messages() {
    let mut random = Streams::new(4).at(0);
    let mut below = |bound: u32| rand::Rng::next_u32(&mut random) % bound;
    let (mut fast, mut turn) = (rule("round-robin"), 0_u32);
    for _ in 0..2000 {
        let counts: Vec<u64> = (0..=below(4)).map(|_| u64::from(below(5))).collect();
        let total: u64 = counts.iter().sum();
        if total < 2 {
            continue;
        }
        let wires = 1 + u64::from(below(u32::try_from(total).unwrap() - 1));
        let flights: Vec<(u32, u64)> =
            (0..).zip(&counts).filter(|(_, c)| **c > 0).map(|(i, c)| (i, *c)).collect();
        let (mut left, mut kept) = (counts.clone(), vec![0; counts.len()]);
        let (mut input, mut served) = (turn, 0);
        while served < wires {
            let at = input as usize;
            if left.get(at).is_some_and(|count| *count > 0) {
                (left[at], kept[at], served) = (left[at] - 1, kept[at] + 1, served + 1);
                turn = input + 1;
            }
            input = if at + 1 >= left.len() { 0 } else { input + 1 };
        }
        let found = chosen(&mut *fast, &flights, wires, 1);
        let by_input: Vec<(u32, u64)> =
            found.iter().map(|(entry, count)| (flights[*entry as usize].0, *count)).collect();
        let wanted: Vec<(u32, u64)> = (0..).zip(kept).filter(|(_, c)| *c > 0).collect();
        assert_eq!(by_input, wanted, "{counts:?} on {wires}");
    }
}

/// Each message continues equally often, and as many as there are wires, whatever their multiplicities.
#[test]
fn a_random_choice_favours_nobody() {
    let flights = [(0, 3), (1, 1), (2, 6)];
    for wires in [1, 4, 9] {
        let mut sums = [0_u64; 3];
        for seed in 0..4000 {
            let found = chosen(&mut *rule("random"), &flights, wires, seed);
            assert_eq!(found.iter().map(|(_, count)| count).sum::<u64>(), wires);
            for (entry, count) in found {
                sums[entry as usize] += count;
            }
        }
        for (sum, (_, count)) in sums.iter().zip(flights) {
            let wanted = 400 * wires * count;
            // The standard deviation of one draw is below 1.6.
            assert!(sum.abs_diff(wanted) < 450, "{sum}, not {wanted}");
        }
    }
}

/// Of five single messages every set is as likely as any other, and keeps its order: with one wire, with
/// one message too many, and between.
#[test]
fn every_set_of_single_messages_is_equally_likely() {
    let flights = [(0, 1), (0, 1), (1, 1), (2, 1), (2, 1)];
    for (wires, sets) in [(1, 5), (2, 10), (3, 10), (4, 5)] {
        let mut counts = std::collections::HashMap::new();
        for seed in 0..4000 {
            let found = chosen(&mut *rule("random"), &flights, wires, seed);
            assert!(found.len() as u64 == wires && found.is_sorted());
            assert!(found.iter().all(|(_, count)| *count == 1));
            *counts.entry(found).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), sets);
        // 800 or 400, with standard deviations of 26 and 19.
        let wanted = 4000 / i32::try_from(sets).unwrap();
        assert!(counts.values().all(|count| (count - wanted).abs() < 120), "{counts:?}");
    }
}

#[test]
fn all_is_lost_and_still_counted() {
    let mut flights = of(&[(0, 2), (1, 1)]);
    let at = Congested { channel: 0, wires: 2, messages: 3 };
    let kept = rule("all").choose(at, &mut flights, &mut Streams::new(1).at(0));
    assert!(kept == 2 && flights.iter().all(|flight| flight.is_lost));
}
