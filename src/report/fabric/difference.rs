//! Differences from the shape of a fabric, one by one.

use serde::Serialize;

use super::named;
use crate::fabric::Difference;
use crate::report::counted;
use crate::topology::{NodeId, Topology};

/// Something that differs from the shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferenceReport {
    /// `missing-cable`, `extra-cable`, `misplaced-cable`, `cable-across`, `hosts`, `hosts-above` for a switch that
    /// is not a leaf switch and its hosts, `switch-aside` for a switch outside the tree, `switches-below`,
    /// `switches-above`.
    pub kind: &'static str,
    /// The nodes concerned, the lower one first; of a cable across its name with ports; of `hosts-above` the switch
    /// and its hosts, of `switch-aside` the switch and its neighbours.
    pub nodes: Vec<String>,
    /// Number found: cables, hosts or switches.
    pub found: usize,
    /// Number in the shape.
    pub usual: usize,
}

pub(super) fn difference(topology: &Topology, difference: &Difference) -> DifferenceReport {
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
        Difference::HostsAbove { switch, hosts } => {
            let nodes: Vec<NodeId> = [switch].into_iter().chain(hosts.iter().copied()).collect();
            of("hosts-above", &nodes, hosts.len(), 0)
        }
        Difference::Aside { switch, neighbours, cables } => {
            let nodes: Vec<NodeId> = [switch].into_iter().chain(neighbours).collect();
            of("switch-aside", &nodes, cables, 0)
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
        let (first, rest) = nodes.split_first().map_or(("", nodes.as_slice()), |(f, r)| (f, r));
        let rest = named(rest);
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
            "hosts-above" => {
                format!(
                    "hosts: {first} is not a leaf switch and has {}: {rest}",
                    counted(*found, "host")
                )
            }
            "switch-aside" => {
                let cables = counted(*found, "cable");
                format!("aside: {first} is not part of the tree, {cables} to {rest}")
            }
            "hosts" => format!("hosts: {nodes} has {found}, most leaf switches have {usual}"),
            "switches-below" => format!("switches: {nodes} has {found} below, others have {usual}"),
            _ => format!("switches: {nodes} has {found} above, others have {usual}"),
        }
    }
}
