//! Worst cases by classes of alike hosts: the same as host by host on random fabrics that no labels fit, the
//! same as over all permutations on tiny ones, and accepted by the checker.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;

use itertools::Itertools as _;
use rand::RngExt as _;
use routebound::assessment::Assess;
use routebound::certificate::{Certificate, Quantity, RoutingForm, Split};
use routebound::embed;
use routebound::generators::checker;
use routebound::import::{self, ImportOptions};
use routebound::load::HostClasses;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, ShortestSplit, UseScratch};
use routebound::sampling::{Stream, Streams};
use routebound::topology::{Host, LinkId, NetworkBuilder, NodeKey, Topology};
use routebound::worst_case::{Analyse, Scope, WorstCase, prove};

/// A random fabric under construction: pods of leaves and spines under tops.
struct Fabric {
    dice: Stream,
    network: NetworkBuilder,
    hosts: u32,
    most_hosts: u32,
    /// Whether capacities differ, and hosts have several cables.
    is_uneven: bool,
}

impl Fabric {
    /// Below `sides`.
    fn roll(&mut self, sides: u32) -> u32 {
        self.dice.random_range(0..sides)
    }

    /// At least `least` parallel cables, up to two more.
    fn cables(&mut self, (a, b): (NodeKey, NodeKey), least: u32) {
        for _ in 0..least + self.roll(3) {
            self.network.cable(a, b, Rational::ONE);
        }
    }

    fn switches(&mut self, name: &str, most: u32) -> Vec<NodeKey> {
        let count = 1 + self.roll(most);
        (0..count).map(|number| self.network.switch(format!("{name}-{number}"))).collect()
    }

    /// A host, seldom one that forwards to another switch.
    fn host(&mut self, switch: NodeKey, other: NodeKey) {
        if self.hosts == self.most_hosts {
            return;
        }
        let host = self.network.host(format!("h-{}", self.hosts));
        self.hosts += 1;
        let (speed, cables) = if self.is_uneven { (self.roll(6), self.roll(8)) } else { (9, 9) };
        let capacity =
            if speed < 2 { Rational::new(u64::from(speed) + 3, 2).unwrap() } else { Rational::ONE };
        for _ in 0..if cables == 0 { 2 } else { 1 } {
            self.network.cable(host, switch, capacity.clone());
        }
        if self.roll(24) == 0 && switch != other {
            self.network.cable(host, other, Rational::ONE);
        }
    }

    /// A pod, whose first spine is joined to the first top, and in the first pod to all. All spines are joined
    /// to the first leaf, and all leaves to the first spine.
    fn pod(&mut self, pod: u32, tops: &[NodeKey]) {
        let spines = self.switches(&format!("spine-{pod}"), 3);
        for (spine, top) in spines.iter().cartesian_product(tops) {
            let is_first = *spine == spines[0] && (pod == 0 || *top == tops[0]);
            self.cables((*spine, *top), u32::from(is_first));
        }
        let leaves = self.switches(&format!("leaf-{pod}"), 3);
        for leaf in &leaves {
            for spine in &spines {
                let is_first = *spine == spines[0] || *leaf == leaves[0];
                self.cables((*leaf, *spine), u32::from(is_first));
            }
            for _ in 0..=self.roll(8) {
                let at = if self.roll(8) == 0 { spines[0] } else { *leaf };
                self.host(at, tops[0]);
            }
        }
    }
}

fn fabric(case: u64, most_hosts: u32) -> Topology {
    let (dice, network) = (Streams::new(7).at(case), NetworkBuilder::new());
    let mut fabric = Fabric { dice, network, hosts: 0, most_hosts, is_uneven: case % 2 == 1 };
    let tops = fabric.switches("top", 3);
    for pod in 0..=fabric.roll(3) {
        fabric.pod(pod, &tops);
    }
    if fabric.hosts == 1 {
        fabric.most_hosts = 2;
        fabric.host(tops[0], tops[0]);
    }
    fabric.network.build(format!("fabric {case}")).unwrap()
}

/// The instance of a case, under both splits in turn.
fn instance(case: u64, most_hosts: u32) -> Instance {
    let topology = fabric(case, most_hosts);
    let routing = routing::build(if case % 4 < 2 { "ecmp" } else { "omrmn" }, &topology).unwrap();
    Instance::new(topology, routing).unwrap()
}

