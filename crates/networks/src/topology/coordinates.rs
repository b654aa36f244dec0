//! Coordinates of the nodes of tori, meshes and hypercubes.
//!
//! Node x1 + k1·(x2 + k2·(x3 + …)) has the coordinates (x1,x2,…,xn), 0 ≤ x_i < k_i. In dimension i it is next to the
//! nodes whose coordinate i is one more or one less; in a torus the last is also next to the first, if there are three
//! or more, so that a ring of two nodes is one cable. Every cable has capacity 1 in each direction.
//!
//! Every node is a host that forwards: it stands for a router with its own users, whose traffic enters and leaves the
//! network without passing a link. So only network channels carry load, as in the literature on tori.

use super::{NetworkBuilder, NodeId, NodeKey, Topology, TopologyError, node_number};
use crate::integer::as_size;
use crate::limit::within;
use crate::rational::Rational;
use crate::spec::Spec;

/// Maximum number of dimensions: of more, even of two nodes each, no network is small enough.
const MAX_DIMENSIONS: u64 = 20;

/// The coordinates of the nodes of a torus, a mesh or a hypercube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinates {
    sizes: Vec<u32>,
    wraps: bool,
}

impl Topology {
    /// The coordinates of the nodes of a generated torus, mesh or hypercube.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let torus = routebound::topology::generate("torus(4;3)")?;
    /// let coordinates = torus.coordinates().ok_or("none")?;
    /// assert_eq!((coordinates.sizes(), coordinates.of(7, 0), coordinates.of(7, 1)), (&[4, 3][..], 3, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn coordinates(&self) -> Option<&Coordinates> {
        self.coordinates.as_ref()
    }
}

impl Coordinates {
    /// Those of the spec of a torus or a mesh: `(k,n)` for n dimensions of k nodes, or `(k1;k2;..)`.
    pub(super) fn read(spec: &Spec, wraps: bool) -> Result<Self, TopologyError> {
        let sizes = match spec.groups.as_slice() {
            [group] if group.len() == 2 => {
                let [k, n] = spec.positive_numbers()?;
                return Self::new(spec, k, n, wraps);
            }
            groups if !groups.is_empty() && groups.iter().all(|group| group.len() == 1) => {
                groups.concat()
            }
            _ => {
                let problem =
                    "give k and n, as in (8,2), or the size of every dimension, as in (8;8;4)";
                return Err(spec.refused(problem).into());
            }
        };
        Self::of_sizes(spec, &sizes, wraps)
    }

    /// n dimensions of k nodes.
    pub(super) fn new(spec: &Spec, k: u64, n: u64, wraps: bool) -> Result<Self, TopologyError> {
        within_dimensions(n)?;
        Self::of_sizes(spec, &vec![k; as_size(n)], wraps)
    }

    fn of_sizes(spec: &Spec, sizes: &[u64], wraps: bool) -> Result<Self, TopologyError> {
        within_dimensions(sizes.len() as u64)?;
        if sizes.iter().any(|size| *size < 2) {
            return Err(spec.refused("every dimension needs at least 2 nodes").into());
        }
        let nodes = sizes.iter().try_fold(1_u128, |nodes, size| nodes.checked_mul((*size).into()));
        let cables = nodes.and_then(|nodes| {
            sizes.iter().try_fold(0_u128, |cables, size| {
                let missing = if wraps && *size > 2 { 0 } else { nodes / u128::from(*size) };
                cables.checked_add(nodes - missing)
            })
        });
        let links = cables.and_then(|cables| cables.checked_mul(2));
        let remedy = "choose fewer or smaller dimensions";
        within("number of links", links, Topology::MAX_LINKS, remedy)?;
        // No dimension has more nodes than there are links.
        let sizes = sizes.iter().map(|size| node_number(as_size(*size))).collect();
        Ok(Self { sizes, wraps })
    }

    /// The network, cable by cable: of every node in turn, those that lead upwards, dimension by dimension.
    pub(super) fn build(self, spec: &Spec) -> Result<Topology, TopologyError> {
        let mut network = NetworkBuilder::new();
        let nodes: Vec<NodeKey> =
            (0..self.nodes()).map(|node| network.host(self.name(node))).collect();
        for node in 0..self.nodes() {
            for (dimension, port) in (0..self.sizes.len()).zip((1..).step_by(2)) {
                if let Some(above) = self.neighbour(node, dimension, true) {
                    let [from, to] = [node, above].map(|node| nodes[node as usize]);
                    network.cable_at((from, port), (to, port + 1), Rational::ONE);
                }
            }
        }
        let mut topology = network.build(spec.to_string())?;
        topology.coordinates = Some(self);
        Ok(topology)
    }

