//! The certificates that the tests of `routebound-networks` change are what analyses write.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::path::Path;

use routebound::assessment::assess_by_digits;
use routebound::by_digits::ByDigits;
use routebound::certificate::{Certificate, NetworkForm, RoutingForm};
use routebound::routing::Instance;
use routebound::topology::{Topology, Xgft};
use routebound::worst_case::{analyse, prove};

use crate::written_out::transcript::is_update;

/// With a cover for every link, even where the ends of links would do: the network is analysed without its labels.
fn worst_case(topology: &str, routing: &str) -> Certificate {
    let instance = Instance::named(topology, routing).unwrap();
    let full = instance.topology().tree().is_some_and(Xgft::full_bisection);
    let analysed = if full { without_labels(&instance) } else { instance };
    let proof = prove(&analysed, &analyse(&analysed).unwrap());
    let (network, routing) =
        (NetworkForm::Named(topology.into()), RoutingForm::Named(routing.into()));
    Certificate::WorstCase(proof.certificate(network, routing).unwrap())
}

fn without_labels(instance: &Instance) -> Instance {
    let (topology, routing) = instance.clone().into_parts();
    Instance::trusted(Topology::new("plain".into(), topology.graph().clone()).unwrap(), routing)
}

fn by_digits(topology: &str, routing: &str) -> Certificate {
    assess_by_digits(&ByDigits::named(topology, routing).unwrap()).unwrap().certificate.unwrap()
}

#[test]
fn they_are_what_analyses_write() {
    let path = "crates/networks/tests/certificates/examples.txt";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let committed = fs::read_to_string(&path).unwrap();
    let written = committed.split_inclusive("\nend\n").map(|text| {
        let name = |record: &str| text.lines().find_map(|line| line.strip_prefix(record)).unwrap();
        let analyse = if text.contains("\nbusiest ") { by_digits } else { worst_case };
        analyse(name("topology "), name("routing ")).to_string()
    });
    let written: String = written.collect();
    if is_update() {
        return fs::write(path, written).unwrap();
    }
    assert_eq!(committed, written);
}
