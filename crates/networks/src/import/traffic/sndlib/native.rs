//! Demands of SNDlib's network files in its own text format.
//!
//! ```text
//! ?SNDlib native format; type: network; version: 1.0
//! NODES (
//!   N1 ( 13.40 52.52 )
//! )
//! DEMANDS (                                  id, source, target, routing unit, value, hop limit
//!   D1 ( N1 N2 ) 1 12.50 UNLIMITED
//! )
//! ```
//!
//! Sections with other names are skipped.

use super::{Content, File, Place, Record};
use crate::import::sndlib_native::{HEADER, words};
use crate::import::traffic::{Problem, TrafficFileError};
use crate::traffic::TrafficMatrix;

/// Whether a file begins so.
pub(super) fn detect(line: &str) -> bool {
    line.trim_start().starts_with(HEADER)
}

pub(super) fn read(file: &File) -> Result<Content, TrafficFileError> {
    let start = file.text.find(HEADER).unwrap_or(0);
    let body = start + file.text[start..].find('\n').unwrap_or(file.text.len() - start);
    let mut native = Native { file, words: words(&file.text[body..]), content: Content::default() };
    while let Some(section) = native.words.next() {
        native.expect("(", "`(` after the name of a section")?;
        match section {
            "NODES" => native.nodes()?,
            "DEMANDS" => native.demands()?,
            _ => native.skip_group()?,
        }
    }
    Ok(native.content)
}

struct Native<'f, 'l, 'r, W> {
    file: &'f File<'l, 'r>,
    words: W,
    content: Content,
}

impl<'l, W: Iterator<Item = &'l str>> Native<'_, 'l, '_, W> {
    fn place(&self, word: &str) -> Place {
        let at = word.as_ptr().addr().saturating_sub(self.file.text.as_ptr().addr());
        Place { text: word.to_string(), at }
    }

    fn unexpected(&self, found: Option<&str>, expected: &'static str) -> TrafficFileError {
        let at = found.map_or(self.file.text.len(), |word| self.place(word).at);
        let found = found.unwrap_or("the end of the file");
        self.file.fail(at, Problem::syntax(found, expected))
    }

    fn expect(&mut self, wanted: &str, expected: &'static str) -> Result<(), TrafficFileError> {
        match self.words.next() {
            Some(word) if word == wanted => Ok(()),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// The next word, which must not be a parenthesis.
    fn word(&mut self, expected: &'static str) -> Result<Place, TrafficFileError> {
        match self.words.next() {
            Some(word) if !["(", ")"].contains(&word) => Ok(self.place(word)),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// Skips the rest of a group, including nested groups.
    fn skip_group(&mut self) -> Result<(), TrafficFileError> {
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

    fn nodes(&mut self) -> Result<(), TrafficFileError> {
        loop {
            match self.words.next() {
                Some(")") => return Ok(()),
                Some("(") => self.skip_group()?,
                Some(node) => {
                    TrafficMatrix::check_entries(self.content.nodes.len() as u128 + 1)?;
                    self.content.nodes.push(node.to_string());
                }
                None => return Err(self.unexpected(None, "`)` at the end of the nodes")),
            }
        }
    }

    fn demands(&mut self) -> Result<(), TrafficFileError> {
        loop {
            let at = match self.words.next() {
                Some(")") => return Ok(()),
                Some(demand) if demand != "(" => self.place(demand).at,
                other => return Err(self.unexpected(other, "a demand, or `)` after the last one")),
            };
            TrafficMatrix::check_entries(self.content.records.len() as u128 + 1)?;
            self.expect("(", "`( source target )` after the id of a demand")?;
            let source = Some(self.word("the source of the demand")?);
            let target = Some(self.word("the target of the demand")?);
            self.expect(")", "`)` after the target of the demand")?;
            let unit = Some(self.word("the routing unit")?);
            let value = Some(self.word("the value of the demand")?);
            self.word("the maximum number of links of a path, or UNLIMITED")?;
            self.content.records.push(Record { source, target, value, unit, at });
        }
    }
}
