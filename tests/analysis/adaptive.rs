//! NONBLOCKINGADAPTIVE against a second implementation, and against all that the paper leaves open.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use routebound::adversary::pattern::for_each_partial;
use routebound::load::{LinkLoads, contention};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::simulation::adaptive::{
    self, LinkCounts, Numbering, Routed, Scratch, SwitchUse, most_configurations, worst,
};
use routebound::topology::generate;
use routebound::traffic::{self, PathRecord, Permutation};

/// A destination by its switch and its place.
type Host = (u32, u32);

/// By the words of Figure 4: the k-th digit of a destination, and the partition's rule.
fn value(n: u32, partition: u32, (switch, p): Host) -> u32 {
    let digit = |i: u32| switch / n.pow(i) % n;
    if partition == 0 { p } else { (digit(partition - 1) + n - p % n) % n }
}

/// The pairs by their value.
fn classes(n: u32, partition: u32, waiting: &BTreeSet<Host>) -> Vec<Vec<Host>> {
    let mut classes: BTreeMap<u32, Vec<Host>> = BTreeMap::new();
    for host in waiting {
        classes.entry(value(n, partition, *host)).or_default().push(*host);
    }
    classes.into_values().collect()
}

/// How many configurations the algorithm needs by any choice of partition and LSET: all numbers.
fn all_choices(
    n: u32,
    unused: &BTreeSet<u32>,
    whole: u32,
    waiting: &BTreeSet<Host>,
) -> BTreeSet<u64> {
    if waiting.is_empty() {
        return BTreeSet::from([0]);
    }
    if unused.is_empty() {
        let next = all_choices(n, &(0..whole).collect(), whole, waiting);
        return next.into_iter().map(|count| count + 1).collect();
    }
    let divided: Vec<(u32, Vec<Vec<Host>>)> =
        unused.iter().map(|partition| (*partition, classes(n, *partition, waiting))).collect();
    let most = divided.iter().map(|(_, classes)| classes.len()).max().unwrap();
    let mut found = BTreeSet::new();
    for (partition, classes) in divided.iter().filter(|(_, classes)| classes.len() == most) {
        let left: BTreeSet<u32> = unused.iter().copied().filter(|it| it != partition).collect();
        for lset in classes.iter().multi_cartesian_product() {
            let rest = waiting.iter().copied().filter(|host| !lset.contains(&host)).collect();
            found.extend(all_choices(n, &left, whole, &rest));
        }
    }
    found
}

/// The numbers over all choices, for a whole pattern.
fn choices(n: u32, c: u32, destinations: &[Host]) -> BTreeSet<u64> {
    let waiting: BTreeSet<Host> = destinations.iter().copied().collect();
    // The first configuration is counted when it is allocated.
    let none = BTreeSet::new();
    all_choices(n, &none, c + 1, &waiting)
}

/// The rule that the program states: the lowest partition, of every value the lowest destination.
fn by_rule(n: u32, c: u32, destinations: &[Host]) -> u64 {
    let mut waiting: BTreeSet<Host> = destinations.iter().copied().collect();
    let mut count = 0;
    while !waiting.is_empty() {
        count += 1;
        let mut unused: Vec<u32> = (0..=c).collect();
        while !waiting.is_empty() && !unused.is_empty() {
            let size = |partition: &u32| classes(n, *partition, &waiting).len();
            let most = unused.iter().map(size).max().unwrap();
            let at = unused.iter().position(|partition| size(partition) == most).unwrap();
            for class in classes(n, unused.remove(at), &waiting) {
                waiting.remove(&class[0]);
            }
        }
    }
    count
}

fn counted(numbering: Numbering, destinations: &[Host]) -> u64 {
    numbering.allot(destinations, &mut Scratch::default(), &mut Vec::new())
}

