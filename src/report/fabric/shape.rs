//! The shape of a fabric in words: levels, speeds, planes, rails, and what differs.

use std::fmt::Write as _;

use serde::Serialize;

use super::listed;
use crate::fabric::{Difference, Pgft, Rails, Shape, Speed, planes, speeds};
use crate::limit::TooLarge;
use crate::ratio::Ratio;
use crate::report::counted;
use crate::report::table::table;
use crate::topology::{Direction, NodeId, Topology};

/// Names that a row lists.
const NAMED: usize = 4;

/// Sizes and shape of a fabric.
#[derive(Clone, Debug, Serialize)]
pub struct FabricShape {
    /// The tree that it is or was built as: `ft(8,3)`, `xgft(2;8,8;1,4)`, `pgft(h;m;w;p)`; `None` without
    /// switches.
    pub shape: Option<String>,
    /// Whether it is exactly that tree.
    pub whole: bool,
    /// Why it is not that tree even with all differences undone.
    pub irregular: Option<String>,
    /// What differs.
    pub differences: Vec<DifferenceReport>,
    /// Number of hosts.
    pub hosts: usize,
    /// Number of switches.
    pub switches: usize,
    /// Number of cables.
    pub cables: usize,
    /// Level by level, leaf switches first.
    pub levels: Vec<FabricLevel>,
    /// Cables by level and speed.
    pub speeds: Vec<SpeedReport>,
    /// Hosts and switches of every part of the network between which no cable leads.
    pub planes: Vec<(usize, usize)>,
    /// Number of nodes with several adapters.
    pub nodes: usize,
    /// Whether every node has its adapters at different leaf switches, shared by a group of nodes.
    pub rail_optimised: bool,
    /// Nodes with their adapters at the same leaf switches.
    pub rail_groups: Vec<RailGroupReport>,
}

/// The switches of a level.
#[derive(Clone, Debug, Serialize)]
pub struct FabricLevel {
    /// 1 for leaf switches.
    pub level: u8,
    /// Number of switches.
    pub switches: usize,
    /// Cables to the level below.
    pub cables_down: usize,
    /// Cables to the level above.
    pub cables_up: usize,
    /// Cables between switches of the level.
    pub cables_across: usize,
    /// Capacity down ÷ capacity up of all switches of the level together: more than 1 where the level is
    /// over-subscribed. `None` at the top.
    pub taper: Option<Ratio>,
    /// The same for a switch of the shape, without what differs from it.
    pub usual_taper: Option<Ratio>,
}

/// Something that differs from the shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferenceReport {
    /// `missing-cable`, `extra-cable`, `misplaced-cable`, `cable-across`, `hosts`, `switches-below`,
    /// `switches-above`.
    pub kind: &'static str,
    /// The nodes concerned, the lower one first; of a cable across its name with ports.
    pub nodes: Vec<String>,
    /// How many there are.
    pub found: usize,
    /// How many the shape has.
    pub usual: usize,
}

/// The cables of a speed.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedReport {
    /// The higher of the levels that they join.
    pub level: u8,
    /// Capacity in units of a host link.
    pub capacity: Ratio,
    /// Number of cables.
    pub cables: usize,
    /// Whether most cables of the level have another capacity.
    pub odd: bool,
    /// Their names, where they are odd.
    pub names: Vec<String>,
}

/// Nodes with their adapters at the same leaf switches.
#[derive(Clone, Debug, Serialize)]
pub struct RailGroupReport {
    /// Their names.
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
        let rail_optimised = rails.is_optimised();
        let groups = rails.groups.into_iter().map(|group| RailGroupReport {
            nodes: group.nodes,
            leaves: group.leaves.into_iter().map(|(device, leaf)| (device, name(leaf))).collect(),
        });
        let speeds = speeds(topology);
        Ok(Self {
            shape: shape.tree.as_ref().map(ToString::to_string),
            whole,
            irregular: shape.irregular.clone(),
            differences: shape.differences.iter().map(|one| difference(topology, one)).collect(),
            hosts: topology.hosts(),
            switches: topology.nodes() - topology.hosts(),
            cables: speeds.iter().map(|speed| speed.cables.len()).sum(),
            levels: levels(topology, shape.tree.as_ref().filter(|_| shape.irregular.is_none())),
            speeds: speeds.iter().map(|speed| speed_report(topology, speed)).collect(),
            planes: planes(topology),
            nodes: rails.nodes,
            rail_optimised,
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
        let mut text = self.shape_text();
        text.push_str(&listed(self.differences.iter().map(DifferenceReport::text), most));
        // A String takes every write.
        let _ = writeln!(
            text,
            "size         {}, {}, {}",
            counted(self.hosts, "host"),
            switches(self.switches),
            counted(self.cables, "cable"),
        );
        if self.planes.len() > 1 {
            let sizes = self.planes.iter().take(NAMED).map(|(h, s)| format!("{h}+{s}"));
            let sizes: Vec<String> = sizes.collect();
            let (count, sizes) = (self.planes.len(), sizes.join(", "));
            let _ =
                writeln!(text, "planes       {count} separate networks (hosts+switches): {sizes}");
        }
        text.push_str(&self.rails_text(most));
        text.push_str(&self.speeds_text());
        text.push('\n');
        let rows = self.levels.iter().rev().map(FabricLevel::row);
        let heads = ["level", "switches", "cables down", "cables up", "across", "down:up"];
        text + &table(&heads, rows) + "\n"
    }

    fn shape_text(&self) -> String {
        let shape = self.shape.as_deref().unwrap_or("no tree");
        match (&self.irregular, self.differences.len()) {
            (Some(reason), _) => format!("shape        irregular: {reason}\n"),
            (None, 0) => format!("shape        {shape}, whole\n"),
            (None, 1) => format!("shape        {shape}, but for 1 difference:\n"),
            (None, count) => format!("shape        {shape}, but for {count} differences:\n"),
        }
    }

    fn rails_text(&self, most: usize) -> String {
        if self.nodes == 0 {
            return String::new();
        }
        let kind = if self.rail_optimised { "rail-optimised" } else { "not rail-optimised" };
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
            let names: Vec<&str> = speed.names.iter().take(NAMED).map(String::as_str).collect();
            let more = if speed.names.len() > NAMED { ", …" } else { "" };
            let _ = writeln!(
                text,
                "speed        {} of level {} with capacity {} unlike the others: {}{more}",
                counted(speed.cables, "cable"),
                speed.level,
                speed.capacity,
                names.join(", ")
            );
        }
        text
    }
}

