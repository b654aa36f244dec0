//! Traffic and its routing, which prove lower bounds.

use crate::rational::Rational;
use crate::topology::LinkId;
use crate::traffic::{Demand, PathRecord};

/// Traffic that loads one link heavily although some routing carries it with little load: a
/// lower bound on the oblivious ratio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The loaded link.
    pub link: LinkId,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// The max load of a routing of this traffic, so optu is at most this.
    pub optu: Rational,
    /// That routing.
    pub flow: RoutedTraffic,
}

/// A dual demand: admissible traffic against a link, which it loads, whatever the routing, by what
/// passes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualDemand {
    /// The link.
    pub link: LinkId,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// A routing of it with max load at most 1, where that is what makes it admissible; `None`
    /// where the capacities of the hosts do.
    pub flow: Option<RoutedTraffic>,
}

/// A routing of given traffic, which proves an upper bound on its optu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoutedTraffic {
    /// Every demand is split evenly over all shortest paths of its pair, by number of links.
    Even,
    /// By these paths, with shares that sum to 1 for every pair with demand.
    Paths(Vec<PathRecord>),
}
