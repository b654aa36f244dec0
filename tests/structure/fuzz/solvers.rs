//! Wrong answers of solvers: bounds become wide, never wrong.

use std::collections::BTreeMap;
use std::time::Instant;

use proptest::prelude::*;
use routebound::load::LinkLoads;
use routebound::optimum::EvenSplit;
use routebound::optimum::optu::{Found, OptuBounds, OptuStats};
use routebound::optimum::problem::{Group, Problem};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{Instance, Listed};
use routebound::topology::{self, LinkId, Topology, link_number};
use routebound::traffic::Demand;

use super::cases;

/// A float as no solver should give it.
fn any_float() -> impl Strategy<Value = f64> {
    let odd = [0.0, -0.0, -1.0, 1e-300, 1e300, f64::MAX, f64::NAN, f64::INFINITY, -f64::INFINITY];
    prop_oneof![3 => 0.0..2.0_f64, 1 => prop::sample::select(odd.to_vec()), 1 => any::<f64>()]
}

/// Prices or amounts as a solver gives them, or in one case of five anything: one odd value among
/// hundreds already makes most of them useless.
fn any_floats(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        4 => prop::collection::vec(0.0..2.0_f64, count),
        1 => prop::collection::vec(any_float(), count),
    ]
}

fn any_demands() -> impl Strategy<Value = Vec<Demand>> {
    let one = (0..8_u32, 1..8_u32, 1..5_u64).prop_map(|(s, shift, amount)| Demand {
        s,
        d: (s + shift) % 8,
        amount: Rational::from(amount),
    });
    prop::collection::vec(one, 1..8)
}

/// Trees of 8 hosts, where the even split is optimal.
const TREES: [&str; 4] = ["ft(4,2)", "xgft(2;4,2;1,1)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,4;2,3)"];

/// The least total length of a path, by relaxing every link again and again.
#[cfg(feature = "highs")]
fn distance(
    topology: &Topology,
    length: &dyn Fn(LinkId) -> Rational,
    s: topology::Host,
    d: topology::Host,
) -> Rational {
    let mut known: Vec<Option<Rational>> = vec![None; topology.nodes()];
    known[s as usize] = Some(Rational::ZERO);
    for _ in 0..topology.nodes() {
        for link in topology.link_numbers() {
            let (from, to) = topology.ends(link).unwrap();
            if let Some(before) = known[from as usize].clone() {
                let through = &before + &length(link);
                let to = &mut known[to as usize];
                if to.as_ref().is_none_or(|to| through < *to) {
                    *to = Some(through);
                }
            }
        }
    }
    known[d as usize].clone().unwrap()
}

/// The traffic of every source over the paths of D-mod-k, each demand times about 1, as a solver
/// gives it.
fn shortest_flows(
    topology: &Topology,
    problem: &Problem<'_>,
    noise: &[f64],
) -> Vec<Vec<(LinkId, f64)>> {
    let dmodk = routebound::routing::build("dmodk", topology).unwrap();
    let mut noise = noise.iter();
    let group = |group: &Group| {
        let mut flow = BTreeMap::new();
        for (d, units) in &group.sinks {
            let amount =
                *units as f64 / problem.units() as f64 * (1.0 + noise.next().unwrap() * 1e-9);
            dmodk.for_each_path(group.source, *d, &mut Vec::new(), &mut |_, links| {
                for link in links {
                    *flow.entry(*link).or_insert(0.0) += amount;
                }
            });
        }
        flow.into_iter().collect()
    };
    problem.groups().iter().map(group).collect()
}

/// The prices of the even split's most loaded links and its flow: the bounds meet.
#[test]
fn right_answers_are_exact() {
    let topology = topology::generate("xgft(2;4,2;1,1)").unwrap();
    // Four hosts send over the one link between their switch and the root.
    let demand = |s| Demand { s, d: s + 4, amount: Rational::ONE };
    let demands: Vec<Demand> = (0..4).map(demand).collect();
    let problem = Problem::new(&topology, &demands).unwrap();
    let loads = EvenSplit::route(&topology, &demands).unwrap();
    assert_eq!(loads.max_load(), 4.into());
    let up = topology.link_numbers().find(|link| {
        let found = topology.link(*link);
        found.level == 2 && topology.ends(*link).unwrap().0 == topology.ends(0).unwrap().1
    });
    let mut prices = vec![0.0; topology.links()];
    prices[up.unwrap() as usize] = 1.0;
    let flows = shortest_flows(&topology, &problem, &[0.0; 64]);
    let found = Found { flows, prices };
    let found = OptuBounds::confirm(&problem, &found, OptuStats::default(), Instant::now());
    let found = found.unwrap();
    assert_eq!((found.lower, found.upper), (4.into(), 4.into()));
}

