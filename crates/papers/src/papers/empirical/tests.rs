//! Adversaries against bounds that are true, false, or known to be reached.

use super::*;
use crate::progress::Progress;
use crate::routing;
use crate::theorem::planted::renamed;
use std::sync::Arc;

fn on(networks: &[&str], scope: Scope, statements: &[&str]) -> Attacks {
    let networks = networks.iter().map(ToString::to_string).collect();
    empirically(&scope.on(networks), statements).unwrap()
}

/// In the full tier with the bounds of all routings on FT(4,3), too.
#[test]
fn searches_reach_the_bounds_of_small_trees_and_break_none() {
    let progress = Progress::silent();
    let all: Vec<&str> = crate::papers::STATEMENTS.iter().map(|kind| kind.name).collect();
    let special = ["or-theorem-7", "or-table-1-mod-k"];
    let of_large = if cfg!(feature = "slow-tests") { &all[..] } else { &special[..] };
    let found = |network, of: &[&str]| on(&[network], Scope::new(16, &progress), of).statements;
    let (small, large) = (found("ft(4,2)", &all[..]), found("ft(4,3)", of_large));
    for found in [&small, &large] {
        assert!(found.values().all(|one| one.broken.is_empty()), "{found:?}");
    }
    let counts = |one: &Empirical| (one.instances, one.reached, one.exhaustive);
    assert_eq!(counts(&large["or-theorem-7"]), (1, 1, 0));
    assert_eq!(counts(&large["or-table-1-mod-k"]), (2, 2, 0));
    // FT(4,2) has 8 hosts: all permutations of dmodk and smodk are tried.
    let table = &small["or-table-1-mod-k"];
    assert_eq!(counts(table), (2, 2, 2));
    assert!(table.text().starts_with("reached on 2 of 2, broken on none; 2 exhaustively, "));
}

/// D-mod-k has ratio 3 on FT(4,3), where OSRM3 is stated to have 2. In the full tier it breaks
/// no bound of all routings.
#[test]
fn a_worse_routing_breaks_the_bound() {
    let progress = Progress::silent();
    let worse = |instance: Instance| {
        if instance.routing.spec() != "osrm3" {
            return instance;
        }
        let paths = routing::build("dmodk", &instance.topology).unwrap();
        renamed(instance, Arc::from(paths))
    };
    let scope = Scope::new(16, &progress).with_instances(&worse);
    let statements = if cfg!(feature = "slow-tests") { 2 } else { 1 };
    let found = on(&["ft(4,3)"], scope, &["or-theorem-7", "or-theorem-4"][..statements]).statements;
    assert_eq!(found.len(), statements);
    let broken = "osrm3 on ft(4,3): equals 2, found 3";
    assert_eq!(found["or-theorem-7"].broken, [broken]);
    assert!(found["or-theorem-7"].text().contains(&format!("broken on 1 ({broken})")));
    if statements == 2 {
        assert!(found["or-theorem-4"].broken.is_empty());
    }
}

/// Any traffic has a ratio of at least 1, so there is nothing to search for.
#[test]
fn that_ratios_are_at_least_1_takes_no_search() {
    let progress = Progress::silent();
    let scope = Scope::new(8, &progress).on(vec!["ft(4,2)".to_string()]);
    let found = empirically(&scope, &["or-perf", "or-lemma-9"]).unwrap();
    assert_eq!(found.statements.keys().collect::<Vec<_>>(), [&"or-lemma-9"]);
    let lemma_9 = &found.statements["or-lemma-9"];
    assert!(lemma_9.reached == lemma_9.instances && lemma_9.broken.is_empty(), "{lemma_9:?}");
}

/// D-mod-k and S-mod-k have a bound of their own on FT(4,2), and that of all routings; in the full tier OSRM3 has
/// both on FT(4,3), where not all permutations are tried.
#[test]
fn an_instance_is_attacked_once_for_all_its_bounds() {
    let (network, special, general, number) = if cfg!(feature = "slow-tests") {
        ("ft(4,3)", "or-theorem-7", "or-theorem-4", 1)
    } else {
        ("ft(4,2)", "or-table-1-mod-k", "or-theorem-3", 2)
    };
    let progress = Progress::silent();
    let found = |statements: &[&str]| on(&[network], Scope::new(16, &progress), statements);
    let (alone, both) = (found(&[special]), found(&[special, general]));
    // An attack counts for each of the bounds, and once in all.
    let [some, all] = [special, general].map(|statement| &both.statements[statement]);
    assert_eq!(alone.statements[special], *some);
    assert_eq!((alone.instances, some.instances), (number, number));
    assert_eq!(alone.evaluations, some.evaluations);
    assert!(all.instances > number);
    assert_eq!(both.instances, all.instances);
    assert_eq!(both.evaluations, all.evaluations);
}

/// 16 hosts have 2·10^13 permutations, and OSRM3 has no symmetry that would reduce them.
#[test]
fn who_refuses_an_instance_is_counted() {
    let progress = Progress::silent();
    let found = on(&["ft(4,3)"], Scope::new(16, &progress), &["or-theorem-7"]);
    let theorem_7 = &found.statements["or-theorem-7"];
    assert_eq!(theorem_7.skipped, BTreeMap::from([("exhaustive".to_string(), 1)]));
    assert!(theorem_7.text().contains("; 0 exhaustively, 1 without exhaustive, "));
    assert!(found.text().contains("; matching is left out, as it is the exact analysis"));
    assert!(!found.adversaries.iter().any(|spec| spec.starts_with("matching")));
    assert!(found.adversaries[0].starts_with("exhaustive(permutations="));
}

/// On every small instance the searches reach the exact value and never exceed it, so they break an
/// upper bound that is a little too small, and none that is true. Only the full tier has such on which not all
/// permutations are tried.
#[test]
fn a_bound_that_is_a_little_too_small_is_broken() {
    let progress = Progress::silent();
    let (networks, fewest) = if cfg!(feature = "slow-tests") {
        (&["ft(4,2)", "ft(6,2)", "ft(4,3)"][..], 25)
    } else {
        (&["ft(4,2)"][..], 6)
    };
    let scope = Scope::new(18, &progress).on(networks.iter().copied().map(String::from).collect());
    let (specs, statements) = (specs(&scope), ["or-theorem-3", "or-theorem-4"]);
    let visit = |instance: &Instance| {
        let exact = scope.assess(instance)?.oblivious_ratio.exact().cloned().unwrap();
        let tried = tried(instance, &progress, &statements, &specs)?;
        Ok(tried.map(|tried| (tried, exact)))
    };
    let (all, complete) = scope.instances(visit).unwrap();
    assert!(complete && all.len() > fewest, "{}", all.len());
    for (tried, exact) in all {
        let upper = |value| PublishedBound {
            statement: "planted",
            source: "planted",
            side: Side::Equals,
            value,
        };
        let found = tried.found.as_ref().unwrap();
        assert_eq!(upper(exact.clone()).standing(found), Standing::Reached, "{}", tried.case);
        let planted = upper(exact.checked_sub(&Rational::new(1, 2).unwrap()).unwrap());
        let mut empirical = Empirical::default();
        empirical.add(&tried, &planted);
        assert_eq!((empirical.reached, empirical.broken.len()), (0, 1), "{}", tried.case);
    }
}

#[test]
fn stopped_work_ends() {
    let stop = crate::progress::Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let scope = Scope::new(8, &progress);
    let attacks = empirically(&scope, &["or-theorem-7"]).unwrap();
    assert!(attacks.stopped && attacks.instances == 0 && attacks.statements.is_empty());
}
