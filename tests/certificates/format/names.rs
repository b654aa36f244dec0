//! The names that certificates use are the ones that the text defines.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use routebound::certificate::{self, Certificate, NetworkForm, RoutingForm};
use routebound::routing::Digits;
use routebound::spec::Spec;
use routebound::{routing, topology};

/// Every certificate below a folder of the project.
pub fn committed() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("results"), root.join("instances")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "cert") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The names in the first column of the table of `NAMES.md` with this head.
fn defined(head: &str) -> BTreeSet<String> {
    let text = include_str!("../../../crates/proof/src/certificate/NAMES.md");
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
    let topologies = topology::KINDS.iter().map(|kind| kind.name.to_string());
    assert_eq!(defined("| spec | tree"), topologies.collect());
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
    for path in committed() {
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
