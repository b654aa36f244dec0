//! The worst load that jobs can put on a link, each alone and all at once.

use std::collections::BTreeMap;

use crate::bounds::Bounds;
use crate::certificate::{JobGroup, JobQuantity, JobsCertificate};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};
use crate::worst_case::MostOnLink;

use super::links::{add, greatest, load, renumbered};
use super::proof::{Checked, checked, forms};
use super::{Exchange, Job, JobLinks, JobsError, Node};

/// The worst case of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobWorst {
    /// The maximum load of a link by traffic of this job; `None` where it has none, as it has one node.
    pub alone: Option<WorstLoad>,
    /// The maximum load by traffic of all jobs of a link that this job may use; `None` where no other job has traffic.
    pub beside: Option<WorstLoad>,
}

/// The maximum load of a link, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstLoad {
    /// The load.
    pub bounds: Bounds,
    /// The first link that has it.
    pub link: LinkId,
    /// By job, its part of the load of that link.
    pub parts: Vec<Rational>,
    /// The certificate, unless it exceeds a limit.
    pub certificate: Result<JobsCertificate, TooLarge>,
}

/// Finds the worst load for every job with one kind of traffic. What every job does by itself is returned as well.
/// O(time of [`JobLinks::of`] for every job, and jobs · (pairs of all jobs · path length) to check the certificates).
///
/// # Errors
/// [`JobsError`]: stopped, larger than a limit, or jobs that share a host.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{jobs::{Exchange, Job, Nodes, worst_loads}, progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,2)", "dmodk")?;
/// let nodes = Nodes::of(instance.topology()).nodes;
/// // Every second host of four leaves: all have one of two roots.
/// let job = |name: &str, first: usize| {
///     let nodes = (0..8).map(|at| nodes[first + 2 * at].clone()).collect();
///     Job { name: name.into(), nodes }
/// };
/// let jobs = [job("even", 0), job("odd", 1)];
/// let worst = worst_loads(&instance, &jobs, Exchange::Nodes, &Progress::silent())?;
/// let shown: Vec<String> = worst[0].alone.iter().chain(&worst[0].beside).map(|one| one.bounds.to_string()).collect();
/// // Their destinations have other last digits: they share no link.
/// assert_eq!(shown, ["2 (proven)", "2 (proven)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst_loads(
    instance: &Instance,
    jobs: &[Job],
    exchange: Exchange,
    progress: &Progress,
) -> Result<Vec<JobWorst>, JobsError> {
    share_no_host(instance, jobs)?;
    let links = jobs.iter().map(|job| JobLinks::of(instance, job, exchange, progress));
    let links: Vec<JobLinks> = links.collect::<Result<_, _>>()?;
    let all = Together::of(&links);
    let mut worst = Vec::with_capacity(jobs.len());
    for job in 0..jobs.len() {
        let alone = Together::of(&links[job..=job]);
        let own = alone.worst(instance, &links[job..=job], 0, progress)?;
        let others =
            links.iter().enumerate().any(|(at, other)| at != job && !other.groups.is_empty());
        let beside = if others { all.worst(instance, &links, job, progress)? } else { None };
        let alone = own.map(|own| own.of_job(job, jobs.len()));
        worst.push(JobWorst { alone, beside });
        progress.inc(1);
    }
    Ok(worst)
}

/// Verifies that no host is in two jobs.
fn share_no_host(instance: &Instance, jobs: &[Job]) -> Result<(), JobsError> {
    let mut owner: BTreeMap<Host, usize> = BTreeMap::new();
    for (at, job) in jobs.iter().enumerate() {
        for host in job.nodes.iter().flat_map(Node::hosts) {
            if let Some(first) = owner.insert(host, at) {
                let host = instance.topology.host_label(host);
                let jobs = [first, at].map(|job| jobs[job].name.clone());
                return Err(JobsError::Shared { host, jobs });
            }
        }
    }
    Ok(())
}

/// The groups of several jobs, numbered through.
struct Together {
    groups: Vec<JobGroup>,
    /// By job, its first member and its groups.
    of_job: Vec<(u32, std::ops::Range<u32>)>,
}

impl Together {
    fn of(links: &[JobLinks]) -> Self {
        let (mut groups, mut of_job, mut first) = (Vec::new(), Vec::new(), 0);
        for job in links {
            let own = super::number(groups.len())..super::number(groups.len() + job.groups.len());
            of_job.push((first, own));
            groups.extend(job.groups.iter().cloned());
            first += super::number(job.groups.iter().map(|group| group.members.len()).sum());
        }
        Self { groups, of_job }
    }

    /// The worst of the links that a job uses, under the traffic of all of these.
    fn worst(
        &self,
        instance: &Instance,
        links: &[JobLinks],
        job: usize,
        progress: &Progress,
    ) -> Result<Option<WorstLoad>, JobsError> {
        let sums = self.sums(links, job);
        let loads = sums.iter().map(|(link, most)| (*link, load(instance, *link, &most.traffic)));
        let Some((link, most)) = greatest(loads) else { return Ok(None) };
        let (network, routing) = forms(instance, &self.groups, progress)?;
        let used_by =
            if links.len() > 1 { self.of_job[job].1.clone().collect() } else { Vec::new() };
        let sends = sums.get(&link).map(|most| most.pairs.clone()).unwrap_or_default();
        let certificate = JobsCertificate {
            network,
            routing,
            groups: self.groups.clone(),
            used_by,
            quantity: JobQuantity::Permutation,
            lower: most.clone(),
            upper: most,
            loaded: Some(link),
            sends,
            covers: sums.into_values().map(|most| most.cover).collect(),
        };
        let Checked { bounds, certificate } = checked(certificate, progress)?;
        let part = |of: &JobLinks| {
            let traffic = of.links.get(&link).map(|most| load(instance, link, &most.traffic));
            traffic.unwrap_or(Rational::ZERO)
        };
        Ok(Some(WorstLoad { bounds, link, parts: links.iter().map(part).collect(), certificate }))
    }

    /// What all jobs together put on the links that a job uses.
    fn sums(&self, links: &[JobLinks], job: usize) -> BTreeMap<LinkId, MostOnLink> {
        let mut sums = BTreeMap::new();
        for link in links[job].links.keys() {
            for (of, (first, _)) in links.iter().zip(&self.of_job) {
                if let Some(most) = of.links.get(link) {
                    add(&mut sums, renumbered(most.clone(), *first));
                }
            }
        }
        sums
    }
}

impl WorstLoad {
    /// The load of one job alone, as one of several.
    fn of_job(self, job: usize, jobs: usize) -> Self {
        let mut parts = vec![Rational::ZERO; jobs];
        parts[job] = self.parts.into_iter().next().unwrap_or(Rational::ZERO);
        Self { parts, ..self }
    }
}
