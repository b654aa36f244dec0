//! Classes of hosts that are alike: one pair of hosts stands for all pairs of their classes.
//!
//! Two hosts of a class hang from the same switch by links of the same capacities. Exchanging them and
//! their links is an automorphism of the network, hence of every split over its shortest paths: the
//! share of a pair on a link of neither host's is the same for all hosts of their classes, and what a
//! host's own links carry is what those of any other host of its class carry. A cut with both hosts, or neither,
//! is taken to itself, so that the pairs of two classes cross the same cuts.

use std::borrow::Cow;

use crate::certificate::{Cover, CutId, RoutingForm, WorstCaseCertificate};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::Result;
use super::cut::Cuts;
use super::network::Network;

/// Why a split, or its classes of hosts, are refused. Classes are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadSplit {
    #[error("a `split` needs a network that is written out")]
    NamedNetwork,
    #[error("`class` records need a `split`")]
    OtherRouting,
    #[error("where there are `class` records no `{0}` record may be")]
    Beside(&'static str),
    #[error("class {0} is empty, or its first host is not above that of the class before")]
    Order(usize),
    #[error("class {class} names host {host}, which does not exist, is in a class or out of order")]
    BadHost { class: usize, host: Host },
    #[error("host {0} is in no class")]
    LeftOut(Host),
    /// A host of a class of two or more that does not hang from one switch, as the first one does.
    #[error(
        "host {host} of class {class} has more than one neighbour, a host as its neighbour, or \
             another switch or other capacities than the first host"
    )]
    Unlike { class: usize, host: Host },
    #[error("the cover of link {link} names host {host}, which is not the first of its class")]
    CoverHost { link: LinkId, host: Host },
    #[error("the cover of link {0} uses lengths, where there are classes of hosts")]
    CoverLengths(LinkId),
    #[error("link {0} has a cover, but is a link of a host of a class of two or more")]
    CoverOfHost(LinkId),
    #[error("cut {cut} contains some but not all hosts of class {class}")]
    Divided { cut: CutId, class: usize },
}

/// The classes of a network's hosts; every host by itself where a certificate has none.
pub(super) struct Classes {
    /// The first host, the second one if there is one, and the number of hosts.
    sizes: Vec<(Host, Option<Host>, u32)>,
    /// By host, its class.
    class: Vec<u32>,
    /// The first two hosts of every class, ascending.
    representatives: Vec<Host>,
}

impl Classes {
    /// Verifies that the classes of a certificate are classes, and that it has no other records that
    /// would have to respect them.
    pub(super) fn open(network: &Network, certificate: &WorstCaseCertificate) -> Result<Self> {
        let records = &certificate.classes;
        if records.is_empty() {
            return Ok(Self::alone(network));
        }
        check_others(certificate)?;
        let mut class = vec![u32::MAX; network.hosts];
        let mut previous = None;
        for (number, hosts) in records.iter().enumerate() {
            network.go_on()?;
            if hosts.is_empty() || previous >= hosts.first() {
                return Err(BadSplit::Order(number).into());
            }
            previous = hosts.first();
            take_hosts(number, hosts, &mut class)?;
            check_alike(network, number, hosts)?;
        }
        if let Some((host, _)) = (0..).zip(&class).find(|(_, class)| **class == u32::MAX) {
            return Err(BadSplit::LeftOut(host).into());
        }
        Ok(Self::of(records.iter().map(Vec::as_slice), class))
    }

    /// Every host by itself.
    pub(super) fn alone(network: &Network) -> Self {
        let hosts: Vec<Host> = network.host_numbers().collect();
        Self::of(hosts.chunks(1), hosts.clone())
    }

