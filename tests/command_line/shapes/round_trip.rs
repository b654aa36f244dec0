//! A tree that is exported and read again has the labels that it had.

use routebound::export::EXPORTS;
use routebound::import::{ImportOptions, topology};
use routebound::registry;
use routebound::topology::{KINDS, generate};

/// The file that a tree is read from; it exists until this is dropped.
fn written(format: &str, spec: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let kind = registry::find(EXPORTS, "export", format).unwrap();
    (kind.build)(&generate(spec).unwrap(), &mut file).unwrap();
    file
}

#[test]
fn every_format_keeps_the_labels() {
    let specs = KINDS.iter().flat_map(|kind| kind.examples.iter().copied());
    let specs = specs.filter(|spec| generate(spec).unwrap().plain_tree().is_some());
    for spec in specs.chain(["ft(8,3)", "xgft(3;2,3,2;2,1,3)", "xgft(2;4,1;1,2)"]) {
        let tree = generate(spec).unwrap();
        for format in ["graphml", "json", "dot", "ibsim"] {
            let file = written(format, spec);
            let options = ImportOptions { unit_capacity: format == "ibsim", ..Default::default() };
            let network = topology(file.path().to_str().unwrap(), &options).unwrap();
            // A net file has a host for every port of an adapter.
            if format == "ibsim" && tree.tree().unwrap().parents(1) > 1 {
                continue;
            }
            assert_eq!(network.tree(), tree.tree(), "{spec} as {format}");
            for link in tree.link_numbers() {
                assert_eq!(network.link_name(link), tree.link_name(link), "{spec} as {format}");
            }
        }
    }
}
