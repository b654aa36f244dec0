//! The worst permutation for paths whose rates the sender chooses, by sets of links: on networks of any size.
//!
//! Where every path of a pair passes one of some links, so does all its traffic, whatever its shares. So a permutation
//! with k such pairs loads one of these links with k ÷ their capacity or more. Candidates are the links that the paths
//! of a pair have in one place, counted from either end, for the pairs that load the worst link of the routing's own
//! shares; the permutation with most pairs is a matching. Together with these shares this is exact where senders can do
//! no better than to share alike; otherwise bounds from both sides remain, as the exact value is NP-hard
//! (`docs/src/best-routings.md`).

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::adaptive_bounds::{ABOVE, AdaptiveAssessment, from_above};
use super::approach::Form;
use super::checked::Checked;
use super::{AssessmentError, OptimalAssessmentError};
use crate::bounds::Witness;
use crate::certificate::{AdaptiveRates, Among, Optimality, Quantity};
use crate::integer::index32;
use crate::limit::within;
use crate::lp::optimal::adaptive::AdaptiveTraffic;
use crate::matching::{Graph, Matching, NONE};
use crate::progress::{Interrupted, Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId, host_number};
use crate::traffic::Demand;
use crate::worst_case::{Analyse, Scope, prove};

/// Maximum number of sets, of one bit each; the highest bit tells pairs without a path.
const MAX_SETS: usize = 63;

/// Maximum number of SD pairs, all of whose paths are looked at.
const MAX_PAIRS: u64 = 1 << 24;

/// What a network that is too large says.
const REMEDY: &str = "analyse a smaller network";

/// Bounds the load of the worst permutation from both sides; `keep` gets what is known before the check.
///
/// # Errors
/// [`OptimalAssessmentError`] when the case is not covered or the checker refuses.
pub(super) fn assess_permutations(
    instance: &Instance,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&AdaptiveAssessment),
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    let quantity = Quantity::PermutationLoad;
    let progress = begin("links").with_part_of_time(ABOVE);
    let analyse = Analyse::of(quantity).scope(Scope::WorstLink).progress(&progress);
    let mut worst = analyse.run(instance).map_err(AssessmentError::from)?;
    // A bound for any shares is about hosts one by one.
    worst.by_hosts();
    let unsolved = worst.unsolved.as_ref().map(ToString::to_string);
    let is_whole = worst.is_complete() && unsolved.is_none();
    let proof = prove(instance, &worst);
    let mut known = from_above(quantity, &proof.bounds);
    known.notes.extend(unsolved);
    let progress = begin("pairs");
    let traffic = match worst_permutation(instance, &proof.witness, &progress) {
        Ok(traffic) => traffic,
        Err(Interrupted::Stopped(_)) => None,
        Err(Interrupted::TooLarge(limit)) => {
            known.notes.push(limit.to_string());
            None
        }
    };
    if let Some(traffic) = &traffic {
        known.raise(traffic);
    }
    keep(&known);
    let optimality = traffic.map(|AdaptiveTraffic { lower, demands, flow, lengths }| {
        let among = Among::Own;
        Optimality::AdaptiveRates(AdaptiveRates { quantity, lower, among, demands, flow, lengths })
    });
    let checked = Checked::of(instance, &proof, optimality, Form::Shortest, &progress)?;
    if let Some(proven) = checked.known(AdaptiveRates::name(quantity)) {
        known.fixed = proven.clone();
        known.complete = proven.exact().is_some() || (is_whole && !progress.cancelled());
        known.adaptive = proven;
    }
    known.notes.extend(checked.limit().as_ref().map(ToString::to_string));
    known.certificate = checked.certificate;
    keep(&known);
    Ok(known)
}

