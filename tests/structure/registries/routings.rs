//! Routings: paths join their pairs, shares sum to 1, the seed matters and threads do not.
//!
//! A routing may refuse a network, but it has to fit one of the examples.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::{self, Build, Family, Instance, Routing, RoutingError};
use routebound::spec::Spec;
use routebound::topology::{self, Host, LinkId, Topology, sd_pairs};

use super::{
    Verdict, assert_found, differ, ensure, ensure_same, networks, on_threads, with_option,
};

/// The paths of a pair with their shares.
type Paths = Vec<(Rational, Vec<LinkId>)>;

fn paths(routing: &dyn Routing, s: Host, d: Host) -> Paths {
    let mut paths = Vec::new();
    // Contents on entry do not matter.
    let mut scratch = vec![LinkId::MAX; 3];
    routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
        paths.push((share.clone(), links.to_vec()));
    });
    paths
}

fn all_paths(routing: &dyn Routing, topology: &Topology) -> Vec<Paths> {
    let pairs: Vec<(Host, Host)> = sd_pairs(topology.hosts()).collect();
    pairs.into_par_iter().map(|(s, d)| paths(routing, s, d)).collect()
}

/// What the library itself checks of outside routings, and that no path is given twice.
fn check_all(topology: &Topology, routing: Box<dyn Routing>) -> Verdict {
    let instance = Instance::trusted(topology.clone(), routing);
    instance.check_paths(&Progress::silent()).map_err(|error| error.to_string())?;
    for (s, d) in sd_pairs(topology.hosts()) {
        let paths = paths(instance.routing(), s, d);
        let mut links: Vec<&Vec<LinkId>> = paths.iter().map(|(_, links)| links).collect();
        links.sort();
        let is_new = links.windows(2).all(|two| two[0] != two[1]);
        ensure(is_new, || format!("a path of {s} -> {d} is given twice"))?;
    }
    Ok(())
}

/// Builds the routing and checks its paths; false when it does not fit.
fn conforms(kind: &Kind<Family>, spec: &str, topology: &Topology) -> Result<bool, String> {
    let place = |problem: String| format!("{spec} on {}: {problem}", topology.spec());
    let routing = match build(kind, spec, topology) {
        Ok(routing) => routing,
        Err(RoutingError::DoesNotFit { reason, .. }) => {
            ensure(!reason.is_empty(), || place("refused without a reason".into()))?;
            return Ok(false);
        }
        Err(error) => return Err(place(error.to_string())),
    };
    let own = routing.spec().to_string();
    check_all(topology, routing).map_err(place)?;
    let again = build(kind, &own, topology).map_err(|e| place(e.to_string()))?;
    ensure(again.spec() == own, || place("its spec is not canonical".into()))?;
    let found = [1, 4].map(|threads| {
        let built = on_threads(threads, || {
            let routing = build(kind, spec, topology).ok()?;
            Some(all_paths(&*routing, topology))
        });
        built.unwrap_or_default()
    });
    ensure_same(&found, || place("built twice, on 1 and 4 threads, the paths differ".into()))?;
    Ok(true)
}

fn build(
    kind: &Kind<Family>,
    spec: &str,
    topology: &Topology,
) -> Result<Box<dyn Routing>, RoutingError> {
    (kind.build.build)(&Spec::parse(spec)?.checked(kind.usage)?, topology)
}

/// Whether some example, or the name alone, gives other paths for other seeds.
fn check_seed(kind: &Kind<Family>, topologies: &[Topology]) -> Verdict {
    let seeds = ["1", "2", "3", "4"];
    let of_seeds = |example: &str, topology: &Topology| -> Vec<Vec<Paths>> {
        let specs = seeds.map(|seed| with_option(example, "seed", seed).to_string());
        let built = specs.iter().filter_map(|spec| build(kind, spec, topology).ok());
        built.map(|routing| all_paths(&*routing, topology)).collect()
    };
    let mut specs = kind.examples.iter().chain([&kind.name]);
    let matters =
        specs.any(|example| topologies.iter().any(|topology| differ(&of_seeds(example, topology))));
    ensure(matters || !kind.takes("seed"), || format!("{}: the seed changes nothing", kind.name))
}

/// More hosts than this only have networks for routings that fit no smaller one: these are of files.
const HOSTS: usize = if cfg!(feature = "slow-tests") { 1 << 20 } else { 40 };

fn check(kind: &Kind<Family>, topologies: &[Topology]) -> Verdict {
    for spec in kind.examples {
        let mut fits = 0;
        for topology in topologies {
            if fits == 0 || topology.hosts() <= HOSTS {
                fits += usize::from(conforms(kind, spec, topology)?);
            }
        }
        ensure(fits > 0, || format!("{spec} fits no example topology"))?;
    }
    let path = |spec: &str| Spec::parse(spec).is_ok_and(|spec| spec.path.is_some());
    ensure(kind.examples.iter().all(|spec| path(spec) == kind.takes_path()), || {
        format!("{}: usage and examples differ in whether it takes a path", kind.name)
    })?;
    check_seed(kind, topologies)
}