impl FabricLevel {
    fn row(&self) -> Vec<String> {
        let taper =
            self.taper.as_ref().map_or_else(|| "-".to_string(), |taper| format!("{taper}:1"));
        let numbers = [self.switches, self.cables_down, self.cables_up, self.cables_across];
        let numbers = numbers.iter().map(ToString::to_string);
        [self.level.to_string()].into_iter().chain(numbers).chain([taper]).collect()
    }
}

/// The levels of switches, leaf switches first.
fn levels(topology: &Topology, tree: Option<&Pgft>) -> Vec<FabricLevel> {
    let height = topology.node_numbers().map(|node| topology.node(node).level).max().unwrap_or(0);
    let count = |level: u8, direction: Direction| {
        let of_level = |link: &u32| {
            let link = topology.link(*link);
            link.level == level && link.direction == direction
        };
        let links: Vec<u32> = topology.link_numbers().filter(of_level).collect();
        let zero = Ratio::ZERO;
        let capacity = links.iter().fold(zero, |sum, link| &sum + &topology.link(*link).capacity);
        (links.len(), capacity)
    };
    let level = |level: u8| {
        // A cable leads up into its level as one link, and up out of it as one of the next.
        let (below, above) = (count(level, Direction::Up), count(level + 1, Direction::Up));
        let is_level = |node: &NodeId| topology.node(*node).level == level;
        FabricLevel {
            level,
            switches: topology.node_numbers().filter(is_level).count(),
            cables_down: below.0,
            cables_up: above.0,
            cables_across: count(level, Direction::Flat).0 / 2,
            taper: below.1.checked_div(&above.1),
            usual_taper: tree.and_then(|tree| {
                let (down, up) = tree.taper(level.into())?;
                Ratio::new(down as u64, up as u64)
            }),
        }
    };
    (1..=height).map(level).collect()
}

fn switches(count: usize) -> String {
    if count == 1 { "1 switch".into() } else { format!("{count} switches") }
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

fn difference(topology: &Topology, difference: &Difference) -> DifferenceReport {
    let name = |node: NodeId| topology.node(node).name.clone();
    let of = |kind, nodes: &[NodeId], found: usize, usual: usize| DifferenceReport {
        kind,
        nodes: nodes.iter().map(|node| name(*node)).collect(),
        found,
        usual,
    };
    match difference.clone() {
        Difference::MissingCables { child, parent, missing, present } => {
            let present = present as usize;
            of("missing-cable", &[child, parent], present, present + missing as usize)
        }
        Difference::ExtraCables { child, parent, usual, present, misplaced } => {
            let kind = if misplaced { "misplaced-cable" } else { "extra-cable" };
            of(kind, &[child, parent], present as usize, usual as usize)
        }
        Difference::Sideways(cable) => {
            let nodes = vec![cable.name(topology)];
            DifferenceReport { kind: "cable-across", nodes, found: 1, usual: 0 }
        }
        Difference::Hosts { leaf, found, usual } => of("hosts", &[leaf], found, usual),
        Difference::Children { parent, found, usual } => {
            of("switches-below", &[parent], found, usual)
        }
        Difference::Parents { child, found, usual } => of("switches-above", &[child], found, usual),
    }
}

impl DifferenceReport {
    /// The difference in words.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { kind, nodes, found, usual } = self;
        let nodes = nodes.join(" - ");
        match *kind {
            "missing-cable" => {
                let missing = usual - found;
                let cables = counted(missing, "cable");
                match found {
                    0 => format!("missing: {nodes} ({cables})"),
                    _ => format!("missing: {nodes} ({missing} of {usual} cables)"),
                }
            }
            "extra-cable" => format!("extra: {nodes} ({} more than elsewhere)", found - usual),
            "misplaced-cable" => {
                format!("misplaced: {nodes} belong to different parts of the tree")
            }
            "cable-across" => format!("across: {nodes} joins no neighbouring levels"),
            "hosts" => format!("hosts: {nodes} has {found}, most leaf switches have {usual}"),
            "switches-below" => format!("switches: {nodes} has {found} below, others have {usual}"),
            _ => format!("switches: {nodes} has {found} above, others have {usual}"),
        }
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
