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
//! its links are directed. Numbers are read digit by digit, not via floats. Python also writes `NaN` and
//! `Infinity`, which are not JSON: they are refused only where a number is needed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::ImportError;
use super::fields::Field;
use super::prelude::*;

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

/// Whether our own export begins so.
pub(super) fn is_own(head: &str) -> bool {
    head.starts_with("{\"topology\":")
        && [",\"hosts\":", ",\"nodes\":[{\"id\":"].iter().all(|member| head.contains(member))
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

/// The members of a node or a link.
struct Record<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Record<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Record<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record<'de>, A::Error> {
                let mut members: Vec<(Cow<'de, str>, &'de RawValue)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<Name<'de>, _>()? {
                    if members.iter().any(|(known, _)| *known == name.0) {
                        return Err(A::Error::custom(format!("duplicate field `{}`", name.0)));
                    }
                    members.push((name.0, value));
                }
                Ok(Record(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The name of a member, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

/// A document: its file, and the JSON that it holds, in which what is not JSON is in quotation marks.
struct Json<'s> {
    source: &'s Source,
    text: Cow<'s, str>,
}

/// What Python writes for numbers that JSON has not; as many quoted letters take their places.
const NOT_JSON: [(&str, &str); 3] =
    [("NaN", "\"N\""), ("-Infinity", "\"-Infini\""), ("Infinity", "\"Infini\"")];

impl<'s> Json<'s> {
    fn of(source: &'s Source) -> Self {
        let text = source.text();
        if !text.contains("NaN") && !text.contains("Infinity") {
            return Self { source, text: text.into() };
        }
        let (mut json, mut rest, mut quoted) = (String::with_capacity(text.len()), text, false);
        while let Some(c) = rest.chars().next() {
            let number = NOT_JSON.iter().find(|(number, _)| !quoted && rest.starts_with(number));
            let length = match (c, number) {
                (_, Some((number, replaced))) => {
                    json.push_str(replaced);
                    rest = &rest[number.len()..];
                    continue;
                }
                ('\\', None) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                _ => c.len_utf8(),
            };
            quoted ^= c == '"';
            json.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        Self { source, text: json.into() }
    }

    fn place_of(&self, raw: &RawValue) -> usize {
        raw.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    /// The text of a string, a number or a Boolean.
    fn scalar(&self, raw: &RawValue) -> Result<Field> {
        let place = self.place_of(raw);
        let written = self.source.text().get(place..place + raw.get().len()).unwrap_or(raw.get());
        let text = match written.as_bytes().first() {
            Some(b'"') => serde_json::from_str(written).ok(),
            Some(b'{' | b'[') => None,
            _ => Some(written.to_string()),
        };
        let expected = "a number or a string";
        let problem = || self.source.error(place, Problem::syntax(written, expected));
        Ok(Field { text: text.ok_or_else(problem)?, place })
    }

    /// The error of a text that is not JSON, or not such a document.
    fn refused(&self, error: &serde_json::Error) -> ImportError {
        let (line, column) = (error.line() as u64, error.column());
        let place = format!(" at line {line} column {column}");
        let problem = error.to_string().replace(&place, "").into();
        let problem = match error.classify() {
            Category::Data => Problem::OtherJson { problem },
            _ => Problem::Malformed { format: "node-link JSON", problem },
        };
        ImportError::Place { path: self.source.path().to_string(), line, column, problem }
    }
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let json = Json::of(&source);
    let document: Result<Document, _> = serde_json::from_str(&json.text);
    let document = document.map_err(|error| json.refused(&error))?;
    let mut listing = Listing::new(&source, options);
    for node in &document.nodes {
        let id = json.scalar(node.needed(&json, &["id"], "a node")?)?;
        listing.declare(&id.text, id.place, &node.fields(&json, OF_NODES)?)?;
    }
    let directed = document.directed.unwrap_or(document.topology.is_some());
    for link in &document.links {
        let from = json.scalar(link.needed(&json, &["source", "from"], "a link")?)?;
        let to = json.scalar(link.needed(&json, &["target", "to"], "a link")?)?;
        let ends = (listing.mention(&from.text, from.place)?, listing.mention(&to.text, to.place)?);
        let mut fields = link.fields(&json, OF_LINKS)?;
        for (name, raw) in &link.0 {
            // Other programs call other things a weight or a speed, too.
            if !OF_LINKS.contains(&&**name)
                && raw.get() != "null"
                && let Ok(value) = json.scalar(raw)
            {
                fields.put(name, value.text, value.place);
            }
        }
        listing.link(ends, directed, from.place, &fields)?;
    }
    listing.into_topology()
}

/// Members of nodes that must be numbers or texts.
const OF_NODES: &[&str] = &["name", "label", "kind", "guid", "port_guid", "lid", "lmc"];
/// Members of links that must be numbers or texts.
const OF_LINKS: &[&str] = &["capacity", "from_port", "to_port"];

impl<'t> Record<'t> {
    fn get(&self, name: &str) -> Raw<'t> {
        let named = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        named.filter(|value| value.get() != "null")
    }

    /// A required member, which may have one of these names.
    fn needed(&self, json: &Json, names: &[&'static str], what: &str) -> Result<&'t RawValue> {
        names.iter().find_map(|name| self.get(name)).ok_or_else(|| {
            // The position of a record is known only through its members.
            let place = self.0.first().map_or(0, |(_, raw)| json.place_of(raw));
            let missing = names.first().copied().unwrap_or_default();
            json.source.error(place, Problem::Missing { what: what.into(), missing })
        })
    }

    fn fields(&self, json: &Json, names: &[&str]) -> Result<Fields> {
        let mut fields = Fields::default();
        for name in names {
            if let Some(raw) = self.get(name) {
                let field = json.scalar(raw)?;
                fields.put(name, field.text, field.place);
            }
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_keeps_its_length() {
        for text in [r#"{"NaN": NaN, "a\"NaN": [-Infinity,Infinity, 1]}"#, r#"["ä\\", NaN]"#] {
            let source = Source::of("x", text);
            let json = Json::of(&source);
            assert_eq!(json.text.len(), text.len(), "{}", json.text);
            assert!(serde_json::from_str::<&RawValue>(&json.text).is_ok(), "{}", json.text);
        }
    }
}
