//! A better routing of the witness than the even split.
//!
//! On trees the even split over all shortest paths is optimal. Elsewhere it may load a link much
//! more than necessary, and the lower bound, load ÷ optu, is too low by the same factor: the worst
//! permutation of a torus under a minimal routing then no longer looks worse than optimal.
//! Multiplicative weights bring optu within a few percent, in polynomial time.

use super::{Proof, WorstCase, prove_by};
use crate::bounds::{RoutedTraffic, Witness};
use crate::certificate::Quantity;
use crate::optimum::multiplicative::{Goal, optu};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::Topology;
use crate::traffic::Demand;

/// Relative amount by which the routing may exceed optu.
const GAP: f64 = 0.05;

/// Maximum of demands times links: a few seconds of work.
const MAX_WORK: usize = 1 << 20;

/// The proof with the witness routed nearly optimally, where that proves more. On trees, and for
/// traffic that would take too much work, the proof is unchanged.
#[must_use]
pub fn rerouted(
    topology: &Topology,
    worst: &WorstCase,
    proof: Proof,
    progress: &Progress,
) -> Proof {
    let demands = &worst.demands;
    // Loads are not quotients: a smaller optu proves nothing about them.
    let is_ratio = worst.quantity == Quantity::ObliviousRatio;
    let has_gap = is_ratio && proof.bounds.exact().is_none() && worst.is_covered();
    if !has_gap || demands.is_empty() || topology.tree().is_some() {
        return proof;
    }
    let Some((optu, flow)) = near_optimal(topology, demands, progress) else { return proof };
    match worst.lower().checked_div(&optu) {
        Some(lower) if lower > proof.attained => {
            let witness = Witness { link: worst.worst, demands: demands.clone(), optu, flow };
            prove_by(topology, worst, witness, lower)
        }
        _ => proof,
    }
}

/// A routing of traffic that is nearly optimal, and its max load; `None` where the search cannot handle the traffic
/// or would take too much work.
pub(super) fn near_optimal(
    topology: &Topology,
    demands: &[Demand],
    progress: &Progress,
) -> Option<(Rational, RoutedTraffic)> {
    if demands.len().saturating_mul(topology.links()) > MAX_WORK {
        return None;
    }
    let found = optu(topology, demands, &Goal { gap: GAP }, progress).ok()?;
    Some((found.upper, RoutedTraffic::Paths(found.paths)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::routing::{Instance, Listed, Routing, build};
    use crate::topology::{Link, generate, sd_pairs};
    use crate::traffic::PathRecord;
    use crate::worst_case::{Analyse, analyse, prove};

    /// Two leaves joined by a cable and by a longer path over the root, whose links come first.
    fn two_ways() -> Topology {
        let tree = generate("xgft(2;4,2;1,1)").unwrap();
        let mut graph = tree.graph().clone();
        let (left, right) = (8_u32.into(), 9_u32.into());
        let link = Link::between((1, 1), (9, 9), Rational::ONE);
        graph.add_edge(left, right, link.clone());
        graph.add_edge(right, left, link);
        Topology::new("two ways".into(), graph).unwrap()
    }

    /// The even split uses only the cable, an optimal routing both ways.
    #[test]
    fn longer_paths_count_too() {
        let topology = two_ways();
        let routing = build("ecmp", &topology).unwrap();
        let instance = Instance::trusted(topology, routing);
        let silent = Progress::silent();
        let worst = analyse(&instance).unwrap();
        let proof = prove(&instance, &worst);
        // Four hosts send to four over the cable.
        assert_eq!((&proof.bounds.lower, worst.lower()), (&Rational::ONE, &Rational::from(4)));
        let proof = rerouted(&instance.topology, &worst, proof, &silent);
        let least = Rational::new(19, 10).unwrap();
        assert!(proof.bounds.lower > least && proof.bounds.lower <= Rational::from(2));
    }

    /// A routing that is better than the even split has a witness that shows less than 1: a better witness is taken,
    /// though that may show less than 1 too.
    #[test]
    fn less_than_one_counts_too() {
        let topology = two_ways();
        let over_root = Instance::named("xgft(2;4,2;1,1)", "dmodk").unwrap().routing;
        let over_cable: Arc<dyn Routing> = build("ecmp", &topology).unwrap().into();
        let mut paths = Vec::new();
        for (s, d) in sd_pairs(topology.hosts()) {
            for routing in [&over_root, &over_cable] {
                routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                    let share = share * &Rational::new(1, 2).unwrap();
                    paths.push(PathRecord { s, d, share, links: links.to_vec() });
                });
            }
        }
        let routing = Listed::new("table:both".into(), topology.hosts(), paths).unwrap();
        let instance = Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>);
        let silent = Progress::silent();
        let worst = analyse(&instance).unwrap();
        let proof = prove(&instance, &worst);
        let half = Rational::new(1, 2).unwrap();
        assert_eq!((&proof.bounds.lower, &proof.attained), (&half, &half));
        let proof = rerouted(&instance.topology, &worst, proof, &silent);
        assert!(proof.attained > half && proof.attained <= Rational::ONE, "{}", proof.attained);
        // Once more with what the witness shows, as searches do: it shows no more than before.
        let (witness, attained) = (proof.witness.clone(), proof.attained.clone());
        let again = prove_by(&instance.topology, &worst, witness, attained);
        assert_eq!((again.attained, again.bounds.lower), (proof.attained, proof.bounds.lower));
    }

    /// A load is not a quotient: dividing by the optu of a better routing would make it larger.
    #[test]
    fn loads_stay_as_they_are() {
        let instance = Instance::named("xgft(2;4,2;1,1)", "dmodk").unwrap();
        let topology = Topology::new("plain".into(), instance.topology.graph().clone()).unwrap();
        let instance = Instance::trusted(topology, instance.routing);
        let silent = Progress::silent();
        let mut worst = Analyse::of(Quantity::HoseLoad).run(&instance).unwrap();
        worst.demands.truncate(1);
        for demand in &mut worst.demands {
            demand.amount = Rational::new(1, 2).unwrap();
        }
        let mut proof = prove(&instance, &worst);
        proof.bounds.lower = Rational::ONE;
        let kept = rerouted(&instance.topology, &worst, proof.clone(), &silent);
        assert_eq!(kept.bounds, proof.bounds);
    }
}
