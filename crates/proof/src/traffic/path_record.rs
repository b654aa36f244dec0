//! One path of a routing, written out.

use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// One path of an SD pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRecord {
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// Share of the pair's traffic.
    pub share: Rational,
    /// Links from s to d.
    pub links: Vec<LinkId>,
}
