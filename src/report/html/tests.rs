//! Pages of small networks: folding, layout, escaping.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::drawing::Drawing;
use super::drawn::DrawnNetwork;
use super::fold::{Fold, Grain};
use super::layout::Layout;
use super::*;
use crate::fabric::{Examined, Questions};
use crate::import::{self, ImportOptions};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::report::{FabricShape, TablesReport};
use crate::routing::Instance;
use crate::topology::{NetworkBuilder, NodeKind, generate};
use crate::worst_case::{bad_permutations, worst_links};

const MESSY: &str = "instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz";

fn read(path: &str) -> Topology {
    import::topology(path, &ImportOptions::default()).unwrap()
}

/// The network without loads.
fn unloaded(topology: &Topology) -> DrawnNetwork {
    DrawnNetwork::of(topology, None)
}

/// The network with a load of its own for every link.
fn all_different(topology: &Topology) -> DrawnNetwork {
    let loads: Vec<Rational> =
        topology.link_numbers().map(|link| Rational::from(u64::from(link))).collect();
    DrawnNetwork::of(topology, Some(&loads))
}

/// The network with the worst loads of `dmodk`.
fn symmetric(topology: &Topology) -> DrawnNetwork {
    let mut loads = vec![Rational::ZERO; topology.links()];
    let instance = Instance::named(topology.spec(), "dmodk").unwrap();
    for (link, load) in worst_links(&instance, &Progress::silent()).unwrap() {
        loads[link as usize] = load;
    }
    DrawnNetwork::of(topology, Some(&loads))
}

/// Boxes, switches in them, bundles and cables in these.
fn counts(network: &DrawnNetwork, fold: &Fold) -> [usize; 4] {
    let layout = Layout::of(network, fold);
    let switches = layout.boxes.iter().map(|found| found.members.len()).sum();
    let cables = layout.bundles.iter().map(|bundle| bundle.cables.len()).sum();
    [layout.boxes.len(), switches, layout.bundles.len(), cables]
}

#[test]
fn small_trees_are_drawn_switch_by_switch() {
    for (topology, switches, cables) in [
        (generate("ft(4,2)").unwrap(), 6, 8),
        (generate("ft(8,3)").unwrap(), 80, 256),
        (read(MESSY), 80, 248),
    ] {
        let network = unloaded(&topology);
        let fold = Fold::readable(&network);
        assert_eq!(fold.grain, Grain::Switch);
        assert_eq!(counts(&network, &fold), [switches, switches, cables, cables]);
        let hosts: usize = network.nodes.iter().map(|node| node.hosts).sum();
        assert_eq!(hosts, topology.hosts());
    }
}

/// Whatever the grain, every switch is in one box and every cable in one bundle.
#[test]
fn what_is_folded_is_counted() {
    type Loaded = fn(&Topology) -> DrawnNetwork;
    let symmetric: Loaded = symmetric;
    for (spec, loaded, grain, boxes) in [
        // Of every pod the eight leaf switches are alike, and so are the switches above them
        // and all at the top.
        ("ft(16,3)", symmetric, Grain::Alike(2), 16 + 16 + 1),
        ("ft(16,3)", all_different, Grain::Subtree(2), 16 + 16 + 1),
        // More pods than a row has boxes, all alike.
        ("xgft(3;4,4,64;1,4,4)", symmetric, Grain::AlikeInEqual(2), 1 + 1 + 1),
        ("xgft(3;4,4,64;1,4,4)", all_different, Grain::Level, 3),
    ] {
        let topology = generate(spec).unwrap();
        let network = loaded(&topology);
        let fold = Fold::readable(&network);
        let [found, switches, bundles, cables] = counts(&network, &fold);
        assert_eq!(switches, topology.nodes() - topology.hosts(), "{spec}");
        assert_eq!(2 * (cables + topology.hosts()), topology.links(), "{spec}");
        assert!(bundles <= cables, "{spec}");
        assert_eq!((fold.grain, found), (grain, boxes), "{spec}");
    }
}

/// Two pods with the same loads are drawn once, and a third with one more cable by itself.
#[test]
fn only_equal_subtrees_are_folded() {
    let mut network = NetworkBuilder::new();
    let top = network.switch("top");
    let mut hosts = 0;
    for pod in 0..60 {
        let middle = network.switch(format!("middle-{pod}"));
        network.cable(middle, top, Rational::ONE);
        for leaf in 0..2 {
            let leaf = network.switch(format!("leaf-{pod}-{leaf}"));
            let host = network.host(format!("host-{hosts}"));
            hosts += 1;
            network.cable(host, leaf, Rational::ONE);
            network.cable(leaf, middle, Rational::ONE);
            if pod == 7 {
                network.cable(leaf, middle, Rational::ONE);
            }
        }
    }
    let topology = network.build("pods").unwrap();
    let network = unloaded(&topology);
    let fold = Fold::readable(&network);
    assert_eq!(fold.grain, Grain::AlikeInEqual(2));
    let mut sizes: Vec<(u8, usize)> = Layout::of(&network, &fold)
        .boxes
        .iter()
        .map(|found| (found.level, found.members.len()))
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [(1, 2), (1, 118), (2, 1), (2, 59), (3, 1)]);
}

