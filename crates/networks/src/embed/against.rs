//! A certificate against the network and the routing that it is said to be about.

use std::collections::{BTreeMap, HashMap};

use super::written_out::{WriteOutError, forms};
use super::{network, next_records, routing};
use crate::certificate::{
    Certificate, EmbeddedNetwork, LinkRecord, NetworkForm, NextLink, PathRecord, RoutingForm,
};
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::routing::forwarding::ForwardingError;
use crate::topology::{Host, LinkId, NodeId, Topology, quoted};

/// Number of differences that are listed one by one.
const SHOWN_DIFFERENCES: usize = 10;

/// Differences of the network of a certificate from `topology`: links by the names of their ends, and the number of
/// others. Nothing where all links and capacities are the same.
///
/// # Errors
/// [`WriteOutError`] where the certificate names a network that cannot be made.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{certificate::Certificate, embed::network_differences, topology::generate};
/// let certificate: Certificate = "routebound-certificate 1\ntopology ft(4,2)\nclaim optu 1 1\ndemand 0 7 1
/// route even\nlength 0 1\nend\n".parse()?;
/// assert!(network_differences(&certificate, &generate("xgft(2;2,4;1,2)")?)?.is_empty());
/// let found = network_differences(&certificate, &generate("ft(4,3)")?)?;
/// assert_eq!(found, ["the certificate has 8 hosts, 14 nodes, 32 links; the network has 16 hosts, 36 nodes, 96 links"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn network_differences(
    certificate: &Certificate,
    topology: &Topology,
) -> Result<Vec<String>, WriteOutError> {
    let own = match certificate.network() {
        NetworkForm::Named(spec) if spec == topology.spec() => return Ok(Vec::new()),
        form => forms((form.clone(), RoutingForm::Paths(Vec::new())), |_| {
            Ok(RoutingForm::Paths(Vec::new()))
        })?,
    };
    let (NetworkForm::Embedded(own), NetworkForm::Embedded(given)) = (own.0, network(topology))
    else {
        return Ok(Vec::new());
    };
    let sizes = |network: &EmbeddedNetwork| {
        let EmbeddedNetwork { hosts, nodes, links } = network;
        format!("{hosts} hosts, {nodes} nodes, {} links", links.len())
    };
    if (own.hosts, own.nodes) != (given.hosts, given.nodes) {
        let (own, given) = (sizes(&own), sizes(&given));
        return Ok(vec![format!("the certificate has {own}; the network has {given}")]);
    }
    Ok(shortened(links(&own, &given, topology)))
}

/// Links that only one of two networks has, or that have another number or capacity.
fn links(own: &EmbeddedNetwork, given: &EmbeddedNetwork, topology: &Topology) -> Vec<String> {
    let name = |node: NodeId| quoted(&topology.node(node).name);
    let ends = |link: &LinkRecord| format!("{} -> {}", name(link.from), name(link.to));
    let mut counts: HashMap<(NodeId, NodeId), i64> = HashMap::new();
    for (network, one) in [(own, 1), (given, -1)] {
        for LinkRecord { from, to, .. } in &network.links {
            *counts.entry((*from, *to)).or_default() += one;
        }
    }
    let mut odd: Vec<_> = counts.into_iter().filter(|(_, count)| *count != 0).collect();
    odd.sort_unstable();
    let wired = odd.into_iter().map(|((from, to), count)| {
        let holder = if count > 0 { "only the certificate" } else { "only the network" };
        format!("{holder} has {} -> {}", name(from), name(to))
    });
    let wired: Vec<String> = wired.collect();
    if !wired.is_empty() {
        return wired;
    }
    let differing = (0..).zip(own.links.iter().zip(&given.links)).filter(|(_, (a, b))| a != b);
    let text = |(number, (a, b)): (LinkId, (&LinkRecord, &LinkRecord))| {
        if (a.from, a.to) == (b.from, b.to) {
            let (a, b) = (&a.capacity, &b.capacity);
            return format!(
                "{} has capacity {a} in the certificate, {b} in the network",
                topology.link_name(number)
            );
        }
        format!("link {number} is {} in the certificate, {} in the network", ends(a), ends(b))
    };
    differing.map(text).collect()
}

