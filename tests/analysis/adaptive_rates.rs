//! Paths whose rates the sender chooses: bounds that meet where there is nothing to choose, and others that known
//! values respect.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use itertools::Itertools as _;
use routebound::assessment::{AdaptiveAssessment, Assess, assess_adaptive};
use routebound::bounds::Evidence;
use routebound::certificate::{Certificate, Quantity};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::Host;

fn instance(topology: &str, routing: &str) -> Instance {
    let topology = routebound::topology::generate(topology).unwrap();
    let routing = routebound::routing::build(routing, &topology).unwrap();
    Instance::new(topology, routing).unwrap()
}

fn bounded(topology: &str, routing: &str) -> AdaptiveAssessment {
    bounded_for(Quantity::ObliviousRatio, topology, routing)
}

fn bounded_for(quantity: Quantity, topology: &str, routing: &str) -> AdaptiveAssessment {
    let instance = instance(topology, routing);
    let found = assess_adaptive(&instance, quantity, &|_| Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(found.adaptive.evidence, Evidence::Proven, "{topology} {routing}");
    assert!(found.complete && found.notes.is_empty(), "{topology} {routing}: {:?}", found.notes);
    let bounds = [&found.adaptive.lower, &found.adaptive.upper, &found.fixed.upper];
    assert!(
        bounds.is_sorted() && found.fixed.lower >= found.adaptive.lower,
        "{topology} {routing}"
    );
    let text = found.certificate.as_ref().unwrap().to_string();
    let read: Certificate = text.parse().unwrap();
    let accepted = routebound::generators::checker::check(&read).unwrap();
    let accepted = accepted.last().unwrap();
    assert_eq!(accepted.quantity, format!("{} with adaptive rates", quantity.name()));
    assert_eq!([&accepted.lower, &accepted.upper], [&found.adaptive.lower, &found.adaptive.upper]);
    found
}

#[test]
fn with_single_paths_there_is_nothing_to_choose() {
    for (topology, routing) in [
        ("ft(4,2)", "dmodk"),
        ("ft(6,2)", "random(seed=3)"),
        ("torus(4,1)", "ksp(k=1)"),
        ("hyperx(4,p=0)", "ksp(k=1)"),
        ("mesh(2;3)", "ksp(k=1)"),
    ] {
        let ratio = Assess::new().run(&instance(topology, routing)).unwrap().oblivious_ratio;
        let found = bounded(topology, routing);
        assert_eq!(found.adaptive.exact(), ratio.exact(), "{topology} {routing}");
        assert!(ratio.exact().is_some(), "{topology} {routing}");
    }
}

#[test]
fn with_all_shortest_paths_of_a_full_tree_nothing_is_lost() {
    assert_eq!(bounded("ft(4,2)", "omrmn").adaptive.exact(), Some(&Rational::ONE));
    assert_eq!(bounded("ft(6,2)", "kpath(k=3)").adaptive.exact(), Some(&Rational::ONE));
}

/// With all paths without loops the sender can route as well as anybody. With one less for some pair it is not known.
#[test]
fn with_all_paths_nothing_is_lost() {
    for (topology, k) in
        [("torus(4,1)", 2), ("torus(9,1)", 2), ("hyperx(4,p=0)", 5), ("mesh(2;3)", 4)]
    {
        let all = bounded(topology, &format!("ksp(k={k})"));
        assert_eq!(all.adaptive.exact(), Some(&Rational::ONE), "{topology}: {k} paths");
        let fewer = bounded(topology, &format!("ksp(k={})", k - 1));
        assert!(fewer.adaptive.upper > Rational::ONE, "{topology}: {} paths", k - 1);
    }
}

/// Nothing is searched where the proof of the routing itself settles both sides: also where it takes several paths.
#[test]
fn what_the_routing_itself_proves_is_known_at_once() {
    for (topology, routing, value) in [
        ("torus(8,2)", "dor", None),
        ("ft(8,2)", "dmodk", Some(4)),
        ("torus(16,1)", "ksp(k=2)", Some(1)),
    ] {
        let mut searched = 0;
        let instance = instance(topology, routing);
        let (quantity, begin) = (Quantity::ObliviousRatio, |_: &str| Progress::silent());
        let found = assess_adaptive(&instance, quantity, &begin, &mut |_| searched += 1).unwrap();
        assert!(found.complete && found.certificate.is_ok(), "{topology} {routing}");
        // The routing with which a search begins, and no other.
        assert_eq!(searched, 1, "{topology} {routing}");
        let exact = found.adaptive.exact().unwrap();
        assert!(
            value.is_none_or(|value: u64| *exact == Rational::from(value)),
            "{topology} {routing}: {exact}"
        );
    }
}

#[test]
fn more_paths_are_never_worse() {
    for (topology, most) in [("hyperx(4,p=0)", 4), ("mesh(2;3)", 3), ("torus(5,1)", 2)] {
        let all: Vec<_> =
            (1..=most).map(|k| bounded(topology, &format!("ksp(k={k})")).adaptive).collect();
        for (fewer, more) in all.iter().tuple_windows() {
            assert!(more.lower <= fewer.upper, "{topology}: {more} after {fewer}");
        }
    }
}

/// On FT(4,2) with one path per pair, the worst permutation by exhaustion: what all permutations of the hosts of two
/// leaf switches put on a link is a lower bound that the search has to find.
#[test]
fn no_permutation_is_worse_than_what_is_found() {
    let instance = instance("ft(4,2)", "kpath(k=1,choice=first)");
    let found = bounded("ft(4,2)", "kpath(k=1,choice=first)");
    let mut worst = Rational::ZERO;
    for images in (0..8 as Host).permutations(4) {
        let mut load = vec![Rational::ZERO; instance.topology().links()];
        for (s, d) in (0..4).zip(images).filter(|(s, d)| s != d) {
            instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                for link in links {
                    load[*link as usize] += share;
                }
            });
        }
        // On this tree no permutation has an optu above 1.
        worst = worst.max(load.into_iter().max().unwrap());
    }
    assert!(worst > Rational::ONE && found.adaptive.lower >= worst, "{worst} {}", found.adaptive);
}

