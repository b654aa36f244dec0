//! All permutations of small instances, in the full tier of all: the exact value, by two methods that share nothing.

use routebound::adversary::{self, AdversaryError, AttackContext};
use routebound::assessment::assess;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, RoutingError};
use routebound::topology::{self, Topology};

use super::attack;

/// Trees of at most 8 hosts, full and slimmed, hosts with one and with two links.
const TREES: [&str; 14] = [
    "ft(4,2)",
    "ft(2,3)",
    "eft2(4,3)",
    "ftree(2,1,4)",
    "ftree(2,3,3)",
    "kary(2,3)",
    "xgft(1;7;1)",
    "xgft(2;4,2;1,1)",
    "xgft(2;4,2;1,3)",
    "xgft(2;2,4;2,1)",
    "xgft(2;2,3;2,2)",
    "xgft(3;2,2,2;1,1,2)",
    "xgft(3;2,2,2;1,2,1)",
    "xgft(3;2,2,2;2,1,1)",
];

/// Instances of all routings that fit, by their examples.
fn instances() -> Vec<Instance> {
    let mut instances = Vec::new();
    for tree in TREES {
        for spec in routing::KINDS.iter().flat_map(|kind| kind.examples) {
            let topology = topology::generate(tree).unwrap();
            assert!(topology.hosts() <= 8);
            match routing::build(spec, &topology) {
                Ok(routing) => instances.push(Instance::trusted(topology, routing)),
                Err(RoutingError::DoesNotFit { .. } | RoutingError::Tables(_)) => {}
                Err(error) => unreachable!("{spec}: {error}"),
            }
        }
    }
    instances
}

#[test]
fn all_permutations_reach_the_exact_ratio() {
    let mut instances = instances();
    assert!(instances.len() > 200, "{}", instances.len());
    let (step, interesting) = if cfg!(feature = "slow-tests") { (1, 100) } else { (5, 15) };
    instances = instances.into_iter().step_by(step).collect();
    let mut between = 0;
    for instance in instances {
        let name = format!("{} {}", instance.topology().spec(), instance.routing().spec());
        let found = attack(&instance, "exhaustive");
        assert!(!found.stopped);
        let exact = assess(&instance).unwrap();
        assert_eq!(Some(&found.worst.lower), exact.permutation_ratio.exact(), "{name}");
        if instance.topology().tree().unwrap().parents(1) == 1 {
            assert_eq!(Some(&found.worst.lower), exact.oblivious_ratio.exact(), "{name}");
            assert_eq!(found.worst.upper.as_ref(), Some(&found.worst.lower), "{name}");
        }
        between += usize::from(found.worst.lower > Rational::ONE);
    }
    assert!(between > interesting, "ratios above 1 are the interesting ones: {between}");
}

/// Without labels, nothing is known about the tree but the even split, which is optimal there.
#[test]
fn networks_without_labels_agree_with_their_trees() {
    for spec in ["ft(4,2)", "xgft(2;4,2;1,3)", "xgft(3;2,2,2;1,2,1)"] {
        let tree = Instance::named(spec, "dmodk").unwrap();
        let labelled = attack(&tree, "exhaustive");
        let topology = Topology::new(spec.into(), tree.topology().graph().clone()).unwrap();
        let plain = attack(&Instance::trusted(topology, tree.into_parts().1), "exhaustive");
        assert_eq!(plain.worst.lower, labelled.worst.lower, "{spec}");
    }
}

/// The number of permutations that are tried falls with symmetry, and only with symmetry.
#[test]
fn symmetry_spares_permutations() {
    let tried = |topology: &str, routing: &str| {
        attack(&Instance::named(topology, routing).unwrap(), "exhaustive").evaluations
    };
    // No automorphism: all 8! permutations.
    assert_eq!(tried("ft(4,2)", "random(seed=1)"), 40_320);
    let symmetric = tried("ft(4,2)", "dmodk");
    assert!(symmetric < 40_320 / 2, "{symmetric}");
    // A star of seven hosts: far fewer classes than 7! = 5040.
    assert!(tried("xgft(1;7;1)", "dmodk") < 200);
}

#[test]
fn too_many_permutations_are_refused_with_their_number() {
    for (topology, words) in
        [("ft(8,3)", "more than 2^128"), ("xgft(2;7,2;1,1)", "above the limit")]
    {
        let instance = Instance::named(topology, "random").unwrap();
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let exhaustive = adversary::build("exhaustive").unwrap();
        let error = exhaustive.attack(&context, &Progress::silent()).unwrap_err();
        assert!(matches!(error, AdversaryError::TooLarge(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
