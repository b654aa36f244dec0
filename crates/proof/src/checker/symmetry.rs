//! Automorphisms that the routing respects: links that they take to each other have the same worst
//! loads, so that one cover is enough for all links of a class.
//!
//! Traffic that is moved along by an automorphism has the same optu as before, is still a
//! permutation, and loads the image of a link as it loaded the link itself.

use crate::certificate::{AllowedPath, Automorphism, Cover, LinkRecord};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::allowed::{Allowed, Prices};
use super::ends::parts;
use super::network::Network;
use super::routes::Routes;
use super::uses::Uses;
use super::{Result, parallel, sum};

static ONE: Rational = Rational::ONE;

/// Maximum of automorphisms times hosts², of automorphisms times nodes and links, and of prices.
const MAX_PAIRS: u64 = 1 << 32;
const MAX_IMAGES: u64 = 1 << 26;
const MAX_PRICES: u64 = 1 << 22;

/// Why a record is not an automorphism that the routing respects. Automorphisms are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadAutomorphism {
    #[error("automorphism {number} names node or link {id} twice, or there is none such")]
    Cycle { number: usize, id: u32 },
    #[error("automorphism {number} takes node {node} out of the hosts, or into them")]
    Hosts { number: usize, node: NodeId },
    #[error(
        "automorphism {number} takes link {link} to one between other nodes or of another \
             capacity than its own"
    )]
    Link { number: usize, link: LinkId },
    #[error(
        "automorphism {number} does not take the shares of pair ({s},{d}) on links to those \
             of another pair: the routing does not respect it"
    )]
    Routing { number: usize, s: Host, d: Host },
    #[error(
        "automorphism {number} takes an allowed path of pair ({s},{d}) to one that is not allowed"
    )]
    Allowed { number: usize, s: Host, d: Host },
}

/// Automorphisms of the network, and the classes of links that they form.
pub(super) struct Symmetry {
    automorphisms: Vec<Images>,
    /// The lowest link of the class of every link.
    class: Vec<LinkId>,
}

/// Where nodes and links are taken.
struct Images {
    nodes: Vec<NodeId>,
    links: Vec<LinkId>,
}

impl Symmetry {
    /// Verifies that these are automorphisms of the network; whether the routing respects them is
    /// left to [`Self::check_routing`].
    pub(super) fn open(network: &Network, records: &[Automorphism]) -> Result<Self> {
        let size = |factor: usize| Some(records.len() as u128 * factor as u128);
        let remedy = "leave out automorphisms, or check a smaller instance";
        let pairs = size(network.hosts * network.hosts);
        within("automorphisms times SD pairs", pairs, MAX_PAIRS, remedy)?;
        let images = size(network.nodes + network.links.len());
        within("automorphisms times nodes and links", images, MAX_IMAGES, remedy)?;
        let mut class: Vec<LinkId> = (0..).take(network.links.len()).collect();
        let mut automorphisms = Vec::new();
        for (number, record) in records.iter().enumerate() {
            network.go_on()?;
            let images = Images::of(network, number, record)?;
            for (link, image) in (0..).zip(&images.links) {
                join(&mut class, link, *image);
            }
            automorphisms.push(images);
        }
        for link in 0..class.len() {
            // The root is lower, and has its own number.
            class[link] = class[class[link] as usize];
        }
        Ok(Self { automorphisms, class })
    }

    /// Per link, whether a link of its class has a cover.
    pub(super) fn covered_elsewhere(&self, covers: &[Cover]) -> Vec<bool> {
        let mut covered = vec![false; self.class.len()];
        if self.automorphisms.is_empty() {
            return covered;
        }
        for class in covers.iter().filter_map(|cover| self.class.get(cover.link as usize)) {
            covered[*class as usize] = true;
        }
        self.class.iter().map(|class| covered[*class as usize]).collect()
    }

    /// Verifies that every automorphism takes the shares of every pair on links to those of the
    /// pair's image. O(automorphisms·N²·path length).
    pub(super) fn check_routing(&self, network: &Network, routes: &Routes<'_>) -> Result<()> {
        if self.automorphisms.is_empty() {
            return Ok(());
        }
        let hosts: Vec<Host> = network.host_numbers().collect();
        let parts: Vec<&[Host]> = parts(&hosts).collect();
        let checked = parallel::map(&parts, |sources| {
            let mut uses = [Uses::default(), Uses::default()];
            let pairs = sources.iter().flat_map(|s| hosts.iter().map(move |d| (*s, *d)));
            pairs.filter(|(s, d)| s != d).try_for_each(|pair| {
                network.go_on()?;
                self.check_pair(network, routes, pair, &mut uses)
            })
        });
        // The refusal for the lowest source.
        checked.into_iter().collect()
    }

    fn check_pair(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        (s, d): (Host, Host),
        [own, other]: &mut [Uses; 2],
    ) -> Result<()> {
        routes.uses(network, (s, d), own)?;
        for (number, images) in self.automorphisms.iter().enumerate() {
            routes.uses(network, images.pair((s, d)), other)?;
            if shares(own, |link| images.links[link as usize]) != shares(other, |link| link) {
                return Err(BadAutomorphism::Routing { number, s, d }.into());
            }
        }
        Ok(())
    }

    /// Where every automorphism takes links.
    #[cfg(feature = "names")]
    pub(super) fn images_of_links(&self) -> impl Iterator<Item = &[LinkId]> {
        self.automorphisms.iter().map(|images| &images.links[..])
    }

