//! The network as the checker sees it.

use std::ops::Range;
use std::sync::OnceLock;

use crate::certificate::{EmbeddedNetwork, LinkRecord, NetworkForm};
use crate::limit::within;
use crate::progress::{Stop, Stopped};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, MAX_LINKS, NodeId};

#[cfg(feature = "names")]
use super::names::Named;
use super::{MAX_HOSTS, Refusal, Result, sum};

/// A network whose links are known to be sound.
pub(super) struct Network {
    pub(super) hosts: usize,
    pub(super) nodes: usize,
    pub(super) links: Vec<LinkRecord>,
    /// Sending and receiving nodes alone: paths are followed along these.
    pub(super) ends: Vec<(NodeId, NodeId)>,
    /// 64 parts of a link, in units of 2^-32, rounded down.
    part: u64,
    /// Links that leave and that enter every node.
    pub(super) leaving: Vec<Vec<LinkId>>,
    pub(super) entering: Vec<Vec<LinkId>>,
    /// The generator of the network, if the certificate names it.
    #[cfg(feature = "names")]
    pub(super) named: Option<Named>,
    /// Capacity of the links that leave and that enter every host, added up on first use.
    host_capacity: Vec<OnceLock<[Rational; 2]>>,
    /// Ends the check when due.
    pub(super) stop: Stop,
}

impl Network {
    /// A network that is written out.
    pub(super) fn open(form: &NetworkForm) -> Result<Self> {
        match form {
            NetworkForm::Named(_) => Err(Refusal::Named),
            NetworkForm::Embedded(network) => Self::of(network.clone()),
        }
    }

    pub(super) fn of(network: EmbeddedNetwork) -> Result<Self> {
        check(&network)?;
        let EmbeddedNetwork { hosts, nodes, links } = network;
        let (mut leaving, mut entering) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for (id, link) in (0..).zip(&links) {
            leaving[link.from as usize].push(id);
            entering[link.to as usize].push(id);
        }
        let ends: Vec<_> = links.iter().map(|link| (link.from, link.to)).collect();
        Ok(Self {
            hosts,
            nodes,
            part: (64 << 32) / (ends.len() as u64).max(1),
            links,
            ends,
            leaving,
            entering,
            #[cfg(feature = "names")]
            named: None,
            host_capacity: vec![OnceLock::new(); hosts],
            stop: Stop::default(),
        })
    }

    /// The numbers of all hosts.
    pub(super) fn host_numbers(&self) -> Range<Host> {
        0..Host::try_from(self.hosts).expect("there are at most MAX_HOSTS hosts")
    }

    /// Polled in every loop that may take long.
    pub(super) fn go_on(&self) -> Result<()> {
        if self.stop.is_due() { Err(Refusal::Stopped(Stopped)) } else { Ok(()) }
    }

    /// Capacity of the links that leave a host, and of those that enter it. O(1) except the first
    /// time.
    pub(super) fn host_capacity(&self, host: Host) -> Result<&[Rational; 2]> {
        let slot = &self.host_capacity[host as usize];
        if let Some(known) = slot.get() {
            return Ok(known);
        }
        let total = |links: &[LinkId]| {
            sum::total(links.iter().map(|link| &self.links[*link as usize].capacity))
        };
        let sums = [total(&self.leaving[host as usize])?, total(&self.entering[host as usize])?];
        Ok(slot.get_or_init(|| sums))
    }

    /// The sending and the receiving node of a link.
    #[inline]
    pub(super) fn ends(&self, link: LinkId) -> Option<(NodeId, NodeId)> {
        self.ends.get(link as usize).copied()
    }

    /// Whether the links lead from s to d, none of them twice. Where this is `false`, they may do so
    /// all the same: two different links may be taken for one.
    #[inline]
    pub(super) fn is_plain_path(&self, s: Host, d: Host, links: &[LinkId]) -> bool {
        let (mut at, mut joined, mut different) = (s, true, 0_u64);
        for link in links {
            let Some((from, to)) = self.ends.get(*link as usize) else { return false };
            joined &= *from == at;
            at = *to;
            // Which 64th of the links it is in: those of a tree's path are mostly far apart.
            different |= 1 << ((u64::from(*link) * self.part) >> 32);
        }
        joined && at == d && !links.is_empty() && different.count_ones() as usize == links.len()
    }