/// The shares of a pair by link.
fn shares(instance: &Instance, s: Host, d: Host) -> BTreeMap<LinkId, Rational> {
    let mut shares = BTreeMap::new();
    let mut scratch = UseScratch::default();
    instance.routing().for_each_use(s, d, &mut scratch, &mut |share, links| {
        shares.extend(links.iter().map(|link| (*link, share.clone())));
    });
    shares
}

/// What a worst case proves, as the checker sees it.
fn check(instance: &Instance, worst: &WorstCase) {
    let split = match instance.shortest_split().unwrap() {
        ShortestSplit::PerPath => Split::Paths,
        ShortestSplit::PerHop => Split::Hops,
    };
    let proof = prove(instance, worst);
    assert!(proof.is_by_class());
    let network = embed::network(instance.topology());
    let certificate = proof.certificate(network, RoutingForm::Split(split)).unwrap();
    let accepted = checker::check(&Certificate::WorstCase(certificate));
    assert!(accepted.is_ok(), "{instance:?}: {:?}", accepted.err());
}

#[test]
fn classes_change_no_worst_case() {
    let (mut alike, mut exact) = (0, 0);
    let cases = if cfg!(feature = "slow-tests") { 1000 } else { 100 };
    for case in 0..cases {
        let instance = instance(case, if case % 10 == 0 { 64 } else { 16 });
        if HostClasses::of(&instance).is_none() {
            continue;
        }
        alike += 1;
        for quantity in [Quantity::PermutationLoad, Quantity::HoseLoad, Quantity::ObliviousRatio] {
            let by_class = Analyse::of(quantity).run(&instance).unwrap();
            let analyse = Analyse::of(quantity).scope(Scope::EveryHost(None));
            let by_host = analyse.run(&instance).unwrap();
            assert!(!by_class.classes.is_empty() && by_host.classes.is_empty());
            let bounds = by_class.links.iter().zip(&by_host.links);
            for (class, host) in bounds.map(|(a, b)| (a.as_ref().unwrap(), b.as_ref().unwrap())) {
                // Host by host, shares without a small common denominator leave a bound.
                let is_same = class.load == host.load || !host.attained && class.load < host.load;
                assert!(
                    class.attained && is_same,
                    "{instance:?}, {quantity:?}: {class:?}, {host:?}"
                );
            }
            exact += u64::from(by_host.is_exact_by_link());
            assert_eq!(by_class.upper().as_ref(), Some(by_class.lower()), "{instance:?}");
            if case % 5 == 0 {
                check(&instance, &by_class);
            }
        }
    }
    assert!(
        2 * alike > cases && exact > alike,
        "{alike} fabrics, {exact} worst cases host by host"
    );
}

/// Cuts never allow less than linear programs find, nor more than hosts alone do, and programs on top of them find
/// the same.
#[cfg(feature = "highs")]
#[test]
fn cuts_allow_what_programs_find() {
    use routebound::lp::worst_demand::refine;
    use routebound::worst_case::under_cuts;

    let silent = routebound::progress::Progress::silent();
    let mut better = 0_u64;
    let cases = if cfg!(feature = "slow-tests") { 120 } else { 60 };
    for case in 0..cases {
        let instance = instance(case, 12);
        let mut worst = Analyse::of(Quantity::ObliviousRatio).run(&instance).unwrap();
        let before = prove(&instance, &worst);
        let mut by_programs = worst.clone();
        let Some(after) = under_cuts(&instance, &mut worst, &before, &silent) else { continue };
        let (exact, _) = refine(&instance, &mut by_programs, &before, &silent).unwrap();
        let (on_top, _) = refine(&instance, &mut worst, &after, &silent).unwrap();
        let (before, after, exact, on_top) =
            (before.bounds, after.bounds, exact.bounds, on_top.bounds);
        better += u64::from(after.upper < before.upper);
        assert!(after.upper <= before.upper && after.lower >= before.lower, "{instance:?}");
        for bounds in [&after, &on_top] {
            assert!(bounds.upper >= exact.lower && bounds.lower <= exact.upper, "{instance:?}");
        }
    }
    assert!(better > cases / 24, "{better}");
}

