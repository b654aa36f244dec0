//! Who sends to whom inside a job: any adapter to any other, within a rail, or node to node.

use serde::Serialize;

use super::Job;
use crate::certificate::JobGroup;
use crate::topology::Host;

/// The traffic of a job. In all of them every sender has at most one partner, and every receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exchange {
    /// Adapters send to any other adapter of the job.
    Adapters,
    /// Adapters send to those of the same rail.
    Rails,
    /// Nodes send to nodes, on every rail that both have at the same time.
    Nodes,
}

impl Exchange {
    /// Every exchange.
    pub const ALL: [Self; 3] = [Self::Adapters, Self::Rails, Self::Nodes];

    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Adapters => "any adapter to any other",
            Self::Rails => "within each rail",
            Self::Nodes => "node to node on all rails",
        }
    }

    /// Exchanges that differ for the given jobs: where no node has several adapters they are all the same.
    #[must_use]
    pub fn different(jobs: &[Job]) -> &'static [Self] {
        let mut nodes = jobs.iter().flat_map(|job| &job.nodes);
        if nodes.any(|node| node.hosts().nth(1).is_some()) { &Self::ALL } else { &[Self::Adapters] }
    }

    /// The groups of a job between whose members there is traffic; those with one member send nothing and
    /// are left out. O(adapters).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Exchange, Job, Node};
    /// let node = |name: &str, a, b| Node { name: name.into(), adapters: vec![Some(a), b] };
    /// let nodes = vec![node("a", 0, Some(1)), node("b", 2, Some(3)), node("c", 4, None)];
    /// let job = Job { name: "job".into(), nodes };
    /// let sizes = |exchange: Exchange| -> Vec<usize> {
    ///     exchange.groups(&job).iter().map(|group| group.members.len()).collect()
    /// };
    /// assert_eq!([sizes(Exchange::Adapters), sizes(Exchange::Rails), sizes(Exchange::Nodes)], [vec![5], vec![3, 2], vec![3]]);
    /// ```
    #[must_use]
    pub fn groups(self, job: &Job) -> Vec<JobGroup> {
        let alone = |host: Host| vec![Some(host)];
        let rails = job.nodes.iter().map(|node| node.adapters.len()).max().unwrap_or(0);
        let groups: Vec<Vec<Vec<Option<Host>>>> = match self {
            Self::Adapters => {
                vec![job.nodes.iter().flat_map(|node| node.hosts().map(alone)).collect()]
            }
            Self::Rails => {
                let of_rail = |rail: usize| {
                    let hosts = job.nodes.iter().filter_map(|node| *node.adapters.get(rail)?);
                    hosts.map(alone).collect()
                };
                (0..rails).map(of_rail).collect()
            }
            Self::Nodes => vec![job.nodes.iter().map(|node| node.adapters.clone()).collect()],
        };
        let groups = groups.into_iter().map(|members| JobGroup { members });
        groups.filter(|group| group.members.len() > 1).collect()
    }
}
