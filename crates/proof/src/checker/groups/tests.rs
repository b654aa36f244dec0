//! Groups against pairs, on whole tables and on broken ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::certificate::{self, Certificate, WorstCaseCertificate};
use crate::checker::Result;
use crate::checker::classes::Classes;
use crate::checker::cover::Covers;
use crate::checker::cut::Cuts;
use crate::checker::ends::{Way, Weighing};
use crate::checker::network::Network;
use crate::checker::routes::Routes;
use crate::checker::tables::Tables;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

/// Links of a network in which hosts come first, and the number of hosts.
type Wires = (usize, Vec<(NodeId, NodeId)>);

/// Cables, each with a link in either direction.
fn cabled(hosts: usize, cables: &[(NodeId, NodeId)]) -> Wires {
    (hosts, cables.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect())
}

/// Two leaves with three hosts each under two roots; a host with two cables between two switches,
/// one of which has another host; a ring of hosts, one of which has a host behind it.
fn networks() -> Vec<Wires> {
    let tree = [(0, 6), (1, 6), (2, 6), (3, 7), (4, 7), (5, 7), (6, 8), (6, 9), (7, 8), (7, 9)];
    let twofold = [(0, 3), (0, 4), (1, 3), (2, 4), (3, 4)];
    let ring = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 2)];
    vec![cabled(6, &tree), cabled(3, &twofold), cabled(5, &ring)]
}

/// A change of tables: the entry of a node for a host becomes this link, or none.
type Change = (NodeId, Host, Option<LinkId>);

/// Tables along a tree to each destination, changed; a row whose entries are all the same is
/// a single entry.
fn tables((hosts, links): &Wires, changes: &[Change]) -> String {
    let nodes = nodes(links);
    let mut rows = vec![vec![None; *hosts]; nodes];
    let destinations: Vec<usize> = (0..*hosts).collect();
    for d in destinations {
        let mut reached = BTreeSet::from([d]);
        while reached.len() < nodes {
            for (number, (from, to)) in links.iter().enumerate() {
                if reached.contains(&(*to as usize)) && reached.insert(*from as usize) {
                    rows[*from as usize][d] = Some(number);
                }
            }
        }
    }
    for (node, d, link) in changes {
        let link = link.map(|link| link as usize % links.len());
        rows[*node as usize % nodes][*d as usize % hosts] = link;
    }
    let mut text = String::new();
    for (node, row) in rows.iter().enumerate() {
        let mut others = row.iter().enumerate().filter(|(d, _)| *d != node).map(|(_, next)| next);
        let first = others.next().unwrap();
        let shown = if others.all(|next| next == first) { &row[..1] } else { &row[..] };
        let shown = if shown.len() == 1 { vec![*first] } else { shown.to_vec() };
        let entry = |next: Option<usize>| next.map_or("-".to_string(), |link| link.to_string());
        let entries: Vec<String> = shown.into_iter().map(entry).collect();
        writeln!(text, "next {node} {}", entries.join(" ")).unwrap();
    }
    text
}

fn nodes(links: &[(NodeId, NodeId)]) -> usize {
    links.iter().map(|link| link.0 as usize + 1).max().unwrap()
}

/// A certificate about tables; `capacity` is that of the first cable.
fn certificate(
    wires: &Wires,
    changes: &[Change],
    covers: &str,
    (capacity, upper): (u32, u32),
) -> WorstCaseCertificate {
    let mut text = "routebound-certificate 1\n".to_string();
    write!(text, "hosts {}\nnodes {}\n", wires.0, nodes(&wires.1)).unwrap();
    for (number, (from, to)) in wires.1.iter().enumerate() {
        writeln!(text, "link {from} {to} {}", if number < 2 { capacity } else { 1 }).unwrap();
    }
    text += &tables(wires, changes);
    write!(text, "claim oblivious-ratio 1 {upper}\nclaim permutation-load 1 {upper}\n").unwrap();
    write!(text, "witness 0 1\ndemand 0 1 1\nroute even\n{covers}end\n").unwrap();
    match certificate::read(text.as_bytes()).unwrap() {
        Certificate::WorstCase(certificate) => certificate,
        other => panic!("{other:?}"),
    }
}

