//! Writing an instance out, so that a certificate about it needs no generator.

mod against;
mod written_out;

pub use against::{network_differences, routing_differences};
pub use written_out::{WriteOutError, written_out};

use rayon::prelude::*;

use crate::certificate::{AllowedPath, Among, Budget, EmbeddedNetwork, JobGroup, LinkRecord};
use crate::certificate::{Listed, NetworkForm, NextLink, PathRecord, RoutingForm, Split};
use crate::limit::within;
use crate::progress::{Interrupted, Progress, Stopped};
use crate::routing::forwarding::{ForwardingError, NextLinks, NextRow};
use crate::routing::{ByDestination, Instance, Routing, ShortestSplit};
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

impl From<ShortestSplit> for Split {
    fn from(split: ShortestSplit) -> Self {
        match split {
            ShortestSplit::PerPath => Self::Paths,
            ShortestSplit::PerHop => Self::Hops,
        }
    }
}

/// Maximum number of SD pairs whose paths are listed one by one.
pub const MAX_LISTED_PAIRS: u64 = 1 << 22;

/// An entry of a `next` record is about as long as this part of a listed path.
const ENTRIES_OF_A_PATH: usize = 8;

/// The network as its links.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::certificate::NetworkForm;
/// let topology = routebound::topology::generate("ft(4,2)")?;
/// let NetworkForm::Embedded(network) = routebound::embed::network(&topology) else { panic!() };
/// assert_eq!((network.hosts, network.links.len()), (8, 32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn network(topology: &Topology) -> NetworkForm {
    let link = |link: LinkId| {
        let (from, to) = topology.ends(link)?;
        Some(LinkRecord::new(from, to, topology.link(link).capacity.clone()))
    };
    let links = topology.link_numbers().filter_map(link).collect();
    let (hosts, nodes) = (topology.hosts(), topology.nodes());
    NetworkForm::Embedded(EmbeddedNetwork { hosts, nodes, links })
}

/// The routing as next links where it is destination-based, otherwise as listed paths.
/// O(N²·path length).
///
/// # Errors
/// [`Interrupted`] when there are too many paths, or `progress` is cancelled.
pub fn routing(instance: &Instance, progress: &Progress) -> Result<RoutingForm, Interrupted> {
    let (topology, routing) = (instance.topology(), instance.routing());
    match next_records(topology, routing, progress) {
        Ok(records) => Ok(RoutingForm::Next(records)),
        Err(ForwardingError::Stopped(stopped)) => Err(stopped.into()),
        Err(ForwardingError::Conflict { .. } | ForwardingError::TooLarge(_)) => {
            Ok(RoutingForm::Paths(listed(topology, routing, progress)?))
        }
    }
}

/// The routing of the pairs by which members of groups send to each other: their paths, which `budget` limits, or next
/// links where these are shorter.
///
/// # Errors
/// As [`routing`].
pub fn routing_within(
    instance: &Instance,
    groups: &[JobGroup],
    budget: Budget,
    progress: &Progress,
) -> Result<RoutingForm, Interrupted> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let rails = |group: &JobGroup| group.members.iter().map(Vec::len).max().unwrap_or(0);
    let pairs = groups.iter().map(|group| group.members.len().pow(2) * rails(group));
    let paths = pairs.sum::<usize>().saturating_mul(ENTRIES_OF_A_PATH);
    if routing.is_single_path() && paths > topology.nodes() * topology.hosts() {
        return self::routing(instance, progress);
    }
    let pairs = groups.iter().flat_map(pairs_within);
    Ok(RoutingForm::Paths(listed_pairs(routing, pairs, budget, progress)?))
}

/// The pairs by which members of a group send to each other: on every rail that both have.
fn pairs_within(group: &JobGroup) -> impl Iterator<Item = (Host, Host)> {
    let members = group.members.iter().enumerate();
    members.clone().flat_map(move |(at, from)| {
        let others = members.clone().filter(move |(other, _)| *other != at);
        others.flat_map(move |(_, to)| from.iter().zip(to).filter_map(|(s, d)| s.zip(*d)))
    })
}

/// Number of nodes whose records are made together: those that follow each other share the cache lines of a table.
const NODES: usize = 64;

