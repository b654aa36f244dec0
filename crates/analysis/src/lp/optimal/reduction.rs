//! The part of a routing that must be optimised; the rest follows from it.
//!
//! Where every link has a counterpart of the same capacity in the opposite direction, the network
//! is its own mirror image. The mirror image of a routing then has the same worst case. That, and automorphisms of
//! the network that take allowed paths to allowed paths, are the symmetries of `orbits.rs`: one pair of every orbit
//! determines a best routing, and one link of every class shows its worst case. A network with several blocks
//! ([`super::blocks`]) is optimised block by block.
//!
//! Nothing here is trusted: the whole routing and the traffic against all links are judged.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::blocks::{of_links, passed};
use super::flows::without_cycles;
use super::orbits::{Action, Orbits, Shares};
use crate::bounds::{DualDemand, RoutedTraffic};
use crate::optimum::shortest::{Adjacency, Tree};
use crate::rational::Rational;
use crate::symmetry::Images;
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Pairs that determine a routing.
pub(super) struct Reduction {
    /// These pairs, in order.
    pub(super) pairs: Vec<(Host, Host)>,
    /// The orbits of all pairs of which routings are made up.
    pub(super) orbits: Orbits,
    /// The counterpart of every link, when routings are their own mirror images.
    mirror: Option<Vec<LinkId>>,
    /// The block of every link, when routings are made up from blocks.
    blocks: Option<Vec<usize>>,
    /// Whether there are automorphisms, for which shares are means.
    is_mean: bool,
    /// Whether only paths that are listed, and their images, are allowed.
    is_listed: bool,
}

/// Which parts of a network determine a routing.
#[derive(Clone, Copy)]
pub(super) struct Simplify<'s> {
    /// Whether paths are listed. If not, mirror images of allowed paths are allowed.
    pub(super) is_listed: bool,
    /// Whether blocks are optimised one by one: that is right for traffic with optu ≤ 1 and paths that are not listed.
    pub(super) blocks: bool,
    /// Automorphisms that take allowed paths to allowed paths.
    pub(super) automorphisms: &'s [Images],
}

/// What pairs pay per unit of their shares on links, by pair and link.
pub(super) type Amounts = HashMap<(usize, LinkId), Rational>;

impl Reduction {
    /// What determines the routing of all `pairs`. O(links · nodes + pairs · links · automorphisms).
    pub(super) fn new(
        topology: &Topology,
        network: &Adjacency,
        pairs: Vec<(Host, Host)>,
        simplify: Simplify<'_>,
    ) -> Self {
        let Simplify { automorphisms, is_listed, .. } = simplify;
        let mirror = if is_listed { None } else { mirror(topology, network) };
        // Between parallel links the counterparts are a choice, which automorphisms may not respect.
        let mirror = mirror.filter(|mirror| automorphisms.iter().all(|one| commutes(one, mirror)));
        let blocks = if simplify.blocks { of_links(network, topology.hosts()) } else { None };
        let pairs = blocks.as_ref().map_or(pairs, |blocks| {
            let inside = within_blocks(network, blocks, topology.hosts());
            inside.into_iter().collect()
        });
        let reversing = mirror.iter().map(|mirror| Action::mirror(topology.nodes(), mirror));
        let actions = automorphisms.iter().map(Action::of).chain(reversing).collect();
        let orbits = Orbits::new(pairs, network.links(), actions);
        // Where automorphisms take pairs to their opposites, mirror images say nothing new.
        let mirror = mirror.filter(|_| orbits.is_reversed());
        let is_mean = !automorphisms.is_empty();
        Self { pairs: orbits.first_pairs(), orbits, mirror, blocks, is_mean, is_listed }
    }

    /// Whether the worst case of a link is to be found; that of the others of its class is the same.
    pub(super) fn is_own(&self, link: LinkId) -> bool {
        self.orbits.first_link(link) == link
    }

