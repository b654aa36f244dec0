//! The excess is drawn at random.

use rand::seq::index;

use super::{Congested, Loss, LossRule, keep};
use crate::prelude::*;
use crate::simulation::delivery::flight::Flight;

pub(super) const KIND: Kind<Loss> = Kind {
    name: "random",
    usage: "random",
    about: "the excess is lost, every set of as many messages with the same probability, for every \
            channel and cycle anew",
    reference: "[GL] 5: switches that drop excess messages at random",
    examples: &["random"],
    build: Loss { rule: || Box::<Random>::default(), is_admissible: true, is_deterministic: false },
};

/// Keeps its memory.
#[derive(Default)]
struct Random {
    drawn: Vec<u64>,
}

impl LossRule for Random {
    /// O(flights), and O(flights + w·log w) where some are of several messages, w the lesser of wires
    /// and excess.
    fn choose(&mut self, at: Congested, flights: &mut [Flight], random: &mut Stream) -> usize {
        if flights.len() as u64 == at.messages {
            return choose_single(as_size(at.wires), flights, random);
        }
        let excess = at.messages - at.wires;
        let drawn = as_size(at.wires.min(excess));
        self.drawn.clear();
        let places = index::sample(random, as_size(at.messages), drawn);
        self.drawn.extend(places.iter().map(|place| place as u64));
        self.drawn.sort_unstable();
        let (mut next, mut before) = (0, 0);
        keep(flights, |flight| {
            before += flight.count;
            let first = next;
            while self.drawn.get(next).is_some_and(|place| *place < before) {
                next += 1;
            }
            let hit = (next - first) as u64;
            if at.wires <= excess { hit } else { flight.count - hit }
        })
    }
}

/// Chooses among flights of one message each, more than there are wires.
fn choose_single(wires: usize, flights: &mut [Flight], random: &mut Stream) -> usize {
    let messages = flights.len();
    if wires == 1 {
        flights[0] = flights[random.random_range(0..messages)];
    } else if wires + 1 == messages {
        let lost = random.random_range(0..messages);
        flights.copy_within(lost + 1.., lost);
    } else {
        select(wires, flights, random);
    }
    wires
}

/// Selection sampling (Knuth, The Art of Computer Programming 3.4.2, Algorithm S): each continues with
/// probability wires left ÷ messages left, which makes all sets of as many as there are wires
/// equally likely.
fn select(wires: usize, flights: &mut [Flight], random: &mut Stream) {
    let (mut messages, mut free, mut to) = (index32(flights.len()), index32(wires), 0);
    for at in 0..flights.len() {
        // No branch depends on what is drawn: what is lost is overwritten by what comes next.
        flights[to] = flights[at];
        let goes_on = random.random_range(0..messages) < free;
        to += usize::from(goes_on);
        free -= u32::from(goes_on);
        messages -= 1;
    }
}
