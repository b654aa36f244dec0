//! Cuts: sets of nodes, what can cross them, and which pairs do.

use crate::certificate::{CutId, LinkRecord};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{Host, NodeId};

use super::network::Network;
use super::{Refusal, Result, sum};

/// Maximum (cut, host) entries.
const MAX_ENTRIES: u64 = 1 << 28;

/// Maximum links at the nodes of cuts, counted once per cut and end in it.
const MAX_LINKS: u64 = 1 << 32;

/// The cuts of a certificate.
pub(super) struct Cuts {
    /// Sum of the capacities of the links that leave each cut, and of those that enter it.
    pub(super) capacity: Vec<(Rational, Rational)>,
    /// Whether a host is in a cut, at `cut · hosts + host`.
    inside: Vec<bool>,
    hosts: usize,
}

impl Cuts {
    pub(super) fn open(network: &Network, cuts: &[Vec<NodeId>]) -> Result<Self> {
        let hosts = network.hosts;
        let entries = Some(cuts.len() as u128 * hosts as u128);
        within("number of hosts times cuts", entries, MAX_ENTRIES, "check a smaller instance")?;
        let links = Some(links_at(network, cuts));
        within("number of links at nodes of cuts", links, MAX_LINKS, "check a smaller instance")?;
        let mut opened =
            Self { capacity: Vec::new(), inside: vec![false; cuts.len() * hosts], hosts };
        let mut member = vec![false; network.nodes];
        for (cut, nodes) in cuts.iter().enumerate() {
            network.go_on()?;
            for node in nodes {
                let slot = member.get_mut(*node as usize).filter(|slot| !**slot);
                *slot.ok_or(Refusal::BadCutNode(*node))? = true;
                if (*node as usize) < hosts {
                    opened.inside[cut * hosts + *node as usize] = true;
                }
            }
            opened.capacity.push(crossing(network, nodes, &member)?);
            for node in nodes {
                member[*node as usize] = false;
            }
        }
        Ok(opened)
    }

    /// Number of cuts.
    pub(super) fn len(&self) -> usize {
        self.capacity.len()
    }

    /// Whether a host is in a cut.
    #[inline]
    pub(super) fn contains(&self, cut: CutId, host: Host) -> bool {
        self.inside[cut as usize * self.hosts + host as usize]
    }

    /// Whether a pair crosses a cut, outwards or inwards.
    #[inline]
    pub(super) fn crosses(&self, cut: CutId, s: Host, d: Host, outwards: bool) -> bool {
        self.contains(cut, s) == outwards && self.contains(cut, d) != outwards
    }
}

/// Links at the nodes of cuts, counted once per cut and end in it.
fn links_at(network: &Network, cuts: &[Vec<NodeId>]) -> u128 {
    let at = |links: &[Vec<u32>], node| links.get(node as usize).map_or(0, Vec::len) as u128;
    let at = |node: &NodeId| at(&network.leaving, *node) + at(&network.entering, *node);
    cuts.iter().flatten().map(at).sum()
}

/// Capacity out of and into a set of nodes.
fn crossing(network: &Network, nodes: &[NodeId], member: &[bool]) -> Result<(Rational, Rational)> {
    let crossing = |links: &[u32], end: fn(&LinkRecord) -> NodeId| {
        let links = links.iter().map(|link| &network.links[*link as usize]);
        let crossing = links.filter(|link| !member[end(link) as usize]);
        sum::total(crossing.map(|link| &link.capacity))
    };
    let (mut out, mut inward) = (Rational::ZERO, Rational::ZERO);
    for node in nodes {
        sum::add(&mut out, &crossing(&network.leaving[*node as usize], |link| link.to)?)?;
        sum::add(&mut inward, &crossing(&network.entering[*node as usize], |link| link.from)?)?;
    }
    Ok((out, inward))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{EmbeddedNetwork, NetworkForm};

    #[test]
    fn links_are_counted_at_both_ends() {
        let link = |from, to| LinkRecord::new(from, to, Rational::ONE);
        let links = vec![link(0, 1), link(0, 1), link(1, 0), link(1, 2)];
        let form = NetworkForm::Embedded(EmbeddedNetwork { hosts: 2, nodes: 3, links });
        let network = Network::open(&form).unwrap();
        // Two links leave node 0, one enters it; node 1 has two of each; nothing leaves node 2.
        for (nodes, links) in [(vec![0], 3), (vec![1], 4), (vec![2], 1), (vec![9], 0)] {
            assert_eq!(links_at(&network, &[nodes]), links);
        }
        assert_eq!(links_at(&network, &[vec![0, 1], vec![0]]), 10);
    }
}
