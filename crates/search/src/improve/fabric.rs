//! The fabric as the search sees it: leaf switches with their hosts, and which links may lead on to each of them.
//!
//! Switches are put in order, from the leaf switches up. A link leads *up* if it leads to a switch that is later in the
//! order, else down. To a leaf switch a switch forwards down, by the shortest ways down that there are; where there is
//! none, up, to a switch from which the way is shortest. So every path leads up, then down, whatever choices are made:
//! no cycle of links can wait for each other. Where all cables of a fabric join neighbouring levels, as on trees with
//! failed cables, these paths are as short as paths that lead up, then down, can be.
//!
//! The order is that of the levels. Where these do not let every leaf switch reach every other one, as on a
//! torus, it is the distance from a switch in the middle of the network, which always does.

use super::ImproveError;
use crate::advice::Advice;
use crate::prelude::*;

/// No link, no switch, no distance.
pub(super) const NONE: u32 = u32::MAX;

/// Maximum number of entries of the choices: leaf switches times links; 4 bytes each, about half of them used.
const MAX_CHOICES: u64 = 1 << 27;
/// Maximum number of entries of the tables: hosts times switches.
const MAX_ENTRIES: u64 = 1 << 27;

const REMEDY: &str = "improve a part of the network";

/// A leaf switch.
pub(super) struct Leaf {
    /// Its number among the switches.
    pub(super) switch: u32,
    pub(super) hosts: Vec<Host>,
}

/// The links that may lead to one leaf switch: those of switch v are `links[first[v]..first[v + 1]]`.
struct Choices {
    first: Vec<u32>,
    links: Vec<LinkId>,
}

/// A fabric. Switches are numbered from 0, which is the first node that is not a host.
pub(super) struct Fabric {
    pub(super) hosts: usize,
    pub(super) switches: usize,
    pub(super) leaves: Vec<Leaf>,
    /// The leaf switch of every host, by its number among the leaf switches.
    pub(super) leaf_of: Vec<u32>,
    /// The link down to every host.
    pub(super) last: Vec<LinkId>,
    /// By link between switches, these; [`NONE`] for others.
    pub(super) ends: Vec<(u32, u32)>,
    /// The place of every switch in the order.
    pub(super) place: Vec<u32>,
    /// The level of every switch.
    pub(super) level: Vec<u32>,
    /// By switch, links to other switches.
    pub(super) out: Vec<Vec<LinkId>>,
    choices: Vec<Choices>,
}

impl Fabric {
    /// O(leaf switches · links).
    pub(super) fn of(topology: &Topology, progress: &Progress) -> Result<Self, ImproveError> {
        let mut fabric = Self::cabled(topology)?;
        let choices = Some(fabric.leaves.len() as u128 * topology.links() as u128);
        within("leaf switches times links", choices, MAX_CHOICES, REMEDY)?;
        fabric.by_levels();
        if !fabric.choose(progress)? {
            fabric.by_distance();
            if !fabric.choose(progress)? {
                return Err(ImproveError::Parts(topology.spec().to_string()));
            }
        }
        Ok(fabric)
    }

    /// The fabric without an order and choices. O(links · log links).
    pub(super) fn cabled(topology: &Topology) -> Result<Self, ImproveError> {
        let (hosts, switches) = (topology.hosts(), topology.nodes() - topology.hosts());
        let entries = Some(hosts as u128 * switches as u128);
        within("number of entries of the tables", entries, MAX_ENTRIES, REMEDY)?;
        let mut fabric = Self {
            hosts,
            switches,
            leaves: Vec::new(),
            leaf_of: vec![NONE; hosts],
            last: vec![NONE; hosts],
            ends: Vec::new(),
            place: Vec::new(),
            level: (hosts..topology.nodes())
                .map(|node| topology.levels().shown(index32(node)).into())
                .collect(),
            out: vec![Vec::new(); switches],
            choices: Vec::new(),
        };
        fabric.take_links(topology)?;
        fabric.take_hosts(topology)?;
        Ok(fabric)
    }

