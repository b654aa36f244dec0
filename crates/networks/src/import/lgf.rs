//! LEMON's graph format, `.lgf`: sections of lines, each headed by a line of column names.
//!
//! ```text
//! @nodes
//! label name               the column `label` is what arcs refer to nodes by
//! 1     "first node"
//! 2     second
//! @arcs
//!     capacity cost        source and target have no column name
//! 1 2 10       3
//! @attributes
//! source 1
//! ```
//!
//! A `#` starts a comment line; words with blanks are in quotation marks, with the escapes of C.
//! `@arcs` lists directed links and `@edges` undirected ones. LEMON itself treats the two as
//! synonyms and leaves the direction to the reader of the file, but has a convention for undirected
//! graphs: columns `+capacity` and `-capacity` hold the values of the two directions; they are read
//! this way in either section, and then so are `+cost` and `-cost`. A section without columns has a
//! `-` in their place. The columns used are `capacity` (or `cap`), `cost`, or else `weight`, what a
//! link costs a path, and those that the other formats also have ([`super::fields`]). `@attributes`
//! say nothing about the network.

use super::ImportError;
use super::fields::Field;
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "lgf",
    usage: "LEMON .lgf",
    about: "general network: sections @nodes, @arcs (directed) and @edges (undirected), capacity, cost",
    reference: "LEMON Graph Format, http://lemon.cs.elte.hu/pub/doc/1.3.1/a00004.html",
    examples: &["instances/networks/examples/ring.lgf"],
    build: Importer { detect, read },
};

const SECTION: &str = "a section @nodes, @arcs, @edges or @attributes";
const ARROWS: &str =
    "columns such as +capacity and -capacity hold the values of the two directions";

fn detect(head: &str) -> bool {
    let first = head.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let word = first.and_then(|line| line.split_whitespace().next());
    word.is_some_and(|word| {
        ["@nodes", "@red_nodes", "@blue_nodes", "@arcs", "@edges", "@attributes"].contains(&word)
    })
}

/// The kind of a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Nodes,
    Arcs,
    Edges,
    Attributes,
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut reader = Lgf { listing: Listing::new(&source, options), seen: Vec::new() };
    // The section being read, and its columns once their line has been read.
    let (mut section, mut columns) = (None, None);
    for line in source.text().lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if bare.starts_with('@') {
            section = Some(reader.section(bare)?);
            columns = None;
            continue;
        }
        if section == Some(Section::Attributes) {
            continue;
        }
        let words = words(&source, bare)?;
        match (section, &columns) {
            (None, _) => {
                return Err(source.error(source.place_of(bare), Problem::syntax(bare, SECTION)));
            }
            (Some(section), None) => columns = Some(reader.columns(section, bare, words)?),
            (Some(Section::Nodes), Some(columns)) => reader.node(bare, &words, columns)?,
            (Some(section), Some(columns)) => reader.link(section, bare, &words, columns)?,
        }
    }
    reader.listing.into_topology()
}

struct Lgf<'s> {
    listing: Listing<'s>,
    /// Names of the sections so far: a second graph would get mixed into the first.
    seen: Vec<String>,
}

