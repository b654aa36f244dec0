//! The networks and routings that statements are tested on, by size.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::routing;
use crate::topology::{self, Topology, TopologyError, Xgft, generate};

/// All topologies of the pool with 2 to `hosts` hosts: the members of every family of generated
/// topologies, family by family, smallest first. Of several specs of one tree, only the first is
/// kept.
///
/// # Errors
/// [`TopologyError`] when one cannot be built.
pub fn all(hosts: usize) -> Result<Vec<Topology>, TopologyError> {
    let specs: Vec<String> =
        topology::KINDS.iter().flat_map(|kind| (kind.build.members)(hosts)).collect();
    let trees: Vec<Topology> =
        specs.par_iter().map(|spec| generate(spec)).collect::<Result<_, _>>()?;
    let mut shapes = HashSet::new();
    let is_new = |tree: &Topology| shapes.insert(tree.tree().map(Xgft::shape));
    Ok(trees.into_iter().filter(is_new).collect())
}

/// The specs of all routings that need no file: every example of each kind.
#[must_use]
pub fn routings() -> Vec<String> {
    let kinds = routing::KINDS.iter().filter(|kind| !kind.takes_path());
    kinds.flat_map(|kind| kind.examples).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_network_can_be_made_and_is_small_enough() {
        let trees = all(27).unwrap();
        assert!(trees.iter().all(|tree| (2..=27).contains(&tree.hosts())));
        let shapes: HashSet<_> =
            trees.iter().map(|tree| tree.plain_tree().unwrap().shape()).collect();
        assert_eq!(shapes.len(), trees.len());
        let members = |name: &str, hosts| {
            (registry::find(topology::KINDS, "topology", name).unwrap().build.members)(hosts)
        };
        let has = |name, hosts, spec: &str| members(name, hosts).contains(&spec.to_string());
        assert!(has("ft", 64, "ft(8,2)") && has("ft", 64, "ft(4,5)") && !has("ft", 127, "ft(8,3)"));
        assert!(has("eft2", 16, "eft2(4,8)") && has("ftree", 16, "ftree(2,4,6)"));
        assert_eq!(members("xgft", 8).len(), 3);
        assert!(routings().len() > 14);
    }
}
