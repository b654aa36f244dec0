//! \[RO\] VIII: relabelling keeps neighbourhoods.
//!
//! The new label of a host is read from its paths out of its uppermost subtree: up-digit W_{l+1} is
//! the new digit l. Digit h is never used (footnote 5), so each subtree of height h − 1 is examined
//! by itself.

use crate::theorem::prelude::*;
use crate::theorem::walk::ports;

pub(super) const KIND: Statement = Statement::new("ro-neighbourhoods", "[RO] VIII")
    .about("The relabelling of r-NCA-u/d on a k-ary n-tree preserves neighbourhoods: the hosts of a subtree \
            of height l are those whose new labels agree in all digits above l")
    .hypothesis("r-NCA-u and r-NCA-d on k-ary n-trees, n >= 2")
    .quote("the topological neighbourhoods of the nodes with respect to their labels are preseved")
    .instances(
        |tree| matches!(kary(tree), Some((_, 2..))),
        |routing| is_kind(routing, "rnca-u") || is_kind(routing, "rnca-d"),
        check,
    )
    // Random routing has no labels, or they "would be completely random".
    .planted(Planted::RoutedAs("kary(2,3)", &["rnca-u"], "random(seed=1)"));

fn check(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Some(tree) = instance.topology.tree() else { return Ok(Vec::new()) };
    let labels: Vec<Vec<u32>> =
        tree.host_numbers().map(|host| label(instance, tree, host)).collect();
    let label = |host: Host| &labels[host as usize][..];
    let differs = |(a, b): &(Host, Host)| {
        let same_top = tree.subtree(*a, tree.height() - 1) == tree.subtree(*b, tree.height() - 1);
        let agree = |l: usize| label(*a)[l..] == label(*b)[l..];
        let neighbours = |l: usize| tree.subtree(*a, l) == tree.subtree(*b, l);
        same_top && (0..tree.height()).any(|l| agree(l) != neighbours(l))
    };
    let bad = sd_pairs(tree.hosts()).find(differs);
    let bad = bad.map(|(a, b)| format!("{a} has {:?}, {b} has {:?}", label(a), label(b)));
    let case = oblivious::case(instance);
    let found = "holds for every pair of hosts";
    Ok(vec![Finding::unless(case, "preserved", found, bad, Basis::Exhaustive)])
}

/// The new digits 1 to h − 1 of a host: the up-digits of its pair with a host in another uppermost
/// subtree.
fn label(instance: &Instance, tree: &Xgft, host: Host) -> Vec<u32> {
    let far = tree.host_numbers().find(|other| tree.nca_level(host, *other) == tree.height());
    let other = far.unwrap_or(host);
    let by_source = is_kind(&*instance.routing, "rnca-u");
    let (s, d) = if by_source { (host, other) } else { (other, host) };
    ports(&instance.topology, &path(&*instance.routing, s, d)).into_iter().skip(1).collect()
}
