//! Generated trees have the structure that the papers define and derive: \[OR\] II.B with
//! Properties 1 to 5 for FT(m,n) (statements of the theorem battery), and \[RO\] II for any XGFT.
//!
//! Every statement is checked on the digraph by its definition: sub-fat-trees are components
//! of the graph without its upper levels, paths are counted by breadth-first search. Neither
//! the labels of a tree nor the arithmetic on them is used, since these tests are meant to
//! verify them.

use std::collections::{BTreeMap, BTreeSet};

use super::Structure;
use crate::integer::index32;
use crate::papers::STATEMENTS;
use crate::progress::Progress;
use crate::registry;
use crate::theorem::{Outcome, Scope, Subject};
use crate::topology::{Direction, generate};
use petgraph::Outgoing;
use petgraph::visit::EdgeRef;
use proptest::prelude::*;

fn tree(name: &str, children: &[usize], parents: &[usize]) -> Structure {
    Structure::new(&generate(name).unwrap(), children.to_vec(), parents.to_vec())
}

/// FT(m,n): m/2 children under a switch, but m at the root; m/2 parents, but one for a host.
fn ft(m: usize, n: usize) -> Structure {
    let (mut children, mut parents) = (vec![m / 2; n], vec![m / 2; n]);
    (children[n - 1], parents[0]) = (m, 1);
    tree(&format!("ft({m},{n})"), &children, &parents)
}

/// m and n of every FT(m,n) of at most 250 hosts, m and n moderate. In the default tier m is at most 6, and 4 on more
/// than three levels.
fn small_fts() -> impl Iterator<Item = (usize, usize)> {
    let all = [(1, 12), (2, 12), (3, 10), (4, 6), (5, 4), (6, 2)].into_iter();
    all.flat_map(|(n, largest)| {
        let most = if n < 4 { 6 } else { 4 };
        let largest = if cfg!(feature = "slow-tests") { largest } else { largest.min(most) };
        (2..=largest).step_by(2).map(move |m| (m, n))
    })
}

/// All links are bidirectional, of capacity 1, between neighbouring levels, and every port of
/// a node is used by one link in each direction.
fn assert_cables(tree: &Structure) {
    let mut cables: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    for edge in tree.graph.edge_references() {
        let link = edge.weight();
        let (from, to) = (tree.level(edge.source()), tree.level(edge.target()));
        let (direction, below) =
            if from < to { (Direction::Up, from) } else { (Direction::Down, to) };
        assert_eq!(from.abs_diff(to), 1, "{}", tree.name);
        assert_eq!((link.direction, usize::from(link.level)), (direction, below + 1));
        assert_eq!(link.capacity, 1.into(), "{}", tree.name);
        let back = tree.graph.edges_connecting(edge.target(), edge.source());
        let ports = (link.to_port, link.from_port);
        let twins = back.filter(|e| (e.weight().from_port, e.weight().to_port) == ports).count();
        assert_eq!(twins, 1, "{}", tree.name);
        *cables.entry((edge.source().index(), link.from_port)).or_default() += 1;
    }
    assert!(cables.values().all(|links| *links == 1), "{}", tree.name);
    for node in tree.graph.node_indices() {
        let last = tree.graph.edges(node).map(|edge| edge.weight().from_port).max();
        assert_eq!(last, Some(index32(tree.graph.edges(node).count())), "ports without gaps");
    }
}

#[test]
fn ft_is_built_from_m_port_switches() {
    for (m, n) in small_fts() {
        let (tree, half) = (ft(m, n), (m / 2).pow(index32(n) - 1));
        assert_eq!(tree.hosts, m * half, "{}", tree.name);
        for level in 1..=n {
            let expected = if level == n { half } else { 2 * half };
            assert_eq!(tree.level_nodes(level), expected, "{}", tree.name);
        }
        assert_eq!(tree.graph.node_count() - tree.hosts, (2 * n - 1) * half, "{}", tree.name);
        for switch in tree.graph.node_indices().skip(tree.hosts) {
            assert_eq!(tree.graph.edges(switch).count(), m, "{}", tree.name);
        }
        assert_cables(&tree);
        assert_eq!(tree.subtrees(n).unwrap().len(), 1, "{}", tree.name);
    }
}

/// Properties 1 to 5, as statements of the battery, on larger and different trees than its pool
/// of small sizes.
#[test]
fn properties_of_the_paper() {
    let progress = Progress::silent();
    let scope = Scope::new(0, &progress);
    for i in 1..=5 {
        let kind = registry::find(STATEMENTS, "statement", &format!("or-property-{i}")).unwrap();
        let Subject::Networks { applies, check } = kind.build.subject else { unreachable!() };
        for (m, n) in small_fts() {
            let tree = generate(&format!("ft({m},{n})")).unwrap();
            for finding in
                applies(&tree).then(|| check(&tree, &scope).unwrap()).into_iter().flatten()
            {
                // FT(2,n) has one link at every switch: some properties say nothing about it.
                let says_nothing = matches!(finding.outcome, Outcome::Vacuous(_)) && m == 2;
                assert!(says_nothing || finding.outcome == Outcome::Holds, "{finding:?}");
            }
        }
    }
}

