//! Numbers that must come out.

use routebound::bounds::Evidence;
use routebound::certificate::{Quantity, Refutation};
use routebound::checker::{RefutationClaim, Tree, check_refutation};
use routebound::nonblocking::least_top_switches;
use routebound::progress::{Progress, Stop};
use routebound::synth::{Method, Options, least_ratio};
use routebound::topology::generate;

fn search(spec: &str, options: &Options) -> routebound::synth::OptimalAssessment {
    least_ratio(&generate(spec).unwrap(), options, &Progress::silent()).unwrap()
}

#[test]
fn optima_of_full_trees_are_proven_on_both_sides() {
    for (spec, optimum) in [
        ("ft(4,2)", "2 (proven)"),
        ("ft(6,2)", "2 (proven)"),
        ("ft(8,2)", "2 (proven)"),
        ("ft(10,2)", "3 (proven)"),
        ("ft(12,2)", "3 (proven)"),
        ("ft(14,2)", "3 (proven)"),
        ("ft(16,2)", "3 (proven)"),
        ("ft(18,2)", "3 (proven)"),
        ("ft(26,2)", "4 (proven)"),
        ("ft(4,3)", "2 (proven)"),
        ("ft(6,3)", "3 (proven)"),
    ] {
        let found = search(spec, &Options::default());
        assert_eq!(found.bounds.to_string(), optimum, "{spec}");
        assert!(found.complete && found.certificate.is_some(), "{spec}");
    }
}

#[test]
fn no_single_path_routing_of_ft_4_4_has_ratio_2() {
    let found = search("ft(4,4)", &Options { ratio: Some(2), ..Options::default() });
    assert!(found.complete);
    assert_eq!(found.bounds.lower.to_string(), "3");
    assert_eq!(found.bounds.evidence, Evidence::Proven);
    assert_eq!(found.refutation, Refutation::Count { height: 3 });
    assert!(is_refuted("ft(4,4)", 2, &Refutation::Nested { low: 2, high: 3 }));
    assert!(!(1..3).any(|height| is_refuted("ft(4,4)", 2, &Refutation::Count { height })));
}

fn is_refuted(spec: &str, ratio: u32, refutation: &Refutation) -> bool {
    let (topology, quantity) = (generate(spec).unwrap(), Quantity::ObliviousRatio);
    let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
    let folder = "".as_ref();
    let claim = RefutationClaim { tree, quantity, ratio, refutation, folder };
    check_refutation(claim, &Progress::silent()).is_ok()
}

#[test]
fn no_single_path_routing_of_ft_4_5_has_ratio_3() {
    let found = search("ft(4,5)", &Options { method: Method::Count, ..Options::default() });
    assert_eq!(found.bounds.to_string(), "4 (proven)");
    assert_eq!(found.refutation, Refutation::Nested { low: 3, high: 4 });
    // No other height, or two, refutes it.
    assert!(!(1..5).any(|height| is_refuted("ft(4,5)", 3, &Refutation::Count { height })));
    for (low, high) in [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4)] {
        assert!(!is_refuted("ft(4,5)", 3, &Refutation::Nested { low, high }), "{low} {high}");
    }
    // Nor is more refuted.
    assert!(!is_refuted("ft(4,5)", 4, &Refutation::Nested { low: 3, high: 4 }));
}

#[test]
fn formulas_find_and_refute_what_counting_and_the_papers_do() {
    for (spec, optimum) in [("ft(4,2)", "2"), ("ftree(2,3,3)", "2"), ("xgft(2;4,3;1,2)", "2")] {
        let options = Options { method: Method::Formula, ..Options::default() };
        let found = search(spec, &options);
        assert_eq!(found.bounds.to_string(), format!("{optimum} (proven)"), "{spec}");
        let is_formula = matches!(found.refutation, Refutation::Lrat(_));
        assert!(is_formula, "{spec}: {:?}", found.refutation);
    }
}

#[test]
fn a_routing_that_no_paper_has_is_found() {
    let quantity = Quantity::PermutationLoad;
    let options = Options { quantity, ratio: Some(1), ..Options::default() };
    // Six top switches, where `yuan` needs nine.
    let found = search("ftree(3,6,3)", &options);
    assert_eq!(found.bounds.to_string(), "1 (proven)");
    assert!(found.best.routing().spec().starts_with("table:"));
}

/// The full tier has more leaf switches.
#[test]
fn top_switches_of_nonblocking_trees() {
    let least = |n, r| {
        let found = least_top_switches(n, r, &Options::default(), &Progress::silent()).unwrap();
        assert!(found.complete, "{n} {r}");
        let proven = |(_, found): &(u32, routebound::synth::OptimalAssessment)| {
            found.bounds.evidence == Evidence::Proven
        };
        assert!(found.decided.iter().all(proven));
        (found.lower, found.upper)
    };
    assert_eq!(least(2, 2), (2, 2));
    for r in 3..=if cfg!(feature = "slow-tests") { 8 } else { 5 } {
        assert_eq!(least(2, r), (4, 4), "{r}");
    }
    assert_eq!([least(3, 2), least(3, 3)], [(3, 3), (6, 6)]);
    for r in 6..=if cfg!(feature = "slow-tests") { 7 } else { 6 } {
        assert_eq!(least(3, r), (9, 9), "{r}");
    }
}

#[test]
fn a_stopped_search_has_proven_bounds() {
    let stop = Stop::at(None);
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let topology = generate("ft(4,4)").unwrap();
    let found = least_ratio(&topology, &Options::default(), &progress).unwrap();
    assert!(!found.complete);
    assert_eq!(found.bounds.to_string(), "between 3 and 4 (proven)");
}
