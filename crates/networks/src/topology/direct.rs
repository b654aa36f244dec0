//! Direct networks: switches that are joined by a graph and have the same number of hosts each.
//!
//! A host has one cable of capacity 1 to its switch, and switches have cables of capacity 1 to each other unless the
//! family says otherwise. With 0 hosts per switch every switch is a host itself that also forwards, as in a backbone:
//! there are no host links then. That is what papers on oblivious routing mostly assume, whose ratios count the load of
//! links between switches alone. A host link counts as well: whatever the routing, it has the traffic of its host. So
//! where the switches of a pair decide its paths, as in `ecmp`, a ratio with hosts is at most that without them. It is
//! the same where a switch has at least as many hosts as cables to others: its traffic then loads some of these cables
//! at least as much as it loads the links of its hosts.

use itertools::Itertools as _;
use petgraph::unionfind::UnionFind;

use super::{NetworkBuilder, Topology, TopologyError};
use crate::limit::within;
use crate::rational::Rational;
use crate::sampling::{Stream, Streams};
use crate::spec::Spec;

/// Maximum number of networks that are drawn to find a connected one.
const ATTEMPTS: u64 = 1000;

/// Lowest degree of a random graph.
const LEAST_DEGREE: u64 = 3;

/// The switches of a network before hosts are added.
pub(super) struct Direct {
    /// What follows `sw-` in the names of switches and `host-` in those of their hosts.
    pub labels: Vec<String>,
    /// The switches that cables join, in any order.
    pub cables: Vec<(usize, usize)>,
    /// The capacity of these cables.
    pub capacity: Rational,
}

impl Direct {
    /// Switches with cables of capacity 1.
    pub fn new(labels: Vec<String>, cables: Vec<(usize, usize)>) -> Self {
        Self { labels, cables, capacity: Rational::ONE }
    }

    /// The network with this many hosts per switch. The links of hosts come first, switch by switch, then those of the
    /// cables in the order of their ends: so a switch has its hosts at the first ports, then the other switches in order.
    pub fn with_hosts(self, spec: &Spec, hosts: u64) -> Result<Topology, TopologyError> {
        let Self { labels, cables, capacity } = self;
        let mut cables: Vec<_> = cables.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        cables.sort_unstable();
        if labels.len() < 2 && hosts < 2 {
            let problem = "the network has only one host, so there is no traffic";
            return Err(spec.refused(problem).into());
        }
        let mut network = NetworkBuilder::new();
        let mut nodes = Vec::with_capacity(labels.len());
        for label in labels {
            if hosts == 0 {
                nodes.push(network.host(format!("host-{label}")));
                continue;
            }
            let switch = network.switch(format!("sw-{label}"));
            for number in 0..hosts {
                let host = network.host(format!("host-{label}-{number}"));
                network.cable(host, switch, Rational::ONE);
            }
            nodes.push(switch);
        }
        for (a, b) in cables {
            network.cable(nodes[a], nodes[b], capacity.clone());
        }
        network.build(spec.to_string())
    }
}

/// Refuses a network of too many links, before anything of it is built; `None` is a count that overflowed.
pub(super) fn check_size(
    switches: Option<u128>,
    hosts: u64,
    cables: Option<u128>,
) -> Result<(), TopologyError> {
    let of_hosts = || switches?.checked_mul(hosts.into());
    let links = || of_hosts()?.checked_add(cables?)?.checked_mul(2);
    within("number of links", links(), Topology::MAX_LINKS, "choose a smaller network")?;
    Ok(())
}

/// A name from numbers.
pub(super) fn label(numbers: &[usize]) -> String {
    numbers.iter().join("-")
}

/// Refuses random graphs of a low degree: they are rings, or fall apart.
pub(super) fn check_degree(spec: &Spec, degree: u64) -> Result<(), TopologyError> {
    if degree < LEAST_DEGREE {
        let problem =
            format!("d = {degree}: below {LEAST_DEGREE}, networks are rings or not connected");
        return Err(spec.refused(problem).into());
    }
    Ok(())
}

/// The first connected network of those that the streams of the seed give, one after the other.
pub(super) fn first_connected(
    spec: &Spec,
    seed: u64,
    switches: usize,
    mut draw: impl FnMut(&mut Stream) -> Option<Vec<(usize, usize)>>,
) -> Result<Vec<(usize, usize)>, TopologyError> {
    let streams = Streams::new(seed);
    let mut drawn = (0..ATTEMPTS).filter_map(|attempt| draw(&mut streams.at(attempt)));
    drawn.find(|cables| is_connected(switches, cables)).ok_or_else(|| {
        let problem =
            format!("none of {ATTEMPTS} networks of this seed is connected: choose another seed");
        spec.refused(problem).into()
    })
}

fn is_connected(switches: usize, cables: &[(usize, usize)]) -> bool {
    let mut parts = UnionFind::new(switches);
    let joined = cables.iter().filter(|(a, b)| parts.union(*a, *b)).count();
    joined + 1 == switches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NodeKind, generate};

    #[test]
    fn hosts_stand_at_their_switches_or_are_them() {
        let network = generate("hyperx(3,p=2)").unwrap();
        let names: Vec<_> = network.graph().node_weights().map(|node| &node.name[..]).collect();
        assert_eq!(names[..3], ["host-0-0", "host-0-1", "host-1-0"]);
        assert_eq!(names[6..], ["sw-0", "sw-1", "sw-2"]);
        assert_eq!(network.link_name(2), "host-0-1[1] -> sw-0[2]");
        assert_eq!((network.hosts(), network.links()), (6, 12 + 6));
        let network = generate("hyperx(3,p=0)").unwrap();
        let kinds: Vec<_> = network.graph().node_weights().map(|node| node.kind).collect();
        assert_eq!((kinds, network.links()), (vec![NodeKind::Host; 3], 6));
        assert_eq!(network.link_name(0), "host-0[1] -> host-1[1]");
    }

    #[test]
    fn the_first_connected_network_is_taken() {
        let spec = Spec::parse("jellyfish(4,3)").unwrap().checked("jellyfish(n,d)").unwrap();
        let (mut drawn, whole) = (0, vec![(0, 1), (1, 2), (2, 3)]);
        let mut draw = |wanted: u64| {
            first_connected(&spec, 7, 4, |_| {
                drawn += 1;
                match drawn {
                    1 => None,
                    2 => Some(vec![(0, 1), (1, 0), (2, 3)]),
                    at if at == wanted => Some(whole.clone()),
                    _ => Some(Vec::new()),
                }
            })
        };
        assert_eq!(draw(3), Ok(whole.clone()));
        let error = draw(0).unwrap_err().to_string();
        assert!(error.contains("none of 1000 networks of this seed is connected"), "{error}");
        assert_eq!(drawn, 1003);
    }
}
