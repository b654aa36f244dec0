//! Demands of SNDlib's network files, in XML or in its native text.
//!
//! A demand of value v and routing unit u takes u·v of link capacity, which is its amount.
//! Nodes are matched by name if the network has hosts with these names. If it has none of
//! them because it was generated, they are numbered by the order of the file's node list; so they
//! are in a network that was read if `file(hosts=index):PATH` says so.

mod native;

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{Format, Found, Hosts, Lines, Problem, Request, TrafficFileError};
use crate::import::xml_rules;
use crate::integer::as_size;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::{Host, HostNames, NoHost, Topology};
use crate::traffic::{Demand, TrafficMatrix};

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

/// Maximum number of open elements.
const MAX_DEPTH: usize = 64;

/// A text from the file, with the position of its first byte.
#[derive(Clone, Default)]
struct Place {
    text: String,
    at: usize,
}

/// A demand as written in the file.
#[derive(Default)]
struct Record {
    source: Option<Place>,
    target: Option<Place>,
    value: Option<Place>,
    unit: Option<Place>,
    at: usize,
}

/// The relevant parts of the file, collected element by element.
#[derive(Default)]
struct Content {
    nodes: Vec<String>,
    records: Vec<Record>,
    /// Names of the open elements.
    open: Vec<String>,
    has_root: bool,
    text: Place,
}

/// The file, for errors.
struct File<'l, 'r> {
    lines: &'l Lines<'r>,
    text: &'l str,
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found, TrafficFileError> {
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
    fn read(file: &File) -> Result<Self, TrafficFileError> {
        let mut reader = Reader::from_str(file.text);
        let mut content = Self::default();
        loop {
            let at = as_size(reader.buffer_position());
            let event = reader.read_event().map_err(|error| {
                let at = as_size(reader.error_position());
                file.fail(at, Problem::Malformed { problem: error.to_string().into() })
            })?;
            if matches!(event, Event::Eof) {
                break;
            }
            content.take(&event, at, file)?;
        }
        if !content.has_root {
            return Err(file.fail(0, Problem::syntax(file.lines.text(), ROOT)));
        }
        if let Some(name) = content.open.pop() {
            let problem = Problem::syntax(&name, "the end of this element");
            return Err(file.fail(file.text.trim_end().len(), problem));
        }
        Ok(content)
    }

    /// Processes an event that begins at the given byte of the file.
    fn take(&mut self, event: &Event, at: usize, file: &File) -> Result<(), TrafficFileError> {
        match event {
            Event::Start(tag) => self.start(tag, at, file)?,
            Event::Empty(tag) => {
                self.start(tag, at, file)?;
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Decl(text) => xml_rules::declaration(text)
                .map_err(|problem| file.fail(at, Problem::Malformed { problem: problem.into() }))?,
            Event::Text(text) => self.add(&text.xml10_content(), at, file)?,
            Event::CData(text) => self.add(&text.xml10_content(), at, file)?,
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let known = quick_xml::escape::resolve_xml_entity(&name).map(str::to_string);
                let char = || reference.resolve_char_ref().ok()?.map(String::from);
                let problem = || Problem::syntax(&name, "an entity of XML");
                self.add(&known.or_else(char).ok_or_else(|| file.fail(at, problem()))?, at, file)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn parent(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    fn start(&mut self, tag: &BytesStart, at: usize, file: &File) -> Result<(), TrafficFileError> {
        let name = tag.local_name().as_ref().to_string();
        if self.open.is_empty() && !["network", "demands", "demandMatrix"].contains(&name.as_str())
        {
            return Err(file.fail(at, Problem::syntax(&name, ROOT)));
        }
        if name == "node" && self.parent() == "nodes" {
            let id = tag.try_get_attribute("id").ok().flatten();
            let id = id.and_then(|id| id.normalized_value(XmlVersion::Implicit1_0).ok());
            let id =
                id.ok_or_else(|| file.fail(at, Problem::syntax("node", "its attribute id")))?;
            TrafficMatrix::check_entries(self.nodes.len() as u128 + 1)?;
            self.nodes.push(id.trim().to_string());
        }
        if name == "demand" {
            TrafficMatrix::check_entries(self.records.len() as u128 + 1)?;
            self.records.push(Record { at, ..Record::default() });
        }
        if self.open.len() == MAX_DEPTH {
            return Err(
                file.fail(at, Problem::syntax(&name, "elements that are not nested so deeply"))
            );
        }
        self.has_root = true;
        self.open.push(name);
        self.text = Place::default();
        Ok(())
    }

    fn add(&mut self, text: &str, at: usize, file: &File) -> Result<(), TrafficFileError> {
        if let Some(problem) = xml_rules::forbidden_character(text) {
            return Err(file.fail(at, Problem::Malformed { problem: problem.into() }));
        }
        if self.text.text.is_empty() {
            let trimmed = text.trim_start();
            self.text = Place { text: trimmed.to_string(), at: at + text.len() - trimmed.len() };
        } else {
            self.text.text.push_str(text);
        }
        Ok(())
    }

    fn end(&mut self) {
        let (name, mut text) = (self.open.pop(), std::mem::take(&mut self.text));
        text.text.truncate(text.text.trim_end().len());
        let Some(record) = self.records.last_mut() else { return };
        if self.open.last().is_some_and(|parent| parent == "demand") {
            match name.as_deref() {
                Some("source") => record.source = Some(text),
                Some("target") => record.target = Some(text),
                Some("demandValue") => record.value = Some(text),
                Some("routingUnit") => record.unit = Some(text),
                _ => {}
            }
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

    fn demand(
        &self,
        record: &Record,
        known: &Known,
        request: &Request,
    ) -> Result<Demand, TrafficFileError> {
        let missing = |expected| self.fail(record.at, Problem::syntax("demand", expected));
        let source = record.source.as_ref().ok_or_else(|| missing("its element source"))?;
        let target = record.target.as_ref().ok_or_else(|| missing("its element target"))?;
        let value = record.value.as_ref().ok_or_else(|| missing("its element demandValue"))?;
        let host = |place: &Place| {
            let last = request.hosts.count().saturating_sub(1);
            let problem = || Problem::UnknownHost { name: place.text.as_str().into(), last };
            let found = match known {
                Known::Names(names) => names.called(&place.text).map_err(|error| match error {
                    NoHost::Unknown { name, .. } => Problem::NoSuchNode { name: name.into() },
                    other => other.into(),
                }),
                Known::Order(order) => order.get(place.text.as_str()).copied().ok_or_else(problem),
            };
            found.map_err(|problem| self.fail(place.at, problem))
        };
        let number = |place: &Place| {
            Rational::from_decimal(&place.text).map_err(|error| self.fail(place.at, error.into()))
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
    fn of(
        file: &File,
        content: &'c Content,
        request: &Request<'c>,
    ) -> Result<Self, TrafficFileError> {
        let ends = content.records.iter().flat_map(|record| [&record.source, &record.target]);
        if let Hosts::Of(network) | Hosts::Named(network) = request.hosts {
            let names = Topology::host_names(network);
            if network.is_read() || ends.flatten().any(|place| names.has(&place.text)) {
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
