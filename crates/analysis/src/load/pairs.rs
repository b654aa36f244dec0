//! The SD pairs of every link, in bulk: out of all pairs, or only those with given traffic.
//!
//! Two passes over the pairs: the first counts, so that the second fills arrays of the exact
//! size. Pairs are divided into a fixed number of blocks that are processed in parallel; a link's
//! pairs are the concatenation of its blocks, hence sorted by source and the same for any
//! number of threads. Memory stays below [`PairCounts::BUDGET`] because the links are
//! processed in ranges.

mod at_once;

use std::ops::Range;

use rayon::prelude::*;

use super::ShareNumbers;
use super::largest_shares::{LargestShares, sums};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId, link_number};
use crate::traffic::{Demand, Rows};

const BLOCKS: usize = 16;
static ONE: Rational = Rational::ONE;

/// An SD pair on a link, with the share of its traffic there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedPair<'a> {
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// Share of the pair's traffic that crosses the link, in (0, 1] for simple paths.
    pub share: &'a Rational,
}

/// Numbers of SD pairs of every link, block by block; 0 for links that are not wanted.
pub struct PairCounts {
    blocks: Vec<Vec<u32>>,
    wanted: Vec<bool>,
    among: Among,
}

/// The pairs that are looked at.
#[derive(Clone)]
enum Among {
    /// All of these.
    Rows(Rows),
    /// These, sorted.
    Chosen(Vec<(Host, Host)>),
}

impl PairCounts {
    /// Maximum number of (pair, link) entries that one [`LinkPairs`] holds, at 8 bytes each (12 for
    /// multi-path routings).
    pub const BUDGET: u64 = 1 << 26;

    /// Counts the pairs of every link for which `wanted` is true; `None` when cancelled.
    /// O(N²·path length). `progress` advances by N.
    #[must_use]
    pub fn collect(instance: &Instance, wanted: Vec<bool>, progress: &Progress) -> Option<Self> {
        let hosts: Vec<Host> = instance.topology.host_numbers().collect();
        Self::between(instance, wanted, &hosts, hosts.clone(), progress)
    }

    /// Counts the pairs from the given sources, in ascending order, to the given destinations on every link for which
    /// `wanted` is true; `None` when cancelled. O(sources·destinations·path length). `progress` advances by the number
    /// of sources.
    #[must_use]
    pub fn between(
        instance: &Instance,
        wanted: Vec<bool>,
        sources: &[Host],
        destinations: Vec<Host>,
        progress: &Progress,
    ) -> Option<Self> {
        Self::of_rows(instance, wanted, Rows::all(sources, destinations), progress)
    }

    /// Counts pairs as [`Self::between`] does, and adds up, for every link, the room of each source times its largest
    /// share there: the most that the sources put on it.
    #[must_use]
    pub fn with_sums(
        instance: &Instance,
        wanted: Vec<bool>,
        sources: &[Host],
        destinations: Vec<Host>,
        room: &(dyn Fn(Host) -> u64 + Sync),
        progress: &Progress,
    ) -> Option<(Self, Vec<Rational>)> {
        let among = Among::Rows(Rows::all(sources, destinations));
        let pairs = Pairs { instance, among: &among, progress };
        let links = wanted.len();
        let look = |block: Range<usize>| {
            let (mut largest, mut source) = (LargestShares::new(links), None);
            pairs.for_each_use(block, |s, _, links, share| {
                if let Some(last) = source.replace(s).filter(|last| *last != s) {
                    largest.end(room(last));
                }
                largest.take(share, links);
            })?;
            if let Some(last) = source {
                largest.end(room(last));
            }
            Some(largest)
        };
        let blocks = pairs.blocks().into_par_iter().map(look).collect::<Option<Vec<_>>>()?;
        let of_wanted = |(pairs, wanted): (u32, &bool)| if *wanted { pairs } else { 0 };
        let counts = |block: &LargestShares| block.pairs().zip(&wanted).map(of_wanted).collect();
        let counts = blocks.iter().map(counts).collect();
        Some((Self { blocks: counts, wanted, among }, sums(links, blocks)))
    }

