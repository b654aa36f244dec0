//! The shares of links against the definitions, on networks with and without ties.

use super::*;
use crate::routing::{Instance, build};
use crate::topology::{Coordinates, generate, sd_pairs};

const NETWORKS: [&str; 5] = ["torus(4;3)", "torus(4,2)", "torus(2;5)", "mesh(3,2)", "hypercube(3)"];

/// Shares by link.
type Shares = BTreeMap<LinkId, Rational>;

fn uses(network: &Topology, routing: &str, s: Host, d: Host) -> Shares {
    let mut shares = Shares::new();
    let routing = build(routing, network).unwrap();
    routing.for_each_use(s, d, &mut UseScratch::default(), &mut |share, links| {
        shares.extend(links.iter().map(|link| (*link, share.clone())));
    });
    shares
}

fn add(shares: &mut Shares, network: &Topology, nodes: &[NodeId], share: &Rational) {
    for step in nodes.windows(2) {
        let mut links = network.links_from(step[0]);
        let link = links.find(|link| network.ends(*link) == Some((step[0], step[1]))).unwrap();
        *shares.entry(link).or_insert(Rational::ZERO) += share;
    }
}

/// Appends the nodes of steps along a dimension.
fn go(coordinates: &Coordinates, nodes: &mut Vec<NodeId>, dimension: usize, up: bool, steps: u32) {
    for _ in 0..steps {
        let next = coordinates.neighbour(nodes[nodes.len() - 1], dimension, up).unwrap();
        nodes.push(next);
    }
}

/// The ways, as direction and number of steps, in every dimension of the boxes with `s` and `d` at two corners.
fn boxes(coordinates: &Coordinates, s: Host, d: Host) -> Vec<Vec<(bool, u32)>> {
    let mut boxes = vec![Vec::new()];
    for (dimension, size) in coordinates.sizes().iter().enumerate() {
        let [from, to] = [s, d].map(|node| coordinates.of(node, dimension));
        let ways = if coordinates.is_ring(dimension) {
            let [up, down] = [(to + size - from) % size, (from + size - to) % size];
            match up.cmp(&down) {
                _ if up == 0 => vec![(true, 0)],
                std::cmp::Ordering::Less => vec![(true, up)],
                std::cmp::Ordering::Greater => vec![(false, down)],
                std::cmp::Ordering::Equal => vec![(true, up), (false, down)],
            }
        } else {
            vec![(to > from, to.abs_diff(from))]
        };
        let longer = |known: &Vec<(bool, u32)>| {
            let known = known.clone();
            ways.clone().into_iter().map(move |way| [&known[..], &[way]].concat())
        };
        boxes = boxes.iter().flat_map(longer).collect();
    }
    boxes
}

/// Nesson and Johnsson: a box, then a node of it, then in dimension order to that node and on, within the box.
fn romm(network: &Topology, s: Host, d: Host) -> Shares {
    let coordinates = network.coordinates().unwrap();
    let boxes = boxes(coordinates, s, d);
    let mut shares = Shares::new();
    for ways in &boxes {
        let corners = ways.iter().map(|(_, steps)| u64::from(steps + 1)).product::<u64>();
        let share = Rational::new(1, corners * boxes.len() as u64).unwrap();
        for number in 0..corners {
            let (mut rest, mut first) = (number, Vec::new());
            for (_, steps) in ways {
                first.push(u32::try_from(rest % u64::from(steps + 1)).unwrap());
                rest /= u64::from(steps + 1);
            }
            let mut nodes = vec![s];
            for (dimension, (up, _)) in ways.iter().enumerate() {
                go(coordinates, &mut nodes, dimension, *up, first[dimension]);
            }
            for (dimension, (up, steps)) in ways.iter().enumerate() {
                go(coordinates, &mut nodes, dimension, *up, steps - first[dimension]);
            }
            assert_eq!(nodes.last(), Some(&d));
            add(&mut shares, network, &nodes, &share);
        }
    }
    shares
}