    /// Reads the links between switches.
    fn take_links(&mut self, topology: &Topology) -> Result<(), ImproveError> {
        let switch = |node: NodeId| (node as usize).checked_sub(self.hosts).map_or(NONE, index32);
        let ends = |link| topology.ends(link).map_or((NONE, NONE), |(a, b)| (switch(a), switch(b)));
        self.ends = topology.link_numbers().map(ends).collect();
        let mut capacity: Option<&Rational> = None;
        let mut numbered: Vec<_> = (0..).zip(&self.ends).collect();
        numbered.retain(|(_, (tail, head))| *tail != NONE && *head != NONE && tail != head);
        numbered.sort_by_key(|(link, _)| (topology.link(*link).from_port, *link));
        for (link, (tail, _)) in numbered {
            let own = &topology.link(link).capacity;
            if capacity.is_some_and(|known| known != own) {
                let advice = Advice::IGNORE_CAPACITIES;
                return Err(ImproveError::Capacities { network: topology.spec().into(), advice });
            }
            capacity = Some(own);
            self.out[*tail as usize].push(link);
        }
        Ok(())
    }

    /// Reads the hosts with their leaf switches.
    fn take_hosts(&mut self, topology: &Topology) -> Result<(), ImproveError> {
        let mut leaf_at = vec![NONE; self.switches];
        for host in topology.host_numbers() {
            let mut links = (topology.links_from(host), topology.links_to(host));
            let only = (links.0.next(), links.1.next());
            let ends = only.0.zip(only.1).map(|(up, down)| (topology.ends(up), down));
            let (Some((Some((_, node)), down)), None, None) =
                (ends, links.0.next(), links.1.next())
            else {
                return Err(ImproveError::Ports(topology.node(host).name.clone()));
            };
            let is_back = topology.ends(down).is_some_and(|(from, _)| from == node);
            let switch = (node as usize).checked_sub(self.hosts).filter(|_| is_back);
            let Some(switch) = switch else {
                return Err(ImproveError::Ports(topology.node(host).name.clone()));
            };
            if leaf_at[switch] == NONE {
                leaf_at[switch] = index32(self.leaves.len());
                self.leaves.push(Leaf { switch: index32(switch), hosts: Vec::new() });
            }
            let leaf = leaf_at[switch];
            (self.leaf_of[host as usize], self.last[host as usize]) = (leaf, down);
            self.leaves[leaf as usize].hosts.push(host);
        }
        Ok(())
    }

    /// Orders the switches by their levels.
    fn by_levels(&mut self) {
        let mut order: Vec<u32> = (0..index32(self.switches)).collect();
        order.sort_by_key(|switch| (self.level[*switch as usize], *switch));
        self.order(&order);
    }

    /// Orders the switches by their distance from one in the middle, the nearest last.
    fn by_distance(&mut self) {
        let farthest = |from: u32| {
            let of_leaves = |distance: Vec<u32>| {
                self.leaves.iter().map(|leaf| distance[leaf.switch as usize]).max()
            };
            (of_leaves(self.distances(from)), from)
        };
        let switches = (0..index32(self.switches)).into_par_iter();
        let Some((_, root)) = switches.map(farthest).min() else { return };
        let distance = self.distances(root);
        let mut order: Vec<u32> = (0..index32(self.switches)).collect();
        order.sort_by_key(|switch| (std::cmp::Reverse(distance[*switch as usize]), *switch));
        self.order(&order);
    }

    /// Distances from a switch.
    fn distances(&self, from: u32) -> Vec<u32> {
        let mut distance = vec![NONE; self.switches];
        distance[from as usize] = 0;
        let (mut queue, mut at) = (vec![from], 0);
        while let Some(switch) = queue.get(at).copied() {
            at += 1;
            for link in &self.out[switch as usize] {
                let head = self.ends[*link as usize].1;
                if distance[head as usize] == NONE {
                    distance[head as usize] = distance[switch as usize] + 1;
                    queue.push(head);
                }
            }
        }
        distance
    }

    fn order(&mut self, order: &[u32]) {
        self.place = vec![0; self.switches];
        for (place, switch) in (0..).zip(order) {
            self.place[*switch as usize] = place;
        }
    }

