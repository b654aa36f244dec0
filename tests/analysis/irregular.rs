//! Optu on irregular trees: pods and planes with parallel cables, some of which are missing, and hosts on spines.
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::time::Instant;

use routebound::optimum::baseload;
use routebound::optimum::classes::host_paths::host_paths;
use routebound::optimum::classes::{Balancing, Classes};
use routebound::progress::{Interrupted, Progress, Stop};
use routebound::rational::Rational;
use routebound::topology::{NetworkBuilder, Topology};
use routebound::traffic::{self, Demand, PathRecord};

/// Numbers that look random.
fn random(seed: u32, at: u32) -> u32 {
    (at * 7919 + seed * 104_729 + at * at * 31) % 10_007
}

/// Three pods of three leaves with four hosts each, and two cables from a leaf to each of two spines, whose planes have
/// two tops each; a tenth of these cables is missing, one of each two remains, and hosts hang at a spine.
fn pods(seed: u32) -> Topology {
    let mut builder = NetworkBuilder::new();
    let hosts: Vec<_> = (0..36 + seed % 4).map(|host| builder.host(format!("h{host}"))).collect();
    let tops: Vec<_> = (0..4).map(|top| builder.switch(format!("top{top}"))).collect();
    let (mut hosts, mut cable) = (hosts.into_iter(), 0);
    for pod in 0..3 {
        let spines = [0, 1].map(|spine| builder.switch(format!("spine{pod}-{spine}")));
        for leaf in 0..3 {
            let leaf = builder.switch(format!("leaf{pod}-{leaf}"));
            for host in hosts.by_ref().take(4) {
                builder.cable(host, leaf, Rational::ONE);
            }
            for spine in spines {
                cable += 1;
                let both = if random(seed, cable).is_multiple_of(10) { 1 } else { 2 };
                (0..both).for_each(|_| builder.cable(leaf, spine, Rational::ONE));
            }
        }
        for (spine, top) in [(0, 0), (0, 1), (1, 2), (1, 3)] {
            builder.cable(spines[spine], tops[top], Rational::from(1 + u64::from(seed % 3)));
        }
        if pod == 2 {
            hosts.by_ref().for_each(|host| builder.cable(host, spines[0], Rational::ONE));
        }
    }
    builder.build("pods").unwrap()
}

/// The max load of paths, which have to carry all demands.
fn load_of(network: &Topology, demands: &[Demand], paths: &[PathRecord]) -> Rational {
    let mut pairs = BTreeMap::<(u32, u32), (Rational, Rational)>::new();
    for Demand { s, d, amount } in demands {
        pairs.entry((*s, *d)).or_default().0 += amount;
    }
    let mut traffic = vec![Rational::ZERO; network.links()];
    for PathRecord { s, d, share, links } in paths {
        let (amount, carried) = pairs.get_mut(&(*s, *d)).unwrap();
        *carried += share;
        let mut at = *s;
        for link in links {
            let (tail, head) = network.ends(*link).unwrap();
            assert_eq!(tail, at, "{s} to {d}");
            at = head;
            traffic[*link as usize] += &(&*amount * share);
        }
        assert_eq!(at, *d);
    }
    assert!(pairs.values().all(|(_, carried)| *carried == Rational::ONE));
    let loads = (0..).zip(&traffic).map(|(link, traffic)| network.load_of(link, traffic));
    loads.max().unwrap()
}

/// Exact bounds.
#[cfg(feature = "highs")]
fn reference(network: &Topology, demands: &[Demand]) -> [Rational; 2] {
    let options = routebound::lp::Options::default();
    let bounds = routebound::lp::optu(network, demands, &options, &Progress::silent()).unwrap();
    assert!(bounds.gap() < 1e-9);
    [bounds.lower, bounds.upper]
}

/// Bounds by another engine.
#[cfg(not(feature = "highs"))]
fn reference(network: &Topology, demands: &[Demand]) -> [Rational; 2] {
    use routebound::optimum::multiplicative::{Goal, optu};
    let bounds = optu(network, demands, &Goal { gap: 0.05 }, &Progress::silent()).unwrap();
    [bounds.lower, bounds.upper]
}

#[test]
fn bounds_by_classes_contain_optu() {
    for seed in 0..6 {
        let network = pods(seed);
        for pattern in ["shift(1)", "shift(13)", "permutation(seed=1)", "uniform"] {
            let matrix = traffic::generate(pattern, network.hosts()).unwrap();
            let demands = matrix.demands();
            let classes = Classes::new(&network, demands).unwrap();
            let mut search = Balancing::new(&classes).unwrap();
            // Before the first round: cuts, and the even split.
            let at_once = (search.lower().0.clone(), search.upper().clone());
            search.search(1e-3, &Progress::silent(), &mut |_, _| {});
            let (lower, upper) = (search.lower().0.clone(), search.upper().clone());
            let name = format!("{pattern}, seed {seed}: {lower} to {upper}");
            assert!(!at_once.0.is_zero() && at_once.0 <= lower && upper <= at_once.1, "{name}");
            assert!(baseload(&network, demands) <= lower && lower <= upper, "{name}");
            let [least, most] = reference(&network, demands);
            assert!(lower <= most && least <= upper, "{name}, {least} to {most}");
            let progress = Progress::silent();
            let (load, paths) =
                host_paths(&classes, search.dags(), demands, search.factor(), &progress).unwrap();
            assert_eq!(load_of(&network, demands, &paths), load, "{name}");
            assert!(load.to_f64() <= upper.to_f64() * 1.000_001, "{name}, {load}");
        }
    }
}

#[test]
fn products_need_no_list() {
    let network = pods(1);
    let products = traffic::regular("uniform", network.hosts()).unwrap().unwrap();
    let matrix = traffic::generate("uniform", network.hosts()).unwrap();
    let bounds = [Classes::new(&network, &products), Classes::new(&network, matrix.demands())];
    let [of_products, of_demands] = bounds.map(|classes| {
        let classes = classes.unwrap();
        let search = Balancing::new(&classes).unwrap();
        (search.lower().clone(), search.upper().clone())
    });
    assert_eq!(of_products, of_demands);
}

#[test]
fn a_stop_leaves_bounds_but_no_paths() {
    let network = pods(2);
    let matrix = traffic::generate("shift(13)", network.hosts()).unwrap();
    let classes = Classes::new(&network, matrix.demands()).unwrap();
    let mut search = Balancing::new(&classes).unwrap();
    let stopped = Progress::silent().stopped_by(Stop::at(Some(Instant::now())));
    search.search(1e-3, &stopped, &mut |_, _| {});
    assert_eq!((search.rounds(), search.lower().0.is_zero()), (0, false));
    let paths = host_paths(&classes, search.dags(), matrix.demands(), search.factor(), &stopped);
    assert!(matches!(paths, Err(Interrupted::Stopped(_))));
}
