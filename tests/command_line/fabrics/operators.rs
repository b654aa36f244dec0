//! What `fabric` says about every fabric here: its shape, its damage, the use of its links.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use routebound::fabric::{Difference, Rails, Shape, Sources, Usage, speeds};
use routebound::progress::Progress;
use routebound::routing::{self, Instance};
use routebound::topology::Topology;

use super::{collection, file, import, root};
use crate::program::run;

/// Shape, number of differences, and whether it is irregular.
fn shape(fabric: &Topology) -> (String, usize, bool) {
    let Shape { tree, differences, irregular, .. } = Shape::of(fabric).unwrap();
    (tree.map_or_else(String::new, |tree| tree.to_string()), differences.len(), irregular.is_some())
}

/// The shape of every fabric by the name of its folder.
const SHAPES: &[(&str, &str, usize)] = &[
    ("ft4x2", "ft(4,2)", 0),
    ("ft8x2", "ft(8,2)", 0),
    ("ft16x2", "ft(16,2)", 0),
    ("ft36x2", "ft(36,2)", 0),
    ("ft4x3", "ft(4,3)", 0),
    ("ft8x3", "ft(8,3)", 0),
    ("ft8x3_natguid", "ft(8,3)", 0),
    ("ft16x3", "ft(16,3)", 0),
    ("ft8x2_minus2", "ft(8,2)", 2),
    // Eight cables, and four leaf switches without one or two hosts.
    ("ft8x3_messy", "ft(8,3)", 12),
    ("xgft2_8-8_1-4", "xgft(2;8,8;1,4)", 0),
    ("pgft2_8-4_1-4_1-2", "pgft(2;8,4;1,4;1,2)", 0),
    ("ndr542", "pgft(2;18,31;1,9;1,2)", 32),
];

/// The networks of a folder of fabrics: a file of its own, or one for every engine.
fn networks(folder: &Path) -> Vec<String> {
    let engines = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let folders = [folder.to_path_buf()].into_iter().chain(engines.filter(|path| path.is_dir()));
    folders.filter_map(|folder| file(&folder, "ibnetdiscover.out")).collect()
}