    fn name(&self, node: NodeId) -> String {
        let coordinates = (0..self.sizes.len()).map(|dimension| self.of(node, dimension));
        coordinates.fold("node".to_string(), |name, coordinate| format!("{name}-{coordinate}"))
    }

    /// The number of nodes of every dimension.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> NodeId {
        self.sizes.iter().product()
    }

    /// The maximum distance of two nodes, in links.
    #[must_use]
    pub fn diameter(&self) -> u32 {
        let most = |dimension| match self.sizes[dimension] {
            size if self.is_ring(dimension) => size / 2,
            size => size - 1,
        };
        (0..self.sizes.len()).map(most).sum()
    }

    /// Whether the nodes of a dimension, from 0, form rings of three or more.
    #[must_use]
    pub fn is_ring(&self, dimension: usize) -> bool {
        self.wraps && self.sizes[dimension] > 2
    }

    /// The coordinate of a node in a dimension, from 0.
    #[must_use]
    pub fn of(&self, node: NodeId, dimension: usize) -> u32 {
        node / self.stride(dimension) % self.sizes[dimension]
    }

    /// The node whose coordinate in a dimension is one more, or one less, if there is one.
    #[must_use]
    pub fn neighbour(&self, node: NodeId, dimension: usize, up: bool) -> Option<NodeId> {
        let (size, at) = (self.sizes[dimension], self.of(node, dimension));
        let next = match (up, self.is_ring(dimension)) {
            (true, true) => (at + 1) % size,
            (false, true) => (at + size - 1) % size,
            (true, false) => Some(at + 1).filter(|next| *next < size)?,
            (false, false) => at.checked_sub(1)?,
        };
        let stride = self.stride(dimension);
        Some(node - at * stride + next * stride)
    }

    /// The difference between the numbers of neighbours.
    fn stride(&self, dimension: usize) -> NodeId {
        self.sizes[..dimension].iter().product()
    }
}

