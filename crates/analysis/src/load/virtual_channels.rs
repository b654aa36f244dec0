//! Virtual channels with which the paths of a routing form no credit loop.
//!
//! A *part* is a maximal set of links each of which waits for each other one, directly or not. The links of a part are
//! put in an order. A packet that enters a part takes channel 0, and the next channel wherever its path goes back in
//! that order. So a channel is held only by packets that wait for one that comes later, by part, then by number, then
//! by the order: there is no cycle (Dally and Seitz, IEEE Trans. Computers C-36(5), 1987). Around a ring this is their
//! dateline, and each dimension of a torus begins again at channel 0. How few channels any rule can do with is not
//! searched for.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rayon::prelude::*;

use super::link_cycle::{Successors, reversed};
use super::{Dependencies, DependencyError};
use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::routing::{Instance, Routing};
use crate::topology::{LinkId, Topology};

const NONE: u32 = u32::MAX;

/// How many virtual channels of each link separate the paths of a routing, so that no packets wait for each other
/// forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VirtualChannels {
    /// Fewer than this form a credit loop.
    pub at_least: u32,
    /// As many as this form none, by the rule of this module.
    pub at_most: u32,
}

impl VirtualChannels {
    /// Those of all paths of a routing. O(pairs · links of the paths of a pair / threads + dependencies). `progress`
    /// advances by 2N.
    ///
    /// # Errors
    /// As [`Dependencies::of_routing`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::VirtualChannels, progress::Progress, routing::Instance};
    /// // Dimension order takes two channels of each link of a torus, and one of a mesh.
    /// for (network, channels) in [("torus(5,2)", 2), ("mesh(5,2)", 1)] {
    ///     let instance = Instance::named(network, "dor")?;
    ///     let found = VirtualChannels::of_routing(&instance, &Progress::silent())?;
    ///     assert_eq!((found.at_least, found.at_most), (channels, channels));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_routing(instance: &Instance, progress: &Progress) -> Result<Self, DependencyError> {
        let dependencies = Dependencies::of_routing(instance, progress)?;
        let at_least = if dependencies.cycle().is_some() { 2 } else { 1 };
        let order = Order::of(dependencies.successors());
        let at_most = order.channels(&instance.topology, instance.routing(), progress)?;
        Ok(Self { at_least, at_most })
    }
}

/// Where links are: in which part, and at which place.
struct Order {
    part: Vec<u32>,
    place: Vec<u32>,
}

impl Order {
    /// Next comes a link that no remaining link waits for; where there is none, one whose number of links it waits for
    /// exceeds most the number that wait for it.
    fn of(graph: &Successors) -> Self {
        let before = reversed(graph);
        let part = parts(graph, &before);
        let neighbours = |link: LinkId, next: &Successors| {
            let near = next
                .after(link)
                .iter()
                .filter(|other| part[**other as usize] == part[link as usize]);
            i64::from(index32(near.count()))
        };
        let links = 0..index32(graph.links());
        let mut open: Vec<[i64; 2]> = links
            .clone()
            .map(|link| [neighbours(link, &before), neighbours(link, graph)])
            .collect();
        let key = |[waiting, waits]: [i64; 2], link: LinkId| {
            (waiting > 0, Reverse(waits - waiting), link)
        };
        let mut queue: BTreeSet<_> = links.map(|link| key(open[link as usize], link)).collect();
        let mut place = vec![NONE; graph.links()];
        let mut taken = 0;
        while let Some((_, _, link)) = queue.pop_first() {
            place[link as usize] = taken;
            taken += 1;
            for (side, next) in [(0, graph), (1, &before)] {
                for other in next.after(link).iter().copied() {
                    let at = other as usize;
                    if part[at] == part[link as usize] && place[at] == NONE {
                        queue.remove(&key(open[at], other));
                        open[at][side] -= 1;
                        queue.insert(key(open[at], other));
                    }
                }
            }
        }
        Self { part, place }
    }

