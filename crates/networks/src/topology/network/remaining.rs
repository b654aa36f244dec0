//! What failures leave of a network.

use std::sync::Arc;

use petgraph::graph::DiGraph;

use super::{Labels, Link, Node, Topology};
use crate::topology::{Host, NoTree, NodeId, TopologyError, host_number};

/// A network before a failure cut hosts off.
#[derive(Debug)]
pub struct Whole {
    /// The network with all its hosts.
    pub topology: Topology,
    /// The number that every remaining host has there, ascending.
    pub hosts: Vec<Host>,
}

impl Topology {
    /// The network `graph` that remains of this one without some cables and hosts: its nodes are those numbered
    /// `nodes` here, in this order. They keep their levels even where their distance from the hosts has grown, and the
    /// labels no longer apply. Where hosts are missing, the others are known by name, as in a network that was read.
    ///
    /// # Errors
    /// As [`Self::new`], except for levels.
    pub fn remaining(
        &self,
        spec: String,
        graph: DiGraph<Node, Link>,
        nodes: &[NodeId],
    ) -> Result<Self, TopologyError> {
        let labels = Labels::None(Some(NoTree::Damaged));
        let left = Self::with_any_levels(spec, graph)?;
        let hosts: Vec<Host> = nodes.iter().copied().take(left.hosts).collect();
        let outside = hosts.iter().position(|host| Some(*host) == self.outside_world);
        let is_whole = hosts.len() == self.hosts;
        Ok(Self {
            labels,
            is_read: self.is_read || !is_whole,
            has_merged_cables: self.has_merged_cables,
            outside_world: outside.map(host_number),
            found_levels: self.levels().of_nodes(nodes).into(),
            whole: (!is_whole).then(|| Arc::new(Whole { topology: self.clone(), hosts })),
            ..left
        })
    }

    /// The network before a failure that cut hosts off from it; `None` where all hosts are left.
    #[must_use]
    pub fn whole(&self) -> Option<&Whole> {
        self.whole.as_deref()
    }
}
