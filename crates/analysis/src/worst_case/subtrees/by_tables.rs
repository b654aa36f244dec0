//! Paths through the top of a tree by forwarding tables, destination by destination.
//!
//! All that comes to a switch for a destination leaves it by one link. So the number of the ancestor through which
//! paths lead from there is found once for each switch below the top, whatever number of sources come through it.

use super::Tile;
use super::fans::Step;
use crate::progress::{Progress, Stopped};
use crate::routing::ByDestination;
use crate::topology::{Host, NodeId};

/// Sources one after another that enter tables at the same node, by their places.
pub(super) struct Run {
    pub(super) first: usize,
    pub(super) sources: usize,
    entry: NodeId,
    /// By destination, the number of the ancestor at the top; nothing where that does not describe a path.
    pub(super) ancestors: Option<Vec<u32>>,
}

/// What is known of a switch.
#[derive(Clone, Copy, Default)]
struct Known {
    /// One more than the place of the destination.
    to: usize,
    /// Number of the subtree below the switch.
    subtree: usize,
    ancestor: u32,
}

/// A path that is followed from some sources to one destination.
struct Walk<'w> {
    next: &'w dyn ByDestination,
    steps: &'w [Step],
    hosts: usize,
    /// By switch.
    known: Vec<Known>,
    /// The links on the way up, with the nodes that they leave.
    up: Vec<(NodeId, usize)>,
}

impl Tile<'_, '_> {
    /// The sources by runs with the numbers of their ancestors, where the routing is by tables.
    pub(super) fn by_tables(
        &self,
        (sources, destinations): (&[Host], &[Host]),
        steps: &[Step],
        progress: &Progress,
    ) -> Result<Vec<Run>, Stopped> {
        let Self { subtrees, .. } = self;
        let (routing, topology) = (&subtrees.instance.routing, &subtrees.instance.topology);
        let is_alone = steps.is_empty() || subtrees.tree.parents(1) > 1;
        let Some(next) = routing.next_links().filter(|_| !is_alone) else { return Ok(Vec::new()) };
        let (mut runs, mut first) = (Vec::new(), 0);
        for together in sources.chunk_by(|a, b| routing.enters_at(*a) == routing.enters_at(*b)) {
            let ancestors = Some(vec![0; destinations.len()]);
            let sources = together.len();
            runs.extend(routing.enters_at(together[0]).map(|entry| Run {
                first,
                sources,
                entry,
                ancestors,
            }));
            first += sources;
        }
        let hosts = topology.hosts();
        let known = vec![Known::default(); topology.nodes() - hosts];
        let mut walk = Walk { next, steps, hosts, known, up: Vec::new() };
        for (to, d) in destinations.iter().enumerate() {
            progress.check()?;
            for run in &mut runs {
                let Some(ancestors) = &mut run.ancestors else { continue };
                let source = (run.first, sources[run.first]);
                match walk.ancestor((source, run.entry), (to, *d)) {
                    Some(ancestor) => ancestors[to] = ancestor,
                    None => run.ancestors = None,
                }
            }
        }
        Ok(runs)
    }
}

impl Walk<'_> {
    /// The number of the ancestor that describes the path from a source, which enters at a node, to a destination, by
    /// their places.
    fn ancestor(
        &mut self,
        ((from, s), entry): ((usize, Host), NodeId),
        (to, d): (usize, Host),
    ) -> Option<u32> {
        self.up.clear();
        let (mut at, mut ancestor) = (entry, None);
        self.up.push((s, self.next.next(s, d)?.0 as usize));
        while self.up.len() < self.steps.len() {
            let subtree = from / self.steps[self.up.len()].hosts;
            let known = self.known[(at as usize).checked_sub(self.hosts)?];
            if known.to == to + 1 && known.subtree == subtree {
                ancestor = Some(known.ancestor);
                break;
            }
            let (link, head) = self.next.next(at, d)?;
            self.up.push((at, link as usize));
            at = head;
        }
        let ancestor = match ancestor {
            Some(ancestor) => ancestor,
            None => self.over_the_top(from, at, (to, d))?,
        };
        let mut up = self.up.iter().zip(self.steps);
        let are_its = up.all(|((_, link), step)| *link == step.up_link(from, ancestor));
        if !are_its {
            return None;
        }
        for ((node, _), step) in self.up.iter().zip(self.steps).skip(1) {
            let known = Known { to: to + 1, subtree: from / step.hosts, ancestor };
            self.known[*node as usize - self.hosts] = known;
        }
        Some(ancestor)
    }

    /// The number of the ancestor to which the path up leads, if the one that it describes leads down from there.
    fn over_the_top(&self, from: usize, top: NodeId, (to, d): (usize, Host)) -> Option<u32> {
        let (_, last) = self.up.last()?;
        let ancestor = self.steps.last()?.number(from, *last)?;
        let mut at = top;
        for step in self.steps.iter().rev() {
            let (link, head) = self.next.next(at, d)?;
            if link as usize != step.down_link(to, ancestor) {
                return None;
            }
            at = head;
        }
        (at == d).then_some(ancestor)
    }
}
