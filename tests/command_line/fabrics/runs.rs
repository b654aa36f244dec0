//! Every run of OpenSM: the figures that an independent walker of the tables found.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use routebound::certificate::Quantity;
use routebound::import::{ForwardingTables, tables};
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::host_number;
use routebound::worst_case::Analyse;
use serde_json::Value;

use super::{collection, count_routes, file, import, root, switch_links};

/// Folders with a `verify.json`, below `folder`.
fn runs(folder: &Path) -> Vec<PathBuf> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let mut runs: Vec<PathBuf> =
        folders(folder).iter().flat_map(|fabric| folders(fabric)).collect();
    runs.retain(|run| run.join("verify.json").is_file());
    runs.sort();
    runs
}

#[test]
fn figures_of_the_instances() {
    let runs = runs(&root().join("instances/fabrics"));
    assert_eq!(runs.len(), 10);
    for run in &runs {
        check(run);
    }
}

#[test]
fn figures_of_the_collection() {
    let Some(folder) = collection("fabrics") else { return };
    let runs = runs(&folder);
    assert!(runs.len() >= 100, "{}", runs.len());
    // The full tier has all runs.
    let step = if cfg!(feature = "slow-tests") { 1 } else { 7 };
    for run in runs.iter().step_by(step) {
        check(run);
    }
}

/// Everything that is known about one run.
fn check(run: &Path) {
    let name = run.display();
    let known: Value =
        serde_json::from_str(&fs::read_to_string(run.join("verify.json")).unwrap()).unwrap();
    let number = |key: &str| known[key].as_u64().unwrap();
    let fabric = import(&file(run, "ibnetdiscover.out").unwrap());
    let between = switch_links(&fabric);
    assert_eq!(fabric.hosts() as u64, number("hosts"), "{name}");
    assert_eq!((fabric.nodes() - fabric.hosts()) as u64, number("switches"), "{name}");
    assert_eq!(between.len() as u64, 2 * number("sw_links"), "{name}");
    assert!(fabric.graph().edge_weights().all(|link| link.capacity.to_string() == "1"));

    let lmc = number("lmc");
    let option = if lmc == 0 { "" } else { "(lid=all)" };
    let dump = file(run, "opensm-lfts.dump").unwrap();
    let routing = routing::build(&format!("lft{option}:{dump}"), &fabric).unwrap();
    assert_eq!(routing.is_single_path(), lmc == 0);
    let (counts, routes) = count_routes(&fabric, routing.as_ref(), 1 << lmc);
    assert_eq!(routes, number("pairs"), "{name}");
    let loads: Vec<u64> = between.iter().map(|link| counts[*link as usize]).collect();
    assert_eq!(loads.iter().max(), Some(&number("max_pairs")), "{name}");
    assert_eq!(loads.iter().min(), Some(&number("min_pairs")), "{name}");
    let float = |number: u64| f64::from(u32::try_from(number).unwrap());
    let mean = float(loads.iter().sum()) / float(loads.len() as u64);
    assert!((mean - known["mean_pairs"].as_f64().unwrap()).abs() < 0.001, "{name}: {mean}");
    let unused = loads.iter().filter(|load| **load == 0).count();
    assert_eq!(unused as u64, number("unused_links"), "{name}");
    check_dumps(run, &tables(&dump).unwrap());
    check_choice(run, &known, &dump);
    check_worst_loads(run, &known, &dump);
}

/// The exact worst permutation load between switches under a routing of the run's fabric.
fn worst_load(run: &Path, routing: &str) -> Rational {
    let topology = import(&file(run, "ibnetdiscover.out").unwrap());
    let routing = routing::build(routing, &topology).unwrap();
    let between = switch_links(&topology);
    let instance = Instance::trusted(topology, routing);
    let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    assert!(worst.is_complete());
    let load = |link: &u32| worst.links[*link as usize].as_ref().unwrap().load.clone();
    between.iter().map(load).max().unwrap()
}

/// The worst permutation loads that the independent walker found: with base LIDs, with every
/// other LID offset, with an even spread, with the chosen LIDs.
fn check_worst_loads(run: &Path, known: &Value, dump: &str) {
    let load = |option: &str| worst_load(run, &format!("lft{option}:{dump}"));
    match &known["max_disjoint"] {
        Value::Array(offsets) => {
            for (offset, expected) in offsets.iter().enumerate() {
                let found = load(&format!("(lid={offset})"));
                assert_eq!(Some(found), expected.as_u64().map(Rational::from), "{dump} {offset}");
            }
        }
        expected => assert_eq!(Some(load("")), expected.as_u64().map(Rational::from), "{dump}"),
    }
    if let Some(expected) = known["multipath_worst"].as_str() {
        assert_eq!(load("(lid=all)"), expected.parse().unwrap(), "{dump} spread");
    }
    if let Some(expected) = known["selected_max_disjoint"].as_u64() {
        let choice = file(run, "lid_choice.txt").unwrap();
        assert_eq!(load(&format!("(lid=\"{choice}\")")), Rational::from(expected), "{dump} chosen");
    }
}

