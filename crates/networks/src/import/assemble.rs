//! From a checked [`Fabric`] to a [`Topology`].
//!
//! Every connected end port is one host, because it is the end port that has LIDs, sends and
//! receives: an adapter with two cables is two hosts. A router is treated the same way: it
//! forwards nothing within its subnet, and traffic to other subnets ends at its ports.
//!
//! Hosts are numbered by base LID, so that the regular fabrics of a subnet manager keep
//! their natural order; ports without a LID follow, by GUID. Switches come next, in the same
//! order. The links out of a node have consecutive ids, by port. If the fabric is a tree,
//! switches and links are renumbered by its labels ([`Topology::recognised`]); hosts are not.

use std::collections::{BTreeMap, HashMap};

use super::fabric::{Fabric, Lids, Port, Record};
use super::{ImportError, ImportOptions, LinkModel, Problem, Result, rate};
use crate::rational::Rational;
use crate::topology::{
    Address, Inconsistency, NetworkBuilder, NodeId, NodeKey, NodeKind, Topology, TopologyError,
    node_number,
};

/// What becomes a node of the network: a switch, or an end port given by its number.
type Place = (usize, Option<u32>);

/// Like [`topology`], without aggregation nodes and ports that are cabled to themselves.
///
/// # Errors
/// Like [`topology`].
pub(super) fn discovered(mut fabric: Fabric, options: &ImportOptions) -> Result<Topology> {
    fabric.leave_out_aggregation_nodes();
    fabric.leave_out_loopbacks();
    topology(&fabric, options)
}

/// The network of a fabric.
///
/// Capacities are data rates divided by the most frequent rate of a host link (the slower of
/// two that are equally frequent), or 1.
///
/// # Errors
/// [`ImportError::Content`] if the listing contradicts itself, [`ImportError::NothingShared`] if
/// links of shared capacity are requested, [`ImportError::Topology`] if the network violates an
/// invariant, for example because it has no host.
pub(super) fn topology(fabric: &Fabric, options: &ImportOptions) -> Result<Topology> {
    if options.link_model == LinkModel::UndirectedShared {
        return Err(ImportError::nothing_shared(&fabric.path));
    }
    fabric.check(!options.unit_capacity)?;
    let places = places(fabric);
    let numbers: HashMap<Place, NodeId> =
        places.iter().enumerate().map(|(number, place)| (*place, node_number(number))).collect();
    let neighbours = neighbours(fabric, &places, &numbers);
    let unit = if options.unit_capacity { None } else { host_rate(fabric) };
    let mut network = NetworkBuilder::new();
    let nodes: Vec<NodeKey> = places
        .iter()
        .zip(names(fabric, &places))
        .map(|(place, name)| add_node(&mut network, fabric, *place, name))
        .collect();
    for (from, links) in nodes.iter().zip(&neighbours) {
        for (from_port, port, to) in links {
            let to = (nodes[*to as usize], port.peer_number);
            network.link_at((*from, *from_port), to, capacity(port, unit.as_ref()));
        }
    }
    let topology = network.build(&fabric.path).map_err(|error| placed(fabric, &places, error))?;
    let topology = topology.with_notes(fabric.notes.clone()).with_unit(unit);
    Ok(topology.with_left_out_lids(fabric.left_out.clone()))
}

/// The error with its place in the listing, where it has one.
fn placed(fabric: &Fabric, places: &[Place], error: TopologyError) -> ImportError {
    match error {
        TopologyError::Invalid(Inconsistency::NoHostBelow { node, .. }) => {
            let record = &fabric.records[places[node as usize].0];
            fabric.error(record.line, Problem::NoHostBelow { node: record.id.clone().into() })
        }
        other => other.into(),
    }
}

/// The nodes of the network, in order.
fn places(fabric: &Fabric) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (index, record) in fabric.records.iter().enumerate() {
        if record.switch {
            places.push((index, None));
        } else {
            places.extend(record.ports.keys().map(|port| (index, Some(*port))));
        }
    }
    places.sort_by_cached_key(|(index, port)| {
        let record = &fabric.records[*index];
        let lid = lids(record, *port).lid;
        (record.switch, lid == 0, lid, record.guid, record.id.clone(), *port)
    });
    places
}

fn lids(record: &Record, port: Option<u32>) -> Lids {
    port.and_then(|port| record.ports.get(&port)).map_or(record.lids, |port| port.lids)
}

/// The ports of every node and where their cables lead.
fn neighbours<'f>(
    fabric: &'f Fabric,
    places: &[Place],
    numbers: &HashMap<Place, NodeId>,
) -> Vec<Vec<(u32, &'f Port, NodeId)>> {
    let far_end = |port: &Port| {
        let peer = *fabric.index.get(&port.peer)?;
        let end_port = (!fabric.records[peer].switch).then_some(port.peer_number);
        numbers.get(&(peer, end_port)).copied()
    };
    let of_place = |(index, only): &Place| {
        let ports = fabric.records[*index].ports.iter();
        let ports = ports.filter(|(number, _)| only.is_none_or(|only| only == **number));
        ports.filter_map(|(number, port)| Some((*number, port, far_end(port)?))).collect()
    };
    places.iter().map(of_place).collect()
}

/// The most frequent rate of a host link.
fn host_rate(fabric: &Fabric) -> Option<Rational> {
    let mut counts: BTreeMap<Rational, usize> = BTreeMap::new();
    for record in fabric.records.iter().filter(|record| !record.switch) {
        for rate in record.ports.values().filter_map(|port| rate::parse(&port.speed)) {
            *counts.entry(rate).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(rate, _)| rate)
}

/// Names of the nodes; nodes that share a description get their id appended.
fn names(fabric: &Fabric, places: &[Place]) -> Vec<String> {
    let plain = |(index, port): &Place| {
        let record = &fabric.records[*index];
        let name = if record.name.is_empty() { &record.id } else { &record.name };
        match port {
            Some(port) if record.ports.len() > 1 => format!("{name}[{port}]"),
            _ => name.clone(),
        }
    };
    let names: Vec<String> = places.iter().map(plain).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *count.entry(name).or_default() += 1;
    }
    let distinct = |(name, (index, _)): (&String, &Place)| match count.get(name.as_str()) {
        Some(1) => name.clone(),
        _ => format!("{name} ({})", fabric.records[*index].id),
    };
    names.iter().zip(places).map(distinct).collect()
}

fn add_node(
    network: &mut NetworkBuilder,
    fabric: &Fabric,
    (index, port): Place,
    name: String,
) -> NodeKey {
    let record = &fabric.records[index];
    let Lids { lid, lmc } = lids(record, port);
    let kind = if record.switch { NodeKind::Switch } else { NodeKind::Host };
    let port_guid = match port {
        Some(port) => record.ports.get(&port).and_then(|port| port.guid),
        None => record.guid,
    };
    network.node(kind, name, record.guid.map(|guid| Address { guid, port_guid, lid, lmc }))
}

/// The capacity of the link out of a port; `unit` is the rate that counts as capacity 1.
fn capacity(port: &Port, unit: Option<&Rational>) -> Rational {
    unit.and_then(|unit| rate::parse(&port.speed)?.checked_div(unit)).unwrap_or(Rational::ONE)
}
