//! Arithmetic against the analysis.

use super::*;
use crate::progress::Stop;
use crate::routing;

/// The worst load and the number of such links, by the analysis.
fn analysed(instance: &Instance, quantity: Quantity) -> Cost {
    let worst = Analyse::of(quantity).run(instance).unwrap();
    let upper = worst.upper().unwrap();
    let links = worst.links.iter().flatten().filter(|link| link.load == upper).count();
    (upper, links)
}

#[test]
fn arithmetic_says_what_the_analysis_says() {
    let mut words = Streams::new(5).at(0);
    let mut ratios = 0;
    for spec in [
        "ft(4,2)",
        "ft(6,2)",
        "ft(4,3)",
        "ft(6,3)",
        "ft(4,4)",
        "eft2(6,4)",
        "xgft(2;4,8;1,2)",
        "xgft(2;5,3;1,7)",
        "xgft(2;3,4;2,5)",
        "xgft(2;2,2;2,2)",
        "xgft(3;2,3,4;1,3,2)",
        "xgft(3;3,2,5;2,1,4)",
        "xgft(3;4,1,3;1,4,2)",
        "xgft(1;5;2)",
        "xgft(3;6,2,2;1,4,3)",
    ] {
        let topology = generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        for quantity in [Quantity::PermutationLoad, Quantity::ObliviousRatio] {
            for _ in 0..12 {
                let mut source = |_| Source {
                    digit: words.random_range(1..=tree.height()),
                    of_source: words.random_bool(0.5),
                };
                let digits = ByDigits((0..tree.height()).map(&mut source).collect());
                let Some(found) = by_arithmetic(&topology, tree, &digits, quantity) else {
                    assert!(!tree.full_bisection() && quantity == Quantity::ObliviousRatio);
                    continue;
                };
                let options = Options::default();
                let instance = digits.clone().instance(&topology, tree, &options).unwrap();
                assert_eq!(found, analysed(&instance, quantity), "{spec} {quantity:?} {digits:?}");
                ratios += usize::from(quantity == Quantity::ObliviousRatio);
            }
        }
    }
    assert!(ratios > 80, "{ratios}");
}

#[test]
fn routings_of_the_registry_are_what_their_rules_say() {
    let mut compared = 0;
    for topology in ["ft(6,2)", "ft(4,3)", "ft(8,3)", "xgft(3;3,4,5;1,4,3)", "xgft(2;4,3;2,3)"] {
        let topology = generate(topology).unwrap();
        let tree = topology.tree().unwrap();
        let load = Quantity::PermutationLoad;
        for spec in ["dmodk", "smodk", "osrm3", "mlid"] {
            let Ok(routing) = routing::build(spec, &topology) else { continue };
            let found = value_of(spec, &topology, tree, load);
            let instance = Instance::trusted(topology.clone(), routing);
            assert!(found.is_some() || tree.parents(1) > 1);
            let Some(found) = found else { continue };
            assert_eq!(found, analysed(&instance, load).0, "{spec} on {}", topology.spec());
            compared += 1;
        }
        for spec in ["grid", "omrmn", "wsr"] {
            assert_eq!(value_of(spec, &topology, tree, load), None);
        }
    }
    assert!(compared >= 14, "{compared}");
}

/// Links of another capacity, or a cut that is narrower than the hosts: no arithmetic.
#[test]
fn arithmetic_keeps_to_what_it_knows() {
    let slimmed = generate("xgft(2;4,8;1,2)").unwrap();
    let tree = slimmed.tree().unwrap();
    assert!(!decides(&slimmed, tree, Quantity::ObliviousRatio));
    assert!(decides(&slimmed, tree, Quantity::PermutationLoad));
}

#[test]
fn an_unfinished_analysis_gives_no_routing() {
    let stop = Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let options = Options::default();
    for (spec, is_known) in [("ft(4,5)", true), ("xgft(3;4,4,4;1,2,4)", false)] {
        let topology = generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        let found = best(&topology, tree, &options, &stopped).unwrap();
        assert_eq!(found.is_some(), is_known, "{spec}");
    }
}
