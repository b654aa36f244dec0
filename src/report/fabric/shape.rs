//! The shape of a fabric in words: levels, speeds, planes, rails, and what differs.

use std::fmt::Write as _;

use serde::Serialize;

use super::difference::{DifferenceReport, difference};
use super::levels::{FabricLevel, levels};
use super::pods::{PodReport, pods_text};
use super::{NAMED, listed, listed_or, named};
use crate::fabric::{Rails, Shape, Speed, planes, speeds};
use crate::limit::TooLarge;
use crate::rational::Rational;
use crate::report::counted;
use crate::report::table::table;
use crate::topology::{NodeId, Topology};

/// Sizes and shape of a fabric.
#[derive(Clone, Debug, Serialize)]
pub struct FabricShape {
    /// The tree that it is or was built as: `ft(8,3)`, `xgft(2;8,8;1,4)`, `pgft(h;m;w;p)`; in words where
    /// pods and planes make it none of these; `None` without switches.
    pub shape: Option<String>,
    /// Why it is in words.
    pub no_pgft: Option<String>,
    /// Whether it is exactly that tree.
    pub whole: bool,
    /// Why it is not that tree even with all differences undone.
    pub irregular: Option<String>,
    /// The differences.
    pub differences: Vec<DifferenceReport>,
    /// Number of hosts.
    pub hosts: usize,
    /// Number of switches.
    pub switches: usize,
    /// Number of cables.
    pub cables: usize,
    /// Level by level, leaf switches first.
    pub levels: Vec<FabricLevel>,
    /// The pods: switches that are joined below the top. Empty with fewer than three levels, and in irregular
    /// fabrics.
    pub pods: Vec<PodReport>,
    /// The planes of top switches, by name: those above the same switches. Empty with one level, and in
    /// irregular fabrics.
    pub top_planes: Vec<Vec<String>>,
    /// The level of every node, see [`Shape::levels`].
    #[serde(skip)]
    pub level_of: Vec<Option<u8>>,
    /// Cables by level and speed.
    pub speeds: Vec<SpeedReport>,
    /// Hosts and switches of every part of the network between which no cable leads.
    pub planes: Vec<(usize, usize)>,
    /// Number of nodes with several adapters.
    pub nodes: usize,
    /// Whether every node has its adapters at different leaf switches, shared by a group of nodes.
    pub rail_optimised: bool,
    /// Whether that is so and no path joins the leaf switches of a node without passing hosts.
    pub rail_only: bool,
    /// Nodes with their adapters at the same leaf switches.
    pub rail_groups: Vec<RailGroupReport>,
}

/// The cables of a speed.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedReport {
    /// The higher of the levels that they join.
    pub level: u8,
    /// Capacity in units of a host link.
    pub capacity: Rational,
    /// Number of cables.
    pub cables: usize,
    /// Whether most cables of the level have another capacity.
    pub odd: bool,
    /// Names of the cables, where they are odd.
    pub names: Vec<String>,
}

/// Nodes with their adapters at the same leaf switches.
#[derive(Clone, Debug, Serialize)]
pub struct RailGroupReport {
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// Device and leaf switch of every adapter.
    pub leaves: Vec<(String, String)>,
}

impl FabricShape {
    /// The shape of a network. Time as for [`Shape::of`].
    ///
    /// # Errors
    /// [`TooLarge`] as for [`Shape::of`].
    pub fn of(topology: &Topology) -> Result<Self, TooLarge> {
        let shape = Shape::of(topology)?;
        let whole = shape.is_whole();
        let name = |node: NodeId| topology.node(node).name.clone();
        let rails = Rails::of(topology);
        let (rail_optimised, rail_only) = (rails.is_optimised(), rails.is_only(topology));
        let groups = rails.groups.into_iter().map(|group| RailGroupReport {
            nodes: group.nodes,
            leaves: group.leaves.into_iter().map(|(device, leaf)| (device, name(leaf))).collect(),
        });
        let speeds = speeds(topology);
        Ok(Self {
            shape: shape.name(),
            no_pgft: shape.no_pgft.clone(),
            whole,
            irregular: shape.irregular.clone(),
            differences: shape.differences.iter().map(|one| difference(topology, one)).collect(),
            hosts: topology.hosts(),
            switches: topology.nodes() - topology.hosts(),
            cables: speeds.iter().map(|speed| speed.cables.len()).sum(),
            levels: levels(topology, &shape),
            pods: shape.pods.iter().map(|pod| PodReport::new(topology, pod)).collect(),
            top_planes: shape.top_planes.iter().map(|plane| names(topology, plane)).collect(),
            level_of: shape.levels,
            speeds: speeds.iter().map(|speed| speed_report(topology, speed)).collect(),
            planes: planes(topology),
            nodes: rails.nodes,
            rail_optimised,
            rail_only,
            rail_groups: groups.collect(),
        })
    }

