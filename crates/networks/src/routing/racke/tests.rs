//! Sampled trees against their definition, and what their paths are.

use std::collections::BTreeSet;

use super::*;
use crate::routing::build;
use crate::topology::{Host, NodeId, generate, sd_pairs};

/// The shares and nodes of a pair's paths, from the source on.
fn found(
    routing: &dyn Routing,
    network: &Topology,
    s: Host,
    d: Host,
) -> Vec<(Rational, Vec<NodeId>)> {
    let mut paths = Vec::new();
    routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
        let heads = links.iter().map(|link| network.ends(*link).unwrap().1);
        paths.push((share.clone(), [s].into_iter().chain(heads).collect()));
    });
    paths
}

#[test]
fn paths_have_no_loops_and_the_shares_of_trees() {
    for network in ["torus(4,2)", "ft(4,2)", "dragonfly(0,2,1)", "bcube(3,1)", "mesh(2;3)"] {
        let network = generate(network).unwrap();
        let routing = build("racke(trees=6)", &network).unwrap();
        let mut most = 0;
        for (s, d) in sd_pairs(network.hosts()) {
            let paths = found(&*routing, &network, s, d);
            most = most.max(paths.len());
            let mut parts = 0;
            for (share, nodes) in &paths {
                let part = share * &Rational::from(6);
                parts += part.to_string().parse::<u64>().unwrap();
                let all: BTreeSet<&NodeId> = nodes.iter().collect();
                assert_eq!((all.len(), nodes.last()), (nodes.len(), Some(&d)), "{nodes:?}");
            }
            assert_eq!(parts, 6, "{} {s} {d}", network.spec());
            let distinct: BTreeSet<_> = paths.iter().map(|(_, nodes)| nodes).collect();
            assert_eq!(distinct.len(), paths.len());
        }
        assert!((2..=6).contains(&most), "{}: {most}", network.spec());
    }
}

/// A tree of clusters in the words of the definition, from distances by Floyd and Warshall.
#[test]
fn clusters_are_those_of_the_definition() {
    let network = generate("mesh(3,2)").unwrap();
    let lengths: Vec<UBig> =
        (0..network.links()).map(|link| UBig::from(3 + 5 * link % 7)).collect();
    let nodes = network.nodes();
    let mut far = vec![vec![u64::MAX / 4; nodes]; nodes];
    for link in network.link_numbers() {
        let (tail, head) = network.ends(link).unwrap();
        far[tail as usize][head as usize] = u64::try_from(&lengths[link as usize]).unwrap();
    }
    for by in 0..nodes {
        far[by][by] = 0;
        for a in 0..nodes {
            for b in 0..nodes {
                far[a][b] = far[a][b].min(far[a][by] + far[by][b]);
            }
        }
    }
    let metric = Metric::new(&network, &lengths);
    for seed in 0..20 {
        let hierarchy = Hierarchy::sample(&metric, &mut Streams::new(seed).at(0));
        let levels = hierarchy.levels();
        let largest = (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b)));
        let largest = largest.map(|(a, b)| far[a][b] + far[b][a]).max().unwrap();
        for (level, own) in levels.iter().enumerate() {
            for (node, (centre, cluster)) in own.iter().enumerate() {
                // Within the radius, which is at most twice the largest distance at level 0.
                let distance = far[node][*centre] + far[*centre][node];
                assert!(distance << level <= 2 * largest, "{seed} {level} {node}");
                for (other, (_, same)) in own.iter().enumerate() {
                    let alike = levels[..=level].iter().all(|all| all[node].0 == all[other].0);
                    assert_eq!(alike, cluster == same, "{seed} {level} {node} {other}");
                }
            }
        }
        let [first, last] = [&levels[0], &levels[levels.len() - 1]];
        assert!(first.iter().all(|(centre, _)| *centre == first[0].0));
        assert!(last.iter().enumerate().all(|(node, (centre, _))| node == *centre));
    }
}

/// On a ring of four, trees that avoid the links of those before take both ways round sooner or later.
#[test]
fn later_trees_avoid_what_is_loaded() {
    let ring = generate("torus(4)").unwrap();
    let both = |trees: u32| {
        let routing = build(&format!("racke(trees={trees})"), &ring).unwrap();
        sd_pairs(4).filter(|(s, d)| found(&*routing, &ring, *s, *d).len() == 2).count()
    };
    assert_eq!((both(1), both(16)), (0, 12));
}

#[test]
fn links_grow_in_proportion_to_their_load() {
    let mut lengths = [100_u32, 100, 7].map(UBig::from);
    grow(&mut lengths, &[Rational::from(4), Rational::from(1), Rational::ZERO]);
    assert_eq!(lengths, [200_u32, 125, 7].map(UBig::from));
    grow(&mut lengths, &[Rational::ZERO, Rational::ZERO, Rational::ZERO]);
    assert_eq!(lengths, [200_u32, 125, 7].map(UBig::from));
}

#[test]
fn what_is_too_large_is_refused() {
    let network = generate("torus(16,2)").unwrap();
    let refused = |spec| build(spec, &network).err().unwrap().to_string();
    assert!(refused("racke(trees=100)").contains("trees × nodes × links"));
    assert!(refused("racke(trees=0)").contains("at least 1"));
}
