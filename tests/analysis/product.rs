//! The analysis by digits against the enumerating engine on small trees, and against arithmetic on large
//! ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeSet;

use rayon::prelude::*;
use routebound::assessment::{
    Assess, AssessByDigits, Assessment, ByDigitsAssessment, assess, assess_by_digits,
};
use routebound::bounds::{Bounds, Evidence};
use routebound::by_digits::{ByDigits, ByDigitsError, WorstByDigits};
use routebound::certificate::{Certificate, Quantity};
use routebound::generators::checker;
use routebound::load::LinkLoads;
use routebound::optimum::even_load;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::theorem;
use routebound::topology::link_number;

/// Slimmed trees, trees with several links per host, and trees whose digits do not divide evenly.
const MORE: &[&str] = &[
    "xgft(1;2;1)",
    "xgft(1;5;3)",
    "xgft(2;1,3;1,2)",
    "xgft(2;3,1;1,2)",
    "xgft(2;5,3;1,3)",
    "xgft(2;5,2;1,7)",
    "xgft(2;7,2;1,3)",
    "xgft(2;7,3;1,5)",
    "xgft(2;3,4;2,5)",
    "xgft(2;3,4;3,1)",
    "xgft(3;2,2,2;2,2,2)",
    "xgft(3;3,4,5;2,2,3)",
    "xgft(3;4,4,8;1,2,2)",
    "xgft(3;4,3,2;1,3,5)",
    "xgft(3;1,2,3;1,2,3)",
    "xgft(3;2,1,4;1,3,2)",
    "xgft(4;2,3,2,3;1,2,3,1)",
    "xgft(4;3,2,1,2;2,1,2,3)",
    "xgft(5;2,2,2,2,2;1,2,1,2,1)",
    "ft(14,2)",
    "ftree(10,7,3)",
    "ftree(11,5,2)",
];

fn quiet() -> Progress {
    Progress::silent()
}

fn both(topology: &str, routing: &str) -> Option<(Instance, ByDigits)> {
    let form = match ByDigits::named(topology, routing) {
        Ok(form) => form,
        Err(ByDigitsError::Routing(_)) => return None,
        Err(error) => panic!("{routing} on {topology}: {error}"),
    };
    Some((Instance::named(topology, routing).unwrap(), form))
}

/// Everything that both report is the same.
fn compare(instance: &Instance, known: &Assessment, found: &ByDigitsAssessment) {
    let place = format!("{instance:?}");
    assert_eq!(found.oblivious_ratio, known.oblivious_ratio, "{place}");
    assert_eq!(found.permutation_load, known.permutation_load, "{place}");
    assert_eq!(found.permutations.bins, known.histogram, "{place}");
    let known = &known.permutation_ratio;
    assert_eq!(found.oblivious_ratio.exact(), known.exact(), "{place}: permutation ratio");
}

/// The listed traffic is what it is said to be.
fn check_traffic(instance: &Instance, form: &ByDigits, worst: &WorstByDigits) {
    let place = format!("{instance:?}, {:?}", worst.witness);
    let pairs = form.pairs(worst).unwrap();
    assert_eq!(pairs.len() as u64, worst.pairs, "{place}");
    let ends: [BTreeSet<u32>; 2] = [
        pairs.iter().map(|demand| demand.s).collect(),
        pairs.iter().map(|demand| demand.d).collect(),
    ];
    assert!(ends.iter().all(|ends| ends.len() == pairs.len()), "{place}: no permutation");
    let (topology, routing) = (instance.topology(), instance.routing());
    let loads = LinkLoads::of(topology, routing, &pairs, &quiet()).unwrap();
    let link = link_number(usize::try_from(worst.link).unwrap());
    assert_eq!(loads.load(link), worst.load, "{place}");
    assert_eq!(topology.link_name(link), worst.name, "{place}");
    if worst.witness.quantity == Quantity::ObliviousRatio {
        let optu = even_load(topology, &pairs, &quiet()).unwrap().unwrap();
        assert!(optu <= Rational::ONE, "{place}: optu {optu}");
    } else {
        assert!(pairs.iter().all(|demand| demand.amount == Rational::ONE), "{place}");
    }
}

