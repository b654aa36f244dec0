//! A general network as listed in its file, before hosts and links are numbered.
//!
//! Every reader of a general format fills a [`Listing`]; what all formats have in common is
//! done once, here: nodes are identified by their ids, links may come before their nodes, self
//! loops are not links. [`Listing::into_topology`] builds the network.

use std::collections::HashMap;

use super::capacity::{self, Capacity};
use super::fields::{Field, Fields};
use super::source::Source;
use super::{ImportOptions, Problem, Result, weight};
use crate::limit::within;
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Address, NodeKind, Topology};

/// A node as listed.
#[derive(Debug)]
pub(super) struct ListedNode {
    /// The name by which links refer to it.
    pub id: String,
    /// The human-readable name, if there is one.
    pub name: Option<String>,
    pub kind: Option<NodeKind>,
    pub address: Option<Address>,
    /// Position of its declaration, or else of its first mention.
    pub place: usize,
    pub declared: bool,
}

/// A link as listed: one directed link, or both directions.
#[derive(Debug)]
pub(super) struct ListedLink {
    /// Indices of the listed nodes.
    pub ends: (usize, usize),
    pub directed: bool,
    pub capacity: Option<Capacity>,
    /// Whether the capacity is a remark about the link, which other links may lack.
    pub is_remark: bool,
    /// Cost of the link to a path, or the reason why it cannot be used.
    pub weight: Option<Result<Rational, Problem>>,
    pub ports: Option<(u32, u32)>,
    pub place: usize,
}

/// The nodes and links that a file lists.
pub(super) struct Listing<'s> {
    pub source: &'s Source,
    pub options: &'s ImportOptions,
    pub nodes: Vec<ListedNode>,
    pub links: Vec<ListedLink>,
    /// Notes on the interpretation of the file, where that is not obvious.
    pub notes: Vec<String>,
    index: HashMap<String, usize>,
    /// Positions of the links that have an id.
    link_ids: HashMap<String, usize>,
    /// Number of self loops that were left out, and the place of the first one.
    pub loops: Option<(u64, usize)>,
}

impl<'s> Listing<'s> {
    pub fn new(source: &'s Source, options: &'s ImportOptions) -> Self {
        Self {
            source,
            options,
            nodes: Vec::new(),
            links: Vec::new(),
            notes: Vec::new(),
            index: HashMap::new(),
            link_ids: HashMap::new(),
            loops: None,
        }
    }

    /// A node mentioned by a link; its declaration may follow.
    pub fn mention(&mut self, id: &str, place: usize) -> Result<usize> {
        if let Some(known) = self.index.get(id) {
            return Ok(*known);
        }
        self.check_size("nodes", self.nodes.len())?;
        self.index.insert(id.to_string(), self.nodes.len());
        let id = id.to_string();
        let node = ListedNode { id, name: None, kind: None, address: None, place, declared: false };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// Declares a node.
    ///
    /// # Errors
    /// [`Problem::DuplicateNode`], or a field with an invalid value.
    pub fn declare(&mut self, id: &str, place: usize, fields: &Fields) -> Result<()> {
        let node = self.mention(id, place)?;
        if self.nodes[node].declared {
            let first = self.source.line(self.nodes[node].place);
            let problem = Problem::DuplicateNode { node: id.into(), first };
            return Err(self.source.error(place, problem));
        }
        self.nodes[node].place = place;
        self.describe(node, fields)
    }

    /// Adds the contents of the fields to a node and marks it as declared.
    pub fn describe(&mut self, node: usize, fields: &Fields) -> Result<()> {
        let fail = |(place, problem)| self.source.error(place, problem);
        let kind = fields.kind().map_err(fail)?;
        let address = fields.address().map_err(fail)?;
        let name = fields.name().map(str::to_string);
        let node = &mut self.nodes[node];
        node.declared = true;
        node.kind = kind.or(node.kind);
        node.address = address.or(node.address);
        node.name = name.or(node.name.take());
        Ok(())
    }

    /// Adds a link described by its fields; a self loop is counted and left out.
    pub fn link(
        &mut self,
        ends: (usize, usize),
        directed: bool,
        place: usize,
        fields: &Fields,
    ) -> Result<()> {
        let (field, is_remark) = match fields.capacity() {
            Some(field) => (Some(field), false),
            None => (fields.get("LinkSpeedRaw"), true),
        };
        if let Some(name) = fields.like_capacity().filter(|_| field.is_none()) {
            self.note(&format!(
                "links have `{}`, which looks like a capacity and is not read: call it `capacity`",
                quote(name)
            ));
        }
        let capacity = field.map(|field| self.capacity(field)).transpose()?.flatten();
        let ports = fields.ports().map_err(|(place, problem)| self.source.error(place, problem))?;
        let weight = fields.get("weight").map(|field| weight::parse(&field.text));
        self.add(ListedLink { ends, directed, capacity, is_remark, weight, ports, place })
    }

    /// Records the id of a link, in formats where links have ids.
    ///
    /// # Errors
    /// [`Problem::DuplicateLink`].
    pub fn name_link(&mut self, id: &str, place: usize) -> Result<()> {
        match self.link_ids.insert(id.to_string(), place) {
            None => Ok(()),
            Some(first) => {
                let (link, first) = (id.to_string(), self.source.line(first));
                Err(self.source.error(place, Problem::DuplicateLink { link: link.into(), first }))
            }
        }
    }

    /// Adds a link; a self loop is counted and left out.
    pub fn add(&mut self, link: ListedLink) -> Result<()> {
        self.check_size("links", self.links.len())?;
        if link.ends.0 == link.ends.1 {
            let (count, first) = self.loops.unwrap_or((0, link.place));
            self.loops = Some((count + 1, first));
        } else {
            self.links.push(link);
        }
        Ok(())
    }

    /// Adds a note, unless it is there already.
    pub fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_string());
        }
    }

    /// A capacity, or `None` if capacities are to be ignored.
    pub fn capacity(&self, field: &Field) -> Result<Option<Capacity>> {
        if self.options.unit_capacity {
            return Ok(None);
        }
        let capacity = capacity::parse(&field.text);
        capacity.map(Some).map_err(|problem| self.source.error(field.place, problem))
    }

    /// Refuses more nodes or links than a network may have.
    fn check_size(&self, what: &str, size: usize) -> Result<()> {
        let what = format!("number of {what} in {}", self.source.path());
        // One more is about to be added.
        let size = Some(size as u128 + 1);
        within(&what, size, Topology::MAX_LINKS, "import a part of the network")?;
        Ok(())
    }
}
