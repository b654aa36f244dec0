//! Planes that were written out one by one and read back are the fabric that their spec names.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use routebound::assessment::assess_adaptive;
use routebound::bounds::Evidence;
use routebound::certificate::Quantity;
use routebound::export::EXPORTS;
use routebound::import::{self, ImportOptions};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology;
use routebound::worst_case::Analyse;

fn instance(network: &str, routing: &str) -> Instance {
    let network = import::topology(network, &ImportOptions::default()).unwrap();
    let routing = routing::build(routing, &network).unwrap();
    Instance::new(network, routing).unwrap()
}

fn worst_permutation(instance: &Instance) -> Rational {
    Analyse::of(Quantity::PermutationLoad).run(instance).unwrap().upper().unwrap()
}

/// The bounds of the worst permutation for the best rates.
fn with_rates(instance: &Instance) -> [Rational; 2] {
    let silent = |_: &str| Progress::silent();
    let found = assess_adaptive(instance, Quantity::PermutationLoad, &silent, &mut |_| {}).unwrap();
    assert_eq!(found.adaptive.evidence, Evidence::Proven);
    [found.adaptive.lower, found.adaptive.upper]
}

/// Both planes of `planes(2,4,4,4)` are `ftree(4,4,4)`: the same worst permutation, with equal shares and with rates
/// that the sender chooses. A routing of each plane does half to it that it does to a plane with all traffic.
#[test]
fn planes_that_are_read_back_have_the_numbers_of_their_spec() {
    let folder = tempfile::tempdir().unwrap();
    let json = EXPORTS.iter().find(|kind| kind.name == "json").unwrap();
    let files = [1, 2].map(|number| {
        let path = folder.path().join(format!("plane-{number}.json"));
        let mut text = Vec::new();
        (json.build)(&topology::generate("ftree(4,4,4)").unwrap(), &mut text).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    });
    let planes = format!("planes:{}", files.join(","));
    for routing in ["ecmp", "kpath(k=4,choice=disjoint)", "kpath(k=3,choice=first)"] {
        let [read, spec] = [&*planes, "planes(2,4,4,4)"].map(|network| instance(network, routing));
        assert_eq!(worst_permutation(&read), worst_permutation(&spec), "{routing}");
        assert_eq!(with_rates(&read), with_rates(&spec), "{routing}");
    }
    for routing in ["dmodk", "kpath(k=2,choice=disjoint)", "random(seed=3)"] {
        let read = instance(&planes, &format!("by-plane:{routing}"));
        let plane = worst_permutation(&instance("ftree(4,4,4)", routing));
        let twice = &worst_permutation(&read) * &Rational::from(2);
        assert_eq!(twice, plane, "{routing}");
    }
}
