//! Destination-based forwarding: the next link per node and destination.
//!
//! InfiniBand switches, and the tools made for them, forward by destination alone. A routing can
//! be written as such tables exactly when all its paths to a destination that meet at a node
//! leave it by the same link. Following the table from a source then reproduces its path:
//! the first link is the table's, and by induction so is every later one.

use rayon::prelude::*;

use super::{Paths, Routing};
use crate::advice::{Advice, Remedy};
use crate::certificate::NextLink;
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Why a routing could not be written as forwarding tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ForwardingError {
    #[error(
        "routing `{routing}` is not destination-based: at {node}, traffic to host {} \
         leaves by {} from host {} and by {} from host {}; a forwarding table has one entry \
         per destination, so use a routing such as dmodk, or {advice}",
        .called[0], .links[0], .called[1], .links[1], .called[2]
    )]
    Conflict {
        routing: String,
        /// Name of the node where the paths part.
        node: String,
        destination: Host,
        /// Sources of the paths; the same twice when a pair has several paths.
        sources: [Host; 2],
        /// Labels of the destination and the sources, for display.
        called: Box<[String; 3]>,
        links: Box<[String; 2]>,
        #[source]
        advice: Advice,
    },
    /// More entries than [`NextLinks::MAX_ENTRIES`].
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// The link by which a node forwards to each destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextLinks {
    hosts: usize,
    nodes: Vec<Column>,
    columns: usize,
    /// Destination by destination, column by column; [`NONE`] where no path passes.
    table: Vec<LinkId>,
}

/// The place of the next links of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// A host with one link sends all its traffic there, and forwards none.
    Only(LinkId),
    At(u32),
}

/// The next links of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextRow {
    /// A host with one link, by which it sends everything.
    Only(LinkId),
    /// By destination; none where no path passes.
    Each(Vec<NextLink>),
}

/// Number of destinations whose tables are filled together, source by source.
const BLOCK: usize = 64;

/// No link has this id: there are at most [`Topology::MAX_LINKS`].
const NONE: LinkId = LinkId::MAX;

impl NextLinks {
    /// Maximum number of entries that a table may have: hosts times nodes, hosts with one link not counted. 1 GiB
    /// of memory.
    pub const MAX_ENTRIES: u64 = 1 << 28;

    /// Units of work, namely destinations, that [`Self::of`] counts on its progress.
    #[must_use]
    pub fn work(topology: &Topology) -> u64 {
        topology.hosts() as u64
    }

    /// The table of a routing of `topology`. Follows every path once: O(pairs · length) time,
    /// 4 bytes per entry. The conflict reported is that of the lowest destination, and within it of
    /// the lowest source that meets one, for any number of threads.
    ///
    /// # Errors
    /// [`ForwardingError`] when the routing is not destination-based, the table would be too
    /// large, or `progress` requests a stop.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::progress::Progress;
    /// use routebound::routing::{Instance, forwarding::NextLinks};
    /// let (topology, routing) = Instance::named("ft(4,2)", "dmodk")?.into_parts();
    /// let next = NextLinks::of(&topology, &*routing, &Progress::silent())?;
    /// let link = next.get(8, 7).ok_or("no path")?;
    /// assert_eq!(topology.link_name(link), "sw-1-0[4] -> sw-2-1[1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<Self, ForwardingError> {
        let (nodes, columns) = columns(topology);
        let hosts = topology.hosts();
        within(
            "number of forwarding entries",
            Some(columns as u128 * hosts as u128),
            Self::MAX_ENTRIES,
            "export a smaller network",
        )?;
        let mut next = Self { hosts, nodes, columns, table: vec![NONE; columns * hosts] };
        let from: Vec<NodeId> =
            topology.link_numbers().filter_map(|link| Some(topology.ends(link)?.0)).collect();
        let mut sources: Vec<Host> = topology.host_numbers().collect();
        // Those that enter at the same node follow one another.
        sources.sort_by_key(|s| {
            topology.links_from(*s).next().and_then(|link| Some(topology.ends(link)?.1))
        });
        let (columns_of, sources) = (&next.nodes[..], &sources[..]);
        let tables =
            Filler { topology, routing, columns: columns_of, from: &from, sources, progress };
        let destinations: Vec<Host> = topology.host_numbers().collect();
        let blocks = next.table.par_chunks_mut((columns * BLOCK).max(1));
        let blocks = blocks.zip(destinations.par_chunks(BLOCK));
        let failure = blocks.find_map_first(|(rows, block)| {
            let filled = tables.fill(block, rows);
            progress.inc(block.len() as u64);
            filled.err()
        });
        failure.map_or(Ok(()), Err)?;
        Ok(next)
    }

    /// The link by which `node` forwards to host `destination`, or `None` when no path to it
    /// passes through the node. Panics, as indexing does, when there is no such node or host.
    #[must_use]
    pub fn get(&self, node: NodeId, destination: Host) -> Option<LinkId> {
        match self.nodes[node as usize] {
            Column::Only(link) => (node != destination).then_some(link),
            Column::At(column) => {
                let row = destination as usize * self.columns;
                let link = self.table[row + column as usize];
                (link != NONE).then_some(link)
            }
        }
    }

    /// The next links of some nodes. O(hosts) each, and quickest for consecutive nodes. Panics, as
    /// indexing does, when there is no such node.
    #[must_use]
    pub fn rows(&self, nodes: &[NodeId]) -> Vec<NextRow> {
        let row = |node: &NodeId| match self.nodes[*node as usize] {
            Column::Only(link) => NextRow::Only(link),
            Column::At(_) => NextRow::Each(Vec::with_capacity(self.hosts)),
        };
        let mut rows: Vec<NextRow> = nodes.iter().map(row).collect();
        let with_columns = nodes.iter().zip(&mut rows).filter_map(|(node, row)| match row {
            NextRow::Only(_) => None,
            NextRow::Each(row) => Some((*node, row)),
        });
        let mut with_columns: Vec<_> = with_columns.collect();
        for d in 0..host_number(self.hosts) {
            for (node, row) in &mut with_columns {
                row.push(self.get(*node, d).into());
            }
        }
        rows
    }
}

