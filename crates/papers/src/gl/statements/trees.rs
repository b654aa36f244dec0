//! The fat-trees that statements of \[GL\] are tested on.

use crate::channel_tree::ChannelTree;
use crate::theorem::prelude::*;

/// Rules of growth that \[GL\] 2 calls universal, for area or for volume.
pub(super) const UNIVERSAL: [&str; 4] = ["double2", "sqrt2", "quadruple3", "cbrt4"];

/// Rules that \[GL\] mentions besides them.
pub(super) const OTHER: [&str; 3] = ["double", "linear", "constant"];

/// A tree with its channels.
pub(super) fn tree(hosts: usize, growth: &str, leaf: u64) -> Result<(Topology, ChannelTree)> {
    let leaf = if leaf == 1 { String::new() } else { format!(",leaf={leaf}") };
    let topology = generate(&format!("universal({hosts},growth={growth}{leaf})"))?;
    let channels = ChannelTree::of(&topology).ok_or_else(|| defect(topology.spec()))?;
    Ok((topology, channels))
}

/// The shape of a fat-tree.
pub(super) fn shape(spec: &str) -> Result<UniversalShape> {
    UniversalShape::named(spec)?.ok_or_else(|| defect(spec))
}

/// Trees of 2 to `most` hosts of every growth, and some with wider host channels.
pub(super) fn all(most: usize) -> Result<Vec<(Topology, ChannelTree)>> {
    let mut trees = Vec::new();
    for hosts in sizes(most) {
        for growth in UNIVERSAL.iter().chain(&OTHER) {
            trees.push(tree(hosts, growth, 1)?);
        }
        trees.push(tree(hosts, "sqrt2", 3)?);
        trees.push(tree(hosts, "constant", 2)?);
    }
    Ok(trees)
}

/// Powers of two from 2 to `most`.
pub(super) fn sizes(most: usize) -> impl Iterator<Item = usize> {
    (1..=16).map(|h| 1_usize << h).take_while(move |hosts| *hosts <= most)
}
