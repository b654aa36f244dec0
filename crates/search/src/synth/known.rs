//! Upper bounds by the routings of the papers.

use crate::assessment::{Assess, Assessment};
use crate::certificate::{Certificate, Quantity};
use crate::prelude::*;
use crate::routing::{Routing, RoutingError, build};

use super::{SynthError, digits};

/// Single-path routings with a formula, by their specs.
pub const ROUTINGS: &[&str] = &["dmodk", "grid", "osrm2", "osrm3", "yuan", "smodk", "mlid", "wsr"];

/// Maximum hosts of a tree on which `wsr` is tried: it is built pair by pair, which nothing stops.
const MAX_WSR_HOSTS: usize = 1 << 10;

/// Maximum hosts of a tree for which one routing is always assessed: that is quick.
const SMALL: usize = 1 << 6;

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
    /// Assesses a routing. When `progress` ends first, the bounds are claimed.
    ///
    /// # Errors
    /// [`SynthError::Assessment`].
    pub fn new(
        instance: Instance,
        quantity: Quantity,
        progress: &Progress,
    ) -> Result<Self, SynthError> {
        let found = Assess::new().progress(progress).run(&instance)?;
        let Assessment { oblivious_ratio, permutation_load, certificate, .. } = found;
        let (bounds, certificate) = match quantity {
            Quantity::PermutationLoad => {
                (permutation_load, found.permutation_certificate.or(certificate.ok()))
            }
            _ => (oblivious_ratio, certificate.ok()),
        };
        Ok(Self { instance, bounds, certificate })
    }

    /// A routing for which `upper` is claimed, with `text` as evidence.
    #[must_use]
    pub fn claimed(instance: Instance, upper: Rational, text: &str) -> Self {
        let evidence = Evidence::Claimed(text.to_string());
        let bounds = Bounds { lower: Rational::ONE, upper, evidence };
        Self { instance, bounds, certificate: None }
    }

    /// Whether the checker has accepted the proof of its bounds.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.bounds.evidence == Evidence::Proven
    }

    /// Whether it is proven to be better than `best` is: what an unfinished assessment says about
    /// it does not count.
    #[must_use]
    pub fn improves(&self, best: &Self) -> bool {
        self.is_proven() && (!best.is_proven() || self.bounds.upper < best.bounds.upper)
    }
}

/// A bound on every routing whose paths lead up, then down: what leaves or enters a subtree, and so
/// what its links carry, is at most its hosts, and at most its links times optu.
#[must_use]
pub fn greatest(tree: &Xgft, quantity: Quantity) -> Rational {
    let load = |step: usize| match quantity {
        Quantity::PermutationLoad => tree.subtree_hosts(step - 1),
        _ => tree.shortest_paths(step),
    };
    let greatest = (1..=tree.height()).map(load).max();
    Rational::from(u64::from(greatest.unwrap_or(1)))
}

/// The best of the [`ROUTINGS`] that fit the tree, the first on a tie, if one is proven before
/// `progress` ends; on small trees there always is one. Ends early with one that reaches `goal`.
/// Routings whose value arithmetic gives come first, the best of them leading, and are skipped
/// where they are not an improvement.
///
/// # Errors
/// [`SynthError`] when one cannot be built or assessed.
pub fn best(
    topology: &Topology,
    tree: &Xgft,
    quantity: Quantity,
    goal: &Rational,
    progress: &Progress,
) -> Result<Option<Candidate>, SynthError> {
    let valued = |spec: &&'static str| (*spec, digits::value_of(spec, topology, tree, quantity));
    let mut all: Vec<(&str, Option<Rational>)> = ROUTINGS.iter().map(valued).collect();
    // Those without a value come last; the sort is stable.
    all.sort_by_key(|(_, value)| (value.is_none(), value.clone()));
    let mut best: Option<Candidate> = None;
    for (spec, value) in all {
        let known = best.as_ref().map(|best| &best.bounds.upper);
        let is_first = known.is_none() && topology.hosts() <= SMALL;
        if known.is_some_and(|known| known <= goal) || (progress.cancelled() && !is_first) {
            break;
        }
        if known.is_some_and(|known| value.is_some_and(|value| value >= *known)) {
            continue;
        }
        let Some(routing) = made(spec, topology)? else { continue };
        let instance = Instance::trusted(topology.clone(), routing);
        let part = if is_first { Progress::silent() } else { progress.part(1.0) };
        let candidate = Candidate::new(instance, quantity, &part)?;
        if best.as_ref().map_or(candidate.is_proven(), |best| candidate.improves(best)) {
            best = Some(candidate);
        }
        progress.inc(1);
    }
    Ok(best)
}

/// The routing, if it fits the tree and its limits.
fn made(spec: &str, topology: &Topology) -> Result<Option<Box<dyn Routing>>, SynthError> {
    if spec == "wsr" && topology.hosts() > MAX_WSR_HOSTS {
        return Ok(None);
    }
    match build(spec, topology) {
        Ok(routing) => Ok(Some(routing)),
        Err(RoutingError::DoesNotFit { .. } | RoutingError::TooLarge(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::assess;

    fn candidate(spec: &str, upper: u64, evidence: Evidence) -> Candidate {
        let instance = Instance::named("ft(4,5)", spec).unwrap();
        let bounds = Bounds { lower: Rational::ONE, upper: upper.into(), evidence };
        Candidate { instance, bounds, certificate: None }
    }

    #[test]
    fn what_is_unfinished_replaces_nothing() {
        let unfinished = || Evidence::Claimed("stopped early".to_string());
        let best = candidate("dmodk", 7, Evidence::Proven);
        // FT(4,5) has no routing of ratio 1; what was seen of this one says so.
        assert!(!candidate("smodk", 1, unfinished()).improves(&best));
        assert!(!candidate("smodk", 7, Evidence::Proven).improves(&best));
        assert!(candidate("smodk", 6, Evidence::Proven).improves(&best));
        let guess = candidate("dmodk", 5, unfinished());
        assert!(candidate("smodk", 7, Evidence::Proven).improves(&guess));
        assert!(!candidate("smodk", 4, unfinished()).improves(&guess));
    }

    #[test]
    fn no_routing_is_worse_than_the_greatest() {
        for spec in ["ft(4,3)", "xgft(2;4,8;1,2)", "xgft(2;2,2;2,2)", "xgft(3;2,3,2;1,2,1)"] {
            for routing in ["dmodk", "smodk", "random(seed=1)"] {
                let instance = Instance::named(spec, routing).unwrap();
                let found = assess(&instance).unwrap();
                let tree = instance.topology.tree().unwrap();
                let greatest = |quantity| greatest(tree, quantity);
                assert!(found.oblivious_ratio.upper <= greatest(Quantity::ObliviousRatio));
                assert!(found.permutation_load.upper <= greatest(Quantity::PermutationLoad));
            }
        }
    }
}
