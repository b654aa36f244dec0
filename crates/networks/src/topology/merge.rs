//! Reading parallel cables as one link.
//!
//! All links from one node to another become one link with the sum of their capacities, at the
//! ports of the first of them. Traffic may then use the cables together, in any shares: the result
//! is an idealisation of hardware that balances over a bundle. optu is the same as with separate
//! cables, since traffic can be split over them in proportion to their capacities; a routing that
//! takes a single cable of a bundle has no counterpart. Parallel links of different weights stay apart:
//! shortest paths by weight use the lightest of them alone.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, EdgeIndex};
use petgraph::visit::EdgeRef;

use super::{Link, Node, Topology};
use crate::rational::Rational;

type Graph = DiGraph<Node, Link>;

impl Topology {
    /// The network with parallel links merged into one link with the sum of their capacities, and
    /// a note about it; without parallel links it is unchanged. Labels are not kept:
    /// [`Self::recognised`] finds them. O(links · log(links)).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::import::{ImportOptions, topology};
    /// let file = "instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out";
    /// let merged = ImportOptions { merge_cables: true, ..ImportOptions::default() };
    /// let tree = topology(file, &merged)?;
    /// let labels = tree.tree().ok_or("no labels")?;
    /// assert_eq!((labels.shape(), labels.capacity(2).to_string()), ("xgft(2;8,4;1,4)".into(), "2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn merge_cables(self) -> Self {
        let bundles = bundles(self.graph());
        let merged: usize = bundles.values().filter(|links| links.len() > 1).map(Vec::len).sum();
        if merged == 0 {
            return self;
        }
        let mut graph = self.graph().clone();
        let mut first = vec![false; graph.edge_count()];
        for links in bundles.values() {
            first[links[0].index()] = true;
            graph[links[0]].capacity = links.iter().map(|link| &self.graph()[*link].capacity).sum();
        }
        graph.retain_edges(|_, link| first[link.index()]);
        let left = bundles.values().filter(|links| links.len() > 1).count();
        let note = format!(
            "{merged} parallel links are read as {left}, each with the combined capacity of its cables"
        );
        let notes = self.notes().iter().cloned().chain([note]).collect();
        self.with_merged_cables(graph).with_notes(notes)
    }
}

/// The links from each node to each other one, in the order of the ports at the lower-numbered
/// node: the first links of both directions belong to the same cable.
fn bundles(graph: &Graph) -> BTreeMap<(usize, usize, Option<&Rational>), Vec<EdgeIndex>> {
    let mut bundles: BTreeMap<_, Vec<EdgeIndex>> = BTreeMap::new();
    for edge in graph.edge_references() {
        let (from, to) = (edge.source().index(), edge.target().index());
        bundles.entry((from, to, edge.weight().weight.as_deref())).or_default().push(edge.id());
    }
    for ((from, to, _), links) in &mut bundles {
        links.sort_by_key(|link| {
            let Link { from_port, to_port, .. } = graph[*link];
            if *from < *to { (from_port, to_port) } else { (to_port, from_port) }
        });
    }
    bundles
}
