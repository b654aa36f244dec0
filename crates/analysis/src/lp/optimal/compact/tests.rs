//! The program by classes beside the program by pairs.

use super::*;
use crate::certificate::Quantity;
use crate::lp::optimal::demands::Demands;
use crate::lp::optimal::reduction::{Reduction, Simplify};
use crate::lp::optimal::{self, automorphisms};
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::symmetry::Images;
use crate::topology::{Topology, generate, sd_pairs};
use crate::traffic::Demand;

/// The optimum of the program against hose traffic, with the mirror image and these automorphisms or without any
/// symmetry, and the traffic of its duals.
fn solved(topology: &Topology, symmetry: Option<&[Images]>) -> (f64, Vec<DualDemand>) {
    let (network, progress) = (Adjacency::new(topology), Progress::silent());
    let (is_listed, automorphisms) = (symmetry.is_none(), symmetry.unwrap_or_default());
    let simplify = Simplify { is_listed, blocks: false, automorphisms };
    let pairs = sd_pairs(topology.hosts()).collect();
    let separation = Separation {
        topology,
        network: &network,
        reduction: &Reduction::new(topology, &network, pairs, simplify),
        demands: &Demands::of(topology, Quantity::HoseLoad).unwrap(),
        progress: &progress,
        known: Vec::new(),
        solving: std::time::Duration::ZERO,
        solver: 0.0,
    };
    let compact = Compact::new(&separation, &Allowed::All).unwrap();
    let answer = interruptible(compact.program.clone(), Settings::default(), &progress);
    let outcome = answer.unwrap().unwrap();
    let found = compact.read(&separation, &outcome.columns, &outcome.duals).unwrap();
    (outcome.objective, found.traffic.into_iter().map(|(dual, _)| dual).collect())
}

/// All elements of the group that these generate.
fn group(generators: &[Images]) -> Vec<Images> {
    let mut all = generators.to_vec();
    let mut at = 0;
    while let Some(one) = all.get(at).cloned() {
        for other in generators {
            let then =
                |(of, images): (&[u32], &[u32])| of.iter().map(|id| images[*id as usize]).collect();
            let [nodes, links] =
                [(&*one.nodes, &*other.nodes), (&*one.links, &*other.links)].map(then);
            if all.iter().all(|known: &Images| known.links != links) {
                all.push(Images { nodes, links });
            }
        }
        at += 1;
    }
    all
}

fn moved(demands: &[Demand], images: &Images) -> Vec<Demand> {
    let image = |demand: &Demand| {
        let (s, d) = images.pair((demand.s, demand.d));
        Demand { s, d, ..demand.clone() }
    };
    let mut moved: Vec<Demand> = demands.iter().map(image).collect();
    moved.sort_by_key(|demand| (demand.s, demand.d));
    moved
}

/// By classes the optimum is that by pairs, and the traffic against a link is its own image under automorphisms that
/// leave the link where it is.
#[test]
fn classes_of_pairs_lose_nothing() {
    let (mut links, mut kept) = (0, 0);
    for spec in
        ["torus(5,1)", "hyperx(5,p=0)", "bcube(3,1)", "fatclique(0,2,2,2)", "polarfly(2,p=0)"]
    {
        let topology = generate(spec).unwrap();
        let found = automorphisms(&topology, optimal::Paths::All, &Progress::silent()).unwrap();
        assert!(!found.is_empty(), "{spec}");
        let (by_pairs, _) = solved(&topology, None);
        let (by_classes, traffic) = solved(&topology, Some(&found));
        assert!((by_pairs - by_classes).abs() < 1e-7, "{spec}: {by_pairs} {by_classes}");
        links += traffic.len();
        for DualDemand { link, demands, .. } in &traffic {
            let of_link = |images: &&Images| images.links[*link as usize] == *link;
            for images in group(&found).iter().filter(of_link) {
                assert_eq!(moved(demands, images), *demands, "{spec} {link}");
                kept += 1;
            }
        }
    }
    // The identity is not all that leaves links where they are.
    assert!(kept > links, "{kept} {links}");
}
