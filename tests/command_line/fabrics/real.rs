//! Fabrics of real clusters, as their administrators dumped them.

use std::collections::BTreeMap;
use std::path::Path;

use routebound::import::{ImportError, ImportOptions, Problem, topology};
use routebound::routing;
use routebound::topology::Topology;

use super::{collection, count_routes, import, root, switch_links};

/// How many directed links have each capacity.
fn capacities(fabric: &Topology) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let links = fabric.graph().edge_weights();
    links.for_each(|link| *counts.entry(link.capacity.to_string()).or_default() += 1);
    counts
}

#[test]
fn plafrim() {
    let folder = root().join("instances/fabrics/plafrim");
    let subnet = folder.join("ib-subnet-fe80_0000_0000_0000.txt");
    let fabric = import(subnet.to_str().unwrap());
    assert_eq!((fabric.hosts(), fabric.nodes() - fabric.hosts()), (125, 9));
    assert_eq!((fabric.links(), switch_links(&fabric).len()), (402, 152));
    // Cables of hosts: 92 QDR, 28 DDR, 5 SDR; between switches: 71 QDR, 4 DDR, 1 SDR. QDR is 1.
    let expected = [("1", 326), ("1/2", 64), ("1/4", 12)];
    assert_eq!(capacities(&fabric), expected.map(|(rate, n)| (rate.to_string(), n)).into());
    assert_eq!(fabric.node(0).name, "bonobo020 HCA-1");

    let tables = folder.join("ibroutes-fe80_0000_0000_0000");
    let routing = routing::build(&format!("lft:{}", tables.display()), &fabric).unwrap();
    assert_eq!(count_routes(&fabric, routing.as_ref(), 1).1, 125 * 124);
    assert!(routing.notes()[0].contains("tables of 9 switches"), "{:?}", routing.notes());
}

#[test]
fn incomplete_tables_are_refused_with_counts() {
    let Some(folder) = collection("data/hwloc-netloc/plafrim2") else { return };
    let fabric = import(folder.join("ib-subnet-fe80_0000_0000_0000.txt").to_str().unwrap());
    assert_eq!((fabric.hosts(), fabric.nodes() - fabric.hosts(), fabric.links()), (96, 7, 310));
    // The table of one switch stops in the middle, and contradicts itself before that.
    let tables = folder.join("ibroutes-fe80_0000_0000_0000");
    let error = routing::build(&format!("lft:{}", tables.display()), &fabric).err().unwrap();
    let error = error.to_string();
    assert!(
        error.contains("-60.txt, line 66: LID 0x003f has port 19 here, but port 16"),
        "{error}"
    );
    // Without the contradiction, it still has no last line.
    let tables = last_entries(&tables);
    let torn = tables.path().join("ibroute-fe80_0000_0000_0000-60.txt");
    let text = std::fs::read_to_string(&torn).unwrap();
    let spec = format!("lft:{}", tables.path().display());
    let error = routing::build(&spec, &fabric).err().unwrap().to_string();
    assert!(error.contains("-60.txt, line ") && error.contains("dump is truncated"), "{error}");
    let failed =
        "/usr/sbin/ibroute: iberror: failed: dump tables: linear forwarding table get failed";
    std::fs::write(&torn, format!("{text}\n{failed}\n")).unwrap();
    let spec = format!("lft:{}", tables.path().display());
    let error = routing::build(&spec, &fabric).err().unwrap().to_string();
    assert!(error.contains("2115 of 9120 routes"), "{error}");
    assert!(error.contains("2095 without table entry"), "{error}");
    assert!(error.contains("20 to the wrong host"), "{error}");

    let fabric = import(folder.join("ib-subnet-fe80_0000_0000_0001.txt").to_str().unwrap());
    assert_eq!((fabric.hosts(), fabric.nodes() - fabric.hosts()), (23, 1));
    let tables = folder.join("ibroutes-fe80_0000_0000_0001");
    let routing = routing::build(&format!("lft:{}", tables.display()), &fabric).unwrap();
    assert_eq!(count_routes(&fabric, routing.as_ref(), 1).1, 23 * 22);
}

/// Every switch has an adapter that is not a host but takes part in its reductions.
#[test]
fn aggregation_nodes_are_no_hosts() {
    let file = root().join("instances/fabrics/ndr542/ibnetdiscover.out.gz");
    let fabric = import(file.to_str().unwrap());
    let at_level = |level| fabric.graph().node_weights().filter(|n| n.level == level).count();
    assert_eq!([at_level(0), at_level(1), at_level(2)], [542, 31, 9]);
    assert_eq!(fabric.nodes(), 542 + 31 + 9);
    assert!(fabric.notes()[0].contains("left out 40 SHARP aggregation nodes, the first at line "));
    // Their LIDs, such as that of the first, occur in tables.
    assert_eq!((fabric.left_out_lids().len(), fabric.left_out_lids().contains(&193)), (40, true));
}

