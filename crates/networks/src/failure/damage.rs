//! A network without some of its cables.

use itertools::Itertools;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;
use petgraph::visit::Bfs;
use rayon::prelude::*;

use super::{Cable, FailureError};
use crate::topology::{Host, LinkId, Topology, TopologyError, host_number};

/// Maximum number of cables listed in a name; of more only the number is given.
const NAMED_CABLES: usize = 4;

/// Maximum number of cables listed in a note.
const LISTED_CABLES: usize = 32;

/// Maximum number of pairs listed in an error.
const LISTED_PAIRS: usize = 10;

/// Number of a link that was removed.
pub(super) const GONE: LinkId = LinkId::MAX;

/// The part of a network that remains after failures.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The network without the cables: the same nodes, the remaining links in the same order, no
    /// labels.
    pub topology: Topology,
    /// The names of the removed cables.
    pub cables: Vec<String>,
    /// New number of every link, or [`GONE`].
    pub(super) link: Vec<LinkId>,
}

impl Damage {
    /// The new number of a link of the undamaged network; `None` if it was removed.
    #[must_use]
    pub fn link(&self, old: LinkId) -> Option<LinkId> {
        self.link.get(old as usize).copied().filter(|new| *new != GONE)
    }
}

/// Removes `cables` from a network. The spec of the result names the network and the cables, as in
/// `ft(4,2) less sw-1-0[3]:sw-2-0[1]`; the network cannot be rebuilt from it. O(nodes + links).
///
/// # Errors
/// [`TopologyError`] if the result is not a valid network, which takes an invalid one to begin
/// with.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let cables = failure::between_switches(&tree);
/// let damage = failure::damage(&tree, &cables[..1])?;
/// assert_eq!(damage.topology.links(), tree.links() - 2);
/// assert_eq!(damage.topology.spec(), "ft(4,2) less sw-1-0[3]:sw-2-0[1]");
/// # Ok::<(), topology::TopologyError>(())
/// ```
pub fn damage(topology: &Topology, cables: &[Cable]) -> Result<Damage, TopologyError> {
    let mut link = vec![0; topology.links()];
    for failed in cables.iter().flat_map(|cable| &cable.links) {
        link[*failed as usize] = GONE;
    }
    let left = link.iter_mut().filter(|link| **link != GONE);
    left.zip(0..).for_each(|(link, new)| *link = new);
    // All nodes stay, so they keep their numbers; links keep their order.
    let graph = topology.graph().filter_map(
        |_, node| Some(node.clone()),
        |id, weight| (link[id.index()] != GONE).then(|| weight.clone()),
    );
    let cables = cables.iter().map(|cable| cable.name(topology)).unique().collect_vec();
    let what = if cables.len() > NAMED_CABLES { counted(cables.len()) } else { cables.join(", ") };
    let spec = format!("{} less {what}", topology.spec());
    let mut notes = topology.notes().to_vec();
    notes.push(format!("without {}: {}", counted(cables.len()), listed(&cables)));
    Ok(Damage { topology: topology.remaining(spec, graph)?.with_notes(notes), cables, link })
}

fn counted(cables: usize) -> String {
    if cables == 1 { "1 cable".into() } else { format!("{cables} cables") }
}

/// The first names, and the number of the others.
fn listed(cables: &[String]) -> String {
    let first = cables.iter().take(LISTED_CABLES).join(", ");
    match cables.len().saturating_sub(LISTED_CABLES) {
        0 => first,
        more => format!("{first}, … {more} more"),
    }
}

/// A number of SD pairs, and the first of them.
pub(super) struct Pairs {
    count: u64,
    first: Vec<(Host, Host)>,
}

impl Pairs {
    /// The pairs of `hosts` hosts for which `is_one` holds; `state` is created once per source.
    /// Sources are processed in parallel.
    pub(super) fn find<S>(
        hosts: usize,
        state: impl Fn(Host) -> S + Sync,
        is_one: impl Fn(&mut S, Host, Host) -> bool + Sync,
    ) -> Self {
        let row = |s: Host| {
            let mut state = state(s);
            let others = (0..host_number(hosts)).filter(|d| *d != s);
            let mut found = Self { count: 0, first: Vec::new() };
            for d in others.filter(|d| is_one(&mut state, s, *d)) {
                found.count += 1;
                if found.first.len() < LISTED_PAIRS {
                    found.first.push((s, d));
                }
            }
            found
        };
        // Collected in the order of the sources.
        let rows: Vec<Self> = (0..host_number(hosts)).into_par_iter().map(row).collect();
        let first = rows.iter().flat_map(|row| row.first.iter().copied());
        Self {
            count: rows.iter().map(|row| row.count).sum(),
            first: first.take(LISTED_PAIRS).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// `2 of 56 SD pairs`.
    pub(super) fn counted(&self, hosts: usize) -> String {
        let (count, all) = (self.count, hosts as u64 * (hosts as u64 - 1));
        format!("{count} of {all} SD pairs")
    }

    /// `0->3, 0->4, … 7 more`.
    pub(super) fn listed(&self, topology: &Topology) -> String {
        let called = |host: &Host| topology.host_label(*host);
        let pair = |(s, d): &(Host, Host)| format!("{}->{}", called(s), called(d));
        let listed = self.first.iter().map(pair).join(", ");
        match self.count - self.first.len() as u64 {
            0 => listed,
            more => format!("{listed}, … {more} more"),
        }
    }
}

/// Verifies that every host reaches every other. O(nodes + links) if it does, else one search per
/// host.
pub(super) fn check_connected(topology: &Topology) -> Result<(), FailureError> {
    let (graph, hosts) = (topology.graph(), topology.hosts());
    let mut components = kosaraju_scc(graph).into_iter();
    let holds_all = |component: Vec<NodeIndex>| {
        component.into_iter().filter(|node| node.index() < hosts).count() == hosts
    };
    if components.any(holds_all) {
        return Ok(());
    }
    let search = |s: Host| {
        let mut reached = vec![false; topology.nodes()];
        let mut search = Bfs::new(graph, NodeIndex::new(s as usize));
        while let Some(node) = search.next(graph) {
            reached[node.index()] = true;
        }
        reached
    };
    let apart = Pairs::find(hosts, search, |reached, _, d| !reached[d as usize]);
    if apart.is_empty() {
        return Ok(());
    }
    Err(FailureError::Disconnected {
        topology: topology.spec().to_string(),
        pairs: apart.counted(hosts),
        first: apart.listed(topology),
    })
}