#[test]
fn counts_are_those_of_a_second_implementation() {
    for (n, r) in [(2, 2), (2, 3), (2, 4), (2, 7), (3, 3), (3, 4), (3, 9)] {
        let numbering = Numbering::of(n, r).unwrap();
        let hosts = (0..r).flat_map(|switch| (0..n).map(move |p| (switch, p)));
        let (mut most, most_allowed) = (0, most_configurations(numbering, n));
        for mut destinations in hosts.powerset().take_while(|set| set.len() <= n as usize) {
            // The order of the sources does not matter.
            destinations.reverse();
            let count = counted(numbering, &destinations);
            assert_eq!(count, by_rule(n, numbering.c(), &destinations), "{destinations:?}");
            let all = choices(n, numbering.c(), &destinations);
            assert!(all.contains(&count), "{destinations:?}: {all:?}");
            assert!(all.last().unwrap() <= &most_allowed, "{destinations:?}: {all:?}");
            most = most.max(count);
        }
        let found = worst(numbering, r, 1, &Progress::silent()).unwrap();
        // No set of at most n destinations reaches all of more than n switches.
        if r > n {
            assert_eq!(found.configurations.exact(), Some(&most.into()), "{n} {r}");
        }
    }
}

/// n = 4, c = 1, a square of 2 by 2 coordinates: the choice decides whether one configuration is
/// enough. Six of eight corners of a cube with n = 6, c = 2: the same.
#[test]
fn counts_may_depend_on_the_choice_of_the_largest_set() {
    let square = [(0, 0), (1, 0), (1, 1), (2, 1)];
    assert_eq!(choices(4, 1, &square), BTreeSet::from([1, 2]));
    let numbering = Numbering::with_digits(4, 1);
    assert_eq!((counted(numbering, &square), most_configurations(numbering, 4)), (2, 2));
}

#[test]
fn all_permutations_of_a_small_tree_are_routed_without_collision() {
    let tree = generate("ftree(2,6,3)").unwrap();
    let routing = adaptive::build("nonblocking-adaptive", &tree).unwrap();
    let (mut routed, mut counts) = (Routed::default(), LinkCounts::new(tree.links()));
    let (mut all, mut meet, mut diff) = (0, 0, 0);
    for_each_partial(6, &mut |pattern| {
        routing.route(pattern, &mut routed, &Progress::silent())?;
        all += 1;
        meet += u32::from(counts.most(&routed).0 > 1);
        diff += u32::from(routed.is_diff(tree.tree().unwrap()));
        Ok::<_, adaptive::PatternError>(true)
    })
    .unwrap();
    assert_eq!((all, meet, diff), (6600, 0, 6600));
}

/// How many permutations are routed, by default and with the feature `slow-tests`.
fn random(spec: &str, some: u64, many: u64) {
    let tree = generate(spec).unwrap();
    let routing = adaptive::build("nonblocking-adaptive", &tree).unwrap();
    let (mut routed, mut counts) = (Routed::default(), LinkCounts::new(tree.links()));
    let progress = Progress::silent();
    for index in 0..if cfg!(feature = "slow-tests") { many } else { some } {
        let pattern = Permutation::random(tree.hosts(), 1, index);
        routing.route(&pattern, &mut routed, &progress).unwrap();
        assert_eq!(counts.most(&routed).0, 1, "{spec}: {index}");
    }
}

#[test]
fn random_permutations_are_routed_without_collision() {
    random("ftree(4,12,16)", 10_000, 1_000_000);
    random("ftree(16,192,256)", 20, 10_000);
}

