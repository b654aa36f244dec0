//! Results as bounds with their evidence: never a bare number.
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::bounds::{Bounds, Evidence};
//! let bounds = Bounds { lower: 3.into(), upper: 4.into(), evidence: Evidence::Proven };
//! assert_eq!((bounds.exact(), bounds.to_string()), (None, "between 3 and 4 (proven)".to_string()));
//! ```

pub use crate::certificate::{DualDemand, RoutedTraffic, Witness};
use crate::rational::Rational;

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

impl serde::Serialize for Evidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A lower and an upper bound on one quantity.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Bounds {
    /// The quantity is at least this.
    pub lower: Rational,
    /// The result is at most this.
    pub upper: Rational,
    /// Evidence for both sides.
    pub evidence: Evidence,
}

impl Bounds {
    /// The value, when both sides meet.
    #[must_use]
    pub fn exact(&self) -> Option<&Rational> {
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
