//! YAML as lists, maps and texts with their places, within limits.
//!
//! Configuration needs no more than that: anchors, aliases and tags, by which a small file becomes a large
//! value or text something else, are refused.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use crate::import::text::TextFile;
use crate::import::{ImportError, Problem, Result};
use crate::limit::within;

/// Maximum depth of lists and maps.
const MAX_DEPTH: usize = 16;
/// Maximum number of values in a file.
const MAX_VALUES: u64 = 1 << 20;

/// A value and where it begins.
#[derive(Debug)]
pub(super) struct Node {
    pub value: Value,
    pub line: u64,
    pub column: usize,
}

#[derive(Debug)]
pub(super) enum Value {
    /// A text, and whether it stands in the file as it is.
    Text(String, bool),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// A list or map that has not ended, with the key whose value is awaited.
struct Open {
    node: Node,
    key: Option<String>,
}

/// Reads the only document of a file; returns its path too.
pub(super) fn read(text: TextFile) -> Result<(String, Node)> {
    let path = text.path().to_string();
    let text = text.whole()?;
    let mut builder = Builder { path: path.clone(), open: Vec::new(), root: None, values: 0 };
    for event in Parser::new_from_str(&text) {
        let (event, span) = event.map_err(|error| {
            let problem = error.info().to_string();
            builder.fail(
                *error.marker(),
                Problem::Malformed { format: "YAML", problem: problem.into() },
            )
        })?;
        builder.take(event, span.start)?;
    }
    match builder.root {
        Some(root) => Ok((path, root)),
        None => {
            Err(builder.fail(Marker::new(0, 1, 0), Problem::syntax("", "a list of topologies")))
        }
    }
}

struct Builder {
    path: String,
    open: Vec<Open>,
    root: Option<Node>,
    values: u64,
}

impl Builder {
    fn fail(&self, at: Marker, problem: Problem) -> ImportError {
        ImportError::Place {
            path: self.path.clone(),
            line: at.line() as u64,
            column: at.col() + 1,
            problem,
        }
    }

    fn take(&mut self, event: Event, at: Marker) -> Result<()> {
        let remedy = "write every value where it belongs, without `&`, `*` and `!`";
        let unsupported = |what| Problem::Unsupported { what, remedy };
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                (*anchor, tag.is_some())
            }
            _ => (0, false),
        };
        if anchor > 0 || matches!(event, Event::Alias(_)) {
            return Err(self.fail(at, unsupported("an anchor or alias of YAML")));
        }
        if tag {
            return Err(self.fail(at, unsupported("a tag of YAML")));
        }
        match event {
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain && !text.contains('\n');
                self.value(Value::Text(text.into_owned(), plain), at)
            }
            Event::SequenceStart(..) => self.begin(Value::List(Vec::new()), at),
            Event::MappingStart(..) => self.begin(Value::Map(Vec::new()), at),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.put(open.node, at),
                None => Ok(()),
            },
            Event::DocumentStart(_) if self.root.is_some() => {
                let remedy = "give a file with one document";
                let what = "a second YAML document";
                Err(self.fail(at, Problem::Unsupported { what, remedy }))
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, value: Value, at: Marker) -> Result<()> {
        self.key_is_text(at)?;
        let depth = Some(self.open.len() as u128 + 1);
        within(
            "number of YAML lists and maps within each other",
            depth,
            MAX_DEPTH as u64,
            "check that this is the file you mean",
        )?;
        self.open.push(Open { node: node(value, at), key: None });
        Ok(())
    }

    /// Fails where a list or map would be the key of a map.
    fn key_is_text(&self, at: Marker) -> Result<()> {
        match self.open.last() {
            Some(Open { node: Node { value: Value::Map(_), .. }, key: None }) => {
                Err(self.fail(at, Problem::syntax("a list or map", "a key such as `nodes`")))
            }
            _ => Ok(()),
        }
    }

    fn value(&mut self, value: Value, at: Marker) -> Result<()> {
        if let (
            Some(Open { node: Node { value: Value::Map(entries), .. }, key: key @ None }),
            Value::Text(text, _),
        ) = (self.open.last_mut(), &value)
        {
            if entries.iter().any(|(known, _)| known == text) {
                let problem = Problem::syntax(text, "every key once");
                return Err(self.fail(at, problem));
            }
            *key = Some(text.clone());
            return Ok(());
        }
        self.put(node(value, at), at)
    }

    /// Adds a complete value where it belongs.
    fn put(&mut self, node: Node, at: Marker) -> Result<()> {
        self.values += 1;
        within(
            "number of YAML values",
            Some(self.values.into()),
            MAX_VALUES,
            "give the topology of one cluster",
        )?;
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { node: Node { value: Value::List(all), .. }, .. }) => all.push(node),
            Some(Open { node: Node { value: Value::Map(entries), .. }, key }) => {
                entries.push((key.take().unwrap_or_default(), node));
            }
            Some(_) => {
                return Err(self.fail(at, Problem::syntax("a value", "a list or map around it")));
            }
        }
        Ok(())
    }
}

fn node(value: Value, at: Marker) -> Node {
    Node { value, line: at.line() as u64, column: at.col() + 1 }
}
