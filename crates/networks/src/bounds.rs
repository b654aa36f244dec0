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

/// A bound as it is if that has at most nine characters, otherwise with so many decimals, rounded to the safe side: an
/// upper bound `up`, a lower one down.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::bounds::decimal;
/// let bound = "20000000/30000001".parse()?;
/// assert_eq!([false, true].map(|up| decimal(&bound, 6, up)), ["0.666666", "0.666667"]);
/// assert_eq!(decimal(&"42/17".parse()?, 6, true), "42/17");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn decimal(bound: &Rational, places: u32, up: bool) -> String {
    let exact = bound.to_string();
    if exact.len() <= SHORT {
        return exact;
    }
    let scaled = bound * &Rational::from(10_u64.pow(places));
    let up = up && scaled.denominator_bits() > 1;
    let whole = if up { (&scaled + &Rational::ONE).floor() } else { scaled.floor() }.to_string();
    let places = places as usize;
    let digits = format!("{whole:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{whole}.{fraction}")
}

/// Maximum number of characters of a fraction that is shown as it is.
const SHORT: usize = 9;
