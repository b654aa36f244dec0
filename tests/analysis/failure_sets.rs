//! The worst load over all sets of failures, against every damaged network analysed as a whole.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use routebound::assessment::NoCertificate;
use routebound::bounds::Evidence;
use routebound::certificate::Quantity;
use routebound::failure::{self, Cable, FailureError};
use routebound::failure_sets::{
    Element, FailureSets, Failures, Ground, Peak, Ranking, Repair, Unit, alone, failure_sets,
    prove_failure_sets,
};
use routebound::import::{self, ImportOptions};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Routing};
use routebound::topology::{Host, LinkId, Topology, sd_pairs};
use routebound::worst_case::Analyse;

use super::kpath::paths;

/// Paths with their shares.
pub(super) type Shared = Vec<(Vec<LinkId>, Rational)>;

/// The paths of pairs, of which some may have none.
pub(super) struct Given {
    pub(super) paths: BTreeMap<(Host, Host), Shared>,
    pub(super) lost: u64,
}

impl Routing for Given {
    fn spec(&self) -> &'static str {
        "given"
    }

    fn is_single_path(&self) -> bool {
        self.paths.values().all(|paths| paths.len() < 2)
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        _links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        for (links, share) in self.paths.get(&(s, d)).into_iter().flatten() {
            visit(share, links);
        }
    }

    fn lost_pairs(&self) -> u64 {
        self.lost
    }
}

/// The host of a name.
pub(super) fn called(topology: &Topology, name: &str) -> Option<Host> {
    topology.host_numbers().find(|host| topology.node(*host).name == name)
}

/// What failures leave, by the functions for one damaged network or pair by pair; `None` where nothing is left.
pub(super) fn left(
    instance: &Instance,
    repair: &Repair,
    cables: &[Cable],
) -> Option<(Instance, u64)> {
    let (whole, routing) = (&instance.topology, &instance.routing);
    let damage = match failure::damage(whole, cables) {
        Err(FailureError::NothingLeft { .. }) => return None,
        damage => damage.unwrap(),
    };
    if *repair == Repair::Reroute {
        let left = failure::remaining(whole, Arc::clone(routing), cables).unwrap();
        return Some((left.instance, left.lost.count));
    }
    if let (Repair::Tables(folder), false) = (repair, cables.is_empty()) {
        let names: Vec<String> = cables.iter().map(|cable| cable.name(whole)).collect();
        let spec = format!("lft:{folder}/{}", names.join("+"));
        let routing = routing::build(&spec, &damage.topology).unwrap();
        return Some((Instance::trusted(damage.topology, routing), 0));
    }
    let ecmp = (*repair == Repair::Ecmp).then(|| routing::build("ecmp", &damage.topology).unwrap());
    let before: Vec<Host> = damage
        .topology
        .host_numbers()
        .map(|host| called(whole, &damage.topology.node(host).name).unwrap())
        .collect();
    let mut given = Given { paths: BTreeMap::new(), lost: 0 };
    for (s, d) in sd_pairs(before.len()) {
        let old = paths(&**routing, before[s as usize], before[d as usize]).into_iter();
        let new = old.map(|(links, share)| {
            let links: Option<Vec<LinkId>> = links.iter().map(|link| damage.link(*link)).collect();
            Some((links?, share))
        });
        let new: Option<Vec<_>> = new.collect();
        match (new, &ecmp) {
            (Some(new), _) => drop(given.paths.insert((s, d), new)),
            (None, None) => given.lost += 1,
            (None, Some(ecmp)) => {
                given.paths.insert((s, d), paths(&**ecmp, s, d).into_iter().collect());
            }
        }
    }
    let lost = given.lost;
    Some((Instance::trusted(damage.topology, Box::new(given) as Box<dyn Routing>), lost))
}

/// All sets of at most `most` numbers, in the order of the verdicts.
pub(super) fn all_sets(elements: u32, most: u8) -> Vec<Vec<u32>> {
    let mut sets = vec![Vec::new()];
    sets.extend((0..elements).map(|one| vec![one]));
    for one in (0..elements).filter(|_| most == 2) {
        sets.extend((one + 1..elements).map(|other| vec![one, other]));
    }
    sets
}

