//! How the paths of a routing use the links: pairs and destinations of every link, detours.

use std::collections::VecDeque;
use std::ops::Range;

use rayon::prelude::*;

use crate::integer::index32;
use crate::limit::within;
use crate::load::HostClasses;
use crate::progress::{Interrupted, Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Direction, Host, LinkId, NodeId, Topology};

/// Most SD pairs whose paths are followed.
const MAX_PAIRS: u64 = 1 << 32;

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

/// A pair with a path that is longer than necessary.
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
    /// Number of them that no pair uses.
    pub unused: usize,
    /// Least pairs of a link.
    pub least_pairs: u64,
    /// Sum of the pairs of all of them.
    pub sum_of_pairs: u64,
    /// Maximum number of pairs of a link.
    pub most_pairs: u64,
    /// Maximum number of destinations of a link.
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
    scratch: UseScratch,
}

impl Usage {
    /// Follows the paths of all pairs, or of one pair of every two classes of hosts that are alike
    /// ([`HostClasses`]). O(pairs · links of their paths + N · links); `progress` advances by N, or by the
    /// number of classes.
    ///
    /// # Errors
    /// [`Interrupted`] when stopped, or above 2^32 pairs.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::Usage, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let usage = Usage::of(&instance, &Progress::silent())?;
    /// // Of 56 pairs 48 change the leaf, over 16 links between switches twice.
    /// assert_eq!(usage.pairs.iter().sum::<u64>(), 2 * 56 + 2 * 48);
    /// assert_eq!((usage.detours, usage.first_detour), (0, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(instance: &Instance, progress: &Progress) -> Result<Self, Interrupted> {
        let topology = &instance.topology;
        let hosts = topology.hosts() as u128;
        within("number of SD pairs", Some(hosts * hosts), MAX_PAIRS, "analyse a smaller network")?;
        match HostClasses::of(instance) {
            Some(classes) => {
                let take = |part: &mut Part, class| part.take_class(instance, &classes, class);
                let count = index32(classes.hosts().len());
                let usage = Self::in_parts(topology, 0..count, &take, progress)?;
                Ok(usage.of_alike_hosts(topology, &classes))
            }
            None => Ok(Self::by_host(instance, progress)?),
        }
    }

    /// Host by host, whether some are alike or not.
    fn by_host(instance: &Instance, progress: &Progress) -> Result<Self, Stopped> {
        // Paths that the spec of a tree gives are shortest.
        let no_detours = instance.is_by_spec() && !instance.routing.is_single_path();
        let take = |part: &mut Part, d| {
            if no_detours { part.take_uses(instance, d) } else { part.take(instance, d) }
        };
        Self::in_parts(&instance.topology, instance.topology.host_numbers(), &take, progress)
    }

    /// The sum of what each of the numbers adds.
    fn in_parts(
        topology: &Topology,
        numbers: Range<u32>,
        take: &(dyn Fn(&mut Part, u32) + Sync),
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        let parts: Result<Vec<Self>, Stopped> = numbers
            .into_par_iter()
            .fold(
                || Ok(Part::new(topology)),
                |part: Result<Part, Stopped>, number| {
                    let mut part = part?;
                    progress.check()?;
                    take(&mut part, number);
                    progress.inc(1);
                    Ok(part)
                },
            )
            .map(|part| part.map(|part| part.usage))
            .collect();
        Ok(parts?.into_iter().fold(Self::none(topology), Self::and))
    }

    /// The links of hosts that are alike to another, which all pairs of a host take.
    fn of_alike_hosts(mut self, topology: &Topology, classes: &HostClasses) -> Self {
        let others = index32(topology.hosts() - 1);
        for host in classes.hosts().iter().filter(|hosts| hosts.len() > 1).flatten() {
            let out = topology.links_from(*host).map(|link| (link, others));
            for (link, destinations) in out.chain(topology.links_to(*host).map(|link| (link, 1))) {
                self.pairs[link as usize] = others.into();
                self.destinations[link as usize] = destinations;
            }
        }
        self
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
        same.map(|links| {
            let (level, direction) = place(links[0]);
            self.of_level(level, direction, links)
        })
        .collect()
    }

    fn of_level(&self, level: u8, direction: Direction, links: &[LinkId]) -> LevelUsage {
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
    pub fn mean_pairs(&self) -> Option<Rational> {
        Rational::new(self.sum_of_pairs, self.links as u64)
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
            scratch: UseScratch::default(),
        }
    }

    /// Adds the paths from all hosts to those of a class, but for the links of hosts that are alike to another.
    fn take_class(&mut self, instance: &Instance, classes: &HostClasses, class: u32) {
        let Self { usage, last, scratch, .. } = self;
        let size = |host| classes.hosts()[classes.class(host)].len();
        for (s, d) in classes.pairs_to(class as usize) {
            let (sources, destinations) = (size(s) as u64, index32(size(d)));
            instance.routing.for_each_use(s, d, scratch, &mut |_, links| {
                for link in links {
                    let at = *link as usize;
                    usage.pairs[at] += sources * u64::from(destinations);
                    if last[at] != class + 1 {
                        last[at] = class + 1;
                        usage.destinations[at] += destinations;
                    }
                }
            });
        }
    }

    /// Adds the paths of all sources to a destination, all of which are shortest.
    fn take_uses(&mut self, instance: &Instance, d: Host) {
        let Self { usage, last, scratch, .. } = self;
        for s in instance.topology.host_numbers().filter(|s| *s != d) {
            instance.routing.for_each_use(s, d, scratch, &mut |_, links| {
                for link in links {
                    let at = *link as usize;
                    usage.pairs[at] += 1;
                    usage.destinations[at] += u32::from(last[at] != d + 1);
                    last[at] = d + 1;
                }
            });
        }
    }

    /// Adds the paths of all sources to a destination.
    fn take(&mut self, instance: &Instance, d: Host) {
        let Self { usage, last, last_pair, number, distances, queue, path, .. } = self;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{at_random, fail};
    use crate::import::{self, ImportOptions};
    use crate::routing::build;
    use crate::topology::generate;

    /// Classes of hosts, and links without paths, count what paths count, one after the other.
    #[test]
    fn counting_by_class_and_by_link_is_counting_by_path() {
        let silent = Progress::silent();
        let mut alike = 0;
        let mut compare = |instance: &Instance| {
            let mut counted = Part::new(&instance.topology);
            instance.topology.host_numbers().for_each(|d| counted.take(instance, d));
            assert_eq!(Usage::of(instance, &silent).unwrap(), counted.usage, "{instance:?}");
            alike += usize::from(HostClasses::of(instance).is_some());
        };
        for (tree, routing) in
            [("ft(4,3)", "ecmp"), ("ft(8,2)", "omrmn"), ("xgft(2;3,4;2,2)", "omrmn")]
        {
            compare(&Instance::named(tree, routing).unwrap());
        }
        for seed in 0..6 {
            let tree = generate(if seed % 2 == 0 { "ft(4,3)" } else { "xgft(2;4,5;1,3)" }).unwrap();
            let cables = at_random(&tree, 1 + 2 * seed, seed).unwrap();
            for routing in ["ecmp", "omrmn", "kpath(k=2)"] {
                let routing = build(routing, &tree).unwrap();
                if let Ok(instance) = fail(&tree, routing.into(), &cables) {
                    compare(&instance);
                }
            }
        }
        let plafrim = import::topology(
            "instances/fabrics/plafrim/ib-subnet-fe80_0000_0000_0000.txt",
            &ImportOptions::default(),
        )
        .unwrap();
        let ecmp = build("ecmp", &plafrim).unwrap();
        compare(&Instance::new(plafrim, ecmp).unwrap());
        assert!(alike > 4, "{alike}");
    }
}
