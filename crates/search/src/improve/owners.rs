//! Which leaf switches send over which links up, where that is for the search to choose.
//!
//! On a tree of three levels, D-mod-k sends to a destination over one switch of every pod, and so from all leaf
//! switches of a pod over one link out of it, which then carries as many destinations as there are for each of these
//! links: 7 of FT(8,3). But switches above the leaf switches have as many links up as links down. If every such link
//! carries only what comes from one of the links down, its *owner*, no permutation puts more on it than one leaf
//! switch has hosts: 4. And there are tables like that: to every destination the leaf switches of a pod send by
//! different switches, all of which have a link up whose owner it is. So one rule for owners that is alike in all pods
//! comes first, and then the search keeps to it as far as damage and other links allow.

use std::collections::BTreeMap;

use super::fabric::{Fabric, NONE};
use crate::integer::index32;
use crate::topology::LinkId;

/// Switches of a level and of the one above it that are joined: a pod, or what is above one place in all pods.
#[derive(Clone, Copy, Default)]
struct Joined {
    /// Number of the group, and place in it.
    group: u32,
    place: u32,
}

/// The owners of links up.
pub(super) struct Owners<'f> {
    fabric: &'f Fabric,
    /// By switch, its place among those of its level that are joined by switches above; and below.
    below: Vec<Joined>,
    above: Vec<Joined>,
    /// Number of switches in every group, below and above.
    sizes: Vec<[u32; 2]>,
    /// By link, its number among parallel ones.
    parallel: Vec<u32>,
    /// By switch and leaf switch, the place of the switch below by which that is reached; [`NONE`] if it is not.
    branch: Vec<Vec<u32>>,
}

impl<'f> Owners<'f> {
    /// O(leaf switches · links).
    pub(super) fn of(fabric: &'f Fabric) -> Self {
        let none = vec![Joined { group: NONE, place: 0 }; fabric.switches];
        let mut owners = Self {
            fabric,
            below: none.clone(),
            above: none,
            sizes: Vec::new(),
            parallel: vec![0; fabric.ends.len()],
            branch: vec![Vec::new(); fabric.switches],
        };
        owners.group();
        owners.number_parallel();
        owners.branches();
        owners
    }

    /// Links up that join a level with the next one.
    fn joins(&self, link: LinkId) -> bool {
        let (tail, head) = self.fabric.ends[link as usize];
        self.fabric.level[tail as usize] + 1 == self.fabric.level[head as usize]
    }

    fn group(&mut self) {
        let fabric = self.fabric;
        let lower = |switch: u32| switch as usize;
        let upper = |switch: u32| switch as usize + fabric.switches;
        let mut root: Vec<usize> = (0..2 * fabric.switches).collect();
        for link in fabric.out.iter().flatten().filter(|link| self.joins(**link)) {
            let (tail, head) = fabric.ends[*link as usize];
            let ends = [lower(tail), upper(head)].map(|at| find(&mut root, at));
            root[ends[0].max(ends[1])] = ends[0].min(ends[1]);
        }
        let mut groups = BTreeMap::new();
        for switch in 0..index32(fabric.switches) {
            for (side, at) in [lower(switch), upper(switch)].into_iter().enumerate() {
                let next = index32(groups.len());
                let group = *groups.entry(find(&mut root, at)).or_insert(next);
                if group == next {
                    self.sizes.push([0; 2]);
                }
                let size = &mut self.sizes[group as usize][side];
                let joined = Joined { group, place: *size };
                *size += 1;
                let all = if side == 0 { &mut self.below } else { &mut self.above };
                all[switch as usize] = joined;
            }
        }
    }

    fn number_parallel(&mut self) {
        for out in &self.fabric.out {
            let mut heads: BTreeMap<u32, u32> = BTreeMap::new();
            for link in out {
                let number = heads.entry(self.fabric.ends[*link as usize].1).or_default();
                self.parallel[*link as usize] = *number;
                *number += 1;
            }
        }
    }

    fn branches(&mut self) {
        let fabric = self.fabric;
        let mut order: Vec<u32> = (0..index32(fabric.switches)).collect();
        order.sort_by_key(|switch| (fabric.level[*switch as usize], *switch));
        let mut reaches = vec![vec![false; fabric.leaves.len()]; fabric.switches];
        for (leaf, at) in fabric.leaves.iter().enumerate() {
            reaches[at.switch as usize][leaf] = true;
        }
        for switch in order {
            let mut branch = vec![NONE; fabric.leaves.len()];
            for link in &fabric.out[switch as usize] {
                let (tail, head) = fabric.ends[*link as usize];
                if fabric.level[head as usize] + 1 != fabric.level[tail as usize] {
                    continue;
                }
                for (leaf, branch) in branch.iter_mut().enumerate() {
                    if reaches[head as usize][leaf] && *branch == NONE {
                        *branch = self.below[head as usize].place;
                        reaches[tail as usize][leaf] = true;
                    }
                }
            }
            self.branch[switch as usize] = branch;
        }
    }

    /// The link by which a switch above the leaf switches sends up to the hosts of this place at their leaf switches,
    /// while all is whole: of the switches that are joined as it is, each sends by another one. So every leaf switch
    /// below finds one of them that sends by the link that it owns.
    pub(super) fn turn(&self, switch: u32, place: u32) -> Option<LinkId> {
        let own = self.above[switch as usize];
        let [_, tops] = self.sizes[self.below[switch as usize].group as usize];
        let is_leaf = self.sizes[own.group as usize][0] == 0;
        let mut links = self.fabric.out[switch as usize].iter().copied();
        links.find(|link| {
            let head = self.fabric.ends[*link as usize].1 as usize;
            !is_leaf
                && self.joins(*link)
                && self.above[head].place == (own.place + place) % tops.max(1)
        })
    }

    /// Whether a leaf switch owns a link up, out of a switch that is not a leaf switch.
    pub(super) fn owns(&self, link: LinkId, leaf: u32) -> bool {
        let (tail, head) = self.fabric.ends[link as usize];
        let (tail, head) = (tail as usize, head as usize);
        let branch = self.branch[tail][leaf as usize];
        if branch == NONE || !self.joins(link) {
            return false;
        }
        let (own, top) = (self.below[tail], self.above[head]);
        let [_, tops] = self.sizes[own.group as usize];
        let [branches, _] = self.sizes[self.above[tail].group as usize];
        let place = top.place + tops * self.parallel[link as usize];
        let branch = branch + own.place;
        if branches >= tops {
            branch % tops == place % tops
        } else {
            place % branches == branch % branches
        }
    }
}

/// The first of all that are joined with this one.
fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}
