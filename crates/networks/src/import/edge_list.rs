//! Edge lists: one link per line, `from to` or `from to capacity`, separated by blanks, commas or semicolons.
//!
//! ```text
//! # capacities in Gbit/s
//! from,to,capacity
//! a,b,10
//! b,c,2.5
//! ```
//!
//! A `#` starts a comment. A header line may name more columns, in any order: `weight`, the ports at both ends,
//! capacities by their other names (`fields.rs`); a note names those that are not read. A name may be in
//! quotation marks, but has none of its own. A first line `4 5` may give the numbers of nodes and links.
//!
//! A list does not say whether its links have a
//! direction, so this is inferred from the content: if every link is also listed in reverse, the
//! lines are directed links; if none is, they are undirected links. Anything in between is
//! rejected unless the options say that links are directed.

mod columns;

use std::collections::{HashMap, HashSet};

use super::prelude::*;
use super::{ImportError, LinkModel};
use crate::advice::{Advice, Remedy};
use crate::quote::quote;
use columns::{Header, Mark};

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "edge-list",
    usage: "edge list",
    about: "general network: one line `from to [capacity]` per link, or a header that names the columns",
    reference: "networkx.readwrite.edgelist",
    examples: &["instances/networks/examples/ring.csv", "instances/networks/examples/arcs.txt"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "a link `from to` or `from to capacity`";

/// What lists with a comma in names and blanks between columns are refused with.
const COMMAS: &str = "quote the names and separate the columns by commas: \"Ulm, Mitte\",Bonn,10";

/// Edge lists have no signature. So the first line after any header must look like a link and, if
/// it has no capacity, so must all other lines.
fn detect(head: &str) -> bool {
    let mut all = head.lines();
    // The last line may be truncated.
    if head.len() >= 1 << 15 {
        all.next_back();
    }
    let mark = Mark::of(head);
    let mut links =
        all.map(|line| mark.columns(line)).filter(|columns| !columns.is_empty()).peekable();
    if let Some(header) = links.peek().and_then(|first| Header::of(first)) {
        if header.is_of_traffic() {
            return false;
        }
        let of_links = |at| [header.from, header.to].contains(&at);
        links.next();
        return links.peek().is_some_and(|first| {
            let mut names = first.iter().enumerate().filter(|(at, _)| of_links(*at));
            first.len() == header.width() && names.all(|(_, name)| may_be_name(name))
        });
    }
    match links.peek().map(Vec::as_slice) {
        Some([from, to, capacity]) if is_number(capacity) => {
            [from, to].into_iter().all(|name| is_name(name))
        }
        Some([_, _]) => links.all(|link| {
            (2..=3).contains(&link.len()) && link.iter().take(2).all(|name| is_name(name))
        }),
        _ => has_commas_in_names(head),
    }
}

fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || ["nan", "inf", "infinity"].contains(&text.as_str())
}

/// Without a header, a list has no control characters.
fn is_name(text: &str) -> bool {
    may_be_name(text) && !text.contains(char::is_control)
}

/// What begins a file of another format, perhaps a truncated one, is not a name.
fn may_be_name(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
        && !text.contains(['<', '{', '[', '"', '('])
        && !["//", "/*"].iter().any(|comment| text.starts_with(comment))
        && !["strict", "graph", "digraph"].contains(&text)
}

/// Whether the first line is a link with blanks between its columns, and names with commas.
fn has_commas_in_names(text: &str) -> bool {
    let first =
        text.lines().map(|line| Mark::Blanks.columns(line)).find(|columns| !columns.is_empty());
    first.is_some_and(|columns| match columns[..] {
        [from, to, capacity] => {
            let names = [from, to];
            names.iter().all(|name| is_name(name) && !name.starts_with(',') && !name.ends_with(','))
                && names.iter().any(|name| name.contains(','))
                && is_number(capacity)
        }
        _ => false,
    })
}

