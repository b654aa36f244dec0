//! Sizes of what names mean, and of formulas: what is within a limit is judged, what is beyond it is not.

use routebound_networks::certificate::{LratRefutation, Quantity, Refutation};
use routebound_networks::checker::{BadTree, Refusal, RefutationClaim, Tree, check_refutation};
use routebound_networks::progress::Progress;
use routebound_networks::topology::generate;

use super::fate::{Fate, PARALLEL, fate, project};

#[test]
fn what_specs_make() {
    let named = |topology: &str, routing: &str| {
        let start = PARALLEL.find("claim").unwrap();
        let head = format!("routebound-certificate 1\ntopology {topology}\nrouting {routing}\n");
        fate((head + &PARALLEL[start..]).as_bytes())
    };
    assert!(matches!(named("ft(4,2)", "wsr"), Fate::Refused(_)));
    assert!(matches!(named("ft(64,9)", "dmodk"), Fate::TooLarge(_)));
    assert!(matches!(named("ftree(1000,1,1000)", "dmodk"), Fate::TooLarge(_)));
    assert!(matches!(named("xgft(2;91,91;1,90)", "wsr"), Fate::TooLarge(_)));
    assert!(matches!(named("ft(4,17)", "dmodk"), Fate::TooLarge(_)));
}

#[test]
fn counts_and_formulas() {
    let check = |spec: &str, refutation: &Refutation, folder: &str| {
        let topology = generate(spec).unwrap();
        let folder = project().join(folder);
        let (quantity, ratio) = (Quantity::PermutationLoad, 40);
        let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
        let folder = folder.as_path();
        let claim = RefutationClaim { tree, quantity, ratio, refutation, folder };
        check_refutation(claim, &Progress::silent())
    };
    let count = Refutation::Count { height: 1 };
    let is_high = |spec: &str, refutation: &Refutation| {
        let refused = check(spec, refutation, "");
        matches!(refused, Err(Refusal::Tree(BadTree::CountTooHigh { .. })))
    };
    assert!(is_high("ft(16,2)", &count) && is_high("ft(128,2)", &count));
    // 2·81² times (2·2·40 + 1 + 40·81)² additions.
    let (nested, large) = (Refutation::Nested { low: 1, high: 2 }, "xgft(3;64,2,2;1,1,1)");
    assert!(matches!(check(large, &nested, ""), Err(Refusal::TooLarge(_))));
    assert!(is_high("xgft(3;39,2,2;1,1,1)", &nested));
    let formula = Refutation::Lrat(Box::new(LratRefutation {
        kept: vec![8, 8, 16],
        first_step: 1,
        ordered: 0,
        formula: "ft-4-2-formula.cnf".into(),
        proof: "ft-4-2-formula.lrat".into(),
    }));
    let folder = "results/optimal-single-path/certificates";
    assert!(matches!(check("ft(16,3)", &formula, folder), Err(Refusal::TooLarge(_))));
}

/// X is a number of hosts, and the size of the formula grows with it.
#[test]
fn formulas_of_any_ratio_have_a_size() {
    let head = "routebound-certificate 1\ntopology xgft(1;4;1)\nrouting dmodk
claim permutation-load 1 4294967295\nwitness 0 1\ndemand 0 1 1\nroute even\n";
    let covers = (0..4).map(|host| format!("cover {host} s {host}\ncover {} d {host}\n", host + 4));
    let text = head.to_string() + &covers.collect::<String>();
    let single = |lower: &str| {
        let record = format!("single-path permutation-load {lower} lrat 4 1 0 no.cnf no.lrat");
        fate(format!("{text}{record}\nend\n").as_bytes())
    };
    // 4²·(1 + 1)·(X + 2) + 4 is above 2^26 from X = 2^21 − 2 on.
    for lower in ["4294967295", "4294967294", "2097151"] {
        let found = single(lower);
        let is_size = |text: &String| text.contains("size of the formula");
        assert!(matches!(&found, Fate::TooLarge(text) if is_size(text)), "{lower}: {found:?}");
    }
    assert!(matches!(single("2097150"), Fate::Refused(text) if text.contains("no.cnf")));
}
