//! The elements of an XML file, one by one, with their positions.
//!
//! quick-xml reads the XML; this module provides what networks and traffic need: attributes and the text of
//! elements without children, names without prefixes, and an error at the position of whatever is
//! not well-formed. No document can cause work or memory use beyond its own size: depth and
//! the attributes of an element are limited, and entities that it declares are rejected.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion, escape};

use super::fields::Field;
use super::source::Source;
use super::{ImportError, Problem, xml_rules};
use crate::integer::as_size;

/// Maximum number of open elements.
const MAX_DEPTH: usize = 64;
/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// What comes next in the file.
pub(super) enum Item {
    Open(Element),
    /// The text in the element after its last child.
    Close(String, Field),
}

/// An element that begins.
pub(super) struct Element {
    pub name: String,
    pub place: usize,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The error that the element lacks something.
    pub fn missing(&self, missing: &'static str) -> Problem {
        Problem::Missing { what: format!("element <{}>", self.name).into(), missing }
    }
}

/// The error that the file is not well-formed at a position.
type Malformed<'t, E> = Box<dyn Fn(usize, &str) -> E + 't>;

/// A file that is read element by element, with errors of type `E`.
pub(super) struct Xml<'t, E> {
    reader: Reader<&'t [u8]>,
    malformed: Malformed<'t, E>,
    open: Vec<String>,
    text: Field,
    started: bool,
    /// Whether the innermost open element was just closed: its parent may still be needed.
    closing: bool,
}

impl<'s> Xml<'s, ImportError> {
    /// A file of a network.
    pub fn of_network(source: &'s Source) -> Self {
        Self::new(source.text(), |place, problem| {
            let problem = Problem::Malformed { format: "XML", problem: problem.into() };
            source.error(place, problem)
        })
    }
}

impl<'t, E> Xml<'t, E> {
    pub fn new(text: &'t str, malformed: impl Fn(usize, &str) -> E + 't) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            malformed: Box::new(malformed),
            open: Vec::new(),
            text: Field::default(),
            started: false,
            closing: false,
        }
    }

    /// Name of the element enclosing the one that was opened or closed last.
    pub fn parent(&self) -> &str {
        let above = self.open.len().checked_sub(2).and_then(|above| self.open.get(above));
        above.map_or("", String::as_str)
    }

    /// The next start or end of an element, or `None` at the end of the file.
    ///
    /// # Errors
    /// Where the file is not well-formed.
    pub fn next(&mut self) -> Result<Option<Item>, E> {
        if std::mem::take(&mut self.closing) {
            self.open.pop();
        }
        loop {
            let place = as_size(self.reader.buffer_position());
            let event = self.reader.read_event();
            let event = event.map_err(|error| {
                let place = as_size(self.reader.error_position());
                self.malformed(place, &error.to_string())
            })?;
            match event {
                Event::Start(start) => return self.element(&start, place).map(Some),
                Event::End(_) => {
                    self.closing = true;
                    let name = self.open.last().cloned().unwrap_or_default();
                    return Ok(Some(Item::Close(name, std::mem::take(&mut self.text))));
                }
                Event::Decl(text) => xml_rules::declaration(&text)
                    .map_err(|problem| self.malformed(place, &problem))?,
                Event::Text(text) => self.add_text(&text.xml10_content(), place)?,
                Event::CData(text) => self.add_text(&text.xml10_content(), place)?,
                Event::GeneralRef(reference) => self.add_reference(&reference, place)?,
                Event::Eof if self.open.is_empty() => return Ok(None),
                Event::Eof => {
                    let open = self.open.last().map_or("", String::as_str);
                    let problem = format!("the file ends inside <{open}>");
                    return Err(self.malformed(place, &problem));
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, start: &BytesStart, place: usize) -> Result<Item, E> {
        if self.open.is_empty() && self.started {
            return Err(self.malformed(place, "a second document begins"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.malformed(place, "elements are nested too deeply"));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let fail = |error: &dyn std::error::Error| self.malformed(place, &error.to_string());
            let attribute = attribute.map_err(|error| fail(&error))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| fail(&error))?.into_owned();
            if let Some(problem) = xml_rules::forbidden_character(&value) {
                return Err(self.malformed(place, &problem));
            }
            attributes.push((attribute.key.into_inner().to_string(), value));
            if attributes.len() > MAX_ATTRIBUTES {
                return Err(self.malformed(place, "an element has too many attributes"));
            }
        }
        self.started = true;
        self.text = Field::default();
        let name = start.local_name().into_inner().to_string();
        self.open.push(name.clone());
        Ok(Item::Open(Element { name, place, attributes }))
    }

    fn add_text(&mut self, text: &str, place: usize) -> Result<(), E> {
        if let Some(problem) = xml_rules::forbidden_character(text) {
            return Err(self.malformed(place, &problem));
        }
        if self.text.text.is_empty() {
            let blank = text.len() - text.trim_start().len();
            self.text.place = place + blank;
            self.text.text.push_str(&text[blank..]);
        } else {
            self.text.text.push_str(text);
        }
        Ok(())
    }

    fn add_reference(&mut self, reference: &BytesRef, place: usize) -> Result<(), E> {
        let fail = |problem: &str| self.malformed(place, problem);
        let character = reference.resolve_char_ref().map_err(|error| fail(&error.to_string()))?;
        let text = match (character, escape::resolve_predefined_entity(reference)) {
            (Some(character), _) => character.to_string(),
            (None, Some(text)) => text.to_string(),
            (None, None) => return Err(fail("an entity that XML does not define")),
        };
        self.add_text(&text, place)
    }

    fn malformed(&self, place: usize, problem: &str) -> E {
        (self.malformed)(place, problem)
    }
}
