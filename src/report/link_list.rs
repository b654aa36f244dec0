//! Lists of links, hosts and demands, one row each: what `load --links`, `load --pairs`, `ratio --links`, `topo --links`
//! and `topo --hosts` write.
//!
//! Rows are built as they are written; only the plain-text table holds all of them, since its
//! columns are as wide as their widest entry.

use std::io::{self, Write};

use serde::Serializer;

use super::numbers;
use super::prelude::*;
use crate::export::{ExportError, io_error};
use crate::load::LinkLoads;
use crate::registry::Kind;
use crate::sums::Sums;
use crate::topology::{Host, LinkId};
use crate::traffic::Demand;
use crate::worst_case::LinkRatio;

/// Writes a list.
pub type LinkList = fn(List<'_>, &mut dyn Write) -> Result<(), ExportError>;

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

/// A list with named columns.
pub struct List<'r> {
    columns: Vec<&'static str>,
    /// Columns that the plain-text table leaves out.
    unshown: &'static [&'static str],
    rows: Box<dyn Iterator<Item = Vec<Cell>> + 'r>,
}

/// A cell of a list; in JSON a number, a string, an exact string or null.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell {
    Number(u64),
    Text(String),
    Exact(Rational),
    Missing,
}

impl From<Option<Rational>> for Cell {
    fn from(value: Option<Rational>) -> Self {
        value.map_or(Self::Missing, Self::Exact)
    }
}

impl Cell {
    /// The cell in a CSV file.
    fn exact(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::Exact(ratio) => ratio.to_string(),
            Self::Missing => String::new(),
        }
    }
}

/// The columns of bounds of the ratio.
const AT_LEAST: &str = "ratio at least";
const AT_MOST: &str = "ratio at most";

/// Columns with which every list of links begins.
const LINK: [&str; 5] = ["link", "name", "level", "direction", "capacity"];

/// Their cells.
fn link_cells(topology: &Topology, link: LinkId) -> Vec<Cell> {
    let (level, direction) = topology.shown_place(link);
    vec![
        Cell::Number(link.into()),
        Cell::Text(topology.link_name(link)),
        Cell::Number(level.into()),
        Cell::Text(direction.to_string()),
        Cell::Exact(topology.link(link).capacity.clone()),
    ]
}

impl<'r> List<'r> {
    fn of_links(
        columns: &[&'static str],
        topology: &'r Topology,
        links: impl Iterator<Item = LinkId> + 'r,
        more: impl Fn(LinkId) -> Vec<Cell> + 'r,
    ) -> Self {
        let row = move |link| {
            let mut cells = link_cells(topology, link);
            cells.extend(more(link));
            cells
        };
        let columns = LINK.iter().chain(columns).copied().collect();
        Self { columns, unshown: &[], rows: Box::new(links.map(row)) }
    }

    /// The loads of all links, in the order of their ids, with their contention where it is known.
    #[must_use]
    pub fn of_loads(loads: &'r LinkLoads<'r>, contention: Option<&'r Sums>) -> Self {
        let columns = ["traffic", "load", "flows", "contention"];
        let list = Self::of_links(&columns, loads.topology(), loads.links(), move |link| {
            let contention = contention.map(|values| values.get(link));
            vec![
                Cell::Exact(loads.traffic(link)),
                Cell::Exact(loads.load(link)),
                Cell::Number(loads.flows(link)),
                contention.into(),
            ]
        });
        Self { unshown: &["traffic"], ..list }
    }

    /// The demands that these are the loads of, each with its bottleneck, and the part of it that max-min fair sharing in
    /// proportion to demands lets pass at least: the most heavily loaded of its links would give it 1 ÷ load.
    #[must_use]
    pub fn of_demands(
        loads: &'r LinkLoads<'r>,
        demands: &'r [Demand],
        bottlenecks: &'r [LinkId],
    ) -> Self {
        let topology = loads.topology();
        let row = move |(demand, link): (&Demand, &LinkId)| {
            let load = loads.load(*link);
            let part = Rational::ONE.checked_div(&load).map(|part| part.min(Rational::ONE));
            vec![
                Cell::Text(topology.host_label(demand.s)),
                Cell::Text(topology.host_label(demand.d)),
                Cell::Exact(demand.amount.clone()),
                Cell::Number((*link).into()),
                Cell::Text(topology.link_name(*link)),
                Cell::Exact(load),
                part.into(),
            ]
        };
        let demand = ["source", "destination", "amount"];
        let columns = [&demand[..], &["link", "bottleneck", "load", "passes at least"]].concat();
        let rows = Box::new(demands.iter().zip(bottlenecks).map(row));
        Self { columns, unshown: &["link"], rows }
    }

    /// Bounds of the ratio of every link, the largest first.
    #[must_use]
    pub fn of_ratios(topology: &'r Topology, ratios: &'r [LinkRatio]) -> Self {
        let mut order: Vec<&LinkRatio> = ratios.iter().collect();
        order.sort_by(|a, b| a.most_endangered_first(b));
        let links: Vec<LinkId> = order.into_iter().map(|ratio| ratio.link).collect();
        let columns = [AT_LEAST, AT_MOST];
        Self::of_links(&columns, topology, links.into_iter(), |link| {
            let LinkRatio { lower, upper, .. } = &ratios[link as usize];
            vec![Cell::Exact(lower.clone()), upper.clone().into()]
        })
    }
}

impl List<'_> {
    /// All links of a network, with the names of their ends.
    #[must_use]
    pub fn of_network(topology: &Topology) -> List<'_> {
        let columns = ["from", "from port", "to", "to port"];
        let list = List::of_links(&columns, topology, topology.link_numbers(), |link| {
            let shown = topology.link(link);
            let Some((from, to)) = topology.ends(link) else { return Vec::new() };
            let [from, to] = [from, to].map(|node| Cell::Text(topology.node(node).name.clone()));
            vec![from, Cell::Number(shown.from_port.into()), to, Cell::Number(shown.to_port.into())]
        });
        List { unshown: &["from", "from port", "to", "to port"], ..list }
    }

    /// All hosts of a network: number, name, the nodes that they are joined to, and the capacity of their links in
    /// either direction.
    #[must_use]
    pub fn of_hosts(topology: &Topology) -> List<'_> {
        let row = |host: Host| {
            let mut nodes: Vec<&str> = topology
                .links_from(host)
                .filter_map(|link| Some(topology.node(topology.ends(link)?.1).name.as_str()))
                .collect();
            nodes.dedup();
            vec![
                Cell::Number(host.into()),
                Cell::Text(topology.node(host).name.clone()),
                Cell::Text(nodes.join(", ")),
                Cell::Exact(topology.host_capacity(host, true)),
                Cell::Exact(topology.host_capacity(host, false)),
            ]
        };
        let columns = vec!["host", "name", "joined to", "sends at most", "receives at most"];
        List { columns, unshown: &[], rows: Box::new(topology.host_numbers().map(row)) }
    }
}