    /// The number of the pair that determines the paths of a pair, and the links on which the mean of its shares is the
    /// share of the pair on `link`; `None` for a pair whose paths are joined from others'.
    pub(super) fn place(&self, pair: (Host, Host), link: LinkId) -> Option<(usize, Vec<LinkId>)> {
        let (first, links) = self.orbits.links_of_first(self.orbits.number(pair)?, link);
        Some((self.pairs.binary_search(&first).ok()?, links))
    }

    /// What every pair that determines others pays per unit on links: the amounts of traffic against a link, by pair
    /// and link, in units of `capacity`.
    pub(super) fn amounts(&self, dual: &DualDemand, capacity: &Rational) -> Amounts {
        let mut amounts = Amounts::new();
        for demand in &dual.demands {
            let Some((pair, links)) = self.place((demand.s, demand.d), dual.link) else { continue };
            let parts = capacity * &Rational::from(links.len() as u64);
            let Some(amount) = demand.amount.checked_div(&parts) else { continue };
            for link in links {
                *amounts.entry((pair, link)).or_insert(Rational::ZERO) += &amount;
            }
        }
        amounts
    }

    /// The shares of all pairs on links by orbit, when `paths` of [`Self::pairs`] have the given shares.
    pub(super) fn by_orbit(&self, paths: &[(usize, Vec<LinkId>)], shares: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.orbits.len()];
        let numbers = self.numbers();
        for ((pair, path), share) in paths.iter().zip(shares) {
            for link in path {
                sums[self.orbits.of(numbers[*pair], *link)] += share;
            }
        }
        for (sum, size) in sums.iter_mut().zip(&self.sizes()).filter(|(_, size)| **size > 1) {
            *sum /= f64::from(*size);
        }
        sums
    }

    /// The numbers of [`Self::pairs`] among all pairs.
    fn numbers(&self) -> Vec<u32> {
        self.pairs.iter().filter_map(|pair| self.orbits.number(*pair)).collect()
    }

    /// By orbit, on how many links of [`Self::pairs`] the shares are to be averaged; empty where on one each.
    pub(super) fn sizes(&self) -> Vec<u32> {
        if !self.is_mean {
            return Vec::new();
        }
        let mut sizes = vec![0; self.orbits.len()];
        for number in self.numbers() {
            for link in self.orbits.links() {
                sizes[self.orbits.of(number, link)] += 1;
            }
        }
        sizes
    }

    /// Whether traffic that loads a link may also use another.
    pub(super) fn is_same_block(&self, link: LinkId, other: LinkId) -> bool {
        let block = |blocks: &Vec<usize>| blocks[link as usize] == blocks[other as usize];
        self.blocks.as_ref().is_none_or(block)
    }

    /// The links on paths of a pair: those of its block, where routings are made up from blocks.
    pub(super) fn links_between(
        &self,
        (s, d): (Host, Host),
        network: &Adjacency,
    ) -> impl Iterator<Item = LinkId> {
        let at = |host: Host| {
            let of = |(_, link): &(NodeId, LinkId)| self.blocks.as_ref().map(|b| b[*link as usize]);
            network.out(host).iter().map(of).collect::<HashSet<_>>()
        };
        let common = at(s).intersection(&at(d)).next().copied().flatten();
        let is_near = move |link: &LinkId| {
            self.blocks.as_ref().is_none_or(|blocks| Some(blocks[*link as usize]) == common)
        };
        self.orbits.links().filter(is_near)
    }

    /// Traffic against a link, and its mirror image where routings are their own.
    pub(super) fn images(&self, dual: DualDemand) -> Vec<DualDemand> {
        let image = self.mirror.as_ref().map(|mirror| mirrored(&dual, mirror));
        std::iter::once(dual).chain(image).collect()
    }

    /// The paths of a pair that determines others, such that shares on links of one orbit are the same.
    fn mean(&self, pair: (Host, Host), network: &Adjacency, shares: &Shares) -> Shares {
        let number = self.orbits.number(pair).filter(|_| self.is_mean);
        let Some(number) = number else { return shares.clone() };
        if self.is_listed {
            return self.orbits.mean(pair, shares);
        }
        let orbit = |link: LinkId| self.orbits.of(number, link);
        without_cycles(network, pair, &orbit, shares)
    }

    /// The routing of all `pairs` from that of [`Self::pairs`]. The paths of successive blocks
    /// are joined in order, as if one random number chose from all of them: there are no more of
    /// them than in all blocks together. A pair gets no path where one of its parts has none, as
    /// the other parts do not join it.
    pub(super) fn lift(
        &self,
        network: &Adjacency,
        pairs: &[(Host, Host)],
        records: Vec<PathRecord>,
    ) -> Vec<PathRecord> {
        let mut known: HashMap<(Host, Host), Shares> = HashMap::new();
        for PathRecord { s, d, share, links } in records {
            known.entry((s, d)).or_default().push((share, links));
        }
        let own = |pair| known.get(&pair).map(|own| self.mean(pair, network, own));
        let known = self.orbits.spread(|pair| own(pair).unwrap_or_default());
        let (unit, mut tree) = (vec![1; network.links()], Tree::default());
        let mut lifted = Vec::new();
        for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
            if self.blocks.is_some() {
                tree.search(network, pairs[0].0, &unit);
            }
            for &(s, d) in pairs {
                let passed = self.blocks.as_ref().map_or(vec![(s, d)], |blocks| {
                    let mut path = Vec::new();
                    tree.path(network, d, &mut path);
                    passed(network, blocks, &path)
                });
                let part = |pair| known.get(pair).filter(|part| !part.is_empty());
                let parts: Option<Vec<_>> = passed.iter().map(part).collect();
                let record = |(share, links)| PathRecord { s, d, share, links };
                lifted.extend(joined(&parts.unwrap_or_default()).into_iter().map(record));
            }
        }
        lifted
    }
}