/// The permutation with most pairs whose paths all pass a set of links, relative to the capacity of these, over the
/// sets that traffic on the worst link suggests; `None` where there is no such pair. O(N²·paths).
fn worst_permutation(
    instance: &Instance,
    witness: &Witness,
    progress: &Progress,
) -> Result<Option<AdaptiveTraffic>, Interrupted> {
    let topology = instance.topology();
    let pairs = (topology.hosts() as u128).pow(2);
    within("number of SD pairs", Some(pairs), MAX_PAIRS, REMEDY)?;
    let sets = sets(instance, witness);
    let passed = passed(instance, &sets, progress)?;
    let mut best: Option<AdaptiveTraffic> = None;
    for (bit, links) in sets.iter().enumerate() {
        let Ok(pairs) = most_pairs(&passed, bit, progress) else { break };
        let capacity: Rational = links.iter().map(|link| &topology.link(*link).capacity).sum();
        let Some(lower) = Rational::from(pairs.len() as u64).checked_div(&capacity) else {
            continue;
        };
        let is_better = best.as_ref().is_none_or(|best| lower > best.lower);
        if is_better && !pairs.is_empty() {
            let demand = |(s, d)| Demand { s, d, amount: Rational::ONE };
            let demands = pairs.into_iter().map(demand).collect();
            let lengths = links.iter().map(|link| (*link, 1)).collect();
            best = Some(AdaptiveTraffic { lower, demands, flow: None, lengths });
        }
    }
    Ok(best)
}

/// The links that the paths of a pair have where one of them passes the witness's link, by their place from the source
/// or from the destination; all of these together; and the links that leave the node before that link or enter the one
/// after it.
fn sets(instance: &Instance, witness: &Witness) -> Vec<Vec<LinkId>> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let (mut sets, mut scratch) = (Vec::new(), Vec::new());
    let mut all = BTreeSet::new();
    for Demand { s, d, .. } in &witness.demands {
        let mut paths: Vec<Vec<LinkId>> = Vec::new();
        routing.for_each_path(*s, *d, &mut scratch, &mut |_, links| paths.push(links.to_vec()));
        for _ in 0..2 {
            let place = |path: &Vec<LinkId>| path.iter().position(|link| *link == witness.link);
            let places: BTreeSet<usize> = paths.iter().filter_map(place).collect();
            let at = |place: usize| paths.iter().filter_map(move |path| path.get(place).copied());
            let found: BTreeSet<LinkId> = places.into_iter().flat_map(at).collect();
            all.extend(&found);
            sets.push(found);
            for path in &mut paths {
                path.reverse();
            }
        }
    }
    let around = topology.ends(witness.link).map(|(tail, head)| {
        [topology.links_from(tail).collect(), topology.links_to(head).collect::<BTreeSet<_>>()]
    });
    let mut known = BTreeSet::new();
    let sets = around.into_iter().flatten().chain([all]).chain(sets);
    let sets = sets.filter(|set| !set.is_empty() && known.insert(set.clone()));
    sets.take(MAX_SETS).map(|set| set.into_iter().collect()).collect()
}

/// For every source and destination, a bit for each set that all paths of the pair pass.
fn passed(
    instance: &Instance,
    sets: &[Vec<LinkId>],
    progress: &Progress,
) -> Result<Vec<Vec<u64>>, Stopped> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let mut of_link = vec![0_u64; topology.links()];
    for (bit, links) in sets.iter().enumerate() {
        for link in links {
            of_link[*link as usize] |= 1 << bit;
        }
    }
    let of_source = |s: Host| {
        progress.check()?;
        let (mut scratch, mut row) = (Vec::new(), Vec::with_capacity(topology.hosts()));
        for d in topology.host_numbers() {
            let mut common = u64::MAX;
            if s != d {
                routing.for_each_path(s, d, &mut scratch, &mut |_, links| {
                    common &= links.iter().fold(0, |bits, link| bits | of_link[*link as usize]);
                });
            }
            // A host and itself, or a pair without a path, sends nothing.
            row.push(if common == u64::MAX { 0 } else { common });
        }
        Ok(row)
    };
    let sources: Vec<Host> = topology.host_numbers().collect();
    sources.into_par_iter().map(of_source).collect()
}

/// As many pairs of different sources and destinations as there can be with this bit.
fn most_pairs(
    passed: &[Vec<u64>],
    bit: usize,
    progress: &Progress,
) -> Result<Vec<(Host, Host)>, Stopped> {
    let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right: passed.len() };
    for row in passed {
        let ends = row.iter().enumerate().filter(|(_, bits)| *bits >> bit & 1 == 1);
        graph.targets.extend(ends.map(|(d, _)| index32(d)));
        graph.offsets.push(index32(graph.targets.len()));
    }
    let mut matching = Matching::default();
    matching.maximise_until(&graph, progress)?;
    let mates = matching.left.iter().enumerate().filter(|(_, mate)| **mate != NONE);
    Ok(mates.map(|(s, d)| (host_number(s), *d)).collect())
}
