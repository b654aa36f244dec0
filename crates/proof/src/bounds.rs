//! Results as bounds with their evidence: never a bare number.

use crate::ratio::Ratio;
use crate::topology::LinkId;
use crate::traffic::{Demand, PathRecord};

/// Why a bound is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A certificate that the checker accepted.
    Proven,
    /// A solver or an analysis said so; the text names it and what is missing for a proof.
    Claimed(String),
    /// Found by trials.
    Sampled {
        /// Seed of the generator.
        seed: u64,
        /// Number of trials.
        trials: u64,
    },
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Proven => f.write_str("proven"),
            Self::Claimed(by) => write!(f, "claimed: {by}"),
            Self::Sampled { seed, trials } => write!(f, "sampled: {trials} trials, seed {seed}"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Evidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A lower and an upper bound on one quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounds {
    /// The quantity is at least this.
    pub lower: Ratio,
    /// It is at most this.
    pub upper: Ratio,
    /// Evidence for both sides.
    pub evidence: Evidence,
}

impl Bounds {
    /// The value, when both sides meet.
    #[must_use]
    pub fn exact(&self) -> Option<&Ratio> {
        (self.lower == self.upper).then_some(&self.lower)
    }
}

impl std::fmt::Display for Bounds {
    /// `7 (proven)` or `between 3 and 4 (proven)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.exact() {
            Some(value) => write!(f, "{value} ({})", self.evidence),
            None => write!(f, "between {} and {} ({})", self.lower, self.upper, self.evidence),
        }
    }
}

/// Traffic that loads one link heavily although some routing carries it with little load: a
/// lower bound on the oblivious ratio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The loaded link.
    pub link: LinkId,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// The max load of a routing of this traffic, so optu is at most this.
    pub optu: Ratio,
    /// That routing.
    pub flow: Flow,
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
    pub flow: Option<Flow>,
}

/// How given traffic is routed to prove an upper bound on its optu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Every demand is split evenly over all shortest paths of its pair, by number of links.
    Even,
    /// By these paths, with shares that sum to 1 for every pair with demand.
    Paths(Vec<PathRecord>),
}
