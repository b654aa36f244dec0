//! Parallel cables as one link of their summed capacity.

use routebound::assessment::{AssessOptimum, OptimumMethod, assess};
use routebound::export::ROUTED_EXPORTS;
use routebound::import::{ImportOptions, topology};
use routebound::integer::index32;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry;
use routebound::routing::{Instance, build};
use routebound::synth::{Options, SynthError, least_ratio};
use routebound::theorem::published;
use routebound::topology::{NoTree, Topology, generate};
use routebound::traffic;
use std::fmt::Write as _;

use super::{Graph, plain, recognised, root, shuffled};
use crate::program::{refused, run};

/// The tree with every cable of a step replaced by several, each with its own ports.
fn bundled(spec: &str, step: u8, cables: u32) -> Graph {
    let tree = generate(spec).unwrap();
    let mut graph = tree.graph().clone();
    for link in tree.graph().edge_indices() {
        let (from, to) = tree.graph().edge_endpoints(link).unwrap();
        for cable in (1..cables).filter(|_| tree.graph()[link].level == step) {
            let mut weight = tree.graph()[link].clone();
            weight.from_port += 50 * cable;
            weight.to_port += 50 * cable;
            graph.add_edge(from, to, weight);
        }
    }
    graph
}

fn made(graph: Graph) -> Topology {
    Topology::new("made".into(), graph).unwrap()
}

#[test]
fn bundles_below_the_top_get_labels() {
    for (spec, step, cables) in
        [("xgft(3;2,2,2;1,2,2)", 2, 2), ("xgft(3;2,2,2;1,2,2)", 3, 2), ("xgft(2;3,2;1,2)", 1, 3)]
    {
        for seed in 0..3 {
            let apart = made(shuffled_bundles(spec, step, cables, seed));
            let top = u32::from(step) as usize == generate(spec).unwrap().tree().unwrap().height();
            let said = apart.clone().recognised();
            match said.no_tree() {
                Some(reason @ NoTree::BundlesBelow { cables: found, .. }) => {
                    assert!(!top && *found == cables as usize);
                    assert!(reason.to_string().contains("merge parallel cables"), "{reason}");
                }
                reason => assert!(top && reason.is_none(), "{reason:?}"),
            }
            let links = generate(spec).unwrap().links();
            let merged = apart.merge_cables();
            assert_eq!(merged.links(), links);
            assert!(merged.has_merged_cables() && merged.notes().len() == 1);
            let merged = merged.recognised();
            let tree = merged.tree().unwrap_or_else(|| panic!("{:?}", merged.no_tree()));
            assert_eq!((tree.shape().as_str(), tree.cables_to_top()), (spec, 1));
            let height = tree.height();
            let wanted = |at| if at == usize::from(step) { cables.into() } else { 1_u64 };
            let wanted: Vec<Rational> = (1..=height).map(|at| wanted(at).into()).collect();
            assert_eq!(tree.capacities(), wanted);
            // Up and down are the two directions of one cable.
            for link in merged.graph().edge_indices() {
                let (from, to) = merged.graph().edge_endpoints(link).unwrap();
                let back = merged.graph().find_edge(to, from).unwrap();
                let ports = |link: &routebound::topology::Link| (link.from_port, link.to_port);
                let (a, b) = ports(&merged.graph()[link]);
                assert_eq!(ports(&merged.graph()[back]), (b, a));
            }
        }
    }
}

fn shuffled_bundles(spec: &str, step: u8, cables: u32, seed: u64) -> Graph {
    // The shuffle needs dense ports, and bundles have gaps: renumber them.
    let mut graph = bundled(spec, step, cables);
    let mut next = vec![std::collections::BTreeMap::new(); graph.node_count()];
    let mut port = |node: petgraph::graph::NodeIndex, old: u32| {
        let ports: &mut std::collections::BTreeMap<u32, u32> = &mut next[node.index()];
        let new = index32(ports.len()) + 1;
        *ports.entry(old).or_insert(new)
    };
    for link in graph.edge_indices().collect::<Vec<_>>() {
        let (from, to) = graph.edge_endpoints(link).unwrap();
        let weight = &graph[link];
        let ports = (port(from, weight.from_port), port(to, weight.to_port));
        (graph[link].from_port, graph[link].to_port) = ports;
    }
    shuffled(&made(graph), seed)
}

/// Traffic may be split over a bundle in proportion to its cables, so optu is that of separate
/// cables.
#[test]
fn optimal_loads_are_those_of_the_cables_apart() {
    let apart = made(bundled("xgft(3;2,2,2;1,2,1)", 2, 2));
    let merged = apart.clone().merge_cables().recognised();
    for pattern in ["uniform", "shift(3)", "random(p=0.4,seed=2)"] {
        let matrix = traffic::generate(pattern, apart.hosts()).unwrap();
        let by = |topology: &Topology, method| {
            AssessOptimum::new().by(method).run(topology, matrix.demands()).unwrap().optu
        };
        let closed = by(&merged, OptimumMethod::ClosedForm);
        assert_eq!(closed, by(&plain(&apart), OptimumMethod::Lp), "{pattern}");
    }
}

/// A network without parallel cables stays as it is.
#[test]
fn nothing_to_merge() {
    let tree = made(generate("ft(4,2)").unwrap().graph().clone());
    let merged = tree.clone().merge_cables();
    assert!(!merged.has_merged_cables() && merged.notes().is_empty());
    assert_eq!(merged.links(), tree.links());
}

