//! The load of every link, one row per link: what `load --links` writes.
//!
//! Rows are built as they are written; only the plain-text table holds all of them, since its
//! columns are as wide as their widest entry.

use std::io::{self, Write};

use serde::Serialize;

use super::loads::place;
use super::table::table;
use crate::export::{ExportError, io_error};
use crate::load::LinkLoads;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{Direction, LinkId, Topology};

/// Writes the loads of all links.
pub type LinkList = fn(&LinkRows<'_>, &mut dyn Write) -> Result<(), ExportError>;

pub(super) const TABLE: Kind<LinkList> = Kind {
    name: "table",
    usage: "load TOPOLOGY ROUTING TRAFFIC --links=table",
    about: "one line per link, in aligned columns",
    reference: "[OR] II.A",
    examples: &["shift(1)"],
    build: write_table,
};

pub(super) const CSV: Kind<LinkList> = Kind {
    name: "csv",
    usage: "load TOPOLOGY ROUTING TRAFFIC --links=csv",
    about: "one line per link; numbers are exact ratios",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &["shift(1)"],
    build: write_csv,
};

pub(super) const JSON: Kind<LinkList> = Kind {
    name: "json",
    usage: "load TOPOLOGY ROUTING TRAFFIC --links=json",
    about: "one JSON object per link, one per line; numbers that may be fractions are exact strings",
    reference: "https://www.rfc-editor.org/rfc/rfc8259",
    examples: &["shift(1)"],
    build: write_json,
};

/// The loads of all links, in the order of their ids.
pub struct LinkRows<'r> {
    /// The network.
    pub topology: &'r Topology,
    /// Its loads.
    pub loads: &'r LinkLoads<'r>,
    /// Contention of every link, where it is known.
    pub contention: Option<&'r [Rational]>,
}

/// One link.
#[derive(Serialize)]
struct LinkRow {
    link: LinkId,
    name: String,
    level: u8,
    direction: Direction,
    capacity: Rational,
    traffic: Rational,
    load: Rational,
    flows: u64,
    contention: Option<Rational>,
}

impl LinkRows<'_> {
    fn rows(&self) -> impl Iterator<Item = LinkRow> {
        self.loads.links().map(|id| {
            let (level, direction) = self.topology.shown_place(id);
            LinkRow {
                link: id,
                name: self.topology.link_name(id),
                level,
                direction,
                capacity: self.topology.link(id).capacity.clone(),
                traffic: self.loads.traffic(id),
                load: self.loads.load(id),
                flows: self.loads.flows(id),
                contention: self.contention.map(|values| values[id as usize].clone()),
            }
        })
    }
}

fn write_table(links: &LinkRows<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let head = ["link", "name", "level", "direction", "capacity", "load", "flows", "contention"];
    let rows = links.rows().map(|row| {
        let mut cells = vec![row.link.to_string(), row.name];
        cells.extend(place(row.level, row.direction));
        cells.extend([row.capacity.to_string(), row.load.to_string(), row.flows.to_string()]);
        cells.push(row.contention.map_or_else(String::new, |value| value.to_string()));
        cells
    });
    Ok(writeln!(out, "{}", table(&head, rows))?)
}

fn write_csv(links: &LinkRows<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut csv = csv::Writer::from_writer(out);
    for row in links.rows() {
        csv.serialize(row).map_err(io_error)?;
    }
    Ok(csv.flush()?)
}

fn write_json(links: &LinkRows<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    for row in links.rows() {
        serde_json::to_writer(&mut *out, &row).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}
