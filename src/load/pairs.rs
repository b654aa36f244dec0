//! The SD pairs of every link, in bulk.
//!
//! Two passes over all pairs: the first counts, so that the second fills arrays of the exact
//! size. Sources are cut into a fixed number of blocks that are worked on in parallel; a
//! link's pairs are the concatenation of its blocks, hence sorted by source and the same for
//! any number of threads. Memory stays below [`PairCounts::BUDGET`] because the links are
//! taken in ranges.

use std::ops::Range;

use rayon::prelude::*;

use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};

const BLOCKS: usize = 16;
static ONE: Ratio = Ratio::ONE;

/// An SD pair on a link with the share of its traffic there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedPair<'a> {
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// Share of the pair's traffic that crosses the link, in (0, 1] for simple paths.
    pub share: &'a Ratio,
}

/// How many SD pairs every link carries, block by block. Links that are not wanted count 0.
pub struct PairCounts {
    blocks: Vec<Vec<u32>>,
    wanted: Vec<bool>,
}

impl PairCounts {
    /// Most (pair, link) entries that one [`LinkPairs`] holds, 8 bytes each (12 for
    /// multi-path routings).
    pub const BUDGET: u64 = 1 << 26;

    /// Counts the pairs of every link for which `wanted` is true; `None` when cancelled.
    /// O(N²·path length). `progress` advances by N.
    #[must_use]
    pub fn collect(instance: &Instance, wanted: Vec<bool>, progress: &Progress) -> Option<Self> {
        let count = |sources: Range<Host>| {
            let mut counts = vec![0_u32; wanted.len()];
            for_each_use(instance, sources, progress, |_, _, link, _| {
                counts[link as usize] += u32::from(wanted[link as usize]);
            })?;
            Some(counts)
        };
        let blocks = source_blocks(instance).into_par_iter().map(count).collect::<Option<_>>()?;
        Some(Self { blocks, wanted })
    }

    /// Number of pairs of a link.
    #[must_use]
    pub fn of(&self, link: LinkId) -> u64 {
        self.blocks.iter().map(|counts| u64::from(counts[link as usize])).sum()
    }

    /// Ranges of links, in order, that together are all links and hold at most
    /// [`Self::BUDGET`] entries each (or are a single link).
    #[must_use]
    pub fn batches(&self) -> Vec<Range<LinkId>> {
        let links = self.wanted.len() as LinkId;
        let (mut batches, mut start, mut entries) = (Vec::new(), 0, 0);
        for link in 0..links {
            let count = self.of(link);
            if link > start && entries + count > Self::BUDGET {
                batches.push(start..link);
                (start, entries) = (link, 0);
            }
            entries += count;
        }
        batches.push(start..links);
        batches
    }
}

/// The SD pairs of a range of links.
pub struct LinkPairs {
    first: LinkId,
    blocks: Vec<Block>,
}

#[derive(Default)]
struct Block {
    offsets: Vec<u32>,
    pairs: Vec<(Host, Host)>,
    /// Index into `shares` of every pair; empty for single-path routings.
    share_of: Vec<u32>,
    shares: Vec<Ratio>,
}

