//! The state of the local search: covers of links, and what paths lack.

use super::cover::first_step;
use crate::prelude::*;

/// A link, with the subtree that it leaves (up) or enters (down).
#[derive(Clone, Copy)]
struct Link {
    step: usize,
    is_up: bool,
    /// First host of the subtree, and its number of hosts.
    start: Host,
    own: u32,
    port: u32,
}

/// Covers of all links that can need more than X hosts, with counts that follow from them.
pub(super) struct Walk<'t> {
    tree: &'t Xgft,
    hosts: Host,
    /// Ports of the highest step, the width of `lacking`.
    width: usize,
    first_step: usize,
    /// By step from `first_step` on, up before down, subtree, port.
    links: Vec<Link>,
    /// First link of every step from `first_step` on.
    starts: Vec<usize>,
    /// The hosts of every cover, and whether a host is in it, at index link·N + host.
    covers: Vec<Vec<Host>>,
    is_in: Vec<bool>,
    /// Number of links that do not cover the pair on its path through a port of its highest step,
    /// at index (s·N + d)·width + port.
    lacking: Vec<u8>,
    /// Number of paths that lack nothing, by pair.
    serving: Vec<u32>,
    /// Pairs without such a path, in any order, and the index of every pair there.
    open: Vec<u32>,
    place: Vec<u32>,
    /// Entries visited.
    pub(super) work: u64,
}

/// An exchange of two hosts in the cover of a link.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    link: usize,
    added: Host,
    removed: Host,
}

impl Exchange {
    /// The exchange that takes it back.
    pub(super) fn undone(self) -> Self {
        Self { link: self.link, added: self.removed, removed: self.added }
    }
}

impl<'t> Walk<'t> {
    /// Random covers of `most` hosts; `None` where no link can need more.
    pub(super) fn new(tree: &'t Xgft, most: u32, words: &mut Stream) -> Option<Self> {
        let first_step = first_step(tree, most)?;
        let hosts = host_number(tree.hosts());
        let (mut links, mut starts) = (Vec::new(), Vec::new());
        for step in first_step..=tree.height() {
            starts.push(links.len());
            let own = tree.subtree_hosts(step - 1);
            for is_up in [true, false] {
                for subtree in 0..hosts / own {
                    let port = 0..tree.shortest_paths(step);
                    let start = subtree * own;
                    links.extend(port.map(|port| Link { step, is_up, start, own, port }));
                }
            }
        }
        let width = tree.shortest_paths(tree.height()) as usize;
        let pairs = (hosts * hosts) as usize;
        let mut walk = Self {
            tree,
            hosts,
            width,
            first_step,
            covers: vec![Vec::new(); links.len()],
            is_in: vec![false; links.len() * hosts as usize],
            links,
            starts,
            lacking: vec![0; pairs * width],
            serving: vec![0; pairs],
            open: Vec::new(),
            place: vec![0; pairs],
            work: 0,
        };
        walk.count_pairs();
        for link in 0..walk.links.len() {
            while walk.covers[link].len() < most as usize {
                let host = words.random_range(0..hosts);
                if !walk.is_in[link * hosts as usize + host as usize] {
                    walk.covers[link].push(host);
                    walk.set(link, host, true);
                }
            }
        }
        Some(walk)
    }

    /// Counts for empty covers: every path lacks all its links.
    fn count_pairs(&mut self) {
        for (s, d) in (0..self.hosts).flat_map(|s| (0..self.hosts).map(move |d| (s, d))) {
            let (pair, level) = ((s * self.hosts + d) as usize, self.tree.nca_level(s, d));
            if level >= self.first_step {
                let all = u8::try_from(2 * (level + 1 - self.first_step)).expect("trees are low");
                let first = pair * self.width;
                self.lacking[first..][..self.tree.shortest_paths(level) as usize].fill(all);
                self.place[pair] = index32(self.open.len());
                self.open.push(index32(pair));
            }
        }
    }

    /// Number of pairs without a path that serves them.
    pub(super) fn unserved(&self) -> usize {
        self.open.len()
    }

    /// Proposes an exchange in the cover of a link that a pair lacks.
    pub(super) fn propose(&mut self, words: &mut Stream) -> Exchange {
        let pair = self.open[words.random_range(0..self.open.len())];
        let (s, d) = (pair / self.hosts, pair % self.hosts);
        let level = self.tree.nca_level(s, d);
        let ports = self.tree.shortest_paths(level);
        let turn = words.random_range(0..ports);
        let lacks = |port: &u32| self.lacking[pair as usize * self.width + *port as usize];
        let port = (0..ports).map(|port| (port + turn) % ports).min_by_key(lacks).unwrap_or(0);
        let lacking = self.lacking_links(s, d, level, port);
        let link = lacking[words.random_range(0..lacking.len())];
        let added = if words.random_bool(0.5) { s } else { d };
        let removed = self.covers[link][words.random_range(0..self.covers[link].len())];
        Exchange { link, added, removed }
    }