/// Whether the traffic of the worst set loads its link as much as is said.
pub(super) fn holds(whole: &Topology, left: &Instance, peak: &Peak) {
    let name = whole.link_name(peak.link);
    let link = left.topology.link_numbers().find(|link| left.topology.link_name(*link) == name);
    let mut traffic = Rational::ZERO;
    let mut ends = Vec::new();
    for (s, d) in &peak.pairs {
        ends.extend([(*s, true), (*d, false)]);
        let [s, d] = [s, d].map(|host| called(&left.topology, &whole.node(*host).name).unwrap());
        for (links, share) in paths(left.routing(), s, d) {
            if links.contains(&link.unwrap()) {
                traffic += &share;
            }
        }
    }
    assert_eq!(whole.load_of(peak.link, &traffic), peak.load, "{name}");
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 2 * peak.pairs.len());
}

/// Number of sets of each size that are ranked.
const RANKED: usize = 4;

/// Whether a ranking has the sets of its size with the highest loads; those that cut hosts off have none.
fn are_the_first(
    found: &FailureSets,
    ranking: &Ranking,
    sets: &[(&Vec<u32>, &Option<Rational>)],
    name: &str,
) {
    let size = usize::from(ranking.size);
    let of_size = sets.iter().filter(|(set, _)| set.len() == size);
    let cutting = of_size.clone().filter(|(_, load)| load.is_none());
    assert_eq!(ranking.first_cutting.as_ref(), cutting.clone().next().map(|(set, _)| *set));
    assert_eq!(ranking.cutting, cutting.count() as u64, "{name}");
    let whole = found.whole.as_ref().unwrap();
    let loads = of_size.filter_map(|&(set, load)| Some((load.as_ref()?, set)));
    let mut all: Vec<(&Rational, &Vec<u32>)> = loads.filter(|(load, _)| *load > whole).collect();
    all.sort_by_key(|(load, set)| (Reverse(*load), *set));
    let listed: Vec<_> = ranking.sets.iter().map(|one| (&one.peak.load, &one.peak.set)).collect();
    if ranking.sets.iter().all(|one| one.alike == 0) && found.counts.symmetric == 0 {
        assert_eq!(listed, all[..all.len().min(RANKED)], "{name}");
    }
    assert!(listed.is_sorted_by_key(|(load, set)| (Reverse(*load), *set)), "{name}");
    assert!(listed.iter().all(|one| all.contains(one)), "{name}");
    // Those that are equivalent to one that is listed are as bad.
    let last = if listed.len() < RANKED { whole } else { listed[RANKED - 1].0 };
    let above = all.iter().filter(|(load, _)| *load > last).count() as u64;
    let listed_above = ranking.sets.iter().filter(|one| one.peak.load > *last);
    assert_eq!(listed_above.map(|one| 1 + one.alike).sum::<u64>(), above, "{name}");
    let alike: u64 = ranking.sets.iter().map(|one| 1 + one.alike).sum();
    assert!(alike <= all.iter().filter(|(load, _)| *load >= last).count() as u64, "{name}");
    assert!(ranking.complete && ranking.others <= *last, "{name}");
}

/// What a set leaves, analysed as a network of its own.
struct Alone {
    /// `None` where nothing is left.
    left: Option<Instance>,
    lost: u64,
    /// The hosts that are cut off.
    apart: Vec<Host>,
    load: Rational,
}

impl Alone {
    fn of(instance: &Instance, Failures { elements, repair, .. }: &Failures, set: &[u32]) -> Self {
        let whole = &instance.topology;
        let mut cables: Vec<Cable> = Vec::new();
        for one in set {
            cables.extend(elements[*one as usize].cables.clone());
        }
        cables.sort_by_key(|cable| cable.links[0]);
        cables.dedup();
        let Some((left, lost)) = left(instance, repair, &cables) else {
            let apart = whole.host_numbers().collect();
            return Self { left: None, lost: 0, apart, load: Rational::ZERO };
        };
        let is_left = |host: Host| called(&left.topology, &whole.node(host).name).is_some();
        let apart = whole.host_numbers().filter(|host| !is_left(*host)).collect();
        let analysed = Analyse::of(Quantity::PermutationLoad).run(&left).unwrap();
        assert!(analysed.is_complete());
        Self { left: Some(left), lost, apart, load: analysed.lower().clone() }
    }

    /// Whether this is what was found at the worst.
    fn is(&self, whole: &Topology, peak: &Peak) {
        assert_eq!(self.load, peak.load, "{peak:?}");
        holds(whole, self.left.as_ref().unwrap(), peak);
    }
}

