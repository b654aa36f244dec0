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

use super::{Content, File, Record};
use crate::import::sndlib_words::{HEADER, Words};
use crate::import::traffic::{Problem, Result, TrafficFileError};
use crate::traffic::TrafficMatrix;

/// Whether a file begins so.
pub(super) fn detect(line: &str) -> bool {
    line.trim_start().starts_with(HEADER)
}

pub(super) fn read(file: &File) -> Result<Content> {
    let start = file.text.find(HEADER).unwrap_or(0);
    let body = start + file.text[start..].find('\n').unwrap_or(file.text.len() - start);
    let mut words = Words::new(file.text, body, |place, found, expected| {
        file.fail(place, Problem::syntax(found, expected))
    });
    let mut content = Content::default();
    while let Some(section) = words.section()? {
        match section {
            "NODES" => {
                while let Some(node) = words.node()? {
                    content.add_node(&node.text)?;
                }
            }
            "DEMANDS" => demands(&mut words, &mut content)?,
            _ => words.skip_group()?,
        }
    }
    Ok(content)
}

fn demands(words: &mut Words<'_, TrafficFileError>, content: &mut Content) -> Result<()> {
    while !words.takes(")") {
        let place = words.word("a demand, or `)` after the last one")?.place;
        TrafficMatrix::check_entries(content.records.len() as u128 + 1)?;
        words.expect("(", "`( source target )` after the id of a demand")?;
        let source = Some(words.word("the source of the demand")?);
        let target = Some(words.word("the target of the demand")?);
        words.expect(")", "`)` after the target of the demand")?;
        let unit = Some(words.word("the routing unit")?);
        let value = Some(words.word("the value of the demand")?);
        words.word("the maximum number of links of a path, or UNLIMITED")?;
        content.records.push(Record { source, target, value, unit, place });
    }
    Ok(())
}
