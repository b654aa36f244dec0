//! Channel dependencies: where a packet may hold one link while it waits for the next.
//!
//! The channel-dependency graph of Dally and Seitz (IEEE Trans. Computers C-36(5), 1987): its nodes
//! are the links of a network, and an edge leads from link a to link b where some path uses b
//! directly after a. Lossless networks whose buffers may fill cannot deadlock where this graph has no
//! cycle; where it has one, packets may wait for each other forever, unless virtual lanes, of which
//! nothing is known here, separate them. Paths of trees that lead up and then down form no cycle.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::HostClasses;
use super::link_cycle::{Successors, cycle_of};
use crate::integer::{as_size, index32};
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::routing::{Instance, Paths, Routing};
use crate::topology::{Host, LinkId, Topology, link_number};

/// Maximum number of bits of the table that collects the edges: for every link, one per link out of the node that
/// it leads to. 1 GiB.
pub const MAX_DEPENDENCY_BITS: u64 = 1 << 33;

/// Destinations whose paths are written at a time.
const AT_A_TIME: usize = 256;

/// Why the dependencies are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum DependencyError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(
        "link {before} is followed by link {link}, which does not begin where it ends: give paths of this network"
    )]
    NotJoined { before: LinkId, link: LinkId },
}

/// The channel-dependency graph of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies(Successors);

impl Dependencies {
    /// Dependencies of all paths of all SD pairs; where hosts are alike ([`HostClasses`]), from the paths of one
    /// pair of every two classes. O(pairs · links of the paths of a pair / threads), and links × ports bits of
    /// memory. `progress` advances by N, or by the number of classes.
    ///
    /// # Errors
    /// [`DependencyError`] when stopped, above [`MAX_DEPENDENCY_BITS`], or for a routing whose paths are
    /// none.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::Dependencies, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let dependencies = Dependencies::of_routing(&instance, &Progress::silent())?;
    /// // From host 0 one continues to host 1, or up through either parent.
    /// assert_eq!((dependencies.after(0).len(), dependencies.cycle()), (3, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_routing(instance: &Instance, progress: &Progress) -> Result<Self, DependencyError> {
        let (topology, routing) = (&*instance.topology, &*instance.routing);
        let collector = Collector::new(topology)?;
        if let Some(classes) = HostClasses::of(instance) {
            collector.take_classes(routing, &classes, progress)?;
            collector.give_to_alike_hosts(topology, &classes);
            return Ok(collector.graph());
        }
        let destinations: Vec<Host> = topology.host_numbers().collect();
        topology.host_numbers().into_par_iter().try_for_each_init(
            <(Paths, Vec<LinkId>)>::default,
            |scratch, s| {
                for some in destinations.chunks(AT_A_TIME) {
                    progress.check()?;
                    collector.take_from(routing, s, some, scratch)?;
                }
                progress.inc(1);
                Ok::<_, DependencyError>(())
            },
        )?;
        Ok(collector.graph())
    }

    /// Dependencies of given paths, each the list of its links. O(links of the paths + links × ports).
    ///
    /// # Errors
    /// As [`Self::of_routing`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::Dependencies, progress::Progress, topology::generate};
    /// let tree = generate("ft(4,2)")?;
    /// let dependencies = Dependencies::of_paths(&tree, [[0, 9].as_slice()], &Progress::silent())?;
    /// assert_eq!((dependencies.after(0), dependencies.after(9)), (&[9][..], &[][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_paths<'p>(
        topology: &Topology,
        paths: impl IntoIterator<Item = &'p [LinkId]>,
        progress: &Progress,
    ) -> Result<Self, DependencyError> {
        let collector = Collector::new(topology)?;
        for path in paths {
            progress.check()?;
            collector.take(path)?;
        }
        Ok(collector.graph())
    }

    /// The links that paths use directly after this one, ascending; none after a link of another
    /// network.
    #[must_use]
    pub fn after(&self, link: LinkId) -> &[LinkId] {
        self.0.after(link)
    }

    /// Number of links of the network.
    #[must_use]
    pub fn links(&self) -> usize {
        self.0.links()
    }

    /// Number of dependencies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.next.len()
    }

    /// Whether no path has two links.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.next.is_empty()
    }

    /// A cycle of links, each used directly after the one before, the first after the last; `None`
    /// where there is none. It is the same in every run, and a shortest one through its first link.
    /// O(links + dependencies).
    #[must_use]
    pub fn cycle(&self) -> Option<Vec<LinkId>> {
        cycle_of(&self.0)
    }

    pub(super) fn successors(&self) -> &Successors {
        &self.0
    }
}

