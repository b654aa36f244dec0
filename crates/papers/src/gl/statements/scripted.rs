//! A deterministic admissible rule that was made to refute one sentence of the proof of \[GL\]
//! Theorem 9, on `universal(256,root=open)` at λ = 48 ([`super::theorem_9_full`]).
//!
//! A switch counts the cycles in which it was congested, and keeps the messages on fixed wires in each
//! of them: it knows neither which messages these are nor what other switches do. All but four switches
//! always keep the first.
//!
//! Let D be the last quarter of the tree, 64 hosts with a root channel of 8 wires, S the first quarter of
//! D, 16 hosts with 4 messages each and a root channel of 4 wires, and Q0 to Q3 the quarters of S, of 4
//! hosts with 16 messages and 2 wires. The switch at the root lets only two messages of D pass in each of
//! the first 16 cycles, so that t = 16 + 4 for D, and these are messages of S: all of Q2 in 8 cycles, then
//! 10 of Q1 and 6 of Q0. In the next three cycles it lets all of D's pass, of which 4 are S's: 6 of Q1,
//! which then is empty, and 6 of Q0, where all that is left are the 4 messages of one host. So in cycle
//! 20 S has 1 message on the wires of Q0 and 2 on those of Q3, and 4 wires.

use std::collections::HashMap;

use crate::registry::Kind;
use crate::sampling::Stream;
use crate::simulation::delivery::Flight;
use crate::simulation::delivery::loss::{Congested, Loss, LossRule};

/// The tree.
pub(super) const TREE: &str = "universal(256,root=open)";

/// λ.
pub(super) const LAMBDA: u64 = 48;

/// The rule. It fits no other tree, so that no list has it.
pub(super) static RULE: Kind<Loss> = Kind {
    name: "scripted",
    usage: "scripted",
    about: "the messages on fixed wires continue",
    reference: "ours",
    examples: &["scripted"],
    build: Loss {
        rule: || Box::<Scripted>::default(),
        is_admissible: true,
        is_deterministic: true,
    },
};

/// The switches at the roots of the tree, of S, of Q0 and of Q1, by rank.
const ROOT: usize = 1;
const S: usize = 28;
const Q0: usize = 112;
const Q1: usize = 113;

#[derive(Default)]
struct Scripted {
    /// Cycles in which each channel was congested.
    cycles: HashMap<usize, u64>,
}

impl LossRule for Scripted {
    fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        let cycle = self.cycles.entry(at.channel).or_default();
        *cycle += 1;
        let places = places(at.channel / 2, *cycle);
        let (mut before, mut free, mut to) = (0, at.wires, 0);
        for from in 0..flights.len() {
            let flight = flights[from];
            let is_kept = |place: &u64| places.as_ref().is_none_or(|kept| kept.contains(place));
            let kept = (before..before + flight.count).filter(is_kept).count() as u64;
            let count = kept.min(free);
            (before, free) = (before + flight.count, free - count);
            if count > 0 {
                flights[to] = Flight { count, ..flight };
                to += 1;
            }
        }
        to
    }
}

/// Which of the messages that reach a switch continue, from 0 on in the order of its wires; the first
/// where nothing is said.
fn places(rank: usize, cycle: u64) -> Option<Vec<u64>> {
    match (rank, cycle) {
        (ROOT, 1..=20) => Some(at_root(cycle)),
        (S, 1..=8) => Some(vec![4, 5, 6, 7]),
        (Q0, 9..=20) => Some(vec![1, 2]),
        (Q1, 16) => Some(vec![0, 2]),
        _ => None,
    }
}

/// Eight wires of each quarter reach the root. Of the last, D, the first four are those of S.
fn at_root(cycle: u64) -> Vec<u64> {
    let of_d: &[u64] = match cycle {
        1..=8 => &[0, 1],
        9..=13 => &[0, 2],
        14 => &[1, 2],
        15..=16 => &[2, 3],
        _ => &[0, 1, 2, 3, 4, 5, 6, 7],
    };
    // The other three take turns: eight wires of one and, up to cycle 16, six of the next.
    let [first, second] = [cycle, cycle + 1].map(|turn| 8 * (turn % 3));
    let more = if cycle > 16 { 0 } else { 6 };
    let others = (first..first + 8).chain(second..second + more);
    others.chain(of_d.iter().map(|wire| 24 + wire)).collect()
}
