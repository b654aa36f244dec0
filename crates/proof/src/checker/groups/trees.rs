//! All pairs of tables, destination by destination.
//!
//! Towards a destination every node sends on by one link, so the paths of all sources form a tree: each of its links is
//! looked at once, whatever number of pairs pass it. That verifies the paths, and that the destination covers its pairs
//! on every link, and counts the destinations of links. Only where these weigh too much are sources counted: a set of
//! groups goes down each tree. Where anything is not right in this way, nothing is said: the groups are looked at one
//! by one.

use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::{Group, checked};
use crate::checker::cover::Covers;
use crate::checker::ends::{Way, Weighing, parts};
use crate::checker::known::Count;
use crate::checker::network::Network;
use crate::checker::tables::Tables;
use crate::checker::{Result, parallel};

/// Maximum number of different weights of hosts.
const MAX_WEIGHTS: usize = 4;

/// Number of destinations whose entries are looked up together: those of a node lie beside each other.
const AT_A_TIME: usize = 16;

/// In the place of a link and the node that it leads to: there is none.
const NOWHERE: (LinkId, NodeId) = (LinkId::MAX, NodeId::MAX);

/// Tables with their groups.
pub(super) struct Grouped<'g> {
    pub(super) network: &'g Network,
    pub(super) tables: &'g Tables<'g>,
    pub(super) groups: &'g [Group],
}

/// What hosts weigh at one end of links, in every way.
pub(super) struct Weights {
    /// By host, its place among the different ones.
    pub(super) of: Vec<usize>,
    pub(super) different: Vec<Vec<Rational>>,
}

/// The nodes on the paths to one destination.
pub(super) struct Tree {
    /// By node, the number of the walk that came to it first; 0 where none did.
    walk: Vec<u32>,
    /// The nodes with their links and the nodes behind these, none before the one behind it.
    pub(super) nodes: Vec<(NodeId, LinkId, NodeId)>,
    /// By destination, of those looked up last, and switch, the next link and node.
    next: Vec<(LinkId, NodeId)>,
}

/// Numbers of hosts by their weight and by link.
pub(super) struct Numbers {
    links: usize,
    counts: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(weights: &Weights, links: usize) -> Self {
        Self { links, counts: vec![0; weights.different.len() * links] }
    }

    #[inline]
    pub(super) fn add(&mut self, weight: usize, link: LinkId, hosts: u32) {
        self.counts[weight * self.links + link as usize] += hosts;
    }

    fn take(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(all, more)| *all += more);
    }

    /// The numbers of hosts of every weight.
    fn of(&self, link: LinkId) -> impl Iterator<Item = u32> {
        self.counts.iter().skip(link as usize).step_by(self.links.max(1)).copied()
    }

    /// What the hosts weigh together in one way.
    fn total(&self, weights: &Weights, way: usize, link: LinkId) -> Rational {
        let weights = weights.different.iter().map(|weight| &weight[way]);
        let each = weights.zip(self.of(link)).filter(|(_, hosts)| *hosts > 0);
        each.fold(Rational::ZERO, |sum, (weight, hosts)| {
            &sum + &(weight * &Rational::from(u64::from(hosts)))
        })
    }
}

impl Weights {
    /// `None` where there are many different ones, or one is not known.
    fn of(weighing: &Weighing<'_>, is_source: bool) -> Option<Self> {
        let (mut of, mut different) = (Vec::new(), Vec::new());
        for host in weighing.network.host_numbers() {
            let weight = |way: &Way<'_>| way.weight(weighing.network, host, is_source).ok();
            let weight: Vec<Rational> = weighing.ways.iter().map(weight).collect::<Option<_>>()?;
            let known = different.iter().position(|known| *known == weight);
            of.push(known.unwrap_or(different.len()));
            if known.is_none() {
                different.push(weight);
            }
            if different.len() > MAX_WEIGHTS {
                return None;
            }
        }
        Some(Self { of, different })
    }
}

impl Tree {
    pub(super) fn new(network: &Network) -> Self {
        Self { walk: vec![0; network.nodes], nodes: Vec::new(), next: Vec::new() }
    }

    /// Finds the paths of all groups to the destination in a place, one after another; `false` where one does not lead
    /// there.
    pub(super) fn grow(
        &mut self,
        grouped @ Grouped { network, tables, groups }: &Grouped<'_>,
        (destinations, place): (&[Host], usize),
    ) -> bool {
        let (d, ahead) = (destinations[place], place % AT_A_TIME);
        if ahead == 0 {
            let some = &destinations[place..];
            self.look_up(grouped, &some[..some.len().min(AT_A_TIME)]);
        }
        let ahead = &self.next[ahead * (network.nodes - network.hosts)..];
        for (node, _, _) in self.nodes.drain(..) {
            self.walk[node as usize] = 0;
        }
        for (walk, group) in (1..).zip(*groups) {
            let (mut at, first) = (group.entry, self.nodes.len());
            while at != d && group.sources != [d] {
                let known = &mut self.walk[at as usize];
                if *known > 0 && *known < walk {
                    break;
                }
                let (link, to) = match (at as usize).checked_sub(network.hosts) {
                    Some(switch) => ahead[switch],
                    None => next(network, tables, (at, d)),
                };
                if *known > 0 || link == NOWHERE.0 {
                    return false;
                }
                *known = walk;
                self.nodes.push((at, link, to));
                at = to;
            }
            self.nodes[first..].reverse();
        }
        true
    }

    /// Looks up the next links of all switches to some destinations.
    fn look_up(&mut self, Grouped { network, tables, .. }: &Grouped<'_>, destinations: &[Host]) {
        let switches = network.nodes - network.hosts;
        self.next.resize(destinations.len() * switches, NOWHERE);
        for (switch, at) in (0..switches).zip(network.host_numbers().end..) {
            let places = self.next.iter_mut().skip(switch).step_by(switches);
            for (known, d) in places.zip(destinations) {
                *known = next(network, tables, (at, *d));
            }
        }
    }

