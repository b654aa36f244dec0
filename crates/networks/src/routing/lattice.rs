//! Dimension order on tori, meshes and hypercubes, on which `dor`, `valiant`, `romm`, `ival` and `2turn` rest.
//!
//! A path corrects one coordinate after the other, each by the shorter way. In a ring of an even number of nodes both
//! ways are equally long where a coordinate is off by half the ring, a *tie*. Both ways of a ring of two are one cable.

use super::RoutingError;
use crate::spec::Spec;
use crate::topology::{Coordinates, LinkId, NodeId, Topology, link_number};

/// What is done where both ways round a ring are equally long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// Up from even coordinates, down from odd ones: all links then carry the same of uniform traffic.
    Alternate,
    /// Half of the traffic each way.
    Split,
    /// Up.
    Up,
}

/// Some steps along a dimension.
#[derive(Clone, Copy)]
struct Way {
    up: bool,
    steps: u32,
}

/// The coordinates of a network with the links between neighbours.
pub(super) struct Lattice {
    coordinates: Coordinates,
    /// By node, dimension and direction, up first: the link to the neighbour there, and that neighbour.
    next: Vec<Option<(LinkId, NodeId)>>,
}

impl Lattice {
    /// That of a generated network.
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] where the network has no coordinates.
    pub(super) fn of(spec: &Spec, topology: &Topology) -> Result<Self, RoutingError> {
        let unfit = |reason| RoutingError::does_not_fit(spec, topology, reason);
        let coordinates = topology.coordinates().cloned().ok_or_else(|| {
            unfit(
                "it needs coordinates, which only a generated torus, mesh or hypercube has: use `ecmp`, or `lft:FILE` \
                 for the tables that the engine dor of OpenSM computed",
            )
        })?;
        let dimensions = coordinates.sizes().len();
        let mut next = vec![None; topology.nodes() * dimensions * 2];
        for link in topology.link_numbers() {
            let Some((from, to)) = topology.ends(link) else { continue };
            for dimension in 0..dimensions {
                for up in [true, false] {
                    if coordinates.neighbour(from, dimension, up) == Some(to) {
                        next[place(dimensions, from, dimension, up)] = Some((link, to));
                    }
                }
            }
        }
        Ok(Self { coordinates, next })
    }

    /// Whether some pair has two shortest ways in a dimension.
    pub(super) fn has_ties(&self) -> bool {
        let sizes = self.coordinates.sizes().iter().enumerate();
        sizes.into_iter().any(|(at, size)| self.coordinates.is_ring(at) && size % 2 == 0)
    }

    /// The maximum number of links of a shortest path.
    pub(super) fn diameter(&self) -> u32 {
        self.coordinates.diameter()
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> NodeId {
        self.coordinates.nodes()
    }

    /// All dimensions in their order.
    pub(super) fn dimensions(&self) -> Vec<usize> {
        (0..self.coordinates.sizes().len()).collect()
    }

    /// The number of nodes of a dimension, and whether they form a ring.
    pub(super) fn size(&self, dimension: usize) -> (u32, bool) {
        (self.coordinates.sizes()[dimension], self.coordinates.is_ring(dimension))
    }

    /// The link to the neighbour of a node in a dimension, and that neighbour.
    pub(super) fn step(
        &self,
        node: NodeId,
        dimension: usize,
        up: bool,
    ) -> Option<(LinkId, NodeId)> {
        self.next[place(self.coordinates.sizes().len(), node, dimension, up)]
    }

    /// Calls `visit` with every path from `a` to `b` that corrects the coordinates in the order of `dimensions`. They
    /// have equal shares. `links` is scratch space.
    pub(super) fn for_each_path(
        &self,
        (a, b): (NodeId, NodeId),
        dimensions: &[usize],
        ties: Ties,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&[LinkId]),
    ) {
        let Some((dimension, rest)) = dimensions.split_first() else { return visit(links) };
        let length = links.len();
        for way in self.ways(*dimension, a, b, ties).into_iter().flatten() {
            let end = self.walk(*dimension, a, way, links);
            self.for_each_path((end, b), rest, ties, links, visit);
            links.truncate(length);
        }
    }

    /// The ways along a dimension from the coordinate of `a` to that of `b`: one or, where a tie is split, two.
    fn ways(&self, dimension: usize, a: NodeId, b: NodeId, ties: Ties) -> [Option<Way>; 2] {
        let [from, to] = [a, b].map(|node| self.coordinates.of(node, dimension));
        let one = |up, steps| [Some(Way { up, steps }), None];
        if !self.coordinates.is_ring(dimension) {
            return one(from < to, from.abs_diff(to));
        }
        let size = self.coordinates.sizes()[dimension];
        let up = (to + size - from) % size;
        let (is_up, steps) = (up <= size - up, up.min(size - up));
        match ties {
            _ if 2 * steps < size => one(is_up, steps),
            Ties::Alternate => one(from % 2 == 0, steps),
            Ties::Split => [true, false].map(|up| Some(Way { up, steps })),
            Ties::Up => one(true, steps),
        }
    }

    /// Appends the links of a way to `links`, and returns where it ends.
    fn walk(&self, dimension: usize, start: NodeId, way: Way, links: &mut Vec<LinkId>) -> NodeId {
        (0..way.steps).fold(start, |node, _| {
            let next = self.step(node, dimension, way.up);
            let (link, head) = next.expect("a generated network has the links of its coordinates");
            links.push(link);
            head
        })
    }

    /// The node at the end of every link.
    pub(super) fn heads(&self) -> Vec<NodeId> {
        let mut heads: Vec<(LinkId, NodeId)> = self.next.iter().flatten().copied().collect();
        heads.sort_unstable();
        heads.dedup();
        debug_assert!(heads.iter().enumerate().all(|(at, (link, _))| link_number(at) == *link));
        heads.into_iter().map(|(_, head)| head).collect()
    }
}

fn place(dimensions: usize, node: NodeId, dimension: usize, up: bool) -> usize {
    2 * (node as usize * dimensions + dimension) + usize::from(!up)
}
