//! Why no single-path routing is better: the records and what they need.

use routebound_networks::certificate::{Quantity, Refutation};
use routebound_networks::checker::{RefutationClaim, Tree, check_refutation};
use routebound_networks::progress::Progress;
use routebound_networks::topology::generate;

/// The message about a refutation of `ratio`, empty when it is accepted.
fn said(spec: &str, quantity: Quantity, ratio: u32, refutation: &Refutation) -> String {
    let topology = generate(spec).unwrap();
    let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
    let claim = RefutationClaim { tree, quantity, ratio, refutation, folder: "".as_ref() };
    let checked = check_refutation(claim, &Progress::silent());
    checked.err().map(|refusal| refusal.to_string()).unwrap_or_default()
}

const RATIO: Quantity = Quantity::ObliviousRatio;
const LOAD: Quantity = Quantity::PermutationLoad;

fn count(height: usize) -> Refutation {
    Refutation::Count { height }
}

fn nested(low: usize, high: usize) -> Refutation {
    Refutation::Nested { low, high }
}

fn judge_all(points: &[(&str, Quantity, u32, Refutation, &str)]) {
    for (spec, quantity, ratio, refutation, reason) in points {
        let found = said(spec, *quantity, *ratio, refutation);
        let place = format!("{spec} {quantity:?} {ratio} {refutation:?}: {found}");
        assert_eq!(found.is_empty(), reason.is_empty(), "{place}");
        assert!(found.contains(reason), "{place}");
    }
}

/// Up to w1 nothing needs to be refuted, and then only `trivial` is a refutation.
#[test]
fn trivial_is_for_what_one_host_weighs() {
    let (trivial, two) = (Refutation::Trivial, "xgft(2;2,2;2,2)");
    judge_all(&[
        ("ft(4,2)", RATIO, 0, trivial.clone(), ""),
        ("ft(4,2)", RATIO, 0, count(1), "is `trivial`"),
        ("ft(4,2)", RATIO, 0, count(9), "is `trivial`"),
        ("ft(4,2)", RATIO, 0, nested(7, 3), "is `trivial`"),
        ("ft(4,2)", RATIO, 1, trivial.clone(), "needs a refutation"),
        (two, RATIO, 1, trivial.clone(), ""),
        (two, RATIO, 1, count(1), "is `trivial`"),
        (two, RATIO, 2, trivial.clone(), "needs a refutation"),
        (two, LOAD, 0, trivial.clone(), ""),
        (two, LOAD, 1, trivial.clone(), "needs a refutation"),
        // Slimmed trees too: one host weighs no more than the subtrees above it.
        ("xgft(2;4,4;2,1)", RATIO, 1, trivial.clone(), ""),
        ("xgft(2;4,4;2,1)", RATIO, 2, trivial, "needs a refutation"),
    ]);
}

/// XGFT(2; 3,6; 2,3) is FT(6,2) with every host joined to two switches: a port of the leaves
/// carries 30 of 270 pairs with one covering host, and there are six ports.
#[test]
fn hosts_weigh_w1() {
    let tree = "xgft(2;3,6;2,3)";
    assert!(generate(tree).unwrap().tree().unwrap().full_bisection());
    assert!(!generate("xgft(2;4,6;2,3)").unwrap().tree().unwrap().full_bisection());
    judge_all(&[
        (tree, RATIO, 2, count(1), ""),
        (tree, RATIO, 3, count(1), ""),
        (tree, RATIO, 4, count(1), "may carry"),
        (tree, LOAD, 1, count(1), ""),
        (tree, LOAD, 2, count(1), "may carry"),
        // Not of full bisection: six links up cover the four hosts of a subtree.
        ("xgft(2;4,6;2,3)", RATIO, 3, count(1), ""),
        ("xgft(2;4,6;2,3)", RATIO, 6, count(1), "may carry 2880 pairs, and there are only 480"),
        // Two links up cover the four hosts of a leaf: 8 ports with X = 4 just carry all pairs between
        // the subtrees of height 2, but full ports do not fit together. X = 5 is more.
        ("xgft(3;4,4,4;1,2,4)", RATIO, 2, count(2), ""),
        (
            "xgft(3;4,4,4;1,2,4)",
            RATIO,
            3,
            count(2),
            "may carry 3840 pairs, and there are only 3072",
        ),
        ("eft2(18,4)", RATIO, 2, count(1), ""),
        ("eft2(18,4)", RATIO, 3, count(1), "may carry"),
    ]);
}

#[test]
fn counts_are_cut_off_at_the_hosts_of_a_subtree() {
    judge_all(&[
        ("ft(6,2)", RATIO, 1, count(1), ""),
        // Covers of all three hosts and more carry all 270 pairs through one port.
        ("ft(6,2)", RATIO, 3, count(1), "may carry 810 pairs, and there are only 270"),
        ("ft(6,2)", RATIO, 400, count(1), "may carry 810 pairs, and there are only 270"),
        // One root carries all 8 pairs with X = 2, and there are no more: nothing is refuted.
        ("ftree(2,1,2)", LOAD, 1, count(1), ""),
        ("ftree(2,1,2)", LOAD, 2, count(1), "may carry 8 pairs, and there are only 8"),
        ("ft(4,4)", RATIO, 2, nested(2, 3), ""),
        ("ft(4,4)", RATIO, 3, nested(2, 3), "may carry"),
        ("ft(4,5)", RATIO, 3, nested(3, 4), ""),
        ("ft(4,5)", RATIO, 3, nested(2, 3), "may carry"),
        ("ft(4,5)", RATIO, 4, nested(3, 4), "may carry"),
        // X = 2 is all hosts of a leaf, X = 3 more: the larger subtrees have four still.
        ("ft(4,4)", RATIO, 2, nested(1, 2), "may carry"),
        ("ft(4,4)", RATIO, 3, nested(1, 2), "may carry 1792 pairs, and there are only 896"),
        ("ft(4,4)", RATIO, 4_000_000_000, nested(1, 2), "may carry 1792 pairs"),
    ]);
}

#[test]
fn heights_have_subtrees_in_order() {
    let reason = "no subtrees to count pairs between, or is not below the second one";
    judge_all(&[
        ("ft(4,4)", RATIO, 1, count(1), ""),
        ("ft(4,4)", RATIO, 1, count(0), reason),
        ("ft(4,4)", RATIO, 1, count(4), reason),
        ("ft(4,4)", RATIO, 2, nested(3, 2), reason),
        ("ft(4,4)", RATIO, 2, nested(2, 2), reason),
        ("ft(4,4)", RATIO, 2, nested(0, 3), reason),
        ("ft(4,4)", RATIO, 2, nested(2, 4), reason),
        ("ft(4,1)", RATIO, 1, count(1), reason),
    ]);
}