    /// The counts of some links alone. O(links).
    #[must_use]
    pub fn only(&self, links: &[LinkId]) -> Self {
        let mut wanted = vec![false; self.wanted.len()];
        for link in links {
            wanted[*link as usize] = self.wanted[*link as usize];
        }
        let left = |(count, wanted): (&u32, &bool)| if *wanted { *count } else { 0 };
        let of_block = |counts: &Vec<u32>| counts.iter().zip(&wanted).map(left).collect();
        let blocks = self.blocks.iter().map(of_block).collect();
        Self { blocks, wanted, among: self.among.clone() }
    }

    /// Counts the pairs of `rows` on every link for which `wanted` is true; else like [`Self::between`].
    #[must_use]
    pub fn of_rows(
        instance: &Instance,
        wanted: Vec<bool>,
        rows: Rows,
        progress: &Progress,
    ) -> Option<Self> {
        Self::count(instance, wanted, Among::Rows(rows), progress)
    }

    /// Counts the pairs of `demands` on every link; `None` when cancelled. A pair counts once,
    /// however many demands it has. O(demands·(log demands + path length)). `progress` advances
    /// by the number of pairs.
    #[must_use]
    pub fn of_traffic(
        instance: &Instance,
        demands: &[Demand],
        progress: &Progress,
    ) -> Option<Self> {
        let mut chosen: Vec<_> = demands.iter().map(|demand| (demand.s, demand.d)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let wanted = vec![true; instance.topology.links()];
        Self::count(instance, wanted, Among::Chosen(chosen), progress)
    }

    fn count(
        instance: &Instance,
        wanted: Vec<bool>,
        among: Among,
        progress: &Progress,
    ) -> Option<Self> {
        let pairs = Pairs { instance, among: &among, progress };
        let of_block = |block: Range<usize>| {
            let mut counts = vec![0_u32; wanted.len()];
            pairs.for_each_use(block, |_, _, links, _| count(&mut counts, links, &wanted))?;
            Some(counts)
        };
        let blocks = pairs.blocks().into_par_iter().map(of_block).collect::<Option<_>>()?;
        Some(Self { blocks, wanted, among })
    }

    /// Number of pairs of a link.
    #[must_use]
    pub fn of(&self, link: LinkId) -> u64 {
        self.blocks.iter().map(|counts| u64::from(counts[link as usize])).sum()
    }

    /// Ranges of links, in order, that together cover all links and hold at most
    /// [`Self::BUDGET`] entries each (or are a single link).
    #[must_use]
    pub fn batches(&self) -> Vec<Range<LinkId>> {
        self.batches_of(Self::BUDGET)
    }

    /// Batches with a given number of entries at most, for several that hold pairs at the same time.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::PairCounts, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let counts = PairCounts::collect(&instance, vec![true; 32], &Progress::silent());
    /// let counts = counts.ok_or("stopped")?;
    /// // A host sends to 7 others.
    /// assert_eq!(counts.batches_of(14)[0], 0..2);
    /// assert_eq!(counts.batches_of(1).len(), 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn batches_of(&self, most: u64) -> Vec<Range<LinkId>> {
        let links = link_number(self.wanted.len());
        let (mut batches, mut start, mut entries) = (Vec::new(), 0, 0);
        for link in 0..links {
            let count = self.of(link);
            if link > start && entries + count > most {
                batches.push(start..link);
                (start, entries) = (link, 0);
            }
            entries += count;
        }
        batches.push(start..links);
        batches
    }
}

