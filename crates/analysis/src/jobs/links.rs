//! The most that the traffic of one job puts on every link, with its proof.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::certificate::{Cover, JobGroup};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::LinkId;
use crate::worst_case::{MostOnLink, most_on_link};

use super::uses::Uses;
use super::{Exchange, Job, JobsError};

/// Loads that a job can cause on links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobLinks {
    /// The groups between whose members there is traffic.
    pub groups: Vec<JobGroup>,
    /// By link that carries any of it: the most, not divided by its capacity, the cover that proves it, and
    /// members that attain it. Members are counted through all groups.
    pub links: BTreeMap<LinkId, MostOnLink>,
}

impl JobLinks {
    /// Finds the most on every link. O(pairs · links of their paths + Σ over links of pairs·√members) where
    /// all shares on a link are equal. `progress` is checked throughout.
    ///
    /// # Errors
    /// [`JobsError`]: stopped, or larger than a limit.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{jobs::{Exchange, Job, JobLinks, Nodes}, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(8,2)", "dmodk")?;
    /// let nodes = Nodes::of(instance.topology()).nodes;
    /// let job = Job { name: "job".into(), nodes: nodes[..8].to_vec() };
    /// let found = JobLinks::of(&instance, &job, Exchange::Nodes, &Progress::silent())?;
    /// // Two leaves of 4 hosts each: a root leads to one host of either.
    /// assert!(found.links.values().all(|most| most.traffic == 1.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        job: &Job,
        exchange: Exchange,
        progress: &Progress,
    ) -> Result<Self, JobsError> {
        let mut found = Self { groups: exchange.groups(job), links: BTreeMap::new() };
        let mut first = 0;
        for group in &found.groups {
            let uses = Uses::of(instance, group, progress)?;
            let solved: Result<Vec<MostOnLink>, JobsError> = uses
                .by_link()
                .par_iter()
                .map_init(
                    || uses.graph(),
                    |graph, of_link| {
                        progress.check()?;
                        of_link.load(graph);
                        Ok(most_on_link(graph, progress)?)
                    },
                )
                .collect();
            for most in solved? {
                add(&mut found.links, renumbered(most, first));
            }
            first += super::number(group.members.len());
        }
        Ok(found)
    }

    /// The maximum load of a link, and the first such link; `None` without traffic.
    #[must_use]
    pub fn worst(&self, instance: &Instance) -> Option<(LinkId, Rational)> {
        let loads =
            self.links.iter().map(|(link, most)| (*link, load(instance, *link, &most.traffic)));
        greatest(loads)
    }
}

/// The first pair with the maximum load.
pub(super) fn greatest(
    loads: impl Iterator<Item = (LinkId, Rational)>,
) -> Option<(LinkId, Rational)> {
    loads.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// Traffic divided by the capacity of a link; 0 where there is no such link.
pub(super) fn load(instance: &Instance, link: LinkId, traffic: &Rational) -> Rational {
    traffic.checked_div(&instance.topology.link(link).capacity).unwrap_or(Rational::ZERO)
}

/// Traffic on a link with its members counted from `first`.
pub(super) fn renumbered(most: MostOnLink, first: u32) -> MostOnLink {
    let MostOnLink { traffic, mut cover, mut pairs } = most;
    for (member, _) in cover.sources.iter_mut().chain(&mut cover.destinations) {
        *member += first;
    }
    for (from, to) in &mut pairs {
        (*from, *to) = (*from + first, *to + first);
    }
    MostOnLink { traffic, cover, pairs }
}

/// Adds what other members, with higher numbers, put on a link: they send independently.
pub(super) fn add(links: &mut BTreeMap<LinkId, MostOnLink>, more: MostOnLink) {
    let link = more.cover.link;
    let empty = || MostOnLink {
        traffic: Rational::ZERO,
        cover: Cover { link, ..Cover::default() },
        pairs: Vec::new(),
    };
    let known = links.entry(link).or_insert_with(empty);
    known.traffic += &more.traffic;
    known.cover.sources.extend(more.cover.sources);
    known.cover.destinations.extend(more.cover.destinations);
    known.pairs.extend(more.pairs);
}
