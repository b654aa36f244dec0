//! The networks of the study: specs, and some that no spec names.

use crate::import::{self, ImportOptions};
use crate::study::prelude::*;
use crate::topology::NetworkBuilder;

/// A network whose nodes are hosts, unless its spec says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Network {
    /// The network of a spec.
    Spec(String),
    /// Ten nodes of degree 3.
    Petersen,
    /// The complete bipartite graph of these numbers of nodes.
    Bipartite(usize, usize),
    /// The backbone in the Internet Topology Zoo, with all capacities 1.
    Abilene,
    /// Some pods of the three-level fat-tree, and the top switches that their links fill: the number of pods, and of the
    /// ports of a switch. Racks are hosts.
    Pods(u32, u32),
}

impl Network {
    /// The name of its row.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Spec(spec) => spec.clone(),
            Self::Petersen => "Petersen graph".into(),
            Self::Bipartite(a, b) => format!("K{a},{b}"),
            Self::Abilene => "Abilene".into(),
            Self::Pods(pods, ports) => format!("{pods} pods of radix {ports}"),
        }
    }

    /// The network.
    pub(super) fn topology(&self) -> Result<Topology> {
        match self {
            Self::Spec(spec) => Ok(generate(spec)?),
            Self::Petersen => {
                let edges = (0..5).flat_map(|i| {
                    let (outer, inner) = ((i, (i + 1) % 5), (i + 5, (i + 2) % 5 + 5));
                    [outer, (i, i + 5), inner]
                });
                joined("petersen", 10, edges)
            }
            Self::Bipartite(a, b) => {
                let edges = (0..*a).flat_map(|u| (0..*b).map(move |v| (u, a + v)));
                joined(&format!("bipartite-{a}-{b}"), a + b, edges)
            }
            Self::Abilene => {
                let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
                Ok(import::topology("instances/networks/topologyzoo/Abilene.graphml", &options)?)
            }
            Self::Pods(pods, ports) => some_pods(*pods, *ports),
        }
    }
}

/// The network of a graph whose nodes are hosts; every edge is a cable of capacity 1.
fn joined(
    name: &str,
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)>,
) -> Result<Topology> {
    let mut network = NetworkBuilder::new();
    let keys: Vec<_> = (0..nodes).map(|node| network.host(format!("node-{node}"))).collect();
    for (u, v) in edges {
        network.cable(keys[u], keys[v], Rational::ONE);
    }
    Ok(network.build(name)?)
}

/// Pods of `ports`/2 racks below as many switches, whose upper links lead to the top switches in turn.
fn some_pods(pods: u32, ports: u32) -> Result<Topology> {
    let (half, mut network) = (ports / 2, NetworkBuilder::new());
    let top: Vec<_> = (0..half * pods / 2).map(|at| network.switch(format!("top-{at}"))).collect();
    for pod in 0..pods {
        let racks: Vec<_> =
            (0..half).map(|rack| network.host(format!("rack-{pod}-{rack}"))).collect();
        let mut next = top.iter().cycle();
        for at in 0..half {
            let switch = network.switch(format!("pod-{pod}-{at}"));
            let above = next.by_ref().take(half as usize);
            for end in racks.iter().chain(above) {
                network.cable(*end, switch, Rational::ONE);
            }
        }
    }
    Ok(network.build("pods")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes, links and the least and greatest degree.
    fn counts(network: &Network) -> [usize; 4] {
        let topology = network.topology().unwrap();
        let degree = |host| topology.links_from(host).count();
        let degrees: Vec<usize> = topology.node_numbers().map(degree).collect();
        let [least, most] = [degrees.iter().min(), degrees.iter().max()].map(|one| *one.unwrap());
        [topology.hosts(), topology.links(), least, most]
    }

    #[test]
    fn graphs_have_their_degrees() {
        assert_eq!(counts(&Network::Petersen), [10, 30, 3, 3]);
        assert_eq!(counts(&Network::Bipartite(2, 3)), [5, 12, 2, 3]);
        assert_eq!(counts(&Network::Pods(2, 4)), [4, 32, 2, 4]);
        assert_eq!(counts(&Network::Pods(4, 32)), [64, 4096, 16, 32]);
        // Nodes at distance 2 share one neighbour: there is no cycle of four.
        let petersen = Network::Petersen.topology().unwrap();
        let next = |node| petersen.links_from(node).map(|link| petersen.ends(link).unwrap().1);
        for node in petersen.node_numbers() {
            let mut two: Vec<_> =
                next(node).flat_map(next).filter(|other| *other != node).collect();
            two.sort_unstable();
            two.dedup();
            assert_eq!(two.len(), 6);
        }
    }
}
