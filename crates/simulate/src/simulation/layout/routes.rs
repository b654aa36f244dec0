//! Paths of messages on a layout: by dimension order on grids, shortest ones elsewhere.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::mesh::{number, place};
use super::{Layout, LayoutError};
use crate::prelude::*;

/// Maximum product of the numbers of processors and messages where shortest paths are searched.
const MAX_SEARCHED: u64 = 1 << 30;

/// The channels of a layout: from every processor to each of its neighbours, which ascend.
pub(super) struct Channels {
    /// The first channel of every processor, and after the last the number of channels.
    first: Vec<u32>,
    /// The processor that a channel leads to.
    pub(super) to: Vec<Host>,
}

impl Channels {
    pub(super) fn of(layout: &Layout) -> Self {
        let both = layout.links.iter().flat_map(|[a, b]| [(*a, *b), (*b, *a)]);
        let mut both: Vec<(Host, Host)> = both.collect();
        both.sort_unstable();
        let hosts = 0..=index32(layout.hosts);
        let first = hosts.map(|host| index32(both.partition_point(|(from, _)| *from < host)));
        Self { first: first.collect(), to: both.into_iter().map(|(_, to)| to).collect() }
    }

    /// The channels from a processor.
    fn from(&self, host: Host) -> std::ops::Range<u32> {
        self.first[host as usize]..self.first[host as usize + 1]
    }

    /// The channel between neighbours.
    fn between(&self, from: Host, to: Host) -> Option<u32> {
        self.from(from).find(|channel| self.to[*channel as usize] == to)
    }
}

/// The channels of a path for every message, s ≠ d.
pub(super) fn paths(
    layout: &Layout,
    channels: &Channels,
    pairs: &[(Host, Host)],
) -> Result<Vec<Vec<u32>>, LayoutError> {
    let none = |(s, d): &(Host, Host)| LayoutError::NoPath { s: *s, d: *d };
    if layout.is_grid {
        let path = |pair: &(Host, Host)| {
            by_dimensions(layout.dimensions, channels, *pair).ok_or_else(|| none(pair))
        };
        return pairs.par_iter().map(path).collect();
    }
    let size = pairs.len() as u128 * layout.hosts as u128;
    let fewer = "send fewer messages, or use a mesh";
    within("number of messages times processors", Some(size), MAX_SEARCHED, fewer)?;
    let path = |search: &mut Search, pair: &(Host, Host)| {
        search.shortest(channels, *pair).ok_or_else(|| none(pair))
    };
    pairs.par_iter().map_init(|| Search::new(layout.hosts), path).collect()
}

/// First along the first axis, and so on.
fn by_dimensions(dimensions: u32, channels: &Channels, (s, d): (Host, Host)) -> Option<Vec<u32>> {
    let (mut at, end) = (place(s, dimensions), place(d, dimensions));
    let (mut host, mut path) = (s, Vec::new());
    for axis in 0..dimensions as usize {
        while at[axis] != end[axis] {
            at[axis] = if at[axis] < end[axis] { at[axis] + 1 } else { at[axis] - 1 };
            let next = number(at, dimensions);
            path.push(channels.between(host, next)?);
            host = next;
        }
    }
    Some(path)
}

/// A search, breadth first; its memory serves many.
struct Search {
    /// The channel on which a processor sends on, with the number of the search that found it.
    next: Vec<(u32, u32)>,
    searches: u32,
    found: VecDeque<Host>,
}

impl Search {
    fn new(hosts: usize) -> Self {
        Self { next: vec![(0, 0); hosts], searches: 0, found: VecDeque::new() }
    }

    /// From the destination until the source is found.
    fn shortest(&mut self, channels: &Channels, (s, d): (Host, Host)) -> Option<Vec<u32>> {
        self.searches += 1;
        self.found.clear();
        self.found.push_back(d);
        self.next[d as usize].1 = self.searches;
        while self.next[s as usize].1 != self.searches {
            let host = self.found.pop_front()?;
            for channel in channels.from(host) {
                let before = channels.to[channel as usize];
                if self.next[before as usize].1 != self.searches {
                    self.next[before as usize] = (channels.between(before, host)?, self.searches);
                    self.found.push_back(before);
                }
            }
        }
        let (mut host, mut path) = (s, Vec::new());
        while host != d {
            let channel = self.next[host as usize].0;
            path.push(channel);
            host = channels.to[channel as usize];
        }
        Some(path)
    }
}
