//! \[GO\] 3: how far up a packet goes, and that there is one way down.

use crate::registry::Kind;
use crate::theorem::shape::kary;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, Whose};
use crate::topology::{Host, NodeId, Topology, generate};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "go-nearest",
    usage: "go-nearest",
    options: &[],
    about: "A minimal path goes up to stage i, the most significant component in which source and \
            destination differ, over any of the k^i ascents, and from there on one way down",
    reference: "[GO] 3",
    examples: &["go-nearest"],
    build: Statement {
        hypothesis: "k-ary n-trees, all pairs; paths counted by breadth-first search",
        whose: Whose::Paper,
        quote: "The first pair of components that differs indicates the last stage to forward up the packet. ... Once in the stage *i*, the descending path is deterministic.",
        subject: Subject::Networks {
            applies: |tree| kary(tree).is_some(),
            check: |topology, scope| check(topology, scope, 0),
        },
        remark: None,
        planted: |scope| check(&generate("kary(2,3)")?, scope, 1),
    },
};

/// Stages are claimed to be `more` above the component that differs.
fn check(topology: &Topology, scope: &Scope, more: u32) -> Result<Vec<Finding>, TheoremError> {
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
    let found = wrong.map_or_else(
        || "so for every pair".to_string(),
        |(s, d, (links, paths))| format!("from {s} to {d} {paths} paths of {links} links"),
    );
    let claimed = "2(i + 1) links, k^i paths";
    Ok(vec![Finding::holds(topology.spec(), claimed, found, wrong.is_none(), Basis::Exhaustive)])
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
