//! How the paths of a routing use the links: pairs and destinations of every link, detours.

use std::collections::VecDeque;

use rayon::prelude::*;

use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::topology::{Direction, Host, LinkId, NodeId, Topology};

/// Most SD pairs whose paths are followed.
const MAX_PAIRS: u64 = 1 << 32;

/// Why the use of links is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsageError {
    /// Stopped before the end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// Too many pairs.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

/// Pairs and destinations by link, and pairs that take more links than they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// By link, the SD pairs of which some path uses it.
    pub pairs: Vec<u64>,
    /// By link, the hosts to which some path uses it: what `ibdiagnet -r` counts at every port.
    pub destinations: Vec<u32>,
    /// Number of SD pairs with a path that is longer than the shortest.
    pub detours: u64,
    /// The first of these pairs, by destination, with the links of its path and of a shortest one.
    pub first_detour: Option<Detour>,
}

/// A pair with a path that is longer than it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detour {
    /// The source.
    pub s: Host,
    /// The destination.
    pub d: Host,
    /// Links of the path.
    pub links: usize,
    /// Links of a shortest path.
    pub shortest: usize,
}

/// The use of the links of one level and direction.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LevelUsage {
    /// Level of the links; host links have level 1.
    pub level: u8,
    /// Up, down or flat.
    pub direction: Direction,
    /// Number of links.
    pub links: usize,
    /// How many of them no pair uses.
    pub unused: usize,
    /// Least pairs of a link.
    pub least_pairs: u64,
    /// Sum of the pairs of all of them.
    pub sum_of_pairs: u64,
    /// Most pairs of a link.
    pub most_pairs: u64,
    /// Most destinations of a link.
    pub most_destinations: u32,
}

/// What one thread has found.
struct Part {
    usage: Usage,
    /// By link, the destination that used it last, plus 1.
    last: Vec<u32>,
    /// By link, the number of the pair that used it last.
    last_pair: Vec<u64>,
    /// Number of pairs so far.
    number: u64,
    distances: Vec<u32>,
    queue: VecDeque<NodeId>,
    path: Vec<LinkId>,
}

impl Usage {
    /// Follows the paths of all pairs. O(pairs · links of their paths + N · links); `progress` advances
    /// by N.
    ///
    /// # Errors
    /// [`UsageError`] when stopped, or above 2^32 pairs.
    ///
    /// ```
    /// use routebound::{fabric::Usage, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let usage = Usage::of(&instance, &Progress::silent())?;
    /// // Of 56 pairs 48 change the leaf, over 16 links between switches twice.
    /// assert_eq!(usage.pairs.iter().sum::<u64>(), 2 * 56 + 2 * 48);
    /// assert_eq!((usage.detours, usage.first_detour), (0, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(instance: &Instance, progress: &Progress) -> Result<Self, UsageError> {
        let topology = &instance.topology;
        let hosts = topology.hosts() as u128;
        within("number of SD pairs", Some(hosts * hosts), MAX_PAIRS, "analyse a smaller network")?;
        let parts: Result<Vec<Usage>, Stopped> = topology
            .host_numbers()
            .into_par_iter()
            .fold(
                || Ok(Part::new(topology)),
                |part: Result<Part, Stopped>, d| {
                    let mut part = part?;
                    progress.check()?;
                    part.take(instance, d);
                    progress.inc(1);
                    Ok(part)
                },
            )
            .map(|part| part.map(|part| part.usage))
            .collect();
        let none = Usage::none(topology);
        Ok(parts?.into_iter().fold(none, Usage::and))
    }

    fn none(topology: &Topology) -> Self {
        let links = topology.links();
        Self { pairs: vec![0; links], destinations: vec![0; links], detours: 0, first_detour: None }
    }

    /// The sum of two parts, which is the same in any order.
    fn and(mut self, other: Self) -> Self {
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, more)| *sum += more);
        self.destinations.iter_mut().zip(other.destinations).for_each(|(sum, more)| *sum += more);
        self.detours += other.detours;
        let both = [self.first_detour, other.first_detour];
        self.first_detour = both.into_iter().flatten().min_by_key(|detour| (detour.d, detour.s));
        self
    }

    /// Level by level, host links first. O(links · log(links)).
    #[must_use]
    pub fn by_level(&self, topology: &Topology) -> Vec<LevelUsage> {
        let place = |link: LinkId| topology.shown_place(link);
        let mut links: Vec<LinkId> = topology.link_numbers().collect();
        links.sort_by_key(|link| place(*link));
        let same = links.chunk_by(|a, b| place(*a) == place(*b));
        same.map(|links| self.of_level(place(links[0]), links)).collect()
    }

    fn of_level(&self, (level, direction): (u8, Direction), links: &[LinkId]) -> LevelUsage {
        let pairs = || links.iter().map(|link| self.pairs[*link as usize]);
        let destinations = links.iter().map(|link| self.destinations[*link as usize]);
        LevelUsage {
            level,
            direction,
            links: links.len(),
            unused: pairs().filter(|pairs| *pairs == 0).count(),
            least_pairs: pairs().min().unwrap_or(0),
            sum_of_pairs: pairs().sum(),
            most_pairs: pairs().max().unwrap_or(0),
            most_destinations: destinations.max().unwrap_or(0),
        }
    }
}

