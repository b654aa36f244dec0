//! Networks with failed cables and switches, and what a routing does there.
//!
//! What fails is a [`Cable`]: the links of both directions between two ports. A switch fails
//! with all its cables. [`damage`] takes cables out of a network; the rest keeps its names and
//! ports, nodes keep their numbers, and labels are lost: a damaged tree is no tree of the XGFT
//! family. [`fail`] also finds the routing that is left:
//!
//! 1. A routing that is defined on any network (`omrmn`, `ecmp`) is made anew.
//! 2. A routing of trees keeps every path that survives. A path that is broken gives way to the
//!    next shortest path of the undamaged tree that survives, in the order of the ancestors'
//!    numbers (up-digits, W1 most significant), from the last back to the first. Paths of a pair
//!    that become the same add up their shares.
//! 3. Forwarding tables and listed paths stay as they are.
//!
//! Pairs that are left without a path are an error ([`FailureError::Broken`]) and not routed
//! over longer ways: who looks for these has other rules, such as `omrmn` on what is left.

mod cable;
mod damage;
mod list;
mod rerouted;

pub use cable::{Cable, at_random, between_switches, cables};
pub use damage::{Damage, damage};
pub use list::{ListError, listed_cables, listed_switches};
pub use rerouted::fail;

use crate::routing::RoutingError;
use crate::topology::TopologyError;

/// Why there is no routing of a damaged network.
#[derive(Debug, thiserror::Error)]
pub enum FailureError {
    /// More cables are to fail than there are.
    #[error(
        "{wanted} cables are to fail, but the network has {found} cables between switches: \
         choose fewer"
    )]
    TooMany {
        /// Asked for.
        wanted: u64,
        /// There are.
        found: usize,
    },
    /// A list of failures does not fit the network.
    #[error("{0}")]
    List(#[from] ListError),
    /// Nothing sound is left.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// The routing is not defined on what is left.
    #[error("{0}")]
    Routing(#[from] RoutingError),
    /// Some pairs have no path at all.
    #[error("`{topology}`: {pairs} have no path at all: {first}; fail less, or other cables")]
    Disconnected {
        /// What is left of the topology.
        topology: String,
        /// How many SD pairs, of how many.
        pairs: String,
        /// The first of them.
        first: String,
    },
    /// Some pairs have lost all paths that the routing may use.
    #[error(
        "routing `{routing}` is broken on `{topology}`: {pairs} {rule}: {first}; fail other \
         cables, or use a routing of any network such as omrmn"
    )]
    Broken {
        /// The routing.
        routing: String,
        /// What is left of the topology.
        topology: String,
        /// How many SD pairs, of how many.
        pairs: String,
        /// What they lack.
        rule: &'static str,
        /// The first of them.
        first: String,
    },
}