/// One configuration has as many top switches as n² allows at most for n ≤ c + 1.
#[test]
fn a_permutation_that_needs_too_many_top_switches_is_refused_with_the_numbers() {
    let refused = |spec: &str| {
        let tree = generate(spec).unwrap();
        adaptive::build("nonblocking-adaptive", &tree).err().map(|error| error.to_string())
    };
    let too_few = refused("ftree(3,8,7)").unwrap();
    assert!(too_few.contains("(c+1)n = 9") && too_few.contains("c = 2"), "{too_few}");
    assert!(refused("ftree(1,5,3)").unwrap().contains("n = 1"));
    assert!(refused("ft(4,3)").unwrap().contains("ftree(n,m,r)"));
    assert_eq!(refused("ftree(3,9,7)"), None);
    // n = 2, r = 4 needs 6 > 4.
    assert!(refused("ftree(2,5,4)").unwrap().contains("(c+1)n = 6"));

    // The square of coordinates, sent by switch 3.
    let tree = generate("ftree(4,15,4)").unwrap();
    let routing = adaptive::build("nonblocking-adaptive", &tree).unwrap();
    let square = Permutation::new(16, [(12, 0), (13, 4), (14, 5), (15, 9)]).unwrap();
    let error = routing.route(&square, &mut Routed::default(), &Progress::silent()).unwrap_err();
    assert!(error.to_string().contains("needs 16 top switches"), "{error}");
    let found = routing.guarantee(1, &Progress::silent()).unwrap();
    assert_eq!(found.nonblocking, Some(false));
    let wrong = Permutation::random(8, 1, 0);
    let error = routing.route(&wrong, &mut Routed::default(), &Progress::silent()).unwrap_err();
    assert_eq!(error, adaptive::PatternError::Hosts { hosts: 16, found: 8 });
}

#[test]
fn what_is_used_stands_beside_the_bounds_of_the_paper() {
    let used = SwitchUse::new(Numbering::with_digits(4, 2), 1);
    assert_eq!(
        (used.top_switches, used.square, used.fraction.to_string().as_str()),
        (12, 16, "12")
    );
    assert!(used.most <= used.sharpened && used.sharpened <= used.printed);
}

/// Coloured routes have no contention where m >= n, however many switches; with fewer links up, some permutation
/// has.
#[test]
fn coloured_routes_are_free_on_rearrangeable_trees() {
    let free = |spec: &str| {
        let scheme = adaptive::build("coloured", &generate(spec).unwrap()).unwrap();
        scheme.guarantee(1, &Progress::silent()).unwrap().nonblocking
    };
    assert_eq!((free("ftree(4,4,9)"), free("ftree(4,3,9)")), (Some(true), Some(false)));
}

/// As the analysis of a routing with these paths says, other pairs having any.
#[test]
fn contention_and_load_of_coloured_routes_are_those_of_the_paths() {
    for (spec, pattern) in [
        ("xgft(3;3,2,2;1,2,2)", "random(p=0.3,seed=4)"),
        ("xgft(2;4,4;2,3)", "random(p=0.4,seed=5)"),
        ("xgft(2;16,16;1,6)", "wrf(256)"),
        ("ft(8,2)", "uniform"),
    ] {
        let topology = generate(spec).unwrap();
        let traffic = traffic::generate(pattern, topology.hosts()).unwrap();
        let (quiet, scheme) = (Progress::silent(), "coloured(seed=1,steps=4194304)");
        let scheme = adaptive::build(scheme, &topology).unwrap();
        let found = scheme.traffic_routing().unwrap().route_traffic(&traffic, &quiet).unwrap();
        let other = routing::build("dmodk", &topology).unwrap();
        let mut records = found.paths.clone();
        let hosts = || topology.host_numbers();
        for (s, d) in hosts().flat_map(|s| hosts().map(move |d| (s, d))).filter(|(s, d)| s != d) {
            if traffic.amount(s, d).is_zero() {
                other.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                    records.push(PathRecord { s, d, share: Rational::ONE, links: links.to_vec() });
                });
            }
        }
        let listed = Listed::new("found".into(), topology.hosts(), records).unwrap();
        let routing: Box<dyn Routing> = Box::new(listed);
        let instance = Instance::new(topology, routing).unwrap();
        let contention = contention(&instance, traffic.demands(), &quiet).unwrap();
        let by_link: Vec<_> =
            found.by_link.iter().map(|own| Rational::from(u64::from(*own))).collect();
        assert!(contention.all().eq(by_link), "{spec} {pattern}");
        assert_eq!(contention.all().max().as_ref(), Some(&found.contention.upper));
        let loads =
            LinkLoads::of(instance.topology(), instance.routing(), traffic.demands(), &quiet);
        assert_eq!(loads.unwrap().max_load(), found.max_load, "{spec} {pattern}");
    }
}
