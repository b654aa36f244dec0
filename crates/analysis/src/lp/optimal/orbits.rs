//! What symmetries take pairs on links to.
//!
//! A routing and its image under an automorphism have the same worst case, and the mean of both none that is larger:
//! some best routing is its own image under all of them. The share of a pair on a link is then the same as that of any
//! pair on any link to which symmetries take the two, their *orbit*; so the routing of one pair of every orbit of
//! pairs determines all, and its traffic may be averaged over the links of an orbit.
//!
//! The mirror image of a network, in which every link is taken by its counterpart, counts as a symmetry too: it takes the
//! pair (s,d) to (d,s).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use petgraph::unionfind::UnionFind;

use crate::rational::Rational;
use crate::symmetry::{Images, lowest};
use crate::topology::{Host, LinkId, link_number, node_number};

/// The paths of a pair, and their shares.
pub(super) type Shares = Vec<(Rational, Vec<LinkId>)>;

/// A symmetry, and whether it turns paths round.
pub(super) struct Action {
    images: Images,
    is_reversed: bool,
}

impl Action {
    /// An automorphism.
    pub(super) fn of(images: &Images) -> Self {
        Self { images: images.clone(), is_reversed: false }
    }

    /// The mirror image: every link goes to its counterpart.
    pub(super) fn mirror(nodes: usize, mirror: &[LinkId]) -> Self {
        let nodes = (0..node_number(nodes)).collect();
        Self { images: Images { nodes, links: mirror.to_vec() }, is_reversed: true }
    }

    fn pair(&self, pair: (Host, Host)) -> (Host, Host) {
        let (s, d) = self.images.pair(pair);
        if self.is_reversed { (d, s) } else { (s, d) }
    }

    fn link(&self, link: LinkId) -> LinkId {
        self.images.links[link as usize]
    }

    /// The image of an end, in the numbers of [`super::demands::ends`].
    fn end(&self, end: u32) -> u32 {
        2 * self.images.nodes[end as usize / 2] + ((end % 2) ^ u32::from(self.is_reversed))
    }

    /// The image of a path.
    fn path(&self, links: &[LinkId]) -> Vec<LinkId> {
        let mut path = self.images.path(links);
        if self.is_reversed {
            path.reverse();
        }
        path
    }
}

/// Orbits while they are joined.
pub(super) struct Union<'p> {
    pairs: &'p [(Host, Host)],
    of_pairs: UnionFind<u32>,
    of_links: UnionFind<LinkId>,
    of_both: UnionFind<u32>,
}

impl<'p> Union<'p> {
    pub(super) fn new(pairs: &'p [(Host, Host)], links: usize) -> Self {
        let (of_pairs, of_links) = (UnionFind::new(pairs.len()), UnionFind::new(links));
        Self { pairs, of_pairs, of_links, of_both: UnionFind::new(pairs.len() * links) }
    }

    /// Joins what a symmetry takes to each other; whether something was not joined before.
    pub(super) fn join(&mut self, action: &Action) -> bool {
        let links = link_number(action.images.links.len());
        for link in 0..links {
            self.of_links.union(link, action.link(link));
        }
        let mut is_new = false;
        for (at, pair) in (0..).zip(self.pairs) {
            let Ok(image) = self.pairs.binary_search(&action.pair(*pair)) else { continue };
            let image = link_number(image);
            self.of_pairs.union(at, image);
            for link in 0..links {
                is_new |= self.of_both.union(at * links + link, image * links + action.link(link));
            }
        }
        is_new
    }
}

/// Pairs within blocks, or all where blocks are left alone, and the orbits of them on links.
pub(super) struct Orbits {
    /// These pairs, in order.
    pairs: Vec<(Host, Host)>,
    links: usize,
    actions: Vec<Action>,
    /// The lowest pair of the orbit of every pair, and the lowest link of that of every link.
    first_pair: Vec<u32>,
    first_link: Vec<LinkId>,
    /// The orbit of every pair on every link, pair by pair; without symmetries each is one of its own.
    orbit: Option<Vec<u32>>,
}

impl Orbits {
    /// The orbits of `pairs`, which symmetries take to each other. O(pairs·links·symmetries), and as much memory
    /// as pairs times links.
    pub(super) fn new(pairs: Vec<(Host, Host)>, links: usize, mut actions: Vec<Action>) -> Self {
        let mut union = Union::new(&pairs, links);
        actions.retain(|action| union.join(action));
        let Union { of_pairs, of_links, of_both, .. } = union;
        let first_pair = lowest(&of_pairs.into_labeling());
        let first_link = lowest(&of_links.into_labeling());
        let orbit = (!actions.is_empty()).then(|| lowest(&of_both.into_labeling()));
        Self { pairs, links, actions, first_pair, first_link, orbit }
    }

    /// Whether some symmetry that joins orbits turns paths round.
    pub(super) fn is_reversed(&self) -> bool {
        self.actions.iter().any(|action| action.is_reversed)
    }

    /// The number of a pair, if it is one of them.
    pub(super) fn number(&self, pair: (Host, Host)) -> Option<u32> {
        self.pairs.binary_search(&pair).ok().map(link_number)
    }

    /// All of these pairs.
    pub(super) fn pairs(&self) -> &[(Host, Host)] {
        &self.pairs
    }

