//! All messages of a congested channel are lost.

use super::{Congested, Loss, LossRule};
use crate::registry::Kind;
use crate::sampling::Stream;
use crate::simulation::delivery::flight::Flight;

pub(super) const KIND: Kind<Loss> = Kind {
    name: "all",
    usage: "all",
    about: "a channel that more messages of a cycle must pass than it has wires loses all of them, \
            wherever else these got lost: what the analysis of RANDOM presumes",
    reference: "[GL] 4, before Lemma 5; 5",
    examples: &["all"],
    build: Loss { rule: || Box::new(All), is_admissible: false, is_deterministic: true },
};

struct All;

impl LossRule for All {
    fn choose(&mut self, _: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        for flight in flights.iter_mut() {
            flight.is_lost = true;
        }
        flights.len()
    }

    fn loses_all(&self) -> bool {
        true
    }
}