impl LevelUsage {
    /// Whether a link with this many pairs has more than twice the mean of these links.
    #[must_use]
    pub fn is_crowded(&self, pairs: u64) -> bool {
        u128::from(pairs) * self.links as u128 > 2 * u128::from(self.sum_of_pairs)
    }

    /// Mean pairs of a link; `None` without links.
    #[must_use]
    pub fn mean_pairs(&self) -> Option<Ratio> {
        Ratio::new(self.sum_of_pairs, self.links as u64)
    }
}

impl Part {
    fn new(topology: &Topology) -> Self {
        Self {
            usage: Usage::none(topology),
            last: vec![0; topology.links()],
            last_pair: vec![0; topology.links()],
            number: 0,
            distances: Vec::new(),
            queue: VecDeque::new(),
            path: Vec::new(),
        }
    }

    /// Adds the paths of all sources to a destination.
    fn take(&mut self, instance: &Instance, d: Host) {
        let Self { usage, last, last_pair, number, distances, queue, path } = self;
        let topology = &instance.topology;
        distances_to(topology, d, distances, queue);
        for s in topology.host_numbers().filter(|s| *s != d) {
            let shortest = distances[s as usize] as usize;
            let mut longest = 0;
            *number += 1;
            instance.routing.for_each_path(s, d, path, &mut |_, links| {
                longest = longest.max(links.len());
                for link in links {
                    let at = *link as usize;
                    if last[at] != d + 1 {
                        last[at] = d + 1;
                        usage.destinations[at] += 1;
                    }
                    if last_pair[at] != *number {
                        last_pair[at] = *number;
                        usage.pairs[at] += 1;
                    }
                }
            });
            if longest > shortest {
                usage.detours += 1;
                let detour = Detour { s, d, links: longest, shortest };
                let before = usage.first_detour.is_none_or(|first| (d, s) < (first.d, first.s));
                if before {
                    usage.first_detour = Some(detour);
                }
            }
        }
    }
}

/// The number of links from every node to a host; `u32::MAX` where there is no way.
fn distances_to(
    topology: &Topology,
    d: Host,
    distances: &mut Vec<u32>,
    queue: &mut VecDeque<NodeId>,
) {
    distances.clear();
    distances.resize(topology.nodes(), u32::MAX);
    distances[d as usize] = 0;
    queue.push_back(d);
    while let Some(node) = queue.pop_front() {
        let next = distances[node as usize] + 1;
        for (from, _) in topology.links_to(node).filter_map(|link| topology.ends(link)) {
            if distances[from as usize] == u32::MAX {
                distances[from as usize] = next;
                queue.push_back(from);
            }
        }
    }
}
