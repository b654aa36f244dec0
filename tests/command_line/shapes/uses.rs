//! What labels are for: tables, the search for the best routing, and closed forms on an imported
//! network, in its own names.

use routebound::assessment::assess;
use routebound::export::ROUTED_EXPORTS;
use routebound::progress::Progress;
use routebound::registry;
use routebound::routing::table::write_table;
use routebound::routing::{Instance, Routing, build};
use routebound::synth::{Options, SynthError, least_ratio};
use routebound::topology::{LinkId, Topology, generate, sd_pairs};

use super::{import, recognised, shuffled};

fn paths(topology: &Topology, routing: &dyn Routing) -> Vec<Vec<LinkId>> {
    let mut paths = Vec::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| paths.push(path.to_vec()));
    }
    paths
}

/// Tables are written with the LIDs and ports of the fabric, which reads them back as the same
/// paths.
#[test]
fn tables_for_the_fabric_itself() {
    for (file, ratio) in [
        ("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz", "7 (proven)"),
        ("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out", "3 (proven)"),
        ("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out", "4 (proven)"),
    ] {
        let fabric = import(file);
        let routing = build("dmodk", &fabric).unwrap();
        let mut tables = tempfile::NamedTempFile::new().unwrap();
        let kind = registry::find(ROUTED_EXPORTS, "export", "lft").unwrap();
        (kind.build)(&fabric, &*routing, &Progress::silent(), &mut tables).unwrap();
        let read = build(&format!("lft:{}", tables.path().display()), &fabric).unwrap();
        assert_eq!(paths(&fabric, &*read), paths(&fabric, &*routing), "{file}");
        for routing in [routing, read] {
            let instance = Instance::trusted(fabric.clone(), routing);
            let found = assess(&instance).unwrap();
            assert_eq!(found.oblivious_ratio.to_string(), ratio, "{file}");
        }
    }
}

/// The search is on the shape; the routing that it finds is one of the network.
#[test]
fn the_best_routing_is_carried_over() {
    let silent = Progress::silent();
    for spec in ["ft(6,2)", "xgft(2;4,4;1,3)"] {
        let tree = generate(spec).unwrap();
        let best = least_ratio(&tree, &Options::default(), &silent).unwrap().bounds;
        assert!(best.exact().is_some(), "{spec}");
        for seed in 0..2 {
            let network = recognised(shuffled(&tree, seed));
            let found = least_ratio(&network, &Options::default(), &silent).unwrap();
            assert_eq!(found.bounds, best, "{spec}");
            let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
            write_table(&network, found.best.routing(), &mut file).unwrap();
            let routing = build(&format!("table:{}", file.path().display()), &network).unwrap();
            let again = Instance::trusted(network, routing);
            let again = assess(&again).unwrap();
            assert_eq!(again.oblivious_ratio, best, "{spec}");
        }
    }
}

#[test]
fn a_search_that_would_say_too_much_is_refused() {
    let search = |file| {
        let network = import(file);
        let found = least_ratio(&network, &Options::default(), &Progress::silent());
        found.err().map(|error| (matches!(error, SynthError::Parallel { .. }), error.to_string()))
    };
    let (parallel, said) =
        search("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out").unwrap();
    assert!(parallel && said.contains("parallel cables"), "{said}");
    let (_, said) = search("instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz").unwrap();
    assert!(said.contains("of the same level has"), "{said}");
}

/// A routing of trees on another network says what is in the way.
#[test]
fn routings_of_trees_say_why_not() {
    let messy = import("instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz");
    let said = build("dmodk", &messy).err().unwrap().to_string();
    assert!(said.contains("XGFT") && said.contains("of the same level has"), "{said}");
}