/// The next links of a routing as records.
fn next_records(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<Vec<(NodeId, Vec<NextLink>)>, ForwardingError> {
    if let Some(next) = routing.next_links() {
        let records = records(topology, &|nodes| rows(topology, next, nodes), progress)?;
        progress.inc(NextLinks::work(topology));
        return Ok(records);
    }
    let next = NextLinks::of(topology, routing, progress)?;
    Ok(records(topology, &|nodes| next.rows(nodes), &Progress::silent())?)
}

/// One record per node that forwards anything; a node with one next link for all hosts gets one
/// entry.
fn records(
    topology: &Topology,
    rows: &(dyn Fn(&[NodeId]) -> Vec<NextRow> + Sync),
    progress: &Progress,
) -> Result<Vec<(NodeId, Vec<NextLink>)>, Stopped> {
    let nodes: Vec<NodeId> = topology.node_numbers().collect();
    let records = nodes.par_chunks(NODES).map(|nodes| {
        progress.check()?;
        let rows = nodes.iter().zip(rows(nodes));
        let records = rows.filter_map(|(node, row)| Some((*node, next_record(*node, row)?)));
        Ok(records.collect::<Vec<_>>())
    });
    let records: Vec<_> = records.collect::<Result<_, Stopped>>()?;
    Ok(records.into_iter().flatten().collect())
}

/// The next links of some nodes; a host with one link has no other.
fn rows(topology: &Topology, next: &dyn ByDestination, nodes: &[NodeId]) -> Vec<NextRow> {
    let only = |node: &NodeId| {
        let mut links = topology.links_from(*node).filter(|_| (*node as usize) < topology.hosts());
        links.next().filter(|_| links.next().is_none())
    };
    let none = || NextRow::Each(vec![NextLink::NONE; topology.hosts()]);
    let mut rows: Vec<NextRow> =
        nodes.iter().map(|node| only(node).map_or_else(none, NextRow::Only)).collect();
    let each = nodes.iter().zip(&mut rows).filter_map(|(node, row)| match row {
        NextRow::Each(row) => Some((*node, row)),
        NextRow::Only(_) => None,
    });
    let (nodes, mut each): (Vec<NodeId>, Vec<_>) = each.unzip();
    let mut ways = Vec::with_capacity(nodes.len());
    for d in topology.host_numbers() {
        next.next_of(&nodes, d, &mut ways);
        for (row, way) in each.iter_mut().zip(&ways) {
            row[d as usize] = way.map(|(link, _)| link).into();
        }
    }
    rows
}

/// The entries of a node's record, where it has one.
fn next_record(node: NodeId, row: NextRow) -> Option<Vec<NextLink>> {
    let row = match row {
        NextRow::Only(link) => return Some(vec![Some(link).into()]),
        NextRow::Each(row) => row,
    };
    // A host has no entry for itself, and needs none.
    let mut others = (0..).zip(&row).filter(|(d, _)| *d != node).map(|(_, entry)| *entry);
    let first = others.next()?;
    if first != NextLink::NONE && others.all(|entry| entry == first) {
        return Some(vec![first]);
    }
    let is_none = row.iter().all(|entry| *entry == NextLink::NONE);
    (!is_none).then_some(row)
}

/// The paths of a routing, as those that routings may use.
///
/// # Errors
/// [`Interrupted`] when there are more than [`MAX_LISTED_PAIRS`] pairs, or `progress` is
/// cancelled.
pub fn among(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<Among, Interrupted> {
    let allowed = |PathRecord { s, d, links, .. }| AllowedPath { s, d, links };
    let paths = listed(topology, routing, progress)?;
    Ok(Among::Listed(paths.into_iter().map(allowed).collect()))
}

/// The paths of a routing with their shares, pair by pair.
fn listed(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<Vec<PathRecord>, Interrupted> {
    listed_within(topology, routing, Budget::default(), progress)
}

/// The paths of a routing with their shares, pair by pair, where all together have at most `links` links.
///
/// # Errors
/// [`Interrupted`] when there are more, or the work was stopped.
pub fn listed_up_to(
    topology: &Topology,
    routing: &dyn Routing,
    links: u64,
    progress: &Progress,
) -> Result<Vec<PathRecord>, Interrupted> {
    let budget = Budget::default().with(Listed::PathLinks, links);
    listed_within(topology, routing, budget, progress)
}

fn listed_within(
    topology: &Topology,
    routing: &dyn Routing,
    budget: Budget,
    progress: &Progress,
) -> Result<Vec<PathRecord>, Interrupted> {
    let hosts = host_number(topology.hosts());
    let pairs = Some(u128::from(hosts) * u128::from(hosts));
    let remedy = "use a named certificate, or a destination-based routing";
    within("number of SD pairs to list", pairs, MAX_LISTED_PAIRS, remedy)?;
    let pairs = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
    listed_pairs(routing, pairs, budget, progress)
}

/// The paths of these pairs; a host sends nothing to itself.
fn listed_pairs(
    routing: &dyn Routing,
    pairs: impl Iterator<Item = (Host, Host)>,
    mut budget: Budget,
    progress: &Progress,
) -> Result<Vec<PathRecord>, Interrupted> {
    let (mut paths, mut scratch) = (Vec::new(), Vec::new());
    for (s, d) in pairs.filter(|(s, d)| s != d) {
        progress.check()?;
        let mut fits = Ok(());
        routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
            fits = fits.clone().and_then(|()| budget.take_path(links.len()));
            if fits.is_ok() {
                paths.push(PathRecord { s, d, share: share.clone(), links: links.to_vec() });
            }
        });
        fits?;
    }
    Ok(paths)
}
