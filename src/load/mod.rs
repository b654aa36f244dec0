//! What a routing puts on every link, before any traffic is chosen: its SD pairs.

mod pairs;

pub use pairs::{LinkPairs, PairCounts, SharedPair};
