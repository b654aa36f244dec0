//! Inputs take turns.

use std::collections::HashMap;

use super::{Congested, Loss, LossRule, keep};
use crate::prelude::*;
use crate::simulation::delivery::flight::Flight;

pub(super) const KIND: Kind<Loss> = Kind {
    name: "round-robin",
    usage: "round-robin",
    about: "the excess is lost: the inputs in turn send one message each as long as they have any, \
            beginning after the input that was last served when the channel was congested before",
    reference: "[GL] 5: a switch can base its decisions on previous decisions",
    examples: &["round-robin"],
    build: Loss {
        rule: || Box::<RoundRobin>::default(),
        is_admissible: true,
        is_deterministic: true,
    },
};

#[derive(Default)]
struct RoundRobin {
    /// The input whose turn it is, of channels that have been congested.
    turn: HashMap<usize, u32>,
    /// Inputs with the messages that they have, in order.
    inputs: Vec<(u32, u64)>,
}

impl LossRule for RoundRobin {
    /// O(flights + inputs·log inputs).
    fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        self.inputs.clear();
        for flight in &*flights {
            match self.inputs.last_mut() {
                Some((input, count)) if *input == flight.input => *count += flight.count,
                _ => self.inputs.push((flight.input, flight.count)),
            }
        }
        let turn = self.turn.entry(at.channel).or_default();
        let begins = self.inputs.partition_point(|(input, _)| *input < *turn);
        let (level, more) = rounds(&self.inputs, at.wires);
        let in_turn = self.inputs[begins..].iter().chain(&self.inputs[..begins]);
        let has_more = in_turn.clone().filter(|(_, count)| *count > level);
        let one_more = has_more.take(as_size(more)).last().map(|(input, _)| *input);
        let in_last_round = in_turn.rev().find(|(_, count)| *count >= level);
        let served = one_more.map(|last| (*turn, last));
        if let Some(last) = one_more.or(in_last_round.map(|(input, _)| *input)) {
            *turn = last + 1;
        }
        let (mut input, mut free) = (u32::MAX, 0);
        keep(flights, |flight| {
            if flight.input != input {
                input = flight.input;
                free = level
                    + u64::from(served.is_some_and(|(from, last)| is_served(input, from, last)));
            }
            let kept = flight.count.min(free);
            free -= kept;
            kept
        })
    }
}

/// Whether an input is from `from` on, in turn, up to `last`. An input that has no message left in
/// the last round may be among them: it takes nothing.
fn is_served(input: u32, from: u32, last: u32) -> bool {
    if from <= last { (from..=last).contains(&input) } else { input >= from || input <= last }
}

/// Whole rounds until fewer wires are free than inputs have messages left, and these wires.
fn rounds(inputs: &[(u32, u64)], wires: u64) -> (u64, u64) {
    let mut counts: Vec<u64> = inputs.iter().map(|(_, count)| *count).collect();
    counts.sort_unstable();
    let (mut level, mut free) = (0, wires);
    for (at, count) in counts.iter().enumerate() {
        let left = (counts.len() - at) as u64;
        let more = (count - level).min(free / left);
        level += more;
        free -= more * left;
        if level < *count {
            break;
        }
    }
    (level, free)
}
