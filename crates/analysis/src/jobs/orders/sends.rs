//! What a job sends: traffic between the adapters of its nodes.

use std::collections::BTreeMap;

use super::error::OrderError;
use super::order::Order;
use crate::jobs::collectives::{MAX_SENDS, Phase};
use crate::jobs::{Job, Node};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::Host;
use crate::traffic::Demand;

/// The adapters of other nodes to which an adapter sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// Adapters of its own rail, as libraries do that pass data on to the right adapter inside a node.
    SameRail,
    /// Adapters of all rails.
    AllRails,
}

/// The pairs of adapters that carry a send from one node to another: those of every rail that both have.
pub(in crate::jobs) fn common_rails(from: &Node, to: &Node) -> impl Iterator<Item = (Host, Host)> {
    from.adapters.iter().zip(&to.adapters).filter_map(|(s, d)| (*s).zip(*d))
}

/// The error for two nodes of which [`common_rails`] is empty.
pub(super) fn no_common_rail(a: &Node, b: &Node) -> OrderError {
    OrderError::NoCommonRail { a: a.name.clone().into(), b: b.name.clone().into() }
}

/// The traffic of a phase in an order of the job's nodes: a send is 1 unit on every rail that both nodes
/// have, whatever the size of the phase. Sorted by source and destination, of which none comes twice.
/// O(sends · rails · log(sends · rails)).
///
/// # Errors
/// [`OrderError`]: an order or sends of another number of ranks, or nodes without a rail in common.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, collectives, orders};
/// use routebound::topology;
/// let nodes = Nodes::of(&topology::generate("ft(4,2)")?).nodes[..3].to_vec();
/// let job = Job { name: "three".into(), nodes };
/// let ring = collectives::generate("ring", 3)?;
/// let demands = orders::demands(&job, &orders::Order::new(vec![2, 0, 1])?, &ring.phases[0])?;
/// let pairs: Vec<_> = demands.iter().map(|demand| (demand.s, demand.d)).collect();
/// assert_eq!(pairs, [(0, 1), (1, 2), (2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn demands(job: &Job, order: &Order, phase: &Phase) -> Result<Vec<Demand>, OrderError> {
    order.check(job)?;
    let mut amounts: BTreeMap<(Host, Host), u64> = BTreeMap::new();
    for (s, d) in &phase.sends {
        let ends = order.node(*s).zip(order.node(*d)).filter(|_| s != d);
        let (from, to) =
            ends.ok_or(OrderError::BadSend { s: *s, d: *d, nodes: job.nodes.len() })?;
        let (from, to) = (&job.nodes[from as usize], &job.nodes[to as usize]);
        let mut rails = common_rails(from, to).peekable();
        if rails.peek().is_none() {
            return Err(no_common_rail(from, to));
        }
        rails.for_each(|pair| *amounts.entry(pair).or_default() += 1);
    }
    let demand = |((s, d), amount)| Demand { s, d, amount: Rational::from(amount) };
    Ok(amounts.into_iter().map(demand).collect())
}

/// All-to-all of a job, all at once: every adapter sends 1 unit in all, in equal parts to its peers on the
/// other nodes, so that a load of 1 is what a host link can carry. An adapter without peers sends nothing.
/// O(demands · log(demands)).
///
/// # Errors
/// [`OrderError::TooLarge`] above [`MAX_SENDS`] demands.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, orders::{Peers, all_to_all}};
/// use routebound::topology;
/// let nodes = Nodes::of(&topology::generate("ft(4,2)")?).nodes[..3].to_vec();
/// let demands = all_to_all(&Job { name: "three".into(), nodes }, Peers::SameRail)?;
/// assert_eq!(demands.len(), 6);
/// assert!(demands.iter().all(|demand| demand.amount.to_string() == "1/2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all_to_all(job: &Job, peers: Peers) -> Result<Vec<Demand>, OrderError> {
    let adapters: Vec<Adapter> = adapters(job).collect();
    let is_peer = |a: &Adapter, b: &Adapter| {
        a.node != b.node && (peers == Peers::AllRails || a.rail == b.rail)
    };
    let squared = (adapters.len() as u128).pow(2);
    let rails = job.nodes.iter().map(|node| node.adapters.len()).max().unwrap_or(1);
    let most = match peers {
        Peers::AllRails => squared,
        Peers::SameRail => (job.nodes.len() as u128).pow(2) * rails as u128,
    };
    within("number of SD pairs", Some(most), MAX_SENDS, "choose fewer nodes")?;
    let mut demands = Vec::new();
    for source in &adapters {
        let own = adapters.iter().filter(|to| is_peer(source, to));
        let own: Vec<Host> = own.map(|to| to.host).collect();
        let Some(amount) = Rational::new(1, own.len() as u64) else { continue };
        demands.extend(own.into_iter().map(|d| Demand {
            s: source.host,
            d,
            amount: amount.clone(),
        }));
    }
    demands.sort_unstable_by_key(|demand| (demand.s, demand.d));
    Ok(demands)
}

/// An adapter of a job.
struct Adapter {
    /// The position of its node.
    node: usize,
    rail: usize,
    host: Host,
}

/// The adapters of the job, node by node.
fn adapters(job: &Job) -> impl Iterator<Item = Adapter> {
    job.nodes.iter().enumerate().flat_map(|(node, of)| {
        let rails = of.adapters.iter().enumerate();
        rails.filter_map(move |(rail, host)| Some(Adapter { node, rail, host: (*host)? }))
    })
}
