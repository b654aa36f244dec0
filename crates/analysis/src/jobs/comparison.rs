//! What a change of a fabric does to jobs.

use std::collections::HashMap;

use crate::bounds::Bounds;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, Topology};

use super::{Exchange, Job, JobWorst, JobsError, Node, worst_loads};

/// A job before and after.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JobChange {
    /// Name of the job.
    pub job: String,
    /// The traffic that was looked at.
    pub exchange: Exchange,
    /// Nodes that have lost adapters.
    pub lost: Vec<String>,
    /// The maximum load of a link by this job alone, before and after; `None` where it has no traffic.
    pub alone: [Option<Bounds>; 2],
    /// The maximum load of a link that it may use, beside all other jobs; `None` where there are none.
    pub beside: [Option<Bounds>; 2],
}

impl JobChange {
    /// Whether one of its loads rises by more than a factor, or adapters are gone.
    #[must_use]
    pub fn is_worse_than(&self, factor: &Rational) -> bool {
        let rises = |[before, after]: &[Option<Bounds>; 2]| {
            let before = before.as_ref().map_or(Rational::ZERO, |before| before.upper.clone());
            after.as_ref().is_some_and(|after| after.lower > &before * factor)
        };
        !self.lost.is_empty() || rises(&self.alone) || rises(&self.beside)
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let same = |[before, after]: &[Option<Bounds>; 2]| before == after;
        self.lost.is_empty() && same(&self.alone) && same(&self.beside)
    }
}

/// The worst loads of jobs before and after, for every kind of traffic that differs. The jobs are those of the network
/// before; their hosts are found after by name. Time as for [`worst_loads`], twice for each kind.
///
/// # Errors
/// [`JobsError`] as for [`worst_loads`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{jobs::{Job, Nodes, compare_jobs}, progress::Progress, rational::Rational, routing::Instance};
/// let [before, after] = [Instance::named("ft(8,2)", "osrm2")?, Instance::named("ft(8,2)", "dmodk")?];
/// let nodes = Nodes::of(before.topology()).nodes;
/// let jobs = [Job { name: "all".into(), nodes }];
/// let found = compare_jobs(&before, &after, &jobs, &Progress::silent())?;
/// let loads = found[0].alone.clone().map(|load| load.map(|load| load.to_string()));
/// assert_eq!(loads, [Some("2 (proven)".to_string()), Some("4 (proven)".to_string())]);
/// assert!(found[0].is_worse_than(&Rational::ONE) && !found[0].is_worse_than(&2.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare_jobs(
    before: &Instance,
    after: &Instance,
    jobs: &[Job],
    progress: &Progress,
) -> Result<Vec<JobChange>, JobsError> {
    let (remaining, lost) = remaining(&before.topology, &after.topology, jobs);
    let mut changes = Vec::new();
    for exchange in Exchange::different(jobs) {
        let first = worst_loads(before, jobs, *exchange, progress)?;
        let second = worst_loads(after, &remaining, *exchange, progress)?;
        for ((job, lost), (first, second)) in
            jobs.iter().zip(&lost).zip(first.into_iter().zip(second))
        {
            let both = [first, second];
            let of = |part: fn(&JobWorst) -> Option<&super::WorstLoad>| {
                [0, 1].map(|side: usize| part(&both[side]).map(|load| load.bounds.clone()))
            };
            changes.push(JobChange {
                job: job.name.clone(),
                exchange: *exchange,
                lost: lost.clone(),
                alone: of(|worst| worst.alone.as_ref()),
                beside: of(|worst| worst.beside.as_ref()),
            });
        }
    }
    Ok(changes)
}

/// The jobs on the network after, and by job the nodes that have lost adapters. Hosts of the same name are told
/// apart by their order.
fn remaining(before: &Topology, after: &Topology, jobs: &[Job]) -> (Vec<Job>, Vec<Vec<String>>) {
    let known: HashMap<(&str, u32), Host> = named(after).collect();
    let names: HashMap<Host, (&str, u32)> = named(before).map(|(key, host)| (host, key)).collect();
    let now = |host: Host| names.get(&host).and_then(|key| known.get(key)).copied();
    let mut lost = Vec::with_capacity(jobs.len());
    let remaining = jobs.iter().map(|job| {
        let mut gone = Vec::new();
        let nodes = job.nodes.iter().filter_map(|node| {
            let adapters: Vec<Option<Host>> =
                node.adapters.iter().map(|host| host.and_then(now)).collect();
            let left = adapters.iter().flatten().count();
            if left < node.hosts().count() {
                gone.push(node.name.clone());
            }
            (left > 0).then(|| Node { name: node.name.clone(), adapters })
        });
        let nodes = nodes.collect();
        lost.push(gone);
        Job { name: job.name.clone(), nodes }
    });
    (remaining.collect(), lost)
}

/// Hosts with their names, and how many before them have the same.
fn named(topology: &Topology) -> impl Iterator<Item = ((&str, u32), Host)> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    topology.host_numbers().map(move |host| {
        let name = &*topology.node(host).name;
        let count = counts.entry(name).or_insert(0);
        *count += 1;
        ((name, *count), host)
    })
}
