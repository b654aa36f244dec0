//! Linear forwarding tables: per switch, the port that leads to each LID.

use std::collections::BTreeMap;
use std::fs;

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
/// Port number that stands for "no route" in a switch.
const NO_ROUTE: u8 = 255;

/// Adds the tables of a file.
pub type ReadTables = fn(&mut TextFile, &mut ForwardingTables) -> Result<(), ImportError>;

/// Every format of forwarding tables. The first that recognises a file reads it.
pub const TABLE_KINDS: &[Kind<Importer<ReadTables>>] = &[lft_dump::KIND, fdbs::KIND];

/// The table of one switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTable {
    /// Out port of every LID that has a route; port 0 is the switch itself.
    pub ports: BTreeMap<u16, u8>,
    /// File and line where the table begins.
    pub place: String,
}

/// The tables of a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardingTables {
    /// The file or folder as given.
    pub source: String,
    /// What the formats of the files are called; one unless a folder mixes them.
    pub formats: Vec<&'static str>,
    /// The table of every switch, by node GUID.
    pub switches: BTreeMap<u64, SwitchTable>,
    /// What a reader of results has to know: where a dump tells that it failed.
    pub notes: Vec<String>,
    entries: u64,
}

/// Reads the tables of a file, or of a folder that holds a file for every switch.
///
/// Files of a folder that are no forwarding tables are passed over; a table that is missing
/// shows when the tables are used. O(size of the files).
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
/// assert_eq!(leaf.ports[&1], 1);
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn tables(path: &str) -> Result<ForwardingTables, ImportError> {
    let mut tables = ForwardingTables {
        source: path.into(),
        formats: Vec::new(),
        switches: BTreeMap::new(),
        notes: Vec::new(),
        entries: 0,
    };
    let files = if fs::metadata(path).is_ok_and(|data| data.is_dir()) {
        files(path)?
    } else {
        vec![path.into()]
    };
    let mut found = "the folder holds no such file".to_string();
    for file in &files {
        let mut text = TextFile::open(file)?;
        let head = text.head();
        let Some(kind) = TABLE_KINDS.iter().find(|kind| (kind.build.detect)(&head)) else {
            found = format!("{file} starts with `{}`", quote(&head));
            continue;
        };
        (kind.build.read)(&mut text, &mut tables)?;
        if !tables.formats.contains(&kind.usage) {
            tables.formats.push(kind.usage);
        }
    }
    if tables.switches.is_empty() {
        let known = known(TABLE_KINDS);
        return Err(ImportError::UnknownFormat { path: path.into(), found, known });
    }
    Ok(tables)
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
    /// Begins the table of a switch.
    pub(super) fn begin(&mut self, guid: u64, text: &TextFile) -> Result<(), ImportError> {
        let place = format!("{}, line {}", text.path(), text.line());
        if let Some(first) = self.switches.get(&guid) {
            return Err(text.fail(Problem::DuplicateTable { guid, place: first.place.clone() }));
        }
        self.switches.insert(guid, SwitchTable { ports: BTreeMap::new(), place });
        self.count_entry()
    }

    /// Adds an entry to the table of a switch that has begun.
    pub(super) fn add(
        &mut self,
        guid: u64,
        (lid, port): (u16, u8),
        text: &TextFile,
    ) -> Result<(), ImportError> {
        let table = self.switches.get_mut(&guid);
        let first = table.filter(|_| port != NO_ROUTE).and_then(|t| t.ports.insert(lid, port));
        match first {
            Some(other) if other != port => {
                Err(text.fail(Problem::ConflictingEntries { lid, port, other }))
            }
            _ => self.count_entry(),
        }
    }

    /// Keeps a note; of very many the first.
    pub(super) fn note(&mut self, note: String) {
        match self.notes.len() {
            0..MAX_NOTES => self.notes.push(note),
            MAX_NOTES => self.notes.push("the dumps say more of this kind".into()),
            _ => {}
        }
    }

    fn count_entry(&mut self) -> Result<(), ImportError> {
        self.entries += 1;
        let count = Some(self.entries.into());
        within("number of table entries", count, MAX_ENTRIES, "dump a part of the fabric")?;
        Ok(())
    }
}