    /// Verifies that the links lead from s to d.
    pub(super) fn check_path(&self, s: Host, d: Host, links: &[LinkId]) -> Result<()> {
        let mut at = s;
        for link in links.iter().copied() {
            let (from, to) = self.ends(link).ok_or(Refusal::NoSuchLink { s, d, link })?;
            if from != at {
                return Err(Refusal::BrokenPath { s, d, link });
            }
            at = to;
        }
        match links.last() {
            None => Err(Refusal::MissingPair { s, d }),
            Some(link) if at != d => Err(Refusal::BrokenPath { s, d, link: *link }),
            Some(_) => Ok(()),
        }
    }

    /// Load of a link that carries `traffic`.
    pub(super) fn load(&self, link: usize, traffic: &Rational) -> Rational {
        traffic.checked_div(&self.links[link].capacity).expect("links without capacity are refused")
    }
}

/// Verifies that the network is within limits, and that its links join nodes and have capacity.
fn check(network: &EmbeddedNetwork) -> Result<()> {
    let EmbeddedNetwork { hosts, nodes, links } = network;
    limit_hosts(*hosts)?;
    let remedy = "check a smaller instance";
    within("number of nodes", Some(*nodes as u128), MAX_LINKS, remedy)?;
    within("number of links", Some(links.len() as u128), MAX_LINKS, remedy)?;
    if *hosts < 2 || hosts > nodes {
        return Err(Refusal::NodeCount { hosts: *hosts, nodes: *nodes });
    }
    let sound = |LinkRecord { from, to, capacity }: &LinkRecord| {
        (*from as usize) < *nodes && (*to as usize) < *nodes && !capacity.is_zero()
    };
    match (0..).zip(links).find(|(_, link)| !sound(link)) {
        Some((bad, _)) => Err(Refusal::BadLink(bad)),
        None => Ok(()),
    }
}

pub(super) fn limit_hosts(hosts: usize) -> Result<()> {
    within("number of hosts", Some(hosts as u128), MAX_HOSTS, "check a smaller instance")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_stop_reaches_what_polls_the_network() {
        let links =
            [(0, 1), (1, 0)].map(|(from, to)| LinkRecord::new(from, to, Rational::ONE)).to_vec();
        let form = NetworkForm::Embedded(EmbeddedNetwork { hosts: 2, nodes: 2, links });
        let stop = Stop::default();
        let mut network = Network::open(&form).unwrap();
        network.stop = stop.clone();
        assert_eq!((network.go_on(), network.progress().cancelled()), (Ok(()), false));
        stop.request();
        assert_eq!(network.go_on(), Err(Refusal::Stopped(Stopped)));
        assert!(network.progress().cancelled());
    }

    #[test]
    fn plain_paths_pass_no_link_twice() {
        let links = [(0, 2), (2, 3), (3, 2), (2, 1)]
            .map(|(from, to)| LinkRecord::new(from, to, Rational::ONE));
        let form = EmbeddedNetwork { hosts: 2, nodes: 4, links: links.to_vec() };
        let network = Network::open(&NetworkForm::Embedded(form)).unwrap();
        for good in [&[0, 3][..], &[0, 1, 2, 3]] {
            assert!(network.is_plain_path(0, 1, good), "{good:?}");
        }
        // Twice around; links out of order; not there yet; too far; nothing; no such link.
        for bad in
            [&[0, 1, 2, 1, 2, 3][..], &[3, 0], &[0, 1, 2], &[0, 3, 0], &[], &[0, 3, 4], &[0, 1, 3]]
        {
            assert!(!network.is_plain_path(0, 1, bad), "{bad:?}");
        }
        assert!(!network.is_plain_path(0, 0, &[]));
    }
}
