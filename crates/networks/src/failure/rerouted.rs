//! Routings on what remains of their network.

use std::sync::Arc;

use super::damage::GONE;
use super::replacement::{PairTree, Replacement, stays_as_it_is};
use super::{Cable, Damage, FailureError, LostPairs, damage};
use crate::rational::Rational;
use crate::routing::{self, Instance, Routing, RoutingError};
use crate::topology::{Host, LinkId, MAX_HEIGHT, Topology, Xgft};

/// The remainder of an instance after failures.
#[derive(Clone, Debug)]
pub struct Remainder {
    /// The network without the cables and the hosts that are cut off, and the routing there, in which lost pairs have
    /// no path.
    pub instance: Instance,
    /// Names of the hosts that are cut off from the others.
    pub cut_off: Vec<String>,
    /// SD pairs of the remaining hosts that have lost their path.
    pub lost: LostPairs,
}

/// The instance that failures leave, for work that needs a path for every pair; else like [`remaining`].
///
/// # Errors
/// As [`remaining`], and [`FailureError::Broken`] if pairs have lost their path.
///
/// ```
/// # use routebound_networks as routebound;
/// use std::sync::Arc;
/// use routebound::{failure, routing, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let dmodk = Arc::from(routing::build("dmodk", &tree)?);
/// let cables = failure::listed_cables(&tree, "sw-1-0 sw-2-0")?;
/// let instance = failure::fail(&tree, dmodk, &cables)?;
/// // Host 2 is reached via root 0, except from the leaf that has lost its cable to it.
/// let root = |s| {
///     let mut root = String::new();
///     let mut note = |_: &_, links: &[u32]| root = instance.topology().link_name(links[1]);
///     instance.routing().for_each_path(s, 2, &mut Vec::new(), &mut note);
///     root
/// };
/// assert_eq!(root(4), "sw-1-2[3] -> sw-2-0[3]");
/// assert_eq!(root(0), "sw-1-0[4] -> sw-2-1[1]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fail(
    topology: &Topology,
    routing: Arc<dyn Routing>,
    cables: &[Cable],
) -> Result<Instance, FailureError> {
    let Remainder { instance, lost, .. } = remaining(topology, routing, cables)?;
    if lost.count == 0 {
        return Ok(instance);
    }
    let (topology, routing) = (instance.topology.spec(), instance.routing.spec());
    Err(FailureError::Broken { routing: routing.into(), topology: topology.into(), lost })
}

