//! Switches that favour one input over another.

use super::{Congested, Loss, LossRule, keep};
use crate::registry::Kind;
use crate::sampling::Stream;
use crate::simulation::delivery::flight::Flight;

pub(super) const LEFT: Kind<Loss> = Kind {
    name: "left",
    usage: "left",
    about: "the excess is lost: children in order go before the parent, on each the lower wires first",
    reference: "[GL] 5: switches that favor one input channel over another",
    examples: &["left"],
    build: Loss { rule: || Box::new(Left), is_admissible: true, is_deterministic: true },
};

pub(super) const RIGHT: Kind<Loss> = Kind {
    name: "right",
    usage: "right",
    about: "the excess is lost: the parent goes before the children, of these the last first, on \
            each the higher wires first",
    reference: "[GL] 5: switches that favor one input channel over another",
    examples: &["right"],
    build: Loss { rule: || Box::new(Right), is_admissible: true, is_deterministic: true },
};

struct Left;

impl LossRule for Left {
    fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        let mut free = at.wires;
        keep(flights, |flight| {
            let kept = flight.count.min(free);
            free -= kept;
            kept
        })
    }
}

struct Right;

impl LossRule for Right {
    fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        let mut lost = at.messages - at.wires;
        keep(flights, |flight| {
            let dropped = flight.count.min(lost);
            lost -= dropped;
            flight.count - dropped
        })
    }
}
