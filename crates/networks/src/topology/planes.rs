//! Fabrics of several planes: leaf–spine networks of their own, on each of which every host has a port.
//!
//! p planes have r leaf switches with n hosts each and m spines. A pair has a path through every spine of every plane.
//! This is the tree XGFT(2; n,r; p,m), whose first digit is the plane. Planes of more levels are `xgft` likewise, with
//! the number of planes as w1.
//!
//! Networks that were read one by one are joined to such a fabric by the names of their hosts ([`Topology::of_planes`]).

mod join;

pub use join::{Plane, PlanesError};

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "planes",
    usage: "planes(p,n,m,r)",
    about: "p planes of r leaf switches with n hosts each and m spines; hosts have a port on every plane; \
            planes:FILE,FILE,.. joins planes in files",
    reference: "this project",
    examples: &["planes(2,2,2,3)", "planes(4,2,2,2)"],
    // Statements about every tree are tested on several such trees of `xgft`.
    build: super::Family { construction: Construction::Tree(parameters), members: |_| Vec::new() },
};

fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [p, n, m, r] = spec.positive_numbers()?;
    Ok(Parameters { children: vec![n, r], parents: vec![p, m] })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::topology::{NodeKind, generate};

    /// Without its hosts, the network falls apart into planes, each of which has every host at one leaf switch.
    #[test]
    fn planes_have_only_hosts_in_common() {
        let (p, n, m, r) = (3, 4, 2, 5);
        let network = generate(&format!("planes({p},{n},{m},{r})")).unwrap();
        assert_eq!((network.hosts(), network.nodes()), (n * r, n * r + p * (r + m)));
        assert_eq!(network.links(), 2 * p * (n * r + r * m));
        let is_switch = |node| network.node(node).kind == NodeKind::Switch;
        let mut left: BTreeSet<u32> = network.node_numbers().filter(|v| is_switch(*v)).collect();
        let mut planes = 0;
        while let Some(first) = left.pop_first() {
            let (mut plane, mut open) = (vec![first], vec![first]);
            while let Some(node) = open.pop() {
                let ends = network.links_from(node).filter_map(|link| network.ends(link));
                for (_, next) in ends.filter(|(_, next)| left.contains(next)).collect::<Vec<_>>() {
                    left.remove(&next);
                    plane.push(next);
                    open.push(next);
                }
            }
            assert_eq!(plane.len(), r + m);
            for host in network.host_numbers() {
                let heads = network.links_from(host).filter_map(|link| network.ends(link));
                assert_eq!(heads.filter(|(_, leaf)| plane.contains(leaf)).count(), 1);
            }
            planes += 1;
        }
        assert_eq!(planes, p);
    }

    /// One plane is a folded Clos.
    #[test]
    fn one_plane_is_a_leaf_spine() {
        let ends = |spec: &str| {
            let network = generate(spec).unwrap();
            network.link_numbers().map(|link| network.ends(link)).collect::<Vec<_>>()
        };
        assert_eq!(ends("planes(1,2,4,3)"), ends("ftree(2,4,3)"));
        assert_eq!(ends("planes(4,2,3,5)"), ends("xgft(2;2,5;4,3)"));
    }
}