proptest! {
    #![proptest_config(cases(60))]

    /// Any prices and any flow, of any number of sources.
    #[test]
    fn bounds_on_optu_stay_true(
        tree in 0..TREES.len(),
        demands in any_demands(),
        prices in any_floats(200),
        flows in prop::collection::vec(
            prop::collection::vec((any::<prop::sample::Index>(), any_float()), 0..20), 0..9),
        near in (any_floats(8 * 8), any::<bool>()),
    ) {
        let topology = topology::generate(TREES[tree]).unwrap();
        let links = topology.links();
        let exact = EvenSplit::route(&topology, &demands).unwrap().max_load();
        let problem = Problem::new(&topology, &demands).unwrap();
        let sources = problem.groups().len();
        let flow = |one: &Vec<(prop::sample::Index, f64)>| {
            one.iter().map(|(at, amount)| (link_number(at.index(links)), *amount)).collect()
        };
        let mut flows: Vec<_> = flows.iter().map(flow).collect();
        if near.1 {
            flows = shortest_flows(&topology, &problem, &near.0);
        }
        flows.resize(sources, Vec::new());
        let found = Found { flows, prices: prices[..links].to_vec() };
        let found = OptuBounds::confirm(&problem, &found, OptuStats::default(), Instant::now());
        let found = found.unwrap();
        prop_assert!(found.lower <= exact && exact <= found.upper, "{:?}", found);
        // The paths carry the traffic, with the load that is claimed.
        let hosts = topology.hosts();
        let mut all = found.paths.clone();
        let dmodk = routebound::routing::build("dmodk", &topology).unwrap();
        for (s, d) in (0..8).flat_map(|s| (0..8).map(move |d| (s, d))).filter(|(s, d)| s != d) {
            if !demands.iter().any(|demand| (demand.s, demand.d) == (s, d)) {
                dmodk.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                    let (share, links) = (share.clone(), links.to_vec());
                    all.push(routebound::traffic::PathRecord { s, d, share, links });
                });
            }
        }
        let listed = Listed::new("own".into(), hosts, all).unwrap();
        let instance = Instance::new(topology, Box::new(listed) as Box<dyn routebound::routing::Routing>).unwrap();
        let loads = LinkLoads::of(instance.topology(), instance.routing(), &demands, &Progress::silent());
        prop_assert_eq!(loads.unwrap().max_load(), found.upper);
    }
}

#[cfg(feature = "highs")]
mod links {
    use routebound::load::SharedPair;
    use routebound::lp::worst_demand::exact::{cover, vertex_cover, witness};
    use routebound::lp::worst_demand::packing::PairPath;
    use routebound::optimum::shortest::Adjacency;

    use super::*;