/// What is found wrong with pairs and ends, and the destinations of all links, in groups and pair by pair.
type Found = (Result<()>, BTreeSet<(Host, LinkId)>);

fn both(certificate: &WorstCaseCertificate) -> [Found; 2] {
    let network = Network::open(&certificate.network).unwrap();
    let routes = Routes::open(&network, &certificate.routing).unwrap();
    let cuts = Cuts::open(&network, &[]).unwrap();
    let elsewhere = vec![false; network.links.len()];
    let classes = Classes::alone(&network);
    let covers = Covers::index(&network, (&cuts, &classes), (certificate, &elsewhere)).unwrap();
    let weighing = || Weighing::of((&network, &classes), (certificate, &elsewhere)).unwrap();
    let Routes::Next(tables) = &routes else { panic!("next links") };
    let hosts: Vec<Host> = network.host_numbers().collect();
    let one_by_one = Weighing::totals(covers.check_sources(&network, &routes, &weighing(), &hosts));
    let grouped = covers.check_pairs(&network, &routes, &weighing());
    let [grouped, one_by_one] = [grouped, one_by_one]
        .map(|sources| sources.and_then(|sources| weighing().check(&routes, &sources)));
    let mut seen = BTreeSet::new();
    tables.each_use(&network, &hosts, |d, link| seen.insert((d, link))).unwrap();
    [(grouped, seen), (one_by_one, uses(&network, tables, &hosts))]
}

/// The destinations and links of all paths.
fn uses(network: &Network, tables: &Tables<'_>, hosts: &[Host]) -> BTreeSet<(Host, LinkId)> {
    let (mut found, mut path) = (BTreeSet::new(), Vec::new());
    for (s, d) in hosts.iter().flat_map(|s| hosts.iter().map(move |d| (*s, *d))) {
        if s != d && tables.follow(network, (s, d), &mut path).is_ok() {
            found.extend(path.iter().map(|link| (d, *link)));
        }
    }
    found
}

#[test]
fn of_whole_tables_the_lighter_ends_are_counted() {
    let shapes = [1, 3].map(|capacity| [1, 2, 3, 9].map(|upper| (capacity, upper)));
    for (wires, shape) in itertools::iproduct!(networks(), shapes.into_iter().flatten()) {
        let certificate = certificate(&wires, &[], "ends\n", shape);
        let network = Network::open(&certificate.network).unwrap();
        let routes = Routes::open(&network, &certificate.routing).unwrap();
        let cuts = Cuts::open(&network, &[]).unwrap();
        let elsewhere = vec![false; network.links.len()];
        let classes = Classes::alone(&network);
        let covers =
            Covers::index(&network, (&cuts, &classes), (&certificate, &elsewhere)).unwrap();
        let weighing = Weighing::of((&network, &classes), (&certificate, &elsewhere)).unwrap();
        let Routes::Next(tables) = &routes else { panic!("next links") };
        let (counts, open) = covers.check_groups(&network, tables, &weighing).unwrap();
        assert_eq!(open, [0; 0]);
        let grouped = Weighing::totals(counts.into_iter().map(Ok)).unwrap();
        let hosts: Vec<Host> = network.host_numbers().collect();
        let sources = covers.check_sources(&network, &routes, &weighing, &hosts);
        let sources = Weighing::totals(sources).unwrap();
        let received = |way: &Way<'_>| {
            let mut destinations = vec![Rational::ZERO; network.links.len()];
            for (d, link) in uses(&network, tables, &hosts) {
                destinations[link as usize] += &way.weight(&network, d, false).unwrap();
            }
            destinations
        };
        let received: Vec<Vec<Rational>> = weighing.ways.iter().map(received).collect();
        let are_above = |link: usize| {
            let mut ways = weighing.ways.iter().zip(&received);
            ways.any(|(way, received)| way.exceeded(&network, link, &received[link]).is_some())
        };
        for ((grouped, sources), received) in grouped.iter().zip(&sources).zip(&received) {
            for (link, received) in received.iter().enumerate() {
                let lighter = if are_above(link) { received.min(&sources[link]) } else { received };
                assert_eq!(&grouped[link], lighter, "{wires:?}, {shape:?}: {link}");
            }
        }
        let [groups, pairs] = both(&certificate);
        assert_eq!(groups, pairs);
    }
}

