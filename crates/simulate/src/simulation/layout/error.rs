//! Why there is no such layout, or messages are not carried on one.

use itertools::Itertools;

use super::{MAX_WIRES, NETWORKS};
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::quote;
use crate::simulation::Imbalance;
use crate::topology::Host;

/// Why there is no such layout, or messages are not carried on one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// No network of that name.
    #[error("unknown network `{}`: it is one of {}", quote(name), NETWORKS.iter().map(|(known, ..)| known).join(", "))]
    Unknown {
        /// What was given.
        name: String,
    },
    /// The processors do not fill a square or cube.
    #[error(
        "`{name}` has a number of processors that is a power of {base}, from {base} on; found {hosts}"
    )]
    NoPower {
        /// The network.
        name: String,
        /// Number of processors.
        hosts: usize,
        /// 4 in the plane, 8 in space.
        base: usize,
    },
    /// No wires, or too many.
    #[error("a link has 1 to {MAX_WIRES} wires, not {wires}")]
    Wires {
        /// Wires of a link.
        wires: u64,
    },
    /// An endpoint is no processor.
    #[error("a message from host {s} to host {d}: the network has {hosts} processors")]
    UnknownHost {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
        /// Number of processors.
        hosts: usize,
    },
    /// Nothing leads there.
    #[error("no path leads from processor {s} to processor {d}")]
    NoPath {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A size is above its limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// Messages vanished or multiplied.
    #[error("{0}")]
    Imbalance(#[from] Imbalance),
    /// The work was stopped.
    #[error("{0}")]
    Stopped(#[from] Stopped),
}