#[test]
fn every_shape_is_named() {
    let own = Some(root().join("instances/fabrics"));
    let mut seen = 0;
    for fabrics in [own, collection("fabrics")].into_iter().flatten() {
        for (name, wanted, differences) in SHAPES {
            let Some(folder) = Some(fabrics.join(name)).filter(|folder| folder.is_dir()) else {
                continue;
            };
            for network in networks(&folder) {
                let expected = ((*wanted).to_string(), *differences, false);
                assert_eq!(shape(&import(&network)), expected, "{network}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 12, "{seen}");
}

#[test]
fn the_damage_of_the_collection_is_listed_exactly() {
    let Some(folder) = collection("fabrics/ft8x2_minus2") else { return };
    for network in networks(&folder) {
        let fabric = import(&network);
        let missing: Vec<(String, String, u32)> = Shape::of(&fabric)
            .unwrap()
            .differences
            .iter()
            .map(|difference| match difference {
                Difference::MissingCables { child, parent, missing, present: 0 } => {
                    let name = |node: u32| fabric.node(node).name.clone();
                    (name(*child), name(*parent), *missing)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        let cable = |a: &str, b: &str| (a.to_string(), b.to_string(), 1);
        assert_eq!(missing, [cable("sw-1-0", "sw-2-0"), cable("sw-1-3", "sw-2-2")], "{network}");
    }
}

/// The numbers of another program that followed the same tables, without LMC.
#[test]
fn the_use_of_links_is_that_of_an_independent_program() {
    let own = Some(root().join("instances/fabrics"));
    let others = collection("fabrics").filter(|_| cfg!(feature = "slow-tests"));
    let mut seen = 0;
    for fabrics in [own, others].into_iter().flatten() {
        for folder in engines(&fabrics) {
            let Ok(text) = std::fs::read_to_string(folder.join("verify.json")) else { continue };
            let known: serde_json::Value = serde_json::from_str(&text).unwrap();
            let (Some(network), Some(tables)) =
                (file(&folder, "ibnetdiscover.out"), file(&folder, "opensm-lfts.dump"))
            else {
                continue;
            };
            if known["lmc"] != 0 {
                continue;
            }
            compare(&network, &tables, &known);
            seen += 1;
        }
    }
    assert!(seen >= 7, "{seen}");
}

fn engines(fabrics: &Path) -> Vec<PathBuf> {
    let folders = |folder: &Path| {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    folders(fabrics).iter().flat_map(|folder| folders(folder)).collect()
}

fn compare(network: &str, tables: &str, known: &serde_json::Value) {
    let fabric = import(network);
    let routing = routing::build(&format!("lft:{tables}"), &fabric).unwrap();
    let instance = Instance::new(fabric, routing).unwrap();
    let usage = Usage::of(&instance, &Progress::silent()).unwrap();
    let levels = usage.by_level(instance.topology());
    let between: Vec<_> = levels.iter().filter(|level| level.level > 1).collect();
    let unused: usize = between.iter().map(|level| level.unused).sum();
    let most = between.iter().map(|level| level.most_pairs).max().unwrap();
    let least = between.iter().map(|level| level.least_pairs).min().unwrap();
    assert_eq!(known["unused_links"], unused, "{tables}");
    assert_eq!(known["max_pairs"], most, "{tables}");
    assert_eq!(known["min_pairs"], least, "{tables}");
    // Hops to switches by table of the other program; all of its paths are shortest or longer.
    let hops = known["hops_histogram_sw_links"].as_object().unwrap();
    let pairs: u64 = hops.values().filter_map(serde_json::Value::as_u64).sum();
    let sum = |level: u8| levels.iter().filter(move |l| l.level == level).map(|l| l.sum_of_pairs);
    assert_eq!(sum(1).sum::<u64>(), 2 * pairs, "{tables}");
    let links: u64 =
        hops.iter().map(|(hops, n)| hops.parse::<u64>().unwrap() * n.as_u64().unwrap()).sum();
    assert_eq!(between.iter().map(|level| level.sum_of_pairs).sum::<u64>(), links, "{tables}");
}

#[test]
fn plafrim_has_three_speeds() {
    let plafrim = import(
        root()
            .join("instances/fabrics/plafrim/ib-subnet-fe80_0000_0000_0000.txt")
            .to_str()
            .unwrap(),
    );
    assert!(Shape::of(&plafrim).unwrap().irregular.is_some());
    let mut counts: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for speed in speeds(&plafrim) {
        let host = speed.level == 1 && !speed.flat;
        *counts.entry((host, speed.capacity.to_string())).or_default() += speed.cables.len();
    }
    let expected = [
        ((true, "1"), 92),
        ((true, "1/2"), 28),
        ((true, "1/4"), 5),
        ((false, "1"), 71),
        ((false, "1/2"), 4),
        ((false, "1/4"), 1),
    ];
    let expected = expected.map(|((host, speed), n)| ((host, speed.to_string()), n));
    assert_eq!(counts, expected.into());
}

#[test]
fn plafrim_2_is_a_tree_with_one_cable_missing() {
    let Some(folder) = collection("data/hwloc-netloc/plafrim2") else { return };
    let network = |subnet: u32| {
        let name = format!("ib-subnet-fe80_0000_0000_000{subnet}.txt");
        import(folder.join(name).to_str().unwrap())
    };
    assert_eq!(shape(&network(0)), ("pgft(2;24,5;1,2;1,6)".to_string(), 4, false));
    assert_eq!(shape(&network(1)), ("xgft(1;23;1)".to_string(), 0, false));
}

#[test]
fn dumps_are_rail_only_where_no_switch_joins_rails() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("fabric.graphml");
    for (spec, kind) in [
        ("rails(4,3)", "rail-only"),
        ("rails(2,3,pods=4,spines=1,top=rail)", "rail-only"),
        ("rails(4,3,spines=2,inner=0)", "rail-optimised"),
        ("rails(2,3,pods=2,spines=2)", "rail-optimised"),
    ] {
        let at = at.to_str().unwrap();
        run(["topo", spec, "--format", "graphml", "--output", at, "--force"]).expects(0);
        for network in [spec, at] {
            let line = ["fabric", network, "--unit-capacity", "--bisections", "0", "--quiet"];
            let text = run(line).expects(0).stdout;
            assert!(text.contains(&format!("\nrails        {kind}: ")), "{network}: {text}");
        }
    }
}

#[test]
fn adapters_of_the_ndr_fabric_are_in_rails() {
    let fabric =
        import(root().join("instances/fabrics/ndr542/ibnetdiscover.out.gz").to_str().unwrap());
    assert_eq!((fabric.hosts(), fabric.nodes() - fabric.hosts()), (542, 40));
    let rails = Rails::of(&fabric);
    assert!(rails.is_optimised() && !rails.is_only(&fabric));
    assert_eq!((rails.nodes, rails.single, rails.adapters()), (122, 69, Some((2, 4))));
    let largest = &rails.groups[0];
    assert_eq!(largest.nodes.len(), 18);
    let leaves = largest
        .leaves
        .iter()
        .map(|(device, leaf)| (device.as_str(), fabric.node(*leaf).name.as_str()));
    assert_eq!(
        leaves.collect::<Vec<_>>(),
        [
            ("HCA-1", "MF0;A09-P1-IBLEAF-01-03:MQM9701/U1"),
            ("HCA-2", "MF0;A09-P1-IBLEAF-02-03:MQM9701/U1"),
            ("HCA-5", "MF0;A09-P1-IBLEAF-03-03:MQM9701/U1"),
            ("HCA-6", "MF0;A09-P1-IBLEAF-04-03:MQM9701/U1"),
        ]
    );
}

/// Dumps of the same tables are compared, entry by entry.
#[test]
fn dumps_that_differ_are_refused() {
    let from = root().join("instances/fabrics/ft8x2/minhop_lmc2");
    let folder = tempfile::tempdir().unwrap();
    for name in ["ibnetdiscover.out", "opensm.fdbs.gz", "dump_fts.out.gz"] {
        std::fs::copy(from.join(name), folder.path().join(name)).unwrap();
    }
    let paths = [folder.path().to_str().unwrap().to_string()];
    let found = Sources::of(&paths).unwrap();
    assert_eq!((found.tables.len(), found.tables[0].copies.len()), (1, 1));
    let fdbs = folder.path().join("opensm.fdbs.gz");
    let tables = routebound::import::tables(fdbs.to_str().unwrap()).unwrap();
    let (guid, _) = tables.switches.first_key_value().unwrap();
    let changed = format!(
        "dump_ucast_routes: Switch {guid:#018x}\n LID    : Port : Hops : Optimal\n0x0004 : 017  : 03   : yes\n"
    );
    std::fs::write(folder.path().join("more.fdbs"), changed).unwrap();
    let error = Sources::of(&paths).unwrap_err().to_string();
    assert!(error.contains("differ on LID") && error.contains("dump both again"), "{error}");
}
