//! Everything that is asked of jobs under one routing, what is cheap first.

use crate::limit::TooLarge;
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;

use super::collectives::{self, CollectiveError};
use super::orders::{
    Bundles, FoundOrder, Order, OrderError, OrderLoads, Peers, PhaseLoad, Search, all_to_all_load,
    best_order, worst_order,
};
use super::{Exchange, Job, JobLinks, JobWorst, JobsError, NodePairs, RingBounds, worst_loads};

/// Questions about jobs.
#[derive(Clone, Debug)]
pub struct JobQuestions {
    /// Collectives whose orders of ranks are searched, by their specs.
    pub collectives: Vec<String>,
    /// Limits of the search.
    pub search: Search,
    /// Number of sets of pairs of nodes to find for every job.
    pub pairs: usize,
}

/// Findings about jobs.
#[derive(Clone, Debug, Default)]
pub struct JobsExamined {
    /// By kind of traffic, what can happen to every job.
    pub loads: Vec<(Exchange, Vec<JobWorst>)>,
    /// By job, all-to-all within rails and of all adapters; `None` where there is no traffic.
    pub all_to_all: Vec<Option<[PhaseLoad; 2]>>,
    /// Sets of pairs of nodes that are worth measuring, job by job.
    pub pairs: Vec<NodePairs>,
    /// Orders of ranks, by job and collective.
    pub orders: Vec<CollectiveOrders>,
    /// Reasons why something could not be found.
    pub limits: Vec<String>,
    /// Whether the work was stopped before its end.
    pub stopped: bool,
}

/// A collective of a job in three orders of its ranks.
#[derive(Clone, Debug)]
pub struct CollectiveOrders {
    /// The place of the job.
    pub job: usize,
    /// The canonical spec of the collective.
    pub collective: String,
    /// Loads in the order in which the job lists its nodes.
    pub listed: OrderLoads,
    /// The best order that was found.
    pub best: FoundOrder,
    /// The worst order that was found.
    pub worst: FoundOrder,
    /// Bounds on a ring, with certificates.
    pub ring: Option<RingBounds>,
}

/// An error of a part of the work.
enum Failure {
    Stopped,
    Limit(String),
    Error(ExamineError),
}

/// Why jobs cannot be examined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ExamineError {
    /// Jobs that share a host, or an internal error.
    #[error("{0}")]
    Jobs(Box<JobsError>),
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    #[error("job {job}: {error}", job = crate::quote::quote(.job))]
    Orders { job: String, error: Box<OrderError> },
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<TooLarge> for Failure {
    fn from(limit: TooLarge) -> Self {
        Self::Limit(limit.to_string())
    }
}

impl From<JobsError> for Failure {
    fn from(error: JobsError) -> Self {
        match error {
            JobsError::Stopped(_) => Self::Stopped,
            JobsError::TooLarge(limit) => limit.into(),
            JobsError::Link(error) => Self::Limit(error.to_string()),
            error => Self::Error(ExamineError::Jobs(Box::new(error))),
        }
    }
}

impl From<CollectiveError> for Failure {
    fn from(error: CollectiveError) -> Self {
        Self::Error(error.into())
    }
}

impl JobsExamined {
    /// Examines jobs that run side by side; `keep` gets what is known in between. After a stop what is known is
    /// returned, and what exceeds a limit is left out and noted.
    ///
    /// # Errors
    /// [`ExamineError`]: jobs that share a host, a collective that does not exist.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Job, JobQuestions, JobsExamined, Nodes, orders::Search};
    /// use routebound::{progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(8,2)", "dmodk")?;
    /// let nodes = Nodes::of(instance.topology()).nodes;
    /// let jobs = [Job { name: "all".into(), nodes }];
    /// let search = Search { restarts: 2, steps: 100, seed: 1, starts: Vec::new() };
    /// let questions = JobQuestions { collectives: vec!["ring".into()], search, pairs: 1 };
    /// let found = JobsExamined::of(&instance, &jobs, &questions, &Progress::silent(), &mut |_| {})?;
    /// let ring = found.orders[0].ring.as_ref().ok_or("no ring")?;
    /// assert_eq!(ring.greatest.bounds.to_string(), "4 (proven)");
    /// assert_eq!(ring.least.bounds.to_string(), "1 (proven)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        jobs: &[Job],
        questions: &JobQuestions,
        progress: &Progress,
        keep: &mut dyn FnMut(&Self),
    ) -> Result<Self, ExamineError> {
        let mut found = Self::default();
        for exchange in Exchange::different(jobs) {
            let loads = worst_loads(instance, jobs, *exchange, progress).map_err(Failure::from);
            let Some(loads) = found.part(loads)? else { continue };
            found.loads.push((*exchange, loads));
            keep(&found);
        }
        for job in jobs {
            let load = all_to_all(instance, job, progress);
            let load = found.part(load)?.flatten();
            found.all_to_all.push(load);
        }
        for (at, job) in jobs.iter().enumerate() {
            let pairs = NodePairs::of(instance, at, job, questions.pairs, progress);
            let pairs = found.part(pairs.map_err(Failure::from))?;
            found.pairs.extend(pairs.into_iter().flatten());
            found.stopped |= progress.cancelled();
            keep(&found);
        }
        for (at, job) in jobs.iter().enumerate().filter(|(_, job)| job.nodes.len() > 1) {
            for collective in &questions.collectives {
                let orders = orders(instance, at, job, collective, &questions.search, progress);
                let Some(orders) = found.part(orders)? else { continue };
                found.stopped |= orders.best.stopped || orders.worst.stopped;
                found.orders.push(orders);
                keep(&found);
            }
        }
        Ok(found)
    }

    /// Whether nothing was stopped or too large.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.stopped && self.limits.is_empty()
    }

    /// A part of the work, unless it was stopped or exceeds a limit.
    fn part<T>(&mut self, part: Result<T, Failure>) -> Result<Option<T>, ExamineError> {
        match part {
            Ok(part) => return Ok(Some(part)),
            Err(Failure::Stopped) => self.stopped = true,
            Err(Failure::Limit(limit)) if self.limits.contains(&limit) => {}
            Err(Failure::Limit(limit)) => self.limits.push(limit),
            Err(Failure::Error(error)) => return Err(error),
        }
        Ok(None)
    }
}

