//! Rings through the nodes of a job: the load that some ring reaches, and the least that one needs.

use crate::bounds::Bounds;
use crate::certificate::{JobQuantity, JobsCertificate};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::LinkId;

use super::links::{greatest, load};
use super::orders::Order;
use super::proof::{Checked, checked, forms};
use super::uses::Sent;
use super::{Exchange, Job, JobLinks, JobsError};

/// Bounds on the loads of rings: each node sends to the next one, on every rail that both have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingBounds {
    /// The maximum load of a link over all orders.
    pub greatest: RingLoad,
    /// The least over all orders of the maximum load of a link.
    pub least: RingLoad,
}

/// A ring that is worst, or best, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingLoad {
    /// The order.
    pub order: Order,
    /// The quantity: the order is evidence for its lower side, or its upper side where the least is meant.
    pub bounds: Bounds,
    /// The first link that the ring loads most.
    pub link: LinkId,
    /// The certificate, unless it exceeds a limit.
    pub certificate: Result<JobsCertificate, TooLarge>,
}

impl RingBounds {
    /// Bounds by two orders, which the caller has found. `links` is what the job does with
    /// [`Exchange::Nodes`]: a ring is one of the permutations of nodes. `None` for a job of one node.
    ///
    /// # Errors
    /// [`JobsError`]: stopped, or larger than a limit.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{jobs::{Exchange, Job, JobLinks, Nodes, RingBounds, orders::Order}, progress::Progress, routing::Instance};
    /// let (instance, quiet) = (Instance::named("ft(8,2)", "dmodk")?, Progress::silent());
    /// let nodes = Nodes::of(instance.topology()).nodes;
    /// let job = Job { name: "job".into(), nodes: nodes.into_iter().step_by(4).collect() };
    /// let links = JobLinks::of(&instance, &job, Exchange::Nodes, &quiet)?;
    /// let by_name = Order::listed(8);
    /// let found = RingBounds::of(&instance, &job, &links, [&by_name, &by_name], &quiet)?.ok_or("one node")?;
    /// // One host of every leaf, all with the same root: a link carries one of them.
    /// assert_eq!(found.greatest.bounds.to_string(), "1 (proven)");
    /// assert_eq!(found.least.bounds.to_string(), "1 (proven)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        job: &Job,
        links: &JobLinks,
        [worst, best]: [&Order; 2],
        progress: &Progress,
    ) -> Result<Option<Self>, JobsError> {
        let Some((_, upper)) = links.worst(instance) else { return Ok(None) };
        let certificate = |quantity, order: &Order, progress: &Progress| {
            let groups = Exchange::Nodes.groups(job);
            let (network, routing) = forms(instance, &groups, progress)?;
            let (lower, upper) = (Rational::ZERO, Rational::ZERO);
            let (sends, covers) = (steps(order), Vec::new());
            let used_by = Vec::new();
            let loaded = None;
            Ok::<_, JobsError>(JobsCertificate {
                network,
                routing,
                groups,
                used_by,
                quantity,
                lower,
                upper,
                loaded,
                sends,
                covers,
            })
        };
        let (link, lower) = ring_load(instance, job, worst);
        let covers = links.links.values().map(|most| most.cover.clone()).collect();
        let known = certificate(JobQuantity::Ring, worst, progress)?;
        let known = JobsCertificate { lower, upper, loaded: Some(link), covers, ..known };
        let greatest = RingLoad::of(worst, link, checked(known, progress)?);
        let (link, upper) = ring_load(instance, job, best);
        let lower = least_of_rings(instance, job, progress)?;
        let known = certificate(JobQuantity::LeastRing, best, progress)?;
        let known = JobsCertificate { lower, upper, ..known };
        let least = RingLoad::of(best, link, checked(known, progress)?);
        Ok(Some(Self { greatest, least }))
    }
}

impl RingLoad {
    fn of(order: &Order, link: LinkId, checked: Checked) -> Self {
        let Checked { bounds, certificate } = checked;
        Self { order: order.clone(), bounds, link, certificate }
    }
}

/// Who sends to whom in a ring.
fn steps(order: &Order) -> Vec<(u32, u32)> {
    let next = order.nodes().iter().cycle().skip(1);
    order.nodes().iter().copied().zip(next.copied()).collect()
}

/// The maximum load of a link by a ring, and the first such link.
fn ring_load(instance: &Instance, job: &Job, order: &Order) -> (LinkId, Rational) {
    let mut loads = std::collections::BTreeMap::new();
    let mut sent = Sent::default();
    for (from, to) in steps(order) {
        let [from, to] = [from, to].map(|node| &job.nodes[node as usize].adapters);
        sent.fill(instance, from, to);
        for (link, share) in &sent.links {
            *loads.entry(*link).or_insert(Rational::ZERO) += share;
        }
    }
    let loads = loads.iter().map(|(link, traffic)| (*link, load(instance, *link, traffic)));
    greatest(loads).unwrap_or((0, Rational::ZERO))
}

/// A load that some link has in every ring: every node sends to one of the others, and receives from one.
/// O(nodes² · links of their paths).
fn least_of_rings(
    instance: &Instance,
    job: &Job,
    progress: &Progress,
) -> Result<Rational, JobsError> {
    let count = job.nodes.len();
    let mut least: [Vec<Option<Rational>>; 2] = [vec![None; count], vec![None; count]];
    let mut sent = Sent::default();
    for from in 0..count {
        progress.check()?;
        for to in (0..count).filter(|to| *to != from) {
            sent.fill(instance, &job.nodes[from].adapters, &job.nodes[to].adapters);
            let loads = sent.links.iter().map(|(link, share)| load(instance, *link, share));
            let most = loads.max().unwrap_or(Rational::ZERO);
            for (side, node) in least.iter_mut().zip([from, to]) {
                if side[node].as_ref().is_none_or(|known| most < *known) {
                    side[node] = Some(most.clone());
                }
            }
        }
    }
    Ok(least.into_iter().flatten().flatten().max().unwrap_or(Rational::ZERO))
}
