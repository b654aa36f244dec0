//! Integer matchings that come with their proof.
//!
//! [`Matching`] finds a maximum-cardinality matching and the König vertex cover of the same
//! size; [`weighted`] a maximum-weight matching and dual potentials of the same total, and [`transport`]
//! the same where rows and columns have room for several.

mod hopcroft_karp;
pub mod transport;
pub mod weighted;

pub use hopcroft_karp::{Graph, Matching, NONE};
