//! The names that certificates use are the ones that the text defines.

use std::collections::BTreeSet;
use std::fs;

use routebound_networks::certificate::{self, Certificate, NetworkForm, RoutingForm};
use routebound_networks::routing::Digits;
use routebound_networks::spec::Spec;
use routebound_networks::{routing, topology};

use super::committed::certificates;

/// The names in the first column of the table of `NAMES.md` with this head.
fn defined(head: &str) -> BTreeSet<String> {
    let text = include_str!("../../../proof/src/certificate/NAMES.md");
    let rows = text[text.find(head).unwrap()..].lines().skip(2);
    let rows = rows.take_while(|row| row.starts_with('|'));
    let column = |row: &str| row.split('|').nth(1).unwrap().to_string();
    let specs = rows.map(column).collect::<String>();
    // Every other part of what is between ` and `.
    specs.split('`').skip(1).step_by(2).map(name).collect()
}

fn name(spec: &str) -> String {
    let end = spec.find('(').unwrap_or(spec.len());
    spec[..end].to_string()
}

#[test]
fn the_text_defines_all_that_is_generated_and_no_more() {
    let topologies = topology::KINDS.iter().filter(|kind| kind.build.is_defined());
    assert_eq!(defined("| spec | tree"), topologies.map(|kind| kind.name.to_string()).collect());
    let routings = routing::KINDS.iter().filter(|kind| kind.build.defined);
    assert_eq!(defined("| spec | paths"), routings.map(|kind| kind.name.to_string()).collect());
    let mut by_digits =
        routing::KINDS.iter().filter(|kind| matches!(kind.build.digits, Digits::Rules(_)));
    assert!(by_digits.all(|kind| kind.build.defined));
}

#[test]
fn committed_certificates_name_what_is_defined() {
    let (topologies, routings) = (defined("| spec | tree"), defined("| spec | paths"));
    let mut used = BTreeSet::new();
    for path in certificates() {
        let certificate = certificate::read(fs::read(&path).unwrap().as_slice()).unwrap();
        let mut specs = Vec::new();
        if let NetworkForm::Named(spec) = certificate.network() {
            specs.push((spec.clone(), &topologies));
        }
        if let Certificate::WorstCase(certificate) = &certificate
            && let RoutingForm::Named(spec) = &certificate.routing
        {
            specs.push((spec.clone(), &routings));
        }
        for (spec, known) in specs {
            let spec = Spec::parse(&spec).unwrap();
            assert!(known.contains(&spec.name), "{}: {spec} is not defined", path.display());
            assert!(spec.path.is_none(), "{}: {spec} is a file", path.display());
            used.insert(spec.name);
        }
    }
    for wanted in ["kpath", "grid", "wsr", "eft2"] {
        assert!(used.contains(wanted), "{used:?}");
    }
}
