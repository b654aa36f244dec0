//! The tables that OpenSM is given are the routing, read back.

use std::fs;
use std::path::Path;

use super::*;
use crate::import::{self, ImportOptions};
use crate::routing::{self, Instance};
use crate::topology::sd_pairs;

const FABRIC: &str = "instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz";

fn opened(topology: &str, routing: &str) -> Instance {
    let topology = import::topology(topology, &ImportOptions::default()).unwrap();
    let routing = routing::build(routing, &topology).unwrap();
    Instance::new(topology, routing).unwrap()
}

fn written(instance: &Instance, folder: &Path) -> u8 {
    let Instance { topology, routing } = instance;
    let files = OpensmFiles::of(topology, &**routing, &Progress::silent()).unwrap();
    for (name, write) in files.files() {
        write(&files, &mut fs::File::create(folder.join(name)).unwrap()).unwrap();
    }
    files.lmc()
}

/// The names of the nodes of every path.
fn paths(instance: &Instance) -> Vec<Vec<String>> {
    let Instance { topology, routing } = instance;
    let mut paths = Vec::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            paths.push(links.iter().map(|link| topology.link_name(*link)).collect());
        });
    }
    paths
}

#[test]
fn what_was_written_reads_back_as_the_same_paths() {
    for (topology, routing, lmc) in [
        ("ft(8,2)", "dmodk", 0),
        ("ft(8,2)", "osrm2", 1),
        ("ft(16,2)", "grid", 2),
        (FABRIC, "minhop", 0),
        (FABRIC, "hash(seed=1)", 3),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let instance = opened(topology, routing);
        assert_eq!(written(&instance, folder.path()), lmc, "{topology} {routing}");
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        let choice = if lmc == 0 { "base".into() } else { path("lids.csv") };
        assert_eq!(folder.path().join("lids.csv").exists(), lmc > 0);
        let tables = format!("lft(lid=\"{choice}\"):{}", path("opensm-lfts.dump"));
        let read = opened(&path("network.json"), &tables);
        assert_eq!(paths(&read), paths(&instance), "{topology} {routing}");
    }
}
