//! \[OR\] Properties 1 to 5, with the counts of II.B.

use std::collections::BTreeSet;

use petgraph::Outgoing;

use crate::theorem::prelude::*;
use crate::theorem::structure::Structure;

pub(super) const PROPERTY_1: Statement = Statement::new("or-property-1", "[OR] II.B, Property 1")
    .about("FT(m,n) contains m(m/2)^(n-1-i) SUBFT(m,i)'s of (m/2)^i nodes and up-link ports each, (2n-1)(m/2)^(n-1) switches of m ports, and m(m/2)^(n-1) nodes")
    .hypothesis("FT(m,n)")
    .quote(r"FT(m, n) contains m SUBFT(m, n-1)'s, $m \times \frac{m}{2}$ SUBFT(m, n-2)'s ... the total number of switches in FT(m, n) is $(2n-1) \times (\frac{m}{2})^{n-1}$")
    .networks(|tree| shape::ft(tree).is_some(), check)
    // A tree with three roots passed off as FT(8,2), which has four.
    .planted(Planted::Network("xgft(2;4,8;1,3)", |topology, _| counted(topology, 8, 2)));

fn check(topology: &Topology, _: &Scope) -> Findings {
    match shape::ft(topology) {
        Some((m, n)) => counted(topology, m as usize, n as usize),
        None => Err(defect(topology.spec())),
    }
}

/// The claim that a network has the counts of FT(m,n).
fn counted(topology: &Topology, m: usize, n: usize) -> Findings {
    let tree = fits(topology, Structure::of)?;
    let problem = counts(&tree, m, n).and_then(|()| subtrees(&tree, m, n)).err();
    let case = topology.spec();
    Ok(vec![Finding::unless(case, "the counts", "as claimed", problem, Basis::Exhaustive)])
}

fn equal(what: &str, claimed: usize, found: usize) -> Result<(), String> {
    if claimed == found { Ok(()) } else { Err(format!("{what}: {found}, not {claimed}")) }
}

fn counts(tree: &Structure, m: usize, n: usize) -> Result<(), String> {
    let half = (m / 2).pow(index32(n) - 1);
    equal("processing nodes", m * half, tree.hosts)?;
    equal("switches", (2 * n - 1) * half, tree.graph.node_count() - tree.hosts)?;
    for level in 1..=n {
        let claimed = if level == n { half } else { 2 * half };
        equal(&format!("switches of level {}", n - level), claimed, tree.level_nodes(level))?;
    }
    let switches = tree.graph.node_indices().skip(tree.hosts);
    switches.into_iter().try_for_each(|switch| equal("ports", m, tree.graph.edges(switch).count()))
}

fn subtrees(tree: &Structure, m: usize, n: usize) -> Result<(), String> {
    for i in 1..n {
        let claimed = m * (m / 2).pow(index32(n - 1 - i));
        equal(&format!("SUBFT({m},{i})'s"), claimed, tree.subtree_labels(i).len())?;
        let components = tree.components(|level| level <= i);
        for subtree in tree.subtrees(i)? {
            let inside = tree.hosts().filter(|host| components[host.index()] == subtree.component);
            let ports = (m / 2).pow(index32(i));
            equal(&format!("up-link ports of SUBFT({m},{i})"), ports, subtree.up_links.len())?;
            equal(&format!("nodes of SUBFT({m},{i})"), ports, inside.count())?;
        }
    }
    Ok(())
}

pub(super) const PROPERTY_2: Statement = Statement::new("or-property-2", "[OR] Property 2")
    .about("Through the upper level switches, up-link port j of a SUBFT(m,i) is connected to up-link port j of every other SUBFT(m,i) and to no other port")
    .hypothesis("FT(m,n) with n >= 2")
    .quote("an up-link port in a SUBFT(m, i) is only connected to an up-link port of the same port number in any other SUBFT(m, i)")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 2..))),
        |topology, _| ports_meet(topology, 0),
    )
    .planted(Planted::Network("ft(4,3)", |topology, _| ports_meet(topology, 1)));

