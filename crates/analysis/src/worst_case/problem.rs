//! The interface of the solvers for the SD pairs of one link.

use super::WorstCaseError;
use crate::certificate::{Cover, CutId};
use crate::limit::TooLarge;
use crate::load::LinkGraph;
use crate::matching::Matching;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};
use crate::traffic::Demand;

/// Buffers of a solver, reused from link to link.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) matching: Matching,
}

/// The most traffic on a link, with the cover that proves it.
pub(super) struct Solution {
    /// Traffic on the link (not yet divided by its capacity).
    pub(super) traffic: Rational,
    /// Whether some traffic puts this much on the link; otherwise it is only an upper bound.
    pub(super) attained: bool,
    /// The cover of the link; the link's id is filled in later.
    pub(super) cover: Cover,
}

/// Why a link was not solved.
#[derive(Debug)]
pub(super) enum Unsolved {
    /// The work was stopped: only a bound without search remains.
    Stopped,
    /// It needs more memory than a limit allows.
    TooLarge(TooLarge),
    /// The shares have no sufficiently small common denominator.
    Shares,
}

/// The most traffic on a link, or why the link was not solved.
pub(super) type Solved = Result<Solution, Unsolved>;

/// Demands that put the most traffic on a link, or why the link was not solved.
pub(super) type Attaining = Result<Vec<Demand>, Unsolved>;

impl Unsolved {
    /// Converts this to an error about a link; `None` for a stop, which is not an error.
    pub(super) fn error(self, link: LinkId) -> Option<WorstCaseError> {
        match self {
            Self::Stopped => None,
            Self::TooLarge(limit) => Some(limit.into()),
            Self::Shares => Some(WorstCaseError::Shares(link)),
        }
    }
}

impl From<Stopped> for Unsolved {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<TooLarge> for Unsolved {
    fn from(limit: TooLarge) -> Self {
        Self::TooLarge(limit)
    }
}

/// Finds the traffic that loads a link most.
pub(super) trait LinkSolver: Sync {
    /// The most traffic on the link and its proof.
    fn solve(&self, problem: &LinkGraph<'_>, scratch: &mut Scratch, progress: &Progress) -> Solved;

    /// Traffic that attains it.
    fn traffic(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining;

    /// The most that a host's traffic can be: its cost in a cover.
    fn host_limit(&self, host: Host, outgoing: bool) -> Rational;

    /// The traffic of node-disjoint pairs with the same share, where as many as there are sources,
    /// or destinations, are the most that loads the link; `None` where other limits matter.
    fn of_disjoint(&self, _pairs: u64, _share: &Rational) -> Option<Rational> {
        None
    }

    /// On a tree, the most traffic out of or into a subtree by its height, in units of what a host
    /// sends; `None` where only hosts limit the traffic.
    fn capacities(&self) -> Option<&[u64]> {
        None
    }

    /// The cover of a link whose pairs all have the same share by the one cut below it; `None`
    /// without [`Self::capacities`].
    fn cover_of_cut(&self, _link: LinkId, _share: &Rational) -> Option<Cover> {
        None
    }

    /// The most traffic across a cut: its cost in a cover; `None` where there is no such cut.
    fn cut_limit(&self, _cut: CutId) -> Option<Rational> {
        None
    }

    /// The most traffic on a link that a cover allows; `None` where it refers to something unknown.
    /// Every host is one of the network's.
    fn value(&self, cover: &Cover) -> Option<Rational> {
        let mut value = Rational::ZERO;
        for (host, weight) in &cover.sources {
            value += &(weight * &self.host_limit(*host, true));
        }
        for (host, weight) in &cover.destinations {
            value += &(weight * &self.host_limit(*host, false));
        }
        for (cut, weight) in cover.out_cuts.iter().chain(&cover.in_cuts) {
            value += &(weight * &self.cut_limit(*cut)?);
        }
        cover.lengths.is_empty().then_some(value)
    }

    /// The sets of nodes that covers refer to.
    fn cuts(&self) -> Vec<Vec<NodeId>> {
        Vec::new()
    }

    /// A bound without search: all sources, or all destinations. Every share is at most 1.
    fn trivial(&self, problem: &LinkGraph<'_>) -> Solution {
        let total = |hosts: &[Host], outgoing| {
            hosts.iter().fold(Rational::ZERO, |sum, host| &sum + &self.host_limit(*host, outgoing))
        };
        let sent = total(&problem.sources, true);
        let received = total(&problem.destinations, false);
        let all = |hosts: &[Host]| LinkGraph::weighted(hosts, |_| Rational::ONE);
        if sent <= received {
            let cover = Cover { sources: all(&problem.sources), ..Cover::default() };
            Solution { traffic: sent, attained: false, cover }
        } else {
            let cover = Cover { destinations: all(&problem.destinations), ..Cover::default() };
            Solution { traffic: received, attained: false, cover }
        }
    }
}
