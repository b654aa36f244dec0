//! What is left of a network where links are gone, and the paths there.

use std::collections::HashSet;

use crate::certificate::EmbeddedNetwork;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::Result;
use super::known::WHOLE;
use super::network::Network;
use super::split::SplitSearch;
use super::uses::Uses;

/// Number of shares that are held from one set to the next.
const SHARES: usize = 1 << 18;

/// The distance of a node from which no links lead.
const UNSEEN: u32 = u32::MAX;

/// The network without some links, which keep their numbers, and the buffers of a search there.
pub(super) struct Left {
    /// Without the links that are gone at their nodes.
    pub(super) network: Network,
    pub(super) uses: Uses,
    /// The shortest paths of what is left; their shares are among those of `uses`.
    pub(super) search: SplitSearch,
    gone: Vec<LinkId>,
    is_gone: Vec<bool>,
    /// By node, the number of links of the shortest paths of the whole network to a host.
    distance: Vec<u32>,
    to: Option<Host>,
}

impl Left {
    /// The whole network.
    pub(super) fn of(whole: &Network) -> Result<Self> {
        let (hosts, nodes, links) = (whole.hosts, whole.nodes, whole.links.clone());
        let mut network = Network::of(EmbeddedNetwork { hosts, nodes, links })?;
        network.stop = whole.stop.clone();
        let is_gone = vec![false; whole.links.len()];
        Ok(Self {
            network,
            uses: Uses::default(),
            search: SplitSearch::default(),
            gone: Vec::new(),
            is_gone,
            distance: Vec::new(),
            to: None,
        })
    }

    /// Removes links, and puts those back that were removed before.
    pub(super) fn remove(&mut self, whole: &Network, gone: &[LinkId]) {
        for link in &self.gone {
            self.is_gone[*link as usize] = false;
        }
        for link in gone {
            self.is_gone[*link as usize] = true;
        }
        let Self { network, is_gone, .. } = self;
        for link in self.gone.iter().chain(gone) {
            let (from, to) = whole.ends[*link as usize];
            for (left, whole, node) in [
                (&mut network.leaving, &whole.leaving, from),
                (&mut network.entering, &whole.entering, to),
            ] {
                let links = whole[node as usize].iter().copied();
                left[node as usize] = links.filter(|link| !is_gone[*link as usize]).collect();
            }
        }
        self.gone = gone.to_vec();
        self.search = SplitSearch::default();
        if self.uses.shares.known().len() > SHARES {
            self.uses = Uses::default();
        }
    }

    pub(super) fn is_gone(&self, link: LinkId) -> bool {
        self.is_gone[link as usize]
    }

    /// The share with a number that a search here gave.
    pub(super) fn share(&self, number: u32) -> &Rational {
        &self.uses.shares.known()[number as usize]
    }

    /// Per host, whether it is not in the part with the most hosts, of equal ones that with the lowest host.
    pub(super) fn cut_off(&self, whole: &Network) -> Result<Vec<bool>> {
        let mut part = vec![None; whole.hosts];
        let mut largest = (0, 0);
        for host in whole.host_numbers() {
            if part[host as usize].is_some() {
                continue;
            }
            whole.go_on()?;
            let (onward, backward) = (self.reached(host, true), self.reached(host, false));
            let mut size = 0;
            for other in whole.host_numbers().filter(|h| onward.contains(h) && backward.contains(h))
            {
                part[other as usize] = Some(host);
                size += 1;
            }
            if size > largest.0 {
                largest = (size, host);
            }
        }
        let remains = |part: &Option<Host>| largest.0 > 1 && *part == Some(largest.1);
        Ok(part.iter().map(|part| !remains(part)).collect())
    }

    /// The nodes to which links lead from a node, or from which links lead to it.
    fn reached(&self, from: NodeId, onward: bool) -> HashSet<NodeId> {
        let Network { leaving, entering, ends, .. } = &self.network;
        let (mut reached, mut open) = (HashSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            for link in if onward { &leaving[node as usize] } else { &entering[node as usize] } {
                let (tail, head) = ends[*link as usize];
                let next = if onward { head } else { tail };
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// Appends the links of the next shortest path of the whole network that is left after a broken one, or nothing.
    pub(super) fn next_path(
        &mut self,
        whole: &Network,
        (s, d): (Host, Host),
        path: &[LinkId],
        found: &mut Vec<(LinkId, u32)>,
    ) {
        self.measure(whole, d);
        if self.distance[s as usize] as usize != path.len() {
            return;
        }
        let whole_part = path.iter().take_while(|link| !self.is_gone(**link)).count();
        let start = (path[..whole_part].to_vec(), path.get(whole_part).copied());
        let next = self.first_path(whole, (s, d), start);
        let next = next.or_else(|| self.first_path(whole, (s, d), (Vec::new(), None)));
        found.extend(next.into_iter().flatten().map(|link| (link, WHOLE)));
    }

    /// The first path, in the order of link numbers, that begins with `path`, or if there is none with less and less of
    /// it, and is behind the path that goes on by the link `behind`, if there is one.
    fn first_path(
        &self,
        whole: &Network,
        (s, d): (Host, Host),
        (mut path, mut behind): (Vec<LinkId>, Option<LinkId>),
    ) -> Option<Vec<LinkId>> {
        let head = |path: &[LinkId]| path.last().map_or(s, |link| whole.ends[*link as usize].1);
        // Links of the path as it was given; nodes behind these are visited with all of their links.
        let (mut given, mut dead) = (path.len(), HashSet::new());
        loop {
            let at = head(&path);
            if at == d {
                return Some(path);
            }
            let is_open = |link: &LinkId| {
                let next = whole.ends[*link as usize].1;
                let nearer = self.distance[next as usize].checked_add(1);
                behind.is_none_or(|behind| *link > behind)
                    && nearer == Some(self.distance[at as usize])
                    && !self.is_gone(*link)
                    && !dead.contains(&next)
            };
            if let Some(link) = whole.leaving[at as usize].iter().copied().find(is_open) {
                path.push(link);
                behind = None;
            } else {
                if path.len() > given {
                    dead.insert(at);
                }
                behind = Some(path.pop()?);
                given = given.min(path.len());
            }
        }
    }

    /// Finds the distances of all nodes to a host in the whole network.
    fn measure(&mut self, whole: &Network, d: Host) {
        if self.to == Some(d) {
            return;
        }
        self.to = Some(d);
        self.distance.clear();
        self.distance.resize(whole.nodes, UNSEEN);
        self.distance[d as usize] = 0;
        let (mut reached, mut at) = (vec![d], 0);
        while let Some(node) = reached.get(at).copied() {
            at += 1;
            for link in &whole.entering[node as usize] {
                let tail = whole.ends[*link as usize].0;
                if self.distance[tail as usize] == UNSEEN {
                    self.distance[tail as usize] = self.distance[node as usize] + 1;
                    reached.push(tail);
                }
            }
        }
    }
}
