//! What is found is what analysis and traffic say of every damaged instance.

use super::*;
use crate::certificate::Quantity;
use crate::failure::{at_random, inner_cables};
use crate::failure_sets::{Element, Failures, Repair, Unit};
use crate::load::LinkLoads;
use crate::traffic::generate;
use crate::worst_case::Analyse;
use damaged::Damaged;

/// The highest load of traffic on an instance, where every host sends at most 1.
fn load(instance: &Instance, pattern: &str) -> Rational {
    let hosts = instance.topology.hosts();
    let traffic = generate(pattern, hosts).unwrap();
    let (topology, routing) = (instance.topology(), instance.routing());
    let loads = LinkLoads::of(topology, routing, traffic.demands(), &Progress::silent()).unwrap();
    let others = if pattern == "uniform" { hosts as u64 - 1 } else { 1 };
    loads.max_load().checked_div(&Rational::from(others)).unwrap()
}

fn exact(instance: &Instance) -> Rational {
    let worst = Analyse::of(Quantity::PermutationLoad).run(instance).unwrap();
    assert!(worst.is_complete());
    worst.lower().clone()
}

/// Compares samples with the loads of each kind of traffic by itself; there are too many permutations for all.
fn assert_sampled([all, permutations, shifts]: &[Rational; 3], left: &Instance) {
    assert_eq!(*all, load(left, "uniform"), "{left:?}");
    let by_each = (1..left.topology.hosts()).map(|by| load(left, &format!("shift({by})")));
    assert_eq!(Some(shifts), by_each.max().as_ref(), "{left:?}");
    assert!(*permutations >= load(left, "permutation(seed=1)"), "{left:?}");
}

#[test]
fn cables_are_as_dangerous_as_if_they_were_looked_at_alone() {
    for (network, routing, repair) in [
        ("ft(4,2)", "dmodk", Repair::Reroute),
        ("ft(4,3)", "random(seed=1)", Repair::Reroute),
        ("xgft(2;4,3;1,2)", "ecmp", Repair::Reroute),
        ("ft(4,2)", "osrm2", Repair::Ecmp),
        ("ft(4,3)", "random(seed=1)", Repair::Ecmp),
    ] {
        let instance = Instance::named(network, routing).unwrap();
        let elements = Element::all(&instance.topology, Unit::Cable);
        let (most, ranked) = (1, elements.len());
        let failures = Failures { elements, most, repair: repair.clone(), ranked };
        let draws = Draws::new(instance.topology.hosts());
        let found = Ranks::find(&instance, &failures, &draws, &Progress::silent()).unwrap();
        assert_eq!(found.whole, exact(&instance));
        assert!(found.is_possible());
        let cables = inner_cables(&instance.topology);
        assert_eq!(found.cables.len(), cables.len());
        for (cable, of) in found.cables.iter().zip(cables) {
            assert_eq!(cable.name, of.name(&instance.topology));
            let left = Damaged::of(&instance, &[of], &repair).unwrap();
            assert_eq!((left.cut_off, left.lost), (0, 0));
            let left = Instance::new(left.instance.topology, left.instance.routing).unwrap();
            assert_eq!(cable.exact, exact(&left).max(found.whole.clone()), "{left:?}");
            assert_sampled(&cable.sampled, &left);
        }
    }
}

#[test]
fn dead_cables_lose_hosts_and_pairs() {
    let case = Case { network: "ft(4,3)", routing: "dmodk", drawn: Some(3) };
    let instance = case.instance().unwrap();
    let draws = Draws::new(instance.topology.hosts());
    let find = |percent| Dead::find(&case, &instance, percent, &draws, &Progress::silent());
    let found = [0, 10, 60].map(|percent| find(percent).unwrap());
    assert_eq!(found.each_ref().map(|dead| dead.cables), [0, 3, 19]);
    assert!(found.iter().all(Dead::is_possible));
    let [whole, some, most] = &found;
    assert_eq!((whole.cut_off, whole.lost, &whole.exact), (0, 0, &exact(&instance)));
    assert_sampled(&whole.sampled, &instance);
    let cables = at_random(&instance.topology, 3, cases::SEED).unwrap();
    let left = Damaged::of(&instance, &cables, &Repair::Reroute).unwrap();
    assert_eq!((some.cut_off, some.lost), (left.cut_off, left.lost));
    assert!(most.cut_off > 0 && most.lost > 0, "{most:?}");
    // Those that fail in turn are drawn alike.
    let failures = case.failures(&instance.topology).unwrap();
    let alone: Vec<_> = failures.elements.into_iter().flat_map(|element| element.cables).collect();
    assert_eq!(alone, cables);
}

#[test]
fn trees_are_shared() {
    let small = |networks: &[&'static str]| {
        let case = |network: &&'static str| Case { network, routing: "dmodk", drawn: Some(3) };
        Failing(networks.iter().map(case).map(Network::Tree).collect())
    };
    compare(&small(&["ft(4,2)", "ft(4,3)", "xgft(2;4,3;1,2)"]), str::to_string);
    // A load without failures that the cables or the first of the dead ones do not have.
    refuses(&small(&["ft(4,2)"]), "\"whole\":\"2\"", "\"whole\":\"3\"");
    refuses(&small(&["ft(4,2)"]), "\"whole\":\"2\"", "\"whole\":\"1\"");
    refuses(&small(&["ft(4,2)"]), "\"percent\":0", "\"percent\":1");
}
