//! Tori: the published worst cases of oblivious routings, and the credit loops of rings.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use routebound::certificate::Quantity;
use routebound::load::Dependencies;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::worst_case::Analyse;

/// The highest load of a link by a permutation.
fn permutation_load(network: &str, routing: &str) -> Rational {
    let instance = Instance::named(network, routing).unwrap();
    let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    assert_eq!(worst.upper().as_ref(), Some(worst.lower()), "{routing} on {network}");
    worst.lower().clone()
}

/// Links that carry 1 under uniform traffic, which is the capacity of the 8-ary 2-cube: the published worst cases are a
/// quarter of it for one path in dimension order, 5/24 (0.208) for ROMM, a half for VAL and IVAL (Towles and Dally
/// 2002; Towles, Dally and Boyd 2003).
#[test]
fn worst_permutations_of_the_8_ary_2_cube_are_the_published_ones() {
    for (routing, load) in [("dor", "4"), ("dor(ties=split)", "7/2"), ("romm", "24/5")] {
        assert_eq!(permutation_load("torus(8,2)", routing).to_string(), load, "{routing}");
    }
    // Others have paths over all links for all pairs, which takes seconds there.
    for (routing, load) in [("dor", "2"), ("valiant", "1"), ("ival", "1")] {
        assert_eq!(permutation_load("torus(4,2)", routing).to_string(), load, "{routing}");
    }
}

/// 2TURN: equal shares of the paths with at most two turns are not the best (Towles, Dally and Boyd 2003). The best are
/// as good as any: docs/src/tori.md.
#[test]
fn equal_shares_of_two_turns_are_not_the_best() {
    assert_eq!(permutation_load("torus(4,2)", "2turn"), Rational::new(193, 65).unwrap());
}

/// The same with certificates that the checker has accepted.
#[cfg(feature = "highs")]
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn the_published_worst_permutations_are_proven() {
    for (routing, load) in [
        ("dor", "4 (proven)"),
        ("romm", "24/5 (proven)"),
        ("valiant", "2 (proven)"),
        ("ival", "2 (proven)"),
    ] {
        let instance = Instance::named("torus(8,2)", routing).unwrap();
        let found = routebound::assessment::assess(&instance).unwrap();
        assert_eq!(found.permutation_load.to_string(), load, "{routing}");
    }
}

/// Number of links of a credit loop that is found, where there is one.
fn credit_loop(network: &str, routing: &str) -> Option<usize> {
    let instance = Instance::named(network, routing).unwrap();
    let dependencies = Dependencies::of_routing(&instance, &Progress::silent()).unwrap();
    dependencies.cycle().map(|cycle| cycle.len())
}

/// Two paths of two links that overlap close a ring of four, which one way per tie avoids; in longer rings all do.
#[test]
fn rings_have_credit_loops_and_lines_have_none() {
    for (network, routing, links) in [
        ("torus(4,2)", "dor", None),
        ("torus(4,2)", "dor(ties=up)", Some(4)),
        ("torus(4,2)", "dor(ties=split)", Some(4)),
        ("torus(3,3)", "dor", None),
        ("torus(5,2)", "dor", Some(5)),
        ("torus(6)", "dor", Some(6)),
        ("torus(3;7)", "dor", Some(7)),
        ("mesh(5,2)", "dor", None),
        ("hypercube(4)", "dor", None),
        ("mesh(3,2)", "romm", Some(4)),
        ("mesh(3,2)", "ival", Some(4)),
        // Paths turn back at both ends; in two dimensions everywhere.
        ("mesh(3)", "valiant", Some(4)),
        ("mesh(3,2)", "valiant", Some(2)),
    ] {
        assert_eq!(credit_loop(network, routing), links, "{routing} on {network}");
    }
}
