//! The members of the groups of a certificate, and what they send over which links.

use crate::certificate::JobsCertificate;
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::super::network::Network;
use super::super::routes::Routes;
use super::super::uses::Uses;
use super::super::{Result, sum};
use super::bad::BadJobs;

/// Maximum number of ordered pairs of members of one group, in all groups together.
const MAX_PAIRS: u64 = 1 << 32;

/// The members of all groups, numbered through.
pub(super) struct Members<'c> {
    adapters: Vec<&'c [Option<Host>]>,
    /// The group of every member.
    group: Vec<usize>,
    /// The first member of every group, and the number of all.
    first: Vec<usize>,
}

/// The links that carry what a member sends to another, with the amounts.
#[derive(Default)]
pub(super) struct Bundle {
    uses: Uses,
    pub(super) links: Vec<(LinkId, Rational)>,
}

impl<'c> Members<'c> {
    pub(super) fn open(network: &Network, certificate: &'c JobsCertificate) -> Result<Self> {
        let mut members = Self { adapters: Vec::new(), group: Vec::new(), first: Vec::new() };
        let mut seen = vec![false; network.hosts];
        let mut pairs: u128 = 0;
        for (number, group) in certificate.groups.iter().enumerate() {
            members.first.push(members.adapters.len());
            pairs += (group.members.len() as u128).pow(2);
            let empty = |member: &Vec<Option<Host>>| member.iter().all(Option::is_none);
            if group.members.len() < 2 || group.members.iter().any(empty) {
                return Err(BadJobs::Group(number).into());
            }
            for host in group.members.iter().flatten().flatten() {
                match seen.get_mut(*host as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err(BadJobs::Adapter(*host).into()),
                }
            }
            members.adapters.extend(group.members.iter().map(Vec::as_slice));
            members.group.resize(members.adapters.len(), number);
        }
        members.first.push(members.adapters.len());
        within("number of pairs of members", Some(pairs), MAX_PAIRS, "check smaller jobs")?;
        Ok(members)
    }

    /// The number of members.
    pub(super) fn count(&self) -> usize {
        self.adapters.len()
    }

    /// The members of a group; `None` where there is no such group.
    pub(super) fn of_group(&self, group: usize) -> Option<std::ops::Range<usize>> {
        Some(*self.first.get(group)?..*self.first.get(group + 1)?)
    }

    /// Calls `take` with all ordered pairs of members of one group.
    pub(super) fn each_pair(
        &self,
        network: &Network,
        mut take: impl FnMut((usize, usize)) -> Result<()>,
    ) -> Result<()> {
        for from in 0..self.count() {
            network.go_on()?;
            let group = self.of_group(self.group[from]).unwrap_or_default();
            group.filter(|to| *to != from).try_for_each(|to| take((from, to)))?;
        }
        Ok(())
    }

    /// To whom every member sends; nobody twice.
    pub(super) fn next_of(&self, sends: &[(u32, u32)]) -> Result<Vec<Option<usize>>> {
        let mut next = vec![None; self.count()];
        let mut served = vec![false; self.count()];
        for (from, to) in sends {
            let (sender, receiver) = (*from as usize, *to as usize);
            let groups = [sender, receiver].map(|member| self.group.get(member));
            if groups[0].is_none() || groups[0] != groups[1] || sender == receiver {
                return Err(BadJobs::Send(*from, *to).into());
            }
            if next[sender].replace(receiver).is_some() {
                return Err(BadJobs::Twice(*from).into());
            }
            if std::mem::replace(&mut served[receiver], true) {
                return Err(BadJobs::Twice(*to).into());
            }
        }
        Ok(next)
    }

    /// Verifies that in every group one ring passes all members.
    pub(super) fn check_rings(&self, next: &[Option<usize>]) -> Result<()> {
        for group in 0..self.first.len() - 1 {
            let members = self.of_group(group).unwrap_or_default();
            // Nobody receives twice: what comes back to the first one is a ring.
            let (mut at, mut steps) = (members.start, 0);
            while let Some(to) = next[at] {
                (at, steps) = (to, steps + 1);
                if at == members.start {
                    break;
                }
            }
            if steps != members.len() || at != members.start {
                return Err(BadJobs::NoRing(group).into());
            }
        }
        Ok(())
    }

    /// Load of every link, where members send to `next`.
    pub(super) fn loads(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        next: &[Option<usize>],
    ) -> Result<Vec<Rational>> {
        let mut loads = vec![Rational::ZERO; network.links.len()];
        let mut bundle = Bundle::default();
        for (from, to) in next.iter().enumerate() {
            let Some(to) = to else { continue };
            network.go_on()?;
            self.fill(network, routes, (from, *to), &mut bundle)?;
            for (link, sent) in &bundle.links {
                sum::add(&mut loads[*link as usize], sent)?;
            }
        }
        Ok(loads)
    }

    /// Finds the links that carry what a member sends to another one: 1 on every rail that both have.
    /// Every link is there once.
    pub(super) fn fill(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        (from, to): (usize, usize),
        bundle: &mut Bundle,
    ) -> Result<()> {
        let Bundle { uses, links } = bundle;
        links.clear();
        for (s, d) in self.adapters[from].iter().zip(self.adapters[to]) {
            let Some((s, d)) = s.zip(*d) else { continue };
            routes.uses(network, (s, d), uses)?;
            links.extend(uses.whole.iter().map(|link| (*link, Rational::ONE)));
            let share = |number: &u32| uses.shares.known()[*number as usize].clone();
            links.extend(uses.parts.iter().map(|(link, number)| (*link, share(number))));
        }
        links.sort_unstable_by_key(|(link, _)| *link);
        let mut kept = 0;
        for at in 1..links.len() {
            if links[at].0 == links[kept].0 {
                let more = std::mem::replace(&mut links[at].1, Rational::ZERO);
                sum::add(&mut links[kept].1, &more)?;
            } else {
                kept += 1;
                links.swap(kept, at);
            }
        }
        links.truncate(kept + 1);
        Ok(())
    }
}
