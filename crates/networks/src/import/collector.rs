//! The forwarding tables of a fabric, as collected by the readers of their formats.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::switch_table::{Entries, SwitchTable};
use super::text::TextFile;
use super::{ImportError, Problem};
use crate::limit::within;

/// Maximum number of entries in all tables together.
pub const MAX_ENTRIES: u64 = 1 << 28;
/// Maximum number of kinds of notes kept.
const MAX_NOTES: usize = 16;

/// The tables of a fabric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardingTables {
    /// The file or folder as given.
    pub source: String,
    /// Names of the file formats; there is one unless a folder mixes them.
    pub formats: Vec<&'static str>,
    /// The table of every switch, by node GUID.
    pub switches: BTreeMap<u64, SwitchTable>,
    /// Notes for readers of the results: where a dump reports that it failed.
    pub notes: Vec<TableNote>,
}

/// A note on forwarding tables, for all of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableNote {
    /// The first of them.
    pub first: String,
    /// Number of them.
    pub count: usize,
    kind: String,
}

impl TableNote {
    /// A note; those whose `like` differs in digits at most are of one kind.
    pub(super) fn new(first: String, like: &str) -> Self {
        let kind = like.chars().filter(|c| !c.is_ascii_digit()).collect();
        Self { first, count: 1, kind }
    }
}

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => f.write_str(&self.first),
            count => write!(f, "{}; {count} of this kind, of which this is the first", self.first),
        }
    }
}

/// Reads the tables of a file.
pub type ReadTables = fn(&mut TextFile, &mut Collector) -> Result<(), ImportError>;

impl ForwardingTables {
    pub(super) fn of(source: &str) -> Self {
        Self { source: source.into(), ..Self::default() }
    }

    /// Adds the tables of a later file. Returns false if a switch then has two tables.
    pub(super) fn join(&mut self, part: Self) -> bool {
        let distinct = part.switches.keys().all(|guid| !self.switches.contains_key(guid));
        self.switches.extend(part.switches);
        part.notes.into_iter().for_each(|note| self.note(note));
        part.formats.into_iter().for_each(|format| self.name_format(format));
        distinct
    }

    pub(super) fn name_format(&mut self, format: &'static str) {
        if !self.formats.contains(&format) {
            self.formats.push(format);
        }
    }

    /// Keeps a note, counted with others of its kind; if there are too many kinds, only the first ones.
    fn note(&mut self, note: TableNote) {
        let known = self.notes.len();
        match self.notes.iter_mut().find(|known| known.kind == note.kind) {
            Some(known) => known.count += note.count,
            None if known < MAX_NOTES => self.notes.push(note),
            None if known == MAX_NOTES => {
                let text = "the dumps contain notes of more kinds";
                self.notes.push(TableNote::new(text.into(), text));
            }
            None => {}
        }
    }
}

/// Collects the tables that a format's reader finds, one after another.
pub struct Collector<'a> {
    pub(super) tables: ForwardingTables,
    /// The switch whose table is open, and where that table begins.
    open: Option<(u64, String)>,
    /// Entries of the open table.
    entries: Entries,
    /// Lines of the open table, including the one that begins it.
    lines: u64,
    /// Lines of all closed tables, including those of other collectors.
    closed: &'a AtomicU64,
    /// Whether damaged tables are kept as far as they go: the first of entries that contradict each
    /// other, and tables without their last line.
    pub(super) tolerant: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(source: &str, closed: &'a AtomicU64) -> Self {
        let tables = ForwardingTables::of(source);
        Self { tables, open: None, entries: Entries::new(), lines: 0, closed, tolerant: false }
    }

    /// Begins the table of a switch.
    pub(super) fn begin(&mut self, guid: u64, text: &TextFile) -> Result<(), ImportError> {
        self.close();
        let place = format!("{}, line {}", text.path(), text.line());
        if let Some(first) = self.tables.switches.get(&guid) {
            return Err(text.fail(Problem::DuplicateTable { guid, place: first.place.clone() }));
        }
        self.open = Some((guid, place));
        self.count_line()
    }

    /// Adds an entry to the open table.
    #[inline]
    pub(super) fn add(&mut self, lid: u16, port: u8, text: &TextFile) -> Result<(), ImportError> {
        let conflict = |other| text.fail(Problem::ConflictingEntries { lid, port, other });
        match self.entries.add(lid, port) {
            Err(other) if !self.tolerant => Err(conflict(other)),
            _ => self.count_line(),
        }
    }

    /// Adds an entry to the open table, unless [`Self::add`] would fail.
    #[inline]
    pub(super) fn add_plain(&mut self, lid: u16, port: u8) -> bool {
        let count = self.closed.load(Ordering::Relaxed) + self.lines;
        let is_added = count < MAX_ENTRIES && self.entries.add(lid, port).is_ok();
        self.lines += u64::from(is_added);
        is_added
    }

    /// Closes the open table, if any.
    pub(super) fn close(&mut self) {
        if let Some((guid, place)) = self.open.take() {
            let table = SwitchTable { ports: self.entries.take(), place };
            self.tables.switches.insert(guid, table);
            self.closed.fetch_add(self.lines, Ordering::Relaxed);
            self.lines = 0;
        }
    }

    /// Keeps a note for readers of the results.
    pub(super) fn note(&mut self, note: TableNote) {
        self.tables.note(note);
    }

    #[inline]
    fn count_line(&mut self) -> Result<(), ImportError> {
        self.lines += 1;
        let count = self.closed.load(Ordering::Relaxed) + self.lines;
        if count > MAX_ENTRIES {
            let what = "number of table entries";
            within(what, Some(count.into()), MAX_ENTRIES, "dump a part of the fabric")?;
        }
        Ok(())
    }
}