/// Differences of the routing of a certificate from that of `instance`, whose network is
/// [that of the certificate](network_differences): next links or paths by names. Nothing where it has no routing.
///
/// # Errors
/// [`WriteOutError`] where the certificate names a routing that cannot be made, or the work was stopped.
pub fn routing_differences(
    certificate: &Certificate,
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<String>, WriteOutError> {
    let Some(own) = certificate.routing() else { return Ok(Vec::new()) };
    let (spec, topology) = (instance.routing().spec(), instance.topology());
    if matches!(own, RoutingForm::Named(own) if own == spec)
        && matches!(certificate.network(), NetworkForm::Named(own) if own == topology.spec())
    {
        return Ok(Vec::new());
    }
    let (_, own) =
        forms((certificate.network().clone(), own.clone()), |named| Ok(routing(named, progress)?))?;
    let found = match own {
        RoutingForm::Next(rows) => next_links(&rows, instance, progress)?,
        RoutingForm::Paths(own) => paths(&own, instance, progress)?,
        RoutingForm::Split(split) => {
            let is_same = instance.shortest_split().is_some_and(|found| split == found.into());
            let text = || format!("the certificate is about {split:?}, which {spec} is not");
            (!is_same).then(text).into_iter().collect()
        }
        RoutingForm::Named(own) => vec![format!("the certificate is about {own}, not {spec}")],
    };
    Ok(shortened(found))
}

fn next_links(
    own: &[(NodeId, Vec<NextLink>)],
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<String>, WriteOutError> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let given: BTreeMap<_, _> = match next_records(topology, routing, progress) {
        Ok(records) => records.into_iter().collect(),
        Err(ForwardingError::Stopped(stopped)) => return Err(Interrupted::from(stopped).into()),
        Err(error) => return Ok(vec![format!("the certificate has next links, but {error}")]),
    };
    let own: BTreeMap<_, _> = own.iter().map(|(node, row)| (*node, row)).collect();
    let at = |row: Option<&Vec<NextLink>>, host: Host| {
        row.and_then(|row| {
            if row.len() == 1 { row.first() } else { row.get(host as usize) }?.link()
        })
    };
    let by = |link: Option<LinkId>| link.map_or("nothing".into(), |link| topology.link_name(link));
    let mut found = Vec::new();
    for node in topology.node_numbers() {
        let (own, given) = (own.get(&node).copied(), given.get(&node));
        for host in topology.host_numbers() {
            let (own, given) = (at(own, host), at(given, host));
            if own != given {
                let (name, to) = (quoted(&topology.node(node).name), topology.host_label(host));
                let (own, given) = (by(own), by(given));
                found.push(format!(
                    "{name} sends to {to} by {own} in the certificate, by {given} in the routing"
                ));
            }
        }
    }
    Ok(found)
}

/// The paths of a pair with their shares, in a fixed order.
type Shares = Vec<(Vec<LinkId>, Rational)>;

fn paths(
    own: &[PathRecord],
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<String>, WriteOutError> {
    let mut pairs: BTreeMap<(Host, Host), Shares> = BTreeMap::new();
    for PathRecord { s, d, share, links } in own {
        pairs.entry((*s, *d)).or_default().push((links.clone(), share.clone()));
    }
    let (mut found, mut scratch) = (Vec::new(), Vec::new());
    let topology = instance.topology();
    for ((s, d), mut own) in pairs {
        progress.check().map_err(Interrupted::from)?;
        let mut given = Shares::new();
        instance.routing().for_each_path(s, d, &mut scratch, &mut |share, links| {
            given.push((links.to_vec(), share.clone()));
        });
        own.sort();
        given.sort();
        if own != given {
            let (s, d) = (topology.host_label(s), topology.host_label(d));
            found.push(format!("{s} sends to {d} by other paths in the certificate"));
        }
    }
    Ok(found)
}

/// The first differences, and how many more there are.
fn shortened(mut found: Vec<String>) -> Vec<String> {
    let more = found.len().saturating_sub(SHOWN_DIFFERENCES);
    found.truncate(SHOWN_DIFFERENCES);
    found.extend((more > 0).then(|| format!("{more} more differences")));
    found
}
