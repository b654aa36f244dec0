//! All shortest paths to one gate, and how traffic divides where they part.

use super::network::Classes;
use crate::topology::NodeId;

/// The shortest paths to one gate from all gates that send it traffic.
pub struct Dag {
    /// Position of the group among [`Classes::demands`].
    pub group: usize,
    /// Nodes that traffic leaves, farther ones first.
    pub places: Vec<Place>,
    /// Arcs out of the places, one place after the other.
    pub arcs: Vec<u32>,
    /// The part of what is at the tail of each of `arcs` that takes it.
    pub parts: Vec<f64>,
}

/// A node that traffic leaves.
#[derive(Clone)]
pub struct Place {
    /// The node.
    pub node: NodeId,
    /// Arcs of the place, in [`Dag::arcs`].
    pub arcs: std::ops::Range<usize>,
}

impl Dag {
    /// The paths of the traffic `group` of `classes`, every path with the same part; `None` when there is none for some
    /// of it. O(nodes + links).
    #[must_use]
    pub fn even(classes: &Classes<'_>, group: usize) -> Option<Self> {
        let demands = &classes.demands()[group];
        let root = classes.gates().node(demands.source);
        let shortest = Shortest::new(classes, root);
        let mut is_used = vec![false; classes.topology().nodes()];
        for (from, _) in &demands.sinks {
            let node = classes.gates().node(*from) as usize;
            (shortest.distance[node] != u32::MAX).then(|| is_used[node] = true)?;
        }
        let mut dag = Self { group, places: Vec::new(), arcs: Vec::new(), parts: Vec::new() };
        for node in shortest.order.iter().skip(1).rev() {
            if !is_used[*node as usize] {
                continue;
            }
            let first = dag.arcs.len();
            dag.arcs.extend(shortest.arcs(*node));
            let out = &dag.arcs[first..];
            let all: f64 = out.iter().map(|arc| shortest.ways_over(*arc)).sum();
            dag.parts.extend(out.iter().map(|arc| shortest.ways_over(*arc) / all));
            for arc in out {
                is_used[classes.arcs()[*arc as usize].head as usize] = true;
            }
            dag.places.push(Place { node: *node, arcs: first..dag.arcs.len() });
        }
        Some(dag)
    }

    /// Calls `on(arc, amount)` with every arc that carries traffic and its amount. `at` has an entry 0 per node, as
    /// it has again afterwards.
    pub fn send(&self, classes: &Classes<'_>, at: &mut [f64], mut on: impl FnMut(u32, f64)) {
        let demands = &classes.demands()[self.group];
        for (from, units) in &demands.sinks {
            at[classes.gates().node(*from) as usize] += *units as f64;
        }
        for place in &self.places {
            let here = std::mem::take(&mut at[place.node as usize]);
            for place in place.arcs.clone() {
                let (arc, amount) = (self.arcs[place], here * self.parts[place]);
                on(arc, amount);
                at[classes.arcs()[arc as usize].head as usize] += amount;
            }
        }
        at[classes.gates().node(demands.source) as usize] = 0.0;
    }
}

/// The shortest paths from all nodes to one.
struct Shortest<'c, 't> {
    classes: &'c Classes<'t>,
    /// Number of arcs to it, or [`u32::MAX`].
    distance: Vec<u32>,
    /// The nodes that reach it, nearer ones first; it is the first.
    order: Vec<NodeId>,
    /// Number of shortest paths, each weighted by the capacities on it.
    ways: Vec<f64>,
}

impl<'c, 't> Shortest<'c, 't> {
    fn new(classes: &'c Classes<'t>, root: NodeId) -> Self {
        let nodes = classes.topology().nodes();
        let (mut distance, mut order, mut next) = (vec![u32::MAX; nodes], vec![root], 0);
        distance[root as usize] = 0;
        while let Some(node) = order.get(next).copied() {
            next += 1;
            for arc in classes.inward(node) {
                let tail = classes.arcs()[*arc as usize].tail;
                if distance[tail as usize] == u32::MAX {
                    distance[tail as usize] = distance[node as usize] + 1;
                    order.push(tail);
                }
            }
        }
        let mut ways = vec![0.0; nodes];
        ways[root as usize] = 1.0;
        let mut shortest = Self { classes, distance, order, ways };
        for place in 1..shortest.order.len() {
            let node = shortest.order[place];
            let all: f64 = shortest.arcs(node).map(|arc| shortest.ways_over(arc)).sum();
            // Only ratios at one node count; extreme numbers of paths lose them, which costs rounds.
            shortest.ways[node as usize] = all.clamp(f64::MIN_POSITIVE, 1e250);
        }
        shortest
    }

    /// The arcs out of a node that are on shortest paths.
    fn arcs(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let next = self.distance[node as usize].wrapping_sub(1);
        let is_nearer = move |arc: &u32| {
            self.distance[self.classes.arcs()[*arc as usize].head as usize] == next
        };
        self.classes.out(node).iter().copied().filter(is_nearer)
    }

    /// The weighted number of paths that begin with an arc.
    fn ways_over(&self, arc: u32) -> f64 {
        let arc = &self.classes.arcs()[arc as usize];
        arc.capacity * self.ways[arc.head as usize]
    }
}
