//! Network contention (\[RO\] IV): how many flows really wait for each other at a link.
//!
//! Flows that share a source or a destination take turns there anyway. Meeting on a link as well
//! costs them nothing more: only flows with different sources *and* different destinations
//! compete for the link itself. So the contention of a link is the size of a largest pairwise
//! endpoint-disjoint set of SD pairs with traffic there, a maximum matching (\[OR\]
//! Definitions 1–3 restricted to the pairs that have traffic). A link with one flow, or whose
//! flows all belong to one host, has contention 1. For a permutation, contention and flow count
//! are the same.
//!
//! Where a routing splits pairs, a pair counts with its share on the link: the contention is
//! then the largest total share of an endpoint-disjoint set, a maximum-weight matching. In both
//! cases it is the traffic that the worst permutation among the pairs, each sending 1, puts on
//! the link. Demand amounts and link capacities play no part, just as in the flow count.

use std::collections::HashSet;

use rayon::prelude::*;

use super::digit_counts::{Crossing, DigitCounts};
use super::disjoint::settled;
use super::{LinkGraph, LinkPairs, PairCounts};
use crate::limit::{TooLarge, within};
use crate::matching::Matching;
use crate::matching::weighted::maximum_weight;
use crate::progress::{Progress, Stopped};
use crate::rational::{Rational, common_denominator};
use crate::routing::Instance;
use crate::sums::Sums;
use crate::topology::Host;
use crate::traffic::{ProductTraffic, Rows, TrafficView};

/// Maximum number of steps of weighted matching on one link: sources × destinations × the smaller of the two.
const MAX_WEIGHTED_STEPS: u64 = 1 << 32;

/// Largest scaled share of a weighted matching.
const MAX_WEIGHT: u64 = 1 << 40;

/// Why the contention could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ContentionError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("the shares of the pairs on a link have no common denominator below 2^40")]
    Denominators,
}

/// The contention of every link. O(pairs · path length + Σ over links of pairs·√hosts) where
/// all pairs on a link have the same share, as on trees, or are disjoint; otherwise cubic in the
/// number of hosts on a link. `progress` advances by at least twice the number of SD pairs of a
/// list. Of products on a tree, only the pairs of links are collected whose contention is not found
/// while the pairs are walked.
///
/// # Errors
/// [`ContentionError`] when stopped, or when the shares on a link differ and it has too many hosts
/// or the shares no small common denominator.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::contention, progress::Progress, rational::Rational, routing::Instance, traffic::Demand};
/// let instance = Instance::named("ft(4,2)", "smodk")?;
/// let to = |s, d| Demand { s, d, amount: Rational::ONE };
/// // S-mod-k sends both flows of host 0 up through root 0: they share its bandwidth anyway.
/// let contention = contention(&instance, &[to(0, 2), to(0, 4)], &Progress::silent())?;
/// assert_eq!(contention.get(16), Rational::ONE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contention<'a>(
    instance: &Instance,
    traffic: impl Into<TrafficView<'a>>,
    progress: &Progress,
) -> Result<Sums, ContentionError> {
    match traffic.into() {
        TrafficView::Products(traffic) => of_products(instance, traffic, progress),
        TrafficView::Listed(demands) => {
            let counts = PairCounts::of_traffic(instance, demands, progress).ok_or(Stopped)?;
            Ok(of_counted(instance, &counts, progress)?.into_iter().collect())
        }
    }
}

fn of_products(
    instance: &Instance,
    traffic: &ProductTraffic,
    progress: &Progress,
) -> Result<Sums, ContentionError> {
    let rows = traffic.rows();
    if let Some(known) = by_digits(instance, &rows, progress)? {
        return Ok(known);
    }
    let known = settled(instance, &rows, progress)?;
    let open: Vec<bool> = known.iter().map(Option::is_none).collect();
    if !open.contains(&true) {
        return Ok(known.into_iter().flatten().collect());
    }
    let counts = PairCounts::of_rows(instance, open, rows, progress).ok_or(Stopped)?;
    let searched = of_counted(instance, &counts, progress)?;
    Ok(known.into_iter().zip(searched).map(|(known, searched)| known.unwrap_or(searched)).collect())
}

/// The contention of every link where digit rules hold and no two sets have a destination in common: of each set, the
/// pairs of a link are then all those of its sources there with its destinations there, which have no host in common,
/// and those of different sets have no end in common. Nothing where a visit to all pairs takes less time.
/// O(sets · links + hosts · height), less where few subtrees have hosts of a set.
fn by_digits(
    instance: &Instance,
    rows: &Rows,
    progress: &Progress,
) -> Result<Option<Sums>, Stopped> {
    let Instance { topology, routing, .. } = instance;
    let digits = DigitCounts::of(topology, &**routing).filter(|_| are_apart(&rows.sets));
    let Some(digits) = digits else { return Ok(None) };
    let mut sources = vec![Vec::new(); rows.sets.len()];
    for (source, set) in &rows.sources {
        sources[*set].push(*source);
    }
    let sets = sources.iter().zip(&rows.sets);
    let pairs: u64 =
        sets.clone().map(|(sources, set)| sources.len() as u64 * set.len() as u64).sum();
    if rows.sets.len() as u64 * topology.links() as u64 / LINKS_PER_PAIR > pairs {
        return Ok(None);
    }
    let most = |crossing: &Crossing<'_>| crossing.sources.min(crossing.destinations);
    let known = if let ([sources], [destinations]) = (&sources[..], &rows.sets[..]) {
        let mut known = Sums::of_runs();
        digits.for_all_links(sources, destinations, progress, &mut |crossing| {
            known.append(crossing.links.end, crossing.share, most(&crossing));
        })?;
        known
    } else {
        let mut known = Sums::new(topology.links());
        for (sources, destinations) in sets {
            digits.for_each_run(sources, destinations, progress, &mut |crossing| {
                let most = most(&crossing);
                known.add_times(crossing.links, crossing.share, most);
            })?;
        }
        known
    };
    progress.inc(2 * pairs);
    Ok(Some(known))
}

