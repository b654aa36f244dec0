//! Colours for flows, level by level: an edge colouring of bipartite multigraphs.
//!
//! At level l the flows that go higher and have the same up-digits so far form a bipartite multigraph
//! between the subtrees of height l − 1 that they leave and those that they enter. Its edges get w_l
//! colours, the ports, such that at every subtree each colour has ⌊v/w_l⌋ or ⌈v/w_l⌉ of its v edges:
//! every subtree is cut into vertices of w_l edges, and an edge colouring with as many colours as the
//! largest degree exists (Kőnig, Math. Ann. 77, 1916). Flows of permutations on trees whose switches
//! have no fewer links up than down then share no link, as by
//! [`conflict_free`](crate::rearrange::conflict_free).

use super::problem::{Flow, Problem};
use crate::prelude::*;

const NONE: u32 = u32::MAX;

/// Up-digits of all flows, as many as the tree is high. O(height · flows · (w + hosts)).
pub(super) fn coloured(problem: &Problem<'_>, progress: &Progress) -> Result<Vec<u32>, Stopped> {
    let tree = problem.tree;
    let height = tree.height();
    let mut up = vec![0; problem.flows.len() * height];
    // The number of the up-digits so far.
    let mut class = vec![0_u32; problem.flows.len()];
    for step in 1..=height {
        let mut flows: Vec<u32> =
            problem.numbers().filter(|flow| problem.flow(*flow).level >= step).collect();
        flows.sort_by_key(|flow| class[*flow as usize]);
        for flows in flows.chunk_by(|a, b| class[*a as usize] == class[*b as usize]) {
            let colours = colours_of(problem, flows, step, progress)?;
            for (flow, colour) in flows.iter().zip(colours) {
                up[*flow as usize * height + step - 1] = colour;
            }
        }
        for flow in flows {
            let class = &mut class[flow as usize];
            *class = *class * tree.parents(step) + up[flow as usize * height + step - 1];
        }
    }
    Ok(up)
}

/// The colours of flows at one step.
fn colours_of(
    problem: &Problem<'_>,
    flows: &[u32],
    step: usize,
    progress: &Progress,
) -> Result<Vec<u32>, Stopped> {
    let (tree, colours) = (problem.tree, problem.tree.parents(step));
    let from = vertices(problem, flows, colours, |flow| tree.subtree(flow.s, step - 1));
    let to = vertices(problem, flows, colours, |flow| tree.subtree(flow.d, step - 1));
    let mut graph = Coloured::new(colours, [from, to]);
    for edge in 0..index32(flows.len()) {
        if edge % 1024 == 0 {
            progress.check()?;
        }
        graph.colour(edge);
    }
    Ok(graph.colour)
}

/// The vertex of every flow: each subtree is cut into vertices of a given number of flows, of which those that
/// go highest come first, so that they are divided evenly as well.
fn vertices(
    problem: &Problem<'_>,
    flows: &[u32],
    size: u32,
    subtree: impl Fn(&Flow) -> u32,
) -> Vec<u32> {
    let level = |flow: u32| problem.flow(flow).level;
    let mut order: Vec<(u32, usize, usize)> = (0..flows.len())
        .map(|at| (subtree(problem.flow(flows[at])), problem.tree.height() - level(flows[at]), at))
        .collect();
    order.sort_unstable();
    let (mut vertices, mut next) = (vec![0; flows.len()], 0);
    for own in order.chunk_by(|a, b| a.0 == b.0) {
        for some in own.chunks(size as usize) {
            for (_, _, at) in some {
                vertices[*at] = next;
            }
            next += 1;
        }
    }
    vertices
}

/// A bipartite multigraph whose edges are coloured one by one, no two of a vertex alike.
struct Coloured {
    colours: u32,
    /// The vertices of every edge, on either side.
    ends: [Vec<u32>; 2],
    colour: Vec<u32>,
    /// For every side, vertex and colour the edge, or [`NONE`].
    edges: [Vec<u32>; 2],
}

impl Coloured {
    fn new(colours: u32, ends: [Vec<u32>; 2]) -> Self {
        let table = |ends: &Vec<u32>| {
            let vertices = ends.iter().max().map_or(0, |most| *most as usize + 1);
            vec![NONE; vertices * colours as usize]
        };
        let (edges, colour) = ([table(&ends[0]), table(&ends[1])], vec![NONE; ends[0].len()]);
        Self { colours, ends, colour, edges }
    }

    fn slot(&self, side: usize, edge: u32, colour: u32) -> usize {
        (self.ends[side][edge as usize] * self.colours + colour) as usize
    }

    /// The first colour that no edge at this end has; there is one, as no vertex has more edges than
    /// there are colours.
    fn free(&self, side: usize, edge: u32) -> u32 {
        let is_free = |colour: &u32| self.edges[side][self.slot(side, edge, *colour)] == NONE;
        (0..self.colours).find(is_free).unwrap_or(0)
    }

    /// Gives an edge a colour. The path of two colours from its second end does not reach its first
    /// end, in a bipartite graph, so that exchanging them there frees one colour at both.
    fn colour(&mut self, edge: u32) {
        let (first, second) = (self.free(0, edge), self.free(1, edge));
        if first != second {
            self.exchange(edge, first, second);
        }
        self.set(edge, first);
    }

    fn set(&mut self, edge: u32, colour: u32) {
        self.colour[edge as usize] = colour;
        for side in [0, 1] {
            let slot = self.slot(side, edge, colour);
            self.edges[side][slot] = edge;
        }
    }

    /// Exchanges the colours on the path that begins with colour `first` at the second end of an edge.
    fn exchange(&mut self, edge: u32, first: u32, second: u32) {
        let (mut path, mut side, mut at, mut colour) = (Vec::new(), 1, edge, first);
        loop {
            let next = self.edges[side][self.slot(side, at, colour)];
            if next == NONE {
                break;
            }
            path.push(next);
            (side, at) = (1 - side, next);
            colour = if colour == first { second } else { first };
        }
        for edge in &path {
            for side in [0, 1] {
                let slot = self.slot(side, *edge, self.colour[*edge as usize]);
                self.edges[side][slot] = NONE;
            }
        }
        for edge in path {
            let other = if self.colour[edge as usize] == first { second } else { first };
            self.set(edge, other);
        }
    }
}
