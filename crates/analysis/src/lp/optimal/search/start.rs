//! What a search begins with: an even split, and what no routing keeps off the links of a host.
//!
//! Where only hosts limit the traffic, both meet in a tree of full bisection: no linear program of the routing is solved.

use rayon::prelude::*;

use super::{Found, RoutingSearch};
use crate::bounds::DualDemand;
use crate::lp::optimal::allowed::Allowed;
use crate::lp::optimal::best::Best;
use crate::lp::optimal::demands::Demands;
use crate::lp::optimal::exact;
use crate::lp::optimal::master::Master;
use crate::lp::optimal::separation::Separation;
use crate::lp::optimal::streams::{Paths, shares_of};
use crate::lp::optimal::{KeepRouting, TOLERANCE};
use crate::lp::program::SolveError;
use crate::rational::Rational;
use crate::routing::{self, UseScratch};
use crate::topology::{Host, Topology};
use crate::traffic::Demand;

impl RoutingSearch<'_> {
    /// Judges the even split over listed paths or, where only hosts limit the traffic, over shortest ones, else one path
    /// per pair. Returns whether the search is to go on.
    pub(super) fn begin(
        &mut self,
        master: &mut Master<'_>,
        found: &mut Found,
        keep: &mut KeepRouting<'_>,
    ) -> Result<bool, SolveError> {
        let is_listed = matches!(self.allowed, Allowed::Listed(_));
        let Separation { topology, demands, .. } = self.separation;
        let hose = demands.hose;
        let mut shares = master.even_shares();
        let (value, prices) = (f64::INFINITY, Vec::new());
        found.best = Best { shares: shares.clone(), value, least: value, prices, worst: None };
        if hose && !is_listed {
            if !self.keep_first(master, found, keep)? {
                return Ok(false);
            }
            if let Some(split) = even_split(&self.separation) {
                shares = master.take_paths(split)?;
            }
        }
        let going = self.improve(master, &shares, None, &mut found.best)?.is_some();
        found.complete = if hose {
            self.take_bound(sent_by_a_host(topology, demands), found);
            going && found.has_met() && exact::is_simple(&found.confirmed.lower)
        } else {
            // A max load is never below optu: nothing is better than 1.
            found.best.value <= 1.0 + TOLERANCE
        };
        Ok(going && !found.complete)
    }

    /// Judges what has one path per pair, so that a stop leaves that while an even split of many paths is judged. The
    /// traffic found is not added to the master as a cut. Returns whether the search is to go on.
    fn keep_first(
        &mut self,
        master: &Master<'_>,
        found: &mut Found,
        keep: &mut KeepRouting<'_>,
    ) -> Result<bool, SolveError> {
        let few = found.best.shares.clone();
        let cases = self.separation.worst_cases(&master.paths, &few)?;
        let Some(mut cases) = cases else { return Ok(false) };
        found.best.take(&few, &mut cases);
        keep(found.best.value, &|| self.so_far(&master.paths, found));
        Ok(true)
    }
}

/// The even split of every pair that determines others over the next hops of paths with the fewest links; `None` where
/// the network has no such routing, or when stopped.
fn even_split(separation: &Separation<'_>) -> Option<Vec<Paths>> {
    let Separation { topology, network, reduction, progress, .. } = separation;
    let ecmp = routing::build("ecmp(weights=hops)", topology).ok()?;
    let split = |scratch: &mut UseScratch, (s, d): &(Host, Host)| {
        progress.check().ok()?;
        let mut uses = Vec::new();
        ecmp.for_each_use(*s, *d, scratch, &mut |share, links| {
            uses.extend(links.iter().map(|link| (vec![*link], share.to_f64())));
        });
        shares_of(network, (*s, *d), uses.iter().map(|(links, share)| (links, *share)))
    };
    reduction.pairs.par_iter().map_init(UseScratch::default, split).collect()
}

/// All that a host sends, to every other host in proportion to what that receives, against each link by which the host
/// sends, with the capacity of the link as weight: no routing keeps the weighted mean of their loads below this traffic
/// over the sum of their capacities. The host is one that sends most for its links.
fn sent_by_a_host(topology: &Topology, demands: &Demands) -> Vec<(DualDemand, f64)> {
    let relative =
        |host: &Host| demands.of_host(*host, 0).checked_div(&topology.host_capacity(*host, true));
    let Some(host) = topology.host_numbers().max_by_key(relative) else { return Vec::new() };
    let sent = sent(topology, demands, host);
    let against = |link| {
        let weight = topology.link(link).capacity.to_f64();
        (DualDemand { link, demands: sent.clone(), flow: None }, weight)
    };
    topology.links_from(host).map(against).collect()
}

