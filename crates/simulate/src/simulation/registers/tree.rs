//! The components of a k-ary n-tree (\[GO\] 2) from its labels.

use std::ops::Range;

use super::{RegistersError, check_size};
use crate::prelude::*;

/// Switch ⟨s,o⟩.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Switch {
    /// s, from 0 at the hosts to n−1.
    pub stage: u32,
    /// o as a number of n−1 digits, o_0 the least significant.
    pub place: u32,
}

/// A k-ary n-tree in the words of \[GO\]: of any spec, with k ≥ 2.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::registers::{KaryTree, Switch};
/// use routebound::topology::generate;
/// let tree = generate("xgft(2;3,3;1,3)")?;
/// let tree = KaryTree::of(&tree)?;
/// assert_eq!((tree.arity(), tree.stages()), (3, 2));
/// // The second ascending link of switch <0,2>.
/// assert!(tree.link(Switch { stage: 0, place: 2 }, 4).is_some());
/// let refused = KaryTree::of(&generate("ft(4,2)")?).map(|_| ()).unwrap_err().to_string();
/// assert!(refused.contains("switches of level 2 have 4 children"), "{refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct KaryTree<'a> {
    topology: &'a Topology,
    tree: &'a Xgft,
    arity: u32,
    stages: u32,
}

impl<'a> KaryTree<'a> {
    /// The tree, whatever its spec: `ft(2,n)` is none, `xgft(n;k,..,k;1,k,..,k)` is one. O(height).
    ///
    /// # Errors
    /// [`RegistersError::NoKaryTree`] with the reason.
    pub fn of(topology: &'a Topology) -> Result<Self, RegistersError> {
        match labels(topology) {
            Ok(tree) => {
                let (arity, stages) = (tree.children(1), index32(tree.height()));
                Ok(Self { topology, tree, arity, stages })
            }
            Err(reason) => {
                let topology = topology.spec().to_string();
                Err(RegistersError::NoKaryTree { topology, reason })
            }
        }
    }

    /// k.
    #[must_use]
    pub fn arity(self) -> u32 {
        self.arity
    }

    /// n.
    #[must_use]
    pub fn stages(self) -> u32 {
        self.stages
    }

    /// The network.
    #[must_use]
    pub fn topology(self) -> &'a Topology {
        self.topology
    }

    pub(super) fn hosts(self) -> Range<Host> {
        self.tree.host_numbers()
    }

    /// The components of a host as a number, p_0 the least significant digit.
    #[must_use]
    pub fn address(self, host: Host) -> u32 {
        self.tree.position(host)
    }

    /// All switches by ascending number.
    pub fn switches(self) -> impl Iterator<Item = Switch> {
        let places = self.power(self.stages - 1);
        (0..self.stages)
            .flat_map(move |stage| (0..places).map(move |place| Switch { stage, place }))
    }

    /// Whether registers can be kept for all of its switches.
    pub(super) fn check_size(self) -> Result<(), TooLarge> {
        check_size(self.arity, u64::from(self.stages) * u64::from(self.power(self.stages - 1)))
    }

    /// k^exponent, for an exponent of at most n.
    pub(super) fn power(self, exponent: u32) -> u32 {
        self.arity.pow(exponent)
    }

    /// The labels of the links that leave a switch: those of the last stage have no ascending ones.
    pub(super) fn link_labels(self, switch: Switch) -> Range<u32> {
        0..if switch.stage + 1 < self.stages { 2 * self.arity } else { self.arity }
    }

    /// The link of this label that leaves a switch; `None` where there is none.
    #[must_use]
    pub fn link(self, switch: Switch, label: u32) -> Option<LinkId> {
        let Self { tree, arity, .. } = self;
        let Switch { stage, place } = switch;
        let is_there = stage < self.stages && place < self.power(self.stages - 1);
        if !is_there || !self.link_labels(switch).contains(&label) {
            return None;
        }
        let (subtree, b) = self.index(switch);
        let level = (stage as usize) + 1;
        if let Some(port) = label.checked_sub(arity) {
            return Some(tree.link_id(level, subtree, b, port).0);
        }
        let child = subtree * arity + label;
        Some(if stage == 0 {
            let host = tree.hosts_in_order()[child as usize];
            tree.link_id(0, host, 0, 0).1
        } else {
            tree.link_id(stage as usize, child, b / arity, b % arity).1
        })
    }

    /// The node of a switch; `None` where there is no such switch.
    #[must_use]
    pub fn node(self, switch: Switch) -> Option<NodeId> {
        self.link(switch, 0).and_then(|link| Some(self.topology.ends(link)?.0))
    }

    /// The subtree that a switch is on top of, and its place there in the order of the labels: the
    /// digits of o from s on, and those below with o_0 most significant.
    fn index(self, switch: Switch) -> (u32, u32) {
        let Self { arity, .. } = self;
        let digit = |i: u32| switch.place / self.power(i) % arity;
        let b = (0..switch.stage).fold(0, |b, i| b * arity + digit(i));
        (switch.place / self.power(switch.stage), b)
    }
}

