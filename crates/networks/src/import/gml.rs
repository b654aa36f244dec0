//! GML, the other format of the Topology Zoo: keys, each with a number, a text or a list.
//!
//! ```text
//! graph [
//!   directed 0
//!   node [ id 0 label "a" ]
//!   node [ id 1 label "b" ]
//!   edge [ source 0 target 1 capacity 10 ]
//! ]
//! ```
//!
//! Nodes are known by `id`. The keys that are read are the attributes of the other formats
//! (`fields.rs`); `weight` is what an edge costs a path. Lists within nodes and edges, such as
//! `graphics`, are skipped. A line that begins with `#` is a comment.

use super::ImportError;
use super::fields::Field;
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "gml",
    usage: "GML",
    about: "general network: nodes with id and label, edges with capacity or LinkSpeedRaw, and weight",
    reference: "Himsolt, GML: a portable graph file format, Universität Passau",
    examples: &["instances/networks/examples/ring.gml"],
    build: Importer { detect, read },
};

/// Maximum number of lists within each other.
const MAX_DEPTH: usize = 64;

fn detect(head: &str) -> bool {
    let mut words = Words::of(head);
    let mut depth = 0_u64;
    // Keys such as Creator may come first.
    while let Some((word, _)) = words.next() {
        match (word, depth) {
            ("graph", 0) => return words.next().is_some_and(|(word, _)| word == "["),
            ("[", _) => depth += 1,
            ("]", _) => depth = depth.saturating_sub(1),
            (key, 0) if !is_key(key) => return false,
            (_, 0) => _ = words.next(),
            _ => {}
        }
    }
    false
}

fn is_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Words, texts in quotation marks, and brackets, with their places.
struct Words<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Words<'s> {
    fn of(text: &'s str) -> Self {
        Self { text, at: 0 }
    }

    fn next(&mut self) -> Option<(&'s str, usize)> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = rest.trim_start();
            let length = match rest.chars().next()? {
                '#' => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                '[' | ']' => 1,
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "[]\"".contains(c);
                    rest.find(ends).unwrap_or(rest.len())
                }
            };
            let place = self.at;
            self.at += length;
            return Some((&rest[..length], place));
        }
    }
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut gml = Gml { source: &source, words: Words::of(source.text()), seen: false };
    let mut listing = Listing::new(&source, options);
    while let Some((key, place)) = gml.key(false)? {
        match (key, gml.opens()?) {
            ("graph", true) if gml.seen => {
                let (what, remedy) = ("a second graph", "write one graph per file");
                return Err(source.error(place, Problem::Unsupported { what, remedy }));
            }
            ("graph", true) => gml.graph(&mut listing)?,
            (_, true) => gml.skip(1)?,
            (_, false) => _ = gml.value()?,
        }
    }
    listing.into_topology()
}

struct Gml<'s> {
    source: &'s Source,
    words: Words<'s>,
    /// Whether the graph has been read.
    seen: bool,
}

impl<'s> Gml<'s> {
    fn unexpected(&self, found: Option<(&str, usize)>, expected: &'static str) -> ImportError {
        let (found, place) = found.unwrap_or(("the end of the file", self.source.text().len()));
        self.source.error(place, Problem::syntax(found, expected))
    }

    /// The next key; `None` at the end of the file, or of a list.
    fn key(&mut self, in_list: bool) -> Result<Option<(&'s str, usize)>> {
        match self.words.next() {
            None if !in_list => Ok(None),
            Some(("]", _)) if in_list => Ok(None),
            Some((key, place)) if is_key(key) => Ok(Some((key, place))),
            other => Err(self.unexpected(other, "a key, or `]` at the end of a list")),
        }
    }

    /// Whether a list comes next, which is then open.
    fn opens(&mut self) -> Result<bool> {
        let before = self.words.at;
        match self.words.next() {
            Some(("[", _)) => Ok(true),
            None => Err(self.unexpected(None, "the value of a key")),
            Some(_) => {
                self.words.at = before;
                Ok(false)
            }
        }
    }

    /// A number, or a text.
    fn value(&mut self) -> Result<Field> {
        let expected = "a number, a text in closed quotation marks, or `[`";
        let found = self.words.next();
        let Some((word, place)) = found.filter(|(word, _)| *word != "]") else {
            return Err(self.unexpected(found, expected));
        };
        match word.strip_prefix('"') {
            None => Ok(Field { text: word.into(), place }),
            Some(text) => {
                let text = text.strip_suffix('"');
                let text = text.ok_or_else(|| self.unexpected(Some((word, place)), expected))?;
                let plain = quick_xml::escape::unescape(text);
                Ok(Field { text: plain.map_or_else(|_| text.into(), Into::into), place })
            }
        }
    }

    /// Skips the rest of a list.
    fn skip(&mut self, depth: usize) -> Result<()> {
        while let Some((_, place)) = self.key(true)? {
            if !self.opens()? {
                self.value()?;
            } else if depth < MAX_DEPTH {
                self.skip(depth + 1)?;
            } else {
                let (what, remedy) = ("a list nested so deeply", "remove it");
                return Err(self.source.error(place, Problem::Unsupported { what, remedy }));
            }
        }
        Ok(())
    }

    fn graph(&mut self, listing: &mut Listing) -> Result<()> {
        self.seen = true;
        let (mut directed, mut edges) = (false, Vec::new());
        while let Some((key, place)) = self.key(true)? {
            match (key, self.opens()?) {
                ("node", true) => {
                    let record = self.record()?;
                    let id = self.needed(&record, place, ("a node", "id"))?;
                    listing.declare(&id.text, id.place, &record.fields)?;
                }
                ("edge", true) => {
                    let record = self.record()?;
                    let mut end = |name| {
                        let id = self.needed(&record, place, ("an edge", name))?;
                        listing.mention(&id.text, id.place)
                    };
                    edges.push(((end("source")?, end("target")?), place, record.fields));
                }
                (_, true) => self.skip(1)?,
                ("directed", false) => directed = self.value()?.text == "1",
                (_, false) => _ = self.value()?,
            }
        }
        edges
            .iter()
            .try_for_each(|(ends, place, fields)| listing.link(*ends, directed, *place, fields))
    }

    /// The rest of the list of a node or an edge.
    fn record(&mut self) -> Result<Record> {
        let mut record = Record::default();
        while let Some((key, _)) = self.key(true)? {
            if self.opens()? {
                self.skip(1)?;
                continue;
            }
            let value = self.value()?;
            if ["id", "source", "target"].contains(&key) {
                record.ids.push((key.into(), value));
            } else {
                record.fields.put(key, value.text, value.place);
            }
        }
        Ok(record)
    }

    fn needed<'r>(
        &self,
        record: &'r Record,
        place: usize,
        (what, missing): (&str, &'static str),
    ) -> Result<&'r Field> {
        let found = record.ids.iter().find(|(name, _)| name == missing).map(|(_, id)| id);
        found.ok_or_else(|| {
            self.source.error(place, Problem::Missing { what: what.into(), missing })
        })
    }
}

/// A node or an edge.
#[derive(Default)]
struct Record {
    ids: Vec<(String, Field)>,
    fields: Fields,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_begins_a_file() {
        for yes in ["graph [", "Creator \"x [ y\"\nVersion 1\ngraph\n[", "# x\ngraph [ node"] {
            assert!(detect(yes), "{yes}");
        }
        for no in ["", "graph {", "graph", "a b\nb c\n", "node [ id 0 ]", "{\"graph\": []}"] {
            assert!(!detect(no), "{no}");
        }
    }
}
