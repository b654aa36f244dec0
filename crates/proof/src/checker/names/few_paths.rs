//! Proof that no routing with few paths per pair is better: the theorem of `FEW_PATHS.md`, about the network as it is.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::certificate::{Claim, FewPaths, Quantity};
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::network::Network;
use super::routes::Routes;
use super::{Accepted, Result};

/// Why a bound on all routings with few paths per pair is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadFewPaths {
    /// Without a claim on this routing, or on a quantity that such bounds are not about.
    #[error("the `few-paths` record is about {0}, which is not claimed or not covered")]
    OfNothing(&'static str),
    #[error(
        "the `few-paths` record has LOWER {lower}, but the claim has only {upper}",
        lower = quote(.lower), upper = quote(.upper)
    )]
    AboveUpper { lower: Rational, upper: Rational },
    #[error(
        "a bound on all routings with few paths per pair needs a tree of two levels: one link each \
             way between every host and its leaf switch, and between every leaf switch and every root, \
             and the same number of hosts on every leaf switch"
    )]
    NoTree,
    #[error("pair ({s},{d}) has more than {paths} paths, or one that does not lead up, then down")]
    TooMany { s: Host, d: Host, paths: u32 },
    #[error(
        "the square of the least value is proven to be {proven} at least, that of {lower} is more",
        proven = quote(.proven), lower = quote(.lower)
    )]
    TooLow { proven: Rational, lower: Rational },
}

/// Verifies a bound on all routings with at most a given number of paths per pair. Its upper side is that of the claim on
/// this routing, which is one of them. O(N²·paths).
pub(in crate::checker) fn check(
    network: &Network,
    routes: &Routes<'_>,
    record: &FewPaths,
    claims: &[Claim],
) -> Result<Accepted> {
    let FewPaths { quantity, lower, paths } = record;
    let claim = claims.iter().find(|claim| claim.quantity == *quantity);
    let claim = claim.filter(|_| *quantity != Quantity::HoseLoad);
    let claim = claim.ok_or(BadFewPaths::OfNothing(quantity.name()))?;
    let (lower, upper) = (lower.clone(), claim.upper.clone());
    if lower > upper {
        return Err(BadFewPaths::AboveUpper { lower, upper }.into());
    }
    let tree = TwoLevels::of(network).ok_or(BadFewPaths::NoTree)?;
    tree.check_paths(network, routes, *paths)?;
    let is_ratio = *quantity == Quantity::ObliviousRatio;
    let proven = tree.least_square(*paths, is_ratio);
    // A max load is never below optu.
    if &lower * &lower > proven && !(is_ratio && lower <= Rational::ONE) {
        return Err(BadFewPaths::TooLow { proven, lower }.into());
    }
    Ok(Accepted { quantity: FewPaths::name(*quantity, *paths).into(), lower, upper })
}

/// A tree of leaf switches and roots, with a link each way between every two of them.
struct TwoLevels {
    /// The leaf switch of every host.
    leaf_of: Vec<NodeId>,
    /// Numbers of hosts per leaf switch, of leaf switches and of roots.
    hosts: u64,
    leaves: u64,
    roots: u64,
    /// The least capacity of a host's link.
    narrowest_of_hosts: Rational,
    /// The least and the greatest capacity of a link between leaf switches and roots.
    narrowest: Rational,
    widest: Rational,
}