/// Around the worst link of FT(16,3): its pod switch by switch, and one of the top switches.
#[test]
fn the_surroundings_of_a_link_are_drawn_one_by_one() {
    let topology = generate("ft(16,3)").unwrap();
    let network = all_different(&topology);
    let worst = network.worst_cable().unwrap();
    let greatest = network.cables.iter().filter_map(|cable| cable.worst()).max();
    assert_eq!(network.cables[worst].worst(), greatest);
    let fold = Fold::focused(&network, worst);
    let [boxes, switches, _, cables] = counts(&network, &fold);
    assert_eq!([boxes, switches, cables], [8 + 1 + 8 + 1 + 2, 320, 2048]);
}

#[test]
fn backbones_and_cables_across_are_drawn() {
    let abilene = read("instances/networks/topologyzoo/Abilene.graphml");
    let network = unloaded(&abilene);
    let fold = Fold::readable(&network);
    let layout = Layout::of(&network, &fold);
    assert_eq!(counts(&network, &fold)[..2], [abilene.hosts(), abilene.hosts()]);
    assert!(layout.bundles.iter().all(|bundle| bundle.bend > 0.0));
    let lowest =
        layout.bundles.iter().map(|bundle| bundle.from.1 + bundle.bend).fold(0.0, f64::max);
    assert!(lowest <= layout.height, "{lowest} is below {}", layout.height);
}