/// The claim that up-link port j of SUBFT number c meets port j − `shift`·(c' − c) of SUBFT
/// number c', and no other; as printed where `shift` is 0.
fn ports_meet(topology: &Topology, shift: usize) -> Findings {
    let tree = fits(topology, Structure::of)?;
    if tree.children[0] == 1 {
        return Ok(vec![Finding::vacuous(topology.spec(), "every SUBFT has one up-link port")]);
    }
    let problem = (1..tree.height()).try_for_each(|i| equal_ports_meet(&tree, i, shift)).err();
    let (case, claimed) = (topology.spec(), "equal ports meet, and no others");
    Ok(vec![Finding::unless(case, claimed, claimed, problem, Basis::Exhaustive)])
}

/// Checks that each component of the graph above height `i` holds one port of every subtree, and
/// that the numbers of these ports agree up to `shift`.
fn equal_ports_meet(tree: &Structure, i: usize, shift: usize) -> Result<(), String> {
    let above = tree.components(|level| level > i);
    let subtrees = tree.subtrees(i)?;
    let mut met: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, subtree) in subtrees.iter().enumerate() {
        let ports = subtree.up_links.len();
        for (port, link) in subtree.up_links.iter().enumerate() {
            let met = met.entry(above[tree.head(*link).index()]).or_default();
            met.push(((port + shift * number) % ports, subtree.component));
        }
    }
    for met in met.values() {
        let different: BTreeSet<_> = met.iter().map(|(_, subtree)| subtree).collect();
        let once = (met.len(), different.len()) == (subtrees.len(), subtrees.len());
        if !once || met.iter().any(|(port, _)| *port != met[0].0) {
            return Err(format!("port {} of height {i} meets others", met[0].0));
        }
    }
    Ok(())
}

pub(super) const PROPERTY_3: Statement = Statement::new("or-property-3", "[OR] Property 3")
    .about("Two nodes whose smallest common sub-fat-tree is a SUBFT(m,i) have (m/2)^(i-1) shortest paths, and (m/2)^(n-1) when they have no common one")
    .hypothesis("FT(m,n)")
    .quote(r"there exist $(\frac{m}{2})^{i-1}$ different shortest paths from a to b. If such a sub-tree does not exist, there are $(\frac{m}{2})^{n-1}$ different shortest paths")
    .networks(|tree| shape::ft(tree).is_some(), |topology, _| shortest_paths(topology, |i| i - 1))
    .planted(Planted::Network("ft(4,2)", |topology, _| shortest_paths(topology, |i| i)));

/// The claim that pairs that meet in a SUBFT(m,i) have (m/2)^`exponent`(i) shortest paths.
fn shortest_paths(topology: &Topology, exponent: fn(u32) -> u32) -> Findings {
    let (m, n) = fits(topology, shape::ft)?;
    let tree = fits(topology, Structure::of)?;
    let components = tree.all_components();
    let from = tree.searches(Outgoing);
    let is_wrong = |(s, d): &(petgraph::graph::NodeIndex, petgraph::graph::NodeIndex)| {
        // Below the roots the tree consists of SUBFTs; "no common one" means height n.
        let i = tree.meeting_height(&components[..n as usize], *s, *d);
        let found = &from[s.index()];
        let paths = (m as usize / 2).pow(exponent(index32(i)));
        found.paths[d.index()] != paths || found.distance[d.index()] != Some(2 * i)
    };
    let wrong = tree.pairs().find(is_wrong);
    let wrong = wrong.map(|(s, d)| {
        format!("{} paths from {} to {}", from[s.index()].paths[d.index()], s.index(), d.index())
    });
    let (case, claimed) = (topology.spec(), "(m/2)^(i-1) shortest paths of 2i links");
    Ok(vec![Finding::unless(case, claimed, "holds for every pair", wrong, Basis::Exhaustive)])
}

pub(super) const PROPERTY_4: Statement = Statement::new("or-property-4", "[OR] Property 4")
    .about("Where (m/2)^x shortest paths join s and d, each level n-1-i link that carries their traffic is on (m/2)^(x-i) of them")
    .hypothesis("FT(m,n)")
    .quote(r"Each of the level n - 1 - i up/down links that carry traffic from s to d is used by $(\frac{m}{2})^{x-i}$ shortest paths")
    .networks(
        |tree| shape::ft(tree).is_some(),
        |topology, scope| paths_of_links(topology, scope, |x, i| x - i),
    )
    .planted(Planted::Network(
        "ft(4,2)",
        |topology, scope| paths_of_links(topology, scope, |x, _| x),
    ));

