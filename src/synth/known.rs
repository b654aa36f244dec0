//! Upper bounds by the routings of the papers.

use crate::assessment::{Assessment, Form, assess};
use crate::bounds::Bounds;
use crate::certificate::{Certificate, Quantity};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::{Instance, RoutingError, build};
use crate::topology::Topology;

use super::SynthError;

/// Single-path routings with a formula, by their specs.
pub const ROUTINGS: &[&str] = &["dmodk", "grid", "osrm2", "osrm3", "yuan", "smodk", "mlid", "wsr"];

/// A routing, assessed.
pub struct Candidate {
    /// The routing with its tree.
    pub instance: Instance,
    /// Bounds on the quantity.
    pub bounds: Bounds,
    /// Proves them.
    pub certificate: Option<Certificate>,
}

impl Candidate {
    /// Assesses a routing.
    ///
    /// # Errors
    /// [`SynthError::Assessment`].
    pub fn new(
        instance: Instance,
        quantity: Quantity,
        progress: &Progress,
    ) -> Result<Self, SynthError> {
        let found = assess(&instance, Form::Shortest, progress)?;
        let Assessment { oblivious_ratio, permutation_load, certificate, .. } = found;
        let (bounds, certificate) = match quantity {
            Quantity::PermutationLoad => {
                (permutation_load, found.permutation_certificate.or(certificate))
            }
            _ => (oblivious_ratio, certificate),
        };
        Ok(Self { instance, bounds, certificate })
    }
}

/// The best of [`ROUTINGS`] that fit the tree, the first of equals. It ends early with one that
/// reaches `goal`, or when `progress` ends, but after one at least.
///
/// # Errors
/// [`SynthError`] when none fits or one cannot be assessed.
pub fn best(
    topology: &Topology,
    quantity: Quantity,
    goal: &Ratio,
    progress: &Progress,
) -> Result<Candidate, SynthError> {
    let mut best: Option<Candidate> = None;
    for spec in ROUTINGS {
        let reached = best.as_ref().is_some_and(|best| best.bounds.upper <= *goal);
        if reached || (best.is_some() && progress.cancelled()) {
            break;
        }
        let routing = match build(spec, topology) {
            Ok(routing) => routing,
            Err(RoutingError::DoesNotFit { .. } | RoutingError::TooLarge(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let instance = Instance { topology: topology.clone(), routing };
        let candidate = Candidate::new(instance, quantity, &Progress::silent())?;
        if best.as_ref().is_none_or(|best| candidate.bounds.upper < best.bounds.upper) {
            best = Some(candidate);
        }
        progress.inc(1);
    }
    best.ok_or_else(|| SynthError::NoTree(topology.spec().to_string()))
}
