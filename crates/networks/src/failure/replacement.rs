//! What replaces the broken paths of a routing of a tree.

use std::any::Any;

use crate::rational::Rational;
use crate::routing::{self, Listed, Routing, RoutingError};
use crate::topology::{Host, LinkId, MAX_HEIGHT, Topology, Xgft};

/// Whether a failure leaves broken paths broken, on any network: those of files and lists.
#[must_use]
pub fn stays_as_it_is(routing: &dyn Routing) -> bool {
    let any: &dyn Any = routing;
    routing::built_from(routing).is_some_and(|spec| spec.path.is_some()) || any.is::<Listed>()
}

/// The rule by which a routing of a tree replaces the paths that a failure breaks: by the next surviving shortest
/// paths.
#[derive(Clone, Copy)]
pub struct Replacement<'a> {
    pub(super) tree: &'a Xgft,
    pub(super) routing: &'a dyn Routing,
}

impl<'a> Replacement<'a> {
    /// The rule for a routing of a network; `None` where broken paths stay broken, and where the routing is
    /// recomputed on what remains, which has no labels. O(nodes + links) where the routing needs labels.
    #[must_use]
    pub fn of(topology: &'a Topology, routing: &'a dyn Routing) -> Option<Self> {
        let tree = topology.tree().filter(|_| !stays_as_it_is(routing))?;
        if routing::built_from(routing).is_some() {
            let plain = Topology::new(topology.spec().into(), topology.graph().clone()).ok()?;
            let on_plain = routing::build(routing.spec(), &plain);
            on_plain.err().filter(|error| matches!(error, RoutingError::DoesNotFit { .. }))?;
        }
        Some(Self { tree, routing })
    }

    /// Whether it chooses among all paths with the fewest links: parallel cables to the top are passed alike up and down.
    #[must_use]
    pub fn has_all_shortest_paths(&self) -> bool {
        self.tree.cables_to_top() == 1
    }

    /// The paths of a pair without some links, with their shares, in order of the ancestors: its own where none is
    /// broken; none where a broken path has no replacement.
    #[must_use]
    pub fn paths(
        &self,
        (s, d): (Host, Host),
        is_gone: &dyn Fn(LinkId) -> bool,
    ) -> Vec<(Vec<LinkId>, Rational)> {
        let mut links = Vec::new();
        let ancestors = self.ancestors((s, d), &mut links, is_gone);
        let pair = PairTree::new(self.tree, s, d);
        let path = |(ancestor, share)| {
            pair.push_path(ancestor, &mut links);
            (links.clone(), share)
        };
        ancestors.into_iter().map(path).collect()
    }

    /// The ancestors via which the pair is routed without some links, with shares, ascending; empty if a path has no
    /// replacement.
    pub(super) fn ancestors(
        &self,
        (s, d): (Host, Host),
        links: &mut Vec<LinkId>,
        is_gone: &dyn Fn(LinkId) -> bool,
    ) -> Vec<(u32, Rational)> {
        let pair = PairTree::new(self.tree, s, d);
        let mut found: Vec<(u32, Rational)> = Vec::new();
        let mut complete = true;
        self.routing.for_each_path(s, d, links, &mut |share, path| match pair
            .ancestor(path)
            .and_then(|ancestor| pair.survivor(ancestor, is_gone))
        {
            Some(ancestor) => found.push((ancestor, share.clone())),
            None => complete = false,
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

/// The shortest paths of a pair, by the numbers of their ancestors.
pub(super) struct PairTree {
    /// Step 1 first.
    steps: [Step; MAX_HEIGHT],
    level: usize,
    paths: u32,
}

/// The links of a step on the shortest paths of a pair.
#[derive(Clone, Copy)]
struct Step {
    /// First up link out of the source's subtree.
    up: LinkId,
    /// First down link into the destination's.
    down: LinkId,
    /// Number of paths that continue from each link.
    beyond: u32,
}

impl PairTree {
    pub(super) fn new(tree: &Xgft, s: Host, d: Host) -> Self {
        let level = tree.nca_level(s, d);
        let paths = tree.shortest_paths(level);
        let mut steps = [Step { up: 0, down: 0, beyond: 1 }; MAX_HEIGHT];
        for (l, step) in steps.iter_mut().enumerate().take(level) {
            let (up, _) = tree.link_id(l, tree.subtree(s, l), 0, 0);
            let (_, down) = tree.link_id(l, tree.subtree(d, l), 0, 0);
            *step = Step { up, down, beyond: paths / tree.shortest_paths(l + 1) };
        }
        Self { steps, level, paths }
    }

    fn steps(&self) -> &[Step] {
        &self.steps[..self.level]
    }

    /// The ancestor on a path; `None` if it is not a shortest path.
    fn ancestor(&self, path: &[LinkId]) -> Option<u32> {
        let number = path.get(self.level - 1)?.checked_sub(self.steps().last()?.up)?;
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
            let broken = self.steps().iter().find(|Step { up, down, beyond }| {
                is_gone(up + at / beyond) || is_gone(down + at / beyond)
            });
            let Some(Step { beyond, .. }) = broken else { return Some(at) };
            at = (at / beyond + 1) * beyond;
        }
        None
    }

    /// Sets `links` to the path via an ancestor.
    pub(super) fn push_path(&self, ancestor: u32, links: &mut Vec<LinkId>) {
        links.clear();
        links.extend(self.steps().iter().map(|step| step.up + ancestor / step.beyond));
        links.extend(self.steps().iter().rev().map(|step| step.down + ancestor / step.beyond));
    }
}
