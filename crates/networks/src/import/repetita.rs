//! REPETITA's `.graph` files: a section of nodes and a section of directed edges.
//!
//! ```text
//! NODES 2
//! label x y
//! 0_Brussels 4.35 50.85
//! 1_Paris 2.35 48.85
//!
//! EDGES 2
//! label src dest weight bw delay
//! edge_0 0 1 10 10000000 870         src and dest count the nodes from 0; bw is the capacity,
//! edge_1 1 0 10 10000000 870         weight is what the link costs a path
//! ```
//!
//! The counts may be missing; where given they must be right.

use super::ImportError;
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "repetita",
    usage: "REPETITA .graph",
    about: "general network: sections NODES and EDGES, directed, with weight, bw is the capacity",
    reference: "Gay, Schaus, Vissicchio: REPETITA, arXiv:1710.08665",
    examples: &["instances/networks/examples/ring.graph"],
    build: Importer { detect, read },
};

const NODE: &str = "a node `label x y`";
const EDGE: &str = "an edge `label src dest weight bw delay`";

fn detect(head: &str) -> bool {
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().is_some_and(|line| line.split_whitespace().next() == Some("NODES"));
    first && lines.next().is_some_and(|line| line.trim_start().starts_with("label"))
}

/// The section being read.
enum Section {
    Before,
    /// With the count announced by its header line and the number of lines so far.
    Nodes(Option<u64>, u64),
    Edges(Option<u64>, u64),
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut listing = Listing::new(&source, options);
    let mut section = Section::Before;
    for line in source.text().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match (&mut section, fields.as_slice()) {
            (_, [] | ["label", ..]) => {}
            (Section::Before, ["NODES", rest @ ..]) => {
                section = Section::Nodes(count(&source, rest)?, 0);
            }
            (Section::Nodes(..), ["EDGES", rest @ ..]) => {
                check_count(&source, &section, line)?;
                section = Section::Edges(count(&source, rest)?, 0);
            }
            (Section::Nodes(_, found), [label, ..]) if fields.len() <= 3 => {
                add_node(&mut listing, *found, label)?;
                *found += 1;
            }
            (Section::Edges(_, found), [_, from, to, weight, bw, _]) => {
                add_edge(&mut listing, from, to, weight, bw)?;
                *found += 1;
            }
            (Section::Edges(..), _) => return Err(bad_line(&source, line, EDGE)),
            _ => return Err(bad_line(&source, line, NODE)),
        }
    }
    let end = &source.text()[source.text().len()..];
    check_count(&source, &section, end)?;
    listing.into_topology()
}

fn bad_line(source: &Source, line: &str, expected: &'static str) -> ImportError {
    source.error(source.place_of(line), Problem::syntax(line, expected))
}

/// The count after the name of a section.
fn count(source: &Source, rest: &[&str]) -> Result<Option<u64>> {
    let parse = |text: &&str| {
        let number = text.parse().map_err(|_| bad_line(source, text, "the number of lines"));
        number.map(Some)
    };
    rest.first().map_or(Ok(None), parse)
}

/// Checks that the section has as many lines as announced.
fn check_count(source: &Source, section: &Section, end: &str) -> Result<()> {
    let (what, announced, found) = match section {
        Section::Before => return Err(bad_line(source, end, "a section NODES")),
        Section::Nodes(announced, found) => ("nodes", *announced, *found),
        Section::Edges(announced, found) => ("edges", *announced, *found),
    };
    match announced {
        Some(announced) if announced != found => {
            let problem = Problem::RecordCount { what, announced, found };
            Err(source.error(source.place_of(end), problem))
        }
        _ => Ok(()),
    }
}

/// Adds a node: its id is its number, its label becomes the name.
fn add_node(listing: &mut Listing, number: u64, label: &str) -> Result<()> {
    let place = listing.source.place_of(label);
    let mut fields = Fields::default();
    fields.put("label", label, place);
    listing.declare(&number.to_string(), place, &fields)
}

fn add_edge(listing: &mut Listing, from: &str, to: &str, weight: &str, bw: &str) -> Result<()> {
    let source = listing.source;
    let mut end = |id: &str| {
        let number: u64 = id.parse().map_err(|_| bad_line(source, id, "the number of a node"))?;
        listing.mention(&number.to_string(), source.place_of(id))
    };
    let ends = (end(from)?, end(to)?);
    let mut fields = Fields::default();
    fields.put("capacity", bw, source.place_of(bw));
    fields.put("weight", weight, source.place_of(weight));
    listing.link(ends, true, source.place_of(from), &fields)
}
