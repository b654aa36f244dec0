//! SNDlib's network files in its own text format.
//!
//! ```text
//! ?SNDlib native format; type: network; version: 1.0
//! NODES (
//!   N1 ( 13.40 52.52 )                                     id, coordinates
//! )
//! LINKS (                              preinstalled capacity, its cost, routing and setup cost,
//!   L1 ( N1 N2 ) 0.00 0.00 0.00 0.00 ( 40.00 1.00 )        modules: capacity and cost
//! )
//! ```
//!
//! Sections with other names (META, DEMANDS, ADMISSIBLE_PATHS) are skipped: they say nothing
//! about the network. A `#` starts a comment. Links mean the same as in the XML files.

use std::iter::Peekable;

use super::fields::{Field, Fields};
use super::listing::Listing;
use super::sndlib::Record;
use super::source::Source;
use super::text::TextFile;
use super::{ImportError, ImportOptions, Importer, Problem, ReadTopology};
use crate::registry::Kind;
use crate::topology::Topology;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "sndlib-native",
    usage: "SNDlib native text",
    about: "general network: the sections NODES and LINKS, preinstalled or module capacity",
    reference: "SNDlib, native format 1.0",
    examples: &["instances/networks/examples/ring.sndlib.txt"],
    build: Importer { detect, read },
};

/// How a file begins.
pub(super) const HEADER: &str = "?SNDlib native format";

fn detect(head: &str) -> bool {
    head.trim_start().starts_with(HEADER)
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology, ImportError> {
    let source = Source::read(text)?;
    let header = source.text().lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if !header.replace(' ', "").contains("type:network;") {
        let problem = Problem::syntax(header, "a header with `type: network;`");
        return Err(source.error(source.place_of(header), problem));
    }
    let body = &source.text()[source.place_of(header) + header.len()..];
    let mut reader = Native { source: &source, words: words(body).peekable() };
    let mut listing = Listing::new(&source, options);
    while let Some(section) = reader.words.next() {
        reader.expect("(", "`(` after the name of a section")?;
        match section {
            "NODES" => reader.nodes(&mut listing)?,
            "LINKS" => reader.links(&mut listing)?,
            _ => reader.skip_group()?,
        }
    }
    listing.into_topology()
}

/// Words and parentheses, without comments.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let plain = |line| str::split_once(line, '#').map_or(line, |(before, _)| before);
    let parts = text.lines().map(plain).flat_map(str::split_whitespace);
    parts.flat_map(|part| {
        // `(13.40` is two words, and so is `52.52)`.
        part.split_inclusive(['(', ')']).flat_map(|piece| {
            let word = piece.trim_end_matches(['(', ')']);
            let (word, parenthesis) = piece.split_at(word.len());
            [word, parenthesis].into_iter().filter(|word| !word.is_empty())
        })
    })
}

struct Native<'s, W: Iterator<Item = &'s str>> {
    source: &'s Source,
    words: Peekable<W>,
}

impl<'s, W: Iterator<Item = &'s str>> Native<'s, W> {
    /// Consumes a parenthesis if it comes next.
    fn takes(&mut self, parenthesis: &str) -> bool {
        self.words.next_if_eq(&parenthesis).is_some()
    }

    /// The next word, which must not be a parenthesis.
    fn word(&mut self, expected: &'static str) -> Result<Field, ImportError> {
        match self.words.next() {
            Some(word) if !["(", ")"].contains(&word) => {
                Ok(Field { text: word.to_string(), place: self.source.place_of(word) })
            }
            other => Err(self.unexpected(other, expected)),
        }
    }

    fn expect(&mut self, wanted: &str, expected: &'static str) -> Result<(), ImportError> {
        match self.words.next() {
            Some(word) if word == wanted => Ok(()),
            other => Err(self.unexpected(other, expected)),
        }
    }

    fn unexpected(&self, found: Option<&str>, expected: &'static str) -> ImportError {
        let place = found.map_or(self.source.text().len(), |word| self.source.place_of(word));
        let found = found.unwrap_or("the end of the file");
        self.source.error(place, Problem::syntax(found, expected))
    }

    /// Skips the rest of a group, including nested groups.
    fn skip_group(&mut self) -> Result<(), ImportError> {
        let mut open = 1_u64;
        while open > 0 {
            match self.words.next() {
                Some("(") => open += 1,
                Some(")") => open -= 1,
                Some(_) => {}
                None => return Err(self.unexpected(None, "`)` at the end of a section")),
            }
        }
        Ok(())
    }

    fn nodes(&mut self, listing: &mut Listing) -> Result<(), ImportError> {
        while !self.takes(")") {
            let node = self.word("the id of a node, or `)` at the end of the nodes")?;
            listing.declare(&node.text, node.place, &Fields::default())?;
            while self.takes("(") {
                self.skip_group()?;
            }
        }
        Ok(())
    }

    fn links(&mut self, listing: &mut Listing) -> Result<(), ImportError> {
        while !self.takes(")") {
            let link = self.word("the id of a link, or `)` at the end of the links")?;
            listing.name_link(&link.text, link.place)?;
            let mut record = Record { place: link.place, ..Record::default() };
            self.expect("(", "`( source target )` after the id of a link")?;
            record.ends = [
                Some(self.word("the source of the link")?),
                Some(self.word("the target of the link")?),
            ];
            self.expect(")", "`)` after the target of the link")?;
            record.preinstalled = Some(self.word("the preinstalled capacity")?);
            for cost in ["the preinstallation cost", "the routing cost", "the setup cost"] {
                self.word(cost)?;
            }
            self.expect("(", "`( capacity cost … )` of the modules")?;
            while !self.takes(")") {
                record.modules.push(self.word("the capacity of a module")?);
                self.word("the cost of that module")?;
            }
            record.list(listing)?;
        }
        Ok(())
    }
}