/// The paths that consist of one path of every part.
fn joined(parts: &[&Shares]) -> Shares {
    let (mut paths, mut at) = (Vec::new(), vec![0; parts.len()]);
    let mut left: Vec<Rational> = parts.iter().filter_map(|p| Some(p.first()?.0.clone())).collect();
    while let Some(share) = left.iter().min().cloned().filter(|_| left.len() == parts.len()) {
        let links = parts.iter().zip(&at).flat_map(|(part, at)| part[*at].1.iter().copied());
        paths.push((share.clone(), links.collect()));
        for ((part, at), left) in parts.iter().zip(&mut at).zip(&mut left) {
            *left = left.checked_sub(&share).unwrap_or(Rational::ZERO);
            if left.is_zero() {
                *at += 1;
                let Some((next, _)) = part.get(*at) else { return paths };
                *left = next.clone();
            }
        }
    }
    paths
}

/// The pairs of hosts of the same block.
fn within_blocks(network: &Adjacency, blocks: &[usize], hosts: usize) -> BTreeSet<(Host, Host)> {
    let mut members: HashMap<usize, BTreeSet<Host>> = HashMap::new();
    for (link, block) in (0..).zip(blocks) {
        let (tail, head) = network.ends(link);
        let ends = [tail, head].into_iter().filter(|end| (*end as usize) < hosts);
        members.entry(*block).or_default().extend(ends);
    }
    let pairs = |hosts: BTreeSet<Host>| {
        let of = |s| hosts.iter().map(move |d| (s, *d)).collect::<Vec<_>>();
        hosts.iter().flat_map(|s| of(*s)).collect::<Vec<_>>()
    };
    members.into_values().flat_map(pairs).filter(|(s, d)| s != d).collect()
}

/// Whether an automorphism takes counterparts to counterparts.
fn commutes(one: &Images, mirror: &[LinkId]) -> bool {
    let links = one.links.iter().zip(mirror);
    let mut both = links.map(|(image, back)| (mirror[*image as usize], one.links[*back as usize]));
    both.all(|(a, b)| a == b)
}