    /// Whether a link between switches leads up.
    pub(super) fn is_up(&self, link: LinkId) -> bool {
        let (tail, head) = self.ends[link as usize];
        self.place[tail as usize] < self.place[head as usize]
    }

    /// Finds the choices; `false` where a leaf switch does not reach another one.
    fn choose(&mut self, progress: &Progress) -> Result<bool, ImproveError> {
        let mut order: Vec<u32> = (0..index32(self.switches)).collect();
        order.sort_by_key(|switch| self.place[*switch as usize]);
        let to = |leaf: &Leaf| progress.check().map(|()| self.to_leaf(leaf, &order));
        let found: Vec<Option<Choices>> =
            self.leaves.par_iter().map(to).collect::<Result<_, _>>()?;
        self.choices = found.into_iter().collect::<Option<_>>().unwrap_or_default();
        Ok(!self.choices.is_empty())
    }

    /// The links that may lead to a leaf switch, if they do from every other one.
    fn to_leaf(&self, leaf: &Leaf, order: &[u32]) -> Option<Choices> {
        let mut down = vec![NONE; self.switches];
        down[leaf.switch as usize] = 0;
        let nearest = |distance: &[u32], switch: u32, up: bool| {
            let heads = self.out[switch as usize].iter().filter(|link| self.is_up(**link) == up);
            heads.map(|link| distance[self.ends[*link as usize].1 as usize]).min().unwrap_or(NONE)
        };
        for switch in order.iter().filter(|switch| **switch != leaf.switch) {
            down[*switch as usize] = nearest(&down, *switch, false).saturating_add(1);
        }
        let mut all = down.clone();
        for switch in order.iter().rev().filter(|switch| down[**switch as usize] == NONE) {
            all[*switch as usize] = nearest(&all, *switch, true).saturating_add(1);
        }
        if self.leaves.iter().any(|from| all[from.switch as usize] == NONE) {
            return None;
        }
        let mut choices = Choices { first: vec![0], links: Vec::new() };
        for (out, (own, below)) in self.out.iter().zip(all.iter().zip(&down)) {
            let leads = |link: &&LinkId| {
                let head = self.ends[**link as usize].1 as usize;
                let is_up = self.is_up(**link);
                let beyond = if is_up { all[head] } else { down[head] };
                is_up == (*below == NONE) && beyond != NONE && beyond + 1 == *own
            };
            choices.links.extend(out.iter().filter(leads));
            choices.first.push(index32(choices.links.len()));
        }
        Some(choices)
    }

    /// By switch, a number that all have in common that switches below a level join; all others are by themselves.
    pub(super) fn joined_below(&self, level: u32) -> Vec<u32> {
        let mut part = vec![NONE; self.switches];
        for first in 0..self.switches {
            if part[first] != NONE {
                continue;
            }
            part[first] = index32(first);
            let mut queue = vec![first];
            while let Some(switch) = queue.pop().filter(|switch| self.level[*switch] < level) {
                for link in &self.out[switch] {
                    let head = self.ends[*link as usize].1 as usize;
                    if self.level[head] < level && part[head] == NONE {
                        part[head] = index32(first);
                        queue.push(head);
                    }
                }
            }
        }
        part
    }

    /// The leaf switches, together where switches below the highest level join them.
    pub(super) fn pods(&self) -> Vec<Vec<u32>> {
        let part = self.joined_below(self.level.iter().max().copied().unwrap_or(0));
        let mut pods: Vec<Vec<u32>> = Vec::new();
        let mut pod = vec![NONE; self.switches];
        for (number, leaf) in (0..).zip(&self.leaves) {
            let pod = &mut pod[part[leaf.switch as usize] as usize];
            if *pod == NONE {
                *pod = index32(pods.len());
                pods.push(Vec::new());
            }
            pods[*pod as usize].push(number);
        }
        pods
    }

    /// The links by which a switch may forward to the hosts of a leaf switch; none at that itself.
    pub(super) fn choices(&self, leaf: u32, switch: u32) -> &[LinkId] {
        let Choices { first, links } = &self.choices[leaf as usize];
        let switch = switch as usize;
        &links[first[switch] as usize..first[switch + 1] as usize]
    }
}
