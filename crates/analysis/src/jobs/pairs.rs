//! Sets of sends between nodes that are worth measuring: each loads some link as much as any can.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::collectives::Rank;
use super::links::load;
use super::orders::common_rails;
use super::{Exchange, Job, JobLinks, JobsError};
use crate::load::LinkLoads;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::LinkId;
use crate::traffic::Demand;

/// Sends between nodes of a job, all at the same time, each on every rail that both nodes have. A node sends to one
/// other at most, and one sends to it. Nodes are counted as in [`Job::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePairs {
    /// The place of the job.
    pub job: usize,
    /// The link that all sends use at least in part: no permutation of the nodes loads it more.
    pub link: LinkId,
    /// The sends, by source.
    pub sends: Vec<(Rank, Rank)>,
    /// The most loaded link.
    pub one_way: Peak,
    /// The nodes as rings in which each sends to the next and the last to the first, as tests with one communicator
    /// for each do: most are two nodes that send to each other.
    pub rings: Vec<Ring>,
    /// The most loaded link while all rings send.
    pub in_rings: Peak,
}

/// The first link with the maximum load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The load.
    pub load: Rational,
    /// The link.
    pub link: LinkId,
}

/// Nodes of which each sends to the next, and the last to the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The nodes.
    pub nodes: Vec<Rank>,
    /// The maximum load of a link that they use, while all rings send.
    pub load: Rational,
}

impl NodePairs {
    /// Up to `count` sets of sends of a job: each loads a link as much as any permutation of the nodes can, and none
    /// of the sets before it does. Links are taken by load, the lowest number first, but only those that two sends can
    /// share. After a stop those found by then, if there are any.
    /// O(time of [`JobLinks::of`] + links · log(links) + count · (links + links of the paths of sends)).
    ///
    /// # Errors
    /// [`JobsError`]: stopped, or larger than a limit.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{jobs::{Job, NodePairs, Nodes}, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
    /// let found = NodePairs::of(&instance, 0, &job, 2, &Progress::silent())?;
    /// // The two hosts of the first leaf send to hosts that are reached over the same root.
    /// assert_eq!(found[0].sends, [(0, 2), (1, 4)]);
    /// assert_eq!(found[0].one_way.load, 2.into());
    /// // Back to the first leaf they come over two roots, and down again over two cables.
    /// assert_eq!((found[0].rings.len(), &found[0].in_rings), (2, &found[0].one_way));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        place: usize,
        job: &Job,
        count: usize,
        progress: &Progress,
    ) -> Result<Vec<Self>, JobsError> {
        let mut chosen = Vec::new();
        if count == 0 {
            return Ok(chosen);
        }
        let found = JobLinks::of(instance, job, Exchange::Nodes, progress)?;
        let loads = found
            .links
            .iter()
            .map(|(link, most)| (*link, load(instance, *link, &most.traffic), &most.pairs));
        let mut open: Vec<_> = loads.filter(|(.., pairs)| pairs.len() > 1).collect();
        open.sort_by_key(|(link, load, _)| (Reverse(load.clone()), *link));
        let mut covered: BTreeSet<LinkId> = BTreeSet::new();
        for (link, _, pairs) in &open {
            if covered.contains(link) {
                continue;
            }
            let (set, loads) = match Self::through(instance, place, job, (*link, pairs), progress) {
                Err(JobsError::Stopped(_)) if !chosen.is_empty() => break,
                set => set?,
            };
            chosen.push(set);
            if chosen.len() == count {
                break;
            }
            let equal = open.iter().filter(|(other, most, _)| loads.load(*other) >= *most);
            covered.extend(equal.map(|(other, ..)| *other));
        }
        Ok(chosen)
    }

    /// The sends that load a link most, and the loads of all links by them.
    fn through<'i>(
        instance: &'i Instance,
        place: usize,
        job: &Job,
        (link, pairs): (LinkId, &[(Rank, Rank)]),
        progress: &Progress,
    ) -> Result<(Self, LinkLoads<'i>), JobsError> {
        let mut sends = pairs.to_vec();
        sends.sort_unstable();
        let alone = loads_of(instance, job, sends.iter().copied(), progress)?;
        let one_way = Peak::of(&alone, link);
        let rings = rings(job.nodes.len(), &sends);
        let all = rings.iter().flat_map(|ring| sends_of(ring));
        let loads = loads_of(instance, job, all, progress)?;
        let in_rings = Peak::of(&loads, link);
        let ring = |nodes| progress.check().map(|()| Ring::of(instance, job, nodes, &loads));
        let rings = rings.into_iter().map(ring).collect::<Result<_, _>>()?;
        Ok((Self { job: place, link, sends, one_way, rings, in_rings }, alone))
    }
}