/// The certificate proves no more than what is true, and no less.
fn check_certificate(found: &ByDigitsAssessment) {
    let Ok(Certificate::Product(certificate)) = &found.certificate else { panic!("none") };
    let text = found.certificate.as_ref().unwrap().to_string();
    assert_eq!(text.parse::<Certificate>().unwrap(), Certificate::Product(certificate.clone()));
    let tenth = Rational::new(1, 10).unwrap();
    for at in 0..certificate.claims.len() {
        let mut lower = certificate.clone();
        lower.claims[at].upper = lower.claims[at].upper.checked_sub(&tenth).unwrap();
        lower.claims[at].lower = Rational::ZERO;
        assert!(checker::check(&Certificate::Product(lower)).is_err(), "{text}");
        let mut higher = certificate.clone();
        higher.claims[at].lower += &tenth;
        higher.claims[at].upper += &Rational::ONE;
        assert!(checker::check(&Certificate::Product(higher)).is_err(), "{text}");
    }
}

fn examine(topology: &str, routing: &str) -> bool {
    let Some((instance, form)) = both(topology, routing) else { return false };
    let known = assess(&instance).unwrap();
    let found = assess_by_digits(&form).unwrap();
    compare(&instance, &known, &found);
    check_traffic(&instance, &form, &found.ratio);
    check_traffic(&instance, &form, &found.permutations);
    check_certificate(&found);
    true
}

#[test]
fn it_is_what_enumeration_finds() {
    let kinds = routing::KINDS.iter().filter(|kind| !kind.takes_path());
    let routings: Vec<&str> = kinds.flat_map(|kind| kind.examples.iter().copied()).collect();
    let most = if cfg!(feature = "slow-tests") { 64 } else { 32 };
    let members = theorem::family::all(most).unwrap();
    let members = members.iter().map(|tree| tree.spec().to_string());
    let trees: Vec<String> = members.chain(MORE.iter().map(ToString::to_string)).collect();
    let pairs: Vec<_> = trees
        .iter()
        .flat_map(|tree| routings.iter().map(move |routing| (tree, *routing)))
        .collect();
    let examined: BTreeSet<&str> = pairs
        .par_iter()
        .filter(|(tree, routing)| examine(tree, routing))
        .map(|(_, routing)| *routing)
        .collect();
    let expected = ["dmodk", "ecmp", "grid", "mlid", "omrmn", "osrm2", "osrm3", "smodk", "yuan"];
    assert_eq!(examined.into_iter().collect::<Vec<_>>(), expected);
}

/// Where the pairs of digits of a port are not a product of two sets, a flow may be less than all
/// sources and all destinations; never on the worst port of these trees.
#[test]
fn ends_of_the_worst_port_are_enough() {
    let sizes = (1..=24).flat_map(|n| (1..=24).map(move |w| (n, w)));
    let trees: Vec<String> = sizes.map(|(n, w)| format!("ftree({n},{w},2)")).collect();
    trees.par_iter().for_each(|tree| {
        let found = assess_by_digits(&ByDigits::named(tree, "grid").unwrap()).unwrap();
        assert!(found.oblivious_ratio.exact().is_some(), "{tree}");
        assert!(found.permutation_load.exact().is_some(), "{tree}");
    });
}

fn ratio(topology: &str, routing: &str) -> String {
    let form = ByDigits::named(topology, routing).unwrap();
    let found = assess_by_digits(&form).unwrap();
    format!("{} {}", found.oblivious_ratio, found.permutation_load)
}

