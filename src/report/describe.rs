//! A network in words and a table.
//!
//! Shape strings are easily misread: XGFT lists count from the hosts, other notations from the top.
//! So the shape is also described level by level, by numbers of children and parents.

use std::cmp::Ordering;

use super::channels::ChannelsReport;
use super::fabric::{FabricShape, pods_text};
use super::prelude::*;
use super::remedy::with_options;
use crate::topology::{LevelSummary, LinkId, NodeId, Summary, Xgft};

/// Differences that the text lists; `--json` has all.
const SHOWN: usize = 100;
/// Maximum number of links of a capacity that are listed.
const FEW: usize = 16;

/// The record of a network, as `topo --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkReport {
    /// Size and shape. Where there is a [`Self::shape`], its levels are those listed, and why it is not a tree is in
    /// terms of these: hosts and switches without a level are not among them.
    #[serde(flatten)]
    pub summary: Summary,
    /// The shape as `fabric` gives it, of networks with switches that were read: levels, taper, pods, planes, and
    /// what differs from the nearest tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<FabricShape>,
    /// Why it was left out, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape_missing: Option<String>,
    /// The channels of \[GL\]; `None` where they form no tree.
    pub channels: Option<ChannelsReport>,
    /// Why they were left out, where they might take longer than a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels_missing: Option<String>,
}

impl NetworkReport {
    /// The record of a network.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let (channels, missing) = match ChannelsReport::of(topology) {
            Ok(channels) => (channels, None),
            Err(limit) => (None, Some(limit.to_string())),
        };
        let mut summary = topology.summary();
        let is_fabric = topology.is_read() && summary.switches > 0;
        let (shape, shape_missing) = match is_fabric.then(|| FabricShape::of(topology)) {
            None => (None, None),
            Some(Ok(shape)) => (Some(shape), None),
            Some(Err(limit)) => (None, Some(limit.to_string())),
        };
        if let Some(shape) = shape.as_ref().filter(|_| topology.tree().is_none()) {
            summary.levels = summaries(topology, &shape.level_of);
            summary.height = summary.levels.last().map_or(0, |level| level.level);
            summary.no_xgft = no_xgft(topology, shape).or(summary.no_xgft);
        }
        Self { summary, shape, shape_missing, channels, channels_missing: missing }
    }
}

/// Why a network whose levels are other than distances from the nearest host is not a tree of the family: what the
/// topology says is about those distances. `None` where levels are these.
fn no_xgft(topology: &Topology, shape: &FabricShape) -> Option<String> {
    let level = |node: NodeId| Some(topology.node(node).level);
    if topology.node_numbers().map(level).eq(shape.level_of.iter().copied()) {
        return None;
    }
    let differs = || {
        let places = counted(shape.differences.len(), "place");
        shape.shape.as_ref().map(|tree| format!("it differs from {tree} in {places}"))
    };
    shape.irregular.clone().or_else(|| shape.no_pgft.clone()).or_else(differs)
}

/// Counts nodes and links by level.
fn summaries(topology: &Topology, level_of: &[Option<u8>]) -> Vec<LevelSummary> {
    let height = level_of.iter().copied().flatten().max().unwrap_or(0);
    let level = |level| LevelSummary { level, ..LevelSummary::default() };
    let mut levels: Vec<LevelSummary> = (0..=height).map(level).collect();
    let level = |node: NodeId| level_of.get(node as usize).copied().flatten().map(usize::from);
    for node in topology.node_numbers() {
        let Some(here) = level(node).map(|at| &mut levels[at]) else { continue };
        here.nodes += 1;
        here.radix = here.radix.max(topology.links_from(node).count());
    }
    for (from, to) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
        let Some((from, to)) = level(from).zip(level(to)) else { continue };
        let at = &mut levels[from.max(to)];
        match from.cmp(&to) {
            Ordering::Less => at.up_links += 1,
            Ordering::Greater => at.down_links += 1,
            Ordering::Equal => at.flat_links += 1,
        }
    }
    levels
}