/// An error about the orders of a job.
fn of_job(job: &Job, error: OrderError) -> Failure {
    match error {
        OrderError::Stopped(_) => Failure::Stopped,
        OrderError::TooLarge(limit) => limit.into(),
        OrderError::Denominators | OrderError::NoCommonRail { .. } => {
            Failure::Limit(format!("job {}: {error}", crate::quote::quote(&job.name)))
        }
        error => {
            Failure::Error(ExamineError::Orders { job: job.name.clone(), error: Box::new(error) })
        }
    }
}

fn all_to_all(
    instance: &Instance,
    job: &Job,
    progress: &Progress,
) -> Result<Option<[PhaseLoad; 2]>, Failure> {
    let of =
        |peers| all_to_all_load(instance, job, peers, progress).map_err(|error| of_job(job, error));
    if job.nodes.len() < 2 {
        return Ok(None);
    }
    Ok(Some([of(Peers::SameRail)?, of(Peers::AllRails)?]))
}

/// The orders of one collective of a job.
fn orders(
    instance: &Instance,
    at: usize,
    job: &Job,
    spec: &str,
    search: &Search,
    progress: &Progress,
) -> Result<CollectiveOrders, Failure> {
    let failed = |error| of_job(job, error);
    let collective = collectives::generate(spec, job.nodes.len())?;
    let listed = Order::listed(job.nodes.len());
    let listed = OrderLoads::of(instance, job, &collective, &listed, progress).map_err(failed)?;
    let bundles = Bundles::of(instance, job, progress).map_err(failed)?;
    let is_ring = collective.spec == RING;
    let links =
        if is_ring { Some(JobLinks::of(instance, job, Exchange::Nodes, progress)?) } else { None };
    let loading = links.as_ref().and_then(|links| loading(instance, job, links));
    let for_worst = match (&loading, &links) {
        (Some(order), Some(links)) => {
            let found =
                OrderLoads::of(instance, job, &collective, order, progress).map_err(failed)?;
            let most = links.worst(instance).map(|(_, load)| load);
            // No ring is worse than this one: there is nothing to search.
            let is_worst = most.as_ref() == Some(&found.cost.most);
            let (restarts, steps) = if is_worst { (0, 0) } else { (search.restarts, search.steps) };
            Search { restarts, steps, starts: vec![order.clone()], ..search.clone() }
        }
        _ => search.clone(),
    };
    let worst = worst_order(&bundles, &collective, &for_worst, progress).map_err(failed)?;
    let best = best_order(&bundles, &collective, search, progress).map_err(failed)?;
    let ring = match links {
        Some(links) if !progress.cancelled() => {
            let orders = [&worst.order, &best.order];
            RingBounds::of(instance, job, &links, orders, progress)?
        }
        _ => None,
    };
    Ok(CollectiveOrders { job: at, collective: collective.spec, listed, best, worst, ring })
}

/// The collective whose orders are rings.
const RING: &str = "ring";

/// A ring with the sends that load a link most.
fn loading(instance: &Instance, job: &Job, links: &JobLinks) -> Option<Order> {
    let (link, _) = links.worst(instance)?;
    let mut next = vec![None; job.nodes.len()];
    for (from, to) in &links.links.get(&link)?.pairs {
        *next.get_mut(*from as usize)? = Some(*to);
    }
    Order::ring_of(&next).ok()
}
