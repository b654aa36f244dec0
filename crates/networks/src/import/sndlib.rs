//! SNDlib's network files in XML: nodes, links, and what can be installed on them.
//!
//! A link has its preinstalled capacity or, if there is none, that of one module: the largest that
//! can be installed. The links in these files have no direction; in SNDlib a model file says how
//! they are meant, here the options do. Demands are traffic, which is not read here.

use super::capacity::{self, Capacity};
use super::fields::Field;
use super::listing::ListedLink;
use super::prelude::*;
use super::xml::{Item, Xml};
use crate::rational::Rational;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "sndlib",
    usage: "SNDlib XML",
    about: "general network: nodes and links of a network file, preinstalled or module capacity",
    reference: "SNDlib, XML format 1.0",
    examples: &["instances/networks/examples/ring.sndlib.xml"],
    build: Importer { detect, read },
};

const MODULES: &str =
    "a link without preinstalled capacity gets that of one module, the largest it can have";

fn detect(head: &str) -> bool {
    head.contains("<network") && (head.contains("sndlib") || head.contains("<networkStructure"))
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut listing = Listing::new(&source, options);
    let mut record: Option<Record> = None;
    let mut xml = Xml::of_network(&source);
    while let Some(item) = xml.next()? {
        match item {
            Item::Open(element) if element.name == "node" && xml.parent() == "nodes" => {
                let id = element.attribute("id");
                let id = id.ok_or_else(|| source.error(element.place, element.missing("id")))?;
                listing.declare(id, element.place, &Fields::default())?;
            }
            Item::Open(element) if element.name == "link" && xml.parent() == "links" => {
                if let Some(id) = element.attribute("id") {
                    listing.name_link(id, element.place)?;
                }
                record = Some(Record { place: element.place, ..Record::default() });
            }
            Item::Open(_) => {}
            Item::Close(name, text) => match (&mut record, xml.parent()) {
                (Some(link), parent) if name != "link" => link.take(&name, parent, text),
                _ => {
                    if let Some(link) = record.take() {
                        link.list(&mut listing)?;
                    }
                }
            },
        }
    }
    listing.into_topology()
}

/// A link as written in a file.
#[derive(Default)]
pub(super) struct Record {
    pub place: usize,
    pub ends: [Option<Field>; 2],
    pub preinstalled: Option<Field>,
    pub modules: Vec<Field>,
}

impl Record {
    fn take(&mut self, name: &str, parent: &str, mut text: Field) {
        text.text.truncate(text.text.trim_end().len());
        match (parent, name) {
            ("link", "source") => self.ends[0] = Some(text),
            ("link", "target") => self.ends[1] = Some(text),
            ("preInstalledModule", "capacity") => self.preinstalled = Some(text),
            ("addModule", "capacity") => self.modules.push(text),
            _ => {}
        }
    }

    /// Adds the link to a listing.
    ///
    /// # Errors
    /// If an end is missing, or a capacity is invalid.
    pub fn list(self, listing: &mut Listing) -> Result<()> {
        let place = self.place;
        let [Some(from), Some(to)] = &self.ends else {
            let (what, missing) = ("a link".into(), "<source> or no <target>");
            return Err(listing.source.error(place, Problem::Missing { what, missing }));
        };
        let from = listing.mention(&from.text, from.place)?;
        let to = listing.mention(&to.text, to.place)?;
        let capacity =
            if listing.options.unit_capacity { None } else { self.capacity(listing.source)? };
        if capacity.is_some() && !self.is_preinstalled() {
            listing.note(MODULES);
        }
        let (ends, ports, weight) = ((from, to), None, None);
        let link =
            ListedLink { ends, directed: false, capacity, is_remark: false, weight, ports, place };
        listing.add(link)
    }

    /// Whether there is a preinstalled capacity: its absence may be written as 0.00.
    fn is_preinstalled(&self) -> bool {
        let is_none =
            |field: &Field| Rational::from_decimal(&field.text).is_ok_and(|c| c.is_zero());
        self.preinstalled.as_ref().is_some_and(|field| !is_none(field))
    }

    /// The preinstalled capacity, or the largest module.
    fn capacity(&self, source: &Source) -> Result<Option<Capacity>> {
        let parse = |field: &Field| {
            let capacity = capacity::parse(&field.text);
            capacity.map_err(|problem| source.error(field.place, problem))
        };
        if let Some(preinstalled) = self.preinstalled.as_ref().filter(|_| self.is_preinstalled()) {
            return parse(preinstalled).map(Some);
        }
        let mut largest: Option<Capacity> = None;
        for module in &self.modules {
            let module = parse(module)?;
            if largest.as_ref().is_none_or(|largest| largest.value < module.value) {
                largest = Some(module);
            }
        }
        Ok(largest)
    }
}
