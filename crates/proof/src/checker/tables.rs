//! Next links: a node sends all traffic to a destination on by the same link.

use crate::certificate::NextLink;
use crate::topology::{Host, LinkId, NodeId};

use super::network::Network;
use super::{Refusal, Result};

/// The next links of all nodes.
pub(super) struct Tables<'c> {
    /// The row of every node, whose links exist: empty, one entry for all hosts, or one entry per
    /// host.
    pub(super) rows: Vec<&'c [NextLink]>,
}

impl<'c> Tables<'c> {
    /// The tables, whose links all exist.
    pub(super) fn open(network: &Network, rows: &'c [(NodeId, Vec<NextLink>)]) -> Result<Self> {
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
        Ok(Self { rows: table })
    }

    #[inline]
    pub(super) fn entry(&self, at: NodeId, d: Host) -> Option<NextLink> {
        let row = self.rows[at as usize];
        let entry = if row.len() == 1 { row.first() } else { row.get(d as usize) };
        entry.copied()
    }

    /// The path from s to d.
    pub(super) fn follow(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        path: &mut Vec<LinkId>,
    ) -> Result<()> {
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
                return Err(Refusal::Loop { s, d });
            }
        }
        Ok(())
    }
}