#[test]
fn groups_are_made_of_hosts_with_one_link() {
    let sources = |wires: &Wires, changes: &[Change]| -> Vec<Vec<Host>> {
        let certificate = certificate(wires, changes, "ends\n", (1, 9));
        let network = Network::open(&certificate.network).unwrap();
        let Routes::Next(tables) = Routes::open(&network, &certificate.routing).unwrap() else {
            panic!("next links")
        };
        tables.groups(&network).into_iter().map(|group| group.sources).collect()
    };
    let [tree, twofold, ring] = &networks()[..] else { panic!("three") };
    assert_eq!(sources(tree, &[]), [[0, 1, 2], [3, 4, 5]]);
    // A link that begins elsewhere leads nowhere.
    let wrong: Vec<Change> = (0..6).map(|d| (1, d, Some(0))).collect();
    assert_eq!(sources(tree, &wrong), [vec![0, 2], vec![1], vec![3, 4, 5]]);
    assert_eq!(sources(twofold, &[]), [vec![0, 1], vec![2]]);
    assert_eq!(sources(twofold, &[(0, 2, Some(2))]), [vec![0], vec![1], vec![2]]);
    // Host 3 sends all by host 2, and so does the one behind it.
    assert_eq!(sources(ring, &[]), [vec![0], vec![1], vec![2, 3, 4]]);
}

/// Covers of some links by some hosts, as lines.
fn cover_lines(covers: &[(LinkId, Vec<Host>, Vec<Host>)], wires: &Wires) -> String {
    let mut lines = BTreeSet::new();
    for (link, sources, destinations) in covers {
        let link = *link as usize % wires.1.len();
        let side = |name: &str, hosts: &[Host]| {
            let hosts: BTreeSet<usize> = hosts.iter().map(|h| *h as usize % wires.0).collect();
            let hosts: Vec<String> = hosts.iter().map(usize::to_string).collect();
            if hosts.is_empty() { String::new() } else { format!(" {name} {}", hosts.join(" ")) }
        };
        lines.insert((link, side("s", sources) + &side("d", destinations)));
    }
    let mut text = String::new();
    let mut last = None;
    for (link, sides) in lines.into_iter().filter(|(link, _)| last.replace(*link) != Some(*link)) {
        writeln!(text, "cover {link}{sides}").unwrap();
    }
    text
}

proptest! {
    /// Whatever is wrong with tables, covers or ends, groups say of it what pairs say.
    #[test]
    fn groups_find_what_pairs_find(
        number in 0_usize..3,
        changes in prop::collection::vec((0_u32..16, 0_u32..6, prop::option::of(0_u32..24)), 0..4),
        covers in prop::collection::vec(
            (0_u32..24, prop::collection::vec(0_u32..6, 0..6), prop::collection::vec(0_u32..6, 0..6)),
            0..4,
        ),
        by_ends in any::<bool>(),
        shape in (1_u32..3, 1_u32..6),
    ) {
        let wires = &networks()[number];
        let ends = if by_ends { "ends\n" } else { "" };
        let covers = format!("{ends}{}", cover_lines(&covers, wires));
        let [groups, pairs] = both(&certificate(wires, &changes, &covers, shape));
        prop_assert_eq!(&groups.0, &pairs.0);
        if pairs.0.is_ok() {
            prop_assert_eq!(groups.1, pairs.1);
        }
    }
}