/// The edges found so far: a bit for every link and link out of the node that it leads to.
struct Collector {
    /// The node at either end of every link.
    ends: Vec<(u32, u32)>,
    /// The place of every link among those out of its node.
    place: Vec<u32>,
    /// Where the links out of every node begin in `out`.
    first_out: Vec<usize>,
    out: Vec<LinkId>,
    /// Where the bits of every link begin.
    first_bit: Vec<usize>,
    bits: Vec<AtomicU64>,
}

impl Collector {
    fn new(topology: &Topology) -> Result<Self, DependencyError> {
        let none = (0, 0);
        let ends = topology.link_numbers().map(|link| topology.ends(link).unwrap_or(none));
        let ends: Vec<(u32, u32)> = ends.collect();
        let (mut first_out, mut out, mut place) = (vec![0], Vec::new(), vec![0; ends.len()]);
        for node in topology.node_numbers() {
            let start = out.len();
            out.extend(topology.links_from(node));
            out[start..].sort_unstable();
            for (at, link) in out[start..].iter().enumerate() {
                place[*link as usize] = index32(at);
            }
            first_out.push(out.len());
        }
        let ports = |node: u32| first_out[node as usize + 1] - first_out[node as usize];
        let bits: u128 = ends.iter().map(|(_, to)| ports(*to) as u128).sum();
        let what = "number of links times ports after them";
        let bits = within(what, Some(bits), MAX_DEPENDENCY_BITS, "use a smaller network")?;
        let mut first_bit = Vec::with_capacity(ends.len() + 1);
        first_bit.push(0);
        first_bit.extend(ends.iter().scan(0, |bit, (_, to)| {
            *bit += ports(*to);
            Some(*bit)
        }));
        let words = as_size(bits).div_ceil(64);
        let bits = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { ends, place, first_out, out, first_bit, bits })
    }

    /// The paths from a host.
    fn take_from(
        &self,
        routing: &dyn Routing,
        s: Host,
        destinations: &[Host],
        (paths, links): &mut (Paths, Vec<LinkId>),
    ) -> Result<(), DependencyError> {
        if routing.is_single_path() {
            routing.paths_from(s, destinations, paths);
            return paths.iter().try_for_each(|path| self.take(path));
        }
        let mut others = destinations.iter().filter(|d| **d != s);
        others.try_for_each(|d| self.take_pair(routing, (s, *d), links))
    }

    /// The paths of a pair.
    fn take_pair(
        &self,
        routing: &dyn Routing,
        (s, d): (Host, Host),
        links: &mut Vec<LinkId>,
    ) -> Result<(), DependencyError> {
        let mut found = Ok(());
        routing.for_each_path(s, d, links, &mut |_, path| {
            if found.is_ok() {
                found = self.take(path);
            }
        });
        found
    }

    fn take(&self, path: &[LinkId]) -> Result<(), DependencyError> {
        for two in path.windows(2) {
            let (before, link) = (two[0], two[1]);
            let ends = self.ends.get(before as usize).zip(self.ends.get(link as usize));
            if ends.is_none_or(|(before, link)| before.1 != link.0) {
                return Err(DependencyError::NotJoined { before, link });
            }
            self.set(before, link);
        }
        Ok(())
    }

    /// Sets the bit of a link and one out of the node that it leads to.
    fn set(&self, before: LinkId, link: LinkId) {
        let bit = self.first_bit[before as usize] + self.place[link as usize] as usize;
        let (word, mask) = (&self.bits[bit / 64], 1 << (bit % 64));
        // Nearly every bit is set already, and reading it disturbs no other thread.
        if word.load(Ordering::Relaxed) & mask == 0 {
            word.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// The links found after a link, ascending.
    fn after(&self, link: LinkId) -> impl Iterator<Item = LinkId> {
        let start = self.first_bit[link as usize];
        let to = self.ends[link as usize].1 as usize;
        let out = &self.out[self.first_out[to]..self.first_out[to + 1]];
        out.iter().zip(start..).filter_map(|(after, bit)| {
            let word = self.bits[bit / 64].load(Ordering::Relaxed);
            (word >> (bit % 64) & 1 == 1).then_some(*after)
        })
    }

    fn graph(self) -> Dependencies {
        let (mut first, mut next) = (vec![0], Vec::new());
        for link in 0..link_number(self.ends.len()) {
            next.extend(self.after(link));
            first.push(next.len());
        }
        Dependencies(Successors { first, next })
    }
}

mod alike;
#[cfg(test)]
mod tests;