    /// The most channels that a path takes.
    fn channels(
        &self,
        topology: &Topology,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<u32, Stopped> {
        let of_source = |s| {
            let (mut most, mut scratch) = (1, Vec::new());
            for d in topology.host_numbers().filter(|d| *d != s) {
                progress.check()?;
                routing.for_each_path(s, d, &mut scratch, &mut |_, path| {
                    most = self.along(path).map(|channel| channel + 1).fold(most, u32::max);
                });
            }
            progress.inc(1);
            Ok::<u32, Stopped>(most)
        };
        topology.host_numbers().into_par_iter().map(of_source).try_reduce(|| 1, |a, b| Ok(a.max(b)))
    }

    /// The channel of every link of a path but the first, which has channel 0.
    fn along(&self, path: &[LinkId]) -> impl Iterator<Item = u32> {
        path.windows(2).scan(0, |channel, two| {
            let [before, link] = [two[0] as usize, two[1] as usize];
            let is_within = self.part[before] == self.part[link];
            let goes_back = u32::from(self.place[link] < self.place[before]);
            *channel = if is_within { *channel + goes_back } else { 0 };
            Some(*channel)
        })
    }
}

/// The strongly connected part of every link (Kosaraju; Sharir, Computers & Mathematics with Applications 7(1), 1981),
/// without recursion.
fn parts(graph: &Successors, before: &Successors) -> Vec<u32> {
    let links = 0..index32(graph.links());
    let (mut seen, mut ended) = (vec![false; graph.links()], Vec::new());
    let mut way: Vec<(LinkId, usize)> = Vec::new();
    for start in links {
        if !std::mem::replace(&mut seen[start as usize], true) {
            way.push((start, 0));
        }
        while let Some((link, at)) = way.last_mut() {
            let Some(next) = graph.after(*link).get(*at).copied() else {
                ended.push(*link);
                way.pop();
                continue;
            };
            *at += 1;
            if !std::mem::replace(&mut seen[next as usize], true) {
                way.push((next, 0));
            }
        }
    }
    let (mut part, mut waiting) = (vec![NONE; graph.links()], Vec::new());
    for (number, start) in (0..).zip(ended.into_iter().rev()) {
        waiting.push(start);
        while let Some(link) = waiting.pop() {
            if part[link as usize] == NONE {
                part[link as usize] = number;
                waiting.extend(before.after(link));
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::link_cycle::cycle_of;
    use super::*;

    /// The channels that paths take one after another, by link and number, form no cycle.
    #[test]
    fn channels_form_no_loop() {
        for (network, routing, expected) in [
            ("torus(5)", "ecmp", (2, 2)),
            ("torus(5,2)", "dor", (2, 2)),
            ("torus(4,2)", "dor", (1, 1)),
            ("torus(5,3)", "dor", (2, 2)),
            ("mesh(4,2)", "dor", (1, 1)),
            ("mesh(3,2)", "valiant", (2, 3)),
            ("torus(4,2)", "romm", (2, 4)),
            ("torus(5,2)", "valiant", (2, 5)),
            ("torus(4,2)", "2turn", (2, 5)),
            ("hypercube(3)", "ecmp", (2, 2)),
            ("dragonfly(1,4,1)", "ecmp", (2, 2)),
            ("bcube(2,1)", "ugal", (2, 2)),
            ("ft(4,2)", "ecmp", (1, 1)),
        ] {
            let instance = Instance::named(network, routing).unwrap();
            let silent = Progress::silent();
            let found = VirtualChannels::of_routing(&instance, &silent).unwrap();
            assert_eq!((found.at_least, found.at_most), expected, "{routing} on {network}");
            let dependencies = Dependencies::of_routing(&instance, &silent).unwrap();
            let order = Order::of(dependencies.successors());
            let mut waits = BTreeSet::new();
            for (s, d) in crate::topology::sd_pairs(instance.topology().hosts()) {
                instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
                    let numbers = std::iter::once(0).chain(order.along(path));
                    let channels: Vec<u32> = path
                        .iter()
                        .zip(numbers)
                        .map(|(link, n)| link * found.at_most + n)
                        .collect();
                    waits.extend(channels.windows(2).map(|two| (two[0], two[1])));
                });
            }
            let channels = index32(instance.topology().links()) * found.at_most;
            let first = (0..=channels).map(|at| waits.range(..(at, 0)).count()).collect();
            let next = waits.iter().map(|(_, after)| *after).collect();
            assert_eq!(cycle_of(&Successors { first, next }), None, "{routing} on {network}");
        }
    }
}