    /// The links of a path that do not cover its pair; at least one when the pair is not served.
    fn lacking_links(&self, s: Host, d: Host, level: usize, port: u32) -> Vec<usize> {
        let hosts = self.hosts as usize;
        let mut lacking = Vec::new();
        for step in self.first_step..=level {
            let ports = self.tree.shortest_paths(step);
            let own_port = port / (self.tree.shortest_paths(level) / ports);
            let subtrees = self.hosts / self.tree.subtree_hosts(step - 1);
            for (near, side) in [(s, 0), (d, subtrees)] {
                let link = (side + self.tree.subtree(near, step - 1)) * ports + own_port;
                let link = self.starts[step - self.first_step] + link as usize;
                let covers = |host: Host| self.is_in[link * hosts + host as usize];
                if !covers(s) && !covers(d) {
                    lacking.push(link);
                }
            }
        }
        lacking
    }

    /// Puts one host into a cover in place of another.
    pub(super) fn exchange(&mut self, Exchange { link, added, removed }: Exchange) {
        for host in &mut self.covers[link] {
            if *host == removed {
                *host = added;
            }
        }
        self.set(link, removed, false);
        self.set(link, added, true);
    }

    /// Notes that a host is in the cover of a link, or no longer is.
    fn set(&mut self, link: usize, host: Host, is_in: bool) {
        let hosts = self.hosts as usize;
        self.is_in[link * hosts + host as usize] = is_in;
        let Link { is_up, start, own, .. } = self.links[link];
        let inside = start..start + own;
        let others = if inside.contains(&host) { 0..self.hosts } else { inside.clone() };
        for other in others {
            // Pairs that the other host covers anyway, and those that stay inside, are unchanged.
            let is_inside = inside.contains(&host) && inside.contains(&other);
            if is_inside || self.is_in[link * hosts + other as usize] {
                continue;
            }
            let is_source = inside.contains(&host) == is_up;
            let (s, d) = if is_source { (host, other) } else { (other, host) };
            self.update(link, s, d, is_in);
        }
    }

    /// A link now covers a pair, or no longer does.
    fn update(&mut self, link: usize, s: Host, d: Host, covers: bool) {
        let Link { step, port, .. } = self.links[link];
        let pair = (s * self.hosts + d) as usize;
        let level = self.tree.nca_level(s, d);
        let above = self.tree.shortest_paths(level) / self.tree.shortest_paths(step);
        let first = pair * self.width + (port * above) as usize;
        let before = self.serving[pair];
        for lacking in &mut self.lacking[first..first + above as usize] {
            if covers {
                *lacking -= 1;
                self.serving[pair] += u32::from(*lacking == 0);
            } else {
                self.serving[pair] -= u32::from(*lacking == 0);
                *lacking += 1;
            }
        }
        self.work += u64::from(above);
        match (before, self.serving[pair]) {
            (0, 1..) => {
                let place = self.place[pair] as usize;
                self.open.swap_remove(place);
                if let Some(moved) = self.open.get(place) {
                    self.place[*moved as usize] = index32(place);
                }
            }
            (1.., 0) => {
                self.place[pair] = index32(self.open.len());
                self.open.push(index32(pair));
            }
            _ => {}
        }
    }

    /// The up-digits of every pair, at index s·N + d: the first path that serves it.
    pub(super) fn up_digits(&self) -> Vec<Vec<u32>> {
        let digits = |(s, d)| {
            let (pair, level) = ((s * self.hosts + d) as usize, self.tree.nca_level(s, d));
            let serves = |port: &u32| self.lacking[pair * self.width + *port as usize] == 0;
            let mut port = (0..self.tree.shortest_paths(level)).find(serves).unwrap_or(0);
            let mut digits = vec![0; level];
            for step in (1..=level).rev() {
                digits[step - 1] = port % self.tree.parents(step);
                port /= self.tree.parents(step);
            }
            digits
        };
        let pairs = (0..self.hosts).flat_map(|s| (0..self.hosts).map(move |d| (s, d)));
        pairs.map(digits).collect()
    }
}
