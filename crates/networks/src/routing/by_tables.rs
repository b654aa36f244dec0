//! Single paths by tables: the next link of every node to every destination.

use super::tails::TablesId;
use super::{Paths, Routing, Visit};
use crate::integer::index32;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// No link, no row.
pub(super) const NONE: u32 = u32::MAX;

/// The routing of some tables, which forward by destination alone.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::{ByTables, Instance};
/// use routebound::topology::generate;
/// // One switch, node 2, with links 2 and 3 down to hosts 0 and 1.
/// let tree = generate("kary(2,1)")?;
/// let tables = ByTables::new("table:own".into(), &tree, &[2], vec![2, 3]);
/// assert!(Instance::new(tree, Box::new(tables) as Box<dyn routebound::routing::Routing>).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ByTables {
    spec: String,
    notes: Vec<String>,
    hosts: usize,
    /// The row of every node; [`NONE`] for a host with one link.
    row: Vec<u32>,
    /// `next[row · hosts + d]`: the link to d; [`NONE`] where no path leads there.
    next: Vec<LinkId>,
    /// By host, its first link with the node behind it, if it has no other.
    first: Vec<Option<(LinkId, NodeId)>>,
    /// By host, whether another one with one link enters at the same node.
    meets: Vec<bool>,
    /// The node that every link leads to.
    head: Vec<NodeId>,
    id: TablesId,
}

impl ByTables {
    /// The routing in which node `nodes[i]` sends to host d by link `next[i · hosts + d]`, and a host with one link
    /// that is not among the nodes by that. A link that no network has, such as `u32::MAX`, stands where no path
    /// passes. Paths that lead nowhere end early, which [`Instance::new`](super::Instance::new) notices. O(links).
    #[must_use]
    pub fn new(spec: String, topology: &Topology, nodes: &[NodeId], next: Vec<LinkId>) -> Self {
        let only = |host: Host| {
            let mut links = topology.links_from(host);
            let only = links.next().filter(|_| links.next().is_none())?;
            Some((only, topology.ends(only)?.1))
        };
        let first: Vec<_> = topology.host_numbers().map(only).collect();
        let mut row = vec![NONE; topology.nodes()];
        for (at, node) in nodes.iter().enumerate() {
            row[*node as usize] = index32(at);
        }
        let head =
            topology.link_numbers().filter_map(|link| Some(topology.ends(link)?.1)).collect();
        let (meets, hosts) = (meets(&first), topology.hosts());
        Self { spec, notes: Vec::new(), hosts, row, next, first, meets, head, id: TablesId::new() }
    }

    /// These tables with notes for readers of results.
    #[must_use]
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// The link by which a node sends to `d`.
    #[inline]
    fn next(&self, node: NodeId, d: Host) -> LinkId {
        match self.row[node as usize] {
            NONE => {
                let first = self.first.get(node as usize).copied().flatten();
                first.map_or(NONE, |(link, _)| link)
            }
            row => self.next[row as usize * self.hosts + d as usize],
        }
    }

    /// Appends the links from a node to `d`.
    #[inline]
    fn walk(&self, mut node: NodeId, d: Host, links: &mut Vec<LinkId>) {
        let end = links.len() + self.row.len();
        while node != d && links.len() < end {
            let link = self.next(node, d);
            let Some(head) = self.head.get(link as usize) else { return };
            links.push(link);
            node = *head;
        }
    }
}

/// By host, whether another one with one link enters at the same node.
fn meets(first: &[Option<(LinkId, NodeId)>]) -> Vec<bool> {
    let mut entries: Vec<NodeId> = first.iter().flatten().map(|(_, entry)| *entry).collect();
    entries.sort_unstable();
    let several = |entry: &NodeId| {
        let from = entries.partition_point(|other| other < entry);
        entries.get(from + 1) == Some(entry)
    };
    first.iter().map(|first| first.is_some_and(|(_, entry)| several(&entry))).collect()
}

impl Routing for ByTables {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        self.walk(s, d, links);
        visit(&Rational::ONE, links);
    }

    fn enters_at(&self, s: Host) -> Option<NodeId> {
        let (_, entry) = self.first[s as usize].filter(|_| self.meets[s as usize])?;
        Some(entry)
    }

    fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        match self.first[s as usize] {
            // From the entry every other host is reached; the way to `s` itself is its link back.
            Some((first, entry)) if self.meets[s as usize] => {
                paths.write_behind((self.id, entry), s, first, destinations, |d, links| {
                    self.walk(entry, d, links);
                });
            }
            _ => paths.write_each(s, destinations, |d, paths, links| {
                links.clear();
                self.walk(s, d, links);
                paths.extend(links);
            }),
        }
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}
