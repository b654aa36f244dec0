//! Linear forwarding tables: per switch, the port that leads to each LID.

use std::fs;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::collector::{Collector, ForwardingTables, ReadTables, TableNote};
use super::text::TextFile;
use super::{ImportError, Importer, fdbs, known, lft_dump};
use crate::input::InputError;
use crate::limit::within;
use crate::quote::quote;
use crate::registry::Kind;

/// Maximum number of files in a folder; a subnet has fewer LIDs for switches.
const MAX_FILES: u64 = 1 << 16;

/// Every forwarding table format. The first one that recognises a file reads it.
pub const TABLE_KINDS: &[Kind<Importer<ReadTables>>] = &[lft_dump::KIND, fdbs::KIND];

/// Reads the tables of a file, or of a folder that holds one file per switch.
///
/// Files in a folder that are not forwarding tables are skipped; a missing table shows when the
/// tables are used. O(size of the files), which are read on all threads.
///
/// # Errors
/// [`ImportError`]: no such file, no tables in it, a damaged line, two tables of one switch,
/// more than [`MAX_ENTRIES`](super::MAX_ENTRIES) entries.
///
/// ```
/// # use routebound_networks as routebound;
/// let path = "instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz";
/// let tables = routebound::import::tables(path)?;
/// assert_eq!(tables.switches.len(), 80);
/// let leaf = &tables.switches[&0x0002_c902_0000_00f1];
/// assert_eq!(leaf.ports.get(1), Some(1));
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn tables(path: &str) -> Result<ForwardingTables, ImportError> {
    let files = table_files(path)?;
    at_once(path, &files).map_or_else(|| one_by_one(path, &files, false), Ok)
}

/// Reads damaged forwarding tables as far as they go: of entries that contradict each other the first is kept, and
/// tables may lack their last line. Such tables are not those of the fabric: this serves to say what they lack.
///
/// # Errors
/// As [`tables`], except for this damage ([`ImportError::is_partial`]).
pub fn tables_as_far_as_they_go(path: &str) -> Result<ForwardingTables, ImportError> {
    one_by_one(path, &table_files(path)?, true)
}

/// The files of a path.
fn table_files(path: &str) -> Result<Vec<String>, ImportError> {
    if fs::metadata(path).is_ok_and(|data| data.is_dir()) {
        files(path)
    } else {
        Ok(vec![path.into()])
    }
}

/// Reads several files on all threads. `None` for a single one, and if anything is wrong with
/// any of them: [`one_by_one`] then determines which error comes first.
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

/// Reads the files in order, up to the first error.
fn one_by_one(
    path: &str,
    files: &[String],
    tolerant: bool,
) -> Result<ForwardingTables, ImportError> {
    let entries = AtomicU64::new(0);
    let mut collector = Collector::new(path, &entries);
    collector.tolerant = tolerant;
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

/// Collects the tables of a file; returns how it starts if it has none.
fn read_file(file: &str, collector: &mut Collector) -> Result<Option<String>, ImportError> {
    let mut text = TextFile::open(file)?;
    let head = text.head();
    let Some(kind) = TABLE_KINDS.iter().find(|kind| (kind.build.detect)(&head)) else {
        text.check_head()?;
        let skipped = |file: &str| format!("skipped {file}: it holds no forwarding tables");
        collector.note(TableNote::new(skipped(&quote(file)), &skipped("")));
        return Ok(Some(format!("{file} starts with `{}`", quote(&head))));
    };
    (kind.build.read)(&mut text, collector)?;
    collector.close();
    collector.tables.name_format(kind.usage);
    Ok(None)
}

/// The regular files of a folder by name, except those that begin with a dot.
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
