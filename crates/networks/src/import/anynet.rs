//! The network file of BookSim's topology `anynet`.
//!
//! ```text
//! router 0 node 0 node 1 router 1 4
//! router 1 node 2 node 3
//! ```
//!
//! A line names a router, then nodes and routers that it is cabled to, each with a latency if one
//! follows. A cable is listed once, or once from each end; BookSim has both directions of it either way.
//! Latencies decide no load and are not read.

use std::collections::HashMap;

use super::ImportError;
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "anynet",
    usage: "BookSim anynet",
    about: "general network: one line per router with its nodes and the routers that it is cabled to",
    reference: "Jiang et al., BookSim 2.0, topology anynet",
    examples: &["instances/networks/examples/pair.anynet"],
    build: Importer { detect, read },
};

/// What distinguishes the ids of routers from those of nodes.
const ROUTERS: u64 = 1 << 32;
const EXPECTED: &str = "`router R`, then `node N` or `router R`, each with a latency or without";

fn detect(head: &str) -> bool {
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().take(4).collect();
    let is_number = |word: &str| word.parse::<u64>().is_ok();
    matches!(words[..], ["router", r, "node" | "router", n] if is_number(r) && is_number(n))
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut listing = Listing::new(&source, options);
    // Who lists a cable.
    let mut cables: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    let mut latencies = false;
    for line in source.text().lines() {
        let mut words = line.split_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        let refused = |place| source.error(source.place_of(place), Problem::syntax(line, EXPECTED));
        let mut own = None;
        while let Some(kind) = words.next() {
            let number = words.next().filter(|number| number.parse::<u64>().is_ok());
            let number = number.ok_or_else(|| refused(kind))?;
            let node = end(&mut listing, kind, number).map_err(|problem| match problem {
                Some(error) => error,
                None => refused(kind),
            })?;
            latencies |= words.next_if(|word| word.parse::<u64>().is_ok()).is_some();
            let Some(from) = own else {
                if kind != "router" {
                    return Err(refused(kind));
                }
                own = Some(node);
                continue;
            };
            let place = source.place_of(kind);
            let ends = (usize::min(from, node), usize::max(from, node));
            let by = cables.entry(ends).or_default();
            if by.is_empty() {
                listing.link(ends, false, place, &Fields::default())?;
            } else if by.contains(&from) {
                let (what, remedy) = ("a cable listed twice from the same end", "list it once");
                return Err(source.error(place, Problem::Unsupported { what, remedy }));
            }
            by.push(from);
        }
    }
    if latencies {
        listing.note("latencies mean nothing for loads");
    }
    listing.into_topology()
}

/// The node that two words name.
fn end(listing: &mut Listing, kind: &str, number: &str) -> Result<usize, Option<ImportError>> {
    let (kind_of_node, first) = match kind {
        "router" => ("switch", ROUTERS),
        "node" => ("host", 0),
        _ => return Err(None),
    };
    let place = listing.source.place_of(number);
    // Hosts are then numbered as nodes, in whatever order they are listed.
    let id = number.parse::<u32>().map_err(|_| None)?;
    let node = listing.mention(&(first + u64::from(id)).to_string(), place)?;
    let mut fields = Fields::default();
    fields.put("name", format!("{kind} {id}"), place);
    fields.put("kind", kind_of_node, place);
    listing.describe(node, &fields)?;
    Ok(node)
}