/// A link as written in the file.
struct Line<'s> {
    from: &'s str,
    to: &'s str,
    fields: Fields,
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut listing = Listing::new(&source, options);
    let mark = Mark::of(source.text());
    let lines = source.text().lines().map(|line| (line, mark.columns(line)));
    let mut lines: Vec<_> = lines.filter(|(_, columns)| !columns.is_empty()).collect();
    let header = lines.first().and_then(|(_, columns)| Header::of(columns));
    if let Some(header) = &header {
        lines.remove(0);
        if let unread @ [_, ..] = &header.unread()[..] {
            let columns = if unread.len() == 1 { "column" } else { "columns" };
            listing.note(&format!("not read: {columns} `{}`", quote(&unread.join("`, `"))));
        }
    } else if let Some(note) = count_line(&source, &lines)? {
        lines.remove(0);
        listing.note(&note);
    }
    for (line, columns) in &lines {
        add(&mut listing, &link(&source, line, columns, header.as_ref())?)?;
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

/// A note that the first line gives the numbers of nodes and links, if it does.
///
/// # Errors
/// [`Problem::CountOrLink`] where it may also be a link.
fn count_line(source: &Source, lines: &[(&str, Vec<&str>)]) -> Result<Option<String>> {
    let Some(((line, first), rest)) = lines.split_first() else { return Ok(None) };
    let [nodes, cables] = first[..] else { return Ok(None) };
    let (Ok(count), Ok(announced)) = (nodes.parse::<usize>(), cables.parse::<usize>()) else {
        return Ok(None);
    };
    let names: HashSet<&str> =
        rest.iter().flat_map(|(_, link)| link.iter().take(2)).copied().collect();
    if announced != rest.len() || announced == 0 || names.len() > count {
        return Ok(None);
    }
    let has_capacities = rest.iter().all(|(_, link)| link.len() == 3);
    let is_apart = !names.contains(nodes) && !names.contains(cables) && names.len() == count;
    if has_capacities || is_apart {
        let at = source.line(source.place_of(line));
        return Ok(Some(format!(
            "line {at} is read as the numbers of nodes and links: {count} and {announced}"
        )));
    }
    Err(source.error(source.place_of(line), Problem::CountOrLink { links: announced }))
}

fn link<'s>(
    source: &Source,
    line: &str,
    columns: &[&'s str],
    header: Option<&Header>,
) -> Result<Line<'s>> {
    let mut fields = Fields::default();
    let syntax = |place| Err(source.error(source.place_of(place), Problem::syntax(line, EXPECTED)));
    let (from, to) = match (header, columns) {
        (Some(header), columns) if columns.len() == header.width() => {
            for (at, name) in header.of_links() {
                fields.put(name, columns[at], source.place_of(columns[at]));
            }
            (columns[header.from], columns[header.to])
        }
        (None, [from, to]) => (*from, *to),
        (None, [from, to, capacity]) if is_number(capacity) || !has_commas_in_names(line) => {
            fields.put("capacity", *capacity, source.place_of(capacity));
            (*from, *to)
        }
        (None, _) if has_commas_in_names(line) => {
            let problem = Problem::Unsupported { what: "a name with a comma", remedy: COMMAS };
            return Err(source.error(source.place_of(line), problem));
        }
        _ => return syntax(line),
    };
    match [from, to].into_iter().find(|name| name.is_empty() || name.contains('"')) {
        Some(name) => syntax(name),
        None => Ok(Line { from, to, fields }),
    }
}

fn add(listing: &mut Listing, line: &Line) -> Result<()> {
    let source = listing.source;
    let mut end = |name: &str| {
        let node = listing.mention(name, source.place_of(name))?;
        listing.describe(node, &Fields::default())?;
        Ok::<usize, ImportError>(node)
    };
    let ends = (end(line.from)?, end(line.to)?);
    listing.link(ends, false, source.place_of(line.from), &line.fields)
}

/// Whether the lines are directed links.
fn is_directed(listing: &Listing) -> Result<bool> {
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
