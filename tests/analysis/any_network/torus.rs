//! An 8 × 8 torus under ROMM (Nesson and Johnsson, SPAA 1995): a random node of the smallest box
//! around source and destination, and to it and from it along x, then y. If both ways round are
//! equally long, each gets half.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use routebound::assessment::{Assess, Assessment};
use routebound::bounds::Evidence;
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{LinkId, Topology};

use super::graphs::network;

const SIDE: i32 = 8;

fn node(x: i32, y: i32) -> u32 {
    (x.rem_euclid(SIDE) + SIDE * y.rem_euclid(SIDE)).unsigned_abs()
}

fn torus() -> Topology {
    let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    let edges =
        cells.flat_map(|(x, y)| [(node(x, y), node(x + 1, y)), (node(x, y), node(x, y + 1))]);
    network("torus", (SIDE * SIDE).unsigned_abs(), &edges.collect::<Vec<_>>())
}

/// Shortest ways along one dimension: both if they are equally long.
fn ways(from: i32, to: i32) -> Vec<i32> {
    let ahead = (to - from).rem_euclid(SIDE);
    match (2 * ahead).cmp(&SIDE) {
        Ordering::Less => vec![ahead],
        Ordering::Equal => vec![ahead, -ahead],
        Ordering::Greater => vec![ahead - SIDE],
    }
}

/// The nodes of the path from (x,y) by `a` along x, by `b` along y, then on to the whole offset.
fn path((x, y): (i32, i32), (a, b): (i32, i32), (dx, dy): (i32, i32)) -> Vec<u32> {
    let mut at = (x, y);
    let mut nodes = vec![node(x, y)];
    let steps = [(a, 0), (0, b), (dx - a, 0), (0, dy - b)];
    for (right, up) in steps {
        for _ in 0..(right + up).abs() {
            at = (at.0 + right.signum(), at.1 + up.signum());
            nodes.push(node(at.0, at.1));
        }
    }
    nodes
}

/// The paths of a pair with the number of choices that lead to each, and the number of all choices.
fn romm(s: (i32, i32), d: (i32, i32)) -> (BTreeMap<Vec<u32>, u64>, u64) {
    let (mut paths, mut choices) = (BTreeMap::new(), 0);
    for dx in ways(s.0, d.0) {
        for dy in ways(s.1, d.1) {
            for a in 0..=dx.abs() {
                for b in 0..=dy.abs() {
                    let by = (a * dx.signum(), b * dy.signum());
                    *paths.entry(path(s, by, (dx, dy))).or_default() += 1;
                    choices += 1;
                }
            }
        }
    }
    (paths, choices)
}

/// The routing as `table:` reads it.
fn table(torus: &Topology) -> String {
    let links: BTreeMap<(u32, u32), LinkId> =
        torus.link_numbers().map(|link| (torus.ends(link).unwrap(), link)).collect();
    let mut text = "source,destination,share,links\n".to_string();
    let cells = || (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    for (s, d) in cells().flat_map(|s| cells().map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let (paths, choices) = romm(s, d);
        for (nodes, chosen) in paths {
            let ids = nodes.windows(2).map(|ends| links[&(ends[0], ends[1])].to_string());
            let ids: Vec<String> = ids.collect();
            let share = Rational::new(chosen, choices).unwrap();
            let (s, d) = (node(s.0, s.1), node(d.0, d.1));
            writeln!(text, "{s},{d},{share},{}", ids.join(" ")).unwrap();
        }
    }
    text
}

fn instance() -> Instance {
    let topology = torus();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), table(&topology)).unwrap();
    let spec = format!("table:{}", file.path().display());
    let routing = routing::build(&spec, &topology).unwrap();
    Instance::trusted(topology, routing)
}

/// Matchings come before linear programs, and the checker sees them: when stopped as the first linear program
/// would begin, the worst permutation load is proven, and the ratio is between what the worst
/// permutation shows and four times that, as a host sends over four links.
#[test]
fn polynomial_bounds_are_proven_before_the_programs_begin() {
    let stop = Stop::at(None);
    let progress = Progress::silent().stopped_by(stop.clone());
    let known = Cell::new(0);
    let mut keep = |_: &Assessment| {
        known.set(known.get() + 1);
        // At first nothing is known, then the result of matchings.
        if known.get() == 2 {
            stop.request();
        }
    };
    let found = Assess::new().progress(&progress).keep(&mut keep).run(&instance()).unwrap();
    assert_eq!(known.get(), 2);
    assert!(!found.complete);
    let load = found.permutation_load;
    assert_eq!(load.evidence, Evidence::Proven, "{load}");
    let exact = load.exact().unwrap().clone();
    // Singh, Dally, Towles and Gupta (SPAA 2002, Table 1): throughput 0.208 of capacity, which is
    // one permutation.
    let throughput = 1.0 / exact.to_f64();
    assert!((throughput - 0.208).abs() < 5e-4, "{exact}");
    let ratio = found.oblivious_ratio;
    assert_eq!(ratio.evidence, Evidence::Proven, "{ratio}");
    assert!(ratio.lower > Rational::ONE && ratio.lower < ratio.upper, "{ratio}");
    assert_eq!(ratio.upper, &exact * &Rational::from(4));
    assert_eq!(found.histogram.len(), 1);
    assert_eq!(found.histogram[0].load, Some(exact));
}