/// These checks would notice one crossed pair of cables.
#[test]
#[should_panic(expected = "ft(4,3): port 0 of height 2")]
fn a_crossed_pair_of_cables_is_noticed() {
    let mut tree = ft(4, 3);
    // Up-link ports 0 and 1 of the first switch of level 1 swap their ends.
    let crossed = tree.subtrees(1).unwrap().remove(0).up_links;
    let ports = [1, 0].map(|port| tree.graph[crossed[port]].from_port);
    for (link, port) in crossed.into_iter().zip(ports) {
        tree.graph[link].from_port = port;
    }
    tree.subtrees(2).unwrap();
}

/// The counting by search agrees with listing all paths one by one.
#[test]
fn paths_counted_are_paths_listed() {
    for tree in [ft(4, 2), ft(6, 2), ft(4, 3), tree("xgft(2;2,3;2,2)", &[2, 3], &[2, 2])] {
        let from = tree.searches(Outgoing);
        for (s, d) in tree.pairs() {
            let inner = from[s.index()].distance[d.index()].unwrap() - 1;
            let listed = petgraph::algo::all_simple_paths::<Vec<_>, _, std::hash::RandomState>(
                &tree.graph,
                s,
                d,
                0,
                Some(inner),
            );
            assert_eq!(listed.count(), from[s.index()].paths[d.index()], "{}", tree.name);
        }
    }
}

/// h ≤ 4 with m ≤ 4 and w ≤ 3, not all m equal to 1: at most 256 hosts.
fn shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let levels = prop::collection::vec((1..=4_usize, 1..=3_usize), 1..=4);
    let shapes = levels.prop_map(|levels| levels.into_iter().unzip());
    shapes.prop_filter("one host only", |(m, _): &(Vec<usize>, _)| m.iter().any(|m| *m > 1))
}

fn xgft(children: &[usize], parents: &[usize]) -> Structure {
    let list =
        |numbers: &[usize]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let name = format!("xgft({};{};{})", children.len(), list(children), list(parents));
    tree(&name, children, parents)
}

proptest! {
    /// Nodes and links per level, equation (1), parents and children of every node.
    #[test]
    fn any_xgft_has_the_nodes_and_links_of_table_1((m, w) in shapes()) {
        let (tree, height) = (xgft(&m, &w), m.len());
        let nodes = |l: usize| {
            m[l..].iter().product::<usize>() * w[..l].iter().product::<usize>()
        };
        let mut inner = 0;
        for level in 0..=height {
            prop_assert_eq!(tree.level_nodes(level), nodes(level));
            inner += if level > 0 { nodes(level) } else { 0 };
        }
        prop_assert_eq!(tree.graph.node_count() - m.iter().product::<usize>(), inner);
        for node in tree.graph.node_indices() {
            let (level, mut above, mut below) = (tree.level(node), BTreeSet::new(), BTreeSet::new());
            for next in tree.graph.neighbors(node) {
                if tree.level(next) > level { above.insert(next) } else { below.insert(next) };
            }
            prop_assert_eq!(above.len(), if level < height { w[level] } else { 0 });
            prop_assert_eq!(below.len(), if level > 0 { m[level - 1] } else { 0 });
            prop_assert_eq!(tree.graph.edges(node).count(), above.len() + below.len());
        }
        for l in 0..height {
            let count = |direction| {
                let links = tree.graph.edge_weights();
                links.filter(|x| usize::from(x.level) == l + 1 && x.direction == direction).count()
            };
            prop_assert_eq!(count(Direction::Up), nodes(l) * w[l]);
            prop_assert_eq!(count(Direction::Down), nodes(l + 1) * m[l]);
        }
        assert_cables(&tree);
    }

    /// Built by recursion; and the w1⋯wL paths over the nearest common ancestors of a pair at
    /// level L are its shortest paths.
    #[test]
    fn any_xgft_is_built_by_recursion((m, w) in shapes()) {
        let (tree, height) = (xgft(&m, &w), m.len());
        for l in 0..=height {
            let subtrees = tree.subtrees(l).unwrap();
            prop_assert_eq!(subtrees.len(), m[l..].iter().product::<usize>());
            prop_assert_eq!(tree.subtree_labels(l).len(), subtrees.len());
        }
        let components = tree.all_components();
        let from = tree.searches(Outgoing);
        for (s, d) in tree.pairs() {
            let l = tree.meeting_height(&components, s, d);
            let paths = from[s.index()].paths[d.index()];
            prop_assert_eq!(paths, w[..l].iter().product::<usize>());
            prop_assert_eq!(from[s.index()].distance[d.index()], Some(2 * l));
        }
    }
}
