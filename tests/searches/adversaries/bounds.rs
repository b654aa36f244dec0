//! No adversary ever exceeds the exact value, and every witness proves what it claims.

use proptest::prelude::*;
use routebound::adversary::{self, AdversaryError, AttackContext, Method, Work};
use routebound::assessment::{Assess, assess};
use routebound::bounds::RoutedTraffic;
use routebound::import::{self, ImportOptions};
use routebound::load::LinkLoads;
use routebound::optimum::EvenSplit;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::{self, Instance, RoutingError};
use routebound::spec::Spec;

#[cfg(feature = "highs")]
use super::attack;
use crate::trees::trees;

/// Every adversary with little work, and small cliques.
fn adversaries() -> Vec<String> {
    let little = |kind: &Kind<Method>, example: &str| {
        let trials = if kind.build.work == Work::Samples { "40" } else { "3000" };
        let mut spec = Spec::parse(example).unwrap();
        for (key, value) in [("trials", trials), ("permutations", "6000"), ("programs", "40")] {
            if kind.takes(key) {
                spec.set_default(key, value);
            }
        }
        spec.to_string()
    };
    let of_kind = |kind: &'static Kind<Method>| {
        kind.examples.iter().map(move |example| little(kind, example))
    };
    let cliques = ["random(pattern=clique,size=3,trials=40)".to_string()];
    adversary::KINDS.iter().flat_map(of_kind).chain(cliques).collect()
}

fn any_routing() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("dmodk".to_string()),
        Just("smodk".to_string()),
        Just("omrmn".to_string()),
        (0..99_u64).prop_map(|seed| format!("random(seed={seed})")),
        (0..99_u64).prop_map(|seed| format!("rnca-u(seed={seed})")),
        (1..=3_u64, 0..99_u64).prop_map(|(k, s)| format!("kpath(k={k},choice=random,seed={s})")),
    ]
}

fn tries_all(spec: &str) -> bool {
    let name = Spec::parse(spec).unwrap().name;
    adversary::KINDS.iter().any(|kind| kind.name == name && kind.build.work == Work::TriesAll)
}

/// Load and optu of the witness, by the definitions.
fn check(instance: &Instance, spec: &str) -> Rational {
    let context = AttackContext::new(instance, &Progress::silent()).unwrap();
    let found = match adversary::build(spec).unwrap().attack(&context, &Progress::silent()) {
        Err(AdversaryError::TooLarge(_)) if tries_all(spec) => return Rational::ZERO,
        found => found.unwrap(),
    };
    let Some(witness) = &found.worst.witness else { return Rational::ZERO };
    let (topology, routing) = (instance.topology(), instance.routing());
    let loads = LinkLoads::of(topology, routing, &witness.demands, &Progress::silent()).unwrap();
    assert_eq!(loads.load(witness.link), found.worst.load, "{spec}");
    assert_eq!(&found.worst.lower * &witness.optu, found.worst.load, "{spec}");
    if witness.flow == RoutedTraffic::Even {
        let even = EvenSplit::route(topology, &witness.demands).unwrap();
        assert!(even.max_load() <= witness.optu, "{spec}");
    }
    found.worst.lower
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(feature = "slow-tests") { 40 } else { 12 }))]

    #[test]
    fn none_exceeds_the_exact_value(tree in trees(1..=4, 1..=3, 1..=3, 2..=24), routing in any_routing()) {
        let Ok(instance) = Instance::named(&tree, &routing) else { return Ok(()) };
        let exact = assess(&instance).unwrap();
        let exact = exact.oblivious_ratio;
        prop_assert!(exact.exact().is_some(), "{} {}", tree, routing);
        for adversary in adversaries() {
            let found = check(&instance, &adversary);
            prop_assert!(found <= exact.upper, "{} on {} {}", adversary, tree, routing);
        }
    }
}

/// Networks without labels, with capacities, and a real fabric with cables missing.
#[test]
fn none_exceeds_the_exact_value_on_other_networks() {
    let messy = "instances/fabrics/ft8x3_messy/updn";
    let cases = [
        ("instances/networks/examples/ring.csv".to_string(), "ecmp".to_string()),
        ("instances/networks/topologyzoo/Abilene.graphml".to_string(), "ecmp".to_string()),
        (format!("{messy}/ibnetdiscover.out.gz"), format!("lft:{messy}/opensm-lfts.dump.gz")),
    ];
    for (path, routing) in cases {
        let topology = import::topology(&path, &ImportOptions::default()).unwrap();
        let routing = match routing::build(&routing, &topology) {
            Err(RoutingError::DoesNotFit { .. }) => unreachable!("{path}"),
            built => built.unwrap(),
        };
        let instance = Instance::trusted(topology, routing);
        let exact = Assess::new().embedded().run(&instance).unwrap();
        for adversary in
            ["patterns", "random(trials=20)", "climb(trials=2000)", "anneal(trials=2000)"]
        {
            let found = check(&instance, adversary);
            assert!(found <= exact.oblivious_ratio.upper, "{path} {adversary}: {found}");
        }
    }
}

/// The bound of an integer program is never below the exact value, and where all links were
/// solved it is that value.
#[cfg(feature = "highs")]
#[test]
fn integer_programs_reach_the_exact_value() {
    for (topology, routing) in [
        ("ft(4,2)", "dmodk"),
        ("ft(4,3)", "random(seed=2)"),
        ("ft(6,2)", "osrm2"),
        ("ft(4,2)", "kpath(k=2)"),
        ("xgft(2;8,8;1,4)", "dmodk"),
        ("xgft(3;4,4,4;1,2,2)", "random(seed=1)"),
        ("xgft(3;3,2,3;1,2,1)", "rnca-d(seed=3)"),
        ("xgft(2;4,2;1,3)", "kpath(k=2,choice=shift)"),
    ] {
        let instance = Instance::named(topology, routing).unwrap();
        let exact = assess(&instance).unwrap();
        let exact = exact.oblivious_ratio.exact().cloned().unwrap();
        let found = attack(&instance, "ilp(programs=1000)");
        assert_eq!(
            (&found.worst.lower, found.worst.upper.as_ref()),
            (&exact, Some(&exact)),
            "{topology}"
        );
        let one = attack(&instance, "ilp(programs=1)");
        assert!(one.worst.upper.is_some_and(|upper| upper >= exact), "{topology}");
    }
}