    /// Marks the nodes of the tree to `d` for whose link something holds, or for one behind it.
    pub(super) fn mark(&self, d: Host, holds: impl Fn(LinkId) -> bool, is_marked: &mut [bool]) {
        is_marked[d as usize] = false;
        for (node, link, to) in &self.nodes {
            is_marked[*node as usize] = holds(*link) || is_marked[*to as usize];
        }
    }
}

/// The link by which a node sends on to `d`, and where it leads, or [`NOWHERE`].
fn next(network: &Network, tables: &Tables<'_>, (at, d): (NodeId, Host)) -> (LinkId, NodeId) {
    let entry = tables.entry(at, d);
    entry.and_then(|entry| checked(network, at, entry)).unwrap_or(NOWHERE)
}

impl Covers<'_> {
    /// Verifies, for the pairs of all groups, what [`Self::check_pairs`] verifies. Of every link to be weighed it
    /// counts the ends that weigh less, as far as a claim needs that. `None` where something is not known to be right.
    /// O(N·(groups + nodes on paths to a destination)).
    pub(super) fn check_trees(
        &self,
        grouped: &Grouped<'_>,
        weighing: &Weighing<'_>,
    ) -> Result<Option<Vec<Count>>> {
        let Grouped { network, groups, .. } = grouped;
        let [sources, destinations] =
            [true, false].map(|is_source| Weights::of(weighing, is_source));
        let (Some(sources), Some(destinations)) = (sources, destinations) else { return Ok(None) };
        if !groups.iter().all(|group| self.are_first_covered(network, group)) {
            return Ok(None);
        }
        let Some(received) = self.destinations(grouped, &destinations)? else { return Ok(None) };
        let is_above = |link: &LinkId| {
            let mut ways = weighing.ways.iter().enumerate();
            let total = |way| received.total(&destinations, way, *link);
            ways.any(|(at, way)| way.exceeded(network, *link as usize, &total(at)).is_some())
        };
        let open: Vec<LinkId> = weighing.open_links.iter().copied().filter(is_above).collect();
        let Some(sent) = grouped.sources(&open, &sources)? else { return Ok(None) };
        let mut is_open = vec![false; network.links.len()];
        for link in &open {
            is_open[*link as usize] = true;
        }
        let counts = weighing.ways.iter().enumerate().map(|(way, _)| {
            let mut count = Count::new(network.links.len());
            for link in &weighing.open_links {
                let total = || received.total(&destinations, way, *link);
                let are_sources =
                    is_open[*link as usize] && sent.total(&sources, way, *link) < total();
                let (weights, hosts) =
                    if are_sources { (&sources, &sent) } else { (&destinations, &received) };
                for (weight, hosts) in weights.different.iter().zip(hosts.of(*link)) {
                    let weight = count.weights.number(&weight[way]);
                    count.add(*link, weight, hosts);
                }
            }
            count
        });
        Ok(Some(counts.collect()))
    }

    /// Whether hosts alone cover the pairs with a destination, to which all paths lead, of the groups at marked nodes.
    fn are_covered(
        &self,
        Grouped { network, tables, groups }: &Grouped<'_>,
        d: Host,
        is_marked: &[bool],
    ) -> bool {
        let groups = groups.iter().filter(|group| group.sources != [d]);
        groups.filter(|group| is_marked[group.entry as usize]).all(|group| {
            let mut covered = true;
            tables.walk(network, (group.entry, d), |link| {
                covered = self.are_full(link, &group.sources, d);
                covered
            });
            covered
        })
    }

    /// The destinations of all links; `None` where a path does not arrive, or hosts alone do not cover it.
    fn destinations(&self, grouped: &Grouped<'_>, weights: &Weights) -> Result<Option<Numbers>> {
        let Grouped { network, groups, .. } = grouped;
        let hosts: Vec<Host> = network.host_numbers().collect();
        let parts: Vec<&[Host]> = parts(&hosts).collect();
        let counted = parallel::map(&parts, |part| -> Result<_> {
            let mut tree = Tree::new(network);
            let mut numbers = Numbers::new(weights, network.links.len());
            let mut is_open = vec![false; network.nodes];
            for (place, d) in part.iter().enumerate() {
                network.go_on()?;
                let is_covered =
                    |link| self.is_by_ends(link) || self.first_full[link as usize][1] == Some(*d);
                if !tree.grow(grouped, (part, place)) {
                    return Ok(None);
                }
                if !tree.nodes.iter().all(|(_, link, _)| is_covered(*link)) {
                    tree.mark(*d, |link| !is_covered(link), &mut is_open);
                    if !self.are_covered(grouped, *d, &is_open) {
                        return Ok(None);
                    }
                }
                let weight = weights.of[*d as usize];
                tree.nodes.iter().for_each(|(_, link, _)| numbers.add(weight, *link, 1));
            }
            Ok(Some(numbers))
        });
        let mut all = Numbers::new(weights, network.links.len());
        for counted in counted {
            let Some(counted) = counted? else { return Ok(None) };
            all.take(&counted);
        }
        // By its first link a source sends to all others.
        let mut of_all = vec![0; weights.different.len()];
        weights.of.iter().for_each(|weight| of_all[*weight] += 1);
        for (s, first) in groups.iter().flat_map(Group::firsts) {
            for (weight, hosts) in of_all.iter().enumerate() {
                let is_own = u32::from(weight == weights.of[s as usize]);
                all.counts[weight * all.links + first as usize] = hosts - is_own;
            }
        }
        Ok(Some(all))
    }
}
