//! Next links: a node sends all traffic to a destination on by the same link.

use crate::certificate::NextLink;
use crate::topology::{Host, LinkId, NodeId};

use super::Refusal;
use super::network::Network;

/// The next links of all nodes.
pub(super) struct Tables<'c> {
    /// The row of every node, whose links exist: empty, one entry for all hosts, or one entry per
    /// host.
    rows: Vec<&'c [NextLink]>,
    /// The hosts, each in one group.
    pub(super) groups: Vec<Group>,
}

/// Hosts whose traffic comes to the same node first: from there its path depends on the destination
/// alone.
#[derive(Default)]
pub(super) struct Group {
    pub(super) entry: NodeId,
    /// Ascending.
    pub(super) sources: Vec<Host>,
    /// The links by which they send to this node; one that is this node has none.
    pub(super) first: Vec<Option<LinkId>>,
}

impl<'c> Tables<'c> {
    /// The tables, whose links all exist.
    pub(super) fn open(
        network: &Network,
        rows: &'c [(NodeId, Vec<NextLink>)],
    ) -> Result<Self, Refusal> {
        let mut table: Vec<&[NextLink]> = vec![&[]; network.nodes];
        for (node, entries) in rows {
            let row = table.get_mut(*node as usize).ok_or(Refusal::RouteOfNobody(*node))?;
            if !row.is_empty() || (entries.len() != 1 && entries.len() != network.hosts) {
                return Err(Refusal::BadNext(*node));
            }
            let is_none = |link: &LinkId| *link as usize >= network.links.len();
            if let Some(link) = entries.iter().filter_map(|entry| entry.link()).find(is_none) {
                return Err(Refusal::NextNoLink { node: *node, link });
            }
            *row = entries;
        }
        let mut tables = Self { rows: table, groups: Vec::new() };
        tables.groups = tables.grouped(network);
        Ok(tables)
    }

    /// The groups, in the order of their lowest hosts.
    fn grouped(&self, network: &Network) -> Vec<Group> {
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

    #[inline]
    fn entry(&self, at: NodeId, d: Host) -> Option<NextLink> {
        let row = self.rows[at as usize];
        let entry = if row.len() == 1 { row.first() } else { row.get(d as usize) };
        entry.copied()
    }

    /// Calls `pass` with the links from a node to `d` in order, as long as it returns `true`.
    /// Returns `false` where the entries do not lead there.
    #[inline]
    pub(super) fn walk(
        &self,
        network: &Network,
        (mut at, d): (NodeId, Host),
        mut pass: impl FnMut(LinkId) -> bool,
    ) -> bool {
        // What is not there by then goes round in a circle.
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

    /// The path from s to d.
    pub(super) fn follow(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        path: &mut Vec<LinkId>,
    ) -> Result<(), Refusal> {
        path.clear();
        let mut at = s;
        while at != d {
            let entry = self.entry(at, d).and_then(NextLink::link);
            let link = entry.ok_or(Refusal::MissingPair { s, d })?;
            let ends = network.ends(link).filter(|(from, _)| *from == at);
            let (_, to) = ends.ok_or(Refusal::BrokenPath { s, d, link })?;
            at = to;
            path.push(link);
            if path.len() > network.nodes {
                return Err(Refusal::Circle { s, d });
            }
        }
        Ok(())
    }
}

/// The link of an entry of `at`, and where it leads; `None` where there is none, or it begins
/// elsewhere.
#[inline]
fn checked(network: &Network, at: NodeId, entry: NextLink) -> Option<(LinkId, NodeId)> {
    let link = entry.link()?;
    let (from, to) = network.ends(link)?;
    (from == at).then_some((link, to))
}