/// The text of `topo`: sizes, the shape in words, a table of the levels, and the channels.
///
/// ```
/// let tree = routebound::topology::generate("xgft(2;8,4;1,2)")?;
/// let text = routebound::report::describe::network(&tree);
/// assert!(text.contains("32 hosts, 6 switches, 80 directed links"));
/// assert!(text.contains("a switch of level 1 has 8 hosts below and 2 switches above"));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn network(topology: &Topology) -> String {
    let NetworkReport { summary, shape: fabric, shape_missing, channels, channels_missing } =
        NetworkReport::new(topology);
    // Labels say all of it.
    let fabric = fabric.filter(|_| topology.tree().is_none());
    let mut text = sizes(&summary, topology);
    if let Some(host) = topology.outside_world() {
        // A String takes every write.
        let _ = writeln!(
            text,
            "outside    host {host} is the outside world, next to the root; levels are distances from \
             the nearest host"
        );
    }
    if let Some(tree) = topology.tree() {
        text.push('\n');
        text.push_str(&shape(tree));
    }
    match &fabric {
        Some(fabric) => text.push_str(&nearest_tree(fabric)),
        None => text = text + "\n" + &levels(&summary.levels) + "\n",
    }
    if let Some(why) = shape_missing {
        // A String takes every write.
        let _ = writeln!(text, "\ntree       left out: {why}");
    }
    // Operators do not ask for the channels of [GL]: of networks that were read `--json` has them.
    let channels = channels.filter(|_| !topology.is_read()).map(|channels| channels.text());
    let channels_missing = channels_missing.filter(|_| !topology.is_read());
    let missing = channels_missing.map(|why| format!("channels [GL]  left out: {why}\n"));
    for more in channels.into_iter().chain(missing) {
        text.push('\n');
        text.push_str(&more);
    }
    text
}

/// The nearest tree of a network that was read, with what differs and its levels.
fn nearest_tree(fabric: &FabricShape) -> String {
    let mut text = format!("tree       {}", fabric.tree_text(SHOWN, "see --json"));
    for (name, line) in pods_text(&fabric.pods, &fabric.top_planes) {
        // A String takes every write.
        let _ = writeln!(text, "{name:<11}{line}");
    }
    text + "\n" + &fabric.levels_text()
}

fn sizes(summary: &Summary, topology: &Topology) -> String {
    let Summary { hosts, switches, links, .. } = summary;
    let (shape, is_named) = (shape_lines(summary), topology.is_named_tree());
    let alias = summary.xgft.as_ref().filter(|shape| **shape != summary.topology && is_named);
    let alias = alias.map_or_else(String::new, |shape| format!(" = {shape}"));
    let labels = labels_line(summary, topology).filter(|_| !is_named).unwrap_or_default();
    let bisection = match summary.full_bisection {
        Some(true) => "full: no traffic is limited by more than its host links",
        Some(false) => "not full: some traffic is limited by links above the hosts",
        None => "not known: the network is not a tree of the XGFT family",
    };
    let capacities = match summary.capacities.as_slice() {
        [(only, _)] => format!("{only} on every link"),
        several => {
            let each =
                several.iter().map(|(capacity, links)| format!("{capacity} on {links} links"));
            each.collect::<Vec<_>>().join(", ")
        }
    };
    format!(
        "{}{alias}\n\
         {}, {}, {} directed links\n\
         {labels}{shape}\
         bisection  {bisection}\n\
         capacity   {capacities}\n{}",
        summary.topology,
        counted(*hosts, "host"),
        counted(*switches, "switch"),
        links,
        odd_links(summary, topology)
    )
}

