//! A network without some of its cables.

use itertools::Itertools;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::{EdgeFiltered, EdgeRef};

use super::{Cable, FailureError};
use crate::topology::{Host, LinkId, Topology, quoted};

/// Maximum number of cables listed in a name; of more only the number is given.
const NAMED_CABLES: usize = 4;

/// Maximum number of cables or hosts listed in a note.
const LISTED: usize = 32;

/// Number of a link that was removed.
pub(super) const GONE: LinkId = LinkId::MAX;

/// The part of a network that remains after failures.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The network without the cables and the hosts that are cut off: nodes and links in the same order, no labels.
    pub topology: Topology,
    /// The names of the removed cables.
    pub cables: Vec<String>,
    /// The names of the hosts that the failure cuts off from most others.
    pub cut_off: Vec<String>,
    /// The number that every remaining host had.
    pub(super) hosts: Vec<Host>,
    /// New number of every link, or [`GONE`].
    pub(super) link: Vec<LinkId>,
}

impl Damage {
    /// The new number of a link of the undamaged network; `None` if it was removed.
    #[must_use]
    pub fn link(&self, old: LinkId) -> Option<LinkId> {
        self.link.get(old as usize).copied().filter(|new| *new != GONE)
    }

    /// The new number of every remaining link, with the number that it had.
    pub fn new_links(&self) -> impl Iterator<Item = (LinkId, LinkId)> + '_ {
        (0..).zip(&self.link).filter(|(_, new)| **new != GONE).map(|(old, new)| (*new, old))
    }

    /// The number that every remaining host had, ascending.
    #[must_use]
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }
}

/// The hosts that the failure of `cables` cuts off from most others, ascending: those that [`damage`] leaves out, and
/// all where no two hosts remain connected. O(nodes + links).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let leaf = failure::listed_cables(&tree, "sw-1-0 sw-2-0\nsw-1-0 sw-2-1")?;
/// assert_eq!(failure::cut_off(&tree, &leaf), [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cut_off(topology: &Topology, cables: &[Cable]) -> Vec<Host> {
    let remains = connected(topology, &without(topology, cables));
    if !cables.is_empty() && !some_two(&remains) {
        return topology.host_numbers().collect();
    }
    topology.host_numbers().filter(|host| !remains[*host as usize]).collect()
}

/// Zeros, and [`GONE`] for the links of `cables`.
fn without(topology: &Topology, cables: &[Cable]) -> Vec<LinkId> {
    let mut link = vec![0; topology.links()];
    for failed in cables.iter().flat_map(|cable| &cable.links) {
        link[*failed as usize] = GONE;
    }
    link
}

/// Removes `cables` from a network, and the hosts that they cut off: of several parts the one with the most hosts
/// remains, among equals that with the first host. The spec of the result names the network and the cables, as in
/// `ft(4,2) less sw-1-0[3]:sw-2-0[1]`; the network cannot be rebuilt from it. O(nodes + links).
///
/// # Errors
/// [`FailureError::NothingLeft`] where no two hosts remain connected.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let cables = failure::between_switches(&tree);
/// let damage = failure::damage(&tree, &cables[..1])?;
/// assert_eq!(damage.topology.links(), tree.links() - 2);
/// assert_eq!(damage.topology.spec(), "ft(4,2) less sw-1-0[3]:sw-2-0[1]");
/// # Ok::<(), failure::FailureError>(())
/// ```
pub fn damage(topology: &Topology, cables: &[Cable]) -> Result<Damage, FailureError> {
    let mut link = without(topology, cables);
    let names = cables.iter().map(|cable| cable.name(topology)).unique().collect_vec();
    let what = if names.len() > NAMED_CABLES { counted(names.len()) } else { names.join(", ") };
    let spec = format!("{} less {what}", topology.spec());
    let remains = connected(topology, &link);
    if !cables.is_empty() && !some_two(&remains) {
        return Err(FailureError::NothingLeft { topology: spec });
    }
    let is_left = |node: &usize| remains.get(*node).is_none_or(|remains| *remains);
    for (from, link) in topology.link_numbers().zip(&mut link) {
        let ends = topology.ends(from).map(|(a, b)| [a, b]);
        if !ends.into_iter().flatten().all(|node| is_left(&(node as usize))) {
            *link = GONE;
        }
    }
    let left = link.iter_mut().filter(|link| **link != GONE);
    left.zip(0..).for_each(|(link, new)| *link = new);
    // What remains keeps its order.
    let graph = topology.graph().filter_map(
        |id, node| is_left(&id.index()).then(|| node.clone()),
        |id, weight| (link[id.index()] != GONE).then(|| weight.clone()),
    );
    let nodes = topology.node_numbers().filter(|node| is_left(&(*node as usize))).collect_vec();
    let (hosts, cut_off): (Vec<Host>, Vec<Host>) =
        topology.host_numbers().partition(|host| is_left(&(*host as usize)));
    let cut_off = cut_off.iter().map(|host| topology.node(*host).name.clone()).collect_vec();
    let mut said = topology.notes().to_vec();
    said.push(format!("without {}: {}", counted(names.len()), listed(&names)));
    if !cut_off.is_empty() {
        let (count, all) = (cut_off.len(), topology.hosts());
        let quoted = cut_off.iter().map(|name| quoted(name)).collect_vec();
        let are = if count == 1 { "is" } else { "are" };
        let listed = listed(&quoted);
        said.push(format!("{count} of {all} hosts {are} cut off, and left out: {listed}"));
    }
    let topology = topology.remaining(spec, graph, &nodes)?.with_notes(said);
    Ok(Damage { topology, cables: names, cut_off, hosts, link })
}

/// Which hosts remain connected without the links that are [`GONE`]; all, where some were apart before.
fn connected(topology: &Topology, link: &[LinkId]) -> Vec<bool> {
    let hosts = topology.hosts();
    let largest = |link: &[LinkId]| {
        let graph = topology.graph();
        let left = EdgeFiltered::from_fn(graph, |edge| link[edge.id().index()] != GONE);
        let components = kosaraju_scc(&left).into_iter().map(|component| {
            let nodes = component.into_iter().map(petgraph::graph::NodeIndex::index);
            nodes.filter(|node| *node < hosts).sorted_unstable().collect_vec()
        });
        let key = |hosts: &Vec<usize>| (hosts.len(), std::cmp::Reverse(hosts.first().copied()));
        components.max_by_key(key).unwrap_or_default()
    };
    let found = largest(link);
    if found.len() == hosts || largest(&vec![0; link.len()]).len() < hosts {
        return vec![true; hosts];
    }
    let mut remains = vec![false; hosts];
    for host in found {
        remains[host] = true;
    }
    remains
}

/// Whether at least two hosts remain.
fn some_two(remains: &[bool]) -> bool {
    remains.iter().filter(|remains| **remains).count() >= 2
}

fn counted(cables: usize) -> String {
    if cables == 1 { "1 cable".into() } else { format!("{cables} cables") }
}

/// The first names, and the number of the others.
fn listed(names: &[String]) -> String {
    let first = names.iter().take(LISTED).join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first}, … {more} more"),
    }
}
