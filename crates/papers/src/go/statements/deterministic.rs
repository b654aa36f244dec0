//! \[GO\] 3 and 4: what the deterministic routing does to paths and destinations.

use std::collections::BTreeSet;

use super::is_deterministic;
use crate::theorem::prelude::*;
use crate::theorem::walk::{ascent, turn};

pub(super) const BALANCE: Statement = Statement::new("go-balance", "[GO] 4, below Figure 2")
    .about("The ascending links of a stage are all used by the same number of paths, and so are the \
            descending ones")
    .hypothesis("D-mod-k on k-ary n-trees; the paper counts on a 2-ary 3-tree")
    .quote("Both, the ascending and descending links of a given stage are used by the same number of paths.")
    .instances(|tree| kary(tree).is_some(), is_deterministic, balanced)
    .planted(Planted::FirstPorts("kary(2,3)"));

fn balanced(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let mut uses = vec![0_u64; topology.links()];
    for (s, d) in sd_pairs(topology.hosts()) {
        for link in path(&**routing, s, d) {
            uses[link as usize] += 1;
        }
    }
    let mut stages: BTreeMap<u8, (u64, u64)> = BTreeMap::new();
    for (link, uses) in topology.graph().edge_weights().zip(uses) {
        let (least, most) = stages.entry(link.level).or_insert((uses, uses));
        (*least, *most) = (uses.min(*least), uses.max(*most));
    }
    let balanced = stages.values().all(|(least, most)| least == most);
    let stage = |(_, (least, most)): (_, &(u64, u64))| {
        if least == most { most.to_string() } else { format!("{least} to {most}") }
    };
    let found: Vec<String> = stages.iter().map(stage).collect();
    let found = format!("paths per link, from the hosts up: {}", found.join(", "));
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, "equal in a stage", found, balanced, Basis::Exhaustive)])
}

pub(super) const COMPONENTS: Statement = Statement::new("go-components", "[GO] 4, below Figure 2")
    .about("All destinations that reach a switch of stage s on the way up have the same s least \
            significant components")
    .hypothesis("D-mod-k on k-ary n-trees, n >= 2; printed for s = 1")
    .sharpened()
    .quote("At the second stage, all the destinations that reach a switch have the same least significant component.")
    .instances(|tree| matches!(kary(tree), Some((_, 2..))), is_deterministic, same_components)
    .planted(Planted::FirstPorts("kary(2,3)"));

fn same_components(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let k = kary(topology).map_or(1, |(k, _)| k);
    let mut components: BTreeMap<NodeId, u32> = BTreeMap::new();
    let mut wrong = None;
    for (s, d) in sd_pairs(topology.hosts()) {
        for link in ascent(topology, &path(&**routing, s, d)) {
            let Some((_, switch)) = topology.ends(link) else { continue };
            let stage = u32::from(topology.node(switch).level) - 1;
            let of_switch = *components.entry(switch).or_insert(d % k.pow(stage));
            if of_switch != d % k.pow(stage) {
                wrong = wrong.or(Some((switch, d)));
            }
        }
    }
    let wrong = wrong.map(|(switch, d)| format!("destination {d} at switch {switch} differs"));
    let case = oblivious::case(instance);
    let found = format!("holds for {} switches", components.len());
    Ok(vec![Finding::unless(case, "the same components", found, wrong, Basis::Exhaustive)])
}

pub(super) const ONE_ROOT: Statement = Statement::new("go-one-root", "[GO] 4, below Figure 2")
    .about("Packets to one node reach the same switch at the last stage, whatever their source; a \
            switch there has k destinations, each on a descending link of its own")
    .hypothesis("D-mod-k on k-ary n-trees; printed for a 2-ary 3-tree, with two destinations per switch")
    .sharpened()
    .quote("packets destined to the same node reach the same switch at the last stage independently of their source node. Each switch of the last stage receives packets addressed only to two destinations")
    .instances(|tree| kary(tree).is_some(), is_deterministic, same_root)
    .planted(Planted::FirstPorts("kary(2,3)"));