impl LinkPairs {
    /// The pairs of the links in `range` that were counted; `None` when cancelled.
    /// O(N²·path length).
    ///
    /// ```
    /// use routebound::{load::{LinkPairs, PairCounts}, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let links = instance.topology.links();
    /// let counts = PairCounts::collect(&instance, vec![true; links], &Progress::silent()).ok_or("cancelled")?;
    /// let pairs = LinkPairs::collect(&instance, &counts, 0..links as u32, &Progress::silent()).ok_or("cancelled")?;
    /// // The up link of host 0 carries its seven pairs.
    /// assert_eq!(pairs.of(0).map(|pair| pair.d).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn collect(
        instance: &Instance,
        counts: &PairCounts,
        range: Range<LinkId>,
        progress: &Progress,
    ) -> Option<Self> {
        let blocks = source_blocks(instance).into_par_iter().zip(&counts.blocks);
        let fill = |(sources, counted): (Range<Host>, &Vec<u32>)| {
            let sizes = &counted[range.start as usize..range.end as usize];
            let mut block = Block::with_sizes(sizes, instance.routing.is_single_path());
            let mut cursor = block.offsets.clone();
            for_each_use(instance, sources, progress, |s, d, link, share| {
                if range.contains(&link) && counts.wanted[link as usize] {
                    let at = &mut cursor[(link - range.start) as usize];
                    block.put(*at as usize, (s, d), share);
                    *at += 1;
                }
            })?;
            Some(block)
        };
        Some(Self { first: range.start, blocks: blocks.map(fill).collect::<Option<_>>()? })
    }

    /// The pairs of a link of the range, sorted by source, then destination.
    pub fn of(&self, link: LinkId) -> impl Iterator<Item = SharedPair<'_>> {
        let index = (link - self.first) as usize;
        self.blocks.iter().flat_map(move |block| block.of(index))
    }
}

impl Block {
    fn with_sizes(sizes: &[u32], single_path: bool) -> Self {
        let mut offsets = vec![0];
        offsets.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        let total = offsets.last().map_or(0, |total| *total as usize);
        Self {
            offsets,
            pairs: vec![(0, 0); total],
            share_of: if single_path { Vec::new() } else { vec![0; total] },
            shares: Vec::new(),
        }
    }

    fn put(&mut self, at: usize, pair: (Host, Host), share: &Ratio) {
        self.pairs[at] = pair;
        if !self.share_of.is_empty() {
            self.share_of[at] = self.share_id(share);
        }
    }

    fn share_id(&mut self, share: &Ratio) -> u32 {
        let known = self.shares.iter().position(|known| known == share);
        known.unwrap_or_else(|| {
            self.shares.push(share.clone());
            self.shares.len() - 1
        }) as u32
    }

    fn of(&self, index: usize) -> impl Iterator<Item = SharedPair<'_>> {
        let range = self.offsets[index] as usize..self.offsets[index + 1] as usize;
        range.map(|at| {
            let (s, d) = self.pairs[at];
            let share = self.share_of.get(at).map_or(&ONE, |id| &self.shares[*id as usize]);
            SharedPair { s, d, share }
        })
    }
}

fn source_blocks(instance: &Instance) -> Vec<Range<Host>> {
    let hosts = instance.topology.hosts();
    let size = hosts.div_ceil(BLOCKS).max(1);
    let starts = (0..hosts).step_by(size);
    starts.map(|start| start as Host..(start + size).min(hosts) as Host).collect()
}

/// Calls `visit(s, d, link, share)` once for every link that carries a pair of the given
/// sources; `None` when cancelled.
fn for_each_use(
    instance: &Instance,
    sources: Range<Host>,
    progress: &Progress,
    mut visit: impl FnMut(Host, Host, LinkId, &Ratio),
) -> Option<()> {
    let single = instance.routing.is_single_path();
    let (mut scratch, mut shared) = (Vec::new(), Vec::new());
    for s in sources {
        if progress.cancelled() {
            return None;
        }
        for d in (0..instance.topology.hosts() as Host).filter(|d| *d != s) {
            instance.routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
                if single {
                    for link in links {
                        visit(s, d, *link, &ONE);
                    }
                } else {
                    shared.extend(links.iter().map(|link| (*link, share.clone())));
                }
            });
            merge(&mut shared);
            shared.drain(..).for_each(|(link, share)| visit(s, d, link, &share));
        }
        progress.inc(1);
    }
    Some(())
}

/// Adds up the shares of every link.
fn merge(shared: &mut Vec<(LinkId, Ratio)>) {
    shared.sort_by_key(|(link, _)| *link);
    shared.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += &next.1;
        }
        same
    });
}
