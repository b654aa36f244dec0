//! Whether tables and network refer to the same switches and LIDs.
//!
//! A dump from another day differs first of all in a switch or a LID; reporting that is more useful
//! than a list of routes that do not arrive.

use std::collections::HashSet;

use crate::import::ForwardingTables;
use crate::quote::quote;
use crate::topology::{Address, Topology, node_number};

use super::report::LISTED;

/// Checks that tables and network refer to the same switches and LIDs.
pub(in crate::routing) fn check(
    topology: &Topology,
    addresses: &[Address],
    tables: &ForwardingTables,
) -> Result<(), String> {
    let switches = (topology.hosts()..topology.nodes()).map(|node| (node, addresses[node].guid));
    let missing = switches.clone().filter(|(_, guid)| !tables.switches.contains_key(guid));
    let missing =
        missing.map(|(node, _)| format!("`{}`", quote(&topology.node(node_number(node)).name)));
    none("switches without table", missing, tables)?;
    let guids: HashSet<u64> = switches.map(|(_, guid)| guid).collect();
    let foreign = tables.switches.iter().filter(|(guid, _)| !guids.contains(guid));
    let foreign = foreign.map(|(guid, table)| format!("{guid:#018x} ({})", table.place));
    none("tables of switches that the network does not have", foreign, tables)?;
    let left_out = topology.left_out_lids().iter().copied();
    let own = addresses.iter().filter_map(|address| address.lids()).flatten();
    let known = marked(own.chain(left_out));
    let listed = marked(tables.switches.values().flat_map(|table| table.ports.lids()).copied());
    let unknown = (0..=u16::MAX).filter(|lid| {
        let place = usize::from(*lid);
        listed[place] && !known[place]
    });
    let unknown = unknown.map(|lid| lid.to_string());
    none("LIDs that no port of the network has", unknown, tables)
}

/// For every possible LID, whether it is among the given ones.
fn marked(lids: impl Iterator<Item = u16>) -> Vec<bool> {
    let mut marked = vec![false; 1 << 16];
    lids.for_each(|lid| marked[usize::from(lid)] = true);
    marked
}

/// An error that lists the things, unless there are none.
fn none(
    what: &str,
    things: impl Iterator<Item = String>,
    tables: &ForwardingTables,
) -> Result<(), String> {
    let things: Vec<String> = things.collect();
    if things.is_empty() {
        return Ok(());
    }
    let first = things[..things.len().min(LISTED)].join(", ");
    Err(format!(
        "{}: {} {what}, the first: {first}; dump tables and network in the same state of the fabric",
        tables.source,
        things.len()
    ))
}
