//! MLID, the multiple LID routing of Lin, Chung and Huang (IPDPS 2004) on FT(m,n).
//!
//! Host p owns the L = (m/2)^(n−1) LIDs starting at BaseLID(p) = p·L + 1, one for every path into
//! it. Where the nearest common ancestors are at level k, source p sends to the destination's LID
//! at offset p mod (m/2)^(k−1), its rank in its subtree of height k−1. A switch of level l that is
//! not an ancestor of the destination forwards a LID to up port ⌊(LID−1)/(m/2)^(l−1)⌋ mod m/2.
//! Different sources of a leaf thus part at once; the paths are those of S-mod-k.
//!
//! InfiniBand gives an end port 2^LMC LIDs with LMC ≤ 7. So the scheme exists on real fabrics
//! only for (m/2)^(n−1) ≤ 128 (LMC rounded up where this is not a power of two) and as long as all
//! LIDs fit into the 49151 unicast ones; `notes` reports where they do not.

use super::digits::{DigitRules, Digits};
use super::smodk::by_source;
use super::tree::{TreeRouting, UpDigits, labels};
use super::{Routing, RoutingError};
use crate::integer::{as_size, index32};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "mlid",
    usage: "mlid",
    about: "multiple LIDs per host on FT(m,n); the paths of S-mod-k",
    reference: "[OR] VI; Lin, Chung and Huang, IPDPS 2004",
    examples: &["mlid"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

/// Maximum number of LIDs of an InfiniBand end port, 2^LMC with LMC = 7.
const MAX_PORT_LIDS: u128 = 128;
/// Unicast LIDs of an InfiniBand subnet: 1..=0xBFFF.
const MAX_SUBNET_LIDS: u128 = 0xBFFF;

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    if !is_m_port_n_tree(&tree.tree_shape()) {
        return Err(RoutingError::does_not_fit(spec, topology, NO_M_PORT_N_TREE));
    }
    Ok(Box::new(TreeRouting::new(spec, tree, Mlid::new(tree))))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    if !is_m_port_n_tree(shape) {
        return Err(RoutingError::unfit(spec, shape.spec(), NO_M_PORT_N_TREE));
    }
    Ok(by_source(shape)?.with_notes(notes(shape)))
}

/// How many LIDs it takes. A tree has fewer than 2^63 links, but may need more LIDs than that.
fn notes(tree: &TreeShape) -> Vec<String> {
    let own = u128::from(tree.shortest_paths(tree.height()));
    let all = own * u128::from(tree.hosts());
    let mut notes = vec![format!("{own} LIDs per host, {all} in all")];
    if own > MAX_PORT_LIDS || all > MAX_SUBNET_LIDS {
        notes.push(format!(
            "more than InfiniBand has: {MAX_PORT_LIDS} per port, {MAX_SUBNET_LIDS} in all"
        ));
    }
    notes
}

const NO_M_PORT_N_TREE: &str = "it is defined only on m-port n-trees ft(m,n)";

/// Whether the tree is XGFT(n; m/2,…,m/2,m; 1,m/2,…,m/2).
fn is_m_port_n_tree(tree: &TreeShape) -> bool {
    let h = tree.height();
    let half = tree.children(h) / 2;
    let inner = (1..h).all(|l| tree.children(l) == half && tree.parents(l + 1) == half);
    tree.children(h).is_multiple_of(2) && tree.parents(1) == 1 && inner
}

struct Mlid {
    /// m/2.
    half: u64,
    /// (m/2)^i, i in 0..n.
    power: Vec<u64>,
    notes: Vec<String>,
}

impl Mlid {
    fn new(tree: &Xgft) -> Self {
        let half = u64::from(tree.children(tree.height())) / 2;
        let power = (0..index32(tree.height())).map(|i| half.pow(i)).collect();
        Self { half, power, notes: notes(&tree.tree_shape()) }
    }

    /// L, the number of LIDs of a host.
    fn host_lids(&self) -> u64 {
        self.power[self.power.len() - 1]
    }

    /// The LID that the host at position s uses for the host at position d, with nearest common
    /// ancestors at level `nca`.
    fn lid(&self, s: u32, d: u32, nca: usize) -> u64 {
        u64::from(d) * self.host_lids() + 1 + u64::from(s) % self.power[nca - 1]
    }

    /// Up port of a switch of level `l` for `lid`.
    fn up_port(&self, l: usize, lid: u64) -> u32 {
        index32(as_size((lid - 1) / self.power[l - 1] % self.half))
    }
}

impl UpDigits for Mlid {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let lid = self.lid(tree.position(s), tree.position(d), up.len());
        for (l, port) in up.iter_mut().enumerate() {
            *port = if l == 0 { 0 } else { self.up_port(l, lid) };
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// The example of FT(4,3): 4 LIDs per host.
    #[test]
    fn lids_and_ports_by_hand() {
        let topology = generate("ft(4,3)").unwrap();
        let rule = Mlid::new(topology.tree().unwrap());
        assert_eq!(rule.host_lids(), 4);
        // Host 15 owns 61..=64; host 3 has rank 3 in its subtree of height 2.
        assert_eq!(rule.lid(3, 15, 3), 64);
        assert_eq!((rule.up_port(1, 64), rule.up_port(2, 64)), (1, 1));
        // Host 1 has rank 1 in its leaf, host 2 rank 0.
        assert_eq!((rule.lid(1, 2, 2), rule.lid(2, 1, 2)), (10, 5));
        assert_eq!(rule.lid(0, 1, 1), 5);
    }

    #[test]
    fn says_where_infiniband_has_too_few_lids() {
        for (spec, lines) in [("ft(16,2)", 1), ("ft(16,3)", 2), ("ft(24,3)", 2)] {
            let topology = generate(spec).unwrap();
            assert_eq!(Mlid::new(topology.tree().unwrap()).notes().len(), lines, "{spec}");
        }
    }
}
