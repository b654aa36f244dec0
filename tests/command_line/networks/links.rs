//! Directions, shared capacities, parallel links, names, numbers and ports.

use routebound::import::{ImportOptions, LinkModel, topology};
use routebound::optimum::{EvenSplit, baseload};
use routebound::rational::Rational;
use routebound::topology::{Direction, NodeKind};
use routebound::traffic::Demand;

use super::{import, import_text, import_with, instance, links, names};

fn model(link_model: LinkModel) -> ImportOptions {
    ImportOptions { link_model, ..ImportOptions::default() }
}

/// The ring in every format: capacities 10, 5/2, 10 and 40.
const RING: [&str; 8] =
    ["a b 10", "b a 10", "b c 5/2", "c b 5/2", "c d 10", "d c 10", "d a 40", "a d 40"];

const RINGS: [&str; 6] =
    ["ring.csv", "ring.dot", "ring.graph", "ring.lgf", "ring.sndlib.txt", "ring.sndlib.xml"];

#[test]
fn one_network_in_seven_formats() {
    for file in RINGS {
        let ring = import(&instance(&format!("examples/{file}")));
        assert_eq!(names(&ring), ["a", "b", "c", "d"], "{file}");
        assert_eq!(links(&ring), RING, "{file}");
        assert!(ring.graph().edge_weights().all(|link| link.direction == Direction::Flat));
        assert_eq!(ring.summary().height, 0);
    }
    let json = r#"{"edges": [
        {"source": "a", "target": "b", "capacity": 10},
        {"source": "b", "target": "c", "capacity": "2.5"},
        {"source": "c", "target": "d", "capacity": 1e1},
        {"source": "d", "target": "a", "capacity": 40.0}],
        "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "d"}]}"#;
    assert_eq!(links(&import_text(json).unwrap()), RING);
}

#[test]
fn directions_as_the_file_says() {
    let directed = r#"{"directed": true, "nodes": [{"id": 1}, {"id": 2}],
        "links": [{"source": 1, "target": 2}]}"#;
    assert_eq!(links(&import_text(directed).unwrap()), ["1 2 1"]);
    assert_eq!(links(&import_text("digraph { a -> b -> c }").unwrap()), ["a b 1", "b c 1"]);
    assert_eq!(links(&import_text("graph { a -- b }").unwrap()), ["a b 1", "b a 1"]);
    let star = import(&instance("examples/star.graphml"));
    assert_eq!(names(&star), ["h1", "h2", "h3", "A & B <C>"]);
    let s = "A & B <C>";
    let expected = [
        format!("h1 {s} 3/2"),
        format!("{s} h1 3/2"),
        format!("{s} h2 2"),
        format!("h2 {s} 2"),
        format!("h3 {s} 1/10"),
    ];
    assert_eq!(links(&star), expected);
}

#[test]
fn directed_is_an_option_for_files_without_directions() {
    let directed = model(LinkModel::Directed);
    let ring = topology(&instance("examples/ring.sndlib.xml"), &directed).unwrap();
    assert_eq!(links(&ring), ["a b 10", "b c 5/2", "c d 10", "d a 40"]);
    let some = "a b\nb a\nb c\n";
    assert!(import_text(some).is_err());
    assert_eq!(links(&import_with(some, &directed).unwrap()), ["a b 1", "b a 1", "b c 1"]);
}

#[test]
fn edge_lists_with_both_directions_are_directed() {
    let arcs = import(&instance("examples/arcs.txt"));
    assert_eq!(links(&arcs), ["0 1 1", "1 0 1", "1 2 1", "2 1 1", "2 0 1", "0 2 1"]);
    // Two in each direction; and two in the same direction, which are parallel undirected links.
    assert_eq!(import_text("a b 1\na b 2\nb a 1\nb a 2\n").unwrap().links(), 4);
    assert_eq!(import_text("a b 1\na b 2\n").unwrap().links(), 4);
    // The same loop twice is not a direction.
    assert_eq!(links(&import_text("a a 1\na b 2\n").unwrap()), ["a b 2", "b a 2"]);
}