/// Compares what is found with every set analysed as a network of its own.
pub(super) fn compare(instance: &Instance, failures: &Failures) -> FailureSets {
    let Failures { elements, most, repair, .. } = failures;
    let whole = &instance.topology;
    let name = format!("{instance:?}, {most} of {} elements, {repair:?}", elements.len());
    let quiet = Progress::silent();
    let found = prove_failure_sets(instance, failures, false, &quiet, &mut |_| {}).unwrap();
    // Certificates state no tables, routings that are built anew, trees with several paths, and weights.
    let is_stated =
        *repair == Repair::None || (*repair == Repair::Ecmp && whole.weights().is_none());
    let is_proven = found.load.evidence == Evidence::Proven;
    let why = found.certificate.as_ref().err();
    assert!(is_proven || (why == Some(&NoCertificate::OtherRepair) && !is_stated), "{name}");
    let ranked = Failures { ranked: RANKED, ..failures.clone() };
    let ranked = failure_sets(instance, &ranked, &Progress::silent(), &mut |_| {}).unwrap();
    let sets = all_sets(u32::try_from(elements.len()).unwrap(), *most);
    assert_eq!(found.verdicts.len(), sets.len(), "{name}");
    let mut worst = Rational::ZERO;
    let mut loads = Vec::new();
    let mut cut_off = vec![0; whole.hosts()];
    for (set, verdict) in sets.iter().zip(&found.verdicts) {
        let one = Alone::of(instance, failures, set);
        for host in &one.apart {
            cut_off[*host as usize] += 1;
        }
        let losses = (verdict.cut_off as usize, verdict.lost);
        assert_eq!(losses, (one.apart.len(), one.lost), "{name} {set:?}");
        let (load, most) = (&one.load, found.whole.clone().unwrap().max(verdict.most.clone()));
        assert!(*load <= most && *load <= found.load.lower, "{name} {set:?}: {load} {verdict:?}");
        assert_ne!(verdict.by, Ground::Open);
        worst = worst.max(load.clone());
        loads.push(one.apart.is_empty().then(|| load.clone()));
        if let Ground::Symmetry(first) = verdict.by {
            assert_eq!(loads.last(), loads.get(first as usize), "{name} {set:?}");
        }
        let listed = ranked.rankings.iter().flat_map(|ranking| &ranking.sets);
        for listed in listed.filter(|listed| listed.peak.set == *set) {
            assert_eq!(listed.lost, one.lost, "{name}");
            one.is(whole, &listed.peak);
        }
        if let Some(peak) = found.peak.as_ref().filter(|peak| peak.set == *set) {
            one.is(whole, peak);
            if let Some(alone) = alone(instance, failures, peak, &Progress::silent()).unwrap() {
                assert_eq!(alone.permutation_load.exact(), Some(load));
            }
        }
    }
    for found in [&found, &ranked] {
        assert_eq!((found.load.exact(), found.complete), (Some(&worst), true), "{name}");
        assert_eq!(found.peak.is_some(), found.load.lower > *found.whole.as_ref().unwrap());
        assert_eq!(found.cut_off, cut_off, "{name}");
    }
    assert_eq!(ranked.rankings.len(), usize::from(*most));
    let sets: Vec<_> = sets.iter().zip(&loads).collect();
    for ranking in &ranked.rankings {
        are_the_first(&ranked, ranking, &sets, &name);
    }
    found
}

pub(super) fn every(instance: &Instance, unit: Unit, most: u8, repair: Repair) -> FailureSets {
    let elements = Element::all(&instance.topology, unit);
    compare(instance, &Failures { elements, most, repair, ranked: 0 })
}

const REPAIRS: [Repair; 3] = [Repair::None, Repair::Reroute, Repair::Ecmp];

#[test]
fn small_trees_agree_with_every_damaged_network() {
    for routing in ["dmodk", "omrmn", "random(seed=1)", "kpath(k=2)", "minhop"] {
        let instance = Instance::named("ft(4,2)", routing).unwrap();
        for repair in REPAIRS {
            every(&instance, Unit::Cable, 2, repair);
        }
        every(&instance, Unit::Switch, 2, Repair::Reroute);
    }
}

#[test]
fn networks_of_hosts_that_forward_agree_with_every_damaged_network() {
    for (file, most) in [("examples/ring.csv", 2), ("topologyzoo/Abilene.graphml", 1)] {
        let file = format!("instances/networks/{file}");
        let topology = import::topology(&file, &ImportOptions::default()).unwrap();
        let routing = routing::build("ecmp", &topology).unwrap();
        let instance = Instance::new(topology, routing).unwrap();
        for unit in [Unit::Cable, Unit::Switch] {
            for repair in REPAIRS {
                every(&instance, unit, most, repair);
            }
        }
    }
}

