//! Edge lists: one link per line, `from to` or `from to capacity`, separated by blanks or commas.
//!
//! ```text
//! # capacities in Gbit/s
//! from,to,capacity
//! a,b,10
//! b,c,2.5
//! ```
//!
//! A `#` starts a comment; a header line with the names above (or source and target) is skipped.
//! Names with commas or quotes cannot be written. A list does not say whether its links have a
//! direction, so this is inferred from the content: if every link is also listed in reverse, the
//! lines are directed links; if none is, they are undirected links. Anything in between is
//! rejected unless the options say that links are directed.

use std::collections::HashMap;

use super::fields::Fields;
use super::listing::Listing;
use super::source::Source;
use super::text::TextFile;
use super::{ImportError, ImportOptions, Importer, LinkModel, Problem, ReadTopology};
use crate::advice::{Advice, Remedy};
use crate::registry::Kind;
use crate::topology::Topology;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "edge-list",
    usage: "edge list",
    about: "general network: one line `from to [capacity]` per link, with blanks or commas",
    reference: "networkx.readwrite.edgelist",
    examples: &["instances/networks/examples/ring.csv", "instances/networks/examples/arcs.txt"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "a link `from to` or `from to capacity`";

/// Edge lists have no signature. So the first line after any header must look like a link and, if
/// it has no capacity, so must all other lines.
fn detect(head: &str) -> bool {
    let mut all = head.lines();
    // The last line may be truncated.
    if head.len() >= 1 << 15 {
        all.next_back();
    }
    let commas = has_commas(head);
    let is_number = |text: &&str| {
        let text = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
        text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            || ["nan", "inf", "infinity"].contains(&text.as_str())
    };
    // What begins a file of another format, perhaps a truncated one, is not a name.
    let is_name = |text: &&str| {
        text.contains(char::is_alphanumeric)
            && !text.contains(['<', '{', '[', '"', '('])
            && !["//", "/*"].iter().any(|comment| text.starts_with(comment))
            && !["strict", "graph", "digraph"].contains(text)
    };
    let records = all.map(|line| fields(line, commas)).filter(|fields| !fields.is_empty());
    let mut links = records.filter(|fields| !is_head(fields)).peekable();
    match links.peek().map(Vec::as_slice) {
        Some([from, to, capacity]) => [from, to].into_iter().all(is_name) && is_number(capacity),
        Some([_, _]) => {
            links.all(|link| (2..=3).contains(&link.len()) && link.iter().take(2).all(is_name))
        }
        _ => false,
    }
}

/// Whether the first line that is neither blank nor a comment contains a comma.
fn has_commas(text: &str) -> bool {
    text.lines().map(plain).find(|line| !line.is_empty()).is_some_and(|line| line.contains(','))
}

/// A line without its comment.
fn plain(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before).trim()
}

fn fields(line: &str, commas: bool) -> Vec<&str> {
    let line = plain(line);
    match (line.is_empty(), commas) {
        (true, _) => Vec::new(),
        (_, true) => line.split(',').map(str::trim).collect(),
        (_, false) => line.split_whitespace().collect(),
    }
}

fn is_head(fields: &[&str]) -> bool {
    let lower: Vec<String> = fields.iter().map(|field| field.to_ascii_lowercase()).collect();
    let is = |at: usize, names: &[&str]| lower.get(at).is_none_or(|f| names.contains(&f.as_str()));
    lower.len() >= 2
        && is(0, &["from", "source", "src"])
        && is(1, &["to", "target", "dest", "dst", "destination"])
        && is(2, &["capacity", "bandwidth", "bw"])
}

/// A link as written in the file.
struct Line<'s> {
    from: &'s str,
    to: &'s str,
    capacity: Option<&'s str>,
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology, ImportError> {
    let source = Source::read(text)?;
    let mut listing = Listing::new(&source, options);
    let commas = has_commas(source.text());
    let mut is_first = true;
    for line in source.text().lines() {
        let fields = fields(line, commas);
        if fields.is_empty() || (std::mem::take(&mut is_first) && is_head(&fields)) {
            continue;
        }
        let line = link(&source, line, &fields)?;
        add(&mut listing, &line)?;
    }
    let directed = is_directed(&listing)?;
    for link in &mut listing.links {
        link.directed = directed;
    }
    let note = match (directed, options.link_model) {
        (true, LinkModel::Directed) | (false, LinkModel::UndirectedShared) => None,
        (true, _) => Some("every link is listed in both directions: each line is one direction"),
        (false, _) => Some("each line is read as a link with its full capacity both ways"),
    };
    listing.notes.extend(note.map(str::to_string));
    listing.into_topology()
}

fn link<'s>(source: &Source, line: &str, fields: &[&'s str]) -> Result<Line<'s>, ImportError> {
    let (from, to, capacity) = match fields {
        [from, to] => (*from, *to, None),
        [from, to, capacity] => (*from, *to, Some(*capacity)),
        _ => return Err(source.error(source.place_of(line), Problem::syntax(line, EXPECTED))),
    };
    match [from, to].into_iter().find(|name| name.is_empty() || name.contains('"')) {
        Some(name) => Err(source.error(source.place_of(name), Problem::syntax(line, EXPECTED))),
        None => Ok(Line { from, to, capacity }),
    }
}

fn add(listing: &mut Listing, line: &Line) -> Result<(), ImportError> {
    let source = listing.source;
    let mut end = |name: &str| {
        let node = listing.mention(name, source.place_of(name))?;
        listing.describe(node, &Fields::default())?;
        Ok::<usize, ImportError>(node)
    };
    let ends = (end(line.from)?, end(line.to)?);
    let mut fields = Fields::default();
    if let Some(capacity) = line.capacity {
        fields.put("capacity", capacity, source.place_of(capacity));
    }
    listing.link(ends, false, source.place_of(line.from), &fields)
}

/// Whether the lines are directed links.
fn is_directed(listing: &Listing) -> Result<bool, ImportError> {
    if listing.options.link_model == LinkModel::Directed {
        return Ok(true);
    }
    // How many links lead each way, and where the first one is.
    let mut ways: HashMap<(usize, usize), (u64, usize)> = HashMap::new();
    for link in &listing.links {
        ways.entry(link.ends).or_insert((0, link.place)).0 += 1;
    }
    let back = |(u, v): (usize, usize)| ways.get(&(v, u));
    if ways.iter().all(|(ends, there)| back(*ends).is_some_and(|back| back.0 == there.0)) {
        return Ok(true);
    }
    let reversed = listing.links.iter().find_map(|link| {
        let (_, first) = back(link.ends)?;
        (*first < link.place).then_some((link.place, *first))
    });
    match reversed {
        Some((place, first)) => {
            let first = listing.source.line(first);
            let advice = Advice::new("read them as directed links", &[Remedy::DirectedLinks]);
            Err(listing.source.error(place, Problem::SomeReversed { first, advice }))
        }
        None => Ok(false),
    }
}
