//! Nonblocking networks (\[NB\]): whether every permutation can be sent without contention, and how
//! many top switches that takes.
//!
//! There are two readings of contention. By *load*, an instance is nonblocking when no permutation
//! puts a load above 1 on a link: [`is_nonblocking`] decides that from bounds on the permutation
//! load. By *contention*, as \[NB\] III has it, it is nonblocking when packets of two SD pairs of a
//! permutation never take the same link: [`meeting`] looks for such pairs. On links of capacity 1
//! the two agree for single-path routings, and differ for those that split pairs.
//!
//! [`least_top_switches`] searches for the least m of ftree(n,m,r), [`printed_least`] is the bound that
//! the paper gives, and `least_local_switches` (feature `sat`) searches among all local adaptive
//! routings.

mod contention;
mod least_switches;
#[cfg(feature = "sat")]
mod local_adaptive;
#[cfg(feature = "sat")]
mod local_adaptive_formula;

pub use contention::{Meeting, meeting};
pub use least_switches::{TopSwitches, counted_switches, least_top_switches, stem};
#[cfg(feature = "sat")]
pub use local_adaptive::{LocalAnswer, LocalAttempt, LocalSwitches, least_local_switches};
#[cfg(feature = "sat")]
pub use local_adaptive_formula::LocalOptions;

use crate::bounds::Bounds;
use crate::rational::Rational;

/// Whether an instance whose worst permutation has this max load is nonblocking; `None` where the
/// bounds leave it open.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::bounds::{Bounds, Evidence};
/// use routebound::nonblocking::is_nonblocking;
/// let load = |lower: u64, upper: u64| Bounds {
///     lower: lower.into(),
///     upper: upper.into(),
///     evidence: Evidence::Proven,
/// };
/// assert_eq!(is_nonblocking(&load(1, 1)), Some(true));
/// assert_eq!(is_nonblocking(&load(2, 5)), Some(false));
/// assert_eq!(is_nonblocking(&load(1, 2)), None);
/// ```
#[must_use]
pub fn is_nonblocking(permutation_load: &Bounds) -> Option<bool> {
    if permutation_load.upper <= Rational::ONE {
        return Some(true);
    }
    (permutation_load.lower > Rational::ONE).then_some(false)
}

/// The lower bound of \[NB\] Theorems 1 and 2 on the top switches of a nonblocking ftree(n,m,r)
/// under single-path routing: n² where r > 2n, else ⌈(r−1)n/2⌉.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::nonblocking::printed_least;
/// assert_eq!((printed_least(2, 4), printed_least(2, 5)), (3, 4));
/// ```
#[must_use]
pub fn printed_least(n: u64, r: u64) -> u64 {
    if r > 2 * n { n * n } else { (r.saturating_sub(1) * n).div_ceil(2) }
}
