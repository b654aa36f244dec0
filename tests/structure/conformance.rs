//! Every registered routing on every registered topology keeps the promises of the trait.
//!
//! A routing may refuse a topology, but it has to fit one of the examples.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use routebound::import::{self, ImportOptions};
use routebound::ratio::Ratio;
use routebound::routing::{self, Routing, RoutingError};
use routebound::topology::{self, Host, LinkId, NodeId, Topology};

fn examples() -> Vec<Topology> {
    let specs = topology::KINDS.iter().flat_map(|kind| kind.examples);
    let generated = specs.map(|spec| topology::generate(spec).unwrap());
    let paths = import::KINDS.iter().flat_map(|kind| kind.examples);
    let imported = paths.map(|path| import::topology(path, &ImportOptions::default()).unwrap());
    generated.chain(imported).collect()
}

/// The node that the links lead to from `s`, when each starts where the last one ended.
fn end_of(topology: &Topology, s: Host, links: &[LinkId]) -> Option<NodeId> {
    links.iter().try_fold(s, |node, link| {
        topology.ends(*link).filter(|(from, _)| *from == node).map(|(_, to)| to)
    })
}

fn check_pair(topology: &Topology, routing: &dyn Routing, s: Host, d: Host) {
    let place = || format!("{} on {}: {s} -> {d}", routing.spec(), topology.spec());
    let (mut paths, mut shares) = (Vec::new(), Vec::new());
    // Contents on entry do not matter.
    let mut scratch = vec![LinkId::MAX; 3];
    routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
        paths.push(links.to_vec());
        shares.push(share.clone());
    });
    assert!(shares.iter().all(|share| !share.is_zero()), "{}", place());
    assert_eq!(shares.iter().sum::<Ratio>(), Ratio::ONE, "{}", place());
    assert!(!routing.is_single_path() || paths.len() == 1, "{}", place());
    for path in &paths {
        assert_eq!(end_of(topology, s, path), Some(d), "{}: {path:?}", place());
        assert!(path.len() <= 2 * topology.nodes(), "{}", place());
    }
    let count = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), count, "{}: a path is given twice", place());
}

fn check(topology: &Topology, routing: &dyn Routing) {
    let hosts = topology.hosts() as Host;
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            check_pair(topology, routing, s, d);
        }
    }
}

/// Builds the routing and runs the checks; false when it does not fit.
fn conforms(topology: &Topology, spec: &str) -> bool {
    match routing::build(spec, topology) {
        Ok(routing) => {
            check(topology, routing.as_ref());
            let again = routing::build(routing.spec(), topology).unwrap();
            assert_eq!(again.spec(), routing.spec(), "the canonical spec is a fixed point");
            true
        }
        Err(RoutingError::DoesNotFit { reason, .. }) => {
            assert!(!reason.is_empty());
            false
        }
        Err(error) => panic!("{spec} on {}: {error}", topology.spec()),
    }
}

#[test]
fn every_routing_joins_every_pair_on_every_topology_that_it_fits() {
    let topologies = examples();
    for kind in routing::KINDS {
        assert!(!kind.examples.is_empty(), "{} has no example", kind.name);
        for spec in kind.examples {
            let fits = topologies.iter().filter(|topology| conforms(topology, spec)).count();
            assert!(fits > 0, "{spec} fits no example topology");
        }
    }
}

#[test]
fn names_are_distinct_and_usages_start_with_them() {
    for (index, kind) in routing::KINDS.iter().enumerate() {
        assert!(kind.usage.starts_with(kind.name), "{}", kind.name);
        assert!(routing::KINDS[..index].iter().all(|other| other.name != kind.name));
    }
}