impl Lgf<'_> {
    fn fail(&self, line: &str, problem: Problem) -> ImportError {
        let source = self.listing.source;
        source.error(source.place_of(line), problem)
    }

    fn section(&mut self, line: &str) -> Result<Section> {
        let name = line.split_whitespace().next().unwrap_or("");
        let section = match name {
            "@nodes" | "@red_nodes" | "@blue_nodes" => Section::Nodes,
            "@arcs" => Section::Arcs,
            "@edges" => Section::Edges,
            "@attributes" => Section::Attributes,
            _ => return Err(self.fail(line, Problem::syntax(line, SECTION))),
        };
        if self.seen.iter().any(|seen| seen == name) {
            let what = "a second section of the same type, which is another graph,";
            let problem = Problem::Unsupported { what, remedy: "write one graph per file" };
            return Err(self.fail(line, problem));
        }
        self.seen.push(name.to_string());
        Ok(section)
    }

    fn columns(&mut self, section: Section, line: &str, words: Vec<Field>) -> Result<Vec<String>> {
        let mut names: Vec<String> = words.into_iter().map(|word| word.text).collect();
        if names == ["-"] {
            names.clear();
        }
        if section == Section::Nodes && !names.iter().any(|name| name == "label") {
            let (what, missing) = ("the section of nodes".to_string(), "column `label`");
            return Err(self.fail(line, Problem::Missing { what: what.into(), missing }));
        }
        if let Some(missing) = lone_direction(&names) {
            let what = "the section of links".to_string();
            return Err(self.fail(line, Problem::Missing { what: what.into(), missing }));
        }
        if is_two_way(&names) {
            self.listing.note(ARROWS);
        }
        Ok(names)
    }

    fn node(&mut self, line: &str, words: &[Field], columns: &[String]) -> Result<()> {
        if words.len() != columns.len() {
            return Err(self.fail(line, Problem::syntax(line, "a word for every column")));
        }
        let mut fields = Fields::default();
        let mut label = None;
        for (name, word) in columns.iter().zip(words) {
            match name.as_str() {
                "label" => label = Some(word),
                name => fields.put(name, word.text.clone(), word.place),
            }
        }
        let Some(label) = label else { return Ok(()) };
        self.listing.declare(&label.text, label.place, &fields)
    }

    fn link(
        &mut self,
        section: Section,
        line: &str,
        words: &[Field],
        columns: &[String],
    ) -> Result<()> {
        let [from, to, values @ ..] = words else {
            return Err(self.fail(line, Problem::syntax(line, "source and target")));
        };
        if values.len() != columns.len() {
            let expected = "source, target and a word for every column";
            return Err(self.fail(line, Problem::syntax(line, expected)));
        }
        let ends = (
            self.listing.mention(&from.text, from.place)?,
            self.listing.mention(&to.text, to.place)?,
        );
        if is_two_way(columns) {
            let there = fields(columns, values, '+');
            self.listing.link(ends, true, from.place, &there)?;
            let back = fields(columns, values, '-');
            return self.listing.link((ends.1, ends.0), true, from.place, &back);
        }
        let fields = fields(columns, values, ' ');
        self.listing.link(ends, section == Section::Arcs, from.place, &fields)
    }
}

/// Whether columns hold the capacities of both directions.
fn is_two_way(columns: &[String]) -> bool {
    let has = |names: [&str; 2]| columns.iter().any(|column| names.contains(&column.as_str()));
    has(["+capacity", "+cap"]) && has(["-capacity", "-cap"])
}

/// The fields of a link from the columns without a sign and those with this one: a column with the
/// sign is about this direction, so it takes precedence over one without, and so does `cost` over
/// `weight`.
fn fields(columns: &[String], values: &[Field], sign: char) -> Fields {
    let described = columns.iter().zip(values).map(|(name, value)| {
        let bare = name.strip_prefix(sign);
        let plain = match bare.unwrap_or(name) {
            "cost" => "weight",
            other => other,
        };
        ((bare.is_some(), name.ends_with("cost")), plain, value)
    });
    let mut described: Vec<_> = described.collect();
    described.sort_by_key(|(precedence, ..)| *precedence);
    let mut fields = Fields::default();
    for (_, name, value) in described {
        fields.put(name, value.text.clone(), value.place);
    }
    fields
}

/// The missing capacity column, if there is one for only one of the two directions.
fn lone_direction(columns: &[String]) -> Option<&'static str> {
    let has = |names: [&str; 2]| columns.iter().any(|column| names.contains(&column.as_str()));
    match (has(["+capacity", "+cap"]), has(["-capacity", "-cap"])) {
        (true, false) => Some("column `-capacity`"),
        (false, true) => Some("column `+capacity`"),
        _ => None,
    }
}

/// The words of a line, with their positions.
fn words(source: &Source, line: &str) -> Result<Vec<Field>> {
    let (mut words, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let place = source.place_of(rest);
        let (text, length) = if rest.starts_with('"') {
            let expected = "a word in closed quotation marks, with escapes such as \\n";
            quoted(rest).ok_or_else(|| source.error(place, Problem::syntax(rest, expected)))?
        } else {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (rest[..length].to_string(), length)
        };
        words.push(Field { text, place });
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

/// The quoted word that a text begins with, and its length in the text.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut word = String::new();
    let mut chars = text.char_indices().skip(1);
    loop {
        match chars.next()? {
            (at, '"') => return Some((word, at + 1)),
            (_, '\\') => word.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                same @ ('"' | '\\' | '\'' | '?') => same,
                _ => return None,
            }),
            (_, plain) => word.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotation_marks() {
        assert_eq!(quoted(r#""a b" c"#), Some(("a b".into(), 5)));
        assert_eq!(quoted(r#""\"\\\n""#), Some(("\"\\\n".into(), 8)));
        for bad in ["\"a", "\"a\\", r#""\q""#] {
            assert_eq!(quoted(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_sections_begin_a_file() {
        for yes in ["@nodes\n", "# LEMON\n\n @arcs name\n", "@edges"] {
            assert!(detect(yes), "{yes}");
        }
        for no in ["", "a b\n", "nodes", "@node\n", "@nodesx\n"] {
            assert!(!detect(no), "{no}");
        }
    }
}