fn write_table(list: List<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let rows: Vec<Vec<Cell>> = list.rows.collect();
    let shown = (0..).zip(&list.columns).filter(|(_, name)| !list.unshown.contains(name));
    let (mut heads, mut columns) = (Vec::new(), Vec::new());
    for (at, name) in shown {
        heads.push(*name);
        let cells = rows.iter().map(|row| row.get(at));
        columns.push(texts(name, cells.map(|cell| cell.unwrap_or(&Cell::Missing)).collect()));
    }
    let lines = (0..rows.len()).map(|row| columns.iter().map(|c| c[row].clone()).collect());
    Ok(writeln!(out, "{}", table(&heads, lines))?)
}

/// A column as text, its numbers in one form.
fn texts(name: &str, cells: Vec<&Cell>) -> Vec<String> {
    let ratio = |cell: &&Cell| match cell {
        Cell::Exact(ratio) => Some(ratio.clone()),
        _ => None,
    };
    let ratios: Vec<Option<Rational>> = cells.iter().map(ratio).collect();
    let ratios = ratios.iter().map(Option::as_ref);
    let numbers = match name {
        AT_LEAST => numbers::column_at_least(ratios),
        AT_MOST => numbers::column_at_most(ratios),
        _ => numbers::column(ratios),
    };
    let text = |(cell, number): (&Cell, String)| match cell {
        Cell::Exact(_) => number,
        other => other.exact(),
    };
    cells.into_iter().zip(numbers).map(text).collect()
}

fn write_csv(list: List<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(list.columns.iter().map(|name| key(name))).map_err(io_error)?;
    for row in list.rows {
        csv.write_record(row.iter().map(Cell::exact)).map_err(io_error)?;
    }
    Ok(csv.flush()?)
}

fn write_json(list: List<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let keys: Vec<String> = list.columns.iter().map(|name| key(name)).collect();
    for cells in list.rows {
        let row = Row { keys: &keys, cells };
        serde_json::to_writer(&mut *out, &row).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}

/// A column's name in CSV and JSON.
fn key(name: &str) -> String {
    name.replace(' ', "_")
}

/// A row as an object whose keys are in the order of the columns.
struct Row<'r> {
    keys: &'r [String],
    cells: Vec<Cell>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.keys.iter().zip(&self.cells))
    }
}
