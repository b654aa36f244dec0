//! The linear program of a link as a unit of work that several processes share, and what a part holds of it.
//!
//! A result is that of the link and of the lower bound with which the work on it began, which is in the
//! name of the stage: what a process found above another bound is never taken for it.

use serde::{Deserialize, Serialize};

use super::{Outcome, WorstDemandSearch, exact};
use crate::bounds::{RoutedTraffic, Witness};
use crate::load::LinkLoads;
use crate::progress::Progress;
use crate::rational::{Rational, denominators_within};
use crate::shards::{Found, Units, Work};
use crate::sums::Sums;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Maximum bits of the common denominator of lengths or amounts in a part.
const MAX_BITS: usize = 1 << 12;

/// Traffic and the paths that carry it with max load 1.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Carried {
    /// The load that it puts on the link.
    load: Rational,
    /// Paths with the traffic on each, by pair.
    paths: Vec<(Host, Host, Rational, Vec<LinkId>)>,
}

/// The result of a link, as a part keeps it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    /// Link lengths that cover its pairs, ascending by link.
    lengths: Option<Vec<(LinkId, Rational)>>,
    carried: Option<Carried>,
    rounds: u64,
    iterations: u64,
    #[serde(skip)]
    failed: bool,
    #[serde(skip)]
    stopped: bool,
}

impl Carried {
    fn of(load: Rational, witness: &Witness) -> Option<Self> {
        let RoutedTraffic::Paths(records) = &witness.flow else { return None };
        let path = |record: &PathRecord| {
            let key = (record.s, record.d);
            let at =
                witness.demands.binary_search_by_key(&key, |demand| (demand.s, demand.d)).ok()?;
            let amount = &record.share * &witness.demands[at].amount;
            Some((record.s, record.d, amount, record.links.clone()))
        };
        Some(Self { load, paths: records.iter().map(path).collect::<Option<_>>()? })
    }

    /// The traffic of each pair.
    fn demands(&self) -> Vec<Demand> {
        let pairs = self.paths.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let demand = |paths: &[(Host, Host, Rational, Vec<LinkId>)]| {
            let amount = paths.iter().map(|(_, _, amount, _)| amount).sum();
            Demand { s: paths[0].0, d: paths[0].1, amount }
        };
        pairs.map(demand).collect()
    }

    fn witness(self, link: LinkId) -> Option<(Rational, Witness)> {
        let demands = self.demands();
        let record = |(s, d, amount, links): (Host, Host, Rational, Vec<LinkId>)| {
            let at = demands.binary_search_by_key(&(s, d), |demand| (demand.s, demand.d)).ok()?;
            let share = amount.checked_div(&demands[at].amount)?;
            Some(PathRecord { s, d, share, links })
        };
        let records = self.paths.into_iter().map(record).collect::<Option<_>>()?;
        Some((
            self.load,
            Witness { link, demands, optu: Rational::ONE, flow: RoutedTraffic::Paths(records) },
        ))
    }

    /// Whether all paths exist, load no link beyond 1, and put that load on the link by the routing.
    fn is_so(&self, search: &WorstDemandSearch<'_>, link: LinkId) -> bool {
        let topology = &search.instance.topology;
        let amounts = || self.paths.iter().map(|(_, _, amount, _)| amount);
        let is_path = |(s, d, amount, links): &(Host, Host, Rational, Vec<LinkId>)| {
            s != d && !amount.is_zero() && leads(topology, (*s, *d), links)
        };
        if !self.paths.is_sorted_by_key(|(s, d, ..)| (*s, *d))
            || !self.paths.iter().all(is_path)
            || !denominators_within(MAX_BITS, amounts())
        {
            return false;
        }
        let mut sums = Sums::new(topology.links());
        for (_, _, amount, links) in &self.paths {
            sums.add(links.iter().copied(), amount);
        }
        let is_light = |link| topology.load_of(link, &sums.get(link)) <= Rational::ONE;
        let demands = self.demands();
        let routing = &*search.instance.routing;
        let loads = LinkLoads::of(topology, routing, &demands, &Progress::silent());
        topology.link_numbers().all(is_light)
            && loads.is_ok_and(|loads| loads.load(link) == self.load)
    }
}

