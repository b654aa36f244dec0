//! Samples against numbers known from elsewhere.

use routebound::rational::Rational;
use routebound::routing::Instance;

use super::attack;

/// On a star every permutation is carried without contention.
#[test]
fn a_star_has_full_bandwidth() {
    let instance = Instance::named("xgft(1;8;1)", "dmodk").unwrap();
    let found = attack(&instance, "random(pattern=bisection,trials=50)");
    let statistics = found.worst.statistics.unwrap();
    assert_eq!(statistics.effective_bisection_bandwidth, Some(Rational::ONE));
    assert_eq!((statistics.mean, statistics.most), (Rational::ONE, Rational::ONE));
    assert!(statistics.half_width.abs() < 1e-12);
}

/// Two leaves of two hosts under one root: of the 4!/(2!·2!)·2! = 12 bisections of one pairing
/// each, those within leaves have load 1 and those across load 2 on a link of capacity 1 while
/// no routing does better. Each of the two senders is in the other's leaf or not: both pairs
/// cross in the same direction in 4 of 12, in opposite directions in 4 of 12, none in 4 of 12.
#[test]
fn two_leaves_by_hand() {
    let instance = Instance::named("xgft(2;2,2;1,1)", "dmodk").unwrap();
    let found = attack(&instance, "random(pattern=bisection,trials=6000,seed=2)");
    let statistics = found.worst.statistics.unwrap();
    // No routing has a choice.
    assert_eq!(statistics.mean, Rational::ONE);
    // 1/2 for the third of the samples in which both pairs share the up link.
    let bandwidth = statistics.effective_bisection_bandwidth.unwrap().to_f64();
    assert!((bandwidth - 5.0 / 6.0).abs() < 0.01, "{bandwidth}");
}

/// All hosts in one clique: all-to-all traffic, which even D-mod-k spreads evenly.
#[test]
fn one_clique_is_uniform_traffic() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let found = attack(&instance, "random(pattern=clique,size=8,trials=5)");
    // An up link of a leaf carries 2 sources × 3 destinations in other leaves with M1 = its
    // root: 6, and optu = baseload = 7. The host links carry 7.
    assert_eq!((found.worst.load, found.worst.lower), (Rational::from(7), Rational::ONE));
    assert_eq!(found.worst.witness.unwrap().demands.len(), 56);
}

/// One host fewer than twice the size: the last clique is one host smaller.
#[test]
fn odd_hosts_are_a_smaller_clique() {
    let instance = Instance::named("xgft(1;7;1)", "dmodk").unwrap();
    let found = attack(&instance, "random(pattern=clique,size=4,trials=5)");
    assert_eq!(found.worst.witness.unwrap().demands.len(), 12 + 6);
    assert_eq!(found.worst.lower, Rational::ONE);
}