/// A discovery that was cut short after one adapter.
#[test]
fn one_adapter_is_no_fabric() {
    let file = root().join("instances/fabrics/damaged/ibnetdiscover-bad.out");
    let error = topology(file.to_str().unwrap(), &ImportOptions::default()).unwrap_err();
    let ImportError::Content { line: 10, problem: Problem::Unconnected { .. }, .. } = &error else {
        panic!("{error}")
    };
    assert!(error.to_string().ends_with("remove the record or discover again"), "{error}");
}

/// A copy of a folder of tables that keeps the last entry of every LID only.
fn last_entries(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let lid = |line: &str| line.split_whitespace().next().unwrap_or("").to_string();
        let lines: Vec<&str> = text.lines().collect();
        let whole = |line: &&str| line.split_whitespace().count() > 1;
        let again = |line: &str, rest: &[&str]| {
            line.starts_with("0x") && rest.iter().filter(|l| whole(l)).any(|l| lid(l) == lid(line))
        };
        let kept = lines.iter().enumerate().filter(|(i, line)| !again(line, &lines[i + 1..]));
        let kept: Vec<&str> = kept.map(|(_, line)| *line).collect();
        std::fs::write(copy.path().join(file.file_name().unwrap()), kept.join("\n")).unwrap();
    }
    copy
}

#[test]
fn rocket() {
    let Some(folder) = collection("data/ibnetdiscover/tartu_rocket_2014") else { return };
    let fabric = import(folder.join("topo").to_str().unwrap());
    // 144 adapters, one of them with two cables.
    assert_eq!((fabric.hosts(), fabric.nodes() - fabric.hosts()), (145, 8));
    assert_eq!((fabric.links(), switch_links(&fabric).len()), (2 * 192, 2 * 47));
    // The hosts run QDR; the 47 cables between switches run FDR10, 40 Gbit/s against 32.
    let expected = [("1", 290), ("5/4", 94)];
    assert_eq!(capacities(&fabric), expected.map(|(rate, n)| (rate.to_string(), n)).into());
}

#[test]
fn samples_of_manuals() {
    let Some(folder) = collection("data/ibnetdiscover/ibtopotool") else { return };
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let unit = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    // The two ends of a cable of 1.topo say 4xSDR and 1xSDR.
    let error = topology(&path("1.topo"), &ImportOptions::default()).unwrap_err();
    let Some(Problem::SpeedsDisagree { here, there, .. }) = problem(&error) else {
        panic!("{error}")
    };
    assert_eq!((here.as_str(), there.as_str()), ("4xSDR", "1xSDR"));
    // One adapter of 1.topo has two cables, so it is two hosts; all have the same description.
    let fabric = topology(&path("1.topo"), &unit).unwrap();
    assert_eq!((fabric.hosts(), fabric.nodes()), (5, 7));
    let names: Vec<&str> = (0..5).map(|host| fabric.node(host).name.as_str()).collect();
    let model = "MT23108 InfiniHost Mellanox Technologies";
    assert_eq!(names[0], format!("{model} (H-0008f10403961354)"));
    assert_eq!(names[1], format!("{model}[1]"));
    assert_eq!(names[3], format!("{model}[2]"));
    assert_eq!(fabric.node(0).address.unwrap().lmc, 1);

    assert_eq!(import(&path("2.topo")).hosts(), 2);
    assert_eq!(import(&path("4.topo")).hosts(), 1);
    let error = topology(&path("3.topo"), &unit).unwrap_err();
    assert!(matches!(problem(&error), Some(Problem::Diagnostic { .. })), "{error}");
    // Without the message it can be read; its cables from a switch to itself are kept.
    let text = std::fs::read_to_string(path("3.topo")).unwrap();
    let (_, rest) = text.split_once('\n').unwrap();
    let fabric = super::import_with(rest, &ImportOptions::default()).unwrap();
    assert_eq!((fabric.hosts(), fabric.nodes(), fabric.links()), (6, 8, 20));
}

fn problem(error: &ImportError) -> Option<&Problem> {
    match error {
        ImportError::Content { problem, .. } => Some(problem),
        _ => None,
    }
}
