//! The network as the checker sees it.

use std::ops::Range;
use std::sync::OnceLock;

use crate::certificate::{EmbeddedNetwork, NetworkForm};
use crate::limit::within;
use crate::progress::{Progress, Stop, Stopped};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, MAX_LINKS, NodeId};

use super::named::{Generators, NamedNetwork};
use super::{MAX_HOSTS, Refusal, sum};

/// A network whose links are known to be sound.
pub(super) struct Network {
    pub(super) hosts: usize,
    pub(super) nodes: usize,
    /// Sending node, receiving node, capacity.
    pub(super) links: Vec<(NodeId, NodeId, Ratio)>,
    /// Sending and receiving nodes alone: paths are followed along these.
    pub(super) ends: Vec<(NodeId, NodeId)>,
    /// 64 parts of a link, in units of 2^-32, rounded down.
    part: u64,
    /// Links that leave and that enter every node.
    pub(super) leaving: Vec<Vec<LinkId>>,
    pub(super) entering: Vec<Vec<LinkId>>,
    /// What generated it, if the certificate names it.
    pub(super) named: Option<Box<dyn NamedNetwork>>,
    /// Capacity of the links that leave and that enter every host, added up on first use.
    host_capacity: Vec<OnceLock<[Ratio; 2]>>,
    /// Ends the check when due.
    stop: Stop,
}

impl Network {
    pub(super) fn open(form: &NetworkForm, generators: &dyn Generators) -> Result<Self, Refusal> {
        match form {
            NetworkForm::Named(spec) => {
                let named = generators.network(spec)?;
                limit_hosts(named.hosts())?;
                let (hosts, nodes, links) = (named.hosts(), named.nodes(), named.links());
                if hosts > nodes {
                    return Err(Refusal::NodeCount { hosts, nodes });
                }
                check_links(nodes, &links)?;
                Ok(Self::new(hosts, nodes, links, Some(named)))
            }
            NetworkForm::Embedded(embedded) => {
                check_embedded(embedded)?;
                let EmbeddedNetwork { hosts, nodes, links } = embedded.clone();
                Ok(Self::new(hosts, nodes, links, None))
            }
        }
    }

    /// The numbers of all hosts.
    pub(super) fn host_numbers(&self) -> Range<Host> {
        0..Host::try_from(self.hosts).expect("there are at most MAX_HOSTS hosts")
    }

    fn new(
        hosts: usize,
        nodes: usize,
        links: Vec<(NodeId, NodeId, Ratio)>,
        named: Option<Box<dyn NamedNetwork>>,
    ) -> Self {
        let (mut leaving, mut entering) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for (id, (from, to, _)) in (0..).zip(&links) {
            leaving[*from as usize].push(id);
            entering[*to as usize].push(id);
        }
        let (host_capacity, stop) = (vec![OnceLock::new(); hosts], Stop::default());
        let ends: Vec<_> = links.iter().map(|(from, to, _)| (*from, *to)).collect();
        let part = (64 << 32) / (ends.len() as u64).max(1);
        Self { hosts, nodes, links, ends, part, leaving, entering, named, host_capacity, stop }
    }