/// Counts a pair on its links.
fn count(counts: &mut [u32], links: &[LinkId], wanted: &[bool]) {
    for link in links {
        counts[*link as usize] += u32::from(wanted[*link as usize]);
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
    /// Number of the share of every pair; empty for single-path routings.
    share_of: Vec<u32>,
    shares: ShareNumbers,
}

impl LinkPairs {
    /// The counted pairs of the links in `range`; `None` when cancelled.
    /// O(N²·path length).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::{LinkPairs, PairCounts}, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let links = instance.topology().links();
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
        let pairs = Pairs { instance, among: &counts.among, progress };
        let blocks = pairs.blocks().into_par_iter().zip(&counts.blocks);
        let fill = |(units, counted): (Range<usize>, &Vec<u32>)| {
            let sizes = &counted[range.start as usize..range.end as usize];
            let mut block = Block::with_sizes(sizes, instance.routing.is_single_path());
            let mut cursor = block.offsets.clone();
            pairs.for_each_use(units, |s, d, links, share| {
                let is_wanted =
                    |link: &&LinkId| range.contains(*link) && counts.wanted[**link as usize];
                let mut wanted = links.iter().filter(is_wanted).peekable();
                if wanted.peek().is_none() {
                    return;
                }
                let share = block.share_number(share);
                for link in wanted {
                    let at = &mut cursor[(link - range.start) as usize];
                    block.put(*at as usize, (s, d), share);
                    *at += 1;
                }
            })?;
            Some(block)
        };
        Some(Self { first: range.start, blocks: blocks.map(fill).collect::<Option<_>>()? })
    }

    /// The pairs of a link in the range, sorted by source, then destination.
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
            ..Self::default()
        }
    }

    fn put(&mut self, at: usize, pair: (Host, Host), share: u32) {
        self.pairs[at] = pair;
        if let Some(entry) = self.share_of.get_mut(at) {
            *entry = share;
        }
    }

    /// The number of a share; 0 for single-path routings, which store none.
    fn share_number(&mut self, share: &Rational) -> u32 {
        if self.share_of.is_empty() { 0 } else { self.shares.number(share) }
    }

    fn of(&self, index: usize) -> impl Iterator<Item = SharedPair<'_>> {
        let range = self.offsets[index] as usize..self.offsets[index + 1] as usize;
        range.map(|at| {
            let (s, d) = self.pairs[at];
            let share =
                self.share_of.get(at).and_then(|number| self.shares.get(*number)).unwrap_or(&ONE);
            SharedPair { s, d, share }
        })
    }
}

/// The pairs to visit, in units: a source with all its destinations, or one chosen pair.
struct Pairs<'a> {
    instance: &'a Instance,
    among: &'a Among,
    progress: &'a Progress,
}

impl Pairs<'_> {
    fn blocks(&self) -> Vec<Range<usize>> {
        let units = match self.among {
            Among::Rows(rows) => rows.sources.len(),
            Among::Chosen(pairs) => pairs.len(),
        };
        let size = units.div_ceil(BLOCKS).max(1);
        (0..units).step_by(size).map(|start| start..(start + size).min(units)).collect()
    }

    /// Calls `visit(s, d, links, share)` such that, for each pair of the units, every link that
    /// carries it occurs once; `None` when cancelled.
    fn for_each_use(
        &self,
        units: Range<usize>,
        mut visit: impl FnMut(Host, Host, &[LinkId], &Rational),
    ) -> Option<()> {
        let routing = &self.instance.routing;
        let mut scratch = UseScratch::default();
        for unit in units {
            if self.progress.cancelled() {
                return None;
            }
            match self.among {
                Among::Rows(rows) => {
                    let (s, set) = rows.sources[unit];
                    let destinations = &rows.sets[set];
                    let mut visit = |place: usize, share: &Rational, links: &[LinkId]| {
                        visit(s, destinations[place], links, share);
                    };
                    routing.for_each_use_from(s, destinations, &mut scratch, &mut visit);
                }
                Among::Chosen(pairs) => {
                    let (s, d) = pairs[unit];
                    let mut visit = |share: &Rational, links: &[LinkId]| visit(s, d, links, share);
                    routing.for_each_use(s, d, &mut scratch, &mut visit);
                }
            }
            self.progress.inc(1);
        }
        Some(())
    }
}