impl Peak {
    fn of(loads: &LinkLoads<'_>, shared: LinkId) -> Self {
        let (link, load) = loads.max().unwrap_or((shared, Rational::ZERO));
        // The link that the set was made for, where several have the maximum.
        let link = if loads.load(shared) == load { shared } else { link };
        Self { load, link }
    }
}

impl Ring {
    fn of(instance: &Instance, job: &Job, nodes: Vec<Rank>, loads: &LinkLoads<'_>) -> Self {
        let (mut scratch, mut most) = (UseScratch::default(), Rational::ZERO);
        for (s, d) in sends_of(&nodes).flat_map(|send| adapters(job, send)) {
            instance.routing().for_each_use(s, d, &mut scratch, &mut |_, links| {
                let greatest = links.iter().map(|link| loads.load(*link)).max();
                most = most.clone().max(greatest.unwrap_or(Rational::ZERO));
            });
        }
        Self { nodes, load: most }
    }
}

/// The loads of sends between nodes.
fn loads_of<'i>(
    instance: &'i Instance,
    job: &Job,
    sends: impl Iterator<Item = (Rank, Rank)>,
    progress: &Progress,
) -> Result<LinkLoads<'i>, JobsError> {
    let demand = |(s, d)| Demand { s, d, amount: Rational::ONE };
    let demands = sends.flat_map(|send| adapters(job, send)).map(demand);
    let mut demands: Vec<Demand> = demands.collect();
    demands.sort_unstable_by_key(|demand| (demand.s, demand.d));
    Ok(LinkLoads::of(instance.topology(), instance.routing(), &demands, progress)?)
}

/// The pairs of adapters of a send.
fn adapters(job: &Job, (from, to): (Rank, Rank)) -> impl Iterator<Item = (u32, u32)> {
    common_rails(&job.nodes[from as usize], &job.nodes[to as usize])
}

/// The sends of a ring; of two nodes, one each way.
fn sends_of(ring: &[Rank]) -> impl Iterator<Item = (Rank, Rank)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Nodes that send, and those that only receive, as rings: chains are closed. The one whose first node is lowest
/// comes first.
fn rings(nodes: usize, sends: &[(Rank, Rank)]) -> Vec<Vec<Rank>> {
    let (mut next, mut receives) = (vec![None; nodes], vec![false; nodes]);
    for (from, to) in sends {
        next[*from as usize] = Some(*to);
        receives[*to as usize] = true;
    }
    let (mut rings, mut placed) = (Vec::new(), vec![false; nodes]);
    let sources = || sends.iter().map(|(from, _)| *from);
    // A chain begins with a node that receives nothing; what is left are cycles.
    for head in sources().filter(|node| !receives[*node as usize]).chain(sources()) {
        let (mut ring, mut at) = (Vec::new(), Some(head));
        while let Some(node) = at.filter(|node| !placed[*node as usize]) {
            placed[node as usize] = true;
            ring.push(node);
            at = next[node as usize];
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings.sort_unstable();
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_closed_and_cycles_kept() {
        let of = |sends: &[(u32, u32)]| rings(8, sends);
        assert_eq!(of(&[(0, 5), (1, 4)]), [vec![0, 5], vec![1, 4]]);
        assert_eq!(of(&[(2, 7), (5, 2), (7, 3)]), [vec![5, 2, 7, 3]]);
        assert_eq!(of(&[(0, 3), (1, 2), (2, 1), (3, 4), (4, 0)]), [vec![0, 3, 4], vec![1, 2]]);
        assert!(of(&[]).is_empty());
        let sends: Vec<_> = sends_of(&[4, 1, 6]).collect();
        assert_eq!(sends, [(4, 1), (1, 6), (6, 4)]);
    }
}