    /// The same network; `stop` ends its check.
    pub(super) fn stopped_by(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Polled in every loop that may take long.
    pub(super) fn go_on(&self) -> Result<(), Refusal> {
        if self.stop.is_due() { Err(Refusal::Stopped(Stopped)) } else { Ok(()) }
    }

    /// The same, for work that polls a [`Progress`].
    pub(super) fn progress(&self) -> Progress {
        Progress::silent().stopped_by(self.stop.clone())
    }

    /// Capacity of the links that leave a host, and of those that enter it. O(1) except the first
    /// time.
    pub(super) fn host_capacity(&self, host: Host) -> Result<&[Ratio; 2], Refusal> {
        let slot = &self.host_capacity[host as usize];
        if let Some(known) = slot.get() {
            return Ok(known);
        }
        let total =
            |links: &[LinkId]| sum::total(links.iter().map(|link| &self.links[*link as usize].2));
        let sums = [total(&self.leaving[host as usize])?, total(&self.entering[host as usize])?];
        Ok(slot.get_or_init(|| sums))
    }

    /// The sending and the receiving node of a link.
    #[inline]
    pub(super) fn ends(&self, link: LinkId) -> Option<(NodeId, NodeId)> {
        self.ends.get(link as usize).copied()
    }

    /// Follows links from `s` and returns where they end, or the refusal for a link that does
    /// not exist or does not continue the path.
    pub(super) fn follow(&self, s: Host, d: Host, links: &[LinkId]) -> Result<NodeId, Refusal> {
        let mut at = s;
        for link in links {
            let ends = self.ends.get(*link as usize);
            let (from, to) = ends.ok_or(Refusal::NoSuchLink { s, d, link: *link })?;
            if *from != at {
                return Err(Refusal::BrokenPath { s, d, link: *link });
            }
            at = *to;
        }
        Ok(at)
    }

    /// Whether the links lead from s to d.
    #[inline]
    fn joins(&self, s: Host, d: Host, links: &[LinkId]) -> bool {
        let mut at = s;
        for link in links {
            match self.ends.get(*link as usize) {
                Some((from, to)) if *from == at => at = *to,
                _ => return false,
            }
        }
        at == d && !links.is_empty()
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
    #[inline]
    pub(super) fn check_path(&self, s: Host, d: Host, links: &[LinkId]) -> Result<(), Refusal> {
        if self.joins(s, d, links) { Ok(()) } else { self.why_broken(s, d, links) }
    }

    /// Why the links do not lead from s to d.
    #[cold]
    fn why_broken(&self, s: Host, d: Host, links: &[LinkId]) -> Result<(), Refusal> {
        let end = self.follow(s, d, links)?;
        match links.last() {
            None => Err(Refusal::MissingPair { s, d }),
            Some(link) if end != d => Err(Refusal::BrokenPath { s, d, link: *link }),
            Some(_) => Ok(()),
        }
    }

    /// Load of a link that carries `traffic`.
    pub(super) fn load(&self, link: usize, traffic: &Ratio) -> Ratio {
        traffic.checked_div(&self.links[link].2).expect("links without capacity are refused")
    }
}

fn check_embedded(network: &EmbeddedNetwork) -> Result<(), Refusal> {
    let EmbeddedNetwork { hosts, nodes, links } = network;
    limit_hosts(*hosts)?;
    let remedy = "check a smaller instance";
    within("number of nodes", Some(*nodes as u128), MAX_LINKS, remedy)?;
    within("number of links", Some(links.len() as u128), MAX_LINKS, remedy)?;
    if *hosts < 2 || hosts > nodes {
        return Err(Refusal::NodeCount { hosts: *hosts, nodes: *nodes });
    }
    check_links(*nodes, links)
}

/// Verifies that links join nodes and have capacity.
fn check_links(nodes: usize, links: &[(NodeId, NodeId, Ratio)]) -> Result<(), Refusal> {
    let sound = |(from, to, capacity): &(NodeId, NodeId, Ratio)| {
        (*from as usize) < nodes && (*to as usize) < nodes && !capacity.is_zero()
    };
    match (0..).zip(links).find(|(_, link)| !sound(link)) {
        Some((bad, _)) => Err(Refusal::BadLink(bad)),
        None => Ok(()),
    }
}

fn limit_hosts(hosts: usize) -> Result<(), Refusal> {
    within("number of hosts", Some(hosts as u128), MAX_HOSTS, "check a smaller instance")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::{Decides, Levels, NamedRouting, NoNames, Tree, Ungenerated};

    /// The network of every name.
    #[derive(Clone)]
    struct Told(EmbeddedNetwork);

    impl Generators for Told {
        fn network(&self, _: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
            Ok(Box::new(self.clone()))
        }

        fn levels(&self, _: &str) -> Result<Option<Levels>, Ungenerated> {
            Ok(None)
        }

        fn digits(&self, _: &str, _: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
            Ok(None)
        }
    }

    impl NamedNetwork for Told {
        fn hosts(&self) -> usize {
            self.0.hosts
        }

        fn nodes(&self) -> usize {
            self.0.nodes
        }

        fn links(&self) -> Vec<(NodeId, NodeId, Ratio)> {
            self.0.links.clone()
        }

        fn tree(&self) -> Option<Tree> {
            None
        }

        fn routing(&self, _: &str) -> Result<Box<dyn NamedRouting>, Ungenerated> {
            Err(Ungenerated::Meaningless("no routing".into()))
        }
    }

    /// Generators are trusted to give the network that is meant, not to give one.
    #[test]
    fn what_a_name_stands_for_has_to_be_a_network() {
        let open = |hosts, nodes, links: &[(NodeId, NodeId, Ratio)]| {
            let told = Told(EmbeddedNetwork { hosts, nodes, links: links.to_vec() });
            Network::open(&NetworkForm::Named("any".into()), &told).map(|network| network.links)
        };
        let both = [(0, 1, Ratio::ONE), (1, 0, Ratio::ONE)];
        assert_eq!(open(2, 2, &both), Ok(both.to_vec()));
        assert_eq!(open(2, 1, &[]), Err(Refusal::NodeCount { hosts: 2, nodes: 1 }));
        for bad in [(0, 2, Ratio::ONE), (2, 0, Ratio::ONE), (0, 1, Ratio::ZERO)] {
            assert_eq!(open(2, 2, &[both[0].clone(), bad]), Err(Refusal::BadLink(1)));
        }
        let many = usize::try_from(MAX_HOSTS).unwrap() + 1;
        assert!(matches!(open(many, many, &[]), Err(Refusal::TooLarge(_))));
    }

    #[test]
    fn a_stop_reaches_what_polls_the_network() {
        let links = vec![(0, 1, Ratio::ONE), (1, 0, Ratio::ONE)];
        let form = NetworkForm::Embedded(EmbeddedNetwork { hosts: 2, nodes: 2, links });
        let stop = Stop::default();
        let network = Network::open(&form, &NoNames).unwrap().stopped_by(stop.clone());
        assert_eq!((network.go_on(), network.progress().cancelled()), (Ok(()), false));
        stop.request();
        assert_eq!(network.go_on(), Err(Refusal::Stopped(Stopped)));
        assert!(network.progress().cancelled());
    }

    #[test]
    fn plain_paths_pass_no_link_twice() {
        let links = [(0, 2), (2, 3), (3, 2), (2, 1)].map(|(from, to)| (from, to, Ratio::ONE));
        let form = EmbeddedNetwork { hosts: 2, nodes: 4, links: links.to_vec() };
        let network = Network::open(&NetworkForm::Embedded(form), &NoNames).unwrap();
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
