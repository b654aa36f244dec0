//! \[GL\] 5: fat-trees in which channel capacities double at every level.
//!
//! Messages reach a node from below over the wires of the two channels there, one message per wire.
//! Where the channel above has as many wires as these two, no message is lost there. How many
//! messages a processor offers its own channel is another matter: this is what the λ delivery
//! cycles are for.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-no-congestion", "[GL] 5, before Theorem 9")
    .about("On a fat-tree in which channel capacities double at every level, there is never any \
            congestion in routing from the leaves to the root")
    .hypothesis("every channel from a switch to its parent has the wires of the two channels from its children")
    .quote("on a fat-tree in which channel capacities double at every level, there is never any congestion in routing from the leaves to the root")
    .cases(|scope| check(scope, "double"))
    // Capacities that double every two levels.
    .planted(Planted::Check(|scope| check(scope, "double2")));

fn check(scope: &Scope, growth: &str) -> Findings {
    scope.each(iproduct!(trees::sizes(scope.hosts.max(4)), [1, 3]), |(hosts, leaf)| {
        let (topology, tree) = trees::tree(hosts, growth, leaf)?;
        Ok(on_tree(topology.spec(), &tree))
    })
}

fn on_tree(spec: &str, tree: &ChannelTree) -> Finding {
    let up = |below: NodeId| tree.capacity(Channel { below, direction: Direction::Up });
    let nodes = tree.order();
    let below = |node: NodeId| -> Rational {
        let children = nodes[1..].iter().filter(|child| tree.parent(**child) == node);
        children.map(|child| up(*child)).sum()
    };
    let switches: Vec<NodeId> =
        nodes[1..].iter().copied().filter(|node| *node as usize >= tree.hosts()).collect();
    if switches.is_empty() {
        return Finding::vacuous(spec, "no switch has a parent");
    }
    let narrow = switches.iter().find(|switch| *up(**switch) < below(**switch));
    let narrow = narrow
        .map(|switch| format!("{} wires above {} at node {switch}", up(*switch), below(*switch)));
    let claimed = "as many wires above a switch as below";
    let found = format!("holds for {} switches", switches.len());
    Finding::unless(spec, claimed, found, narrow, Basis::Exhaustive)
}
