//! Optimal loads: bounds on the optu of given traffic.
//!
//! [`baseload`] bounds optu from below. The even split of traffic over all shortest paths is
//! a routing, so its max load ([`EvenSplit`]) bounds optu from above; on trees of full
//! bisection the two meet (\[OR\] Theorem 1).
//!
//! Elsewhere optu is found by cuts on trees ([`optimal_cut`]), by multiplicative weights on any network
//! (`multiplicative`), and by class of hosts on large ones (`classes`: cuts, and shortest paths balanced by prices).
//! Linear programs get traffic merged by the blocks of a network (`blocks`), and one direction of what is alike in
//! both (`merged`). Floats are made exact before anything rests on them (`lengths`, `rational_reconstruction`).

mod baseload;
pub mod blocks;
pub mod classes;
mod crossings;
mod cuts;
mod even_split;
mod even_tree;
mod flow_decomposition;
pub mod gates;
pub mod lengths;
pub mod merged;
pub mod multiplicative;
pub mod optu;
pub mod paths;
pub mod problem;
pub mod rational_reconstruction;
pub mod shortest;

pub use baseload::{baseload, baseload_lengths};
pub use cuts::{Cut, optimal_cut};
pub use even_split::{EvenSplit, even_load};

pub use crate::rearrange;
