//! Numbers of pairs on the links of a tree where every pair has one path, by the numbers of their nearest common
//! ancestors.
//!
//! Which links a pair takes follows from the number of its ancestor. So the pairs of a source through the top of the tree
//! are counted by ancestor, and so are those to each leaf switch: a few additions per pair in place of one per link. Sums
//! over the ancestors above a link are what it carries. Pairs that meet below the top are few, and are followed.

use crate::routing::{Routing, numbered_tree};
use crate::topology::{Host, LinkId, Topology, Xgft};

/// Maximum number of counts: larger trees are walked.
const MAX_COUNTS: usize = 1 << 22;

/// Counts of the pairs of some sources.
pub(super) struct AncestorCounts<'t> {
    tree: &'t Xgft,
    /// By leaf switch of the destination and ancestor.
    into_leaf: Vec<u32>,
    /// By destination.
    into_host: Vec<u32>,
    /// By ancestor, of one source.
    from_source: Vec<u32>,
    ancestors: Vec<u32>,
}

impl<'t> AncestorCounts<'t> {
    /// Nothing is counted; `None` where the routing has no numbers of ancestors, hosts have several links, or the top
    /// switches are many.
    pub(super) fn of(topology: &'t Topology, routing: &dyn Routing) -> Option<Self> {
        let tree = numbered_tree(topology, routing).filter(|tree| tree.parents(1) == 1)?;
        let all = tree.shortest_paths(tree.height()) as usize;
        let leaves = tree.hosts() / tree.subtree_hosts(1) as usize;
        let counts = leaves.checked_mul(all).filter(|counts| *counts <= MAX_COUNTS)?;
        (all <= tree.hosts()).then(|| Self {
            tree,
            into_leaf: vec![0; counts],
            into_host: vec![0; tree.hosts()],
            from_source: vec![0; all],
            ancestors: Vec::new(),
        })
    }

    /// Takes the pairs of a source. Those through the top are in `flows` only after [`Self::finish`].
    pub(super) fn take(
        &mut self,
        routing: &dyn Routing,
        (s, destinations): (Host, &[Host]),
        flows: &mut [u64],
    ) {
        let (tree, top) = (self.tree, self.tree.height() - 1);
        self.ancestors.resize(destinations.len(), 0);
        routing.ancestors_from(s, destinations, &mut self.ancestors);
        let (own, all) = (tree.subtree(s, top), self.from_source.len());
        for (d, ancestor) in destinations.iter().zip(&self.ancestors) {
            if tree.subtree(*d, top) == own {
                follow(tree, (s, *d), *ancestor, flows);
                continue;
            }
            self.from_source[*ancestor as usize] += 1;
            self.into_leaf[tree.subtree(*d, 1) as usize * all + *ancestor as usize] += 1;
            self.into_host[*d as usize] += 1;
        }
        let first = |level| tree.link_id(level, tree.subtree(s, level), 0, 0).0;
        add_up(tree, &mut self.from_source, (0, &first), flows);
        self.from_source.fill(0);
    }

    /// Adds the pairs through the top on their ways down.
    pub(super) fn finish(mut self, flows: &mut [u64]) {
        let tree = self.tree;
        for (d, pairs) in tree.host_numbers().zip(&self.into_host) {
            flows[tree.link_id(0, d, 0, 0).1 as usize] += u64::from(*pairs);
        }
        let leaves = self.into_leaf.chunks_exact_mut(self.from_source.len());
        let hosts = tree.hosts_in_order().chunks(tree.subtree_hosts(1) as usize);
        for (hosts, counts) in hosts.zip(leaves) {
            let first = |level| tree.link_id(level, tree.subtree(hosts[0], level), 0, 0).1;
            add_up(tree, counts, (1, &first), flows);
        }
    }
}

/// Adds a pair that meets below the top on all its links; none that is a host with itself.
fn follow(tree: &Xgft, (s, d): (Host, Host), ancestor: u32, flows: &mut [u64]) {
    let nca = tree.nca_level(s, d);
    for level in 0..nca {
        let port = ancestor / (tree.shortest_paths(nca) / tree.shortest_paths(level + 1));
        let (up, _) = tree.link_id(level, tree.subtree(s, level), 0, 0);
        let (_, down) = tree.link_id(level, tree.subtree(d, level), 0, 0);
        for first in [up, down] {
            flows[(first + port) as usize] += 1;
        }
    }
}

/// Adds pairs by ancestor at the top to the links above a level, of which `first` is that with the lowest number. What
/// remains in `counts` means nothing.
fn add_up(
    tree: &Xgft,
    counts: &mut [u32],
    (lowest, first): (usize, &dyn Fn(usize) -> LinkId),
    flows: &mut [u64],
) {
    for level in (lowest..tree.height()).rev() {
        let (links, above) = (tree.shortest_paths(level + 1), tree.parents(level + 1) as usize);
        let counts = &mut counts[..links as usize];
        let flows = &mut flows[first(level) as usize..];
        flows.iter_mut().zip(counts.iter()).for_each(|(flows, pairs)| *flows += u64::from(*pairs));
        for port in 0..counts.len() / above {
            counts[port] = counts[port * above..][..above].iter().sum();
        }
    }
}