/// The claim that (m/2)^`exponent`(x,i) paths use each link: (m/2)^(x−i) as printed. Then (m/2)^i
/// links up and as many down carry the pair, which is also checked.
fn paths_of_links(
    topology: &Topology,
    scope: &Scope,
    exponent: fn(usize, usize) -> usize,
) -> Findings {
    let (m, n) = fits(topology, shape::ft)?;
    let tree = fits(topology, Structure::of)?;
    let half = |x: usize| (m as usize / 2).pow(index32(x));
    let components = tree.all_components();
    let mut problem = None;
    // x of one pair, and its number of links up and down per i: uses come pair by pair.
    let (mut pair, mut carriers) = (None, vec![[0; 2]; n as usize]);
    let are_as_claimed = |x: usize, carriers: &[[usize; 2]]| {
        let claimed = |i: usize| if i <= x { half(i) } else { 0 };
        carriers.iter().enumerate().all(|(i, links)| *links == [claimed(i); 2])
    };
    tree.every_use(scope.progress, |s, d, link, paths| {
        let x = tree.meeting_height(&components[..n as usize], s, d) - 1;
        if pair.is_none_or(|(last, _)| last != (s, d)) {
            if pair.is_some_and(|(_, x)| !are_as_claimed(x, &carriers)) {
                problem = Some(format!("{carriers:?} links of the pair before {s:?}, {d:?}"));
            }
            pair = Some(((s, d), x));
            carriers.fill([0; 2]);
        }
        let link = &tree.graph[link];
        let i = usize::from(link.level) - 1;
        if i > x || paths != half(exponent(x, i)) {
            problem = Some(format!("{paths} paths of {} to {} at i = {i}", s.index(), d.index()));
        }
        carriers[i][usize::from(link.direction == Direction::Up)] += 1;
    })?;
    if pair.is_some_and(|(_, x)| !are_as_claimed(x, &carriers)) {
        problem = Some(format!("{carriers:?} links of the last pair"));
    }
    let (case, claimed) = (topology.spec(), "(m/2)^(x-i) paths through a link");
    let found = "holds for every pair and link";
    Ok(vec![Finding::unless(case, claimed, found, problem, Basis::Exhaustive)])
}

pub(super) const PROPERTY_5: Statement = Statement::new("or-property-5", "[OR] Property 5")
    .about("A level i up link carries traffic from at most (m/2)^(n-1-i) source nodes, a level i down link to at most as many nodes")
    .hypothesis("FT(m,n), every shortest path")
    .quote(r"up link carries traffic from at most $(\frac{m}{2})^{n-1-i}$ source nodes. A level i down link carries traffic to at most $(\frac{m}{2})^{n-1-i}$ nodes.")
    .networks(
        |tree| shape::ft(tree).is_some(),
        |topology, scope| users_of_links(topology, scope, 0),
    )
    .planted(Planted::Network("ft(4,2)", |topology, scope| users_of_links(topology, scope, 1)));

/// One finding per level: the most hosts on any of its links, against the printed bound minus
/// `fewer`.
fn users_of_links(topology: &Topology, scope: &Scope, fewer: u64) -> Findings {
    let (m, n) = fits(topology, shape::ft)?;
    let tree = fits(topology, Structure::of)?;
    let mut users = vec![BTreeSet::new(); tree.graph.edge_count()];
    tree.every_use(scope.progress, |s, d, link, _| {
        let up = tree.graph[link].direction == Direction::Up;
        users[link.index()].insert(if up { s } else { d });
    })?;
    let finding = |i: u32| {
        let of_level = tree.graph.edge_weights().zip(&users);
        let of_level = of_level.filter(|(link, _)| n - u32::from(link.level) == i);
        let most = of_level.map(|(_, users)| users.len() as u64).max().unwrap_or(0);
        let claimed = u64::from(m / 2).pow(n - 1 - i) - fewer;
        let case = format!("level {i} of {}", topology.spec());
        Finding::at_most(case, Rational::from(claimed), Rational::from(most), Basis::Exhaustive)
    };
    Ok((0..n).map(finding).collect())
}
