//! Why there is no such layout, or messages are not carried on one.

use itertools::Itertools;

use super::{MAX_WIRES, NETWORKS};
use crate::prelude::*;
use crate::quote::quote;
use crate::simulation::Imbalance;

/// Why there is no such layout, or messages are not carried on one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LayoutError {
    #[error("unknown network `{}`: it is one of {}", quote(name), NETWORKS.iter().map(|(known, ..)| known).join(", "))]
    Unknown {
        /// What was given.
        name: String,
    },
    #[error(
        "`{name}` has a number of processors that is a power of {base}, from {base} on; found {hosts}"
    )]
    NoPower { name: String, hosts: usize, base: usize },
    #[error("a link has 1 to {MAX_WIRES} wires, not {wires}")]
    Wires { wires: u64 },
    #[error("a message from host {s} to host {d}: the network has {hosts} processors")]
    UnknownHost { s: Host, d: Host, hosts: usize },
    #[error("no path leads from processor {s} to processor {d}")]
    NoPath { s: Host, d: Host },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Imbalance(#[from] Imbalance),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}