fn within_dimensions(dimensions: u64) -> Result<u64, TopologyError> {
    let remedy = "choose fewer dimensions";
    Ok(within("number of dimensions", Some(dimensions.into()), MAX_DIMENSIONS, remedy)?)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::topology::generate;

    /// The nodes next to every node, ascending.
    fn neighbours(network: &Topology) -> Vec<Vec<NodeId>> {
        let of = |node| {
            let heads = network.links_from(node).filter_map(|link| Some(network.ends(link)?.1));
            let mut heads: Vec<NodeId> = heads.collect();
            heads.sort_unstable();
            heads
        };
        network.node_numbers().map(of).collect()
    }

    fn diameter(next: &[Vec<NodeId>]) -> u32 {
        let farthest = |start: usize| {
            let mut distance = vec![None; next.len()];
            distance[start] = Some(0);
            let mut open = VecDeque::from([start]);
            let mut last = 0;
            while let Some(node) = open.pop_front() {
                last = distance[node].unwrap();
                for head in next[node].iter().map(|head| *head as usize) {
                    if distance[head].is_none() {
                        distance[head] = Some(last + 1);
                        open.push_back(head);
                    }
                }
            }
            assert!(distance.iter().all(Option::is_some));
            last
        };
        (0..next.len()).map(farthest).max().unwrap()
    }

    /// The number of automorphisms that extend the images of the first nodes.
    fn automorphisms(next: &[Vec<NodeId>], images: &mut Vec<NodeId>) -> u64 {
        let node = images.len();
        if node == next.len() {
            return 1;
        }
        let mut found = 0;
        for image in 0..node_number(next.len()) {
            let is_alike = |(other, of): (usize, &NodeId)| {
                *of != image
                    && next[node].contains(&node_number(other)) == next[image as usize].contains(of)
            };
            if next[node].len() == next[image as usize].len()
                && images.iter().enumerate().all(is_alike)
            {
                images.push(image);
                found += automorphisms(next, images);
                images.pop();
            }
        }
        found
    }

    /// Nodes, cables, fewest and most neighbours, diameter, and the order of the automorphism group: (2k)^n·n! for n
    /// rings of k, each 2k if they differ, but for rings of four, which are two cables each; 2^n·n! for n equal lines,
    /// 2 for each that differs; 2^n·n! for the hypercube.
    #[test]
    fn counts_degrees_diameters_and_symmetries_are_those_of_the_definition() {
        for (spec, nodes, cables, degrees, longest, order) in [
            ("torus(7)", 7, 7, (2, 2), 3, 14),
            ("torus(3,2)", 9, 18, (4, 4), 2, 72),
            ("torus(5,2)", 25, 50, (4, 4), 4, 200),
            ("torus(4,2)", 16, 32, (4, 4), 4, 384),
            ("torus(3;5)", 15, 30, (4, 4), 3, 60),
            ("torus(2;5)", 10, 15, (3, 3), 3, 20),
            ("torus(2,3)", 8, 12, (3, 3), 3, 48),
            ("torus(3,3)", 27, 81, (6, 6), 3, 1296),
            ("mesh(5)", 5, 4, (1, 2), 4, 2),
            ("mesh(3,2)", 9, 12, (2, 4), 4, 8),
            ("mesh(2;3)", 6, 7, (2, 3), 3, 4),
            ("mesh(3;2;4)", 24, 46, (3, 5), 6, 8),
            ("mesh(3,3)", 27, 54, (3, 6), 6, 48),
            ("hypercube(1)", 2, 1, (1, 1), 1, 2),
            ("hypercube(3)", 8, 12, (3, 3), 3, 48),
            ("hypercube(4)", 16, 32, (4, 4), 4, 384),
        ] {
            let network = generate(spec).unwrap();
            let next = neighbours(&network);
            assert_eq!((network.spec(), network.hosts(), network.nodes()), (spec, nodes, nodes));
            assert_eq!(network.links(), 2 * cables, "{spec}");
            let found: Vec<usize> = next.iter().map(Vec::len).collect();
            assert_eq!(
                (*found.iter().min().unwrap(), *found.iter().max().unwrap()),
                degrees,
                "{spec}"
            );
            assert!(network.graph().edge_weights().all(|link| link.capacity == Rational::ONE));
            let coordinates = network.coordinates().unwrap();
            assert_eq!((diameter(&next), coordinates.diameter()), (longest, longest), "{spec}");
            assert_eq!(automorphisms(&next, &mut Vec::new()), order, "{spec}");
        }
    }

    #[test]
    fn a_hypercube_joins_numbers_that_differ_in_one_bit() {
        for network in ["hypercube(4)", "torus(2,4)", "mesh(2,4)"] {
            for (node, next) in neighbours(&generate(network).unwrap()).iter().enumerate() {
                let mut expected: Vec<NodeId> =
                    (0..4).map(|bit| node_number(node) ^ (1 << bit)).collect();
                expected.sort_unstable();
                assert_eq!(*next, expected, "{network}");
            }
        }
    }

    #[test]
    fn nodes_are_called_by_their_coordinates() {
        let mesh = generate("mesh(3;2)").unwrap();
        let names: Vec<&str> = mesh.graph().node_weights().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["node-0-0", "node-1-0", "node-2-0", "node-0-1", "node-1-1", "node-2-1"]);
        assert_eq!(mesh.link_name(0), "node-0-0[1] -> node-1-0[2]");
        assert_eq!(mesh.link_name(2), "node-0-0[3] -> node-0-1[4]");
    }

    /// What is changed afterwards has no coordinates, and neither has the same graph under the same name.
    #[test]
    fn only_a_generated_network_has_coordinates() {
        let torus = generate("torus(3,2)").unwrap();
        let again = Topology::new(torus.spec().to_string(), torus.graph().clone()).unwrap();
        assert_eq!(again.coordinates(), None);
        let nodes: Vec<NodeId> = torus.node_numbers().collect();
        let left = torus.remaining("left".into(), torus.graph().clone(), &nodes).unwrap();
        assert_eq!(left.coordinates(), None);
    }

    #[test]
    fn refuses_specs_of_no_such_network() {
        for (spec, says) in [
            ("torus", "give k and n, as in (8,2)"),
            ("torus(4,4,4)", "or the size of every dimension, as in (8;8;4)"),
            ("torus(4;4,2)", "or the size of every dimension"),
            ("torus(1,2)", "every dimension needs at least 2 nodes"),
            ("torus(8,0)", "every number must be at least 1"),
            ("mesh(3;1)", "every dimension needs at least 2 nodes"),
            ("mesh(3;0)", "every dimension needs at least 2 nodes"),
            ("hypercube(0)", "every number must be at least 1"),
            ("hypercube(2,2)", "takes 1 number, 2 given"),
            ("hypercube(21)", "number of dimensions is 21, above the limit of 20"),
            ("hypercube(18)", "number of links is 4718592, above the limit of 4194304"),
            ("torus(2,18446744073709551615)", "number of dimensions is"),
            ("torus(18446744073709551615,20)", "number of links is more than 2^128"),
            ("mesh(18446744073709551615;2)", "number of links is"),
            ("torus(1025,2)", "number of links is 4202500, above the limit of 4194304"),
            ("torus(8,2,wrap=1)", "unknown option `wrap`"),
        ] {
            let error = generate(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