    /// The differences of a kind.
    pub fn of_kind(&self, kind: &str) -> impl Iterator<Item = &DifferenceReport> {
        self.differences.iter().filter(move |difference| difference.kind == kind)
    }

    /// The shape as text, with at most `most` differences.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let mut text = format!("shape        {}", self.tree_text(most, "see --all or --json"));
        // A String takes every write.
        let _ = writeln!(
            text,
            "size         {}, {}, {}",
            counted(self.hosts, "host"),
            counted(self.switches, "switch"),
            counted(self.cables, "cable"),
        );
        if self.planes.len() > 1 {
            let sizes = self.planes.iter().take(NAMED).map(|(h, s)| format!("{h}+{s}"));
            let sizes: Vec<String> = sizes.collect();
            let (count, sizes) = (self.planes.len(), sizes.join(", "));
            let _ =
                writeln!(text, "planes       {count} separate networks (hosts+switches): {sizes}");
        }
        for (name, line) in pods_text(&self.pods, &self.top_planes) {
            let _ = writeln!(text, "{name:<13}{line}");
        }
        text.push_str(&self.rails_text(most));
        text.push_str(&self.speeds_text());
        text + "\n" + &self.levels_text()
    }

    /// The name of the tree, and at most `most` lines with what differs from it; `rest` says what shows more.
    pub(in crate::report) fn tree_text(&self, most: usize, rest: &str) -> String {
        let head = match (&self.irregular, self.differences.len()) {
            (Some(reason), _) => format!("irregular: {reason}"),
            (None, 0) => format!("{}, whole", self.tree_name()),
            (None, 1) => format!("{}, but for 1 difference:", self.tree_name()),
            (None, count) => format!("{}, but for {count} differences:", self.tree_name()),
        };
        head + "\n" + &listed_or(self.differences.iter().map(DifferenceReport::text), most, rest)
    }

    fn tree_name(&self) -> &str {
        self.shape.as_deref().unwrap_or("no tree")
    }

    /// The table of the levels, the top first; nothing where there are none.
    pub(in crate::report) fn levels_text(&self) -> String {
        if self.levels.is_empty() {
            return String::new();
        }
        let rows = self.levels.iter().rev().map(FabricLevel::row);
        table(&FabricLevel::HEADS, rows) + "\n"
    }

    /// How its adapters are attached.
    pub(in crate::report) fn rails_kind(&self) -> &'static str {
        match (self.rail_optimised, self.rail_only) {
            (_, true) => "rail-only",
            (true, false) => "rail-optimised",
            (false, false) => "not rail-optimised",
        }
    }

    fn rails_text(&self, most: usize) -> String {
        if self.nodes == 0 {
            return String::new();
        }
        let kind = self.rails_kind();
        let groups = counted(self.rail_groups.len(), "group");
        let nodes = counted(self.nodes, "node");
        let head = format!(
            "rails        {kind}: {nodes} with several adapters, in {groups} with the same leaf switches\n"
        );
        head + &listed(self.rail_groups.iter().map(RailGroupReport::text), most)
    }

    fn speeds_text(&self) -> String {
        let mut text = String::new();
        for speed in self.speeds.iter().filter(|speed| speed.odd) {
            let _ = writeln!(
                text,
                "speed        {} of level {} with capacity {} unlike the others: {}",
                counted(speed.cables, "cable"),
                speed.level,
                speed.capacity,
                named(&speed.names)
            );
        }
        text
    }
}

fn names(topology: &Topology, nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(|node| topology.node(*node).name.clone()).collect()
}

fn speed_report(topology: &Topology, speed: &Speed) -> SpeedReport {
    let names = speed.cables.iter().filter(|_| speed.odd).map(|cable| cable.name(topology));
    SpeedReport {
        level: speed.level,
        capacity: speed.capacity.clone(),
        cables: speed.cables.len(),
        odd: speed.odd,
        names: names.collect(),
    }
}

impl RailGroupReport {
    fn text(&self) -> String {
        let Self { nodes, leaves } = self;
        let names = match &nodes[..] {
            [] => String::new(),
            [only] => only.clone(),
            [first, .., last] => format!("{first} to {last}"),
        };
        let leaves: Vec<String> =
            leaves.iter().map(|(device, leaf)| format!("{device} at {leaf}")).collect();
        let count = counted(nodes.len(), "node");
        format!("{count}, {names}: {}", leaves.join(", "))
    }
}
