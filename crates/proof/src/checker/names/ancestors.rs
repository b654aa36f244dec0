//! All pairs of a tree, where each has one path that one number describes.
//!
//! A tree XGFT(h; m1..mh; w1..wh) has W_l = w1⋯wl nodes of level l over each subtree of height l: node (A, B) is
//! number B of those over subtree A, hosts being their own subtrees of height 0. The two *links of step l* with the
//! number B of subtree A of height l−1 join node (A, B ÷ w_l) of level l−1 with node (A ÷ m_l, B) of level l. So the
//! shortest paths of a pair whose nearest common ancestors have level L are numbered like these: the one through
//! ancestor B passes, at every step l up to L, the up link of the source's subtree and the down link of the
//! destination's with the number B ÷ (w_{l+1}⋯w_L).
//!
//! That every link is where these numbers say is verified link by link. Then each number below W_L is a path, and
//! nothing is left to verify of it. Of the hosts at the ends of a link's pairs, those on the side of its subtree are
//! no more than that has; where a claim needs fewer, they are counted on both sides, in one visit to every pair.
//!
//! What is shown in this way to be right needs no other look. All else is left to the walk along paths, which finds
//! out what is wrong, or right for other reasons.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::cover::Covers;
use super::ends::{Way, Weighing};
use super::network::Network;
use super::{NamedRoutes, Result, Tree, parallel};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

/// Maximum number of words for the hosts at the ends of links.
const MAX_WORDS: usize = 1 << 23;

impl Tree {
    /// Number of subtrees of this height.
    fn subtrees(&self, height: usize) -> u32 {
        self.subtree_hosts(self.height()) / self.subtree_hosts(height)
    }

    /// The numbers of the first up link and of the first down link of every step, from step 1 on; `None` where not
    /// all links are where the numbers of a tree say, with capacity 1.
    fn first_links(&self, network: &Network) -> Option<Vec<[LinkId; 2]>> {
        let (mut firsts, mut first, mut nodes) = (Vec::new(), 0_u32, 0_u32);
        for step in 1..=self.height() {
            let (subtrees, width) = (self.subtrees(step - 1), self.shortest_paths(step));
            let below = subtrees.checked_mul(self.shortest_paths(step - 1))?;
            let (links, above) = (subtrees.checked_mul(width)?, nodes.checked_add(below)?);
            let down = first.checked_add(links)?;
            for (a, b) in (0..subtrees).flat_map(|a| (0..width).map(move |b| (a, b))) {
                let lower = nodes + a * self.shortest_paths(step - 1) + b / self.parents(step);
                let upper = above.checked_add(a / self.children(step) * width + b)?;
                let place = a * width + b;
                is_link(network, first + place, (lower, upper)).then_some(())?;
                is_link(network, down.checked_add(place)?, (upper, lower)).then_some(())?;
            }
            firsts.push([first, down]);
            (first, nodes) = (down.checked_add(links)?, above);
        }
        (first as usize == network.links.len()).then_some(firsts)
    }
}

/// Whether there is such a link.
fn is_link(network: &Network, link: LinkId, ends: (NodeId, NodeId)) -> bool {
    let capacity = network.links.get(link as usize).map(|link| &link.capacity);
    network.ends(link) == Some(ends) && capacity == Some(&Rational::ONE)
}