/// The labels of a k-ary n-tree with k ≥ 2, or why the network is none.
fn labels(topology: &Topology) -> Result<&Xgft, String> {
    let Some(tree) = topology.tree() else {
        let reason = topology.no_tree().map(ToString::to_string);
        return Err(reason.unwrap_or_else(|| "it is not a tree with labels".into()));
    };
    let k = tree.children(1);
    for level in 1..=tree.height() {
        if tree.children(level) != k {
            let other = tree.children(level);
            return Err(format!(
                "switches of level {level} have {other} children, those of level 1 have {k}"
            ));
        }
        let (parents, wanted) = (tree.parents(level), if level == 1 { 1 } else { k });
        if parents != wanted {
            let below = level - 1;
            return Err(format!("nodes of level {below} have {parents} parents, not {wanted}"));
        }
    }
    if k < 2 {
        return Err("k is 1".into());
    }
    let reason = "its links differ in capacity, or cables are parallel";
    topology.plain_tree().ok_or_else(|| reason.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// Links lead where [GO] 2 says: up from <s,o> by link k + c to <s+1,o'> with o'_s = c, and down
    /// again by the label of the digit that o had.
    #[test]
    fn links_lead_to_the_switches_of_the_definition() {
        for spec in ["kary(2,4)", "kary(3,3)", "kary(4,2)"] {
            let topology = generate(spec).unwrap();
            let tree = KaryTree::of(&topology).unwrap();
            let k = tree.arity();
            for switch in tree.switches() {
                for label in k..tree.link_labels(switch).end {
                    let place = k.pow(switch.stage);
                    let digit = switch.place / place % k;
                    let other = switch.place - digit * place + (label - k) * place;
                    let above = Switch { stage: switch.stage + 1, place: other };
                    let ends = topology.ends(tree.link(switch, label).unwrap()).unwrap();
                    assert_eq!(
                        ends,
                        (tree.node(switch).unwrap(), tree.node(above).unwrap()),
                        "{spec} {switch:?}"
                    );
                    let back = topology.ends(tree.link(above, digit).unwrap()).unwrap();
                    assert_eq!(back, (ends.1, ends.0), "{spec} {switch:?}");
                }
            }
            let below = |host: u32| tree.link(Switch { stage: 0, place: host / k }, host % k);
            let found = |host| topology.ends(below(host).unwrap()).unwrap().1;
            assert!(topology.host_numbers().all(|host| found(host) == host), "{spec}");
        }
    }

    #[test]
    fn other_networks_are_refused_with_the_reason() {
        let cases = [
            ("ft(4,3)", "switches of level 3 have 4 children, those of level 1 have 2"),
            ("xgft(2;4,4;1,2)", "nodes of level 1 have 2 parents, not 4"),
            ("xgft(2;2,2;2,2)", "nodes of level 0 have 2 parents, not 1"),
            ("universal(16)", "it is not a tree with labels"),
        ];
        for (spec, reason) in cases {
            let topology = generate(spec).unwrap();
            let refused = KaryTree::of(&topology).map(|_| ()).unwrap_err().to_string();
            assert!(refused.contains(spec) && refused.contains(reason), "{refused}");
            assert!(refused.contains("use kary(k,n)"), "{refused}");
        }
    }

    #[test]
    fn there_is_no_link_beyond_the_labels() {
        let topology = generate("kary(2,2)").unwrap();
        let tree = KaryTree::of(&topology).unwrap();
        let top = Switch { stage: 1, place: 0 };
        assert_eq!(tree.link(top, 2), None);
        assert_eq!(tree.link(Switch { stage: 1, place: 2 }, 0), None);
        assert_eq!(tree.link(Switch { stage: 2, place: 0 }, 0), None);
    }
}