/// By hand. FT(m,3): m − 1 for D-mod-k, as Table I of \[OR\] has it; m/2 for OSRM3 (Theorem 4).
/// FT(64,6): an up link of step 4 leaves a subtree of 32³ hosts, and D-mod-k sends those of its
/// pairs over it whose destination has three given digits: 2·32³ hosts, all but one outside. A link
/// of step 3 has 32² sources, one of step 5 at most 2·32² destinations.
#[test]
fn large_trees_have_closed_forms() {
    let proven = |value: u64| format!("{value} (proven) {value} (proven)");
    assert_eq!(ratio("ft(48,3)", "dmodk"), proven(47));
    assert_eq!(ratio("ft(48,3)", "smodk"), proven(47));
    assert_eq!(ratio("ft(48,3)", "osrm3"), proven(24));
    assert_eq!(ratio("ft(64,6)", "dmodk"), proven(32768));
    assert_eq!(ratio("ft(64,6)", "smodk"), proven(32768));
    assert_eq!(ratio("ft(64,6)", "omrmn"), proven(1));
    assert_eq!(ratio("ftree(1024,1024,4096)", "grid"), proven(32));
    assert_eq!(ratio("ftree(40,1600,1000000)", "yuan"), proven(1));
    // 2 of 32 digits lead to the same port, at two levels: an up link of step 3 has 2·2·63
    // destinations. Of its 1024 sources, cuts let 256 send.
    assert_eq!(ratio("xgft(3;32,32,64;1,16,16)", "dmodk"), "252 (proven) 252 (proven)");
}

#[test]
fn what_is_too_large_or_has_no_form_is_said() {
    let error =
        |topology: &str, routing: &str| ByDigits::named(topology, routing).unwrap_err().to_string();
    assert!(error("kary(15,16)", "dmodk").contains("number of links is"));
    assert!(error("ft(8,3)", "random").contains("every pair draws its path"));
    assert!(error("ft(8,3)", "wsr").contains("pairs before it"));
    assert!(error("ft(8,3)", "osrm2").contains("needs a tree of height 2"));
    assert!(error("universal(8)", "omrmn").contains("not a generated tree"));
    assert!(error("xgft(2;4194305,2;1,2)", "dmodk").contains("number of digits of a level"));
    assert!(error("ftree(2049,2049,2)", "grid").contains("number of pairs of first digits"));
    let form = ByDigits::named("xgft(1;4294967295;1)", "dmodk").unwrap();
    let worst = form.worst(Quantity::ObliviousRatio, &quiet()).unwrap();
    assert_eq!((worst.load.to_string(), worst.pairs), ("1".into(), 1));
    // More hosts than a list has numbers for, and more pairs than are listed.
    let form = ByDigits::named("kary(14,15)", "dmodk").unwrap();
    let worst = form.worst(Quantity::PermutationLoad, &quiet()).unwrap();
    assert!(form.pairs(&worst).unwrap_err().to_string().contains("number of pairs to list"));
    let form = ByDigits::named("xgft(2;65536,131072;1,65536)", "omrmn").unwrap();
    let worst = form.worst(Quantity::ObliviousRatio, &quiet()).unwrap();
    assert!(form.pairs(&worst).unwrap_err().to_string().contains("number of hosts"));
    assert!(assess_by_digits(&form).is_ok());
}

fn stopped() -> Progress {
    let progress = Progress::silent();
    progress.stop().request();
    progress
}

/// Where single digits decide, a stop comes too late.
#[test]
fn what_takes_milliseconds_is_not_stopped() {
    let form = ByDigits::named("ft(64,6)", "dmodk").unwrap();
    let found = AssessByDigits::new().progress(&stopped()).run(&form).unwrap();
    assert_eq!(found.oblivious_ratio.to_string(), "32768 (proven)");
    assert!(found.complete && found.certificate.is_ok());
}

