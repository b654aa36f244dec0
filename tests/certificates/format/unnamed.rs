//! Networks of families that `NAMES.md` does not define: certificates write them out and do not name them.

use routebound::assessment::Assess;
use routebound::certificate::{Certificate, NetworkForm, RoutingForm};
use routebound::generators::checker;
use routebound::routing::Instance;
use routebound::topology;

use super::judge_accepted;

/// The worst case of a routing on a network, as a certificate.
fn certificate(topology: &str, routing: &str) -> Certificate {
    let instance = Instance::named(topology, routing).unwrap();
    Assess::new().run(&instance).unwrap().certificate.unwrap()
}

/// All examples of families that are always written out.
fn examples() -> impl Iterator<Item = &'static str> {
    let kinds = topology::KINDS.iter().filter(|kind| !kind.build.is_defined());
    kinds.flat_map(|kind| kind.examples).copied()
}

/// Every second of all pairs of a network and one of five routings, in the full tier each.
#[test]
fn both_checkers_accept_networks_that_are_written_out() {
    let routings = ["omrmn", "ecmp", "minhop", "hash", "ksp(k=2)"];
    let pairs = examples().flat_map(|topology| routings.map(move |routing| (topology, routing)));
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    let mut texts = Vec::new();
    for (topology, routing) in pairs.step_by(step) {
        let found = certificate(topology, routing);
        assert!(matches!(found.network(), NetworkForm::Embedded(_)), "{routing} on {topology}");
        texts.push(found.to_string());
    }
    assert!(texts.len() >= 90 / step, "{}", texts.len());
    judge_accepted(texts);
}

#[test]
fn their_names_are_refused() {
    for topology in examples() {
        let Certificate::WorstCase(mut found) = certificate(topology, "ecmp") else {
            panic!("{topology}")
        };
        found.network = NetworkForm::Named(topology.to_string());
        found.routing = RoutingForm::Named("ecmp".to_string());
        let refusal = checker::check(&Certificate::WorstCase(found)).unwrap_err().to_string();
        let family = topology.split('(').next().unwrap();
        assert!(refusal.contains(&format!("certificates write `{family}` out")), "{refusal}");
    }
}
