//! Best oblivious routings whose ratio is known.

use std::path::PathBuf;

use crate::graphs::{complete, cube, cycle, grid, network, petersen};
use routebound::assessment::{Form, assess};
use routebound::certificate;
use routebound::checker::check;
use routebound::import::{self, ImportOptions};
use routebound::lp::oblivious::{ObliviousError, Options, optimal};
use routebound::progress::Progress;
use routebound::ratio::Ratio;
use routebound::routing::{Instance, Listed};
use routebound::topology::{self, Topology};
use routebound::worst_case::analyse_hose;

/// The best routing is proven to have the ratio, and no routing has a smaller one.
fn expect(topology: Topology, ratio: &Ratio) {
    let best = optimal(&topology, Options::default(), &Progress::silent()).unwrap();
    let routing = Listed::new("table:best".into(), topology.hosts(), best.paths.clone()).unwrap();
    let instance = Instance { topology, routing: Box::new(routing) };
    let assessment = assess(&instance, Form::Embedded, &Progress::silent()).unwrap();
    assert!(best.complete);
    let mut bytes = Vec::new();
    certificate::write(&assessment.certificate.unwrap(), &mut bytes).unwrap();
    assert!(check(&certificate::read(&bytes[..]).unwrap()).is_ok());
    assert_eq!(assessment.oblivious_ratio.to_string(), format!("{ratio} (proven)"));
    assert_eq!(best.lower, *ratio);
}

fn parse(text: &str) -> Ratio {
    text.parse().unwrap()
}

#[test]
fn cycles() {
    for k in 3..=10_u32 {
        expect(cycle(k), &Ratio::new(u64::from(2 * k - 2), k.into()).unwrap());
    }
}

#[test]
fn complete_graphs() {
    for n in 3..=7_u32 {
        expect(complete(n), &Ratio::new(u64::from(2 * n - 2), n.into()).unwrap());
    }
}

#[test]
fn small_grid() {
    expect(grid(2, 3), &parse("39/23"));
}

#[test]
fn square_grid() {
    expect(grid(3, 3), &parse("29/15"));
}

#[test]
fn three_cube() {
    expect(cube(), &parse("2"));
}

#[test]
fn petersen_graph() {
    expect(petersen(), &parse("11/5"));
}

#[test]
fn abilene() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("instances/networks/topologyzoo/Abilene.graphml");
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let network = import::topology(file.to_str().unwrap(), &options).unwrap();
    // 1.8505747126…
    expect(network, &parse("161/87"));
}

#[test]
fn shortest_paths_only() {
    // On odd cycles there is one shortest path a pair, with ratio 2.
    let options = Options { shortest: true, ..Options::default() };
    let best = optimal(&cycle(5), options, &Progress::silent()).unwrap();
    assert_eq!(best.lower, parse("2"));
    assert_eq!(best.paths.len(), 20);
}

#[test]
fn hose_traffic() {
    // A star: every link is a host's, which sends or receives no more than it carries.
    let star = network("star", 3, &[(0, 1), (1, 2)]);
    let options = Options { hose: true, ..Options::default() };
    let best = optimal(&star, options, &Progress::silent()).unwrap();
    // The middle host has two links each way, so its capacity is 2: 2 units to an end are
    // received there at most 1.
    assert_eq!(best.lower, parse("1"));
}

/// Four hosts of a leaf may all send over its one link, though the tree cannot carry that.
#[test]
fn hose_traffic_of_a_slimmed_tree() {
    let tree = topology::generate("xgft(2;4,2;1,1)").unwrap();
    let options = Options { hose: true, ..Options::default() };
    let best = optimal(&tree, options, &Progress::silent()).unwrap();
    assert_eq!(best.lower, parse("4"));
    let routing = Listed::new("listed".into(), tree.hosts(), best.paths).unwrap();
    let instance = Instance { topology: tree, routing: Box::new(routing) };
    let worst = analyse_hose(&instance, &Progress::silent()).unwrap();
    assert_eq!((worst.lower(), worst.upper()), (&parse("4"), parse("4")));
}

#[test]
fn bad_networks_are_refused() {
    let apart = network("apart", 3, &[(0, 1)]);
    let refused = optimal(&apart, Options::default(), &Progress::silent()).unwrap_err();
    assert_eq!(refused, ObliviousError::Unreachable { s: 0, d: 2 });
    let alone = network("alone", 1, &[]);
    let refused = optimal(&alone, Options::default(), &Progress::silent()).unwrap_err();
    assert_eq!(refused, ObliviousError::OneHost);
    let large = network("large", 200, &[]);
    let refused = optimal(&large, Options::default(), &Progress::silent()).unwrap_err();
    assert!(matches!(refused, ObliviousError::TooLarge(_)));
}