/// Where both first digits decide a port, a stop leaves what the shape of the tree bounds: the same
/// as before enumeration looks at a pair.
#[test]
fn a_stop_loses_no_bounds() {
    let by_both = ["grid", "osrm2", "yuan"];
    let mut compared = BTreeSet::new();
    for (tree, routing) in MORE.iter().flat_map(|tree| by_both.map(|routing| (*tree, routing))) {
        let Some((instance, form)) = both(tree, routing) else { continue };
        let known = Assess::new().progress(&stopped()).run(&instance).unwrap();
        let found = AssessByDigits::new().progress(&stopped()).run(&form).unwrap();
        let sides = |bounds: &Bounds| (bounds.lower.clone(), bounds.upper.clone());
        let place = format!("{routing} on {tree}");
        assert_eq!(sides(&found.oblivious_ratio), sides(&known.oblivious_ratio), "{place}");
        assert_eq!(sides(&found.permutation_load), sides(&known.permutation_load), "{place}");
        assert!(matches!(found.oblivious_ratio.evidence, Evidence::Claimed(_)), "{place}");
        assert!(!found.complete && found.certificate.is_err(), "{place}");
        check_traffic(&instance, &form, &found.ratio);
        check_traffic(&instance, &form, &found.permutations);
        compared.insert(routing);
    }
    assert_eq!(compared.len(), 3);
    // By hand: a leaf sends no more than its three links carry, and in a permutation no more than
    // its 2047 hosts. Some link has 1115 node-disjoint pairs, the least X with 3·9·X² ≥ 8·2047²,
    // and optu of a permutation is at most 2047/3.
    let form = ByDigits::named("ftree(2047,3,9)", "grid").unwrap();
    let found = AssessByDigits::new().progress(&stopped()).run(&form).unwrap();
    assert!(found.oblivious_ratio.to_string().starts_with("between 3345/2047 and 3 (claimed"));
    assert!(found.permutation_load.to_string().starts_with("between 1115 and 2047 (claimed"));
}

#[test]
fn what_is_known_is_kept_as_the_work_goes_on() {
    let form = ByDigits::named("ftree(5,3,2)", "grid").unwrap();
    let all = assess_by_digits(&form).unwrap();
    let stopped_at = |last: usize| {
        let (progress, mut kept) = (quiet(), 0);
        let mut keep = |known: &ByDigitsAssessment| {
            kept += 1;
            assert!(!known.complete);
            if kept == last {
                progress.stop().request();
            }
        };
        AssessByDigits::new().progress(&progress).keep(&mut keep).run(&form).unwrap()
    };
    let first = stopped_at(1);
    assert_eq!((first.oblivious_ratio.exact(), first.permutation_load.exact()), (None, None));
    let second = stopped_at(2);
    let claimed = |bounds: &Bounds| matches!(bounds.evidence, Evidence::Claimed(_));
    assert_eq!(second.oblivious_ratio.exact(), all.oblivious_ratio.exact());
    assert!(claimed(&second.oblivious_ratio) && second.permutation_load.exact().is_none());
    assert!(!second.complete && second.certificate.is_err());
    // The check has a grace period.
    let third = stopped_at(3);
    assert!(third.complete && third.certificate == all.certificate);
}

/// The certificate does not claim the permutation ratio, so it is not proven.
#[test]
fn the_permutation_ratio_is_claimed() {
    let form = ByDigits::named("ft(64,6)", "dmodk").unwrap();
    let ratio = assess_by_digits(&form).unwrap().permutation_ratio();
    assert_eq!(ratio.exact(), Some(&32768.into()));
    let why = "claimed: that of all traffic is proven, and integral flows attain it";
    assert_eq!(ratio.evidence.to_string(), why);
}

/// A million ports with a pair of digits each, in the full tier four million, and three ports with 87,000 pairs, in the
/// full tier with a million and more.
#[test]
fn tables_may_have_any_number_of_ports() {
    let (many, few, load) = if cfg!(feature = "slow-tests") {
        ("ftree(2048,4194304,1000)", "ftree(2047,3,9)", 1365)
    } else {
        ("ftree(1024,1048576,1000)", "ftree(511,3,9)", 341)
    };
    assert_eq!(ratio(many, "yuan"), "1 (proven) 1 (proven)");
    assert_eq!(ratio(few, "grid"), format!("3 (proven) {load} (proven)"));
}