/// All dumps of the same tables read the same, but for the LID that `dump_fts` loses.
fn check_dumps(run: &Path, dump: &ForwardingTables) {
    for other in ["dump_fts.out", "opensm.fdbs"] {
        let Some(path) = file(run, other) else { continue };
        let other = tables(&path).unwrap();
        assert!(other.switches.keys().eq(dump.switches.keys()), "{path}");
        for (guid, table) in &dump.switches {
            let mut expected = table.ports.iter().collect::<Vec<_>>();
            let (top, _) = *expected.last().unwrap();
            if path.contains("dump_fts") && top.is_multiple_of(64) {
                expected.pop();
            }
            assert!(other.switches[guid].ports.iter().eq(expected), "{path}: {guid:#x}");
        }
    }
}

/// A LID per source, where the run has such a file.
fn check_choice(run: &Path, known: &Value, dump: &str) {
    let Some(choice) = file(run, "lid_choice.txt") else { return };
    let fabric = import(&file(run, "ibnetdiscover.out").unwrap());
    let spec = format!("lft(lid=\"{choice}\"):{dump}");
    let routing = routing::build(&spec, &fabric).unwrap();
    assert!(routing.is_single_path());
    assert!(routing.notes().iter().any(|note| note.contains(&choice)));
    let (counts, _) = count_routes(&fabric, routing.as_ref(), 1);
    let most = switch_links(&fabric).iter().map(|link| counts[*link as usize]).max();
    assert_eq!(most, known["selected_max_sd"].as_u64(), "{spec}");
}

/// FT(16,3) has top LID 1344 = 21 · 64. It belongs to a switch, so hosts do not miss it.
#[test]
fn a_switch_lid_that_dump_fts_lost_does_not_matter() {
    let Some(folder) = collection("fabrics/ft16x3/minhop") else { return };
    let fabric = import(&file(&folder, "ibnetdiscover.out").unwrap());
    let path = file(&folder, "dump_fts.out").unwrap();
    assert!(tables(&path).unwrap().switches.values().all(|t| t.ports.get(1344).is_none()));
    routing::build(&format!("lft:{path}"), &fabric).unwrap();
}

#[test]
fn parallel_cables_stay_apart() {
    let path = root().join("instances/fabrics/pgft2_8-4_1-4_1-2/ftree");
    let fabric = import(&file(&path, "ibnetdiscover.out").unwrap());
    let leaf = host_number(fabric.hosts());
    let ends = |link| fabric.ends(link).unwrap().1;
    let mut up: Vec<u32> = fabric.links_from(leaf).map(ends).filter(|to| *to >= leaf).collect();
    up.sort_unstable();
    // Four roots, two cables to each.
    assert_eq!(up.len(), 8);
    up.dedup();
    assert_eq!(up.len(), 4);
}

/// One file per switch says the same as one file for all; errors are reported in the order of the
/// files, whichever was read first.
#[test]
fn a_folder_of_tables_reads_as_one_file() {
    let run = root().join("instances/fabrics/ft8x3/ftree");
    let whole = tables(&file(&run, "opensm-lfts.dump").unwrap()).unwrap();
    let mut dump = String::new();
    let packed = fs::File::open(file(&run, "opensm-lfts.dump").unwrap()).unwrap();
    MultiGzDecoder::new(packed).read_to_string(&mut dump).unwrap();
    let parts: Vec<String> =
        dump.split("Unicast lids ").skip(1).map(|part| format!("Unicast lids {part}")).collect();
    assert_eq!(parts.len(), whole.switches.len());
    let folder = tempfile::tempdir().unwrap();
    let write = |number: usize, part: &str| {
        fs::write(folder.path().join(format!("{number:03}")), part).unwrap();
    };
    for (number, part) in parts.iter().enumerate() {
        write(number, part);
    }
    let path = folder.path().to_str().unwrap();
    let read = tables(path).unwrap();
    assert_eq!((&read.formats, &read.notes), (&whole.formats, &whole.notes));
    assert!(read.switches.keys().eq(whole.switches.keys()));
    for (guid, table) in &read.switches {
        assert_eq!(table.ports, whole.switches[guid].ports, "{guid:#x}");
    }
    // A switch twice, and a damaged line before it.
    write(500, &parts[7]);
    let said = tables(path).unwrap_err().to_string();
    assert!(said.contains("500, line 1") && said.contains("007, line 1"), "{said}");
    write(400, &format!("{}nonsense\n", parts[8].replace("guid 0x0", "guid 0xf")));
    let said = tables(path).unwrap_err().to_string();
    assert!(said.contains("400, line") && said.contains("nonsense"), "{said}");
}
