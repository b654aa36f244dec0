//! Random draws, and what a sample says: streams of random numbers, summaries of samples,
//! proportions.
//!
//! Whatever is drawn at random draws from a stream of a seed ([`Streams`]), numbered by the entity
//! that draws, such as a source, a subtree or a trial: so the result does not depend on threads or
//! on the order of evaluation. What is said about a sample is exact for the sample ([`Summary`]);
//! only the width of an interval is an estimate.

pub mod proportion;
mod quartiles;
mod streams;
mod summary;

pub use quartiles::Quartiles;
pub use streams::{Stream, Streams};
pub use summary::Summary;