/// Number of links of a set that take as long as a visit to a pair.
const LINKS_PER_PAIR: u64 = 1 << 7;

/// Whether no two sets have a host in common.
fn are_apart(sets: &[Vec<Host>]) -> bool {
    let mut seen = HashSet::new();
    sets.len() == 1 || sets.iter().flatten().all(|host| seen.insert(*host))
}

/// The contention of every link by the pairs that were counted there.
fn of_counted(
    instance: &Instance,
    counts: &PairCounts,
    progress: &Progress,
) -> Result<Vec<Rational>, ContentionError> {
    let mut contention = Vec::with_capacity(instance.topology.links());
    for range in counts.batches() {
        let pairs = LinkPairs::collect(instance, counts, range.clone(), progress);
        let pairs = pairs.ok_or(Stopped)?;
        let links = range.into_par_iter();
        let hosts = instance.topology.hosts();
        let fresh = || Flows { pairs: LinkGraph::for_hosts(hosts), matching: Matching::default() };
        let batch = links.map_init(fresh, |flows, link| {
            progress.check()?;
            flows.pairs.load(link, pairs.of(link));
            flows.contention(progress)
        });
        contention.extend(batch.collect::<Result<Vec<_>, ContentionError>>()?);
    }
    Ok(contention)
}

/// The flows of one link.
struct Flows<'p> {
    pairs: LinkGraph<'p>,
    matching: Matching,
}

impl Flows<'_> {
    fn contention(&mut self, progress: &Progress) -> Result<Rational, ContentionError> {
        let Some(first) = self.pairs.shares.first() else { return Ok(Rational::ZERO) };
        if self.pairs.graph.left() == self.pairs.shares.len()
            && self.pairs.graph.right == self.pairs.shares.len()
        {
            // All pairs are disjoint, as in every permutation.
            return Ok(self.pairs.shares.iter().copied().sum());
        }
        if self.pairs.shares.iter().any(|share| share != first) {
            return self.weighted(progress);
        }
        self.matching.maximise_until(&self.pairs.graph, progress)?;
        Ok(*first * &Rational::from(self.matching.size as u64))
    }

    fn weighted(&self, progress: &Progress) -> Result<Rational, ContentionError> {
        let (rows, columns) = (self.pairs.graph.left(), self.pairs.graph.right);
        let steps = Some(rows as u128 * columns as u128 * rows.min(columns) as u128);
        let what = "number of steps of a weighted matching on a link";
        within(what, steps, MAX_WEIGHTED_STEPS, "use traffic of fewer hosts")?;
        let scale = common_denominator(self.pairs.shares.iter().copied());
        let scale = scale.filter(|scale| *scale <= MAX_WEIGHT);
        let scale = scale.ok_or(ContentionError::Denominators)?;
        let mut weights = vec![0; rows * columns];
        for (row, ends) in self.pairs.graph.offsets.windows(2).enumerate() {
            for edge in ends[0] as usize..ends[1] as usize {
                let weight = self.pairs.shares[edge].scaled(scale);
                let weight = weight.ok_or(ContentionError::Denominators)?;
                weights[row * columns + self.pairs.graph.targets[edge] as usize] = weight;
            }
        }
        let weight = |row: usize, column: usize| weights[row * columns + column];
        let matching = maximum_weight(rows, columns, &weight, progress)?;
        Rational::new(matching.weight, scale).ok_or(ContentionError::Denominators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::regular;
    use crate::{routing, topology};

    /// For every routing on small trees of every family.
    #[test]
    fn products_have_the_contention_of_their_pairs() {
        let (mut found, mut several) = (0, 0);
        let members = topology::KINDS.iter().flat_map(|kind| (kind.build.members)(20));
        let networks = members.chain(["xgft(3;5,4,3;1,3,4)".into()]);
        let networks = networks.filter_map(|spec| topology::generate(&spec).ok());
        let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
        let patterns = ["uniform", "hotspot(spots=2,size=3)", "samelast", "clustered(size=3)"];
        for (network, spec) in itertools::iproduct!(networks, specs) {
            let Ok(routing) = routing::build(spec, &network) else { continue };
            let instance = Instance::trusted(network, routing);
            for pattern in patterns {
                let traffic = regular(pattern, instance.topology.hosts());
                let Ok(Some(traffic)) = traffic else { continue };
                let (rows, silent) = (traffic.rows(), Progress::silent());
                let Some(known) = by_digits(&instance, &rows, &silent).unwrap() else { continue };
                let demands = traffic.to_matrix().unwrap().into_demands();
                assert_eq!(
                    Ok(known),
                    contention(&instance, &demands, &silent),
                    "{instance:?}, {pattern}"
                );
                found += 1;
                several += usize::from(rows.sets.len() > 1);
            }
        }
        assert!(found > 100 && several > 20, "{found}, {several} of several sets");
    }
}
