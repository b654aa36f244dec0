//! Automorphisms of small trees of channels, by their hosts.

use std::collections::BTreeMap;

use itertools::Itertools as _;

use crate::channel_tree::WireTree;
use crate::prelude::*;

/// Maximum number of hosts: all permutations of them are tried.
const MAX_HOSTS: usize = 6;

/// The permutations of hosts under which a tree is the same: they take the hosts below a channel to
/// those below a channel of as many wires. Only the identity for trees that are not small.
/// O(hosts! · nodes · log nodes).
pub(super) fn automorphisms(tree: &WireTree) -> Vec<Vec<Host>> {
    let hosts = host_number(tree.hosts());
    let identity: Vec<Host> = (0..hosts).collect();
    if tree.hosts() > MAX_HOSTS {
        return vec![identity];
    }
    let wanted = channels(tree, &identity);
    let all = (0..hosts).permutations(tree.hosts());
    all.filter(|image| channels(tree, image) == wanted).collect()
}

/// The channels of a tree whose host h is called `image[h]`: hosts below and wires, with how many
/// there are of each.
fn channels(tree: &WireTree, image: &[Host]) -> BTreeMap<(Vec<Host>, [u64; 2]), usize> {
    let below = |rank: u32| {
        let of = tree.hosts_below(rank);
        let hosts = 0..host_number(tree.hosts());
        let inside = hosts.filter(|host| of.contains(&tree.position(*host)));
        inside.map(|host| image[host as usize]).sorted().collect()
    };
    let ranks = 1..index32(tree.nodes());
    let mut channels = BTreeMap::new();
    for rank in ranks {
        *channels.entry((below(rank), tree.wires(rank))).or_insert(0) += 1;
    }
    channels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::UniversalShape;

    /// Any two siblings change places: 2 of two hosts, 8 of four; the outside world stays.
    #[test]
    fn siblings_change_places() {
        for (spec, count) in [
            ("universal(2)", 2),
            ("universal(4)", 8),
            ("universal(4,root=open)", 8),
            ("universal(8)", 1),
        ] {
            let shape = UniversalShape::named(spec).unwrap().unwrap();
            let found = automorphisms(&WireTree::universal(&shape));
            assert_eq!(found.len(), count, "{spec}");
            assert!(spec != "universal(4,root=open)" || found.iter().all(|image| image[4] == 4));
            assert!(found.iter().all(|image| count == 1 || image[0] / 2 == image[1] / 2));
        }
    }
}
