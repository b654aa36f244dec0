//! Networks without labels: the even split bounds optu, and agrees with what labels say.

use proptest::prelude::*;
use routebound::adversary::{self, AttackContext, Finding};
use routebound::import::{self, ImportOptions};
use routebound::load::LinkLoads;
use routebound::optimum::EvenSplit;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{Host, Topology, generate, host_number};
use routebound::traffic::Demand;

use super::attack;

/// A tree without its labels.
fn plain(spec: &str) -> Topology {
    Topology::new(spec.to_string(), generate(spec).unwrap().graph().clone()).unwrap()
}

fn imported(path: &str) -> Topology {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    import::topology(&path, &ImportOptions::default()).unwrap()
}

/// A routing of a tree on the same network without labels: the links have the same numbers.
fn without_labels(spec: &str, routing: &str) -> Instance {
    let tree = generate(spec).unwrap();
    Instance::trusted(plain(spec), routing::build(routing, &tree).unwrap())
}

/// optu is the same in closed form and by the even split, so every search takes the same course.
#[test]
fn searches_find_the_same_without_labels() {
    for (tree, routing) in [
        ("ft(8,3)", "dmodk"),
        ("ft(8,2)", "random(seed=3)"),
        ("xgft(2;8,4;1,8)", "omrmn"),
        ("kary(3,3)", "smodk"),
    ] {
        let labelled = Instance::named(tree, routing).unwrap();
        let plain = without_labels(tree, routing);
        for spec in ["random(trials=300,seed=5)", "climb(trials=3000)", "anneal(trials=3000)"] {
            let [a, b]: [Finding; 2] = [attack(&labelled, spec), attack(&plain, spec)];
            assert_eq!(
                (&a.worst.lower, &a.worst.load, a.worst.curve),
                (&b.worst.lower, &b.worst.load, b.worst.curve),
                "{spec} {tree}"
            );
            assert_eq!(a.worst.witness, b.worst.witness, "{spec} on {tree}");
        }
        let [a, b] = [attack(&labelled, "patterns"), attack(&plain, "patterns")];
        assert_eq!(
            (a.worst.lower, a.evaluations),
            (b.worst.lower, b.evaluations),
            "patterns on {tree}"
        );
    }
}

/// On slimmed trees the even split is not constant; it says the same about a permutation as the
/// cuts do.
#[test]
fn the_even_split_is_as_good_as_cuts_on_slimmed_trees() {
    for tree in ["xgft(2;4,4;1,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)"] {
        let labelled = Instance::named(tree, "dmodk").unwrap();
        let plain = without_labels(tree, "dmodk");
        let spec = "random(trials=300,seed=5)";
        let [a, b] = [attack(&labelled, spec), attack(&plain, spec)];
        assert_eq!(a.worst.statistics, b.worst.statistics, "{tree}");
    }
}

/// A stopped context has a weaker bound on optu, never a wrong one.
#[test]
fn a_stopped_context_still_judges_exactly() {
    let instance = without_labels("ft(8,2)", "dmodk");
    let stop = routebound::progress::Stop::default();
    stop.request();
    let context = AttackContext::new(&instance, &Progress::silent().stopped_by(stop)).unwrap();
    let climb = adversary::build("climb(trials=20000)").unwrap();
    let finding = climb.attack(&context, &Progress::silent()).unwrap();
    assert_eq!(finding.worst.lower, Rational::from(4));
}

proptest! {
    /// Between gates all pairs go together; the routing omrmn splits every pair separately.
    #[test]
    fn the_even_split_loads_links_as_omrmn_does(
        network in 0_usize..5,
        pairs in prop::collection::vec((0_u32..9, 0_u32..9, 1_u64..5), 1..12),
    ) {
        let network = [
            plain("ft(4,2)"),
            plain("xgft(3;2,2,2;1,2,1)"),
            plain("xgft(2;2,4;2,3)"),
            imported("instances/networks/examples/ring.csv"),
            imported("instances/networks/figret/GEANT.json"),
        ][network].clone();
        let hosts = host_number(network.hosts());
        let demand = |(s, d, amount): (Host, Host, u64)| Demand {
            s: s % hosts,
            d: d % hosts,
            amount: Rational::new(amount, 3).unwrap(),
        };
        let demands: Vec<Demand> = pairs.into_iter().map(demand).filter(|x| x.s != x.d).collect();
        let omrmn = routing::build("omrmn", &network).unwrap();
        let loads = LinkLoads::of(&network, &*omrmn, &demands, &Progress::silent()).unwrap();
        let split = EvenSplit::route(&network, &demands).unwrap();
        for link in loads.links() {
            prop_assert_eq!(split.load(link), loads.load(link));
        }
    }
}

/// If optu is only bounded from above, load ÷ bound is not a ratio: no statistics come from it.
#[test]
fn a_rough_bound_on_optu_makes_no_statistics() {
    let instance = without_labels("ft(8,3)", "dmodk");
    let stop = routebound::progress::Stop::default();
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let found = |progress: &Progress, spec: &str| {
        let context = AttackContext::new(&instance, progress).unwrap();
        adversary::build(spec).unwrap().attack(&context, &Progress::silent()).unwrap()
    };
    for spec in ["random(trials=100)", "climb(trials=2000)"] {
        let [known, rough] = [Progress::silent(), stopped.part(1.0)].map(|p| found(&p, spec));
        assert!(known.notes.is_empty() && known.worst.curve.len() > 1, "{spec}");
        assert!(rough.notes[0].contains("only bounded from above"), "{:?}", rough.notes);
        // All permutations have optu 1 on this network, so the search takes the same course.
        assert_eq!(rough.worst.lower, known.worst.lower, "{spec}");
        assert_eq!(rough.worst.curve.len(), 1, "{spec}");
        assert_eq!(rough.worst.curve.last(), known.worst.curve.last(), "{spec}");
        assert_eq!(known.worst.statistics.is_some(), spec.starts_with("random"), "{spec}");
        assert!(rough.worst.statistics.is_none(), "{spec}");
    }
}
