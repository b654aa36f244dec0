//! A network in words and a table.
//!
//! Shape strings are easily misread: XGFT lists count from the hosts, other notations from the top.
//! So the shape is also described level by level, by numbers of children and parents.

use std::fmt::Write as _;

use serde::Serialize;

use super::channels::ChannelsReport;
use super::hints::with_options;
use super::table::table;
use crate::topology::{LevelSummary, Summary, Topology, Xgft};

/// The record of a network, as `topo --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkReport {
    /// Size and shape.
    #[serde(flatten)]
    pub summary: Summary,
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
        Self { summary: topology.summary(), channels, channels_missing: missing }
    }
}

/// What `topo` prints: sizes, the shape in words, a table of the levels, and the channels.
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
    let NetworkReport { summary, channels, channels_missing } = NetworkReport::new(topology);
    let mut text = sizes(&summary, topology.is_named_tree());
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
    text.push('\n');
    text.push_str(&levels(&summary.levels));
    text.push('\n');
    let channels = channels.map(|channels| channels.text());
    let missing = channels_missing.map(|why| format!("channels [GL]  left out: {why}\n"));
    for more in channels.into_iter().chain(missing) {
        text.push('\n');
        text.push_str(&more);
    }
    text
}

fn sizes(summary: &Summary, is_named: bool) -> String {
    let Summary { hosts, switches, links, .. } = summary;
    let shape = shape_lines(summary);
    let alias = summary.xgft.as_ref().filter(|shape| **shape != summary.topology && is_named);
    let alias = alias.map_or_else(String::new, |shape| format!(" = {shape}"));
    let labels = labels_line(summary).filter(|_| !is_named).unwrap_or_default();
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
         {hosts} hosts, {switches} switches, {links} directed links\n\
         {labels}{shape}\
         bisection  {bisection}\n\
         capacity   {capacities}\n",
        summary.topology
    )
}

/// The shape recognised in a network that was read, or why none was.
fn labels_line(summary: &Summary) -> Option<String> {
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
            format!("not of the XGFT family: {}", with_options(reason.as_ref()?))
        }
    };
    Some(format!("shape      {what}\n"))
}

/// Height and radix, or the degree where hosts forward.
fn shape_lines(summary: &Summary) -> String {
    let Summary { switches, height, radix, levels, .. } = summary;
    if *switches > 0 {
        return format!(
            "height     {height} levels of switches\nradix      at most {radix} ports per switch\n"
        );
    }
    let degree = levels.first().map_or(0, |hosts| hosts.radix);
    format!(
        "degree     at most {degree} links out of a host; hosts forward, there are no switches\n"
    )
}

/// Every level of a tree, with the children below and the parents above.
fn shape(tree: &Xgft) -> String {
    let count = |number: u32, what: &str| {
        let plural = if number == 1 {
            ""
        } else if what == "switch" {
            "es"
        } else {
            "s"
        };
        format!("{number} {what}{plural}")
    };
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
