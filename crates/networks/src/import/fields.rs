//! The attributes of nodes and links in formats that name them (GraphML, JSON, DOT).
//!
//! The names are the same in all of them, so that what `topo --format` writes can be read back
//! from each; attributes with other names are irrelevant here.

use super::Problem;
use crate::quote::quote;
use crate::topology::{Address, NodeKind};

/// The names that are read.
const NAMES: &[&str] = &[
    "name",
    "label",
    "kind",
    "guid",
    "lid",
    "lmc",
    "capacity",
    "LinkSpeedRaw",
    "weight",
    "from_port",
    "to_port",
];

/// A text from the file and its position, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub text: String,
    pub place: usize,
}

/// The attributes of one node or link.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<(&'static str, Field)>);

impl Fields {
    /// Keeps an attribute if its name is one of those read; a later one replaces an earlier one.
    pub fn put(&mut self, name: &str, text: impl Into<String>, place: usize) {
        if let Some(name) = NAMES.iter().find(|known| **known == name) {
            self.0.retain(|(other, _)| other != name);
            self.0.push((name, Field { text: text.into(), place }));
        }
    }

    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, field)| field)
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
        let Some(guid) = self.get("guid") else { return Ok(None) };
        let digits = guid.text.trim().strip_prefix("0x").unwrap_or("");
        let guid = u64::from_str_radix(digits, 16)
            .map_err(|_| bad(guid, "a GUID such as 0x0002c902000300f1"))?;
        let lid = self.number("lid", "a LID in 0..=49151")?.unwrap_or(0);
        let lmc = self.number("lmc", "an LMC in 0..=7")?.unwrap_or(0);
        super::fabric::Lids::new(lid, lmc)
            .map(|lids| Some(Address { guid, lid: lids.lid, lmc: lids.lmc }))
            .map_err(|problem| (self.get("lid").map_or(0, |field| field.place), problem))
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
