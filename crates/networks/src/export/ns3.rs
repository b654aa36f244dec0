//! Topologies of the simulators for ns-3 that descend from HPCC, such as ASTRA-sim's, which the importer `ns3` reads
//! back.
//!
//! ```text
//! 3 1 2                      nodes, switches, links
//! 2                          the switches
//! 0 2 100Gbps 1us 0          two ends, rate, delay, error rate
//! 1 2 100Gbps 1us 0
//! ```
//!
//! Nodes have our numbers, hosts first. A link of capacity 1 gets 100 Gbit/s, except where all capacities are whole
//! numbers of a million or more: these are bit/s, as files with units have them. Delays are 1 µs. The simulators know a
//! link by its ends and make both directions of it: parallel cables and one-way links are refused.

use std::collections::BTreeMap;
use std::io::Write;

use super::ExportError;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{LinkId, NodeId, Topology};

const NAME: &str = "ns3";

pub(super) const KIND: Kind<super::Export> = Kind {
    name: NAME,
    usage: "topo TOPOLOGY --format ns3",
    about: "topology of HPCC, ConWeave, ASTRA-sim for ns-3: hosts first, capacity 1 as 100Gbps, delays of 1us",
    reference: "https://github.com/alibaba-edu/High-Precision-Congestion-Control",
    examples: &["ft(4,2)", "xgft(2;2,3;1,2)"],
    build: write,
};

/// Units of rates, from the largest, and how many bit/s they are.
const UNITS: &[(&str, u64)] =
    &[("Gbps", 1_000_000_000), ("Mbps", 1_000_000), ("kbps", 1000), ("bps", 1)];
/// The rate of a link of capacity 1 where capacities are not rates, in bit/s.
const RATE: u64 = 100_000_000_000;
/// The smallest capacity that is a rate in bit/s.
const MIN_RATE: u64 = 1_000_000;

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let cables = cables(topology)?;
    let capacities = || topology.graph().edge_weights().map(|link| &link.capacity);
    let is_rate = |capacity: &Rational| capacity.scaled(1).is_some_and(|bits| bits >= MIN_RATE);
    let of_one = if capacities().all(is_rate) { 1 } else { RATE };
    let switches = topology.nodes() - topology.hosts();
    writeln!(out, "{} {switches} {}", topology.nodes(), cables.len())?;
    let numbers = topology.node_numbers().skip(topology.hosts()).map(|switch| switch.to_string());
    writeln!(out, "{}", numbers.collect::<Vec<_>>().join(" "))?;
    for ((from, to), link) in cables {
        let capacity = &topology.link(link).capacity;
        let Some(rate) = capacity.scaled(of_one).map(rate) else {
            let problem =
                format!("has capacity {capacity}, whose rate is not a whole number of bit/s");
            return Err(refused(topology, link, &problem));
        };
        writeln!(out, "{from} {to} {rate} 1us 0")?;
    }
    Ok(())
}

fn refused(topology: &Topology, link: LinkId, problem: &str) -> ExportError {
    ExportError::bad_link(NAME, topology, link, problem)
}

/// One link of every cable, by its ends, the lower number first.
fn cables(topology: &Topology) -> Result<BTreeMap<(NodeId, NodeId), LinkId>, ExportError> {
    let mut directed: BTreeMap<(NodeId, NodeId), LinkId> = BTreeMap::new();
    for link in topology.link_numbers() {
        let Some(ends) = topology.ends(link) else { continue };
        if ends.0 == ends.1 {
            return Err(refused(topology, link, "leads from a switch to itself"));
        }
        if directed.insert(ends, link).is_some() {
            return Err(refused(
                topology,
                link,
                "is parallel to another, and links are known by their ends",
            ));
        }
    }
    for ((from, to), link) in &directed {
        let capacity = |link: LinkId| &topology.link(link).capacity;
        match directed.get(&(*to, *from)) {
            Some(back) if capacity(*back) == capacity(*link) => {}
            Some(_) => {
                return Err(refused(topology, *link, "has another capacity than its link back"));
            }
            None => return Err(refused(topology, *link, "has no link back, as a cable has")),
        }
    }
    directed.retain(|(from, to), _| from < to);
    Ok(directed)
}

/// A rate in the largest unit of which it is a whole number.
fn rate(bits: u64) -> String {
    let unit = UNITS.iter().find(|(_, unit)| bits.is_multiple_of(*unit));
    let (name, unit) = unit.copied().unwrap_or(("bps", 1));
    format!("{}{name}", bits / unit)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{exported, refused};
    use super::*;
    use crate::import::{self, ImportOptions};
    use crate::topology::{NetworkBuilder, generate};

    fn read_back(topology: &Topology) -> Topology {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), exported(NAME, topology).unwrap()).unwrap();
        import::topology(file.path().to_str().unwrap(), &ImportOptions::default()).unwrap()
    }

    /// The ends of all links with their capacities, times `of_one`.
    fn links(topology: &Topology, of_one: u64) -> Vec<((NodeId, NodeId), Option<u64>)> {
        let capacity = |link: LinkId| topology.link(link).capacity.scaled(of_one);
        let link = |link: LinkId| (topology.ends(link).unwrap(), capacity(link));
        let mut links: Vec<_> = topology.link_numbers().map(link).collect();
        links.sort();
        links
    }

    #[test]
    fn the_importer_reads_the_same_network() {
        for spec in ["ft(4,2)", "ft(8,3)", "xgft(2;2,3;1,2)", "universal(16)"] {
            let topology = generate(spec).unwrap();
            let read = read_back(&topology);
            assert_eq!(read.hosts(), topology.hosts(), "{spec}");
            assert_eq!(links(&read, 1), links(&topology, RATE), "{spec}");
            assert_eq!(links(&read_back(&read), 1), links(&read, 1), "{spec}, written again");
        }
    }

    #[test]
    fn rates_are_whole_numbers() {
        for (bits, expected) in [
            (400_000_000_000, "400Gbps"),
            (12_500_000_000, "12500Mbps"),
            (64_000, "64kbps"),
            (1, "1bps"),
        ] {
            assert_eq!(rate(bits), expected);
        }
    }

    #[test]
    fn what_the_simulators_do_not_know_is_refused() {
        let joined = |capacities: &[Rational]| {
            let mut network = NetworkBuilder::new();
            let (host, switch) = (network.host("a"), network.switch("s"));
            for capacity in capacities {
                network.cable(host, switch, capacity.clone());
            }
            network.build("x").unwrap()
        };
        let third = joined(&[Rational::new(1, 3).unwrap()]);
        refused(NAME, &third, "not a whole number of bit/s");
        refused(NAME, &joined(&[Rational::ONE, Rational::ONE]), "is parallel to another");
    }
}