    /// The pairs on a link, by source, with their shares.
    fn pairs_on(
        instance: &Instance,
        link: LinkId,
    ) -> Vec<(topology::Host, topology::Host, Rational)> {
        let mut pairs = Vec::new();
        for (s, d) in (0..8).flat_map(|s| (0..8).map(move |d| (s, d))).filter(|(s, d)| s != d) {
            let mut sum = Rational::ZERO;
            instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                if links.contains(&link) {
                    sum = &sum + share;
                }
            });
            if !sum.is_zero() {
                pairs.push((s, d, sum));
            }
        }
        pairs
    }

    /// The last path of a pair.
    fn path(instance: &Instance, s: topology::Host, d: topology::Host) -> PairPath {
        let mut path = Vec::new();
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            path = links.to_vec();
        });
        PairPath { s, d, links: path }
    }

    /// Prices of 1 on every link cover the pairs of a link, and half a unit of each pair fits.
    #[test]
    fn plain_answers_give_a_cover_and_a_witness() {
        for tree in TREES {
            let instance = Instance::named(tree, "omrmn").unwrap();
            let topology = instance.topology();
            for link in topology.link_numbers() {
                let known = pairs_on(&instance, link);
                let pairs: Vec<SharedPair<'_>> =
                    known.iter().map(|(s, d, share)| SharedPair { s: *s, d: *d, share }).collect();
                let prices = vec![1.0; topology.links()];
                let adjacency = Adjacency::new(topology);
                let found = cover(topology, &adjacency, &pairs, &prices, &Rational::ZERO);
                assert!(found.is_some(), "{tree}, link {link}");
                let traffic: Vec<_> =
                    known.iter().map(|(s, d, _)| (path(&instance, *s, *d), 0.5)).collect();
                let found = witness(topology, link, &pairs, &traffic);
                assert!(found.is_some_and(|(ratio, _)| !ratio.is_zero()), "{tree}, link {link}");
            }
        }
    }

    /// Two hosts whose shares have no small common denominator: rounded lengths cover them with a
    /// little more than is needed, those of the vertex with exactly the sum of the shares.
    #[test]
    fn vertices_are_exact_where_rounding_is_not() {
        let instance = Instance::named("xgft(2;4,2;1,1)", "dmodk").unwrap();
        let (topology, network) = (instance.topology(), Adjacency::new(instance.topology()));
        let shares = [Rational::new(1_234_567, 9_999_991).unwrap(), Rational::ONE];
        let (mut pairs, mut tight) = (Vec::new(), Vec::new());
        let mut prices = vec![0.0; topology.links()];
        for (s, share) in (0..).zip(&shares) {
            let path = path(&instance, s, s + 4);
            prices[path.links[0] as usize] = share.to_f64() * (1.0 + 1e-13);
            pairs.push(SharedPair { s, d: s + 4, share });
            tight.push(path);
        }
        let needed: Rational = shares.iter().sum();
        let rounded = cover(topology, &network, &pairs, &prices, &needed).unwrap();
        assert!(rounded.traffic > needed);
        let vertex = vertex_cover(topology, &network, &pairs, &prices, &tight).unwrap();
        assert_eq!(vertex.traffic, needed);
    }

    proptest! {
        #![proptest_config(cases(60))]

        /// Any prices cover every pair of a link, any traffic is scaled until it fits.
        #[test]
        fn covers_and_witnesses_stay_true(
            tree in 0..TREES.len(),
            link in any::<prop::sample::Index>(),
            prices in any_floats(200),
            amounts in any_floats(64),
        ) {
            let instance = Instance::named(TREES[tree], "omrmn").unwrap();
            let topology = instance.topology();
            let link = link_number(link.index(topology.links()));
            let known = pairs_on(&instance, link);
            let pairs: Vec<SharedPair<'_>> =
                known.iter().map(|(s, d, share)| SharedPair { s: *s, d: *d, share }).collect();
            let prices = &prices[..topology.links()];
            let paths = known.iter().map(|(s, d, _)| path(&instance, *s, *d));
            let traffic: Vec<_> = paths.zip(amounts).collect();
            let adjacency = Adjacency::new(topology);
            let rounded = cover(topology, &adjacency, &pairs, prices, &Rational::ZERO);
            let tight: Vec<_> = traffic.iter().map(|(path, _)| path.clone()).collect();
            let vertex = vertex_cover(topology, &adjacency, &pairs, prices, &tight);
            for found in rounded.into_iter().chain(vertex) {
                let length = |link: LinkId| {
                    let own = found.lengths.iter().find(|(known, _)| *known == link);
                    own.map_or(Rational::ZERO, |(_, length)| length.clone())
                };
                for (s, d, share) in &known {
                    prop_assert!(distance(topology, &length, *s, *d) >= *share);
                }
                let all = topology.link_numbers()
                    .map(|link| &length(link) * &topology.link(link).capacity);
                let all: Vec<Rational> = all.collect();
                prop_assert_eq!(all.iter().sum::<Rational>(), found.traffic);
            }
            if let Some((ratio, found)) = witness(topology, link, &pairs, &traffic) {
                let optu = EvenSplit::route(topology, &found.demands).unwrap().max_load();
                prop_assert!(optu <= Rational::ONE, "{}", optu);
                let loads = LinkLoads::of(topology, instance.routing(), &found.demands, &Progress::silent());
                prop_assert!(loads.unwrap().load(link) >= ratio, "{}", ratio);
            }
        }
    }
}
