//! Lists of nodes become nodes, each of which is in one list only; what is wrong is named with its place.

use std::collections::HashMap;
use std::fmt;

use super::hostlist::{HostlistError, HostlistProblem, MAX_NAMES};
use super::names::{NoNode, NodeNames, is_pattern};
use super::{Hostlist, Listed};
use crate::import::ImportError;
use crate::limit::{TooLarge, within};
use crate::quote::{Quoted, quote};

/// Maximum number of patterns in all lists: each is compared with every name.
const MAX_PATTERNS: u64 = 1024;
/// Names of nodes that are not there, and of others found by their first label, that a note shows.
const SHOWN: usize = 3;

/// The place of a list, or of an item of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named; `None` for a list that was given itself.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The byte of the line, from 1; `None` where the text was put together from several lines.
    pub column: Option<usize>,
}

impl Place {
    /// The beginning of a list that is in no file.
    #[must_use]
    pub fn of_list() -> Self {
        Self { file: None, line: 1, column: Some(1) }
    }

    /// The place of byte `column` of the text that begins here.
    fn at(&self, column: usize) -> Self {
        Self { column: self.column.map(|begin| begin + column - 1), ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (&self.file, self.column) {
            (Some(file), Some(column)) => {
                write!(out, "{file}, line {}, column {column}", self.line)
            }
            (Some(file), None) => write!(out, "{file}, line {}", self.line),
            (None, column) => write!(out, "column {}", column.unwrap_or(1)),
        }
    }
}

/// Why a list gives no nodes, or a file no jobs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SelectionError {
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("{place}: {problem}")]
    At { place: Place, problem: Box<SelectionProblem> },
    #[error(
        "{path}: no line names a node: write one node or hostlist a line, such as `dgx-[01-16]`"
    )]
    NoNodes {
        /// The path as given.
        path: String,
    },
    #[error(
        "{path}: none of its {names} nodes is in the fabric, such as {examples}: give the file of this cluster"
    )]
    NoneKnown {
        /// The path as given.
        path: String,
        names: usize,
        examples: String,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

/// An error in an item of a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SelectionProblem {
    #[error(transparent)]
    Hostlist(#[from] HostlistProblem),
    #[error(transparent)]
    NoNode(#[from] NoNode),
    #[error("node `{node}` is in the list already, at {first}: name every node once")]
    Twice { node: Quoted, first: Place },
    #[error(
        "node `{node}` of `{job}` is in `{other}` already, at {first}: nodes are in one job only, since the traffic of jobs that share one is not independent; leave one of the two out"
    )]
    Shared { node: Quoted, job: Quoted, other: Quoted, first: Place },
    #[error(
        "found `{found}` after a node: write one node or hostlist a line, followed by nothing but words such as `slots=8`; a name with spaces is put in double quotes"
    )]
    AfterNode { found: Quoted },
}

/// Makes nodes of lists.
pub(super) struct Resolver<'n> {
    names: &'n NodeNames<'n>,
    /// Which list has a node, and where.
    taken: HashMap<usize, (usize, Place)>,
    /// What the lists are called.
    lists: Vec<String>,
    listed: u128,
    patterns: u128,
    by_label: Noted,
    /// Nodes that are not in the fabric, where that is allowed.
    pub unknown: Option<Noted>,
}

/// A number of names, with the first of them.
#[derive(Default)]
pub(super) struct Noted {
    pub count: usize,
    pub first: Vec<String>,
}

impl Noted {
    fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(name());
        }
    }

    /// `a, b, c and 7 more`.
    pub fn shown(&self) -> String {
        super::names::list(&self.first, self.count)
    }
}

impl<'n> Resolver<'n> {
    /// Refuses names that the fabric does not have, or counts them.
    pub fn new(names: &'n NodeNames<'n>, tolerant: bool) -> Self {
        Self {
            names,
            taken: HashMap::new(),
            lists: Vec::new(),
            listed: 0,
            patterns: 0,
            by_label: Noted::default(),
            unknown: tolerant.then(Noted::default),
        }
    }

