//! Which hosts jobs get on an empty tree.

use rand::seq::SliceRandom;

use crate::jobs::{Job, Node};
use crate::sampling::Streams;
use crate::topology::{Host, Xgft};

/// How jobs are placed, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// On few switches, as Slurm's `topology/tree` does: the lowest switch with enough free hosts, of these the one
    /// with the fewest, and below it leaf switches by best fit.
    Packed,
    /// Host by host to the next subtree of the top, in each to its next leaf switch.
    Spread,
    /// Hosts in random order, a few times.
    Random,
}

/// Number of random orders.
const DRAWS: u64 = 3;

impl Placement {
    pub(super) const ALL: [Self; 3] = [Self::Packed, Self::Spread, Self::Random];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Spread => "spread",
            Self::Random => "random",
        }
    }

    /// Number of draws.
    pub(super) fn count(self) -> usize {
        self.seeds().count()
    }

    fn seeds(self) -> std::ops::RangeInclusive<u64> {
        1..=if self == Self::Random { DRAWS } else { 1 }
    }

    /// The hosts of jobs of these sizes, which together have at most all hosts; in every draw.
    pub(super) fn draws(
        self,
        tree: &Xgft,
        sizes: &[usize],
    ) -> impl Iterator<Item = Vec<Vec<Host>>> {
        self.seeds().map(move |seed| match self {
            Self::Packed => packed(tree, sizes),
            Self::Spread => cut(spread(tree), sizes),
            Self::Random => {
                let mut order = tree.hosts_in_order().to_vec();
                order.shuffle(&mut Streams::new(seed).at(0));
                cut(order, sizes)
            }
        })
    }
}

/// Jobs whose hosts follow each other.
fn cut(order: Vec<Host>, sizes: &[usize]) -> Vec<Vec<Host>> {
    let mut hosts = order.into_iter();
    sizes.iter().map(|size| hosts.by_ref().take(*size).collect()).collect()
}

/// All hosts, by their last digit first and the digit of the top fastest.
fn spread(tree: &Xgft) -> Vec<Host> {
    let mut order = tree.hosts_in_order().to_vec();
    order.sort_by_key(|host| (1..=tree.height()).map(|i| tree.digit(*host, i)).collect::<Vec<_>>());
    order
}

fn packed(tree: &Xgft, sizes: &[usize]) -> Vec<Vec<Host>> {
    let in_leaf = tree.subtree_hosts(1) as usize;
    let mut free: Vec<Vec<Host>> =
        tree.hosts_in_order().chunks(in_leaf).map(<[Host]>::to_vec).collect();
    sizes.iter().map(|size| take(tree, &mut free, *size)).collect()
}

/// Takes the hosts of a job from those that are free, by leaf switch.
fn take(tree: &Xgft, free: &mut [Vec<Host>], size: usize) -> Vec<Host> {
    let fitting = (1..=tree.height()).find_map(|level| {
        let leaves = (tree.subtree_hosts(level) / tree.subtree_hosts(1)) as usize;
        let fits = free.chunks(leaves).enumerate().filter(|(_, leaves)| count(leaves) >= size);
        let (at, _) = fits.min_by_key(|(_, leaves)| count(leaves))?;
        Some(at * leaves..(at + 1) * leaves)
    });
    let mut job = Vec::with_capacity(size);
    let Some(leaves) = fitting else { return job };
    while job.len() < size {
        let left = size - job.len();
        // Those that have room for what is left, the fullest first; then those with the most room.
        let rank = |leaf: &usize| (free[*leaf].len() < left, free[*leaf].len().abs_diff(left));
        let Some(leaf) = leaves.clone().min_by_key(rank) else { break };
        let taken = left.min(free[leaf].len());
        job.extend(free[leaf].drain(..taken));
    }
    job
}

/// Number of free hosts.
fn count(leaves: &[Vec<Host>]) -> usize {
    leaves.iter().map(Vec::len).sum()
}

/// The hosts as jobs.
pub(super) fn jobs(hosts: &[Vec<Host>]) -> Vec<Job> {
    let node = |host: &Host| Node { name: host.to_string(), adapters: vec![Some(*host)] };
    let job = |(at, hosts): (usize, &Vec<Host>)| Job {
        name: at.to_string(),
        nodes: hosts.iter().map(node).collect(),
    };
    hosts.iter().enumerate().map(job).collect()
}