/// Whether links lead from one host to another, over no link twice.
fn leads(topology: &Topology, (s, d): (Host, Host), links: &[LinkId]) -> bool {
    let hosts = topology.hosts();
    let mut at = s;
    let each = |link: &LinkId| match topology.ends(*link) {
        Some((from, to)) if from == at => {
            at = to;
            true
        }
        _ => false,
    };
    (s as usize) < hosts
        && (d as usize) < hosts
        && links.len() <= topology.links()
        && links.iter().all(each)
        && at == d
}

impl Kept {
    fn of(outcome: Outcome) -> Self {
        let Outcome { cover, witness, finished, failed, rounds, iterations, .. } = outcome;
        let carried = witness.and_then(|(load, witness)| Carried::of(load, &witness));
        let lengths = cover.map(|cover| cover.lengths);
        Self { lengths, carried, rounds, iterations, failed, stopped: !finished }
    }

    /// The outcome for its link.
    pub(super) fn outcome(self, link: LinkId, topology: &Topology) -> Outcome {
        let cover = self.lengths.map(|lengths| exact::LengthCover::of(topology, lengths));
        let witness = self.carried.and_then(|carried| carried.witness(link));
        let (finished, failed) = (!self.stopped, self.failed);
        let (rounds, iterations) = (self.rounds, self.iterations);
        Outcome { link, cover, witness, finished, failed, rounds, iterations }
    }
}

/// The linear programs of links, begun with one lower bound.
struct Programs<'a>(&'a WorstDemandSearch<'a>);

impl Work for Programs<'_> {
    type Result = Kept;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _link: u64) -> Found<Kept> {
        // Their pairs are collected for many links at a time.
        Found::Stopped
    }

    /// Whether the lengths cover the pairs is left to the checker.
    fn fits(&self, link: u64, kept: &Kept) -> bool {
        let topology = &self.0.instance.topology;
        let links = topology.link_numbers();
        let is_length =
            |(link, length): &(LinkId, Rational)| links.contains(link) && !length.is_zero();
        let are_lengths = |lengths: &Vec<(LinkId, Rational)>| {
            lengths.windows(2).all(|two| two[0].0 < two[1].0)
                && lengths.iter().all(is_length)
                && denominators_within(MAX_BITS, lengths.iter().map(|(_, length)| length))
        };
        let is_so = |carried: &Carried| {
            LinkId::try_from(link).is_ok_and(|link| carried.is_so(self.0, link))
        };
        kept.lengths.iter().all(are_lengths) && kept.carried.iter().all(is_so)
    }
}

impl WorstDemandSearch<'_> {
    /// Solves the linear programs of links, the first ones first, or looks them up; what is missing belongs
    /// to another shard, or the work was stopped.
    pub(super) fn each(
        &self,
        links: &[LinkId],
        lower: &Rational,
        units: &Units,
    ) -> Vec<Option<Outcome>> {
        let numbers: Vec<u64> = links.iter().map(|link| u64::from(*link)).collect();
        let stage = format!("linear programs above {lower}");
        let found = units.together(&stage, &numbers, &Programs(self), |mine, take| {
            let own: Vec<LinkId> =
                mine.iter().filter_map(|link| LinkId::try_from(*link).ok()).collect();
            self.solve(&own, lower, &|outcome| {
                let (link, is_final) = (outcome.link, outcome.finished && !outcome.failed);
                let kept = Kept::of(outcome);
                take(link.into(), if is_final { Found::Final(kept) } else { Found::Passing(kept) });
            });
        });
        let topology = &self.instance.topology;
        let outcome = |(link, kept): (&LinkId, Option<Kept>)| Some(kept?.outcome(*link, topology));
        links.iter().zip(found).map(outcome).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Instance;

    #[test]
    fn paths_lead_from_host_to_host() {
        let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
        let mut path = Vec::new();
        let see = &mut |_: &Rational, links: &[LinkId]| path = links.to_vec();
        instance.routing.for_each_path(0, 7, &mut Vec::new(), see);
        let leads = |pair, links: &[LinkId]| leads(&instance.topology, pair, links);
        assert!(leads((0, 7), &path));
        assert!(!leads((0, 6), &path) && !leads((1, 7), &path) && !leads((0, 8), &path));
        assert!(!leads((0, 7), &path[1..]) && !leads((0, 7), &[]) && !leads((0, 7), &[u32::MAX]));
    }
}
