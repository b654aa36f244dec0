//! The part of a routing that must be optimised; the rest follows from it.
//!
//! Where every link has a counterpart of the same capacity in the opposite direction, the network
//! is its own mirror image. The mirror image of a routing then has the same worst case, and so has,
//! at most, the mean of the two: some best routing is its own mirror image. Half the pairs
//! determine it, and half the links show its worst case. A network with several blocks
//! ([`super::blocks`]) is optimised block by block.
//!
//! Nothing here is trusted: the whole routing and the traffic against all links are judged.

use std::collections::{BTreeSet, HashMap};

use super::blocks::{of_links, passed};
use crate::bounds::{DualDemand, RoutedTraffic};
use crate::optimum::shortest::{Adjacency, Tree};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Pairs that determine a routing.
pub(super) struct Reduction {
    /// These pairs, in order.
    pub(super) pairs: Vec<(Host, Host)>,
    /// The counterpart of every link, when routings are their own mirror images.
    mirror: Option<Vec<LinkId>>,
    /// The block of every link, when routings are made up from blocks.
    blocks: Option<Vec<usize>>,
}

/// The paths of a pair, and their shares.
type Shares = Vec<(Rational, Vec<LinkId>)>;

impl Reduction {
    /// All `pairs`, each by itself.
    pub(super) fn none(pairs: Vec<(Host, Host)>) -> Self {
        Self { pairs, mirror: None, blocks: None }
    }

    /// Pairs that determine the routing of all `pairs`. Blocks count only for traffic with
    /// optu ≤ 1 (`by_blocks`). O(links · nodes + pairs).
    pub(super) fn new(
        topology: &Topology,
        network: &Adjacency,
        pairs: Vec<(Host, Host)>,
        by_blocks: bool,
    ) -> Self {
        let mirror = mirror(topology, network);
        let blocks = if by_blocks { of_links(network, topology.hosts()) } else { None };
        let pairs = blocks.as_ref().map_or(pairs, |blocks| {
            let inside = within_blocks(network, blocks, topology.hosts());
            inside.into_iter().collect()
        });
        let own = |(s, d): &(Host, Host)| mirror.is_none() || s < d;
        let pairs = pairs.into_iter().filter(own).collect();
        Self { pairs, mirror, blocks }
    }

    /// Whether the worst case of a link is to be found; that of its counterpart is the same.
    pub(super) fn is_own(&self, link: LinkId) -> bool {
        link <= self.counterpart(link)
    }

    /// The counterpart of a link, which has the same worst case.
    pub(super) fn counterpart(&self, link: LinkId) -> LinkId {
        self.mirror.as_ref().map_or(link, |mirror| mirror[link as usize])
    }

    /// The pair that determines the paths of (s,d), and the link that its paths take where those
    /// of (s,d) take `link`; `None` for a pair that does not determine any.
    pub(super) fn place(&self, (s, d): (Host, Host), link: LinkId) -> Option<(usize, LinkId)> {
        let (pair, link) = if self.mirror.is_some() && d < s {
            ((d, s), self.counterpart(link))
        } else {
            ((s, d), link)
        };
        Some((self.pairs.binary_search(&pair).ok()?, link))
    }

    /// The pairs whose share on a link is that of pair number `at` on the link itself, or on its
    /// counterpart.
    pub(super) fn pair(&self, at: usize, opposite: bool) -> (Host, Host) {
        let (s, d) = self.pairs[at];
        if opposite { (d, s) } else { (s, d) }
    }

    /// The links on which pair number `at` of the reduction has shares on `link`: itself, and its
    /// counterpart for the opposite pair.
    pub(super) fn sides(&self, link: LinkId) -> impl Iterator<Item = (LinkId, bool)> {
        let opposite = self.mirror.is_some().then(|| (self.counterpart(link), true));
        std::iter::once((link, false)).chain(opposite)
    }

    /// Traffic against a link, and its mirror image where routings are their own.
    pub(super) fn images(&self, dual: DualDemand) -> Vec<DualDemand> {
        let image = self.mirror.as_ref().map(|mirror| mirrored(&dual, mirror));
        std::iter::once(dual).chain(image).collect()
    }

    /// The images of traffic that [`Self::images`] gives.
    pub(super) fn image_count(&self) -> usize {
        if self.mirror.is_some() { 2 } else { 1 }
    }

    /// The prices of links for the load of every link, from those of links and not of their
    /// counterparts.
    pub(super) fn of_all_links(&self, prices: Vec<(LinkId, Vec<f64>)>) -> Vec<Vec<f64>> {
        let of_image = |prices: &[f64]| {
            let other = |link: usize| Some(prices[*self.mirror.as_ref()?.get(link)? as usize]);
            (0..prices.len()).map_while(other).collect::<Vec<f64>>()
        };
        let links = prices.iter().map(|(link, _)| self.counterpart(*link).max(*link) as usize + 1);
        let mut of_links = vec![Vec::new(); links.max().unwrap_or(0)];
        for (link, prices) in prices {
            of_links[self.counterpart(link) as usize] = of_image(&prices);
            of_links[link as usize] = prices;
        }
        of_links
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
            if let Some(mirror) = &self.mirror {
                let back = (share.clone(), opposite(&links, mirror));
                known.entry((d, s)).or_default().push(back);
            }
            known.entry((s, d)).or_default().push((share, links));
        }
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
                let parts: Option<Vec<_>> = passed.iter().map(|pair| known.get(pair)).collect();
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
        let reduction = Reduction::new(&line, &network, pairs.clone(), true);
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
