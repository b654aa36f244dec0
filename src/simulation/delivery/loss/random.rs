//! The excess is drawn at random.

use rand::seq::index;

use super::{Congested, Loss, LossRule, keep};
use crate::integer::as_size;
use crate::registry::Kind;
use crate::sampling::Stream;
use crate::simulation::delivery::network::Flight;

pub(super) const KIND: Kind<Loss> = Kind {
    name: "random",
    usage: "random",
    options: &[],
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
    /// O(flights + w·log w), w the lesser of wires and excess.
    fn choose(&mut self, at: Congested, flights: &mut [Flight], random: &mut Stream) -> usize {
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
