//! Direct networks and BCube: what host links add, and symmetry.

use routebound::assessment::Assess;
use routebound::bounds::Evidence;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::symmetry::Symmetry;

/// The proven oblivious ratio and worst permutation load of a routing.
fn exact(topology: &str, routing: &str) -> [Rational; 2] {
    let instance = Instance::named(topology, routing).unwrap();
    let found = Assess::new().run(&instance).unwrap();
    [found.oblivious_ratio, found.permutation_load].map(|bounds| {
        assert_eq!(bounds.evidence, Evidence::Proven, "{routing} on {topology}");
        bounds.exact().unwrap().clone()
    })
}

/// With as many hosts as cables to other switches, links of hosts do not lower the ratio; with fewer they may.
#[test]
fn links_of_hosts_count() {
    for (family, degree) in
        [("hyperx(4", 3_u64), ("hyperx(2,3", 3), ("dring(6,1", 4), ("polarfly(2", 3)]
    {
        for routing in ["ecmp", "omrmn"] {
            let [without, alone] = exact(&format!("{family},p=0)"), routing);
            for hosts in 1..=degree {
                let [ratio, load] = exact(&format!("{family},p={hosts})"), routing);
                assert!(ratio <= without, "{family} {routing} {hosts}");
                assert!(hosts < degree || ratio == without, "{family} {routing} {hosts}");
                let scaled = &alone * &Rational::from(hosts);
                assert_eq!(load, scaled.max(Rational::ONE), "{family} {routing} {hosts}");
            }
        }
    }
}

/// All directed links are alike where the automorphisms of a graph take every one to every other; in BCube they lead to a
/// server or from it.
#[test]
fn links_form_few_classes() {
    for (topology, classes) in [
        ("hyperx(5,p=0)", 1),
        ("hyperx(3,3,p=0)", 1),
        ("slimfly(5,p=0)", 1),
        ("dring(6,1,p=0)", 1),
        ("bcube(3,1)", 2),
        ("bcube(2,2)", 2),
        ("fatclique(1,2,2,2)", 3),
    ] {
        let instance = Instance::named(topology, "ecmp").unwrap();
        let found = Symmetry::of(&instance, &Progress::silent());
        assert_eq!(found.map(|found| found.classes()), Some(classes), "{topology}");
    }
}