impl Covers<'_> {
    /// Whether all pairs of a routing on a tree have paths, and every link's cover covers them or its ends are as few
    /// as every claim needs; `false` where that was not found out.
    pub(in crate::checker) fn hold_on_tree(
        &self,
        network: &Network,
        routes: &NamedRoutes,
        weighing: &Weighing<'_>,
    ) -> Result<bool> {
        let tree = network.named.as_ref().and_then(|named| named.network.tree());
        let Some(tree) =
            tree.filter(|tree| tree.subtree_hosts(tree.height()) as usize == network.hosts)
        else {
            return Ok(false);
        };
        let Some(firsts) = tree.first_links(network).filter(|_| routes.is_single_path()) else {
            return Ok(false);
        };
        let Some(most) = weighing.most_hosts(&tree)?.filter(|_| self.are_by_ends(&tree, &firsts))
        else {
            return Ok(false);
        };
        let counted =
            (1..=tree.height()).filter(|step| tree.subtree_hosts(step - 1) > most).collect();
        match Pairs::new(network, routes, &tree, counted) {
            Some(pairs) => Ok(pairs.visit()? && pairs.are_few(&firsts, weighing, most)),
            None => Ok(false),
        }
    }

    /// Whether all links are covered by their ends, except that those of a host may be covered by it.
    fn are_by_ends(&self, tree: &Tree, firsts: &[[LinkId; 2]]) -> bool {
        let ([up, down], hosts) = (firsts[0], tree.subtree_hosts(tree.height()));
        let links = hosts * tree.parents(1);
        let is_full = |link: LinkId| match (link.checked_sub(up), link.checked_sub(down)) {
            (_, Some(place)) if place < links => {
                self.is_full(link, Host::MAX, place / tree.parents(1))
            }
            (Some(place), None) => self.is_full(link, place / tree.parents(1), Host::MAX),
            _ => false,
        };
        let mut links = (0..).take(self.by_link.len());
        links.all(|link| self.is_by_ends(link) || is_full(link))
    }
}

impl Weighing<'_> {
    /// The largest number of hosts that may be at one end of a link's pairs, in every way, where all hosts weigh the
    /// same and all links have capacity 1; `None` where that is none at all.
    fn most_hosts(&self, tree: &Tree) -> Result<Option<u32>> {
        let weigh = |way: &Way<'_>| way.weight(self.network, 0, true);
        let weights = self.ways.iter().map(weigh).collect::<Result<Vec<_>, _>>()?;
        let allows = |hosts: &u32| {
            let weigh = |weight: &Rational| weight * &Rational::from(u64::from(*hosts));
            let mut ways = self.ways.iter().zip(&weights);
            ways.all(|(way, weight)| way.exceeded(self.network, 0, &weigh(weight)).is_none())
        };
        let counts: Vec<u32> = (1..=tree.subtree_hosts(tree.height())).collect();
        let most = counts.partition_point(allows);
        Ok(u32::try_from(most).ok().filter(|most| *most > 0))
    }
}

/// The hosts at the ends of the pairs on the links of a subtree in one direction.
struct Ends {
    /// On each link, which of the subtree's own hosts, and which others in the tile that is visited.
    bits: Vec<u64>,
    /// How many others in the tiles before.
    before: Vec<u32>,
}

/// A step whose ends are counted.
struct Step {
    step: usize,
    /// By the place of a host in its subtree of height h−1, the first of the links that the step has for it.
    first: Vec<usize>,
}

/// All pairs, in tiles: those from the hosts of one subtree of height h−1 to those of another.
struct Pairs<'a> {
    network: &'a Network,
    routes: &'a NamedRoutes,
    tree: &'a Tree,
    steps: Vec<Step>,
    hosts: Vec<Host>,
    /// Words for the own hosts of a link, and as many for others.
    words: usize,
    /// By subtree, of its up links and of its down links.
    ends: [Vec<Mutex<Ends>>; 2],
}

impl<'a> Pairs<'a> {
    /// Nothing is counted; `None` if that would need too much memory.
    fn new(
        network: &'a Network,
        routes: &'a NamedRoutes,
        tree: &'a Tree,
        counted: Vec<usize>,
    ) -> Option<Self> {
        let below = tree.height() - 1;
        let (size, mut links, mut steps) = (tree.subtree_hosts(below), 0, Vec::new());
        for step in counted {
            let (part, width) = (tree.subtree_hosts(step - 1), tree.shortest_paths(step) as usize);
            let first = (0..size).map(|place| links + (place / part) as usize * width).collect();
            steps.push(Step { step, first });
            links += (size / part) as usize * width;
        }
        let (words, subtrees) = (size.div_ceil(64) as usize, tree.subtrees(below));
        let bits = links.checked_mul(2 * words)?;
        (bits.checked_mul(2 * subtrees as usize)? <= MAX_WORDS).then_some(())?;
        let empty = |_| Mutex::new(Ends { bits: vec![0; bits], before: vec![0; links] });
        let ends = [0, 1].map(|_| (0..subtrees).map(empty).collect());
        let hosts = network.host_numbers().collect();
        Some(Self { network, routes, tree, steps, hosts, words, ends })
    }