/// The links of a network that was read, of every capacity that few have, one per line, of the two directions of a
/// cable only one.
fn odd_links(summary: &Summary, topology: &Topology) -> String {
    let mut text = String::new();
    if !topology.is_read() {
        return text;
    }
    let most = summary.capacities.iter().map(|(_, links)| *links).max().unwrap_or(0);
    for (capacity, _) in summary.capacities.iter().filter(|(_, n)| *n <= FEW && *n < most) {
        let has_it = |link: &LinkId| topology.link(*link).capacity == *capacity;
        let is_first = |link: &LinkId| {
            let Some((from, to)) = topology.ends(*link) else { return false };
            from < to || !topology.links_between(to, from).iter().any(has_it)
        };
        for link in topology.link_numbers().filter(has_it).filter(is_first) {
            // A String takes every write.
            let _ = writeln!(text, "  {capacity}: {}", topology.link_name(link));
        }
    }
    text
}

/// The shape recognised in a network that was read, or why none was.
fn labels_line(summary: &Summary, topology: &Topology) -> Option<String> {
    let what = match (&summary.xgft, &summary.no_xgft) {
        (Some(shape), _) => {
            let parallel = match summary.cables_to_top.filter(|tops| *tops > 1) {
                None => String::new(),
                Some(tops) => format!(
                    "; a top switch stands for {tops} tops, one for each of its parallel cables"
                ),
            };
            format!("{shape}, labels attached{parallel}")
        }
        (None, reason) => {
            let reason = reason.as_ref()?;
            let text = format!("not of the XGFT family: {reason}");
            match topology.no_tree().filter(|found| found.to_string() == *reason) {
                Some(found) => with_options(text, found),
                None => text,
            }
        }
    };
    Some(format!("shape      {what}\n"))
}

/// Height and radix, or the degree where hosts forward.
fn shape_lines(summary: &Summary) -> String {
    let Summary { switches, height, radix, levels, .. } = summary;
    if *switches > 0 {
        let levels = counted((*height).into(), "level");
        return format!(
            "height     {levels} of switches\nradix      at most {} per switch\n",
            counted(*radix, "port")
        );
    }
    let degree = levels.first().map_or(0, |hosts| hosts.radix);
    format!(
        "degree     at most {degree} links out of a host; hosts forward, there are no switches\n"
    )
}

/// Every level of a tree, with the children below and the parents above.
fn shape(tree: &Xgft) -> String {
    let count = |number: u32, what: &str| counted(number as usize, what);
    let above = |level: usize| {
        let cables = if level + 1 == tree.height() { tree.cables_to_top() } else { 1 };
        let switches = count(tree.parents(level + 1) / cables, "switch");
        let each = if cables > 1 { format!(", {cables} cables to each") } else { String::new() };
        let capacity = tree.capacity(level + 1);
        let links = if tree.has_unit_capacities() {
            String::new()
        } else {
            format!(", links of capacity {capacity}")
        };
        format!("{switches} above{each}{links}")
    };
    let mut text = format!("a host has {}\n", above(0));
    for level in 1..=tree.height() {
        let child = if level == 1 { "host" } else { "switch" };
        let below = count(tree.children(level), child);
        let above = if level == tree.height() { "is at the top".to_string() } else { above(level) };
        // A String takes every write.
        let _ = writeln!(text, "a switch of level {level} has {below} below and {above}");
    }
    text
}

fn levels(levels: &[LevelSummary]) -> String {
    let flat = levels.iter().any(|level| level.flat_links > 0);
    let paths = levels.iter().any(|level| level.shortest_paths.is_some());
    let mut head = vec!["level", "nodes", "ports", "links up to it", "links down from it"];
    head.extend(flat.then_some("links within it"));
    head.extend(paths.then_some("shortest paths of a pair that meets here"));
    let rows = levels.iter().map(|level| {
        let name = if level.level == 0 { "hosts".into() } else { level.level.to_string() };
        let mut row = vec![name, level.nodes.to_string(), level.radix.to_string()];
        row.extend([level.up_links.to_string(), level.down_links.to_string()]);
        row.extend(flat.then(|| level.flat_links.to_string()));
        let paths_here = level.shortest_paths.map_or_else(String::new, |n| n.to_string());
        row.extend(paths.then_some(paths_here));
        row
    });
    table(&head, rows)
}
