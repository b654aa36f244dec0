//! Writing an instance out, so that a certificate about it needs no generator.

use super::{Embedded, InstanceForm, PathRecord, Routes};
use crate::limit::{TooLarge, within};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::routing::forwarding::{ForwardingError, NextLinks};
use crate::topology::{Host, LinkId, NodeId, Topology};

/// Most paths that are listed one by one.
pub const MAX_LISTED_PAIRS: u64 = 1 << 22;

/// Why an instance is not embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// More than [`MAX_LISTED_PAIRS`] pairs of a routing that is not destination-based.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The work was stopped.
    #[error("{0}")]
    Stopped(#[from] crate::progress::Stopped),
}

impl InstanceForm {
    /// The instance as links and paths: next links where the routing is destination-based,
    /// listed paths elsewhere. O(N²·path length).
    ///
    /// # Errors
    /// [`EmbedError`] when there are too many paths, or `progress` is cancelled.
    pub fn embed(instance: &Instance, progress: &Progress) -> Result<Self, EmbedError> {
        let topology = &instance.topology;
        let routes = match NextLinks::of(topology, instance.routing.as_ref(), progress) {
            Ok(next) => Routes::Next(next_records(topology, &next)),
            Err(ForwardingError::Stopped(stopped)) => return Err(stopped.into()),
            Err(ForwardingError::Conflict { .. } | ForwardingError::TooLarge(_)) => {
                Routes::Paths(listed(instance)?)
            }
        };
        let link = |link: LinkId| {
            let (from, to) = topology.ends(link)?;
            Some((from, to, topology.link(link).capacity.clone()))
        };
        let links = (0..topology.links() as LinkId).filter_map(link).collect();
        let (hosts, nodes) = (topology.hosts(), topology.nodes());
        Ok(Self::Embedded(Embedded { hosts, nodes, links, routes }))
    }
}

/// One record a node that forwards anything; a node with one next link for all gets one entry.
fn next_records(topology: &Topology, next: &NextLinks) -> Vec<(NodeId, Vec<Option<LinkId>>)> {
    let hosts = topology.hosts() as Host;
    let mut records = Vec::new();
    for node in 0..topology.nodes() as NodeId {
        let entries: Vec<_> = (0..hosts).map(|d| next.get(node, d)).collect();
        // A host has no entry for itself, and needs none.
        let others = (0..hosts).filter(|d| *d != node).map(|d| entries[d as usize]);
        let first = others.clone().next().flatten();
        if first.is_some() && others.clone().all(|entry| entry == first) {
            records.push((node, vec![first]));
        } else if entries.iter().any(Option::is_some) {
            records.push((node, entries));
        }
    }
    records
}

fn listed(instance: &Instance) -> Result<Vec<PathRecord>, TooLarge> {
    let hosts = instance.topology.hosts() as Host;
    let pairs = Some(u128::from(hosts) * u128::from(hosts));
    let remedy = "use a named certificate, or a destination-based routing";
    within("number of SD pairs to list", pairs, MAX_LISTED_PAIRS, remedy)?;
    let (mut paths, mut scratch) = (Vec::new(), Vec::new());
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            instance.routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
                paths.push(PathRecord { s, d, share: share.clone(), links: links.to_vec() });
            });
        }
    }
    Ok(paths)
}