fn same_root(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let Some((k, n)) = kary(topology) else { return Ok(Vec::new()) };
    // The last-stage switches of every destination, and the destinations on their links down.
    let mut roots: BTreeMap<Host, BTreeSet<NodeId>> = BTreeMap::new();
    let mut links: BTreeMap<NodeId, BTreeMap<LinkId, BTreeSet<Host>>> = BTreeMap::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        let path = path(&**routing, s, d);
        let down = path.get(ascent(topology, &path).len());
        let root = turn(topology, &path).filter(|node| u32::from(topology.node(*node).level) == n);
        if let (Some(root), Some(down)) = (root, down) {
            roots.entry(d).or_default().insert(root);
            links.entry(root).or_default().entry(*down).or_default().insert(d);
        }
    }
    let one_each = roots.values().all(|roots| roots.len() == 1);
    let most = roots.values().map(BTreeSet::len).max().unwrap_or(0);
    let own_links = links.values().all(|links| {
        links.len() == k as usize && links.values().all(|destinations| destinations.len() == 1)
    });
    let case = oblivious::case(instance);
    let found = format!("at most {most}; links of {} switches", links.len());
    let claimed = "one switch per destination, one destination per link";
    Ok(vec![Finding::holds(case, claimed, found, one_each && own_links, Basis::Exhaustive)])
}

pub(super) const NEAREST: Statement = Statement::new("go-nearest", "[GO] 3")
    .about("A minimal path goes up to stage i, the most significant component in which source and \
            destination differ, over any of the k^i ascents, and from there on one way down")
    .hypothesis("k-ary n-trees, all pairs; paths counted by breadth-first search")
    .quote("The first pair of components that differs indicates the last stage to forward up the packet. ... Once in the stage *i*, the descending path is deterministic.")
    .networks(|tree| kary(tree).is_some(), |topology, scope| nearest(topology, scope, 0))
    .planted(Planted::Check(|scope| nearest(&generate("kary(2,3)")?, scope, 1)));

/// Stages are claimed to be `more` above the component that differs.
fn nearest(topology: &Topology, scope: &Scope, more: u32) -> Findings {
    let Some((k, n)) = kary(topology) else { return Ok(Vec::new()) };
    let mut wrong = None;
    for s in topology.host_numbers() {
        scope.progress.check()?;
        let counted = shortest_paths(topology, s);
        let other = topology.host_numbers().filter(|d| *d != s).find(|d| {
            let differs = |i: &u32| s / k.pow(*i) % k != d / k.pow(*i) % k;
            let stage = (0..n).rev().find(differs).unwrap_or(0) + more;
            counted[*d as usize] != (2 * (stage + 1), u64::from(k).pow(stage))
        });
        wrong = wrong.or(other.map(|d| (s, d, counted[d as usize])));
    }
    let wrong = wrong
        .map(|(s, d, (links, paths))| format!("from {s} to {d} {paths} paths of {links} links"));
    let claimed = "2(i + 1) links, k^i paths";
    let found = "holds for every pair";
    Ok(vec![Finding::unless(topology.spec(), claimed, found, wrong, Basis::Exhaustive)])
}

/// Links and number of the shortest paths from `s` to every node, by breadth-first search on the
/// graph alone. O(nodes + links).
fn shortest_paths(topology: &Topology, s: Host) -> Vec<(u32, u64)> {
    let mut found = vec![(u32::MAX, 0); topology.nodes()];
    found[s as usize] = (0, 1);
    let mut front: Vec<NodeId> = vec![s];
    while !front.is_empty() {
        let mut next = Vec::new();
        for node in front {
            let (links, paths) = found[node as usize];
            for (_, head) in topology.links_from(node).filter_map(|link| topology.ends(link)) {
                let (so_far, ways) = &mut found[head as usize];
                if *so_far == u32::MAX {
                    *so_far = links + 1;
                    next.push(head);
                }
                if *so_far == links + 1 {
                    *ways += paths;
                }
            }
        }
        front = next;
    }
    found
}