    fn of<'h>(classes: impl Iterator<Item = &'h [Host]>, class: Vec<u32>) -> Self {
        let size = |hosts: &[Host]| u32::try_from(hosts.len()).unwrap_or(u32::MAX);
        let known = classes.filter_map(|hosts| {
            let first = *hosts.first()?;
            Some((first, hosts.get(1).copied(), size(hosts)))
        });
        let sizes: Vec<_> = known.collect();
        let both = sizes.iter().flat_map(|(first, second, _)| [Some(*first), *second]);
        let mut representatives: Vec<Host> = both.flatten().collect();
        representatives.sort_unstable();
        Self { sizes, class, representatives }
    }

    /// The hosts with pairs that stand for all pairs, ascending.
    pub(super) fn representatives(&self) -> &[Host] {
        &self.representatives
    }

    fn of_host(&self, host: Host) -> (Host, Option<Host>, u32) {
        self.sizes[self.class[host as usize] as usize]
    }

    /// The hosts with which one has pairs that stand for all pairs, ascending: the first hosts of two
    /// classes, or the first two of one.
    pub(super) fn partners(&self, host: Host) -> impl Iterator<Item = Host> {
        let (first, second, _) = self.of_host(host);
        let is_partner = move |other: &Host| {
            if host == first {
                *other != host && (Some(*other) == second || self.of_host(*other).0 == *other)
            } else {
                *other == first
            }
        };
        self.representatives.iter().copied().filter(is_partner)
    }

    /// Number of hosts of a host's class.
    pub(super) fn size(&self, host: Host) -> u32 {
        self.of_host(host).2
    }

    /// How many hosts a representative stands for as a source, or destination, of pairs on a link: on
    /// its own link for itself alone, and the second host of a class for all but the first.
    pub(super) fn counted(
        &self,
        network: &Network,
        link: LinkId,
        (host, is_source): (Host, bool),
    ) -> u32 {
        let (first, _, size) = self.of_host(host);
        if host != first || size == 1 {
            return (size - 1).max(1);
        }
        let (tail, head) = network.ends[link as usize];
        let end = if is_source { tail } else { head };
        if end == host { 1 } else { size }
    }

    /// Adds to the links for which nothing is verified those of hosts for which another one stands.
    pub(super) fn add_links(&self, network: &Network, elsewhere: &mut [bool]) {
        let stands = |host: &Host| self.of_host(*host).0 == *host;
        for host in network.host_numbers().filter(|host| !stands(host)) {
            let host = host as usize;
            for link in network.leaving[host].iter().chain(&network.entering[host]) {
                elsewhere[*link as usize] = true;
            }
        }
    }

    /// Whether every host stands for itself alone.
    fn are_single(&self) -> bool {
        self.sizes.len() == self.class.len()
    }

    /// Verifies that every cut, named by a cover or not, has all hosts of a class on one side.
    pub(super) fn check_cuts(&self, network: &Network, cuts: &Cuts) -> Result<()> {
        if self.are_single() {
            return Ok(());
        }
        for cut in (0..).take(cuts.len()) {
            network.go_on()?;
            let is_divided = |host: &Host| {
                cuts.contains(cut, *host) != cuts.contains(cut, self.of_host(*host).0)
            };
            if let Some(host) = network.host_numbers().find(is_divided) {
                let class = self.class[host as usize] as usize;
                return Err(BadSplit::Divided { cut, class }.into());
            }
        }
        Ok(())
    }

    /// Verifies that a cover is about classes; that its link and hosts exist is known.
    pub(super) fn check_cover(&self, network: &Network, cover: &Cover) -> Result<()> {
        if self.are_single() {
            return Ok(());
        }
        let link = cover.link;
        let mut hosts = cover.sources.iter().chain(&cover.destinations).map(|(host, _)| *host);
        if let Some(host) = hosts.find(|host| self.of_host(*host).0 != *host) {
            return Err(BadSplit::CoverHost { link, host }.into());
        }
        let (tail, head) = network.ends[link as usize];
        let is_of_many = |node: NodeId| (node as usize) < network.hosts && self.size(node) > 1;
        if is_of_many(tail) || is_of_many(head) {
            return Err(BadSplit::CoverOfHost(link).into());
        }
        Ok(())
    }

    /// What the hosts of a class weigh where each weighs as much as `weight`.
    pub(super) fn all<'w>(&self, host: Host, weight: &'w Rational) -> Cow<'w, Rational> {
        match self.size(host) {
            1 => Cow::Borrowed(weight),
            size => Cow::Owned(weight * &Rational::from(u64::from(size))),
        }
    }
}

/// Verifies that no record is there that classes exclude.
fn check_others(certificate: &WorstCaseCertificate) -> Result<()> {
    let WorstCaseCertificate { routing, automorphisms, covers, optimality, .. } = certificate;
    if !matches!(routing, RoutingForm::Split(_)) {
        return Err(BadSplit::OtherRouting.into());
    }
    for (record, is_there) in [
        ("automorphism", !automorphisms.is_empty()),
        ("least`, `single-path`, `few-paths` or `by-destination", optimality.is_some()),
    ] {
        if is_there {
            return Err(BadSplit::Beside(record).into());
        }
    }
    match covers.iter().find(|cover| !cover.lengths.is_empty()) {
        Some(cover) => Err(BadSplit::CoverLengths(cover.link).into()),
        None => Ok(()),
    }
}

/// Puts the hosts of a record into their class; they exist, ascend and are in no other.
fn take_hosts(number: usize, hosts: &[Host], class: &mut [u32]) -> Result<()> {
    let mut previous = None;
    for host in hosts {
        let slot = class.get_mut(*host as usize).filter(|known| **known == u32::MAX);
        match (slot, u32::try_from(number)) {
            (Some(slot), Ok(number)) if previous < Some(*host) => *slot = number,
            _ => return Err(BadSplit::BadHost { class: number, host: *host }.into()),
        }
        previous = Some(*host);
    }
    Ok(())
}

/// Verifies that the hosts of a class of two or more hang from the same switch in the same way.
fn check_alike(network: &Network, class: usize, hosts: &[Host]) -> Result<()> {
    let [first, _, ..] = hosts else { return Ok(()) };
    let wanted = hanging(network, *first);
    let is_unlike = |host: &&Host| wanted.is_none() || hanging(network, **host) != wanted;
    match hosts.iter().find(is_unlike) {
        Some(host) => Err(BadSplit::Unlike { class, host: *host }.into()),
        None => Ok(()),
    }
}

/// The only neighbour of a host, if that is a switch, and the capacities of the links to and from it,
/// sorted.
fn hanging(network: &Network, host: Host) -> Option<(NodeId, [Vec<&Rational>; 2])> {
    let (out, into) = (&network.leaving[host as usize], &network.entering[host as usize]);
    let heads = out.iter().map(|link| network.ends[*link as usize].1);
    let mut neighbours = heads.chain(into.iter().map(|link| network.ends[*link as usize].0));
    let switch = neighbours.next().filter(|node| *node as usize >= network.hosts)?;
    if neighbours.any(|node| node != switch) {
        return None;
    }
    let capacities = |links: &[LinkId]| {
        let mut sorted: Vec<_> =
            links.iter().map(|link| &network.links[*link as usize].capacity).collect();
        sorted.sort_unstable();
        sorted
    };
    Some((switch, [capacities(out), capacities(into)]))
}