/// A page of a routing on a network, as the program makes it.
fn page(topology: Topology, routing: &str) -> String {
    let shape = FabricShape::of(&topology).unwrap();
    let routing = crate::routing::build(routing, &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let questions = Questions { bisections: 5, seed: 1, exact: false };
    let silent = Progress::silent();
    let found = Examined::of(&instance, questions, &silent, &mut |_| {}).unwrap();
    let worst = &found.worst_links.as_ref().unwrap()[..1];
    let bad = bad_permutations(&instance, worst, &silent).unwrap().remove(0);
    let picture = TablesPicture::unexamined(Arc::clone(&instance.topology));
    let picture = picture.examined(&found).with_permutation(&instance, &bad);
    let crossing = |found: &SentPair| !found.crossing.is_zero();
    let permutation = picture.permutation.as_ref().unwrap();
    let sum: Rational = permutation.pairs.iter().map(|pair| &pair.crossing).sum();
    assert_eq!((sum, permutation.pairs.iter().any(crossing)), (permutation.load.clone(), true));
    let network = instance.topology.spec().to_string();
    let mut report = FabricReport::new(network, shape, vec!["<i>note</i>".into()]);
    let tables = TablesReport::unexamined(instance.routing.spec().to_string(), Vec::new());
    report.tables.push(tables.examined(&instance, &found));
    let report = report.advised();
    let pictures = [picture];
    FabricPage { report: &report, topology: &instance.topology, pictures: &pictures }
        .render()
        .unwrap()
}

#[test]
fn the_same_report_gives_the_same_page() {
    let tree = || generate("ft(4,2)").unwrap();
    let text = page(tree(), "dmodk");
    assert_eq!(text, page(tree(), "dmodk"));
    // Unfinished, with the worst load and where it is.
    for part in
        ["<strong>Partial:</strong>", "2 (proven)", "The worst permutation", "set-1-network"]
    {
        assert!(text.contains(part), "{part}");
    }
    // The picture has a mark for each of the eight pairs.
    assert_eq!(text.matches("h1v1h-1z").count(), 8);
    assert!(text.contains("; lines separate leaf switches."), "{text}");
    let backbone = page(read("instances/networks/topologyzoo/Abilene.graphml"), "ecmp");
    assert!(backbone.contains("; lines separate routers."), "{backbone}");
}

#[test]
fn names_are_text_wherever_they_stand() {
    let hostile = "</title></svg><script>alert('x')</script>\"'&\u{202e}<b onclick=\"y\">";
    let mut network = NetworkBuilder::new();
    let top = network.switch(format!("top {hostile}"));
    for leaf in 0..3 {
        let switch = network.switch(format!("leaf-{leaf} {hostile}"));
        network.cable(switch, top, Rational::ONE);
        for host in 0..2 {
            let name = format!("host-{leaf}-{host} {hostile}");
            let host = network.node(NodeKind::Host, name, None);
            network.cable(host, switch, Rational::ONE);
        }
    }
    let text = page(network.build(format!("net {hostile}")).unwrap(), "ecmp");
    assert!(text.contains("alert(") && !text.contains("<script>alert"), "names are shown");
    for markup in ["<b onclick", "</title></svg>", "<i>", "\u{202e}", "\"'&"] {
        assert!(!text.contains(markup), "{markup}");
    }
    assert_eq!(text.matches("<script>").count(), 1);
}

/// Every link has the load that the analysis counts, host links and those of routers at the edge included.
#[test]
fn loads_are_those_of_the_histogram() {
    let mut line = NetworkBuilder::new();
    let routers = ["a", "b", "c", "d"].map(|name| line.host(name));
    routers.windows(2).for_each(|ends| line.cable(ends[0], ends[1], Rational::from(2)));
    for (topology, routing) in [
        (line.build("line").unwrap(), "ecmp"),
        (read("instances/networks/topologyzoo/Abilene.graphml"), "ecmp"),
        (generate("ft(8,2)").unwrap(), "dmodk"),
        (generate("ft(8,2)").unwrap(), "random(seed=1)"),
        (read(MESSY), "ecmp"),
    ] {
        let routing = crate::routing::build(routing, &topology).unwrap();
        let instance = Instance::new(topology, routing).unwrap();
        let questions = Questions { bisections: 0, seed: 1, exact: false };
        let found = Examined::of(&instance, questions, &Progress::silent(), &mut |_| {}).unwrap();
        let topology = &instance.topology;
        let picture = TablesPicture::unexamined(Arc::clone(topology)).examined(&found);
        let mut own: BTreeMap<_, usize> = BTreeMap::new();
        for (link, load) in topology.link_numbers().zip(picture.loads.unwrap()) {
            let (level, direction) = topology.shown_place(link);
            *own.entry((level, direction, Some(load))).or_default() += 1;
        }
        let counted = picture.histogram.into_iter();
        let counted: BTreeMap<_, usize> =
            counted.map(|bin| ((bin.level, bin.direction, bin.load), bin.links)).collect();
        assert_eq!(own, counted, "{}", topology.spec());
    }
}

#[test]
fn long_names_keep_what_tells_them_apart() {
    let names = ["MF0;A09-LEAF-1:MQM/U1", "MF0;A10-LEAF-2:MQM/U1"];
    assert_eq!(layout::short_names(&names, 60.0), ["A09-LEAF-1", "A10-LEAF-2"]);
    assert_eq!(layout::short_names(&names, 600.0), names);
    assert_eq!(layout::short_names(&["", "a-long-name"], 10.0), ["", "a-long-name"]);
    assert_eq!(layout::short_names(&["a-a", "a-a"], 10.0), ["a", "a"]);
    assert_eq!(layout::cut("sw-1-20", 40.0), "…1-20");
    assert_eq!([layout::cut("é-long", 0.0), layout::cut("a", 10.0)], ["…", "a"]);
}

#[test]
fn loads_that_are_not_known_are_drawn_as_such() {
    let topology = generate("ft(4,2)").unwrap();
    let network = DrawnNetwork::of(&topology, None);
    let fold = Fold::readable(&network);
    let drawing = Drawing::of("x".into(), "X", &topology, &network, &fold);
    let text = drawing.to_string();
    assert_eq!(text.matches("<path class=\"unknown\"").count(), 8 + 1);
    assert!(text.contains("not known"));
}

/// A host on a spine is folded into it and leaves it where it is; a switch behind a top switch is drawn beside it.
#[test]
fn networks_are_drawn_by_the_levels_of_the_tree() {
    let tree = generate("ft(8,3)").unwrap();
    let mut network = NetworkBuilder::new();
    let keys: Vec<_> = tree
        .graph()
        .node_weights()
        .map(|node| network.node(node.kind, node.name.clone(), None))
        .collect();
    for cable in crate::failure::cables(&tree) {
        let [a, b] = cable.ends.map(|(node, _)| keys[node as usize]);
        network.cable(a, b, Rational::ONE);
    }
    let (host, aside) = (network.host("manager"), network.switch("aside"));
    network.cable(host, keys[tree.hosts() + 40], Rational::ONE);
    network.cable(aside, keys[tree.nodes() - 1], Rational::ONE);
    let drawn = unloaded(&network.build("managed").unwrap().recognised());
    let switches = || drawn.nodes.iter().zip(tree.graph().node_weights().skip(tree.hosts()));
    assert!(switches().all(|(drawn, node)| (&drawn.name, drawn.level) == (&node.name, node.level)));
    let (last, height) = (drawn.nodes.last().unwrap(), drawn.height());
    assert_eq!((drawn.nodes.len(), last.name.as_str(), last.level, height), (81, "aside", 3, 3));
    assert_eq!(drawn.nodes[40].hosts, 1);
}
