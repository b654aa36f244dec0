//! Topologies of the simulators for ns-3 that descend from HPCC: ConWeave, ASTRA-sim, SimAI.
//!
//! ```text
//! 5 2 4
//! 3 4
//! 0 3 100Gbps 1us 0
//! 1 3 100Gbps 1us 0
//! 2 4 100Gbps 1us 0
//! 3 4 400Gbps 1us 0
//! ```
//!
//! The first line has the numbers of nodes, switches and links; then come the switches, then the links, each with its
//! rate, delay and error rate. Nodes are numbered from 0, and those that are not switches are hosts. SimAI's first line
//! is the numbers of nodes, GPUs per server, NVSwitches, switches and links, and the type of a GPU; both kinds of switches
//! follow. Line ends mean nothing after the first one, and what follows the last link is not read: here as there.

use super::prelude::*;
use super::{ImportError, capacity};
use crate::integer::as_size;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "ns3",
    usage: "topology.txt of HPCC, ConWeave, ASTRA-sim, SimAI",
    about: "general network: numbers of nodes, switches and links, the switches, links with a rate",
    reference: "https://github.com/alibaba-edu/High-Precision-Congestion-Control",
    examples: &["instances/networks/examples/pair.ns3.txt"],
    build: Importer { detect, read },
};

/// The numbers of the first line.
struct Header {
    nodes: u64,
    switches: u64,
    links: u64,
}

impl Header {
    fn of(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<u64>().ok();
        match words[..] {
            [_, _, _] => Some(Self { nodes: number(0)?, switches: number(1)?, links: number(2)? }),
            [.., kind] if words.len() == 6 && kind.parse::<u64>().is_err() => {
                number(1)?;
                let switches = number(2)?.checked_add(number(3)?)?;
                Some(Self { nodes: number(0)?, switches, links: number(4)? })
            }
            _ => None,
        }
    }
}

fn detect(head: &str) -> bool {
    let Some((first, rest)) = head.trim_start().split_once('\n') else { return false };
    let Some(header) = Header::of(first) else { return false };
    let mut words = rest.split_whitespace();
    let switches = words.by_ref().take(as_size(header.switches.min(1 << 16)));
    let mut numbers = 0;
    for word in switches {
        if word.parse::<u64>().is_err() {
            return false;
        }
        numbers += 1;
    }
    let link: Vec<&str> = words.take(4).collect();
    let has_all = numbers == header.switches && header.nodes > 0;
    has_all && matches!(link[..], [_, _, rate, delay] if is_rate(rate) && delay.ends_with('s'))
}

/// A rate of 0 is refused by the reader.
fn is_rate(word: &str) -> bool {
    match capacity::parse(word) {
        Ok(rate) => rate.has_unit,
        Err(problem) => matches!(problem, Problem::ZeroCapacity { .. }),
    }
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let whole = source.text().trim_start();
    let (first, rest) = whole.split_once('\n').unwrap_or((whole, ""));
    let expected = "the numbers of nodes, switches and links";
    let place = source.place_of(first);
    let header = Header::of(first);
    let header = header.ok_or_else(|| source.error(place, Problem::syntax(first, expected)))?;
    let file = File { source: &source, place, header };
    let mut listing = Listing::new(&source, options);
    let mut words = rest.split_whitespace();
    declare(&mut listing, &file.switches(rest, &mut words)?, place)?;
    for found in 0..file.header.links {
        let link: Vec<&str> = words.by_ref().take(5).collect();
        let [from, to, rate, _, _] = link[..] else {
            return Err(file.count("links", file.header.links, found));
        };
        let mut fields = Fields::default();
        fields.put("capacity", rate, source.place_of(rate));
        let ends = (file.node(from)?, file.node(to)?);
        listing.link(ends, false, source.place_of(from), &fields)?;
    }
    listing.note("delays and error rates are not read");
    if let Some(word) = words.next() {
        let line = source.line(source.place_of(word));
        listing.note(&format!("what follows the announced links is not read, from line {line} on"));
    }
    listing.into_topology()
}

/// A file whose first line is read.
struct File<'s> {
    source: &'s Source,
    /// The place of the first line.
    place: usize,
    header: Header,
}

impl File<'_> {
    /// The error that a number is not the announced one.
    fn count(&self, what: &'static str, announced: u64, found: u64) -> ImportError {
        self.source.error(self.place, Problem::RecordCount { what, announced, found })
    }

    /// The node that a word names.
    fn node(&self, word: &str) -> Result<usize> {
        let node = word.parse::<u64>().ok().filter(|node| *node < self.header.nodes);
        let problem = || Problem::syntax(word, "the number of a node below the number of nodes");
        let place = self.source.place_of(word);
        node.map(as_size).ok_or_else(|| self.source.error(place, problem()))
    }

    /// Whether each node is a switch, by the first words after the first line.
    fn switches<'w>(
        &self,
        rest: &str,
        words: &mut impl Iterator<Item = &'w str>,
    ) -> Result<Vec<bool>> {
        let Header { nodes, switches, .. } = self.header;
        // A node with a link is a word: there are no more nodes than words, whatever is announced.
        let listed = rest.split_whitespace().count() as u64;
        if nodes > listed {
            return Err(self.count("nodes", nodes, listed));
        }
        let mut is_switch = vec![false; as_size(nodes)];
        for found in 0..switches {
            let word = words.next().ok_or_else(|| self.count("switches", switches, found))?;
            is_switch[self.node(word)?] = true;
        }
        Ok(is_switch)
    }
}

/// Declares all nodes, of which many may have no link.
fn declare(listing: &mut Listing, is_switch: &[bool], place: usize) -> Result<()> {
    for (node, is_switch) in is_switch.iter().enumerate() {
        let mut fields = Fields::default();
        fields.put("kind", if *is_switch { "switch" } else { "host" }, place);
        listing.declare(&node.to_string(), place, &fields)?;
    }
    Ok(())
}
