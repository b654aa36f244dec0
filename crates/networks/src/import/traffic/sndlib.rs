//! Demands of SNDlib's network files, in XML or in its native text.
//!
//! A demand of value v and routing unit u takes u·v of link capacity, which is its amount.
//! Nodes are matched by name if the network has hosts with these names. If it has none of
//! them because it was generated, they are numbered by the order of the file's node list; so they
//! are in a network that was read if `file(hosts=index):PATH` says so.

mod native;

use std::collections::HashMap;

use super::prelude::*;
use super::{Hosts, TrafficFileError};
use crate::import::fields::Field;
use crate::import::xml::{Element, Item, Xml};
use crate::topology::{HostNames, NoHost, Topology};

pub(super) const KIND: Kind<Format> = Kind {
    name: "sndlib",
    usage: "SNDlib XML or native text",
    about: "demands of a network file or a demand matrix; hosts by name, or by the file's node list",
    reference: "http://sndlib.zib.de/home.action, XML and native format 1.0",
    examples: &[
        "<?xml version=\"1.0\"?>\n<network><networkStructure><nodes><node id=\"A\"/>\
        <node id=\"B\"/></nodes></networkStructure>\n<demands><demand id=\"D\"><source>A</source>\
        <target>B</target>\n<routingUnit>2</routingUnit><demandValue> 1.5 </demandValue></demand>\
        </demands></network>\n",
        "?SNDlib native format; type: network; version: 1.0\nNODES ( A ( 0 0 ) B )\n\
        DEMANDS (\n  D ( A B ) 2 1.5 UNLIMITED\n)\n",
    ],
    build: Format {
        detect: |line| line.trim_start().starts_with('<') || native::detect(line),
        extensions: &["sndlib", "xml"],
        bare: &[],
        read,
    },
};

/// The beginning of a file.
const ROOT: &str = "the element network of SNDlib";

/// The elements with which a file may begin.
const ROOTS: [&str; 3] = ["network", "demands", "demandMatrix"];

/// A demand as written in the file.
#[derive(Default)]
struct Record {
    source: Option<Field>,
    target: Option<Field>,
    value: Option<Field>,
    unit: Option<Field>,
    place: usize,
}

/// The relevant parts of the file.
#[derive(Default)]
struct Content {
    nodes: Vec<String>,
    records: Vec<Record>,
}

/// The file, for errors.
struct File<'l, 'r> {
    lines: &'l Lines<'r>,
    text: &'l str,
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let text = lines.whole()?;
    let file = File { lines, text: &text };
    let content =
        if native::detect(lines.text()) { native::read(&file)? } else { Content::read(&file)? };
    let known = Known::of(&file, &content, request)?;
    let demands = content.records.iter().map(|record| file.demand(record, &known, request));
    Found::list(request.hosts.count(), demands.collect::<Result<_, _>>()?)
}

impl Content {
    fn read(file: &File) -> Result<Self> {
        let mut xml = Xml::new(file.text, |place, problem| {
            file.fail(place, Problem::Malformed { problem: problem.into() })
        });
        let (mut content, mut is_empty) = (Self::default(), true);
        while let Some(item) = xml.next()? {
            is_empty = false;
            match item {
                Item::Open(element) => content.open(&element, xml.parent(), file)?,
                Item::Close(name, text) if xml.parent() == "demand" => content.close(&name, text),
                Item::Close(..) => {}
            }
        }
        if is_empty {
            return Err(file.fail(0, Problem::syntax(file.lines.text(), ROOT)));
        }
        Ok(content)
    }

    fn open(&mut self, element: &Element, parent: &str, file: &File) -> Result<()> {
        let fail = |found, expected| file.fail(element.place, Problem::syntax(found, expected));
        match (parent, element.name.as_str()) {
            ("", name) if !ROOTS.contains(&name) => Err(fail(name, ROOT)),
            ("nodes", "node") => {
                let id = element.attribute("id").ok_or_else(|| fail("node", "its attribute id"))?;
                self.add_node(id.trim())
            }
            (_, "demand") => {
                TrafficMatrix::check_entries(self.records.len() as u128 + 1)?;
                self.records.push(Record { place: element.place, ..Record::default() });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds a node with this id.
    fn add_node(&mut self, id: &str) -> Result<()> {
        TrafficMatrix::check_entries(self.nodes.len() as u128 + 1)?;
        self.nodes.push(id.to_string());
        Ok(())
    }

    /// Takes the text of an element of a demand.
    fn close(&mut self, name: &str, mut text: Field) {
        text.text.truncate(text.text.trim_end().len());
        let Some(record) = self.records.last_mut() else { return };
        match name {
            "source" => record.source = Some(text),
            "target" => record.target = Some(text),
            "demandValue" => record.value = Some(text),
            "routingUnit" => record.unit = Some(text),
            _ => {}
        }
    }
}

impl File<'_, '_> {
    fn fail(&self, at: usize, problem: Problem) -> TrafficFileError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        self.lines.fail_at(line, column, problem)
    }

    fn demand(&self, record: &Record, known: &Known, request: &Request) -> Result<Demand> {
        let missing = |expected| self.fail(record.place, Problem::syntax("demand", expected));
        let source = record.source.as_ref().ok_or_else(|| missing("its element source"))?;
        let target = record.target.as_ref().ok_or_else(|| missing("its element target"))?;
        let value = record.value.as_ref().ok_or_else(|| missing("its element demandValue"))?;
        let host = |field: &Field| {
            let last = request.hosts.count().saturating_sub(1);
            let problem = || Problem::UnknownHost { name: field.text.as_str().into(), last };
            let found = match known {
                Known::Names(names) => names.called(&field.text).map_err(|error| match error {
                    NoHost::Unknown { name, .. } => Problem::NoSuchNode { name: name.into() },
                    other => other.into(),
                }),
                Known::Order(order) => order.get(field.text.as_str()).copied().ok_or_else(problem),
            };
            found.map_err(|problem| self.fail(field.place, problem))
        };
        let number = |field: &Field| {
            Rational::from_decimal(&field.text)
                .map_err(|error| self.fail(field.place, error.into()))
        };
        let unit = record.unit.as_ref().map_or(Ok(Rational::ONE), number)?;
        Ok(Demand { s: host(source)?, d: host(target)?, amount: &unit * &number(value)? })
    }
}

/// The hosts that demands may name.
enum Known<'c> {
    /// As the network calls them.
    Names(HostNames<'c>),
    /// By the order of the file's node list.
    Order(HashMap<&'c str, Host>),
}

impl<'c> Known<'c> {
    fn of(file: &File, content: &'c Content, request: &Request<'c>) -> Result<Self> {
        let ends = content.records.iter().flat_map(|record| [&record.source, &record.target]);
        if let Hosts::Of(network) | Hosts::Named(network) = request.hosts {
            let names = Topology::host_names(network);
            if network.is_read() || ends.flatten().any(|field| names.has(&field.text)) {
                return Ok(Self::Names(names));
            }
        }
        let fail = |problem| file.lines.whole_fails(problem);
        request.check_hosts(content.nodes.len() as u64).map_err(fail)?;
        let mut numbers = HashMap::new();
        for (number, name) in (0..).zip(&content.nodes) {
            if numbers.insert(name.as_str(), number).is_some() {
                return Err(fail(Problem::DuplicateNode { name: name.into() }));
            }
        }
        Ok(Self::Order(numbers))
    }
}
