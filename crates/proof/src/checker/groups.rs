//! All pairs of tables, group by group instead of pair by pair.
//!
//! Sources that enter the tables at the same node share their paths from there: one walk for each
//! destination verifies those of all. What a group shows to be right needs no other look. Where it
//! does not, its sources are checked one by one, which finds out what is wrong, or that more than
//! hosts cover a pair.

mod tree_sources;
mod trees;

use crate::certificate::NextLink;
use crate::topology::{Host, LinkId, NodeId};

use super::cover::Covers;
use super::ends::{Scale, Weighing, parts};
use super::known::Count;
use super::network::Network;
use super::tables::Tables;
use super::{Result, parallel};
use trees::Grouped;

/// Hosts whose traffic comes to the same node first: from there its path depends on the destination
/// alone.
#[derive(Default)]
pub(super) struct Group {
    pub(super) entry: NodeId,
    /// Ascending.
    pub(super) sources: Vec<Host>,
    /// The links by which they send to this node; one that is this node has none.
    first: Vec<Option<LinkId>>,
}

impl Group {
    /// The sources that have a link to the entry, with that.
    pub(super) fn firsts(&self) -> impl Iterator<Item = (Host, LinkId)> {
        self.sources.iter().zip(&self.first).filter_map(|(s, first)| Some((*s, (*first)?)))
    }
}

/// No link of the group's paths so far.
const UNUSED: Host = Host::MAX;
/// On the way to several destinations.
const SEVERAL: Host = Host::MAX - 1;

/// The links on the paths of a group.
struct Passed {
    /// By link, the only destination to which it is passed, [`UNUSED`] or [`SEVERAL`].
    destination: Vec<Host>,
    /// Groups that are used.
    links: Vec<LinkId>,
}

impl Passed {
    #[inline]
    fn pass(&mut self, link: LinkId, d: Host) {
        let known = &mut self.destination[link as usize];
        if *known == UNUSED {
            self.links.push(link);
            *known = d;
        } else if *known != d {
            *known = SEVERAL;
        }
    }

    fn clear(&mut self) {
        for link in self.links.drain(..) {
            self.destination[link as usize] = UNUSED;
        }
    }
}

impl Covers<'_> {
    /// Verifies, for the pairs of all groups, what [`Self::check_pairs`] verifies, and weighs the
    /// sources, or the destinations where these weigh less. Those about which nothing could be said in groups are
    /// returned, ascending, and not weighed. O(groups·N·path length), mostly less.
    pub(super) fn check_groups(
        &self,
        network: &Network,
        tables: &Tables<'_>,
        weighing: &Weighing<'_>,
    ) -> Result<(Vec<Vec<Count>>, Vec<Host>)> {
        let groups = tables.groups(network);
        let grouped = Grouped { network, tables, groups: &groups };
        if let Some(counts) = self.check_trees(&grouped, weighing)? {
            return Ok((vec![counts], Vec::new()));
        }
        let parts: Vec<&[Group]> = parts(&groups).collect();
        let checked = parallel::map(&parts, |groups| {
            let (mut scale, mut open) = (weighing.scale(), Vec::new());
            let destination = vec![UNUSED; network.links.len()];
            let mut passed = Passed { destination, links: Vec::new() };
            for group in *groups {
                network.go_on()?;
                if self.is_right(network, (tables, group), &mut passed) {
                    scale.weigh_group(group, &passed)?;
                } else {
                    open.extend_from_slice(&group.sources);
                }
                passed.clear();
            }
            Ok((scale.counts, open))
        });
        let checked: Vec<_> = checked.into_iter().collect::<Result<_>>()?;
        let (counts, open): (Vec<_>, Vec<_>) = checked.into_iter().unzip();
        let mut open = open.concat();
        open.sort_unstable();
        Ok((counts, open))
    }

    /// Whether `s` alone covers its pairs on the link, or the link's ends do.
    fn is_full_from(&self, link: LinkId, s: Host) -> bool {
        self.is_by_ends(link) || self.by_link[link as usize].full_sources.binary_search(&s).is_ok()
    }

    /// As `is_full` for several sources, where `d` may be among them.
    #[inline]
    fn are_full(&self, link: LinkId, sources: &[Host], d: Host) -> bool {
        if self.is_by_ends(link) || self.first_full[link as usize][1] == Some(d) {
            return true;
        }
        sources.iter().all(|s| *s == d || self.is_full(link, *s, d))
    }

    /// Whether the capacities of the group's sources are known, and these, or their destinations, cover their first
    /// links.
    pub(super) fn are_first_covered(&self, network: &Network, group: &Group) -> bool {
        let are_known = group.sources.iter().all(|s| network.host_capacity(*s).is_ok());
        are_known
            && group.firsts().all(|(s, link)| {
                let mut others = network.host_numbers().filter(|d| *d != s);
                self.is_full_from(link, s) || others.all(|d| self.are_full(link, &[s], d))
            })
    }

    /// Whether all paths of the group join their pairs, and hosts alone cover them; the links that
    /// they pass behind the entry are then in `passed`.
    fn is_right(
        &self,
        network: &Network,
        (tables, group): (&Tables<'_>, &Group),
        passed: &mut Passed,
    ) -> bool {
        let sources = &group.sources;
        let mut others = network.host_numbers().filter(|d| *sources != [*d]);
        self.are_first_covered(network, group)
            && others.all(|d| {
                let mut covered = true;
                let arrives = tables.walk(network, (group.entry, d), |link| {
                    passed.pass(link, d);
                    covered = self.are_full(link, sources, d);
                    covered
                });
                arrives && covered
            })
    }
}

