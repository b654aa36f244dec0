//! Delivery cycles (\[GL\] 2): in every cycle some of the messages attempt to establish paths, some
//! get lost where channels are congested, and these try again in a later cycle.
//!
//! A [`Network`] carries out one cycle: [`Concentrators`] on a tree of channels with ideal
//! concentrators, [`Wires`] where every message takes a random wire. Which messages get lost is a
//! [`loss`] rule, which messages are sent an [`algorithm`]; [`Run`] keeps the ledger. Messages are
//! counted by pair, not held one by one, and those that are sent are drawn by jumps from one to the next, so
//! that neither their number nor the size of the tree costs time where nothing happens. [`plain`] is the slow simulator
//! that the fast one is compared with.

pub mod algorithm;
mod chosen;
mod concentrators;
mod constants;
mod figure_4;
mod flight;
mod ground;
mod grouped;
mod guesses;
mod load_factor;
pub mod loss;
mod messages;
mod network;
pub mod offline;
mod outbox;
mod pass;
pub mod plain;
mod run;
pub mod sets;
mod wires;

pub use concentrators::Concentrators;
pub use constants::Constants;
pub use figure_4::figure_4;
pub use flight::Flight;
pub use ground::Ground;
pub use guesses::{Guesses, GuessesError, Phase};
pub use load_factor::{Bottleneck, bottleneck};
pub use messages::{MAX_CYCLES, MAX_MESSAGES, MAX_PAIRS, Messages};
pub use network::{Network, Part, Rules};
pub use outbox::Outbox;
pub use pass::MAX_PARTS;
pub use run::{Deliveries, Run, Settings};
pub use wires::Wires;

use super::Imbalance;
use crate::channel_tree::NoWires;
use crate::prelude::*;
use crate::traffic::TrafficError;
use algorithm::Algorithm;

/// Why messages are not delivered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum DeliveryError {
    #[error("a message from host {s} to host {d}: hosts are 0 to {last}", last = .hosts.saturating_sub(1))]
    UnknownHost { s: Host, d: Host, hosts: usize },
    #[error("there are no messages: the load factor of none is not defined")]
    NoneSent,
    #[error("{amount} from host {s} to host {d}: demands must be whole numbers of messages")]
    NoMessages { s: Host, d: Host, amount: Rational },
    #[error(
        "`{topology}` is not a tree of channels: delivery cycles are simulated on universal(n), on bft(n) and other labelled trees, and on networks whose links form a tree"
    )]
    NoTree { topology: String },
    #[error(
        "`{topology}` has no labels: messages take random wires up on labelled trees such as bft(64) only"
    )]
    NoLabels { topology: String },
    #[error(
        "an off-line schedule needs channels with ideal concentrators, and messages take random wires here"
    )]
    NoConcentrators,
    #[error("internal error: {0}: the schedule is wrong; please report it")]
    Schedule(#[from] offline::ScheduleError),
    #[error("internal error: a message of an off-line schedule was lost; please report it")]
    LostOffline,
    #[error(
        "the {waiting} messages that are left never arrive: all are sent in every cycle, and every one passes a congested channel, which loses all; choose another loss rule or algorithm"
    )]
    Hopeless { waiting: u64 },
    #[error(transparent)]
    NoWires(#[from] NoWires),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Imbalance(#[from] Imbalance),
    #[error("internal error: more messages arrived than were sent; please report it")]
    Twice,
}

/// Sends all messages until each has arrived, or until the work is stopped: then what has been
/// delivered by then.
///
/// # Errors
/// [`DeliveryError`], except for a stop.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::{ChannelTree, WireTree};
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::algorithm::{Facts, build};
/// use routebound::simulation::delivery::{Concentrators, Messages, Settings, deliver, loss};
/// use routebound::{topology::generate, traffic};
/// let tree = ChannelTree::of(&generate("universal(16)")?).ok_or("no tree")?;
/// let tree = WireTree::of(&tree)?;
/// // Eight messages from each half to the other, over channels of four wires.
/// let messages = Messages::of(&traffic::generate("shift(8)", 16)?.into_demands())?;
/// let facts = Facts { processors: 16, messages: messages.total(), congestion: None };
/// let greedy = build("greedy", &facts)?;
/// let settings = Settings { loss: loss::find("left")?, seed: 1 };
/// let mut network = Concentrators::new(&tree);
/// let found = deliver(&mut network, &*greedy, &messages, settings, &Progress::silent())?;
/// assert_eq!(found.delivered, [(1, 8), (2, 8)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deliver(
    network: &mut dyn Network,
    algorithm: &dyn Algorithm,
    messages: &Messages,
    settings: Settings,
    progress: &Progress,
) -> Result<Deliveries, DeliveryError> {
    let mut run = Run::new(network, messages, settings, progress)?;
    match algorithm.deliver(&mut run) {
        Ok(()) | Err(DeliveryError::Stopped(_)) => Ok(run.end()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