#[test]
fn no_permutation_of_a_tiny_fabric_is_worse() {
    for case in 0..200 {
        let instance = instance(case, 5);
        let topology = instance.topology();
        let hosts = topology.host_numbers();
        let of_pair: BTreeMap<(Host, Host), _> = hosts
            .clone()
            .cartesian_product(hosts.clone())
            .filter(|(s, d)| s != d)
            .map(|(s, d)| ((s, d), shares(&instance, s, d)))
            .collect();
        let mut most = Rational::ZERO;
        for image in hosts.clone().permutations(hosts.len()) {
            let mut traffic: BTreeMap<LinkId, Rational> = BTreeMap::new();
            for (s, d) in hosts.clone().zip(image).filter(|(s, d)| s != d) {
                for (link, share) in &of_pair[&(s, d)] {
                    *traffic.entry(*link).or_default() += share;
                }
            }
            let loads = traffic.iter().map(|(link, traffic)| topology.load_of(*link, traffic));
            most = loads.fold(most, Rational::max);
        }
        let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
        assert_eq!(worst.upper(), Some(most), "{instance:?}");
    }
}

/// Cuts and programs find traffic that need not be a permutation: what is known of permutations stays known.
#[test]
fn refined_ratios_forget_no_permutation() {
    let (mut refined, mut kept) = (0, 0);
    for case in (0..60).step_by(2) {
        let instance = instance(case, 8);
        let found = |programs| Assess::new().linear_programs(programs).run(&instance).unwrap();
        let (before, after) = (found(false), found(true));
        refined += usize::from(after.oblivious_ratio != before.oblivious_ratio);
        let [before, after] = [before.permutation_ratio, after.permutation_ratio];
        assert!(after.lower >= before.lower && after.upper <= before.upper, "{instance:?}");
        assert!(after.lower <= after.upper, "{instance:?}: {after}");
        kept += usize::from(after.lower > Rational::ONE);
    }
    assert!(refined > 3 && kept > 3, "{refined} ratios refined, {kept} permutations known");
}

/// Every registered routing that says that it splits over shortest paths: exchanging two hosts of a class
/// exchanges their shares, on all links that are not theirs.
#[test]
fn alike_hosts_have_the_same_shares() {
    let mut names = Vec::new();
    for case in 0..if cfg!(feature = "slow-tests") { 40 } else { 5 } {
        let topology = fabric(case, 12);
        for kind in routing::KINDS {
            let Ok(routing) = routing::build(kind.name, &topology) else { continue };
            let instance = Instance::new(topology.clone(), routing).unwrap();
            let Some(classes) = HostClasses::of(&instance) else { continue };
            names.push(kind.name);
            for hosts in classes.hosts() {
                for (one, other) in hosts.iter().tuple_windows() {
                    same_shares(&instance, *one, *other);
                }
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, ["ecmp", "omrmn"]);
}

fn same_shares(instance: &Instance, one: Host, other: Host) {
    let topology = instance.topology();
    let is_own = |link: LinkId| {
        let (tail, head) = topology.ends(link).unwrap();
        [tail, head].iter().any(|node| *node == one || *node == other)
    };
    let of = |s, d| {
        let shares = shares(instance, s, d).into_iter();
        shares.filter(|(link, _)| !is_own(*link)).collect_vec()
    };
    for third in topology.host_numbers().filter(|host| *host != one && *host != other) {
        assert_eq!(of(one, third), of(other, third), "{instance:?}");
        assert_eq!(of(third, one), of(third, other), "{instance:?}");
    }
    assert_eq!(of(one, other), []);
}

/// 542 adapters on 31 leaf switches and 9 spines, some cables missing. The same number comes from maximum-weight
/// matchings of all pairs, link by link.
#[test]
fn the_worst_permutation_of_an_ai_cluster_is_proven() {
    let path = "instances/fabrics/ndr542/ibnetdiscover.out.gz";
    let network = import::topology(path, &ImportOptions::default()).unwrap();
    let routing = routing::build("ecmp", &network).unwrap();
    let instance = Instance::trusted(network, routing);
    let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    let load = Rational::new(59, 21).unwrap();
    assert_eq!((worst.lower(), worst.upper().as_ref()), (&load, Some(&load)));
    check(&instance, &worst);
}
