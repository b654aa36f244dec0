//! GraphML, in particular the files of the Internet Topology Zoo and those written by
//! `topo --format graphml`, which read back as the same network.
//!
//! The data used are, for an edge, `capacity`, or else `LinkSpeedRaw` if every edge has it, and
//! `weight`, what the edge costs a path; for a
//! node, `name` or `label`, `kind` (`host` or `switch`) and InfiniBand addresses. Graphs may be
//! undirected, directed or mixed. Hyperedges and graphs within nodes are rejected.

use std::collections::HashMap;

use super::fields::Field;
use super::prelude::*;
use super::xml::{Element, Item, Xml};

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "graphml",
    usage: "GraphML",
    about: "general network: nodes with label and kind, edges with capacity or LinkSpeedRaw, and weight",
    reference: "http://graphml.graphdrawing.org/specification.html",
    examples: &[
        "instances/networks/topologyzoo/Abilene.graphml",
        "instances/networks/examples/star.graphml",
    ],
    build: Importer { detect, read },
};

fn detect(head: &str) -> bool {
    head.contains("<graphml")
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut reader = GraphMl {
        listing: Listing::new(&source, options),
        keys: HashMap::new(),
        key: String::new(),
        directed: None,
        record: None,
    };
    let mut xml = Xml::of_network(&source);
    while let Some(item) = xml.next()? {
        match item {
            Item::Open(element) => reader.open(&element, xml.parent()),
            Item::Close(name, text) => reader.close(&name, text, xml.parent()),
        }?;
    }
    reader.listing.into_topology()
}

/// A declared attribute of nodes or edges.
#[derive(Default)]
struct Key {
    name: String,
    default: Option<Field>,
    of: String,
}

/// The node or edge whose data is being read.
struct Record {
    place: usize,
    what: What,
    fields: Fields,
}

enum What {
    Node(String),
    Edge { ends: (usize, usize), directed: bool },
}

struct GraphMl<'s> {
    listing: Listing<'s>,
    keys: HashMap<String, Key>,
    /// The key whose default or data is being read.
    key: String,
    /// Whether the graph is directed, once it has begun.
    directed: Option<bool>,
    record: Option<Record>,
}

impl GraphMl<'_> {
    fn open(&mut self, element: &Element, parent: &str) -> Result<()> {
        let fail = |problem| Err(self.listing.source.error(element.place, problem));
        let unsupported = |what| {
            let remedy = "write one graph of nodes and edges";
            Problem::Unsupported { what, remedy }
        };
        match element.name.as_str() {
            "key" => self.open_key(element),
            "data" if ["node", "edge"].contains(&parent) => {
                self.key = element.attribute("key").unwrap_or("").to_string();
            }
            "graph" if parent != "graphml" || self.directed.is_some() => {
                return fail(unsupported("a second graph or a graph within a node"));
            }
            "graph" => self.directed = Some(self.is_directed(element, "edgedefault")?),
            "hyperedge" => return fail(unsupported("a hyperedge")),
            "node" | "edge" if parent == "graph" => self.record = Some(self.record(element)?),
            _ => {}
        }
        Ok(())
    }

    fn open_key(&mut self, element: &Element) {
        let attribute = |name| element.attribute(name).unwrap_or("").to_string();
        self.key = attribute("id");
        let key = Key { name: attribute("attr.name"), default: None, of: attribute("for") };
        self.keys.insert(self.key.clone(), key);
    }

    fn is_directed(&self, element: &Element, name: &'static str) -> Result<bool> {
        match element.attribute(name) {
            Some("directed" | "true") => Ok(true),
            Some("undirected" | "false") => Ok(false),
            _ => {
                let missing = match name {
                    "directed" => "value `true` or `false` of directed",
                    _ => "edgedefault, `directed` or `undirected`",
                };
                Err(self.listing.source.error(element.place, element.missing(missing)))
            }
        }
    }

    fn record(&mut self, element: &Element) -> Result<Record> {
        let place = element.place;
        let needed = |name: &'static str| {
            let value = element.attribute(name);
            value.ok_or_else(|| self.listing.source.error(place, element.missing(name)))
        };
        let what = if element.name == "node" {
            What::Node(needed("id")?.to_string())
        } else {
            let (source, target) = (needed("source")?, needed("target")?);
            let directed = match element.attribute("directed") {
                Some(_) => self.is_directed(element, "directed")?,
                None => self.directed.unwrap_or(false),
            };
            let mut end = |id| self.listing.mention(id, place);
            What::Edge { ends: (end(source)?, end(target)?), directed }
        };
        let fields = self.defaults(&element.name);
        Ok(Record { place, what, fields })
    }

    /// The defaults of all node keys, or of all edge keys.
    fn defaults(&self, of: &str) -> Fields {
        let mut fields = Fields::default();
        for key in self.keys.values().filter(|key| key.of == of || key.of == "all") {
            if let Some(default) = &key.default {
                fields.put(&key.name, default.text.clone(), default.place);
            }
        }
        fields
    }

    fn close(&mut self, name: &str, text: Field, parent: &str) -> Result<()> {
        match name {
            "default" if parent == "key" => {
                if let Some(key) = self.keys.get_mut(&self.key) {
                    key.default = Some(text);
                }
            }
            "data" if ["node", "edge"].contains(&parent) => {
                if let (Some(key), Some(record)) = (self.keys.get(&self.key), &mut self.record) {
                    record.fields.put(&key.name, text.text, text.place);
                }
            }
            "node" | "edge" if parent == "graph" => return self.finish(),
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let Some(Record { place, what, fields }) = self.record.take() else { return Ok(()) };
        match what {
            What::Node(id) => self.listing.declare(&id, place, &fields),
            What::Edge { ends, directed } => self.listing.link(ends, directed, place, &fields),
        }
    }
}
