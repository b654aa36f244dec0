//! Channel dependencies of every routing on small trees, and of the forwarding tables of real
//! engines.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::path::Path;

use routebound::import::{self, ImportOptions};
use routebound::load::{CreditLoop, Dependencies};
use routebound::progress::Progress;
use routebound::routing::{self, Instance};
use routebound::topology;

fn of(instance: &Instance) -> Dependencies {
    Dependencies::of_routing(instance, &Progress::silent()).unwrap()
}

/// Up and then down: no cycle, whichever digits are chosen. `kpath` alone may take detours.
#[test]
fn routings_of_trees_have_no_cycle() {
    let mut built = 0;
    for tree in topology::KINDS.iter().flat_map(|kind| kind.examples) {
        let tree = topology::generate(tree).unwrap();
        if tree.tree().is_none() || tree.hosts() > 256 {
            continue;
        }
        let tree = std::sync::Arc::new(tree);
        let specs = routing::KINDS.iter().filter(|kind| !kind.takes_path() && kind.name != "kpath");
        for spec in specs.flat_map(|kind| kind.examples) {
            let Ok(routing) = routing::build(spec, &tree) else { continue };
            let instance = Instance::trusted(tree.clone(), routing);
            let dependencies = of(&instance);
            assert_eq!(dependencies.cycle(), None, "{instance:?}");
            assert!(!dependencies.is_empty() || tree.hosts() == 1, "{instance:?}");
            built += 1;
        }
    }
    assert!(built > 60, "{built}");
}

/// The fabric and the tables in a folder of the collection; `None` where the engine gave none.
fn fabric(folder: &Path) -> Option<Instance> {
    let file = |name: &str| {
        let names = [name.to_string(), format!("{name}.gz")].map(|name| folder.join(name));
        names.into_iter().find(|path| path.is_file()).map(|path| path.display().to_string())
    };
    let (network, tables) = (file("ibnetdiscover.out")?, file("opensm-lfts.dump")?);
    let network = import::topology(&network, &ImportOptions::default()).unwrap();
    let routing = routing::build(&format!("lft:{tables}"), &network).unwrap();
    Some(Instance::trusted(network, routing))
}

/// The tables of all engines on all fabrics, each with the number of links of its cycle: none has one,
/// as ibdmchk of ibutils says too, the fabrics' README notes.
#[test]
fn tables_of_engines_have_no_cycle_on_one_lane() {
    let Some(fabrics) = super::collection::collection("fabrics") else { return };
    let folders = |of: &Path| {
        let entries = std::fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path());
        let mut entries: Vec<_> = entries.filter(|path| path.is_dir()).collect();
        entries.sort();
        entries
    };
    let (mut cycles, mut checked) = (Vec::new(), 0);
    for folder in folders(&fabrics).iter().flat_map(|fabric| folders(fabric)) {
        let Some(instance) = fabric(&folder) else { continue };
        checked += 1;
        if let Some(cycle) = of(&instance).cycle() {
            let shown = CreditLoop::new(instance.topology(), &cycle);
            cycles.push(format!("{}: {shown}", folder.display()));
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(cycles.is_empty(), "{} of {checked}:\n{}", cycles.len(), cycles.join("\n"));
}