    /// Begins another list.
    pub fn begin(&mut self, name: &str) {
        self.lists.push(name.to_string());
    }

    /// Whether a text is the name of a node or adapter, and no number.
    pub fn is_exact(&self, text: &str) -> bool {
        self.names.has(text) && !text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Adds the nodes of a hostlist, or of a text that is exactly the name of one, to the current list.
    /// O(length + nodes · patterns).
    pub fn add(
        &mut self,
        text: &str,
        place: &Place,
        nodes: &mut Vec<usize>,
    ) -> Result<(), SelectionError> {
        let blank = text.len() - text.trim_start().len();
        let whole = text.trim();
        if self.is_exact(whole) {
            let listed = Listed { name: whole.to_string(), quoted: true, column: blank + 1 };
            return self.take(&listed, place, nodes);
        }
        let list = Hostlist::parse(text).map_err(|error| match error {
            HostlistError::At { column, problem } => {
                let problem = Box::new(problem.into());
                SelectionError::At { place: place.at(column), problem }
            }
            HostlistError::TooLarge(error) => error.into(),
        })?;
        self.listed += u128::from(list.count());
        let remedy = "split the file, or list fewer nodes";
        within("number of names in all lists", Some(self.listed), MAX_NAMES, remedy)?;
        for listed in list.names() {
            self.take(&listed, place, nodes)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        listed: &Listed,
        place: &Place,
        nodes: &mut Vec<usize>,
    ) -> Result<(), SelectionError> {
        let place = place.at(listed.column);
        let fail = |problem: SelectionProblem| SelectionError::At {
            place: place.clone(),
            problem: Box::new(problem),
        };
        if !listed.quoted && is_pattern(&listed.name) {
            self.patterns += 1;
            let remedy = "name nodes by hostlists such as dgx-[01-16]";
            within("number of patterns", Some(self.patterns), MAX_PATTERNS, remedy)?;
        }
        let found = self.names.find(listed).map_err(|error| fail(error.into()))?;
        let Some(found) = found else {
            return match &mut self.unknown {
                Some(unknown) => {
                    unknown.add(|| format!("`{}`", quote(&listed.name)));
                    Ok(())
                }
                None => Err(fail(self.names.unknown(&listed.name).into())),
            };
        };
        let all = &self.names.nodes().nodes;
        for node in found.nodes {
            if found.by_label {
                self.by_label
                    .add(|| format!("`{}` as `{}`", quote(&listed.name), quote(&all[node].name)));
            }
            let list = self.lists.len().saturating_sub(1);
            if let Some((other, first)) = self.taken.get(&node) {
                return Err(fail(self.conflict(&all[node].name, *other, first.clone())));
            }
            self.taken.insert(node, (list, place.clone()));
            nodes.push(node);
        }
        Ok(())
    }

    /// What is wrong with a node that the current list names and list `other` has.
    fn conflict(&self, node: &str, other: usize, first: Place) -> SelectionProblem {
        let node = node.to_string();
        match (self.lists.get(other), self.lists.last()) {
            (Some(other), Some(job)) if self.lists.len() > 1 && other != job => {
                SelectionProblem::Shared {
                    node: node.into(),
                    job: job.clone().into(),
                    other: other.clone().into(),
                    first,
                }
            }
            _ => SelectionProblem::Twice { node: node.into(), first },
        }
    }

    /// Notes for the reader of the lists.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.by_label.count > 0 {
            let count = self.by_label.count;
            let plural = if count == 1 { " is" } else { "s are" };
            let shown = self.by_label.shown();
            notes.push(format!("{count} node{plural} found by the first label of a name: {shown}"));
        }
        if let Some(unknown) = self.unknown.as_ref().filter(|unknown| unknown.count > 0) {
            let count = unknown.count;
            let plural = if count == 1 { " is" } else { "s are" };
            let shown = unknown.shown();
            notes.push(format!("{count} node{plural} not in the fabric and left out: {shown}"));
        }
        notes
    }
}
