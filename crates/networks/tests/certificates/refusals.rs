//! Certificates: accepted as written, refused for every possible reason, and never accepted when
//! they claim something wrong.

mod claims;
mod instances;
mod texts;

use routebound_networks::certificate::{
    self, Certificate, EmbeddedNetwork, NetworkForm, NextLink, PathRecord, RoutingForm,
    WorstCaseCertificate,
};
use routebound_networks::embed;
use routebound_networks::generators::checker::{Refusal, check};
use routebound_networks::progress::Progress;
use routebound_networks::routing::Instance;

use super::example;

/// The worst case of the instance in `examples.txt`, with a cover for every link.
pub fn certify(topology: &str, routing: &str, written_out: bool) -> WorstCaseCertificate {
    let Certificate::WorstCase(mut certificate) = example(topology, routing) else {
        panic!("a worst case")
    };
    if written_out {
        let instance = Instance::named(topology, routing).unwrap();
        certificate.network = embed::network(instance.topology());
        certificate.routing = embed::routing(&instance, &Progress::silent()).unwrap();
    }
    certificate
}

fn text(certificate: &WorstCaseCertificate) -> String {
    let mut bytes = Vec::new();
    certificate::write(&Certificate::WorstCase(certificate.clone()), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

pub fn refusal(certificate: &WorstCaseCertificate) -> Refusal {
    check(&Certificate::WorstCase(certificate.clone())).unwrap_err()
}

/// `ft(4,2)` under dmodk (next links) or smodk (listed paths), changed by `change`.
fn embedded(routing: &str, change: impl FnOnce(&mut WorstCaseCertificate)) -> WorstCaseCertificate {
    let mut certificate = certify("ft(4,2)", routing, true);
    change(&mut certificate);
    certificate
}

fn network(certificate: &mut WorstCaseCertificate) -> &mut EmbeddedNetwork {
    match &mut certificate.network {
        NetworkForm::Embedded(network) => network,
        NetworkForm::Named(_) => panic!("embedded"),
    }
}

pub fn paths(certificate: &mut WorstCaseCertificate) -> &mut Vec<PathRecord> {
    match &mut certificate.routing {
        RoutingForm::Paths(paths) => paths,
        _ => panic!("S-mod-k has no next links"),
    }
}

fn next(certificate: &mut WorstCaseCertificate, node: u32) -> &mut Vec<NextLink> {
    match &mut certificate.routing {
        RoutingForm::Next(rows) => &mut rows.iter_mut().find(|row| row.0 == node).unwrap().1,
        _ => panic!("D-mod-k has next links"),
    }
}