/// What a host sends to every other: all that it may, or all that they may receive.
fn sent(topology: &Topology, demands: &Demands, s: Host) -> Vec<Demand> {
    let others = || topology.host_numbers().filter(|d| *d != s);
    let received: Vec<Rational> = others().map(|d| demands.of_host(d, 1)).collect();
    let part = demands.of_host(s, 0).checked_div(&received.iter().sum());
    let part = part.unwrap_or(Rational::ONE).min(Rational::ONE);
    others().zip(received).map(|(d, amount)| Demand { s, d, amount: &amount * &part }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Quantity;
    use crate::lp::optimal::{OptimalRouting, Options, optimal, optimal_keeping};
    use crate::progress::{Progress, Stop};
    use crate::topology::{NetworkBuilder, generate};

    /// A host with two cables of capacities `wide` and 1, and two with one cable of capacity 1.
    fn uneven(wide: u64) -> Topology {
        let mut network = NetworkBuilder::new();
        let hosts: Vec<_> = (0..3).map(|host| network.host(format!("h{host}"))).collect();
        let hub = network.switch("hub");
        network.cable(hosts[0], hub, Rational::from(wide));
        for host in &hosts {
            network.cable(*host, hub, Rational::ONE);
        }
        network.build("uneven").unwrap()
    }

    /// A host sends no more than all others receive, and no other receives more than its links carry.
    #[test]
    fn a_host_sends_what_others_receive() {
        let topology = uneven(3);
        let demands = Demands::of(&topology, Quantity::HoseLoad).unwrap();
        let amounts = |s| {
            let sent = sent(&topology, &demands, s).into_iter();
            sent.map(|demand| (demand.d, demand.amount.to_string())).collect::<Vec<_>>()
        };
        assert_eq!(amounts(0), [(1, "1".into()), (2, "1".into())]);
        assert_eq!(amounts(1), [(0, "4/5".into()), (2, "1/5".into())]);
        let topology = generate("hyperx(4,p=0)").unwrap();
        let demands = Demands::of(&topology, Quantity::PermutationLoad).unwrap();
        let third = Rational::new(1, 3).unwrap();
        assert!(sent(&topology, &demands, 0).iter().all(|demand| demand.amount == third));
        let against = sent_by_a_host(&topology, &demands);
        assert_eq!(against.len(), 3);
        assert!(
            against
                .iter()
                .all(|(dual, weight)| dual.demands.len() == 3 && (weight - 1.0).abs() < 1e-12)
        );
    }

    /// A stop while an even split is judged leaves what has few paths.
    #[test]
    fn few_paths_come_first() {
        let options = Options { quantity: Quantity::HoseLoad, ..Options::default() };
        let topology = generate("ft(4,2)").unwrap();
        let mut kept = Vec::new();
        let mut keep = |claimed, routing: &dyn Fn() -> OptimalRouting| {
            kept.push((claimed, routing().paths.len()));
        };
        let silent = Progress::silent();
        let best = optimal_keeping(&topology, options, &silent, &mut keep).unwrap();
        let [(claimed, paths)] = *kept else { panic!("{kept:?}") };
        assert!(claimed > best.claimed && claimed < f64::INFINITY, "{claimed}");
        assert!(paths < best.paths.len(), "{paths}");
        let stop = Stop::default();
        let mut keep_and_stop = |_, _: &dyn Fn() -> OptimalRouting| stop.request();
        let progress = Progress::silent().stopped_by(stop.clone());
        let shown = optimal_keeping(&topology, options, &progress, &mut keep_and_stop).unwrap();
        assert_eq!((shown.claimed, shown.paths.len()), (claimed, paths));
        assert!(!shown.complete);
    }

    /// No linear program of the routing is solved in a tree of full bisection; in one that is not, and where hosts
    /// forward, the even split is not enough.
    #[test]
    fn an_even_split_is_best_in_trees_of_full_bisection() {
        let options = Options { quantity: Quantity::HoseLoad, ..Options::default() };
        for (spec, rounds) in
            [("ft(4,2)", 0), ("kary(2,3)", 0), ("xgft(2;3,4;1,2)", 1), ("torus(5)", 1)]
        {
            let topology = generate(spec).unwrap();
            let best = optimal(&topology, options, &Progress::silent()).unwrap();
            assert!(best.complete && best.stats.rounds >= rounds, "{spec}");
            assert_eq!(best.stats.rounds == 0, best.lower == Rational::ONE, "{spec}");
        }
    }
}
