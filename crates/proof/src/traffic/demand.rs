//! One entry of a traffic matrix.

use crate::rational::Rational;
use crate::topology::Host;

/// Traffic of one SD pair, in units of what a host link of capacity 1 carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Source.
    pub s: Host,
    /// Destination, not the source: traffic from a host to itself never enters the network.
    pub d: Host,
    /// Amount, positive.
    pub amount: Rational,
}