/// The place of the next links of every node, and the number of columns.
fn columns(topology: &Topology) -> (Vec<Column>, usize) {
    let mut columns = 0;
    let column = |node: NodeId| {
        let mut links = topology.links_from(node);
        match (links.next(), links.next()) {
            (Some(only), None) if (node as usize) < topology.hosts() => Column::Only(only),
            _ => {
                columns += 1;
                Column::At(index32(columns - 1))
            }
        }
    };
    let nodes = topology.node_numbers().map(column).collect();
    (nodes, columns)
}

/// Fills tables.
struct Filler<'a> {
    topology: &'a Topology,
    routing: &'a dyn Routing,
    columns: &'a [Column],
    /// The node that each link leaves.
    from: &'a [NodeId],
    /// All hosts.
    sources: &'a [Host],
    progress: &'a Progress,
}

impl Filler<'_> {
    /// Enters every path to the destinations of a block into their rows.
    fn fill(&self, block: &[Host], rows: &mut [LinkId]) -> Result<(), ForwardingError> {
        if !self.routing.is_single_path() || !self.fill_from_sources(block, rows)? {
            // Where paths part, the lowest destination comes first.
            rows.fill(NONE);
            for (place, d) in block.iter().enumerate() {
                let columns = rows.len() / block.len();
                self.fill_row(*d, &mut rows[place * columns..][..columns])?;
            }
        }
        Ok(())
    }

    /// Fills the block source by source; `false` where paths part.
    fn fill_from_sources(
        &self,
        block: &[Host],
        rows: &mut [LinkId],
    ) -> Result<bool, ForwardingError> {
        let (mut paths, columns) = (Paths::default(), rows.len() / block.len());
        let mut entered = (None, 0);
        for s in self.sources {
            self.progress.check()?;
            let entry = self.routing.enters_at(*s);
            entered =
                (entry, if entry.is_some() && entry == entered.0 { entered.1 + 1 } else { 0 });
            // Two sources have all of the paths that they share: neither sends to itself.
            if entered.1 > 1 {
                continue;
            }
            self.routing.paths_from(*s, block, &mut paths);
            for (place, path) in paths.iter().enumerate() {
                let row = &mut rows[place * columns..][..columns];
                if path.iter().any(|link| self.enter(*link, row).is_err()) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Enters a link of a path into the row of its destination.
    ///
    /// # Errors
    /// The link that is entered already, if that is another one.
    #[inline]
    fn enter(&self, link: LinkId, row: &mut [LinkId]) -> Result<(), LinkId> {
        let node = self.from.get(link as usize).map(|node| self.columns[*node as usize]);
        let Some(Column::At(column)) = node else { return Ok(()) };
        let entry = &mut row[column as usize];
        if *entry == NONE {
            *entry = link;
        }
        if *entry == link { Ok(()) } else { Err(*entry) }
    }

    /// Enters every path to `d` into its row.
    fn fill_row(&self, d: Host, row: &mut [LinkId]) -> Result<(), ForwardingError> {
        let mut links = Vec::new();
        for s in self.topology.host_numbers().filter(|s| *s != d) {
            self.progress.check()?;
            let mut parted = None;
            self.routing.for_each_path(s, d, &mut links, &mut |_, path| {
                for link in path {
                    if let (Err(other), Some(node)) =
                        (self.enter(*link, row), self.from.get(*link as usize))
                    {
                        parted.get_or_insert((*node, [other, *link]));
                    }
                }
            });
            if let Some((node, leaving)) = parted {
                return Err(conflict(self.topology, self.routing, s, d, node, leaving));
            }
        }
        Ok(())
    }
}

/// The error that paths to `d` part at `node`, found on a path from `s`.
fn conflict(
    topology: &Topology,
    routing: &dyn Routing,
    s: Host,
    d: Host,
    node: NodeId,
    leaving: [LinkId; 2],
) -> ForwardingError {
    let mut links = Vec::new();
    // The earlier source is not stored per entry; it is searched for once, here.
    let earlier = (0..s).filter(|other| *other != d).find(|other| {
        let mut passes = false;
        routing.for_each_path(*other, d, &mut links, &mut |_, path| {
            passes |= path.contains(&leaving[0]);
        });
        passes
    });
    let sources = [earlier.unwrap_or(s), s];
    ForwardingError::Conflict {
        routing: routing.spec().to_string(),
        node: topology.node(node).name.clone(),
        destination: d,
        sources,
        called: Box::new([d, sources[0], sources[1]].map(|host| topology.host_label(host))),
        links: Box::new(leaving.map(|link| topology.link_name(link))),
        advice: Advice::new("write its paths instead", &[Remedy::WritePaths]),
    }
}

#[cfg(test)]
mod tests;
