//! Routings given by the nodes of their paths, or by the next hop of every node.

use super::Listed;
use crate::limit::{TooLarge, within};
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, NodeId, Topology, host_number};
use crate::traffic::PathRecord;

/// Maximum number of SD pairs of a routing that is given so.
const MAX_PAIRS: u64 = 1 << 24;

/// An error in nodes that are to be the path of an SD pair; hosts and nodes by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum NodePathError {
    #[error("the path from `{s}` to `{d}`: no link leads from `{from}` to `{to}`")]
    NotJoined { s: String, d: String, from: String, to: String },
    #[error("the path from `{s}` to `{d}` does not begin and end with these two")]
    Ends { s: String, d: String },
    #[error("the path from `{s}` to `{d}`: `{node}` has no next hop")]
    NoNextHop { s: String, d: String, node: String },
    #[error("the path from `{s}` to `{d}` visits `{node}` twice")]
    Cycle { s: String, d: String, node: String },
    #[error("the path from `{s}` to `{d}`: the network has no node {node}")]
    NoNode { s: String, d: String, node: NodeId },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl Listed {
    /// The routing called `name` whose only path from s to d visits the nodes `path(s, d)`, from s to d. Of parallel
    /// links it takes the lowest; merge them, or use [`Listed::new`], where that is not meant. O(N²·path·degree).
    ///
    /// # Errors
    /// [`NodePathError`] with the first pair that is wrong.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, routing::{Instance, Listed}, topology::NetworkBuilder};
    /// // A ring of four routers; everybody goes around it clockwise.
    /// let mut ring = NetworkBuilder::new();
    /// let routers = ["a", "b", "c", "d"].map(|name| ring.host(name));
    /// for at in 0..4 {
    ///     ring.cable(routers[at], routers[(at + 1) % 4], Rational::ONE);
    /// }
    /// let ring = ring.build("ring")?;
    /// let path = |s: u32, d: u32| (0..4).map(|step| (s + step) % 4).take((d + 4 - s) as usize % 4 + 1).collect();
    /// let routing: Box<dyn routebound::routing::Routing> =
    ///     Box::new(Listed::by_nodes("clockwise", &ring, path)?);
    /// assert!(Instance::new(ring, routing).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_nodes(
        name: &str,
        topology: &Topology,
        mut path: impl FnMut(Host, Host) -> Vec<NodeId>,
    ) -> Result<Self, NodePathError> {
        Self::of_paths(name, topology, |s, d| Ok(path(s, d)))
    }

    /// The routing called `name` in which `node` sends traffic for `d` on to the node `next(node, d)`, as forwarding
    /// tables do. Of parallel links it takes the lowest. O(N²·path·degree).
    ///
    /// # Errors
    /// [`NodePathError`] with the first pair that is wrong.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{routing::Listed, topology::generate};
    /// let star = generate("xgft(1;4;1)")?;
    /// // The switch, node 4, is next to all hosts.
    /// let routing = Listed::by_next_hops("star", &star, |node, d| Some(if node == 4 { d } else { 4 }));
    /// assert!(routing.is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_next_hops(
        name: &str,
        topology: &Topology,
        mut next: impl FnMut(NodeId, Host) -> Option<NodeId>,
    ) -> Result<Self, NodePathError> {
        Self::of_paths(name, topology, |s, d| {
            let pair = Pair { topology, s, d };
            let mut nodes = vec![s];
            let mut node = s;
            while node != d {
                node = next(node, d).ok_or_else(|| pair.no_next_hop(node))?;
                nodes.push(node);
                // A path without cycle has every node once.
                if nodes.len() > topology.nodes() {
                    return Err(pair.cycle(node));
                }
            }
            Ok(nodes)
        })
    }

    fn of_paths(
        name: &str,
        topology: &Topology,
        mut path: impl FnMut(Host, Host) -> Result<Vec<NodeId>, NodePathError>,
    ) -> Result<Self, NodePathError> {
        let hosts = topology.hosts() as u128;
        let remedy = "implement the trait `Routing`, which computes paths when they are needed";
        within("number of SD pairs", Some(hosts * hosts.saturating_sub(1)), MAX_PAIRS, remedy)?;
        let all = 0..host_number(topology.hosts());
        let mut records = Vec::new();
        for s in all.clone() {
            for d in all.clone().filter(|d| *d != s) {
                records.push(Pair { topology, s, d }.record(&path(s, d)?)?);
            }
        }
        Ok(Self::of_single_paths(name.to_string(), topology.hosts(), records))
    }
}

/// A pair whose path is looked at.
struct Pair<'t> {
    topology: &'t Topology,
    s: Host,
    d: Host,
}

impl Pair<'_> {
    fn record(&self, nodes: &[NodeId]) -> Result<PathRecord, NodePathError> {
        let Self { topology, s, d } = *self;
        if (nodes.first(), nodes.last()) != (Some(&s), Some(&d)) {
            let [s, d] = self.names();
            return Err(NodePathError::Ends { s, d });
        }
        if let Some(node) = nodes.iter().find(|node| **node as usize >= topology.nodes()) {
            let [s, d] = self.names();
            return Err(NodePathError::NoNode { s, d, node: *node });
        }
        let link = |pair: &[NodeId]| {
            topology.link_between(pair[0], pair[1]).ok_or_else(|| {
                let ([s, d], [from, to]) = (self.names(), [0, 1].map(|at| self.name(pair[at])));
                NodePathError::NotJoined { s, d, from, to }
            })
        };
        let links = nodes.windows(2).map(link).collect::<Result<_, _>>()?;
        Ok(PathRecord { s, d, share: Rational::ONE, links })
    }

    fn no_next_hop(&self, node: NodeId) -> NodePathError {
        let [s, d] = self.names();
        NodePathError::NoNextHop { s, d, node: self.name(node) }
    }

    fn cycle(&self, node: NodeId) -> NodePathError {
        let [s, d] = self.names();
        NodePathError::Cycle { s, d, node: self.name(node) }
    }

    fn names(&self) -> [String; 2] {
        [self.s, self.d].map(|host| self.name(host))
    }

    fn name(&self, node: NodeId) -> String {
        let is_known = (node as usize) < self.topology.nodes();
        if is_known { quote(&self.topology.node(node).name) } else { format!("node {node}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn what_is_wrong_is_named() {
        let tree = generate("xgft(1;2;1)").unwrap();
        let by_nodes = |nodes: &[NodeId]| {
            let path = |s, _| if s == 0 { nodes.to_vec() } else { vec![1, 2, 0] };
            Listed::by_nodes("own", &tree, path).err().map(|error| error.to_string())
        };
        let pair = "the path from `host-0` to `host-1`";
        let error = |rest: &str| Some(format!("{pair}{rest}"));
        assert_eq!(by_nodes(&[0, 2, 1]), None);
        assert_eq!(by_nodes(&[0, 1]), error(": no link leads from `host-0` to `host-1`"));
        assert_eq!(by_nodes(&[0, 2]), error(" does not begin and end with these two"));
        assert_eq!(by_nodes(&[0, 7, 1]), error(": the network has no node 7"));
        let by_hops = |next: &dyn Fn(NodeId) -> Option<NodeId>| {
            let found = Listed::by_next_hops("own", &tree, |node, _| next(node));
            found.err().map(|error| error.to_string())
        };
        assert_eq!(by_hops(&|_| None), error(": `host-0` has no next hop"));
        assert_eq!(by_hops(&|node| Some(2 - node)), error(" visits `sw-1-0` twice"));
    }
}
