//! The largest share of every source, or destination, on every link: what it can send, or receive, over
//! the link, whatever the others do.

use rayon::prelude::*;

use super::ShareNumbers;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId};

/// Destinations that are looked at one after the other.
const BLOCK: usize = 16;

/// Stands for "none".
const NONE: u32 = u32::MAX;

/// For every link the sum over `destinations` of their room times their largest share there, over all of
/// `sources`; `None` when cancelled. O(sources·destinations·path length). `progress` advances by the
/// number of destinations.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::sums_by_destination, progress::Progress, rational::Rational, routing::Instance};
/// let instance = Instance::named("ft(4,2)", "ecmp")?;
/// let hosts: Vec<_> = (0..8).collect();
/// let sums = sums_by_destination(&instance, &hosts, &[(6, 1), (7, 2)], &Progress::silent());
/// // One of the two links up from the first leaf has half of what is sent to each.
/// assert_eq!(sums.and_then(|sums| sums.get(16).cloned()), Rational::new(3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sums_by_destination(
    instance: &Instance,
    sources: &[Host],
    destinations: &[(Host, u64)],
    progress: &Progress,
) -> Option<Vec<Rational>> {
    let links = instance.topology.links();
    let of_block = |block: &[(Host, u64)]| {
        let (mut largest, mut scratch) = (LargestShares::new(links), UseScratch::default());
        for (d, room) in block {
            if progress.cancelled() {
                return None;
            }
            for s in sources.iter().filter(|s| *s != d) {
                let take = &mut |share: &Rational, links: &[LinkId]| largest.take(share, links);
                instance.routing.for_each_use(*s, *d, &mut scratch, take);
            }
            largest.end(*room);
            progress.inc(1);
        }
        Some(largest)
    };
    let blocks = destinations.par_chunks(BLOCK).map(of_block);
    Some(sums(links, blocks.collect::<Option<Vec<_>>>()?))
}

/// The largest shares of one source or destination after the other.
pub(super) struct LargestShares {
    shares: ShareNumbers,
    links: Vec<OnLink>,
    /// The links on which the end at hand has a share.
    used: Vec<LinkId>,
    /// By link, numbers of shares with the room of ends of which they are the largest.
    found: Vec<Vec<(u32, u64)>>,
}

/// What is known of a link.
#[derive(Clone)]
struct OnLink {
    /// Number of the largest share so far of the end at hand.
    largest: u32,
    /// Pairs of all ends.
    pairs: u32,
}

impl LargestShares {
    pub(super) fn new(links: usize) -> Self {
        Self {
            shares: ShareNumbers::default(),
            links: vec![OnLink { largest: NONE, pairs: 0 }; links],
            used: Vec::new(),
            found: vec![Vec::new(); links],
        }
    }

    /// A pair of the end at hand has a share on these links.
    pub(super) fn take(&mut self, share: &Rational, links: &[LinkId]) {
        let number = self.shares.number(share);
        for link in links {
            let on_link = &mut self.links[*link as usize];
            on_link.pairs += 1;
            if on_link.largest == NONE {
                on_link.largest = number;
                self.used.push(*link);
            } else if on_link.largest != number && Some(share) > self.shares.get(on_link.largest) {
                on_link.largest = number;
            }
        }
    }

    /// The end at hand has this room, and another one follows.
    pub(super) fn end(&mut self, room: u64) {
        for link in self.used.drain(..) {
            let number = std::mem::replace(&mut self.links[link as usize].largest, NONE);
            let found = &mut self.found[link as usize];
            match found.iter_mut().find(|(known, _)| *known == number) {
                Some((_, rooms)) => *rooms += room,
                None => found.push((number, room)),
            }
        }
    }

    /// The number of pairs on every link.
    pub(super) fn pairs(&self) -> impl Iterator<Item = u32> {
        self.links.iter().map(|on_link| on_link.pairs)
    }
}

/// The sum of rooms times shares over all blocks, by link.
pub(super) fn sums(links: usize, blocks: Vec<LargestShares>) -> Vec<Rational> {
    let (mut shares, mut found) = (ShareNumbers::default(), vec![Vec::new(); links]);
    for block in blocks {
        let numbers: Vec<u32> =
            block.shares.all().iter().map(|share| shares.number(share)).collect();
        for (found, of_block) in found.iter_mut().zip(block.found) {
            found.extend(of_block.iter().map(|(number, room)| (numbers[*number as usize], *room)));
        }
    }
    let sum = |mut found: Vec<(u32, u64)>| {
        found.sort_unstable();
        found.chunk_by(|a, b| a.0 == b.0).fold(Rational::ZERO, |sum, same| {
            let rooms: u64 = same.iter().map(|(_, room)| room).sum();
            &sum + &(&shares.all()[same[0].0 as usize] * &Rational::from(rooms))
        })
    };
    found.into_par_iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LinkPairs, PairCounts};
    use crate::topology::{Topology, generate};

    /// Both sums are those of the pairs of every link.
    #[test]
    fn sums_are_those_of_the_pairs() {
        let silent = Progress::silent();
        for (tree, routing) in [("ft(4,3)", "omrmn"), ("xgft(3;3,2,2;1,2,2)", "ecmp")] {
            let tree = generate(tree).unwrap();
            let network = Topology::new("own".into(), tree.graph().clone()).unwrap();
            let cables = crate::failure::at_random(&network, 3, 1).unwrap();
            let network = crate::failure::damage(&network, &cables).unwrap().topology;
            let routing = crate::routing::build(routing, &network).unwrap();
            let instance = Instance::trusted(network, routing);
            let hosts: Vec<Host> = instance.topology.host_numbers().collect();
            let room = |host: Host| u64::from(host % 3 + 1);
            let wanted = vec![true; instance.topology.links()];
            let [from, to] = [hosts.clone(), hosts.clone()];
            let (counts, sent) =
                PairCounts::with_sums(&instance, wanted, &from, to, &room, &silent).unwrap();
            let rooms: Vec<_> = hosts.iter().map(|host| (*host, room(*host))).collect();
            let received = sums_by_destination(&instance, &hosts, &rooms, &silent).unwrap();
            let all = 0..crate::topology::link_number(sent.len());
            let pairs = LinkPairs::collect(&instance, &counts, all.clone(), &silent).unwrap();
            let expected = |link: LinkId, is_sent: bool| {
                let of = |host: &Host| {
                    let own = pairs
                        .of(link)
                        .filter(|pair| *host == if is_sent { pair.s } else { pair.d });
                    let most = own.map(|pair| pair.share.clone()).max().unwrap_or(Rational::ZERO);
                    &most * &Rational::from(room(*host))
                };
                hosts.iter().map(of).fold(Rational::ZERO, |sum, share| &sum + &share)
            };
            for link in all {
                assert_eq!(sent[link as usize], expected(link, true));
                assert_eq!(received[link as usize], expected(link, false));
            }
        }
    }
}