/// The counterpart of every link: one of the same capacity in the opposite direction, each for one
/// link only.
fn mirror(topology: &Topology, network: &Adjacency) -> Option<Vec<LinkId>> {
    let mut between: HashMap<(u32, u32), Vec<(&Rational, LinkId)>> = HashMap::new();
    for link in topology.link_numbers() {
        let capacity = &topology.link(link).capacity;
        between.entry(network.ends(link)).or_default().push((capacity, link));
    }
    for links in between.values_mut() {
        links.sort_unstable();
    }
    let mut mirror = vec![0; network.links()];
    for (&(tail, head), links) in &between {
        let back = between.get(&(head, tail)).filter(|back| back.len() == links.len())?;
        for ((capacity, link), (other, back)) in links.iter().zip(back) {
            if capacity != other {
                return None;
            }
            mirror[*link as usize] = *back;
        }
    }
    Some(mirror)
}

fn opposite(links: &[LinkId], mirror: &[LinkId]) -> Vec<LinkId> {
    links.iter().rev().map(|link| mirror[*link as usize]).collect()
}

fn mirrored(dual: &DualDemand, mirror: &[LinkId]) -> DualDemand {
    let back = |demand: &Demand| Demand { s: demand.d, d: demand.s, amount: demand.amount.clone() };
    let mut demands: Vec<Demand> = dual.demands.iter().map(back).collect();
    demands.sort_by_key(|demand| (demand.s, demand.d));
    let flow = dual.flow.as_ref().map(|flow| match flow {
        RoutedTraffic::Paths(paths) => {
            let back = |path: &PathRecord| PathRecord {
                s: path.d,
                d: path.s,
                share: path.share.clone(),
                links: opposite(&path.links, mirror),
            };
            let mut paths: Vec<PathRecord> = paths.iter().map(back).collect();
            paths.sort_by_key(|path| (path.s, path.d));
            RoutedTraffic::Paths(paths)
        }
        RoutedTraffic::Even => RoutedTraffic::Even,
    });
    DualDemand { link: mirror[dual.link as usize], demands, flow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NetworkBuilder, sd_pairs};

    /// Three hosts in a line are two blocks: without the paths of one of them, pairs that pass it
    /// have no path, rather than a part of one.
    #[test]
    fn parts_of_paths_are_not_paths() {
        let mut line = NetworkBuilder::new();
        let hosts: Vec<_> = (0..3).map(|host| line.host(format!("h{host}"))).collect();
        line.cable(hosts[0], hosts[1], Rational::ONE);
        line.cable(hosts[1], hosts[2], Rational::ONE);
        let line = line.build("line").unwrap();
        let (network, pairs) = (Adjacency::new(&line), sd_pairs(3).collect::<Vec<_>>());
        let reduction = Reduction::new(
            &line,
            &network,
            pairs.clone(),
            Simplify { is_listed: false, blocks: true, automorphisms: &[] },
        );
        assert_eq!(reduction.pairs, [(0, 1), (1, 2)]);
        let record = |(s, d, link)| PathRecord { s, d, share: Rational::ONE, links: vec![link] };
        let lifted = |records: Vec<PathRecord>| {
            let paths = reduction.lift(&network, &pairs, records);
            paths.into_iter().map(|path| (path.s, path.d, path.links)).collect::<Vec<_>>()
        };
        // Link 2i leads from host i to host i + 1, link 2i + 1 back.
        let whole = lifted(vec![record((0, 1, 0)), record((1, 2, 2))]);
        let links = |s, d| whole.iter().find(|path| (path.0, path.1) == (s, d)).unwrap().2.clone();
        assert_eq!((whole.len(), links(0, 2), links(2, 0)), (6, vec![0, 2], vec![3, 1]));
        let one = lifted(vec![record((0, 1, 0))]);
        assert_eq!(one, [(0, 1, vec![0]), (1, 0, vec![1])]);
    }
}