    /// Visits every pair once, in rounds in which every subtree sends to one and receives from one. Whether all have
    /// paths.
    fn visit(&self) -> Result<bool> {
        let subtrees: Vec<usize> = (0..self.ends[0].len()).collect();
        for round in &subtrees {
            let tiles = parallel::map(&subtrees, |from| {
                self.visit_tile(*from, (from + round) % subtrees.len())
            });
            for tile in tiles {
                if !tile? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn visit_tile(&self, from: usize, to: usize) -> Result<bool> {
        let locked = [&self.ends[0][from], &self.ends[1][to]];
        let [mut up, mut down] =
            locked.map(|ends| ends.lock().unwrap_or_else(PoisonError::into_inner));
        let size = self.hosts.len() / self.ends[0].len();
        let [sources, destinations] =
            [from, to].map(|subtree| &self.hosts[subtree * size..][..size]);
        // Sources one after another that have the same ancestors are taken together.
        let (mut ancestors, mut next, mut first) = (vec![0; size], vec![0; size], 0);
        for (place, s) in sources.iter().enumerate() {
            self.network.go_on()?;
            if !self.routes.ancestors_from(*s, destinations, &mut next) {
                return Ok(false);
            }
            let are_paths = if from == to {
                self.take_near((*s, place), destinations, &next, (&mut up, &mut down))
            } else if next == ancestors {
                true
            } else {
                let sources = std::mem::replace(&mut first, place)..place;
                let are_paths = self.take_far(sources, &ancestors, (&mut up, &mut down));
                std::mem::swap(&mut ancestors, &mut next);
                are_paths
            };
            if !are_paths {
                return Ok(false);
            }
        }
        if from != to && !self.take_far(first..size, &ancestors, (&mut up, &mut down)) {
            return Ok(false);
        }
        up.end_tile(self.words);
        down.end_tile(self.words);
        Ok(true)
    }

    /// Takes the pairs from some sources, by their places, to the hosts of another subtree: their nearest common
    /// ancestors are at the top, and those of all sources are the same.
    fn take_far(
        &self,
        sources: Range<usize>,
        ancestors: &[u32],
        (up, down): (&mut Ends, &mut Ends),
    ) -> bool {
        let paths = self.tree.shortest_paths(self.tree.height());
        if ancestors.iter().fold(0, |most, ancestor| most.max(*ancestor)) >= paths {
            return false;
        }
        for Step { step, first } in self.steps.iter().filter(|_| !sources.is_empty()) {
            let parts = paths / self.tree.shortest_paths(*step);
            let number = |ancestor: &u32| if parts == 1 { *ancestor } else { ancestor / parts };
            let numbers: Vec<usize> = ancestors.iter().map(|a| number(a) as usize).collect();
            let mut rest = sources.clone();
            while let Some(links) = first[rest.clone()].first() {
                let below = first[rest.clone()].partition_point(|other| other == links);
                let own = Places::of(rest.start..rest.start + below);
                for (place, b) in numbers.iter().enumerate() {
                    up.see_all((self.words, links + b), (false, place), &own);
                }
                rest.start += below;
            }
            let others = Places::of(sources.clone());
            for ((place, b), links) in numbers.iter().enumerate().zip(first) {
                down.see_all((self.words, links + b), (true, place), &others);
            }
        }
        true
    }

    /// Takes the pairs of a source with the other hosts of its subtree.
    fn take_near(
        &self,
        (s, source): (Host, usize),
        destinations: &[Host],
        ancestors: &[u32],
        (up, down): (&mut Ends, &mut Ends),
    ) -> bool {
        destinations.iter().zip(ancestors).enumerate().all(|(place, (d, ancestor))| {
            let level = self.tree.nca_level(s, *d);
            let is_path = *ancestor < self.tree.shortest_paths(level);
            let steps = self.steps.iter().filter(|step| step.step <= level && is_path);
            for Step { step, first } in steps {
                let parts = self.tree.shortest_paths(level) / self.tree.shortest_paths(*step);
                let b = (ancestor / parts) as usize;
                up.see(self.words, first[source] + b, (source, place));
                down.see(self.words, first[place] + b, (place, source));
            }
            is_path || s == *d
        })
    }

    /// Whether each link that is weighed has at most so many hosts at one end of its pairs.
    fn are_few(&self, firsts: &[[LinkId; 2]], weighing: &Weighing<'_>, most: u32) -> bool {
        let subtrees = self.tree.subtrees(self.tree.height() - 1);
        self.steps.iter().all(|Step { step, first }| {
            let links = self.tree.subtrees(step - 1) / subtrees * self.tree.shortest_paths(*step);
            let sides = self.ends.iter().zip(firsts[step - 1]);
            let mut ends = sides.flat_map(|(ends, link)| {
                (0..).zip(ends).map(move |(subtree, ends): (u32, _)| (link + subtree * links, ends))
            });
            ends.all(|(link, ends)| {
                let ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
                let is_weighed = |link: u32| weighing.slot[link as usize].is_some();
                let rows = (link..link + links).zip(first[0]..);
                let mut weighed = rows.filter(|(link, _)| is_weighed(*link));
                weighed.all(|(_, row)| ends.fewer(self.words, row) <= most)
            })
        })
    }
}

/// Hosts whose places in a subtree follow each other: bits from a word on.
struct Places {
    word: usize,
    bits: Vec<u64>,
}

impl Places {
    fn of(places: Range<usize>) -> Self {
        let word = places.start / 64;
        let mut bits = vec![0; places.end.div_ceil(64) - word];
        places.for_each(|place| bits[place / 64 - word] |= 1 << (place % 64));
        Self { word, bits }
    }
}

impl Ends {
    /// Takes the pairs of one host, own or other, with some at the other end of a link into account.
    #[inline]
    fn see_all(
        &mut self,
        (words, link): (usize, usize),
        (is_own, place): (bool, usize),
        places: &Places,
    ) {
        let row = &mut self.bits[link * 2 * words..][..2 * words];
        let (own, others) = row.split_at_mut(words);
        let (one, some) = if is_own { (own, others) } else { (others, own) };
        one[place / 64] |= 1 << (place % 64);
        let words = some[places.word..].iter_mut();
        words.zip(&places.bits).for_each(|(word, bits)| *word |= bits);
    }

    /// Takes a pair on a link into account, by the places of its own and its other host.
    #[inline]
    fn see(&mut self, words: usize, link: usize, (own, other): (usize, usize)) {
        let row = &mut self.bits[link * 2 * words..][..2 * words];
        row[own / 64] |= 1 << (own % 64);
        row[words + other / 64] |= 1 << (other % 64);
    }

    /// Counts the other hosts of a tile, and forgets them.
    fn end_tile(&mut self, words: usize) {
        for (row, before) in self.bits.chunks_exact_mut(2 * words).zip(&mut self.before) {
            let others = &mut row[words..];
            *before += others.iter().map(|word| word.count_ones()).sum::<u32>();
            others.fill(0);
        }
    }

    /// The number of hosts at the end of a link's pairs that has fewer.
    fn fewer(&self, words: usize, link: usize) -> u32 {
        let own = &self.bits[link * 2 * words..][..words];
        own.iter().map(|word| word.count_ones()).sum::<u32>().min(self.before[link])
    }
}
