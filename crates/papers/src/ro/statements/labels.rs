//! \[RO\] Table I: the labels, as the wiring that they define.

use std::collections::HashSet;

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-labels", "[RO] II and Table I")
    .about(
        "A node of level l is labelled M_h..M_{l+1}, W_l..W_1; one level up the digit M_{l+1} is \
            replaced by W_{l+1}, and the nodes joined are those that agree in all other digits",
    )
    .hypothesis("every XGFT")
    .quote("For each level up the tree, the corresponding base mi is replaced by wi")
    .networks(|tree| tree.plain_tree().is_some(), |topology, scope| check(topology, scope, 0))
    .planted(Planted::Check(|scope| check(&generate("xgft(2;4,4;1,3)")?, scope, 1)));

/// The cables against those that the labels define, with all upper ends moved by `shift` nodes.
fn check(topology: &Topology, scope: &Scope, shift: NodeId) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let ends = topology.link_numbers().filter_map(|link| topology.ends(link));
    let found: HashSet<_> = ends.map(|(from, to)| (from.min(to), from.max(to))).collect();
    let claimed: HashSet<_> =
        claimed(tree).into_iter().map(|(lower, upper)| (lower, upper + shift)).collect();
    let other = found.symmetric_difference(&claimed).min();
    let text = other.map_or_else(
        || format!("the same {} cables", found.len()),
        |cable| format!("{cable:?} is on one side only"),
    );
    let case = topology.spec();
    Ok(vec![Finding::holds(case, "as labelled", text, other.is_none(), Basis::Exhaustive)])
}

/// The cables between nodes numbered level by level, within a level by the digits M (first M_h),
/// then the digits W (first W_1).
fn claimed(tree: &Xgft) -> Vec<(NodeId, NodeId)> {
    let h = tree.height();
    let (mut cables, mut start, mut ways) = (Vec::new(), 0, 1);
    for l in 0..h {
        let subtrees: NodeId = (l + 1..=h).map(|j| tree.children(j)).product();
        let next = start + subtrees * ways;
        let (m, w) = (tree.children(l + 1), tree.parents(l + 1));
        for subtree in 0..subtrees {
            for low in 0..ways {
                let lower = start + subtree * ways + low;
                let upper = |port| next + (subtree / m * ways + low) * w + port;
                cables.extend((0..w).map(|port| (lower, upper(port))));
            }
        }
        (start, ways) = (next, ways * w);
    }
    cables
}
