//! Which messages are lost where more reach a channel than it has wires.
//!
//! \[GL\] 5 calls a switch *greedy* if it drops messages only where a channel is congested, and then
//! "only the minimum number necessary", and *oblivious* if its decisions rest on nothing but the
//! presence of messages on its input lines; *admissible* if both. All rules here are admissible,
//! except `all`, under which a congested channel loses everything, as the analysis of RANDOM
//! presumes.
//!
//! The inputs of a switch are its children in order, then its parent; a processor is a switch of its
//! own whose inputs are its messages in the order given.

mod all;
mod first;
mod random;
mod round_robin;

use super::flight::Flight;
use crate::registry::{self, Kind, UnknownName};
use crate::sampling::Stream;

/// A channel that more messages reach than it has wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congested {
    /// Number of the channel in the network.
    pub channel: usize,
    /// Wires of the channel, fewer than the messages.
    pub wires: u64,
    /// The messages that reach it.
    pub messages: u64,
}

/// A rule that chooses which messages continue. It may remember what it decided before.
pub trait LossRule {
    /// Moves to the front of `flights`, which are in the order of the inputs, what continues:
    /// `at.wires` messages, or none. Returns how many flights these are; none of them is empty.
    fn choose(&mut self, at: Congested, flights: &mut [Flight], random: &mut Stream) -> usize;

    /// Whether congested channels lose all, so that what is lost still counts on later channels.
    fn loses_all(&self) -> bool {
        false
    }
}

/// A rule, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// A rule that has decided nothing yet.
    pub rule: fn() -> Box<dyn LossRule>,
    /// Admissible in the sense of \[GL\] 5.
    pub is_admissible: bool,
    /// Decides without random numbers.
    pub is_deterministic: bool,
}

/// Every rule.
pub const LOSSES: &[Kind<Loss>] =
    &[random::KIND, first::LEFT, first::RIGHT, round_robin::KIND, all::KIND];

/// The rule of a name.
///
/// # Errors
/// [`UnknownName`] with the known ones.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::loss;
/// assert!(loss::find("left")?.build.is_admissible);
/// assert!(!loss::find("all")?.build.is_admissible);
/// assert!(loss::find("some").is_err());
/// # Ok::<(), routebound::registry::UnknownName>(())
/// ```
pub fn find(name: &str) -> Result<&'static Kind<Loss>, UnknownName> {
    registry::find(LOSSES, "loss rule", name)
}

/// Keeps of every flight what `kept` says of it, in order; returns the number of flights left.
fn keep(flights: &mut [Flight], mut kept: impl FnMut(&Flight) -> u64) -> usize {
    let mut to = 0;
    for at in 0..flights.len() {
        let count = kept(&flights[at]);
        if count > 0 {
            flights[to] = Flight { count, ..flights[at] };
            to += 1;
        }
    }
    to
}

#[cfg(test)]
mod tests;