/// Two routers and one link of capacity 10: 6 each way are 12 on a shared link.
#[test]
fn shared_capacity_counts_both_directions() {
    let text = "u v 10\n";
    let shared = import_with(text, &model(LinkModel::UndirectedShared)).unwrap();
    let demand = |s, d| Demand { s, d, amount: Rational::from(6) };
    let traffic = [demand(0, 1), demand(1, 0)];
    let load = |network| EvenSplit::route(network, &traffic).unwrap().max_load();
    assert_eq!(load(&shared), Rational::new(6, 5).unwrap());
    assert_eq!(load(&import_text(text).unwrap()), Rational::new(3, 5).unwrap());
    assert_eq!(baseload(&shared, &traffic), Rational::new(3, 5).unwrap());
    assert_eq!(
        links(&shared),
        [
            "u u -- v #0 in 10",
            "v u -- v #0 in 10",
            "u -- v #0 in u -- v #0 out 10",
            "u -- v #0 out u 10",
            "u -- v #0 out v 10"
        ]
    );
    let shapes: Vec<_> =
        shared.graph().edge_weights().map(|link| (link.level, link.direction)).collect();
    let (up, flat, down) = (Direction::Up, Direction::Flat, Direction::Down);
    assert_eq!(shapes, [(1, up), (1, up), (1, flat), (1, down), (1, down)]);
}

#[test]
fn shared_links_of_a_ring() {
    let options = model(LinkModel::UndirectedShared);
    let ring = topology(&instance("examples/ring.dot"), &options).unwrap();
    assert_eq!((ring.hosts(), ring.nodes(), ring.links()), (4, 12, 20));
    assert!(ring.graph().node_weights().take(4).all(|node| node.kind == NodeKind::Host));
    // Directed links of a mixed graph stay as they are.
    let star = topology(&instance("examples/star.graphml"), &options).unwrap();
    assert_eq!((star.hosts(), star.nodes(), star.links()), (3, 8, 11));
}

#[test]
fn parallel_links_stay_apart() {
    let network = import_text("graph { a -- b; b -- a; a -- b [weight=3] }").unwrap();
    assert_eq!(network.links(), 6);
    let ports: Vec<_> =
        network.graph().edge_weights().map(|link| (link.from_port, link.to_port)).collect();
    assert_eq!(ports, [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (3, 3)]);
}

#[test]
fn opposite_directed_links_are_one_cable() {
    // a-b, a-c and a second a-b, each as two directed links.
    let text = "digraph { a -> b; a -> c; b -> a; a -> b; c -> a; b -> a }";
    let network = import_text(text).unwrap();
    let ports: Vec<_> =
        network.graph().edge_weights().map(|link| (link.from_port, link.to_port)).collect();
    assert_eq!(ports, [(1, 1), (2, 1), (1, 1), (3, 2), (1, 2), (2, 3)]);
}

#[test]
fn hosts_are_numbered_by_integer_ids_or_as_listed() {
    // B4.json lists node 4 before node 3, and 10 before 9 and 8.
    let b4 = import(&instance("b4/B4.json"));
    let expected: Vec<String> = (0..12).map(|id| id.to_string()).collect();
    assert_eq!(names(&b4), expected);
    assert_eq!(names(&import_text("c b\nb a\n").unwrap()), ["c", "b", "a"]);
    assert_eq!(names(&import_text("10 9\n9 2\n").unwrap()), ["2", "9", "10"]);
    // 07 is not an integer by which a matrix would count.
    assert_eq!(names(&import_text("10 9\n9 07\n").unwrap()), ["10", "9", "07"]);
    // Hosts come before switches.
    let star = import(&instance("examples/star.dot"));
    assert_eq!(names(&star), ["h1", "h2", "h3", "the \\ \"star\""]);
}

#[test]
fn nodes_that_share_a_name_get_their_id() {
    let text = r#"graph { 1 [label="x"]; 2 [label="x"]; 3 [label="y"]; 1 -- 2 -- 3 }"#;
    assert_eq!(names(&import_text(text).unwrap()), ["x (1)", "x (2)", "y"]);
}

#[test]
fn networks_need_not_be_connected() {
    let network = import_text("graph { a -- b; c -- d; e }").unwrap();
    assert_eq!((network.hosts(), network.links()), (5, 4));
    assert!(network.notes().iter().any(|note| note.contains("in 3 parts")));
    let far = [Demand { s: 0, d: 4, amount: Rational::ONE }];
    assert!(EvenSplit::route(&network, &far).is_none());
}

#[test]
fn a_byte_order_mark_does_not_matter() {
    for file in RINGS {
        let text = std::fs::read_to_string(instance(&format!("examples/{file}"))).unwrap();
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(links(&import_text(marked).unwrap()), RING, "{file}");
    }
}