impl Tables<'_> {
    /// The groups, in the order of their lowest hosts.
    fn groups(&self, network: &Network) -> Vec<Group> {
        let (mut groups, mut of_entry) = (Vec::new(), vec![None; network.nodes]);
        for s in network.host_numbers() {
            // A host with one link for all destinations hands everything to its neighbour.
            let (entry, first) = match self.rows[s as usize] {
                [only] => checked(network, s, *only).map_or((s, None), |(l, to)| (to, Some(l))),
                _ => (s, None),
            };
            let place = *of_entry[entry as usize].get_or_insert_with(|| {
                groups.push(Group { entry, ..Group::default() });
                groups.len() - 1
            });
            groups[place].sources.push(s);
            groups[place].first.push(first);
        }
        groups
    }

    /// Calls `pass` with the links from a node to `d` in order, as long as it returns `true`.
    /// Returns `false` where the entries do not lead there.
    #[inline]
    fn walk(
        &self,
        network: &Network,
        (mut at, d): (NodeId, Host),
        mut pass: impl FnMut(LinkId) -> bool,
    ) -> bool {
        // What is not there by then goes round in a cycle.
        for _ in 0..=network.nodes {
            if at == d {
                return true;
            }
            let entry = self.entry(at, d);
            let Some((link, to)) = entry.and_then(|entry| checked(network, at, entry)) else {
                return false;
            };
            if !pass(link) {
                return true;
            }
            at = to;
        }
        false
    }

    /// Calls `see(d, link)` with the links of all paths to some destinations, with many more than
    /// once; where it returns `false`, the links behind that one are known.
    pub(super) fn each_use(
        &self,
        network: &Network,
        destinations: &[Host],
        mut see: impl FnMut(Host, LinkId) -> bool,
    ) -> Result<()> {
        for group in &self.groups(network) {
            network.go_on()?;
            for d in destinations.iter().filter(|d| group.sources != [**d]) {
                self.walk(network, (group.entry, *d), |link| see(*d, link));
            }
            for (s, first) in group.firsts() {
                destinations.iter().filter(|d| **d != s).for_each(|d| _ = see(*d, first));
            }
        }
        Ok(())
    }
}

/// The link of an entry of `at`, and where it leads; `None` where there is none, or it begins
/// elsewhere.
#[inline]
pub(super) fn checked(network: &Network, at: NodeId, entry: NextLink) -> Option<(LinkId, NodeId)> {
    let link = entry.link()?;
    let (from, to) = network.ends(link)?;
    (from == at).then_some((link, to))
}

impl Scale<'_> {
    /// Weighs hosts of one end on links that all of them have pairs on.
    fn add(&mut self, links: &[LinkId], sources: &[Host]) -> Result<()> {
        let weighing = self.weighing;
        for (way, count) in weighing.ways.iter().zip(&mut self.counts) {
            let mut classes: Vec<(u32, u32)> = Vec::new();
            for s in sources {
                let weight = way.weight(weighing.network, *s, true)?;
                let weight = count.weights.number(&weight);
                match classes.iter_mut().find(|class| class.0 == weight) {
                    Some((_, hosts)) => *hosts += 1,
                    None => classes.push((weight, 1)),
                }
            }
            for link in links.iter().filter(|link| weighing.slot[**link as usize].is_some()) {
                for (weight, hosts) in &classes {
                    count.add(*link, *weight, *hosts);
                }
            }
        }
        Ok(())
    }

    /// Weighs the sources of a group on all links that they pass.
    fn weigh_group(&mut self, group: &Group, passed: &Passed) -> Result<()> {
        let only = |link: &LinkId| passed.destination[*link as usize];
        // A source does not send to itself.
        let (own, common): (Vec<LinkId>, Vec<LinkId>) =
            passed.links.iter().partition(|link| group.sources.binary_search(&only(link)).is_ok());
        self.add(&common, &group.sources)?;
        for link in &own {
            let others: Vec<Host> =
                group.sources.iter().copied().filter(|s| *s != only(link)).collect();
            self.add(&[*link], &others)?;
        }
        group.firsts().try_for_each(|(s, first)| self.add(&[first], &[s]))
    }
}

#[cfg(test)]
mod tests;
