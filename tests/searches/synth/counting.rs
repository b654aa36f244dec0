//! Counting never refutes what a formula has a model for.

use routebound::certificate::{Quantity, Refutation};
use routebound::progress::Progress;
use routebound::sat::backend::SatSearch;
use routebound::sat::cover::CoverProblem;
use routebound::sat::{Answer, Settings, Target};
use routebound::synth::{Method, Options, counting, least_ratio};
use routebound::topology::{Xgft, generate};

/// What the solver says within its conflicts.
fn has_routing(tree: &Xgft, most: u32) -> Option<bool> {
    let Some(first_step) = CoverProblem::least_step(tree, most) else { return Some(true) };
    let ordered = tree.shortest_paths(tree.height()) as usize;
    let problem = CoverProblem { tree: tree.clone(), most, first_step, ordered };
    let formula = problem.formula().unwrap();
    let settings = Settings { target: Target::Model, ..Settings::default() };
    let progress = Progress::silent();
    let mut search = SatSearch::new(formula, settings, None, &progress).unwrap();
    match search.run(Some(5_000)).unwrap() {
        Answer::Model(_) => Some(true),
        Answer::Refuted => Some(false),
        Answer::Stopped => None,
    }
}

/// Number of ratios that a formula refutes too.
fn compare(spec: &str) -> usize {
    let topology = generate(spec).unwrap();
    let tree = topology.tree().unwrap();
    let mut both = 0;
    for most in 1..=2 {
        let Some(refuted) =
            counting::refutation(tree, Quantity::PermutationLoad, most, &Progress::silent())
        else {
            continue;
        };
        let found = has_routing(tree, most);
        assert_ne!(found, Some(true), "{spec} {most}: {refuted:?}");
        both += usize::from(found == Some(false));
    }
    both
}

#[test]
fn two_levels() {
    let mut both = 0;
    for n in 1..=3 {
        for r in 2..=3 {
            for m in 1..=5 {
                both += compare(&format!("ftree({n},{m},{r})"));
            }
        }
    }
    assert!(both >= 12, "{both}");
}

/// Ports that would all need to be full. The solver finds no routing where it has not refuted them.
#[test]
fn full_ports_do_not_fit_together() {
    for (spec, most, decided) in
        [("ftree(2,3,3)", 1, Some(false)), ("ftree(3,6,4)", 1, None), ("ftree(4,3,3)", 2, None)]
    {
        let topology = generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        let quiet = Progress::silent();
        let refuted = counting::refutation(tree, Quantity::PermutationLoad, most, &quiet);
        assert_eq!(refuted, Some(Refutation::Count { height: 1 }), "{spec}");
        assert_eq!(has_routing(tree, most), decided, "{spec}");
    }
}

#[test]
fn three_levels() {
    let mut both = 0;
    for (a, b, c) in [(2, 2, 2), (2, 2, 3), (1, 3, 3), (2, 3, 2), (3, 2, 2), (2, 2, 4)] {
        for (v, w) in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (1, 4), (4, 1)] {
            both += compare(&format!("xgft(3;{a},{b},{c};1,{v},{w})"));
        }
    }
    assert!(both >= 40, "{both}");
}

/// Trees where two heights together refute what neither does alone: formulas agree.
#[test]
fn nested_counts_agree_with_formulas() {
    let specs = ["xgft(3;2,2,3;1,4,2)", "xgft(3;2,2,4;1,4,3)", "xgft(3;2,3,3;1,5,2)"];
    for spec in specs.into_iter().take(if cfg!(feature = "slow-tests") { 3 } else { 1 }) {
        let topology = generate(spec).unwrap();
        let (tree, quiet) = (topology.tree().unwrap(), Progress::silent());
        let counted = counting::refutation(tree, Quantity::PermutationLoad, 1, &quiet);
        assert_eq!(counted, Some(Refutation::Nested { low: 1, high: 2 }), "{spec}");
        let options = Options {
            quantity: Quantity::PermutationLoad,
            ratio: Some(1),
            method: Method::Formula,
            ..Options::default()
        };
        let found = least_ratio(&topology, &options, &quiet).unwrap();
        assert!(matches!(found.refutation, Refutation::Lrat(_)), "{spec}");
        assert_eq!(found.bounds.to_string(), "2 (proven)", "{spec}");
    }
}
