//! Which links carry what the members of a group send to each other.

use crate::certificate::JobGroup;
use crate::limit::{TooLarge, within};
use crate::load::{LinkGraph, ShareNumbers, SharedPair};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId};

use super::JobsError;

/// Maximum number of ordered pairs of members of a group.
const MAX_PAIRS: u64 = 1 << 24;

/// Maximum number of links of all pairs of a group together: 16 bytes each.
const MAX_USES: u64 = 1 << 26;

/// A link that carries a part of what a member sends to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    link: LinkId,
    from: u32,
    to: u32,
    /// The number of what it carries.
    share: u32,
}

/// The links of all pairs of members of a group, by link. Members are counted from 0.
pub(super) struct Uses {
    by_link: Vec<Use>,
    shares: ShareNumbers,
    members: usize,
}

/// Buffers for the links of one pair of members.
#[derive(Default)]
pub(super) struct Sent {
    scratch: UseScratch,
    /// Every link once, with what it carries; in no order.
    pub(super) links: Vec<(LinkId, Rational)>,
}

impl Sent {
    /// Finds the links that carry what a member sends to another: 1 on every rail that both have.
    pub(super) fn fill(&mut self, instance: &Instance, from: &[Option<Host>], to: &[Option<Host>]) {
        let Self { scratch, links } = self;
        links.clear();
        let mut rails = 0;
        for (s, d) in from.iter().zip(to).filter_map(|(s, d)| s.zip(*d)) {
            rails += 1;
            instance.routing.for_each_use(s, d, scratch, &mut |share, of_share| {
                links.extend(of_share.iter().map(|link| (*link, share.clone())));
            });
        }
        if rails > 1 {
            links.sort_unstable_by_key(|(link, _)| *link);
            links.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += &next.1;
                }
                same
            });
        }
    }
}

impl Uses {
    /// Follows the pairs of a group. O(pairs · links of their paths, and sorting them).
    pub(super) fn of(
        instance: &Instance,
        group: &JobGroup,
        progress: &Progress,
    ) -> Result<Self, JobsError> {
        let members = group.members.len();
        let pairs = Some((members as u128).pow(2));
        within("number of pairs of a job", pairs, MAX_PAIRS, "give smaller jobs")?;
        let mut found = Self { by_link: Vec::new(), shares: ShareNumbers::default(), members };
        let mut sent = Sent::default();
        for (number, from) in (0..).zip(&group.members) {
            progress.check()?;
            for (other, to) in (0..).zip(&group.members).filter(|(other, _)| *other != number) {
                sent.fill(instance, from, to);
                for (link, share) in &sent.links {
                    let share = found.shares.number(share);
                    found.by_link.push(Use { link: *link, from: number, to: other, share });
                }
            }
            found.limit()?;
        }
        found.by_link.sort_unstable();
        Ok(found)
    }

    fn limit(&self) -> Result<(), TooLarge> {
        let count = Some(self.by_link.len() as u128);
        let remedy = "give smaller jobs, or a routing with fewer paths";
        within("number of links of all pairs of a job", count, MAX_USES, remedy)?;
        Ok(())
    }

    /// The pairs of every link, one link after another.
    pub(super) fn by_link(&self) -> Vec<OfLink<'_>> {
        let links = self.by_link.chunk_by(|a, b| a.link == b.link);
        links.map(|uses| OfLink { uses, shares: &self.shares }).collect()
    }

    /// Buffers for the graphs of links.
    pub(super) fn graph<'u>(&self) -> LinkGraph<'u> {
        LinkGraph::for_hosts(self.members)
    }
}

/// The pairs of one link.
pub(super) struct OfLink<'u> {
    uses: &'u [Use],
    shares: &'u ShareNumbers,
}

impl<'u> OfLink<'u> {
    pub(super) fn link(&self) -> LinkId {
        self.uses.first().map_or(0, |first| first.link)
    }

    /// Loads the pairs as a graph whose ends are members.
    pub(super) fn load(&self, graph: &mut LinkGraph<'u>) {
        let shares = self.shares;
        let pairs = self.uses.iter().filter_map(|of| {
            Some(SharedPair { s: of.from, d: of.to, share: shares.get(of.share)? })
        });
        graph.load(self.link(), pairs);
    }
}