/// Labels number the cables apart: a merged network has none until they are found again.
#[test]
fn labels_of_the_cables_apart_are_dropped() {
    let file = root().join("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    let apart = topology(file.to_str().unwrap(), &ImportOptions::default()).unwrap();
    let routing = build("dmodk", &apart).unwrap();
    assert_eq!(apart.tree().unwrap().cables_to_top(), 2);
    let merged = apart.merge_cables();
    assert!(merged.tree().is_none() && merged.no_tree().is_none());
    // The paths of the cables apart have links that are not there any more.
    assert!(build("dmodk", &merged).is_err());
    assert!(!Instance::trusted(merged.clone(), routing).is_by_spec());
    let again = merged.recognised();
    let tree = again.tree().unwrap();
    assert_eq!((tree.shape().as_str(), tree.cables_to_top()), ("xgft(2;8,4;1,4)", 1));
    let named = Instance::new(again.clone(), build("dmodk", &again).unwrap()).unwrap();
    assert!(named.is_by_spec());
}

/// An entry of a table names one port, that is, one cable of a bundle.
#[test]
fn tables_are_not_mixed_with_bundles() {
    let path = |file: &str| root().join(file).to_str().unwrap().to_string();
    let fabric = path("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    let options = ImportOptions { merge_cables: true, ..ImportOptions::default() };
    let merged = topology(&fabric, &options).unwrap();
    let routing = build("dmodk", &merged).unwrap();
    let kind = registry::find(ROUTED_EXPORTS, "export", "lft").unwrap();
    let written = (kind.build)(&merged, &*routing, &Progress::silent(), &mut Vec::new());
    assert!(written.unwrap_err().to_string().contains("several cables each"));
    let tables = path("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/opensm-lfts.dump.gz");
    let read = build(&format!("lft:{tables}"), &merged).err().unwrap();
    assert!(read.to_string().contains("several cables each"), "{read}");
    let whole = topology(&fabric, &ImportOptions::default()).unwrap();
    assert!(build(&format!("lft:{tables}"), &whole).is_ok());
}

/// Three leaves of two hosts, with two cables each to one top: a separate link for every source up
/// and for every destination down is a crossbar. No routing of the tree with two tops is one, so
/// neither bounds on its routings nor statements about them apply to this network.
#[test]
fn crossing_over_at_the_top_beats_the_tree() {
    let silent = Progress::silent();
    let network = recognised(bundled("xgft(2;2,3;1,1)", 2, 2));
    let tree = network.tree().unwrap();
    assert_eq!((tree.shape().as_str(), tree.cables_to_top()), ("xgft(2;2,3;1,2)", 2));
    let shape = generate("xgft(2;2,3;1,2)").unwrap();
    let best = least_ratio(&shape, &Options::default(), &silent).unwrap().bounds;
    assert_eq!(best.to_string(), "2 (proven)");
    let mut table = String::from("source,destination,share,links\n");
    for (s, d) in (0..6_u32).flat_map(|s| (0..6).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let link = |level, host: u32| {
            let (subtree, port) = (tree.subtree(host, level), tree.digit(host, 1));
            tree.link_id(level, subtree, 0, if level == 0 { 0 } else { port })
        };
        let mut links = vec![link(0, s).0, link(0, d).1];
        if tree.nca_level(s, d) == 2 {
            links.splice(1..1, [link(1, s).0, link(1, d).1]);
        }
        let links: Vec<String> = links.iter().map(u32::to_string).collect();
        writeln!(table, "{s},{d},1,{}", links.join(" ")).unwrap();
    }
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::io::Write::write_all(&mut file, table.as_bytes()).unwrap();
    let routing = build(&format!("table:{}", file.path().display()), &network).unwrap();
    assert!(routing.is_single_path());
    // Only the statement that no ratio is below 1 holds on every network.
    let bounds = published(&network, &*routing);
    assert!(bounds.iter().all(|bound| bound.statement == "or-perf"), "{bounds:?}");
    let instance = Instance::trusted(network, routing);
    let found = assess(&instance).unwrap();
    assert_eq!(found.oblivious_ratio.to_string(), "1 (proven)");
    let refused = least_ratio(instance.topology(), &Options::default(), &silent).err();
    let Some(refused @ SynthError::Parallel { .. }) = refused else { panic!() };
    assert!(refused.to_string().contains("better routings than the tree"), "{refused}");
}

#[test]
fn the_option_of_the_command_line() {
    let file = root().join("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    let file = file.to_str().unwrap();
    let topo = run(["topo", file, "--merge-cables", "--json"]);
    let said = topo.json();
    assert_eq!(said["xgft"], "xgft(2;8,4;1,4)");
    assert_eq!(said["step_capacities"], serde_json::json!(["1", "2"]));
    assert!(topo.stderr.contains("64 parallel links are read as 32"));
    let text = run(["topo", file, "--merge-cables"]).stdout;
    assert!(text.contains("4 switches above, links of capacity 2"), "{text}");
    refused(["synth", file, "--merge-cables"], "links of capacity 1, 2, step by step");
    refused(["nonblocking", file, "--least-m", "--merge-cables"], "");
    refused(["topo", file, "--merge-cables", "--undirected-shared"], "");
}