/// OpenSM's tables of a ring of five switches with up*/down* routing.
#[test]
fn tables_of_a_dump_agree_with_every_damaged_network() {
    let dump = |file| format!("instances/fabrics/ring5/{file}");
    let topology = import::topology(&dump("ibnetdiscover.out"), &ImportOptions::default()).unwrap();
    let tables = format!("lft:{}", dump("opensm-lfts.dump"));
    let routing = routing::build(&tables, &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    for repair in REPAIRS {
        every(&instance, Unit::Cable, 2, repair);
    }
}

#[test]
fn symmetry_settles_sets() {
    let instance = Instance::named("ft(4,2)", "ecmp").unwrap();
    let found = every(&instance, Unit::Cable, 2, Repair::Ecmp);
    let symmetric = found.counts.symmetric;
    // By hand: no cable; one; two at a leaf, at a root, or apart in one of two ways. Sets that cut a leaf off stand
    // alone.
    assert!(symmetric >= 20, "{symmetric}");
}

#[test]
fn a_stop_leaves_bounds_on_both_sides() {
    for (tree, routing, most) in [("ft(4,2)", "random(seed=1)", 2), ("ft(8,2)", "osrm2", 1)] {
        let instance = Instance::named(tree, routing).unwrap();
        let elements = Element::all(&instance.topology, Unit::Cable);
        let failures = Failures { elements, most, repair: Repair::Reroute, ranked: 2 };
        let mut told = 0;
        let mut count = |_: &FailureSets| told += 1;
        let all = failure_sets(&instance, &failures, &Progress::silent(), &mut count).unwrap();
        for last in 2..told {
            let stop = Stop::default();
            let progress = Progress::silent().stopped_by(stop.clone());
            let mut told = 0;
            let mut keep = |found: &FailureSets| {
                are_bounds(found, &all);
                told += 1;
                if told == last {
                    stop.request();
                }
            };
            let stopped = failure_sets(&instance, &failures, &progress, &mut keep).unwrap();
            assert!(told >= last && !(last == 2 && stopped.complete));
            are_bounds(&stopped, &all);
        }
    }
}

/// Whether what is known of sets before all are is true of them.
fn are_bounds(known: &FailureSets, all: &FailureSets) {
    assert!(known.load.lower <= all.load.lower && known.load.upper >= all.load.upper);
    for (known, ranking) in known.rankings.iter().zip(&all.rankings) {
        assert!(!known.complete || known.sets == ranking.sets);
        let mut others = ranking.sets.iter().filter(|one| !known.sets.contains(one));
        assert!(others.all(|one| one.peak.load <= known.others));
    }
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn larger_networks_agree_with_every_damaged_network() {
    let named = |(topology, routing)| Instance::named(topology, routing).unwrap();
    let trees = ["ft(4,3)", "eft2(8,4)", "xgft(2;4,8;1,2)"];
    let trees = trees.into_iter().flat_map(|tree| {
        ["dmodk", "omrmn", "random(seed=1)", "minhop"].map(move |routing| (tree, routing))
    });
    let backbones = ["topologyzoo/Abilene.graphml", "topologyzoo/Sprint.graphml"].map(|file| {
        let file = format!("instances/networks/{file}");
        let topology = import::topology(&file, &ImportOptions::default()).unwrap();
        let routing = routing::build("ecmp", &topology).unwrap();
        Instance::new(topology, routing).unwrap()
    });
    for instance in trees.map(named).chain(backbones) {
        for repair in REPAIRS {
            every(&instance, Unit::Cable, 2, repair.clone());
            every(&instance, Unit::Switch, 2, repair);
        }
    }
}

/// By hand: every link has a side of at most four hosts, and paths of the rule cross no link twice, so that no failure
/// leads to more than a load of 4.
#[test]
fn the_worst_two_cables_of_ft_4_3_are_known() {
    let instance = Instance::named("ft(4,3)", "dmodk").unwrap();
    let elements = Element::all(&instance.topology, Unit::Cable);
    let failures = Failures { elements, most: 2, repair: Repair::Reroute, ranked: 0 };
    let found = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(found.verdicts.len(), 1 + 32 + 32 * 31 / 2);
    assert_eq!(found.load.exact(), Some(&4.into()));
}