#[test]
fn romm_spreads_over_the_nodes_of_the_minimal_quadrants() {
    for spec in NETWORKS {
        let network = generate(spec).unwrap();
        for (s, d) in sd_pairs(network.hosts()) {
            assert_eq!(uses(&network, "romm", s, d), romm(&network, s, d), "{spec} {s} {d}");
        }
    }
}

/// What the source spreads over all nodes, and what the destination collects from all.
#[test]
fn valiant_spreads_and_collects() {
    for spec in NETWORKS {
        let network = generate(spec).unwrap();
        let dor = build("dor(ties=split)", &network).unwrap();
        let nodes = Rational::from(network.nodes() as u64);
        let phase = |a, b, shares: &mut Shares| {
            if a != b {
                dor.for_each_path(a, b, &mut Vec::new(), &mut |share, links| {
                    for link in links {
                        *shares.entry(*link).or_insert(Rational::ZERO) +=
                            &share.checked_div(&nodes).unwrap();
                    }
                });
            }
        };
        for (s, d) in sd_pairs(network.hosts()) {
            let mut expected = Shares::new();
            for node in network.node_numbers() {
                phase(s, node, &mut expected);
                phase(node, d, &mut expected);
            }
            assert_eq!(uses(&network, "valiant", s, d), expected, "{spec} {s} {d}");
        }
    }
}

/// The mean length of the paths of a host to all others and itself, times the number of hosts.
fn length(network: &Topology, routing: &str) -> Rational {
    let routing = build(routing, network).unwrap();
    let mut sum = Rational::ZERO;
    for d in network.host_numbers().skip(1) {
        routing.for_each_path(0, d, &mut Vec::new(), &mut |share, links| {
            sum += &(share * &Rational::from(links.len() as u64));
        });
    }
    sum
}

/// On the 8-ary 2-cube shortest paths have 4 links in the mean, those of `ival` 413/64.
#[test]
fn ival_leaves_loops_out() {
    let network = generate("torus(8,2)").unwrap();
    let [dor, romm, ival] = ["dor", "romm", "ival"].map(|routing| length(&network, routing));
    assert_eq!((dor, romm, ival), (256.into(), 256.into(), 413.into()));
    let by_hand = generate("mesh(3)").unwrap();
    // From 0 through 0, 1 and 2 to 1: the last turns back.
    let mut paths = Vec::new();
    let ival = build("ival", &by_hand).unwrap();
    ival.for_each_path(0, 1, &mut Vec::new(), &mut |share, links| {
        paths.push((share.clone(), links.to_vec()));
    });
    assert_eq!(paths, [(Rational::ONE, vec![0])]);
    let valiant = build("valiant", &by_hand).unwrap();
    let mut paths = Vec::new();
    valiant.for_each_path(0, 1, &mut Vec::new(), &mut |share, links| {
        paths.push((share.to_string(), links.to_vec()));
    });
    assert_eq!(paths, [("2/3".into(), vec![0]), ("1/3".into(), vec![0, 2, 3])]);
}

/// Outside routings that do so are refused.
#[test]
fn paths_may_pass_a_node_twice_where_the_routing_says_so() {
    for (routing, may) in [("valiant", true), ("romm", false), ("ival", false)] {
        let network = generate("torus(4;3)").unwrap();
        let routing = build(routing, &network).unwrap();
        let mut repeats = 0;
        for (s, d) in sd_pairs(network.hosts()) {
            routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                let ends = links.iter().map(|link| network.ends(*link).unwrap());
                let mut nodes: Vec<NodeId> = ends.map(|(from, _)| from).chain([d]).collect();
                nodes.sort_unstable();
                repeats += usize::from(nodes.windows(2).any(|two| two[0] == two[1]));
            });
        }
        assert_eq!((repeats > 0, routing.may_revisit()), (may, may));
        assert!(Instance::new(network, routing).is_ok());
    }
}
