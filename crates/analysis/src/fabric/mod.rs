//! What an operator asks of a fabric: its shape and what is wrong with it, what its tables do, and
//! what other routings would.
//!
//! [`Sources`] finds network and tables among the files of a folder. [`Shape`] names the tree that a
//! fabric is, or was built as, with its pods and planes of top switches, and lists what is missing, extra or in the
//! wrong place; [`Rails`] and [`planes`] say how nodes are connected to it, [`speeds`] which cables are slower than others.
//! [`Examined`] is what forwarding tables do: [`Usage`] counts pairs and destinations by link,
//! [`Bisections`] samples what random traffic gets, as others do, and the worst case is exact.
//! [`alternatives`] assesses the routings with a formula on the same shape. [`Comparison`] is what
//! changes from one state to another, [`LidSpread`] what other orders of LIDs would give, and
//! [`SeedSpread`] what other seeds would.

mod alternatives;
mod bisection;
mod comparison;
mod differences;
mod examined;
mod lids;
mod pgft;
mod pods;
mod rails;
mod repair;
mod seeds;
mod shape;
mod sources;
mod speeds;
mod steps;
mod usage;

#[cfg(test)]
mod tests;

pub use alternatives::{Alternative, alternatives};
pub use bisection::Bisections;
pub use comparison::{Comparison, ComparisonError, LinkChange, PairChange};
pub use differences::Difference;
pub use examined::{Examined, Questions};
pub use lids::{LidSpread, LidSpreadError};
pub use pgft::Pgft;
pub use pods::Pod;
pub use rails::{RailGroup, Rails, adapter, planes};
pub use seeds::{SeedSpread, SeedSpreadError};
pub use shape::Shape;
pub use sources::{Sources, SourcesError, TableSet};
pub use speeds::{Speed, speeds};
pub use usage::{Detour, LevelUsage, Usage};
