//! Orders of ranks: what a collective puts on the links in a given order, the worst order, and a better one.
//!
//! Rank r of a collective is on node `order.nodes()[r]` of the job, and a send goes over every rail that both
//! nodes have, adapter i to adapter i, with 1 unit on each. The load of a phase is the maximum on any link;
//! what an order costs is the sum over phases of size · load ([`Cost`]). [`OrderLoads`] computes it in exact
//! rationals. [`worst_order`] and [`best_order`] search in integers on the table of [`Bundles`], and what they
//! return was computed again exactly. An order found to be bad is a lower bound on the worst, a good one an upper
//! bound on the least; [`least_cost`] is a bound from below, and of small jobs all orders are tried.
//!
//! [`demands`] gives the traffic of a phase, [`all_to_all`] that of all-to-all at once.

mod bundles;
mod error;
mod exhaustive;
mod least;
mod loads;
mod order;
mod pattern;
mod search;
mod sends;
mod starts;
mod state;
mod walk;

#[cfg(test)]
mod tests;

pub use bundles::{Bundles, MAX_ENTRIES};
pub use error::OrderError;
pub use least::least_cost;
pub use loads::{Cost, OrderLoads, PhaseLoad, all_to_all_load};
pub use order::{MAX_NODES, Order};
pub use search::{FoundOrder, MAX_RESTARTS, MAX_STEPS, Search, best_order, worst_order};
pub(super) use sends::common_rails;
pub use sends::{Peers, all_to_all, demands};
pub use walk::Goal;