impl TwoLevels {
    /// The network as such a tree, if it is one.
    fn of(network: &Network) -> Option<Self> {
        let leaf_of = leaf_of(network)?;
        let mut size: BTreeMap<NodeId, u64> = BTreeMap::new();
        for leaf in &leaf_of {
            *size.entry(*leaf).or_default() += 1;
        }
        let leaves: Vec<NodeId> = size.keys().copied().collect();
        let is_joined = |links: &[LinkId], end: fn(&(NodeId, NodeId)) -> NodeId| {
            let mut ends: Vec<_> =
                links.iter().map(|link| end(&network.ends[*link as usize])).collect();
            ends.sort_unstable();
            ends == leaves
        };
        let links = network.leaving.iter().zip(&network.entering);
        let switches = (0..).zip(links).skip(network.hosts);
        let mut roots = 0;
        for (_, (leaving, entering)) in switches.filter(|(node, _)| !size.contains_key(node)) {
            if !is_joined(leaving, |ends| ends.1) || !is_joined(entering, |ends| ends.0) {
                return None;
            }
            roots += 1;
        }
        let hosts = *size.values().next()?;
        let are_alike = size.values().all(|size| *size == hosts);
        let links = 2 * (network.hosts + leaves.len() * roots);
        if !are_alike || leaves.len() < 2 || roots == 0 || network.links.len() != links {
            return None;
        }
        let is_host = |node: NodeId| (node as usize) < network.hosts;
        let (of_hosts, between): (Vec<_>, Vec<_>) =
            network.links.iter().partition(|link| is_host(link.from) || is_host(link.to));
        let capacity = |link: &&crate::certificate::LinkRecord| link.capacity.clone();
        Some(Self {
            leaf_of,
            hosts,
            leaves: leaves.len() as u64,
            roots: roots as u64,
            narrowest_of_hosts: of_hosts.iter().map(capacity).min()?,
            narrowest: between.iter().map(capacity).min()?,
            widest: between.iter().map(capacity).max()?,
        })
    }

    /// Verifies that every pair of hosts of different leaf switches has at most `paths` paths, each of four links. From
    /// a host to one of another leaf switch these lead up to a root, then down.
    fn check_paths(&self, network: &Network, routes: &Routes<'_>, paths: u32) -> Result<()> {
        // A split has all of them.
        let is_split = matches!(routes, Routes::Split(_));
        for s in network.host_numbers() {
            let leaf = self.leaf_of[s as usize];
            let is_far = |d: &Host| self.leaf_of[*d as usize] != leaf;
            for d in network.host_numbers().filter(is_far) {
                network.go_on()?;
                let count = Cell::new(0);
                let fits = |links: &[LinkId]| {
                    count.set(count.get() + 1);
                    links.len() == 4 && count.get() <= paths
                };
                let all_fit = if is_split {
                    self.roots <= paths.into()
                } else {
                    routes.all_paths(network, (s, d), fits)?
                };
                if !all_fit {
                    return Err(BadFewPaths::TooMany { s, d, paths }.into());
                }
            }
        }
        Ok(())
    }

    /// A lower bound on the square of the lowest value of all routings with at most `paths` paths per pair.
    fn least_square(&self, paths: u32, is_ratio: bool) -> Rational {
        let Self { hosts, leaves, roots, .. } = *self;
        let quotient = |a: &Rational, b: &Rational| a.checked_div(b).unwrap_or(Rational::ZERO);
        // Of products of numbers below 2^32, each with a factor of at most 2.
        let squares = Rational::from(hosts * leaves.min(2 * hosts));
        let of_load = quotient(&squares, &Rational::from(2 * roots * roots.min(paths.into())));
        // Spread evenly over all roots, no permutation has an optu above this.
        let up = quotient(&Rational::from(hosts), &(&Rational::from(roots) * &self.narrowest));
        let optu = up.max(quotient(&Rational::ONE, &self.narrowest_of_hosts));
        let unit = if is_ratio { &self.widest * &optu } else { self.widest.clone() };
        quotient(&of_load, &(&unit * &unit))
    }
}

/// The leaf switch of every host, which is at the other end of its only links, one each way.
fn leaf_of(network: &Network) -> Option<Vec<NodeId>> {
    let of_host = |(leaving, entering): (&Vec<LinkId>, &Vec<LinkId>)| {
        let ([up], [down]) = (&leaving[..], &entering[..]) else { return None };
        let (leaf, below) = (network.ends[*up as usize].1, network.ends[*down as usize].0);
        (leaf == below && leaf as usize >= network.hosts).then_some(leaf)
    };
    let links = network.leaving.iter().zip(&network.entering);
    links.take(network.hosts).map(of_host).collect()
}
