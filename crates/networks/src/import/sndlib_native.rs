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

use super::ImportError;
use super::prelude::*;
use super::sndlib::Record;
use super::sndlib_words::{HEADER, Words};

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "sndlib-native",
    usage: "SNDlib native text",
    about: "general network: the sections NODES and LINKS, preinstalled or module capacity",
    reference: "SNDlib, native format 1.0",
    examples: &["instances/networks/examples/ring.sndlib.txt"],
    build: Importer { detect, read },
};

fn detect(head: &str) -> bool {
    head.trim_start().starts_with(HEADER)
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let header = source.text().lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if !header.replace(' ', "").contains("type:network;") {
        let problem = Problem::syntax(header, "a header with `type: network;`");
        return Err(source.error(source.place_of(header), problem));
    }
    let body = source.place_of(header) + header.len();
    let mut words = Words::new(source.text(), body, |place, found, expected| {
        source.error(place, Problem::syntax(found, expected))
    });
    let mut listing = Listing::new(&source, options);
    while let Some(section) = words.section()? {
        match section {
            "NODES" => {
                while let Some(node) = words.node()? {
                    listing.declare(&node.text, node.place, &Fields::default())?;
                }
            }
            "LINKS" => links(&mut words, &mut listing)?,
            _ => words.skip_group()?,
        }
    }
    listing.into_topology()
}

fn links(words: &mut Words<'_, ImportError>, listing: &mut Listing) -> Result<()> {
    while !words.takes(")") {
        let link = words.word("the id of a link, or `)` at the end of the links")?;
        listing.name_link(&link.text, link.place)?;
        let mut record = Record { place: link.place, ..Record::default() };
        words.expect("(", "`( source target )` after the id of a link")?;
        record.ends = [
            Some(words.word("the source of the link")?),
            Some(words.word("the target of the link")?),
        ];
        words.expect(")", "`)` after the target of the link")?;
        record.preinstalled = Some(words.word("the preinstalled capacity")?);
        for cost in ["the preinstallation cost", "the routing cost", "the setup cost"] {
            words.word(cost)?;
        }
        words.expect("(", "`( capacity cost … )` of the modules")?;
        while !words.takes(")") {
            record.modules.push(words.word("the capacity of a module")?);
            words.word("the cost of that module")?;
        }
        record.list(listing)?;
    }
    Ok(())
}
