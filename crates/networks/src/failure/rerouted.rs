//! Routings on what remains of their network.

use std::any::Any;
use std::sync::Arc;

use super::damage::{GONE, Pairs, check_connected};
use super::{Cable, Damage, FailureError, damage};
use crate::rational::Rational;
use crate::routing::{self, Instance, Listed, Routing, RoutingError};
use crate::topology::{Host, LinkId, MAX_HEIGHT, Topology, Xgft};

/// Removes `cables` from an instance; the module documentation says what becomes of the routing.
/// O(N²·path length).
///
/// # Errors
/// [`FailureError`] if pairs are left without a path, or the routing is not defined there.
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
    let damage = damage(topology, cables)?;
    check_connected(&damage.topology)?;
    // Others keep their paths, whatever they are called.
    let spec = routing::built_from(&*routing);
    let has_file = spec.as_ref().is_some_and(|spec| spec.path.is_some());
    if spec.is_some() && !has_file {
        match routing::build(routing.spec(), &damage.topology) {
            Ok(routing) => return Ok(Instance::trusted(damage.topology, routing)),
            Err(RoutingError::DoesNotFit { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let any: &dyn Any = &*routing;
    let is_listed = has_file || any.is::<Listed>();
    let tree = topology.tree().filter(|_| !is_listed).cloned();
    let routing = Rerouted::new(routing, tree, &damage)?;
    Ok(Instance::trusted(damage.topology, Box::new(routing) as Box<dyn Routing>))
}

/// A routing whose broken paths have been replaced.
struct Rerouted {
    routing: Arc<dyn Routing>,
    /// Labels of the undamaged tree; `None` if broken paths stay broken.
    tree: Option<Xgft>,
    /// New number of every link, or [`GONE`].
    link: Vec<LinkId>,
    notes: Vec<String>,
}

impl Rerouted {
    fn new(
        routing: Arc<dyn Routing>,
        tree: Option<Xgft>,
        damage: &Damage,
    ) -> Result<Self, FailureError> {
        let hosts = damage.topology.hosts();
        let rule = match tree {
            Some(_) => "have lost all shortest paths of the undamaged tree",
            None => "are routed over what has failed",
        };
        let mut rerouted =
            Self { notes: routing.notes(), routing, tree, link: damage.link.clone() };
        let is_broken = |links: &mut Vec<LinkId>, s, d| {
            !rerouted.survives(s, d, links) && rerouted.replacements(s, d, links).is_empty()
        };
        let broken = Pairs::find(hosts, |_| Vec::new(), is_broken);
        if !broken.is_empty() {
            return Err(FailureError::Broken {
                routing: rerouted.spec().to_string(),
                topology: damage.topology.spec().to_string(),
                pairs: broken.counted(hosts),
                rule,
                first: broken.listed(&damage.topology),
            });
        }
        let moved =
            Pairs::find(hosts, |_| Vec::new(), |links, s, d| !rerouted.survives(s, d, links));
        let counted = moved.counted(hosts);
        let note = format!("{counted} re-routed to the next shortest path that survives");
        rerouted.notes.push(note);
        Ok(rerouted)
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

    /// The ancestors via which the pair is routed instead, with shares, ascending; empty if a path
    /// has no replacement.
    fn replacements(&self, s: Host, d: Host, links: &mut Vec<LinkId>) -> Vec<(u32, Rational)> {
        let Some(tree) = &self.tree else { return Vec::new() };
        let pair = PairTree::new(tree, s, d);
        let mut found: Vec<(u32, Rational)> = Vec::new();
        let mut complete = true;
        self.routing.for_each_path(s, d, links, &mut |share, path| {
            let ancestor = pair.ancestor(path).and_then(|a| pair.survivor(a, &|l| self.is_gone(l)));
            match ancestor {
                Some(ancestor) => found.push((ancestor, share.clone())),
                None => complete = false,
            }
        });
        found.sort_by_key(|(ancestor, _)| *ancestor);
        found.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        if complete { found } else { Vec::new() }
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

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// The shortest paths of a pair, by the numbers of their ancestors.
struct PairTree {
    /// First up link out of the source's subtree, first down link into the destination's, and
    /// the number of paths that continue from each link of the step; step 1 first.
    steps: [(LinkId, LinkId, u32); MAX_HEIGHT],
    level: usize,
    paths: u32,
}

impl PairTree {
    fn new(tree: &Xgft, s: Host, d: Host) -> Self {
        let level = tree.nca_level(s, d);
        let paths = tree.shortest_paths(level);
        let mut steps = [(0, 0, 1); MAX_HEIGHT];
        for (l, step) in steps.iter_mut().enumerate().take(level) {
            let (up, _) = tree.link_id(l, tree.subtree(s, l), 0, 0);
            let (_, down) = tree.link_id(l, tree.subtree(d, l), 0, 0);
            *step = (up, down, paths / tree.shortest_paths(l + 1));
        }
        Self { steps, level, paths }
    }

    fn steps(&self) -> &[(LinkId, LinkId, u32)] {
        &self.steps[..self.level]
    }

    /// The ancestor on a path; `None` if it is not a shortest path.
    fn ancestor(&self, path: &[LinkId]) -> Option<u32> {
        let (up, ..) = self.steps().last()?;
        let number = path.get(self.level - 1)?.checked_sub(*up)?;
        (path.len() == 2 * self.level && number < self.paths).then_some(number)
    }

    /// The first of the ancestors `from`, `from` + 1, … modulo their number whose path is intact.
    fn survivor(&self, from: u32, is_gone: &dyn Fn(LinkId) -> bool) -> Option<u32> {
        let whole = |from, end| self.first_whole(from, end, is_gone);
        whole(from, self.paths).or_else(|| whole(0, from))
    }

    /// The first whole path in `from..end`. All paths over a removed link are skipped at once, so this examines
    /// no more paths than there are such links.
    fn first_whole(&self, from: u32, end: u32, is_gone: &dyn Fn(LinkId) -> bool) -> Option<u32> {
        let mut at = from;
        while at < end {
            let broken = self.steps().iter().find(|(up, down, beyond)| {
                is_gone(up + at / beyond) || is_gone(down + at / beyond)
            });
            let Some((.., beyond)) = broken else { return Some(at) };
            at = (at / beyond + 1) * beyond;
        }
        None
    }

    /// Sets `links` to the path via an ancestor.
    fn push_path(&self, ancestor: u32, links: &mut Vec<LinkId>) {
        links.clear();
        links.extend(self.steps().iter().map(|(up, _, beyond)| up + ancestor / beyond));
        links.extend(self.steps().iter().rev().map(|(_, down, beyond)| down + ancestor / beyond));
    }
}
