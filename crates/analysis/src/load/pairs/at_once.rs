//! The pairs of all links from one look at every pair, and what they can put on a link at most.

use rayon::prelude::*;

use super::{Among, Block, LinkPairs, Pairs};
use crate::load::ShareNumbers;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId, link_number};
use crate::traffic::Rows;

/// Maximum number of SD pairs that are looked at, and of the (pair, link) entries that are kept of them, at 28 bytes
/// each.
const MAX_PAIRS: usize = 1 << 21;
const MAX_ENTRIES: usize = 1 << 24;

/// An SD pair on a link, with the number of its share.
struct Entry {
    link: LinkId,
    s: Host,
    d: Host,
    share: u32,
}

impl LinkPairs {
    /// The pairs of every link for which `wanted` is true, found at once and not counted before; `None` when cancelled,
    /// or where they are too many. O(N²·path length). `progress` advances by N.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::LinkPairs, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let pairs = LinkPairs::at_once(&instance, &[true; 32], &Progress::silent()).ok_or("too many")?;
    /// // The up link of host 0 carries its seven pairs.
    /// assert_eq!(pairs.of(0).map(|pair| pair.d).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    /// assert_eq!(pairs.at_most(8)[0], 1.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at_once(instance: &Instance, wanted: &[bool], progress: &Progress) -> Option<Self> {
        let hosts: Vec<Host> = instance.topology.host_numbers().collect();
        if hosts.len().pow(2) > MAX_PAIRS {
            return None;
        }
        let among = Among::Rows(Rows::all(&hosts, hosts.clone()));
        let pairs = Pairs { instance, among: &among, progress };
        let blocks = pairs.blocks();
        let most = MAX_ENTRIES / blocks.len().max(1);
        let look = |units| {
            let (mut entries, mut shares) = (Vec::new(), ShareNumbers::default());
            pairs.for_each_use(units, |s, d, links, share| {
                if entries.len() <= most {
                    let share = shares.number(share);
                    let wanted = links.iter().filter(|link| wanted[**link as usize]);
                    entries.extend(wanted.map(|link| Entry { link: *link, s, d, share }));
                }
            })?;
            let is_single_path = instance.routing.is_single_path();
            (entries.len() <= most)
                .then(|| Block::by_link(&entries, shares, wanted.len(), is_single_path))
        };
        let blocks = blocks.into_par_iter().map(look).collect::<Option<_>>()?;
        Some(Self { first: 0, blocks })
    }

    /// For every link, in order, what no permutation of `hosts` hosts exceeds there: the sum of the largest share of each
    /// source, or of each destination if that is less. O(entries + links·different shares).
    #[must_use]
    pub fn at_most(&self, hosts: usize) -> Vec<Rational> {
        let mut shares: Vec<&Rational> = self.blocks.iter().flat_map(|b| b.shares.all()).collect();
        shares.sort_unstable();
        shares.dedup();
        // Larger shares have higher ranks; 0 is for hosts without a pair.
        let rank = |share: &Rational| 1 + shares.partition_point(|known| *known < share);
        let ranks = self.blocks.iter().map(|block| block.shares.all().iter().map(rank).collect());
        let ranks: Vec<Vec<usize>> = ranks.collect();
        let links = self.blocks.first().map_or(0, |block| block.offsets.len() - 1);
        let of_link = |largest: &mut Vec<[usize; 2]>, link: LinkId| {
            largest.fill([0; 2]);
            for (block, ranks) in self.blocks.iter().zip(&ranks) {
                for ((s, d), share) in block.numbered(link as usize) {
                    let rank = ranks[share as usize];
                    for (way, host) in [s, d].into_iter().enumerate() {
                        let largest = &mut largest[host as usize][way];
                        *largest = rank.max(*largest);
                    }
                }
            }
            let sum = |way: usize| {
                let mut hosts = vec![0_u64; 1 + shares.len()];
                for ranks in largest.iter() {
                    hosts[ranks[way]] += 1;
                }
                let parts = hosts[1..].iter().zip(&shares).filter(|(hosts, _)| **hosts > 0);
                parts.fold(Rational::ZERO, |sum, (hosts, share)| {
                    &sum + &(*share * &Rational::from(*hosts))
                })
            };
            sum(0).min(sum(1))
        };
        let links = (0..link_number(links)).into_par_iter();
        links.map_init(|| vec![[0; 2]; hosts], of_link).collect()
    }
}

impl Block {
    /// Entries by link, in the order in which they come.
    fn by_link(
        entries: &[Entry],
        shares: ShareNumbers,
        links: usize,
        is_single_path: bool,
    ) -> Self {
        let mut sizes = vec![0; links];
        for entry in entries {
            sizes[entry.link as usize] += 1;
        }
        let mut block = Self { shares, ..Self::with_sizes(&sizes, is_single_path) };
        let mut cursor = block.offsets.clone();
        for entry in entries {
            let at = &mut cursor[entry.link as usize];
            block.put(*at as usize, (entry.s, entry.d), entry.share);
            *at += 1;
        }
        block
    }

    /// The pairs of a link with the numbers of their shares.
    fn numbered(&self, link: usize) -> impl Iterator<Item = ((Host, Host), u32)> {
        let range = self.offsets[link] as usize..self.offsets[link + 1] as usize;
        range.map(|at| (self.pairs[at], self.share_of.get(at).copied().unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::PairCounts;

    /// The pairs are those that two looks find, and the sums are added up one by one.
    #[test]
    fn one_look_finds_what_two_find() {
        let silent = Progress::silent();
        for routing in ["random(seed=3)", "ecmp-hash(seed=2,flows=5)", "ecmp"] {
            let instance = Instance::named("ft(4,3)", routing).unwrap();
            let links = instance.topology().links();
            let wanted: Vec<bool> = (0..links).map(|link| link % 5 > 0).collect();
            let once = LinkPairs::at_once(&instance, &wanted, &silent).unwrap();
            let counts = PairCounts::collect(&instance, wanted, &silent).unwrap();
            let all = 0..link_number(links);
            let twice = LinkPairs::collect(&instance, &counts, all.clone(), &silent).unwrap();
            for (link, most) in all.zip(once.at_most(16)) {
                assert!(once.of(link).eq(twice.of(link)), "{routing}: {link}");
                let largest = |is_source: bool| {
                    let of = |host: Host| {
                        let own = twice
                            .of(link)
                            .filter(|pair| host == if is_source { pair.s } else { pair.d });
                        own.map(|pair| pair.share.clone()).max().unwrap_or(Rational::ZERO)
                    };
                    (0..16).map(of).fold(Rational::ZERO, |sum, share| &sum + &share)
                };
                assert_eq!(most, largest(true).min(largest(false)), "{routing}: {link}");
            }
        }
    }
}
