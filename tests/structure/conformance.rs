//! Every registered routing on every registered topology keeps the promises of the trait.
//!
//! A routing may refuse a topology, but it has to fit one of the examples.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use routebound::import::{self, ImportOptions};
use routebound::progress::Progress;
use routebound::routing::{self, Instance, Routing, RoutingError};
use routebound::topology::{self, LinkId, Topology, sd_pairs};

fn examples() -> Vec<Topology> {
    let specs = topology::KINDS.iter().flat_map(|kind| kind.examples);
    let generated = specs.map(|spec| topology::generate(spec).unwrap());
    let paths = import::KINDS.iter().flat_map(|kind| kind.examples);
    let imported = paths.map(|path| import::topology(path, &ImportOptions::default()).unwrap());
    generated.chain(imported).collect()
}

/// The library's own check, and that no path is given twice.
fn check(topology: &Topology, routing: Box<dyn Routing>) -> Instance {
    let instance = Instance::trusted(topology.clone(), routing);
    let place = format!("{instance:?}");
    assert_eq!(instance.check_paths(&Progress::silent()), Ok(()), "{place}");
    for (s, d) in sd_pairs(topology.hosts()) {
        let mut paths = Vec::new();
        // Contents on entry do not matter.
        let mut scratch = vec![LinkId::MAX; 3];
        let routing = instance.routing();
        routing.for_each_path(s, d, &mut scratch, &mut |_, links| paths.push(links.to_vec()));
        let count = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), count, "{place}: a path of {s} -> {d} is given twice");
    }
    instance
}

/// Builds the routing and runs the checks; false when it does not fit.
fn conforms(topology: &Topology, spec: &str) -> bool {
    match routing::build(spec, topology) {
        Ok(routing) => {
            let instance = check(topology, routing);
            let own = instance.routing().spec();
            let again = routing::build(own, topology).unwrap();
            assert_eq!(again.spec(), own, "the canonical spec is a fixed point");
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
