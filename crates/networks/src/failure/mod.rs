//! Networks with failed cables and switches, and what a routing does there.
//!
//! What fails is a [`Cable`]: the links in both directions between two ports. A switch fails
//! with all its cables. [`damage`] removes cables from a network; the rest keeps its names and
//! ports, nodes keep their numbers, and labels are lost: a damaged tree is not a tree of the XGFT
//! family. [`fail`] also finds the routing that remains:
//!
//! 1. A routing that is defined on any network (`omrmn`, `ecmp`, `hash`, `minhop`, `ksp`) is
//!    recomputed; links keep their weights.
//! 2. A routing of trees keeps every path that survives. A broken path is replaced by the next
//!    surviving shortest path of the undamaged tree, in the order of the ancestors' numbers
//!    (up-digits, W1 most significant), wrapping around from the last to the first. If paths of a
//!    pair become the same, their shares add up.
//! 3. Forwarding tables and listed paths stay as they are.
//!
//! The name of a routing that [`routing::build`](crate::routing::build) did not make says nothing:
//! it is never recomputed, and 2 applies to it unless it is [`Listed`](crate::routing::Listed).
//!
//! Hosts that are cut off from the others leave the network ([`Damage::cut_off`]). Other pairs may be left without a
//! path ([`Remainder::lost`]): they are not routed over longer paths, which takes other rules, such as `omrmn` on what
//! remains. The worst case of the other pairs is that of [`remaining`]; [`fail`] makes lost pairs an error.
//!
//! A damaged network is an ordinary one, whose links are renumbered: no analysis needs to know that something failed. The
//! wrapper of its routing keeps the labels of the undamaged tree and translates numbers.

mod cable;
mod damage;
mod list;
mod lost_pairs;
mod replacement;
mod rerouted;

pub use cable::{Cable, at_random, between_switches, cables, inner_cables};
pub use damage::{Damage, cut_off, damage};
pub use list::{
    ListError, forwarding_nodes, list_as_lines, listed_cables, listed_nodes, listed_switches,
};
pub use lost_pairs::LostPairs;
pub use replacement::{Replacement, stays_as_it_is};
pub use rerouted::{Remainder, fail, remaining};

use crate::routing::RoutingError;
use crate::topology::TopologyError;

/// Why taking out cables or routing the damaged network failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum FailureError {
    #[error(
        "{wanted} cables are to fail, but the network has {found} cables between switches or \
         between hosts: choose fewer"
    )]
    TooMany { wanted: u64, found: usize },
    #[error(transparent)]
    List(#[from] ListError),
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error("`{topology}`: no two hosts remain connected; fail fewer cables, or others")]
    NothingLeft { topology: String },
    #[error(
        "routing `{routing}` is broken on `{topology}`: {lost}; fail other cables, or use a \
         routing for any network, such as omrmn"
    )]
    Broken { routing: String, topology: String, lost: LostPairs },
}
