//! Shapes of fabrics and their damage.

use super::*;
use crate::failure;
use crate::import::{self, ImportOptions};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::topology::{Topology, generate};

mod net;
mod planted;
mod shown;

fn read(path: &str) -> Topology {
    import::topology(path, &ImportOptions::default()).unwrap()
}

fn shape(topology: &Topology) -> (String, usize, Option<String>) {
    let Shape { tree, differences, irregular, .. } = Shape::of(topology).unwrap();
    (tree.map_or_else(String::new, |tree| tree.to_string()), differences.len(), irregular)
}

#[test]
fn whole_trees_are_named() {
    for spec in ["ft(8,3)", "ft(4,2)", "xgft(2;8,8;1,4)", "xgft(3;2,3,4;1,2,2)", "xgft(2;4,4;2,3)"]
    {
        assert_eq!(shape(&generate(spec).unwrap()), (spec.to_string(), 0, None), "{spec}");
    }
    let pgft = read("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    assert_eq!(shape(&pgft), ("pgft(2;8,4;1,4;1,2)".to_string(), 0, None));
}

#[test]
fn damage_is_listed() {
    let messy =
        Shape::of(&read("instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz")).unwrap();
    assert_eq!(messy.irregular, None);
    assert_eq!(messy.tree.unwrap().to_string(), "ft(8,3)");
    let cables = |difference: &Difference| match difference {
        Difference::MissingCables { missing, present: 0, .. } => *missing,
        _ => 0,
    };
    let hosts = |difference: &Difference| match difference {
        Difference::Hosts { found, usual, .. } => usual - found,
        _ => 0,
    };
    assert_eq!(messy.differences.iter().map(cables).sum::<u32>(), 8);
    assert_eq!(messy.differences.iter().map(hosts).sum::<usize>(), 5);
    assert!(messy.differences.iter().all(|d| cables(d) > 0 || hosts(d) > 0));
}

/// Random damage of every tree is found again, cable by cable.
#[test]
fn removed_cables_are_the_ones_that_are_listed() {
    for (spec, count) in [("ft(8,2)", 4), ("ft(8,3)", 12), ("xgft(3;4,4,4;1,3,3)", 6)] {
        let tree = generate(spec).unwrap();
        for seed in 0..20 {
            let cables = failure::at_random(&tree, count, seed).unwrap();
            let shape = Shape::of(&failure::damage(&tree, &cables).unwrap().topology).unwrap();
            let mut expected: Vec<Vec<u32>> =
                cables.iter().map(|c| ends(c.ends.map(|e| e.0))).collect();
            let listed = shape.differences.iter().map(|difference| match difference {
                Difference::MissingCables { child, parent, missing: 1, present: 0 } => {
                    ends([*child, *parent])
                }
                other => panic!("{spec}, seed {seed}: {other:?}"),
            });
            let mut listed: Vec<Vec<u32>> = listed.collect();
            expected.sort();
            listed.sort();
            assert_eq!((listed, shape.irregular), (expected, None), "{spec}, seed {seed}");
        }
    }
}

fn ends(mut ends: [u32; 2]) -> Vec<u32> {
    ends.sort_unstable();
    ends.to_vec()
}

/// The tree without some nodes, and with cables at other nodes.
fn changed(spec: &str, gone: &[&str], swapped: Option<[(&str, &str); 2]>) -> Topology {
    use crate::topology::NetworkBuilder;
    let tree = generate(spec).unwrap();
    let mut network = NetworkBuilder::new();
    let name = |node: u32| tree.node(node).name.clone();
    let keys: Vec<_> = tree
        .node_numbers()
        .map(|node| {
            let kept = !gone.contains(&name(node).as_str());
            kept.then(|| network.node(tree.node(node).kind, name(node), None))
        })
        .collect();
    let of_name = |wanted: &str| tree.node_numbers().find(|node| name(*node) == wanted).unwrap();
    for cable in failure::cables(&tree) {
        let [(a, _), (mut b, _)] = cable.ends;
        if let Some([first, second]) = swapped {
            for (this, other) in [(first, second), (second, first)] {
                if (of_name(this.0), of_name(this.1)) == (a, b) {
                    b = of_name(other.1);
                    break;
                }
            }
        }
        if let (Some(a), Some(b)) = (keys[a as usize], keys[b as usize]) {
            network.cable(a, b, crate::rational::Rational::ONE);
        }
    }
    network.build("changed").unwrap()
}

#[test]
fn cables_in_each_others_place_are_named() {
    let network = changed("ft(8,3)", &[], Some([("sw-1-0", "sw-2-0"), ("sw-1-4", "sw-2-4")]));
    let Shape { tree, differences, irregular, .. } = Shape::of(&network).unwrap();
    assert_eq!((tree.unwrap().to_string(), irregular), ("ft(8,3)".to_string(), None));
    let name = |node: u32| network.node(node).name.clone();
    let mut found: Vec<String> = differences
        .iter()
        .map(|difference| match difference {
            Difference::MissingCables { child, parent, .. } => {
                format!("missing {} {}", name(*child), name(*parent))
            }
            Difference::ExtraCables { child, parent, misplaced: true, .. } => {
                format!("misplaced {} {}", name(*child), name(*parent))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    found.sort();
    let wanted = [
        "misplaced sw-1-0 sw-2-4",
        "misplaced sw-1-4 sw-2-0",
        "missing sw-1-0 sw-2-0",
        "missing sw-1-4 sw-2-4",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn switches_that_are_gone_are_counted() {
    // A top switch, one in the middle, and a leaf with its hosts.
    let leaf = ["sw-1-0", "host-0", "host-1", "host-2", "host-3"];
    for gone in [&["sw-3-0"][..], &["sw-2-0"], &leaf] {
        let (name, count, irregular) = shape(&changed("ft(8,3)", gone, None));
        assert_eq!((name.as_str(), irregular), ("ft(8,3)", None), "{gone:?}");
        assert!(count > 0, "{gone:?}");
    }
}

#[test]
fn other_networks_are_irregular() {
    for path in ["instances/networks/b4/B4.json", "instances/networks/topologyzoo/Abilene.graphml"]
    {
        let found = Shape::of(&read(path)).unwrap();
        assert!(found.irregular.is_some() && !found.is_whole(), "{path}");
    }
}

/// Cables between leaf switches are how a direct network is built, and are not listed one by one.
#[test]
fn direct_networks_are_described_in_a_line() {
    let (tree, differences, irregular) = shape(&generate("hyperx(3,3,p=2)").unwrap());
    let described = "all 18 cables between switches join leaf switches, as in no tree";
    assert_eq!((tree.as_str(), differences, irregular.as_deref()), ("", 0, Some(described)));
}

/// Against the paths themselves: the bottleneck of every pair, one by one.
#[test]
fn a_comparison_counts_what_every_pair_says() {
    let of = |routing: &str| Instance::named("xgft(2;3,3;1,5)", routing).unwrap();
    let (before, after) = (of("random(seed=1)"), of("random(seed=2)"));
    let found = Comparison::of(&before, &after, &Progress::silent()).unwrap();
    let bottleneck = |instance: &Instance, s: u32, d: u32| {
        let loads = crate::worst_case::worst_links(instance, &Progress::silent()).unwrap();
        let mut most = crate::rational::Rational::ONE;
        instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            for (_, load) in loads.iter().filter(|(link, _)| links.contains(link)) {
                most = most.clone().max(load.clone());
            }
        });
        most
    };
    let (mut worse, mut better) = (Vec::new(), 0);
    for (s, d) in (0..9).flat_map(|s| (0..9).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let [first, second] = [&before, &after].map(|instance| bottleneck(instance, s, d));
        better += u64::from(second < first);
        if second > first {
            worse.push(format!("host-{s} host-{d} {first} {second}"));
        }
    }
    assert_eq!((found.pairs, found.worse, found.better), (72, worse.len() as u64, better));
    let mut listed: Vec<String> = found
        .worst_pairs
        .iter()
        .map(|pair| format!("{} {} {} {}", pair.s, pair.d, pair.before, pair.after))
        .collect();
    listed.sort();
    worse.sort();
    assert_eq!(listed, worse);
    assert!(found.worse > 0 && found.better > 0, "a comparison without either says little");
}
