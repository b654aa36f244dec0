//! The record stating that no forwarding tables are better.

use std::io::BufRead;

use super::lines::{Lines, ReadError};
use crate::rational::Rational;
use crate::topology::NodeId;

/// A bound on the permutation load of every routing by destination, in which a node sends all that it sends or forwards
/// to a host by one link, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByDestination {
    /// No such routing has less.
    pub lower: Rational,
    /// The nodes whose links to others show it.
    pub nodes: Vec<NodeId>,
}

impl ByDestination {
    /// Name of the bounded quantity, for all routings by destination.
    pub const NAME: &str = "least by-destination permutation-load";
}

impl<R: BufRead> Lines<R> {
    pub(super) fn by_destination(&mut self) -> Result<Option<ByDestination>, ReadError> {
        let Some([lower, nodes]) = self.record("by-destination")? else { return Ok(None) };
        Ok(Some(ByDestination { lower: self.rational(&lower)?, nodes: self.numbers(&nodes)? }))
    }
}
