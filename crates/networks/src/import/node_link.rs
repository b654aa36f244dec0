//! Networks as JSON with nodes and links: the node-link data of networkx, and what
//! `topo --format json` writes.
//!
//! ```json
//! {"directed": true, "nodes": [{"id": 0}, {"id": 1}],
//!  "links": [{"source": 0, "target": 1, "capacity": 2.4e9}]}
//! ```
//!
//! `links` may be called `edges`; ids are numbers or strings. Without `directed`, links are
//! undirected, as in networkx; our own export has `topology`, `from` and `to` instead, and
//! its links are directed. Numbers are read digit by digit, not via floats.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::fields::{Field, Fields};
use super::listing::Listing;
use super::source::Source;
use super::text::TextFile;
use super::{ImportError, ImportOptions, Importer, Problem, ReadTopology};
use crate::registry::Kind;
use crate::topology::Topology;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "node-link",
    usage: "node-link JSON",
    about: "general network: networkx node-link data, directed or not, links with capacity and weight",
    reference: "networkx.readwrite.json_graph.node_link_data",
    examples: &["instances/networks/b4/B4.json", "instances/networks/figret/GEANT.json"],
    build: Importer { detect, read },
};

fn detect(head: &str) -> bool {
    head.trim_start().starts_with('{')
}

type Raw<'t> = Option<&'t RawValue>;

#[derive(Deserialize)]
struct Document<'t> {
    directed: Option<bool>,
    #[serde(borrow)]
    topology: Raw<'t>,
    #[serde(borrow)]
    nodes: Vec<Record<'t>>,
    #[serde(borrow, alias = "edges")]
    links: Vec<Record<'t>>,
}

/// A node or a link; other members are irrelevant here.
#[derive(Deserialize)]
struct Record<'t> {
    #[serde(borrow)]
    id: Raw<'t>,
    #[serde(borrow, alias = "from")]
    source: Raw<'t>,
    #[serde(borrow, alias = "to")]
    target: Raw<'t>,
    #[serde(borrow)]
    capacity: Raw<'t>,
    #[serde(borrow)]
    weight: Raw<'t>,
    #[serde(borrow)]
    name: Raw<'t>,
    #[serde(borrow)]
    label: Raw<'t>,
    #[serde(borrow)]
    kind: Raw<'t>,
    #[serde(borrow)]
    guid: Raw<'t>,
    #[serde(borrow)]
    lid: Raw<'t>,
    #[serde(borrow)]
    lmc: Raw<'t>,
    #[serde(borrow)]
    from_port: Raw<'t>,
    #[serde(borrow)]
    to_port: Raw<'t>,
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology, ImportError> {
    let source = Source::read(text)?;
    let document: Document = serde_json::from_str(source.text()).map_err(|error| {
        let (line, column) = (error.line() as u64, error.column());
        let place = format!(" at line {line} column {column}");
        let problem = error.to_string().replace(&place, "");
        let problem = Problem::Malformed { format: "node-link JSON", problem: problem.into() };
        ImportError::Place { path: source.path().to_string(), line, column, problem }
    })?;
    let mut listing = Listing::new(&source, options);
    for node in &document.nodes {
        let id = scalar(&source, needed(&source, node, node.id, "a node", "id")?)?;
        listing.declare(&id.text, id.place, &node.fields(&source)?)?;
    }
    let directed = document.directed.unwrap_or(document.topology.is_some());
    for link in &document.links {
        let from = scalar(&source, needed(&source, link, link.source, "a link", "source")?)?;
        let to = scalar(&source, needed(&source, link, link.target, "a link", "target")?)?;
        let ends = (listing.mention(&from.text, from.place)?, listing.mention(&to.text, to.place)?);
        let mut fields = link.fields(&source)?;
        // Other programs call other things a weight, too.
        if let Some(weight) = link.weight.and_then(|raw| scalar(&source, raw).ok()) {
            fields.put("weight", weight.text, weight.place);
        }
        listing.link(ends, directed, from.place, &fields)?;
    }
    listing.into_topology()
}

/// A required member.
fn needed<'t>(
    source: &Source,
    record: &Record<'t>,
    member: Raw<'t>,
    what: &str,
    missing: &'static str,
) -> Result<&'t RawValue, ImportError> {
    let some = [record.id, record.source, record.target, record.name, record.capacity];
    member.ok_or_else(|| {
        // The position of a record is known only through its members.
        let place = some.iter().flatten().map(|raw| source.place_of(raw.get())).min();
        let problem = Problem::Missing { what: what.into(), missing };
        source.error(place.unwrap_or(0), problem)
    })
}

/// The text of a string, a number or a Boolean.
fn scalar(source: &Source, raw: &RawValue) -> Result<Field, ImportError> {
    let place = source.place_of(raw.get());
    let text = match raw.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw.get()).ok(),
        Some(b'{' | b'[') => None,
        _ => Some(raw.get().to_string()),
    };
    let expected = "a number or a string";
    let text = text.ok_or_else(|| source.error(place, Problem::syntax(raw.get(), expected)))?;
    Ok(Field { text, place })
}

impl Record<'_> {
    fn fields(&self, source: &Source) -> Result<Fields, ImportError> {
        let mut fields = Fields::default();
        for (name, member) in [
            ("capacity", self.capacity),
            ("name", self.name),
            ("label", self.label),
            ("kind", self.kind),
            ("guid", self.guid),
            ("lid", self.lid),
            ("lmc", self.lmc),
            ("from_port", self.from_port),
            ("to_port", self.to_port),
        ] {
            if let Some(raw) = member {
                let field = scalar(source, raw)?;
                fields.put(name, field.text, field.place);
            }
        }
        Ok(fields)
    }
}
