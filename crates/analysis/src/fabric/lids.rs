//! What the order of LIDs does: exact worst loads of a routing that follows it, over random orders.
//!
//! A subnet manager gives LIDs to adapters as it finds them, or by their GUIDs, so where which adapter sits
//! decides their order, and with it what most engines compute. One measured order is one draw.

use std::num::NonZeroU32;

use super::seeds::{SeedSpread, SeedSpreadError};
use crate::progress::Progress;
use crate::spec::{Spec, SpecError};
use crate::topology::Topology;

/// The routings that take destinations in the order of their LIDs, and a random order by `seed=`.
const BY_LID: &[&str] = &["minhop"];

/// Exact worst loads over orders of LIDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LidSpread {
    /// The name of the routing.
    pub routing: String,
    /// The loads, each order by its seed.
    pub by_seed: SeedSpread,
}

/// Why there is no spread over orders of LIDs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LidSpreadError {
    #[error("`{routing}` {reason}")]
    NotByLid { routing: String, reason: &'static str },
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Seeds(#[from] SeedSpreadError),
}

impl LidSpread {
    /// Whether a routing has a spread.
    ///
    /// # Errors
    /// [`LidSpreadError::NotByLid`] with the reason and the remedy.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::fabric::LidSpread;
    /// assert!(LidSpread::check("minhop").is_ok());
    /// let error = LidSpread::check("osrm2").unwrap_err().to_string();
    /// assert!(error.starts_with("`osrm2` does not depend on the order of LIDs"));
    /// ```
    pub fn check(routing: &str) -> Result<(), LidSpreadError> {
        let spec = Spec::parse(routing)?;
        if BY_LID.contains(&&*spec.name) {
            return Ok(());
        }
        let reason = if spec.path.is_some() {
            "has the tables or paths of one order of LIDs, and those of another only the engine knows that \
             made it: compare it with `minhop`"
        } else {
            "does not depend on the order of LIDs: `minhop` does"
        };
        Err(LidSpreadError::NotByLid { routing: spec.to_string(), reason })
    }

    /// The spread of a routing of a network over the orders of seeds `first`, `first` + 1, …; options of the
    /// routing do not count. After a stop it holds the orders that are known. `progress` advances by
    /// 1 an order, each O(hosts · links + analysis).
    ///
    /// # Errors
    /// [`LidSpreadError`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use std::num::NonZeroU32;
    /// use routebound::{fabric::LidSpread, progress::Progress, topology::generate};
    /// let five = NonZeroU32::new(5).ok_or("zero")?;
    /// let found = LidSpread::of(&generate("ft(4,3)")?, "minhop(seed=9)", 1, five, &Progress::silent())?;
    /// assert_eq!((found.routing.as_str(), found.by_seed.loads.len()), ("minhop", 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &str,
        first: u64,
        orders: NonZeroU32,
        progress: &Progress,
    ) -> Result<Self, LidSpreadError> {
        Self::check(routing)?;
        let routing = Spec::parse(routing)?.name;
        let first = format!("{routing}(seed={first})");
        let by_seed = SeedSpread::of(topology, &first, orders, progress)?;
        Ok(Self { routing, by_seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_spread_is_refused() {
        for (routing, expected) in [
            ("smodk", "`smodk` does not depend on the order of LIDs: `minhop` does"),
            ("lft:x.dump", "`lft:x.dump` has the tables or paths of one order of LIDs"),
        ] {
            let error = LidSpread::check(routing).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
