//! What may fail, and the sets of it.

use itertools::Itertools;

use crate::failure::{
    Cable, ListError, cables, forwarding_nodes, inner_cables, listed_cables, listed_nodes,
};
use crate::integer::index32;
use crate::topology::{NodeId, Topology};

/// What fails as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cables between switches, or between hosts that forward.
    Cable,
    /// Switches and hosts that forward, with all their cables.
    Switch,
}

/// A cable or a switch that may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The name of the cable or the switch.
    pub name: String,
    /// The cables that fail.
    pub cables: Vec<Cable>,
}

impl Element {
    /// Everything of a kind that may fail.
    #[must_use]
    pub fn all(topology: &Topology, unit: Unit) -> Vec<Self> {
        match unit {
            Unit::Cable => Self::of_cables(topology, inner_cables(topology)),
            Unit::Switch => Self::of_nodes(topology, forwarding_nodes(topology)),
        }
    }

    /// What a list names, in the format of [`listed_cables`] or of [`listed_nodes`].
    ///
    /// # Errors
    /// [`ListError`].
    pub fn listed(topology: &Topology, unit: Unit, text: &str) -> Result<Vec<Self>, ListError> {
        Ok(match unit {
            Unit::Cable => Self::of_cables(topology, listed_cables(topology, text)?),
            Unit::Switch => Self::of_nodes(topology, listed_nodes(topology, text)?),
        })
    }

    fn of_cables(topology: &Topology, cables: Vec<Cable>) -> Vec<Self> {
        let element = |cable: Cable| Self { name: cable.name(topology), cables: vec![cable] };
        cables.into_iter().map(element).collect()
    }

    fn of_nodes(topology: &Topology, nodes: Vec<NodeId>) -> Vec<Self> {
        let mut at_node = vec![Vec::new(); topology.nodes()];
        for cable in cables(topology) {
            let ends = cable.ends.map(|(node, _)| node);
            for node in ends.into_iter().dedup() {
                at_node[node as usize].push(cable.clone());
            }
        }
        let element = |node: NodeId| Self {
            name: topology.node(node).name.clone(),
            cables: std::mem::take(&mut at_node[node as usize]),
        };
        nodes.into_iter().map(element).collect()
    }
}

/// The cables of a set, each once, ordered by their first link.
pub(super) fn cables_of_set(elements: &[Element], set: &[u32]) -> Vec<Cable> {
    let cables = set.iter().flat_map(|one| &elements[*one as usize].cables);
    cables.cloned().sorted_by_key(|cable| cable.links.first().copied()).dedup().collect()
}

/// Numbers of elements that fail together, ascending.
pub type FailureSet = Vec<u32>;

/// The sets of at most `most` of some elements: the empty one, each alone, then all pairs in lexicographic order.
pub(super) fn sets(elements: usize, most: u8) -> Vec<FailureSet> {
    let count = index32(elements);
    let alone = (0..count).filter(|_| most > 0).map(|one| vec![one]);
    let pairs = (0..count).filter(|_| most > 1);
    let pairs = pairs.flat_map(|one| (one + 1..count).map(move |other| vec![one, other]));
    std::iter::once(Vec::new()).chain(alone).chain(pairs).collect()
}

/// Number of the sets of at most `most` of some elements.
pub(super) fn number_of_sets(elements: usize, most: u8) -> u128 {
    let count = elements as u128;
    1 + if most > 0 { count } else { 0 }
        + if most > 1 { count * count.saturating_sub(1) / 2 } else { 0 }
}
