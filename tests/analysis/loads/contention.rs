//! Network contention (\[RO\] IV) against flow counts.

use std::collections::BTreeMap;

use routebound::load::{ContentionError, contention};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Routing};
use routebound::topology::{Host, LinkId, Topology};
use routebound::traffic::Demand;

use super::{all_to_all, demands, loads, network, ratio, shift};

fn of(instance: &Instance, demands: &[Demand]) -> Vec<Rational> {
    contention(instance, demands, &Progress::silent()).unwrap().all().collect()
}

fn most(instance: &Instance, demands: &[Demand]) -> Rational {
    of(instance, demands).into_iter().max().unwrap()
}

/// Flows of one source on one link wait for the source, not for the link; so do flows to one
/// destination.
#[test]
fn flows_of_one_endpoint_do_not_compete() {
    let instance = Instance::named("ft(8,2)", "smodk").unwrap();
    let from_one = demands([(0, 4), (0, 8), (0, 12)]);
    let up = instance.topology().tree().unwrap().link_id(1, 0, 0, 0).0;
    assert_eq!(loads(&instance, &from_one).flows(up), 3);
    assert_eq!(of(&instance, &from_one)[up as usize], Rational::ONE);
    assert_eq!(most(&instance, &from_one), Rational::ONE);
    let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
    assert_eq!(most(&instance, &demands([(0, 8), (1, 8), (4, 8)])), Rational::ONE);
}

/// Three flows on one link, of which two have different ends: (0,4) and (1,8).
#[test]
fn a_matching_counts_what_competes() {
    let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
    let traffic = demands([(0, 4), (0, 8), (1, 8)]);
    let up = instance.topology().tree().unwrap().link_id(1, 0, 0, 0).0;
    assert_eq!(loads(&instance, &traffic).flows(up), 3);
    assert_eq!(of(&instance, &traffic)[up as usize], Rational::from(2));
}

/// \[RO\] VII.A: task t of WRF-256 sends to t ± 16. Both flows of a task share a root with each
/// other and no one else, so nothing is lost on the network although two flows meet on a link.
#[test]
fn wrf_has_no_network_contention_under_mod_k() {
    let near = |t: Host| [t.checked_sub(16), Some(t + 16).filter(|d| *d < 256)];
    let pairs = (0..256).flat_map(|t| near(t).into_iter().flatten().map(move |d| (t, d)));
    let traffic = demands(pairs);
    for routing in ["dmodk", "smodk"] {
        let instance = Instance::named("xgft(2;16,16;1,16)", routing).unwrap();
        assert_eq!(loads(&instance, &traffic).most_flows().unwrap().1, 2, "{routing}");
        assert_eq!(most(&instance, &traffic), Rational::ONE, "{routing}");
    }
}

/// \[RO\] VII.A: the fifth exchange of CG.D-128. The 16 tasks of a switch use two roots; of the
/// eight flows on either up link one stays within the switch (d = s), so seven compete. It is
/// a permutation: contention and flows are the same.
#[test]
fn cg_phase_5_has_contention_7_under_mod_k() {
    let exchange = |p: u32| 2 * (((p / 2) % 8) * 8 + (p / 2) / 8) + p % 2;
    let traffic = demands((0..128).map(|p| (p, exchange(p))));
    assert_eq!(traffic.len(), 128 - 16);
    for routing in ["dmodk", "smodk"] {
        let instance = Instance::named("xgft(2;16,16;1,16)", routing).unwrap();
        let loads = loads(&instance, &traffic);
        assert_eq!(loads.max_load(), Rational::from(7), "{routing}");
        let contention = of(&instance, &traffic);
        assert!(loads.links().all(|link| contention[link as usize] == loads.load(link)));
    }
}