/// Removes `cables` from an instance, and the hosts that they cut off; the module documentation describes the outcome
/// for the routing. O(N²·path length).
///
/// # Errors
/// [`FailureError`] if no two hosts remain connected, or the routing cannot be rebuilt.
///
/// ```
/// # use routebound_networks as routebound;
/// use std::sync::Arc;
/// use routebound::{failure, routing, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let dmodk = Arc::from(routing::build("dmodk", &tree)?);
/// let left = failure::remaining(&tree, dmodk, &failure::listed_switches(&tree, "sw-1-0")?)?;
/// assert_eq!((left.cut_off, left.lost.count), (vec!["host-0".into(), "host-1".into()], 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remaining(
    topology: &Topology,
    routing: Arc<dyn Routing>,
    cables: &[Cable],
) -> Result<Remainder, FailureError> {
    let damage = damage(topology, cables)?;
    // Others keep their paths, whatever they are called.
    let spec = routing::built_from(&*routing);
    let has_file = spec.as_ref().is_some_and(|spec| spec.path.is_some());
    if spec.is_some() && !has_file {
        match routing::build(routing.spec(), &damage.topology) {
            Ok(routing) => {
                let instance = Instance::trusted(damage.topology, routing);
                let cut_off = damage.cut_off;
                return Ok(Remainder { instance, cut_off, lost: LostPairs::default() });
            }
            Err(RoutingError::DoesNotFit { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let tree = topology.tree().filter(|_| !stays_as_it_is(&*routing)).cloned();
    let routing = Rerouted::new(routing, tree, &damage);
    let lost = routing.lost.clone();
    let instance = Instance::trusted(damage.topology, Box::new(routing) as Box<dyn Routing>);
    Ok(Remainder { instance, cut_off: damage.cut_off, lost })
}

/// A routing whose broken paths have been replaced where that is possible.
struct Rerouted {
    routing: Arc<dyn Routing>,
    /// Labels of the undamaged tree; `None` if broken paths stay broken.
    tree: Option<Xgft>,
    /// The number that every host had.
    hosts: Vec<Host>,
    /// New number of every link, or [`GONE`].
    link: Vec<LinkId>,
    lost: LostPairs,
    notes: Vec<String>,
}

impl Rerouted {
    fn new(routing: Arc<dyn Routing>, tree: Option<Xgft>, damage: &Damage) -> Self {
        let rule = match tree {
            Some(_) => "have lost all shortest paths of the undamaged tree",
            None => "have no path until they are rerouted",
        };
        let mut rerouted = Self {
            notes: routing.notes(),
            routing,
            tree,
            hosts: damage.hosts.clone(),
            link: damage.link.clone(),
            lost: LostPairs::default(),
        };
        let topology = &damage.topology;
        let before = |s: Host, d: Host| (rerouted.hosts[s as usize], rerouted.hosts[d as usize]);
        let is_replaced = |links: &mut Vec<LinkId>, s: Host, d: Host, replaced: bool| {
            let (s, d) = before(s, d);
            !rerouted.survives(s, d, links)
                && rerouted.replacements(s, d, links).is_empty() != replaced
        };
        let is_lost = |links: &mut Vec<LinkId>, s, d| is_replaced(links, s, d, false);
        let lost = LostPairs::find(topology, rule, is_lost);
        let is_moved = |links: &mut Vec<LinkId>, s, d| is_replaced(links, s, d, true);
        let moved = LostPairs::find(topology, rule, is_moved).counted();
        if lost.count > 0 {
            rerouted.notes.push(lost.to_string());
        }
        if lost.count == 0 || rerouted.tree.is_some() {
            let note = format!("{moved} re-routed to the next shortest path that survives");
            rerouted.notes.push(note);
        }
        rerouted.lost = lost;
        rerouted
    }

    fn is_gone(&self, link: LinkId) -> bool {
        self.link[link as usize] == GONE
    }

    /// Whether no path of the pair uses a removed link.
    fn survives(&self, s: Host, d: Host, links: &mut Vec<LinkId>) -> bool {
        let mut survives = true;
        self.routing.for_each_path(s, d, links, &mut |_, path| {
            survives &= !path.iter().any(|link| self.is_gone(*link));
        });
        survives
    }

    /// The ancestors via which the pair is routed instead, with shares; empty if a path has no replacement.
    fn replacements(&self, s: Host, d: Host, links: &mut Vec<LinkId>) -> Vec<(u32, Rational)> {
        let Some(tree) = &self.tree else { return Vec::new() };
        let replacement = Replacement { tree, routing: &*self.routing };
        replacement.ancestors((s, d), links, &|link| self.is_gone(link))
    }
}

/// Calls `visit` with the new numbers of `path`; allocates only for long paths.
fn translated(numbers: &[LinkId], path: &[LinkId], visit: impl FnOnce(&[LinkId])) {
    let new = |link: &LinkId| numbers[*link as usize];
    let mut few = [0; 2 * MAX_HEIGHT];
    if let Some(few) = few.get_mut(..path.len()) {
        few.iter_mut().zip(path).for_each(|(to, from)| *to = new(from));
        visit(few);
    } else {
        visit(&path.iter().map(new).collect::<Vec<_>>());
    }
}

impl Routing for Rerouted {
    fn spec(&self) -> &str {
        self.routing.spec()
    }

    fn is_single_path(&self) -> bool {
        self.routing.is_single_path()
    }

    /// Pairs whose paths survive are visited twice in the inner routing; only the others allocate.
    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let (s, d) = (self.hosts[s as usize], self.hosts[d as usize]);
        if self.survives(s, d, links) {
            return self.routing.for_each_path(s, d, links, &mut |share, path| {
                translated(&self.link, path, |path| visit(share, path));
            });
        }
        let replacements = self.replacements(s, d, links);
        let Some(tree) = &self.tree else { return };
        let pair = PairTree::new(tree, s, d);
        for (ancestor, share) in replacements {
            pair.push_path(ancestor, links);
            translated(&self.link, links, |path| visit(&share, path));
        }
    }

    fn may_revisit(&self) -> bool {
        self.routing.may_revisit()
    }

    fn lost_pairs(&self) -> u64 {
        self.lost.count
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}