    /// Verifies that every automorphism takes allowed paths to allowed paths.
    pub(super) fn check_allowed(&self, network: &Network, allowed: &Allowed<'_>) -> Result<()> {
        let Allowed::Listed(paths) = allowed else { return Ok(()) };
        for (number, images) in self.automorphisms.iter().enumerate() {
            for AllowedPath { s, d, links } in paths {
                network.go_on()?;
                let links: Vec<LinkId> = links.iter().map(|l| images.links[*l as usize]).collect();
                if !allowed.lists(images.pair((*s, *d)), &links) {
                    return Err(BadAutomorphism::Allowed { number, s: *s, d: *d }.into());
                }
            }
        }
        Ok(())
    }

    /// The mean price of every pair on every link over what automorphisms take them to.
    pub(super) fn mean(&self, network: &Network, prices: Prices) -> Result<Prices> {
        if self.automorphisms.is_empty() {
            return Ok(prices);
        }
        let (mut means, mut count) = (Prices::new(), 0_u128);
        for (pair, link) in prices.iter().flat_map(|(pair, of)| of.keys().map(move |l| (pair, l))) {
            if means.get(pair).is_some_and(|of| of.contains_key(link)) {
                continue;
            }
            let (mut orbit, mut at, mut total) = (vec![(*pair, *link)], 0, Rational::ZERO);
            means.entry(*pair).or_default().insert(*link, Rational::ZERO);
            while let Some((pair, link)) = orbit.get(at).copied() {
                network.go_on()?;
                (at, count) = (at + 1, count + 1);
                within("number of prices", Some(count), MAX_PRICES, "leave out automorphisms")?;
                if let Some(price) = prices.get(&pair).and_then(|of| of.get(&link)) {
                    sum::add(&mut total, price)?;
                }
                for images in &self.automorphisms {
                    let (pair, link) = (images.pair(pair), images.links[link as usize]);
                    if means.entry(pair).or_default().insert(link, Rational::ZERO).is_none() {
                        orbit.push((pair, link));
                    }
                }
            }
            let mean =
                total.checked_div(&Rational::from(at as u64)).expect("an orbit is not empty");
            for (pair, link) in orbit {
                means.entry(pair).or_default().insert(link, mean.clone());
            }
        }
        Ok(means)
    }
}

/// The shares of a pair, by the image of the link, ascending.
fn shares(uses: &Uses, image: impl Fn(LinkId) -> LinkId) -> Vec<(LinkId, &Rational)> {
    let whole = uses.whole.iter().map(|link| (image(*link), &ONE));
    let parts = uses
        .parts
        .iter()
        .map(|(link, share)| (image(*link), &uses.shares.known()[*share as usize]));
    let mut shares: Vec<_> = whole.chain(parts).collect();
    shares.sort_unstable_by_key(|(link, _)| *link);
    shares
}

impl Images {
    fn pair(&self, (s, d): (Host, Host)) -> (Host, Host) {
        (self.nodes[s as usize], self.nodes[d as usize])
    }

    /// Verifies that the record is an automorphism of the network.
    fn of(network: &Network, number: usize, record: &Automorphism) -> Result<Self> {
        let bad = |id| BadAutomorphism::Cycle { number, id };
        let nodes = images(&record.nodes, network.nodes).map_err(bad)?;
        let links = images(&record.links, network.links.len()).map_err(bad)?;
        let is_host = |node: NodeId| (node as usize) < network.hosts;
        let strays = |(node, image): &(NodeId, &NodeId)| is_host(*node) != is_host(**image);
        if let Some((node, _)) = (0..).zip(&nodes).find(strays) {
            return Err(BadAutomorphism::Hosts { number, node }.into());
        }
        let is_kept = |(link, image): &(LinkId, &LinkId)| {
            let link = &network.links[*link as usize];
            let (from, to) = (nodes[link.from as usize], nodes[link.to as usize]);
            network.links[**image as usize] == LinkRecord::new(from, to, link.capacity.clone())
        };
        match (0..).zip(&links).find(|link| !is_kept(link)) {
            Some((link, _)) => Err(BadAutomorphism::Link { number, link }.into()),
            None => Ok(Self { nodes, links }),
        }
    }
}

/// The images of all numbers below `count`, or one that is in the cycles twice or is not below it.
fn images(cycles: &[Vec<u32>], count: usize) -> Result<Vec<u32>, u32> {
    let mut images: Vec<u32> = (0..).take(count).collect();
    let mut seen = vec![false; count];
    for cycle in cycles {
        for (at, id) in cycle.iter().enumerate() {
            let seen = seen.get_mut(*id as usize).ok_or(*id)?;
            if std::mem::replace(seen, true) {
                return Err(*id);
            }
            images[*id as usize] = cycle[(at + 1) % cycle.len()];
        }
    }
    // Every number of a cycle is named once: if all exist, so do all images.
    Ok(images)
}

/// Joins the classes of two links; the lower root is kept.
pub(super) fn join(class: &mut [LinkId], a: LinkId, b: LinkId) {
    let mut root = |mut link: LinkId| {
        while class[link as usize] != link {
            class[link as usize] = class[class[link as usize] as usize];
            link = class[link as usize];
        }
        link
    };
    let (a, b) = (root(a), root(b));
    class[a.max(b) as usize] = a.min(b);
}
