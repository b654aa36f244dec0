//! Dumps of fabrics whose shape is known from their generator.

use routebound::import::{ImportOptions, topology};
use routebound::topology::{Xgft, generate};

use super::{check_paths, dump, import};

/// Folder, and the shape that the arguments of its generator name; `None` for fabrics with
/// cables or hosts missing.
const FABRICS: &[(&str, Option<&str>)] = &[
    ("ft4x2", Some("ft(4,2)")),
    ("ft8x2", Some("ft(8,2)")),
    ("ft16x2", Some("ft(16,2)")),
    ("ft4x3", Some("ft(4,3)")),
    ("ft8x3", Some("ft(8,3)")),
    ("ft16x3", Some("ft(16,3)")),
    ("xgft2_8-8_1-4", Some("xgft(2;8,8;1,4)")),
    // Four tops with two cables to every leaf: eight tops of the shape.
    ("pgft2_8-4_1-4_1-2", Some("xgft(2;8,4;1,8)")),
    ("ft8x2_minus2", None),
    ("ft8x3_messy", None),
];

#[test]
fn generated_fabrics_have_the_shapes_that_were_asked_for() {
    let mut found = 0;
    for (folder, spec) in FABRICS {
        for run in ["ftree", "updn", "minhop_lmc2"] {
            let names = ["ibnetdiscover.out", "ibnetdiscover.out.gz"];
            let files = names.iter().filter_map(|name| dump(&format!("{folder}/{run}/{name}")));
            for file in files {
                let options = ImportOptions::default();
                let fabric = topology(file.to_str().unwrap(), &options).unwrap();
                let shape = fabric.tree().map(Xgft::shape);
                let wanted = spec.map(|spec| generate(spec).unwrap().tree().unwrap().shape());
                assert_eq!(shape, wanted, "{folder}: {:?}", fabric.no_tree());
                found += 1;
            }
        }
    }
    // Those among the instances: ft8x2, ft8x3 twice, ft8x3_messy and pgft.
    assert!(found >= 5, "{found} dumps");
}

/// The LIDs of this fabric are in the order of its labels, so no number changes.
#[test]
fn a_regular_fabric_is_the_generated_tree_link_by_link() {
    let fabric = import("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz");
    let tree = generate("ft(8,3)").unwrap();
    assert_eq!(fabric.tree(), tree.tree());
    for link in tree.link_numbers() {
        assert_eq!(fabric.link_name(link), tree.link_name(link));
    }
    assert!(!fabric.is_named_tree() && tree.is_named_tree());
}

#[test]
fn a_fabric_with_cables_missing_says_which_switch_differs() {
    let fabric = import("instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz");
    let reason = fabric.no_tree().unwrap().to_string();
    assert!(reason.contains("of the same level has"), "{reason}");
}

#[test]
fn all_paths_lead_there() {
    check_paths(&import("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out"));
    check_paths(&import("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out"));
}