/// Every leaf of FT(4,2) sends all its traffic out: two flows at half a share on each link.
#[test]
fn shares_count_in_part() {
    let instance = Instance::named("ft(4,2)", "omrmn").unwrap();
    assert_eq!(most(&instance, &shift(8, 4)), Rational::ONE);
    // From one host to two others: on an up link the halves belong to one source.
    let up = instance.topology().tree().unwrap().link_id(1, 0, 0, 1).0;
    assert_eq!(of(&instance, &demands([(0, 2), (0, 4)]))[up as usize], ratio("1/2"));
    assert_eq!(of(&instance, &demands([(0, 2), (1, 2)]))[up as usize], ratio("1/2"));
}

/// Host 0 reaches the switch before hosts 2 and 3 by three ways, one of them over link 6 from z,
/// which takes all traffic of host 1: shares 1/3 and 1.
#[test]
fn different_shares_are_weighed() {
    let (x, y, z, w, back) = (4, 5, 6, 7, 8);
    let forth = [(0, x), (1, z), (x, y), (x, z), (y, w), (y, w), (z, w), (w, 2), (w, 3)];
    let topology =
        network(4, 5, &[&forth[..], &[(2, back), (3, back), (back, 0), (back, 1)]].concat());
    let routing = routing::build("omrmn", &topology).unwrap();
    let instance = Instance::trusted(topology, routing);
    let shared =
        |traffic: &[(Host, Host)]| of(&instance, &demands(traffic.iter().copied()))[6].to_string();
    assert_eq!(shared(&[(0, 2)]), "1/3");
    assert_eq!(shared(&[(0, 3), (1, 2)]), "4/3");
    assert_eq!(shared(&[(0, 2), (1, 2)]), "1");
    assert_eq!(shared(&[(0, 2), (0, 3), (1, 2)]), "4/3");
}

#[test]
fn contention_is_between_1_and_flows() {
    for routing in ["dmodk", "random", "grid"] {
        let instance = Instance::named("ft(8,2)", routing).unwrap();
        let traffic = all_to_all(32);
        let (loads, contention) = (loads(&instance, &traffic), of(&instance, &traffic));
        for link in loads.links() {
            let contention = &contention[link as usize];
            assert!(
                *contention >= Rational::ONE && *contention <= Rational::from(loads.flows(link))
            );
        }
    }
}

/// Every pair of a star over link 0, each with its own share, whatever the link joins.
struct Written(BTreeMap<Host, Rational>);

impl Routing for Written {
    fn spec(&self) -> &'static str {
        "written"
    }
    fn is_single_path(&self) -> bool {
        false
    }
    fn for_each_path(
        &self,
        s: Host,
        _: Host,
        _: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        visit(&self.0[&(s % 2)], &[0]);
    }
}

fn written(hosts: usize, shares: [&str; 2]) -> Instance {
    let spokes: Vec<_> = (0..hosts).flat_map(|host| [(host, hosts), (hosts, host)]).collect();
    let topology: Topology = network(hosts, 1, &spokes);
    let routing = Written((0..).zip(shares.map(ratio)).collect());
    Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>)
}

#[test]
fn what_cannot_be_weighed_is_refused() {
    let tiny = format!("1/{}", 1_u64 << 41);
    let instance = written(3, ["1/3", &tiny]);
    let traffic = demands([(0, 1), (0, 2), (1, 2)]);
    let refused = contention(&instance, &traffic, &Progress::silent());
    assert_eq!(refused, Err(ContentionError::Denominators));
    let instance = written(1700, ["1/2", "1/3"]);
    let traffic = [shift(1700, 1), shift(1700, 2)].concat();
    let refused = contention(&instance, &traffic, &Progress::silent());
    assert!(matches!(refused, Err(ContentionError::TooLarge(_))), "{refused:?}");
    // A permutation needs no weighing: 850 halves and 850 thirds.
    assert_eq!(of(&instance, &shift(1700, 1))[0], ratio("2125/3"));
}

#[test]
fn stops_on_request() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let stop = Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let stopped = contention(&instance, &shift(8, 1), &progress);
    assert!(matches!(stopped, Err(ContentionError::Stopped(_))));
}