    /// The pairs that are the lowest of their orbits.
    pub(super) fn first_pairs(&self) -> Vec<(Host, Host)> {
        let is_first = |(at, first): &(u32, &u32)| at == *first;
        let firsts = (0..).zip(&self.first_pair).filter(is_first);
        firsts.map(|(at, _)| self.pairs[at as usize]).collect()
    }

    /// The lowest link of the orbit of a link.
    pub(super) fn first_link(&self, link: LinkId) -> LinkId {
        self.first_link[link as usize]
    }

    /// The orbit of pair number `pair` on a link: a number below [`Self::len`].
    pub(super) fn of(&self, pair: u32, link: LinkId) -> usize {
        let at = pair as usize * self.links + link as usize;
        self.orbit.as_ref().map_or(at, |orbit| orbit[at] as usize)
    }

    /// The orbit of every end of pairs on every link, end by end, in the numbers of [`super::demands::ends`].
    pub(super) fn of_ends(&self, hosts: usize) -> Vec<u32> {
        let links = link_number(self.links);
        let mut orbits = UnionFind::new(2 * hosts * self.links);
        for action in &self.actions {
            for end in 0..2 * node_number(hosts) {
                for link in 0..links {
                    orbits.union(end * links + link, action.end(end) * links + action.link(link));
                }
            }
        }
        lowest(&orbits.into_labeling())
    }

    /// The numbers of all links.
    pub(super) fn links(&self) -> std::ops::Range<LinkId> {
        0..link_number(self.links)
    }

    /// A number that is greater than all orbits.
    pub(super) fn len(&self) -> usize {
        self.pairs.len() * self.links
    }

    /// The lowest pair of the orbit of a pair, and the links on which it is in the same orbit as the pair is on `link`.
    pub(super) fn links_of_first(&self, pair: u32, link: LinkId) -> ((Host, Host), Vec<LinkId>) {
        let first = self.first_pair[pair as usize];
        let links = if self.orbit.is_some() {
            let orbit = self.of(pair, link);
            self.links().filter(|link| self.of(first, *link) == orbit).collect()
        } else {
            vec![link]
        };
        (self.pairs[first as usize], links)
    }

    /// The paths of all pairs, given those of the lowest one of every orbit: pairs that are reached from it get their
    /// images.
    pub(super) fn spread(
        &self,
        paths_of: impl Fn((Host, Host)) -> Shares,
    ) -> HashMap<(Host, Host), Shares> {
        let mut found: Vec<Option<Shares>> = vec![None; self.pairs.len()];
        for first in
            (0..link_number(self.pairs.len())).filter(|at| self.first_pair[*at as usize] == *at)
        {
            found[first as usize] = Some(paths_of(self.pairs[first as usize]));
            let mut waiting = vec![first];
            while let Some(at) = waiting.pop() {
                for action in &self.actions {
                    let Some(image) = self.number(action.pair(self.pairs[at as usize])) else {
                        continue;
                    };
                    if found[image as usize].is_none() {
                        let own = found[at as usize].iter().flatten();
                        let moved = own.map(|(share, links)| (share.clone(), action.path(links)));
                        found[image as usize] = Some(moved.collect());
                        waiting.push(image);
                    }
                }
            }
        }
        self.pairs.iter().copied().zip(found.into_iter().map(Option::unwrap_or_default)).collect()
    }

    /// The images of the paths of a pair that are paths of the pair itself, which share alike what one of them has.
    pub(super) fn mean(&self, pair: (Host, Host), shares: &Shares) -> Shares {
        let mut sums: BTreeMap<Vec<LinkId>, Rational> = BTreeMap::new();
        for (share, links) in shares {
            let mut images = BTreeSet::from([(pair, links.clone())]);
            let mut waiting: Vec<_> = images.iter().cloned().collect();
            while let Some((pair, links)) = waiting.pop() {
                for action in &self.actions {
                    let image = (action.pair(pair), action.path(&links));
                    if images.insert(image.clone()) {
                        waiting.push(image);
                    }
                }
            }
            let own: Vec<_> = images.into_iter().filter(|(of, _)| *of == pair).collect();
            let each = share.checked_div(&Rational::from(own.len() as u64));
            let each = each.expect("a path is an image of itself");
            for (_, links) in own {
                *sums.entry(links).or_insert(Rational::ZERO) += &each;
            }
        }
        sums.into_iter().map(|(links, share)| (share, links)).collect()
    }

    /// Prices of all links for the load of every link, given those for the load of some. Empty where none are given
    /// for any link of an orbit.
    pub(super) fn of_all_links(&self, prices: Vec<(LinkId, Vec<f64>)>) -> Vec<Vec<f64>> {
        let mut of_links = vec![Vec::new(); self.links];
        let mut waiting = Vec::new();
        for (link, prices) in prices.into_iter().filter(|(_, prices)| prices.len() == self.links) {
            of_links[link as usize] = prices;
            waiting.push(link);
        }
        while let Some(link) = waiting.pop() {
            for action in &self.actions {
                let image = action.link(link) as usize;
                if of_links[image].is_empty() {
                    let mut moved = vec![0.0; self.links];
                    for (other, price) in (0..).zip(&of_links[link as usize]) {
                        moved[action.link(other) as usize] = *price;
                    }
                    of_links[image] = moved;
                    waiting.push(action.link(link));
                }
            }
        }
        of_links
    }
}