#[test]
fn every_routing_joins_every_pair_on_every_topology_that_it_fits() {
    let mut topologies = networks();
    topologies.sort_by_key(Topology::hosts);
    for kind in routing::KINDS {
        assert_eq!(check(kind, &topologies), Ok(()));
    }
}

/// A routing that is right but for what `change` does to the paths of a pair.
struct Changed {
    right: Box<dyn Routing>,
    spec: String,
    change: fn(Host, Host, Paths) -> Paths,
}

impl Routing for Changed {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.right.is_single_path()
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        _: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        for (share, links) in (self.change)(s, d, paths(&*self.right, s, d)) {
            visit(&share, &links);
        }
    }
}

fn changed(
    topology: &Topology,
    spec: impl Into<String>,
    change: fn(Host, Host, Paths) -> Paths,
) -> Result<Box<dyn Routing>, RoutingError> {
    let right = routing::build("random(seed=1)", topology)?;
    Ok(Box::new(Changed { right, spec: spec.into(), change }))
}

/// What the check says of an entry like `random` that is built so.
fn verdict(build: Build) -> Verdict {
    let right = routing::KINDS.iter().find(|kind| kind.name == "random").unwrap();
    let topologies = ["ft(4,2)", "kary(2,3)"].map(|spec| topology::generate(spec).unwrap());
    check(&Kind { build: Family { build, ..right.build }, ..*right }, &topologies)
}

static CALLS: AtomicU64 = AtomicU64::new(0);

#[test]
fn planted_bugs_are_found() {
    assert_eq!(verdict(|spec, topology| routing::build(&spec.to_string(), topology)), Ok(()));
    let deaf = verdict(|spec, topology| {
        let seed = spec.option("seed").unwrap_or("1");
        changed(topology, format!("random(seed={seed})"), |_, _, paths| paths)
    });
    assert_found(deaf, "the seed changes nothing");
    let short = verdict(|_, topology| {
        changed(topology, "random(seed=1)", |_, _, mut paths| {
            paths[0].1.pop();
            paths
        })
    });
    assert_found(short, "a path ends at");
    let swapped = verdict(|_, topology| {
        changed(topology, "random(seed=1)", |_, _, mut paths| {
            paths[0].1.reverse();
            paths
        })
    });
    assert_found(swapped, "does not begin at");
    let half = verdict(|_, topology| {
        changed(topology, "random(seed=1)", |s, _, mut paths| {
            paths[0].0 = Rational::new(1, if s == 3 { 2 } else { 1 }).unwrap();
            paths
        })
    });
    assert_found(half, "the shares of the paths sum to 1/2");
    let two = verdict(|_, topology| {
        changed(topology, "random(seed=1)", |_, _, paths| {
            let half = Rational::new(1, 2).unwrap();
            vec![(half.clone(), paths[0].1.clone()), (half, paths[0].1.clone())]
        })
    });
    assert_found(two, "calls itself single-path");
    // The first path once more, with a share of the first one's.
    let again = verdict(|spec, topology| {
        let right = routing::build("omrmn", topology)?;
        let change = |_, _, mut paths: Paths| {
            let (share, links) = paths[0].clone();
            let half = share.checked_div(&2.into()).unwrap();
            paths[0].0 = half.clone();
            paths.push((half, links));
            paths
        };
        Ok(Box::new(Changed { right, spec: spec.to_string(), change }))
    });
    assert_found(again, "is given twice");
    let none = verdict(|_, topology| changed(topology, "random(seed=1)", |_, _, _| Vec::new()));
    assert_found(none, "the shares of the paths sum to 0");
    let moody = verdict(|spec, topology| {
        let seed = CALLS.fetch_add(1, Ordering::Relaxed);
        let right = routing::build(&format!("random(seed={seed})"), topology)?;
        let spec = format!("random(seed={})", spec.option("seed").unwrap_or("1"));
        Ok(Box::new(Changed { right, spec, change: |_, _, paths| paths }))
    });
    assert_found(moody, "on 1 and 4 threads, the paths differ");
    let renamed = verdict(|spec, topology| {
        changed(
            topology,
            format!("{}(seed={})", spec.name, CALLS.fetch_add(1, Ordering::Relaxed)),
            |_, _, paths| paths,
        )
    });
    assert_found(renamed, "its spec is not canonical");
    let refuses = verdict(|spec, topology| {
        Err(RoutingError::does_not_fit(spec, topology, "it fits nothing"))
    });
    assert_found(refuses, "fits no example topology");
}
