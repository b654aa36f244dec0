//! The worst load over all sets of failures, against every damaged network analysed as a whole.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;

use routebound::certificate::Quantity;
use routebound::failure::{self, Cable, FailureError};
use routebound::failure_sets::{
    Element, FailureSets, Failures, Ground, Peak, Repair, Unit, alone, failure_sets,
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

/// Compares what is found with every set analysed as a network of its own.
pub(super) fn compare(instance: &Instance, failures: &Failures) -> FailureSets {
    let Failures { elements, most, repair } = failures;
    let whole = &instance.topology;
    let name = format!("{instance:?}, {most} of {} elements, {repair:?}", elements.len());
    let found = failure_sets(instance, failures, &Progress::silent(), &mut |_| {}).unwrap();
    let sets = all_sets(u32::try_from(elements.len()).unwrap(), *most);
    assert_eq!(found.verdicts.len(), sets.len(), "{name}");
    let mut worst = Rational::ZERO;
    let mut cut_off = vec![0; whole.hosts()];
    for (set, verdict) in sets.iter().zip(&found.verdicts) {
        let mut cables: Vec<Cable> = Vec::new();
        for one in set {
            cables.extend(elements[*one as usize].cables.clone());
        }
        cables.sort_by_key(|cable| cable.links[0]);
        cables.dedup();
        let Some((left, lost)) = left(instance, repair, &cables) else {
            assert_eq!(
                (verdict.cut_off as usize, verdict.lost),
                (whole.hosts(), 0),
                "{name} {set:?}"
            );
            for sets in &mut cut_off {
                *sets += 1;
            }
            continue;
        };
        let is_left = |host: Host| called(&left.topology, &whole.node(host).name).is_some();
        let apart: Vec<Host> = whole.host_numbers().filter(|host| !is_left(*host)).collect();
        for host in &apart {
            cut_off[*host as usize] += 1;
        }
        assert_eq!((verdict.cut_off as usize, verdict.lost), (apart.len(), lost), "{name} {set:?}");
        let analysed = Analyse::of(Quantity::PermutationLoad).run(&left).unwrap();
        assert!(analysed.is_complete());
        let load = analysed.lower();
        let most = found.whole.clone().unwrap().max(verdict.most.clone());
        assert!(*load <= most && *load <= found.load.lower, "{name} {set:?}: {load} {verdict:?}");
        assert_ne!(verdict.by, Ground::Open);
        worst = worst.max(load.clone());
        if let Some(peak) = found.peak.as_ref().filter(|peak| peak.set == *set) {
            assert_eq!(*load, peak.load, "{name}");
            holds(whole, &left, peak);
            if let Some(alone) = alone(instance, failures, peak, &Progress::silent()).unwrap() {
                assert_eq!(alone.exact(), Some(load));
            }
        }
    }
    assert_eq!(found.load.exact(), Some(&worst), "{name}");
    assert!(found.complete);
    assert_eq!(found.peak.is_some(), found.load.lower > found.whole.clone().unwrap(), "{name}");
    assert_eq!(found.cut_off, cut_off, "{name}");
    found
}

pub(super) fn every(instance: &Instance, unit: Unit, most: u8, repair: Repair) -> FailureSets {
    let elements = Element::all(&instance.topology, unit);
    compare(instance, &Failures { elements, most, repair })
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

#[test]
fn symmetry_settles_sets() {
    let instance = Instance::named("ft(4,2)", "ecmp").unwrap();
    let found = every(&instance, Unit::Cable, 2, Repair::Ecmp);
    let symmetric = found.count(|verdict| matches!(verdict.by, Ground::Symmetry(_)));
    // By hand: no cable; one; two at a leaf, at a root, or apart in one of two ways. Sets that cut a leaf off stand
    // alone.
    assert!(symmetric >= 20, "{symmetric}");
}

#[test]
fn a_stop_leaves_bounds_on_both_sides() {
    let instance = Instance::named("ft(4,2)", "random(seed=1)").unwrap();
    let elements = Element::all(&instance.topology, Unit::Cable);
    let failures = Failures { elements, most: 2, repair: Repair::Reroute };
    let all = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {}).unwrap();
    let stop = Stop::default();
    let progress = Progress::silent().stopped_by(stop.clone());
    let mut told = 0;
    let stopped = failure_sets(&instance, &failures, &progress, &mut |found| {
        assert!(found.load.lower <= all.load.lower && found.load.upper >= all.load.upper);
        told += 1;
        if told == 2 {
            stop.request();
        }
    });
    let stopped = stopped.unwrap();
    assert!(!stopped.complete && told == 2);
    assert!(stopped.load.lower <= all.load.lower && stopped.load.upper >= all.load.upper);
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
    let failures = Failures { elements, most: 2, repair: Repair::Reroute };
    let found = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(found.verdicts.len(), 1 + 32 + 32 * 31 / 2);
    assert_eq!(found.load.exact(), Some(&4.into()));
}
