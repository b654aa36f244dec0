//! Linear forwarding tables: per switch, the port that leads to each LID.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::switch_table::{Entries, SwitchTable};
use super::text::TextFile;
use super::{ImportError, Importer, Problem, fdbs, known, lft_dump};
use crate::input::InputError;
use crate::limit::within;
use crate::quote::quote;
use crate::registry::Kind;

/// Most entries of all tables together.
pub const MAX_ENTRIES: u64 = 1 << 26;
/// Most files of a folder; a subnet has fewer LIDs for switches.
const MAX_FILES: u64 = 1 << 16;
/// Most notes that are kept.
const MAX_NOTES: usize = 16;

/// Reads the tables of a file.
pub type ReadTables = fn(&mut TextFile, &mut Collector) -> Result<(), ImportError>;

/// Every format of forwarding tables. The first that recognises a file reads it.
pub const TABLE_KINDS: &[Kind<Importer<ReadTables>>] = &[lft_dump::KIND, fdbs::KIND];

/// The tables of a fabric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardingTables {
    /// The file or folder as given.
    pub source: String,
    /// What the formats of the files are called; one unless a folder mixes them.
    pub formats: Vec<&'static str>,
    /// The table of every switch, by node GUID.
    pub switches: BTreeMap<u64, SwitchTable>,
    /// What a reader of results has to know: where a dump tells that it failed.
    pub notes: Vec<String>,
}

/// Reads the tables of a file, or of a folder that holds a file for every switch.
///
/// Files of a folder that are no forwarding tables are passed over; a table that is missing
/// shows when the tables are used. O(size of the files), which are read on all threads.
///
/// # Errors
/// [`ImportError`]: no such file, no tables in it, a damaged line, two tables of one switch,
/// more than [`MAX_ENTRIES`] entries.
///
/// ```
/// let path = "instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz";
/// let tables = routebound::import::tables(path)?;
/// assert_eq!(tables.switches.len(), 80);
/// let leaf = &tables.switches[&0x0002_c902_0000_00f1];
/// assert_eq!(leaf.ports.get(1), Some(1));
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn tables(path: &str) -> Result<ForwardingTables, ImportError> {
    let files = if fs::metadata(path).is_ok_and(|data| data.is_dir()) {
        files(path)?
    } else {
        vec![path.into()]
    };
    at_once(path, &files).map_or_else(|| one_by_one(path, &files), Ok)
}

/// Reads several files on all threads. `None` for a single one, and where anything is wrong with
/// any of them: which error comes first is found by [`one_by_one`].
fn at_once(path: &str, files: &[String]) -> Option<ForwardingTables> {
    if files.len() < 2 {
        return None;
    }
    let entries = AtomicU64::new(0);
    let read = |file: &String| {
        let mut part = Collector::new(file, &entries);
        read_file(file, &mut part).ok()?;
        Some(part.tables)
    };
    let parts: Option<Vec<ForwardingTables>> = files.par_iter().map(read).collect();
    let mut tables = ForwardingTables::of(path);
    let joined = parts?.into_iter().all(|part| tables.join(part));
    (joined && !tables.switches.is_empty()).then_some(tables)
}

/// Reads the files in their order, up to the first error.
fn one_by_one(path: &str, files: &[String]) -> Result<ForwardingTables, ImportError> {
    let entries = AtomicU64::new(0);
    let mut collector = Collector::new(path, &entries);
    let mut found = "the folder holds no such file".to_string();
    for file in files {
        found = read_file(file, &mut collector)?.unwrap_or(found);
    }
    if collector.tables.switches.is_empty() {
        let known = known(TABLE_KINDS);
        return Err(ImportError::UnknownFormat { path: path.into(), found, known });
    }
    Ok(collector.tables)
}

/// Collects the tables of a file; tells how it starts where it has none.
fn read_file(file: &str, collector: &mut Collector) -> Result<Option<String>, ImportError> {
    let mut text = TextFile::open(file)?;
    let head = text.head();
    let Some(kind) = TABLE_KINDS.iter().find(|kind| (kind.build.detect)(&head)) else {
        return Ok(Some(format!("{file} starts with `{}`", quote(&head))));
    };
    (kind.build.read)(&mut text, collector)?;
    collector.close();
    collector.tables.name_format(kind.usage);
    Ok(None)
}

/// The regular files of a folder by name, without those that begin with a dot.
fn files(folder: &str) -> Result<Vec<String>, ImportError> {
    let unreadable = |error: std::io::Error| InputError::of(folder, error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_file() {
            files.push(entry.path().to_string_lossy().into_owned());
        }
        let count = Some(files.len() as u128);
        within("number of files in the folder", count, MAX_FILES, "give the dumps only")?;
    }
    files.sort();
    Ok(files)
}

impl ForwardingTables {
    fn of(source: &str) -> Self {
        Self { source: source.into(), ..Self::default() }
    }

    /// Adds the tables of a later file. False when there are two of one switch.
    fn join(&mut self, part: Self) -> bool {
        let distinct = part.switches.keys().all(|guid| !self.switches.contains_key(guid));
        self.switches.extend(part.switches);
        part.notes.into_iter().for_each(|note| self.note(note));
        part.formats.into_iter().for_each(|format| self.name_format(format));
        distinct
    }

    fn name_format(&mut self, format: &'static str) {
        if !self.formats.contains(&format) {
            self.formats.push(format);
        }
    }

    /// Keeps a note; of very many the first.
    fn note(&mut self, note: String) {
        match self.notes.len() {
            0..MAX_NOTES => self.notes.push(note),
            MAX_NOTES => self.notes.push("the dumps say more of this kind".into()),
            _ => {}
        }
    }
}

/// Collects the tables that the reader of a format finds, one after the other.
pub struct Collector<'a> {
    tables: ForwardingTables,
    /// The switch whose table is open, and where that begins.
    open: Option<(u64, String)>,
    /// Entries of the open table, all lines counted.
    entries: Entries,
    lines: u64,
    /// Entries of all tables that are closed, of other collectors too.
    closed: &'a AtomicU64,
}

impl<'a> Collector<'a> {
    fn new(source: &str, closed: &'a AtomicU64) -> Self {
        let tables = ForwardingTables::of(source);
        Self { tables, open: None, entries: Entries::new(), lines: 0, closed }
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

    /// Adds an entry to the table that has begun.
    #[inline]
    pub(super) fn add(
        &mut self,
        (lid, port): (u16, u8),
        text: &TextFile,
    ) -> Result<(), ImportError> {
        let conflict = |other| text.fail(Problem::ConflictingEntries { lid, port, other });
        self.entries.add(lid, port).map_err(conflict)?;
        self.count_line()
    }

    /// Ends the table that has begun, if any.
    fn close(&mut self) {
        if let Some((guid, place)) = self.open.take() {
            let table = SwitchTable { ports: self.entries.take(), place };
            self.tables.switches.insert(guid, table);
            self.closed.fetch_add(self.lines, Ordering::Relaxed);
            self.lines = 0;
        }
    }

    /// Keeps a note for readers of results.
    pub(super) fn note(&mut self, note: String) {
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
