//! What inputs held, as far as they were read: by length and checksum.
//!
//! Processes that share work have to have read the same. They compare what is recorded here, which
//! does not depend on the order in which files were read, nor on whether they were compressed.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use flate2::Crc;

/// Length and checksum of an input. The CRC-32 detects accidental changes, not deliberate ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Content {
    /// The path as it was given.
    pub input: String,
    /// Decompressed bytes that were read.
    pub bytes: u64,
    /// Checksum of the bytes, as of gzip.
    pub crc32: u32,
}

/// Contents that this process has read so far.
static READ: Mutex<BTreeSet<Content>> = Mutex::new(BTreeSet::new());

/// The contents of all inputs that this process has read so far; an input counts when it is closed.
///
/// ```
/// # use routebound_proof as routebound;
/// use std::io::Read as _;
/// use routebound::input::{Input, contents};
/// let path = "instances/networks/examples/ring.csv";
/// let mut text = String::new();
/// Input::open(path, 1 << 20)?.read_to_string(&mut text)?;
/// let ring = contents().into_iter().find(|content| content.input == path).ok_or(path)?;
/// assert_eq!(ring.bytes, text.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn contents() -> BTreeSet<Content> {
    READ.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Counts what is read, and records it in the end.
pub(super) struct Reading {
    input: String,
    bytes: u64,
    crc: Crc,
}

impl Reading {
    pub(super) fn of(input: &str) -> Self {
        Self { input: input.into(), bytes: 0, crc: Crc::new() }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc.update(bytes);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let content =
            Content { input: self.input.clone(), bytes: self.bytes, crc32: self.crc.sum() };
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(content);
    }
}
