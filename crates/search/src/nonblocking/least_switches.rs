//! The least number of top switches of a nonblocking two-level tree (\[NB\] IV).
//!
//! ftree(n,m,r) is nonblocking with a single-path routing when every permutation can be sent
//! without contention, that is, when the permutation load is 1. More top switches never hurt, so
//! there is a least m. \[NB\] Theorem 3 reaches n²; Theorems 1 and 2 bound m from below, and
//! counting ([`crate::checker::Star`]) gives a better bound.

use super::is_nonblocking;
use crate::certificate::Quantity;
use crate::checker::Star;
use crate::prelude::*;
use crate::synth::{OptimalAssessment, Options, SynthError, least_ratio};

/// Bounds on the least m, with their evidence.
pub struct TopSwitches {
    /// No tree with fewer top switches is nonblocking.
    pub lower: u32,
    /// The lower bound that counting alone gives.
    pub counted: u64,
    /// A tree with this many is nonblocking.
    pub upper: u32,
    /// Whether a routing proves the upper bound; if not, it rests on \[NB\] Theorem 3.
    pub is_reached: bool,
    /// The evidence for every number that was examined, in ascending order: the least permutation
    /// load, 1 for nonblocking. Each has its own certificate.
    pub decided: Vec<(u32, OptimalAssessment)>,
    /// Whether the upper bound is reached and the bounds meet.
    pub complete: bool,
}

/// The least m of a nonblocking ftree(n,m,r), with n hosts under each of r switches.
///
/// Only the method and the seed of `how` matter. Exponential time in general: give `progress` a
/// time limit; every m gets half of the remaining time.
///
/// # Errors
/// [`SynthError`] when a tree is too large.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{nonblocking::least_top_switches, progress::Progress, synth::Options};
/// let found = least_top_switches(2, 4, &Options::default(), &Progress::silent())?;
/// assert_eq!((found.lower, found.upper), (4, 4)); // [NB] Theorem 1 says at least 3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least_top_switches(
    n: u32,
    r: u32,
    how: &Options,
    progress: &Progress,
) -> Result<TopSwitches, SynthError> {
    // `yuan` reaches n²: that tree must be within limits before n² is used.
    let largest = generate(&format!("ftree({n},{},{r})", u64::from(n).pow(2)))?;
    let counted = counted_switches(n, r)?;
    let (lower, upper) =
        (u32::try_from(counted).map_or(n * n, |counted| counted.min(n * n)), n * n);
    let (is_reached, complete) = (false, false);
    let mut found =
        TopSwitches { lower, counted, upper, is_reached, decided: Vec::new(), complete };
    for m in found.lower.saturating_sub(1).max(1)..=n * n {
        if progress.cancelled() {
            break;
        }
        let topology = if m == n * n { largest.clone() } else { generate(&spec(n, m, r))? };
        let stem = stem(n, m, r);
        let (quantity, ratio) = (Quantity::PermutationLoad, Some(1));
        let options = Options { quantity, ratio, stem, ..how.clone() };
        let part = progress.part(0.5);
        let decided = least_ratio(&topology, &options, &part)?;
        let is_proven = decided.bounds.evidence == Evidence::Proven;
        let verdict = is_nonblocking(&decided.bounds);
        if verdict == Some(false) && m >= found.lower {
            found.lower = m + 1;
        }
        found.decided.push((m, decided));
        progress.inc(1);
        if is_proven && verdict == Some(true) {
            (found.upper, found.is_reached) = (m, true);
            break;
        }
    }
    found.complete = found.is_reached && found.lower == found.upper;
    Ok(found)
}

fn spec(n: u32, m: u32, r: u32) -> String {
    format!("ftree({n},{m},{r})")
}

/// Name of the files that refute ftree(n,m,r), without `.cnf` and the like.
#[must_use]
pub fn stem(n: u32, m: u32, r: u32) -> String {
    format!("ftree-{n}-{m}-{r}")
}

/// Fewest top switches that may carry all pairs as far as counting knows.
///
/// # Errors
/// [`SynthError`] when the tree is too large.
pub fn counted_switches(n: u32, r: u32) -> Result<u64, SynthError> {
    if r < 2 {
        return Ok(1);
    }
    Ok(Star { hosts: n, subtrees: r }.least_ports(1, 1)?)
}
