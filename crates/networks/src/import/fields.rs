//! The attributes of nodes and links in formats that name them (GraphML, JSON, DOT).
//!
//! The names are the same in all of them, so that what `topo --format` writes can be read back
//! from each. Capacities have other names in files of other programs ([`CAPACITIES`]); further
//! attributes are irrelevant here, but those that look like capacities are kept by name.

use super::Problem;
use crate::quote::quote;
use crate::topology::{Address, NodeKind};

/// The names that are read.
const NAMES: &[&str] = &[
    "name",
    "label",
    "kind",
    "guid",
    "port_guid",
    "lid",
    "lmc",
    "LinkSpeedRaw",
    "weight",
    "from_port",
    "to_port",
];

/// Names of the capacity of a link, in any case of letters; earlier ones take precedence.
const CAPACITIES: &[&str] =
    &["capacity", "bandwidth", "bw", "linkspeed", "link_speed", "speed", "cap"];

/// Names of the Topology Zoo for the parts of `LinkSpeedRaw`.
const PARTS: &[&str] = &["LinkSpeed", "LinkSpeedUnits"];

/// Parts of names of what may be a capacity.
const LIKE_CAPACITIES: &[&str] = &["capac", "bandw", "speed", "throughput", "rate"];

/// The name by which an attribute is kept.
fn known(name: &str) -> Option<&'static str> {
    let is_capacity = |known: &&&str| known.eq_ignore_ascii_case(name) && !PARTS.contains(&name);
    let exact = NAMES.iter().find(|known| **known == name);
    exact.or_else(|| CAPACITIES.iter().find(is_capacity)).copied()
}

/// A text from the file and its position, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub text: String,
    pub place: usize,
}

/// The attributes of one node or link.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    known: Vec<(&'static str, Field)>,
    /// The name of an attribute that looks like a capacity and is not read.
    like_capacity: Option<String>,
}

impl Fields {
    /// Keeps an attribute if its name is one of those read; a later one replaces an earlier one.
    pub fn put(&mut self, name: &str, text: impl Into<String>, place: usize) {
        if let Some(name) = known(name) {
            self.known.retain(|(other, _)| *other != name);
            self.known.push((name, Field { text: text.into(), place }));
        } else if !PARTS.contains(&name) && self.like_capacity.is_none() {
            let lower = name.to_ascii_lowercase();
            let is_like = LIKE_CAPACITIES.iter().any(|part| lower.contains(part));
            self.like_capacity = is_like.then(|| name.to_string());
        }
    }

    pub fn get(&self, name: &str) -> Option<&Field> {
        self.known.iter().find(|(other, _)| *other == name).map(|(_, field)| field)
    }

    /// The capacity of the link, by whatever name.
    pub fn capacity(&self) -> Option<&Field> {
        CAPACITIES.iter().find_map(|name| self.get(name))
    }

    /// The name of an attribute that looks like a capacity and is not read.
    pub fn like_capacity(&self) -> Option<&str> {
        self.like_capacity.as_deref()
    }

    /// Whether an attribute of links is read.
    pub fn are_of_links(name: &str) -> bool {
        let is_capacity = CAPACITIES.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_capacity || ["weight", "from_port", "to_port"].contains(&name)
    }

    /// The human-readable name of the node.
    pub fn name(&self) -> Option<&str> {
        let name = self.get("name").or_else(|| self.get("label"))?;
        Some(name.text.trim()).filter(|name| !name.is_empty())
    }

    /// Host or switch, if the file says which.
    pub fn kind(&self) -> Result<Option<NodeKind>, (usize, Problem)> {
        let Some(field) = self.get("kind") else { return Ok(None) };
        match field.text.trim() {
            "host" => Ok(Some(NodeKind::Host)),
            "switch" => Ok(Some(NodeKind::Switch)),
            other => Err((field.place, Problem::syntax(other, "the kind `host` or `switch`"))),
        }
    }

    /// The InfiniBand address, if the file has one.
    pub fn address(&self) -> Result<Option<Address>, (usize, Problem)> {
        let Some(guid) = self.guid("guid")? else { return Ok(None) };
        let port_guid = self.guid("port_guid")?;
        let lid = self.number("lid", "a LID in 0..=49151")?.unwrap_or(0);
        let lmc = self.number("lmc", "an LMC in 0..=7")?.unwrap_or(0);
        super::fabric::Lids::new(lid, lmc)
            .map(|lids| Some(Address { guid, port_guid, lid: lids.lid, lmc: lids.lmc }))
            .map_err(|problem| (self.get("lid").map_or(0, |field| field.place), problem))
    }

    fn guid(&self, name: &str) -> Result<Option<u64>, (usize, Problem)> {
        let read = |field: &Field| {
            let digits = field.text.trim().strip_prefix("0x").unwrap_or("");
            u64::from_str_radix(digits, 16)
                .map_err(|_| bad(field, "a GUID such as 0x0002c902000300f1"))
        };
        self.get(name).map(read).transpose()
    }

    /// The port numbers at both ends of a link, if the file has them.
    pub fn ports(&self) -> Result<Option<(u32, u32)>, (usize, Problem)> {
        let expected = "a port number";
        let ports = (self.number("from_port", expected)?, self.number("to_port", expected)?);
        Ok(ports.0.zip(ports.1))
    }

    fn number(&self, name: &str, expected: &'static str) -> Result<Option<u32>, (usize, Problem)> {
        let field = self.get(name);
        field.map(|field| field.text.trim().parse().map_err(|_| bad(field, expected))).transpose()
    }
}

fn bad(field: &Field, expected: &'static str) -> (usize, Problem) {
    (field.place, Problem::Syntax { found: quote(&field.text), expected })
}
