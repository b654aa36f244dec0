//! Destination-based forwarding: the next link per node and destination.
//!
//! InfiniBand switches, and the tools made for them, forward by destination alone. A routing can
//! be written as such tables exactly when all its paths to a destination that meet at a node
//! leave it by the same link. Following the table from a source then reproduces its path:
//! the first link is the table's, and by induction so is every later one.

use rayon::prelude::*;

use super::Routing;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Why a routing could not be written as forwarding tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForwardingError {
    /// Two paths to one destination part at a node.
    #[error(
        "routing `{routing}` is not destination-based: at {node}, traffic to host {} \
         leaves by {} from host {} and by {} from host {}; a forwarding table has one entry \
         per destination, so use a routing such as dmodk, or write its paths instead",
        .called[0], .links[0], .called[1], .links[1], .called[2]
    )]
    Conflict {
        /// Canonical spec of the routing.
        routing: String,
        /// Name of the node where the paths part.
        node: String,
        /// Their destination.
        destination: Host,
        /// Their sources; the same twice when a pair has several paths.
        sources: [Host; 2],
        /// Labels of the destination and the sources, for display.
        called: Box<[String; 3]>,
        /// Names of the links by which they leave the node.
        links: [String; 2],
    },
    /// More entries than [`NextLinks::MAX_ENTRIES`].
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// Stopped before the end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// The link by which a node forwards to each destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextLinks {
    nodes: usize,
    /// Destination by destination, node by node; [`NONE`] where no path passes.
    table: Vec<LinkId>,
}

/// No link has this id: there are at most [`Topology::MAX_LINKS`].
const NONE: LinkId = LinkId::MAX;

impl NextLinks {
    /// Most entries, nodes times hosts, that a table may have: 1 GiB of memory.
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
        let (nodes, hosts) = (topology.nodes(), topology.hosts());
        within(
            "number of forwarding entries",
            Some(nodes as u128 * hosts as u128),
            Self::MAX_ENTRIES,
            "export a smaller network",
        )?;
        let mut table = vec![NONE; nodes * hosts];
        let failure = table.par_chunks_mut(nodes).enumerate().find_map_first(|(d, row)| {
            let filled = fill(topology, routing, host_number(d), row, progress);
            progress.inc(1);
            filled.err()
        });
        failure.map_or(Ok(Self { nodes, table }), Err)
    }

    /// The link by which `node` forwards to host `destination`, or `None` when no path to it
    /// passes through the node. Panics, as indexing does, when there is no such node or host.
    #[must_use]
    pub fn get(&self, node: NodeId, destination: Host) -> Option<LinkId> {
        let link = self.table[destination as usize * self.nodes + node as usize];
        (link != NONE).then_some(link)
    }
}

/// Enters every path to `d` into its row.
fn fill(
    topology: &Topology,
    routing: &dyn Routing,
    d: Host,
    row: &mut [LinkId],
    progress: &Progress,
) -> Result<(), ForwardingError> {
    let mut links = Vec::new();
    for s in topology.host_numbers().filter(|s| *s != d) {
        progress.check()?;
        let mut parted = None;
        routing.for_each_path(s, d, &mut links, &mut |_, path| {
            for (node, link) in departures(topology, path) {
                let entry = &mut row[node as usize];
                if *entry == NONE {
                    *entry = link;
                } else if *entry != link {
                    parted.get_or_insert((node, [*entry, link]));
                }
            }
        });
        if let Some((node, leaving)) = parted {
            return Err(conflict(topology, routing, (s, d), node, leaving));
        }
    }
    Ok(())
}

/// The links of a path, each with the node that it leaves.
fn departures<'p>(
    topology: &'p Topology,
    path: &'p [LinkId],
) -> impl Iterator<Item = (NodeId, LinkId)> + 'p {
    path.iter().filter_map(|link| Some((topology.ends(*link)?.0, *link)))
}

/// The error that paths to `d` part at `node`, found on a path from `s`.
fn conflict(
    topology: &Topology,
    routing: &dyn Routing,
    (s, d): (Host, Host),
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
        links: leaving.map(|link| topology.link_name(link)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::ratio::Ratio;
    use crate::routing::Instance;

    /// Every pair of `ft(4,2)` alternates between its two roots.
    struct TwoPaths(Instance);

    impl Routing for TwoPaths {
        fn spec(&self) -> &'static str {
            "two-paths"
        }
        fn for_each_path(
            &self,
            s: Host,
            d: Host,
            links: &mut Vec<LinkId>,
            visit: &mut dyn FnMut(&Ratio, &[LinkId]),
        ) {
            let tree = self.0.topology.tree().unwrap();
            for root in 0..2 {
                links.clear();
                tree.push_path(s, d, &[0, root][..tree.nca_level(s, d)], links);
                visit(&Ratio::new(1, 2).unwrap(), links);
            }
        }
    }

    #[test]
    fn following_the_table_reproduces_every_path() {
        for topology in ["ft(4,2)", "ft(6,2)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)"] {
            let Instance { topology, routing } = Instance::named(topology, "dmodk").unwrap();
            let next = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap();
            let hosts = host_number(topology.hosts());
            for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
                if s != d {
                    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
                        let (mut node, mut walked) = (s, Vec::new());
                        while node != d {
                            walked.push(next.get(node, d).unwrap());
                            node = topology.ends(walked[walked.len() - 1]).unwrap().1;
                        }
                        assert_eq!(walked, path);
                    });
                }
            }
        }
    }

    #[test]
    fn names_where_two_sources_part() {
        // Hosts 2 and 3 have digits M1 = 0 and 1 at leaf sw-1-1: S-mod-k sends them to roots 0
        // and 1, via ports 3 and 4. No lower destination or source has a conflict.
        let Instance { topology, routing } = Instance::named("ft(4,2)", "smodk").unwrap();
        let error = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap_err();
        let expected = ForwardingError::Conflict {
            routing: "smodk".into(),
            node: "sw-1-1".into(),
            destination: 0,
            sources: [2, 3],
            called: Box::new(["0", "2", "3"].map(String::from)),
            links: ["sw-1-1[3] -> sw-2-0[2]".into(), "sw-1-1[4] -> sw-2-1[2]".into()],
        };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("write its paths instead"), "{error}");
    }

    #[test]
    fn refuses_two_paths_of_one_pair() {
        let routing = TwoPaths(Instance::named("ft(4,2)", "dmodk").unwrap());
        match NextLinks::of(&routing.0.topology, &routing, &Progress::silent()) {
            Err(ForwardingError::Conflict { destination: 0, sources: [2, 2], .. }) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn refuses_large_tables_and_stops() {
        let Instance { topology, routing } = Instance::named("kary(2,15)", "dmodk").unwrap();
        let error = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap_err();
        assert!(matches!(error, ForwardingError::TooLarge(_)), "{error}");
        let stop = Stop::default();
        stop.request();
        let Instance { topology, routing } = Instance::named("ft(4,2)", "dmodk").unwrap();
        let progress = Progress::silent().stopped_by(stop);
        let error = NextLinks::of(&topology, &*routing, &progress).unwrap_err();
        assert_eq!(error, ForwardingError::Stopped(Stopped));
    }
}