/// Bounds that are known when the work is stopped are kept, as claims.
#[test]
fn a_stop_leaves_what_is_known() {
    let (instance, stop) = (instance("ft(6,2)", "kpath(k=2)"), Stop::at(None));
    let mut kept = Vec::new();
    let begin = |_: &str| Progress::silent().stopped_by(stop.clone());
    let found = assess_adaptive(&instance, Quantity::ObliviousRatio, &begin, &mut |known| {
        kept.push(known.adaptive.clone());
        stop.request();
    });
    assert!(!kept.is_empty());
    if let Ok(found) = found {
        assert!(!found.complete && found.adaptive.upper <= kept[0].upper);
    }
}

/// The worst permutation over the given paths, by a linear program for each permutation of the hosts, in another
/// language.
const BY_EXHAUSTION: &[(&str, &str, (u64, u64))] = &[
    ("torus(5,1)", "ksp(k=1)", (2, 1)),
    ("torus(5,1)", "ksp(k=2)", (6, 5)),
    ("torus(6,1)", "ksp(k=2)", (3, 2)),
    ("hyperx(4,p=0)", "ksp(k=1)", (1, 1)),
    ("hyperx(4,p=0)", "ksp(k=2)", (2, 3)),
    ("hyperx(4,p=0)", "ksp(k=3)", (1, 2)),
    ("mesh(2;3)", "ksp(k=1)", (2, 1)),
    ("mesh(2;3)", "ksp(k=2)", (3, 2)),
    ("mesh(2;3)", "ksp(k=3)", (1, 1)),
    ("mesh(2;3)", "ksp(k=4)", (1, 1)),
    ("planes(2,2,2,2)", "ecmp", (1, 2)),
    ("planes(2,2,2,2)", "kpath(k=2,choice=first)", (1, 1)),
    ("planes(2,2,2,2)", "kpath(k=2,choice=random,seed=1)", (1, 1)),
    ("planes(2,2,2,2)", "kpath(k=3,choice=first)", (2, 3)),
    ("planes(2,2,3,3)", "kpath(k=4,choice=disjoint)", (1, 2)),
    ("planes(3,2,2,3)", "kpath(k=3,choice=grid)", (2, 3)),
];

#[test]
fn permutations_are_as_bad_as_by_exhaustion() {
    for (topology, routing, (over, under)) in BY_EXHAUSTION {
        let found = bounded_for(Quantity::PermutationLoad, topology, routing).adaptive;
        assert_eq!(found.exact(), Rational::new(*over, *under).as_ref(), "{topology} {routing}");
    }
}

/// Where all hosts send alike, what they can send and receive is a mean of permutations, as often as a host has links.
#[test]
fn hosts_that_are_alike_send_permutations() {
    for (topology, routing, (over, under)) in &BY_EXHAUSTION[..6] {
        let links = if topology.starts_with("torus") { 2 } else { 3 };
        let found = bounded_for(Quantity::HoseLoad, topology, routing).adaptive;
        let value = Rational::new(links * over, *under);
        assert_eq!(found.exact(), value.as_ref(), "{topology} {routing}");
    }
}

/// Permutations have demands of 1 whatever hosts can send; how good fixed rates can be has no proof of its own.
#[test]
fn bounds_on_permutations_are_about_whole_demands() {
    let found = bounded_for(Quantity::PermutationLoad, "hyperx(4,p=0)", "ksp(k=2)");
    let traffic = found.traffic.unwrap();
    assert!(traffic.flow.is_none());
    assert!(traffic.demands.iter().all(|demand| demand.amount == Rational::ONE));
    assert_eq!(found.fixed.exact(), found.adaptive.exact());
}

/// As [`BY_EXHAUSTION`], where equal rates are worse: no fixed rates have to be as good.
#[test]
fn bounds_on_permutations_hold_where_they_differ() {
    for (topology, routing, equal, (over, under)) in [
        ("planes(2,3,2,2)", "kpath(k=3,choice=disjoint)", 1, (3, 4)),
        ("planes(2,3,2,2)", "kpath(k=3,choice=shift)", 1, (3, 4)),
    ] {
        let found = bounded_for(Quantity::PermutationLoad, topology, routing);
        let value = Rational::new(over, under).unwrap();
        assert!(found.adaptive.lower <= value && value <= found.adaptive.upper, "{routing}");
        let own = Assess::new().run(&instance(topology, routing)).unwrap().permutation_load;
        assert_eq!(own.exact(), Some(&Rational::from(equal)), "{routing}");
    }
}

/// 32 of the 128 paths of every pair, four of each plane. The 16 hosts of a leaf send to hosts with the same spines: 32
/// links carry 16. Over all paths each of 128 links carries an eighth, as host links do.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn eight_planes_of_1024_hosts_are_settled() {
    for (routing, (over, under)) in [("kpath(k=32,choice=disjoint)", (1, 2)), ("ecmp", (1, 8))] {
        let found = bounded_for(Quantity::PermutationLoad, "planes(8,16,16,64)", routing);
        let value = Rational::new(over, under).unwrap();
        assert_eq!(found.adaptive.exact(), Some(&value), "{routing}");
        assert_eq!(found.fixed.exact(), Some(&value), "{routing}");
    }
}
