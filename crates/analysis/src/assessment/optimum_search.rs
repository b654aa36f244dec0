//! Searches for the optimal load of traffic: by linear programming, by approximation, and the even split.

use super::optimum_error::OptimumError;
#[cfg(not(feature = "highs"))]
use crate::advice::{Advice, Remedy};
use crate::bounds::{Bounds, Evidence};
use crate::integer::rounded;
use crate::optimum::multiplicative::{self, Goal};
use crate::optimum::optu::OptuBounds;
use crate::optimum::{self, baseload};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::Topology;
use crate::traffic::Demand;

/// Maximum work of a check, demands times links, that is done without a request.
pub(super) const FREE_CHECK: u128 = 1 << 28;

/// Whether the approximation may still do what the linear program cannot.
pub(super) fn is_too_large(error: &OptimumError) -> bool {
    match error {
        #[cfg(feature = "highs")]
        OptimumError::Lp(crate::lp::LpError::TooLarge(_)) => true,
        OptimumError::NoLp(_) => true,
        _ => false,
    }
}

/// Bounds by linear programming.
#[cfg(feature = "highs")]
pub(super) fn by_lp(
    topology: &Topology,
    demands: &[Demand],
    gap: f64,
    progress: &Progress,
) -> Result<OptuBounds, OptimumError> {
    let mut options = crate::lp::Options::default();
    if gap > 0.0 {
        options.gap = gap;
    }
    Ok(crate::lp::optu(topology, demands, &options, progress)?)
}

/// Bounds by linear programming, which this build lacks.
#[cfg(not(feature = "highs"))]
pub(super) fn by_lp(
    _topology: &Topology,
    _demands: &[Demand],
    _gap: f64,
    _progress: &Progress,
) -> Result<OptuBounds, OptimumError> {
    let advice = Advice::new("use the approximation", &[Remedy::Approximation]);
    Err(OptimumError::NoLp(advice))
}

/// Gap of the approximation where none is requested.
pub(super) const APPROXIMATE_GAP: f64 = 0.01;

/// Bounds by multiplicative weights; `keep` gets those on the way.
pub(super) fn approximate(
    topology: &Topology,
    demands: &[Demand],
    gap: f64,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<OptuBounds, OptimumError> {
    let gap = if gap > 0.0 { gap } else { APPROXIMATE_GAP };
    let least = baseload(topology, demands);
    let mut keep = |lower, upper| {
        let (lower, upper) = (outward(lower, false).max(least.clone()), outward(upper, true));
        let by = "multiplicative weights, stopped before the bounds were made exact";
        keep(&Bounds {
            upper: upper.max(lower.clone()),
            lower,
            evidence: Evidence::Claimed(by.into()),
        });
    };
    Ok(multiplicative::optu_keeping(topology, demands, &Goal { gap }, progress, &mut keep)?)
}

/// A decimal of about nine digits near `value`, on the safe side.
fn outward(value: f64, up: bool) -> Rational {
    let mut unit: u64 = 1;
    while unit < 1_000_000_000_000_000 && value * (unit as f64) < 1e8 {
        unit *= 10;
    }
    let scaled = value * unit as f64;
    let count = rounded(if up { scaled.ceil() } else { scaled.floor() });
    Rational::new(count, unit).unwrap_or(Rational::ZERO)
}

/// Max load of the even split over all shortest paths, where it is little work. On trees it is
/// what the closed form says.
pub(super) fn even_load(topology: &Topology, demands: &[Demand]) -> Option<Rational> {
    let work = demands.len() as u128 * topology.links() as u128;
    let is_little = topology.tree().is_some() || work <= FREE_CHECK;
    let load = is_little.then(|| optimum::even_load(topology, demands, &Progress::silent()))?;
    // Nothing stops this work; an error, too, just means "not known".
    load.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_lie_on_the_safe_side() {
        for value in [0.0, 1e-12, 0.3, 1.0, 2.0 / 3.0, 1e6 / 7.0, 1e12] {
            let [lower, upper] = [false, true].map(|up| outward(value, up).to_f64());
            assert!(lower <= value && value <= upper, "{lower} {value} {upper}");
            assert!(upper - lower <= value * 1e-7, "{lower} {value} {upper}");
        }
    }
}
