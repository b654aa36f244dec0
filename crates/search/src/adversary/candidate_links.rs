//! Links worth aiming at: their SD pairs, and a bound on their worst load by counting.

use std::cmp::Reverse;

use super::AdversaryError;
use super::context::AttackContext;
use crate::prelude::*;

/// Maximum number of pairs of all candidates together, unless one link alone has more.
const MAX_PAIRS: u64 = 1 << 22;

/// Maximum number of pairs of one link, 16 bytes each.
const MAX_OF_ONE: u64 = 1 << 24;

/// A link with its SD pairs.
#[derive(Clone, Debug)]
pub(super) struct CandidateLink {
    pub(super) link: LinkId,
    /// No permutation loads it more, in units: each source sends to one destination, each
    /// destination receives from one source.
    pub(super) bound: u64,
    pub(super) pairs: Vec<(Host, Host)>,
    /// Load of each pair in units.
    pub(super) units: Vec<u64>,
}

/// The links by decreasing bound, until their pairs exceed [`MAX_PAIRS`], and the maximum bound
/// of those left out. O(N²·path length).
pub(super) fn candidate_links(
    context: &AttackContext<'_>,
    progress: &Progress,
) -> Result<(Vec<CandidateLink>, u64), AdversaryError> {
    let counts = Counts::of(context, progress)?;
    let all = context.topology().link_numbers();
    let inner = between_switches(context.topology());
    let mut order: Vec<_> = all.clone().filter(|link| inner[*link as usize]).collect();
    order.retain(|link| counts.pairs[*link as usize] > 0);
    if order.is_empty() {
        order = all.filter(|link| counts.pairs[*link as usize] > 0).collect();
    }
    order.sort_by_key(|link| (Reverse(counts.bound(*link)), *link));
    let (mut candidates, mut total, mut left) = (Vec::new(), 0, 0);
    for link in order {
        let (pairs, bound) = (counts.pairs[link as usize], counts.bound(link));
        total += pairs;
        if candidates.is_empty() {
            let what = "number of SD pairs of the most loaded link";
            within(what, Some(pairs.into()), MAX_OF_ONE, "use random or anneal")?;
        } else if total > MAX_PAIRS {
            left = bound;
            break;
        }
        candidates.push(CandidateLink { link, bound, pairs: Vec::new(), units: Vec::new() });
    }
    fill(context, &mut candidates, progress)?;
    Ok((candidates, left))
}

/// Links that serve more than a single host: no permutation loads the others beyond one host's
/// traffic.
fn between_switches(topology: &Topology) -> Vec<bool> {
    let lone = |node| {
        (node as usize) < topology.hosts()
            && topology.links_from(node).count() <= 1
            && topology.links_to(node).count() <= 1
    };
    let inner = |link| topology.ends(link).is_some_and(|(from, to)| !lone(from) && !lone(to));
    topology.link_numbers().map(inner).collect()
}

/// Bounds by counting on every link.
struct Counts {
    /// Sum over sources of the maximum load of a pair, in units; then the same over destinations.
    by_source: Vec<u64>,
    by_destination: Vec<u64>,
    /// Number of SD pairs.
    pairs: Vec<u64>,
}

impl Counts {
    fn of(context: &AttackContext<'_>, progress: &Progress) -> Result<Self, Stopped> {
        let (by_source, pairs) = sums(context, progress, |host, other| (host, other))?;
        let (by_destination, _) = sums(context, progress, |host, other| (other, host))?;
        Ok(Self { by_source, by_destination, pairs })
    }

    fn bound(&self, link: LinkId) -> u64 {
        self.by_source[link as usize].min(self.by_destination[link as usize])
    }
}

/// For every link, the sum over hosts of the maximum load of one of their pairs, and the number
/// of pairs; `pair(host, other)` is a pair of a host.
fn sums(
    context: &AttackContext<'_>,
    progress: &Progress,
    pair: impl Fn(Host, Host) -> (Host, Host) + Sync,
) -> Result<(Vec<u64>, Vec<u64>), Stopped> {
    let (hosts, links) = (host_number(context.hosts()), context.topology().links());
    let one = |mut sums: Sums, host: Host| {
        progress.check()?;
        for other in (0..hosts).filter(|other| *other != host) {
            let (s, d) = pair(host, other);
            let (greatest, touched) = (&mut sums.greatest, &mut sums.touched);
            context.uses.each(s, d, &mut sums.scratch, |link, units| {
                sums.pairs[link as usize] += 1;
                let most = &mut greatest[link as usize];
                if *most == 0 {
                    touched.push(link);
                }
                *most = units.max(*most);
            });
        }
        for link in sums.touched.drain(..) {
            sums.total[link as usize] += std::mem::take(&mut sums.greatest[link as usize]);
        }
        Ok(sums)
    };
    let blocks = (0..hosts).into_par_iter().try_fold(|| Sums::new(links), one);
    let blocks = blocks.map(|block| block.map(|sums| (sums.total, sums.pairs)));
    blocks.try_reduce(
        || (vec![0; links], vec![0; links]),
        |mut a, b| {
            a.0.iter_mut().zip(b.0).for_each(|(sum, more)| *sum += more);
            a.1.iter_mut().zip(b.1).for_each(|(sum, more)| *sum += more);
            Ok(a)
        },
    )
}

/// Partial sums.
struct Sums {
    total: Vec<u64>,
    pairs: Vec<u64>,
    /// Greatest load of the current host on each link it touches.
    greatest: Vec<u64>,
    touched: Vec<LinkId>,
    scratch: Vec<LinkId>,
}

impl Sums {
    fn new(links: usize) -> Self {
        let zeros = || vec![0; links];
        let (touched, scratch) = (Vec::new(), Vec::new());
        Self { total: zeros(), pairs: zeros(), greatest: zeros(), touched, scratch }
    }
}

/// Sources that are processed before their pairs are added to the candidates.
const SOURCES_AT_ONCE: usize = 256;

/// Gives the candidates their pairs, sorted.
fn fill(
    context: &AttackContext<'_>,
    candidates: &mut [CandidateLink],
    progress: &Progress,
) -> Result<(), AdversaryError> {
    let hosts = host_number(context.hosts());
    let mut place = vec![u32::MAX; context.topology().links()];
    for (at, candidate) in (0..).zip(&*candidates) {
        place[candidate.link as usize] = at;
    }
    let of_source = |s: Host| {
        progress.check()?;
        let (mut found, mut scratch) = (Vec::new(), Vec::new());
        for d in (0..hosts).filter(|d| *d != s) {
            context.uses.each(s, d, &mut scratch, |link, units| {
                let at = place[link as usize];
                if at != u32::MAX {
                    found.push((at, d, units));
                }
            });
        }
        Ok((s, found))
    };
    let sources: Vec<Host> = (0..hosts).collect();
    for some in sources.chunks(SOURCES_AT_ONCE) {
        let found: Vec<_> =
            some.par_iter().map(|s| of_source(*s)).collect::<Result<_, Stopped>>()?;
        for (s, pairs) in found {
            for (at, d, units) in pairs {
                candidates[at as usize].pairs.push((s, d));
                candidates[at as usize].units.push(units);
            }
        }
    }
    Ok(())
}
