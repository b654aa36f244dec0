//! What `topo` prints about a network.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Direction, NodeKind, Topology, node_number};
use crate::rational::Rational;

/// Nodes and links of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LevelSummary {
    /// 0 for hosts; the links of a level join it to the level below.
    pub level: u8,
    /// Number of hosts or switches.
    pub nodes: usize,
    /// Number of links that lead up into this level.
    pub up_links: usize,
    /// Number of links that lead down out of this level.
    pub down_links: usize,
    /// Number of links within the level.
    pub flat_links: usize,
    /// Maximum number of links out of any node of this level.
    pub radix: usize,
    /// Number of shortest paths of a pair whose nearest common ancestors are here (trees only).
    pub shortest_paths: Option<u64>,
}

/// Size and shape of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Spec or path.
    pub topology: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Number of switches.
    pub switches: usize,
    /// Number of directed links.
    pub links: usize,
    /// Highest level.
    pub height: u8,
    /// Maximum number of ports of any switch.
    pub radix: usize,
    /// The shape as XGFT(h;m;w), for trees.
    pub xgft: Option<String>,
    /// Number of top switches of that shape that a top switch stands for, for trees: more than 1 where
    /// cables to it are parallel.
    pub cables_to_top: Option<u32>,
    /// Capacity of the links of every step, for trees, host links first.
    pub step_capacities: Option<Vec<Rational>>,
    /// Why a network that was read is not a tree of the XGFT family.
    pub no_xgft: Option<String>,
    /// Whether optu = baseload for every traffic; unknown without tree labels.
    pub full_bisection: Option<bool>,
    /// The distinct link capacities, with the number of links that have each.
    pub capacities: Vec<(Rational, usize)>,
    /// Notes on the reading of a file: what was left out or assumed.
    pub notes: Vec<String>,
    /// Level by level, hosts first.
    pub levels: Vec<LevelSummary>,
}

impl Topology {
    /// Counts nodes and links per level. O(nodes + links).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let summary = routebound::topology::generate("ft(8,3)")?.summary();
    /// assert_eq!((summary.switches, summary.radix), (80, 8));
    /// assert_eq!(summary.full_bisection, Some(true));
    /// assert_eq!(summary.xgft.as_deref(), Some("xgft(3;4,4,8;1,4,4)"));
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Summary {
        let levels = self.level_summaries();
        let mut capacities: BTreeMap<Rational, usize> = BTreeMap::new();
        for link in self.graph().edge_weights() {
            *capacities.entry(link.capacity.clone()).or_default() += 1;
        }
        Summary {
            topology: self.spec().to_string(),
            hosts: self.hosts(),
            switches: self.nodes() - self.hosts(),
            links: self.links(),
            height: levels.last().map_or(0, |level| level.level),
            radix: levels.iter().skip(1).map(|level| level.radix).max().unwrap_or(0),
            xgft: self.tree().map(super::Xgft::shape),
            cables_to_top: self.tree().map(super::Xgft::cables_to_top),
            step_capacities: self.tree().map(|tree| tree.capacities().to_vec()),
            no_xgft: self.no_tree().map(ToString::to_string),
            full_bisection: self.tree().map(super::Xgft::full_bisection),
            capacities: capacities.into_iter().collect(),
            notes: self.notes().to_vec(),
            levels,
        }
    }

    fn level_summaries(&self) -> Vec<LevelSummary> {
        let mut levels: BTreeMap<u8, LevelSummary> = BTreeMap::new();
        for index in self.graph().node_indices() {
            let node = &self.graph()[index];
            let level = self.shown_level(node_number(index.index()));
            let entry = levels.entry(level).or_default();
            entry.nodes += 1;
            let ports = self.graph().edges(index).count();
            entry.radix = entry.radix.max(ports);
            debug_assert!((level == 0) == (node.kind == NodeKind::Host));
        }
        for (level, direction) in self.link_numbers().map(|link| self.shown_place(link)) {
            let entry = levels.entry(level).or_default();
            match direction {
                Direction::Up => entry.up_links += 1,
                Direction::Down => entry.down_links += 1,
                Direction::Flat => entry.flat_links += 1,
            }
        }
        for (level, entry) in &mut levels {
            entry.level = *level;
            let paths = |tree: &super::Xgft| tree.all_shortest_paths((*level).into());
            entry.shortest_paths = self.tree().filter(|_| *level > 0).map(paths);
        }
        levels.into_values().collect()
    }
}

impl super::Xgft {
    /// Number of shortest paths of a pair whose nearest common ancestors are at `level`, including
    /// those that lead down from a top switch by a different one of its parallel cables than up.
    fn all_shortest_paths(&self, level: usize) -> u64 {
        let down = if level == self.height() { self.cables_to_top() } else { 1 };
        u64::from(self.shortest_paths(level)) * u64::from(down)
    }

    /// The shape as an `xgft` spec.
    #[must_use]
    pub fn shape(&self) -> String {
        let list = |number: &dyn Fn(usize) -> u32| {
            let numbers: Vec<String> = (1..=self.height()).map(|i| number(i).to_string()).collect();
            numbers.join(",")
        };
        let (m, w) = (list(&|i| self.children(i)), list(&|i| self.parents(i)));
        format!("xgft({};{m};{w})", self.height())
    }
}
