//! Link loads.
//!
//! [`LinkLoads`] holds exactly what given traffic puts on every link; [`contention`] counts how
//! many of the flows there compete for the link itself; [`PermutationLoads`] computes the same
//! loads for permutations in bulk. [`PairCounts`] and [`LinkPairs`] tell, before any traffic is
//! chosen, which SD pairs a routing puts on every link, and [`Dependencies`] which links its paths use one
//! after another.
//!
//! ```
//! # use routebound_analysis as routebound;
//! use routebound::{load::LinkLoads, progress::Progress, routing::Instance, traffic};
//! let instance = Instance::named("ft(8,3)", "dmodk")?;
//! let shift = traffic::generate("shift(16)", 128)?;
//! let (topology, routing) = (instance.topology(), instance.routing());
//! let loads = LinkLoads::of(topology, routing, shift.demands(), &Progress::silent())?;
//! assert_eq!(loads.max_load(), 1.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ancestor_counts;
mod contention;
mod credit_loop;
mod dependencies;
mod digit_counts;
mod disjoint;
mod filled;
mod host_classes;
mod lanes;
mod largest_shares;
mod link_cycle;
mod link_graph;
mod link_loads;
mod own_paths;
mod pairs;
mod peak;
mod permutations;
mod product_loads;
mod share_numbers;
mod virtual_channels;

pub use contention::{ContentionError, contention};
pub use credit_loop::{CreditLoop, credit_loop};
pub use dependencies::{Dependencies, DependencyError, MAX_DEPENDENCY_BITS};
pub use host_classes::HostClasses;
pub use lanes::{LaneError, Lanes};
pub use largest_shares::sums_by_destination;
pub use link_graph::LinkGraph;
pub use link_loads::{LevelLoads, LinkLoads, LoadCount, by_level};
pub use own_paths::{MAX_OWN_LINKS, own_paths};
pub use pairs::{LinkPairs, PairCounts, SharedPair};
pub use peak::Peak;
pub use permutations::PermutationLoads;
pub use product_loads::{MAX_DEMANDS, within_limit};
pub use share_numbers::{CommonShare, ShareNumbers};
pub use virtual_channels::VirtualChannels;

pub use crate::sums::Sums;
