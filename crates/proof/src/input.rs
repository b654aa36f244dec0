//! Where all input comes from: a file, a pipe or stdin, plain or gzip-compressed.
//!
//! External input may be anything: a device that never ends, a decompression bomb, a pipe. So all
//! input is opened in one place, and its total size is limited, counted after decompression and,
//! for compressed data that decompresses to nothing, also before it. A pipe can be read only once:
//! a reader that has to see the beginning first looks ahead ([`Input::head`]).
//!
//! A pipe may also deliver nothing forever. Reading then blocks; time limits are up to the caller
//! of the library.
//!
//! Every [`Input`] records length and checksum of what was read ([`contents`]), by which processes that share work know
//! that they have read the same.

mod content;
mod gzip;

pub use content::{Content, contents};

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::limit::TooLarge;
use content::Reading;

/// Maximum number of decompressed bytes of an input, unless its reader sets a lower limit.
pub const MAX_BYTES: u64 = 1 << 30;
/// The path that means stdin.
pub const STDIN: &str = "-";
/// Whether stdin was opened; there is only one per process.
static STDIN_OPENED: AtomicBool = AtomicBool::new(false);

/// Files opened by this process, so that no output replaces them.
static OPENED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether this process has opened the file at `path`, under whatever name, as an input.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::input::{Input, was_opened};
/// let _table = Input::open("instances/networks/examples/ring.csv", 1 << 20)?;
/// assert!(was_opened("instances/../instances/networks/examples/ring.csv".as_ref()));
/// assert!(!was_opened("Cargo.toml".as_ref()));
/// # Ok::<(), routebound::input::InputError>(())
/// ```
#[must_use]
pub fn was_opened(path: &Path) -> bool {
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    fs::canonicalize(path).is_ok_and(|path| opened.contains(&path))
}

/// Why an input cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum InputError {
    #[error("{path}: no such file")]
    NoSuchFile {
        /// The path as given.
        path: String,
    },
    #[error("{path}: cannot be read: {problem}")]
    Unreadable {
        /// The path as given.
        path: String,
        problem: String,
    },
    #[error("`-` is given twice, but stdin is read only once: name a file or pipe for one of them")]
    StdinTwice,
    /// More bytes than the limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl InputError {
    /// Why reading an input called `path` failed; keeps a limit error that an [`Input`] raised.
    #[must_use]
    pub fn of(path: &str, error: io::Error) -> Self {
        let lost = |error| Self::unreadable(path, &error);
        error.downcast::<TooLarge>().map_or_else(lost, Self::TooLarge)
    }

    /// Why reading an input called `path` failed in a given line, counted from 1.
    #[must_use]
    pub fn in_line(path: &str, line: u64, error: io::Error) -> Self {
        match Self::of(path, error) {
            Self::Unreadable { path, problem } => {
                Self::Unreadable { path, problem: format!("line {line}: {problem}") }
            }
            other => other,
        }
    }

    fn unreadable(path: &str, problem: &dyn ToString) -> Self {
        Self::Unreadable { path: path.into(), problem: problem.to_string() }
    }
}

/// An input that is read once, decompressed if it is compressed.
pub struct Input {
    reader: BufReader<Counted<Box<dyn Read>>>,
    /// Bytes looked at in advance, and how many of them have been read.
    ahead: Vec<u8>,
    served: usize,
    /// The failure that ended looking ahead.
    failed: Option<io::Error>,
    /// Records what is read.
    reading: Option<Reading>,
}

impl Input {
    /// Opens a file, a pipe, or stdin ([`STDIN`]) of at most `limit` bytes.
    ///
    /// # Errors
    /// [`InputError::NoSuchFile`], [`InputError::StdinTwice`], or [`InputError::Unreadable`] if
    /// it is a folder or the system refuses. Reading fails with an error that
    /// [`InputError::of`] understands.
    pub fn open(path: impl AsRef<Path>, limit: u64) -> Result<Self, InputError> {
        let input = Self::unrecorded(&path, limit)?;
        Ok(input.recorded(&path.as_ref().to_string_lossy()))
    }

    /// Opens an input that decides no result: it is not among the [`contents`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn unrecorded(path: impl AsRef<Path>, limit: u64) -> Result<Self, InputError> {
        let (place, path) = (path.as_ref(), &*path.as_ref().to_string_lossy());
        if path == STDIN {
            if STDIN_OPENED.swap(true, Ordering::Relaxed) {
                return Err(InputError::StdinTwice);
            }
            return Self::new("stdin", io::stdin(), limit);
        }
        if metadata(place, path)?.is_dir() {
            return Err(InputError::unreadable(path, &"it is a folder, not a file"));
        }
        Self::file(place, path, limit)
    }

    /// Opens the regular file `name` in a folder, for files named by another file: a pipe or a
    /// device would be the choice of whoever wrote that other file. What it holds is evidence, which is
    /// examined: it is not among the [`contents`].
    ///
    /// # Errors
    /// As [`Self::open`], and for names that lead out of the folder.
    pub fn beside(folder: &Path, name: &str, limit: u64) -> Result<Self, InputError> {
        if name.contains(['/', '\\']) {
            return Err(InputError::unreadable(
                name,
                &"the file must lie beside the one that names it",
            ));
        }
        let place = folder.join(name);
        if !metadata(&place, name)?.is_file() {
            return Err(InputError::unreadable(
                name,
                &"it is not a regular file: copy its content to one",
            ));
        }
        Self::file(&place, name, limit)
    }

    fn recorded(self, path: &str) -> Self {
        Self { reading: Some(Reading::of(path)), ..self }
    }

    fn file(place: &Path, path: &str, limit: u64) -> Result<Self, InputError> {
        let file = File::open(place).map_err(|error| InputError::unreadable(path, &error))?;
        if let Ok(place) = fs::canonicalize(place) {
            OPENED.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
        }
        Self::new(path, file, limit)
    }

    /// An input from any reader, called `name` in errors.
    ///
    /// # Errors
    /// [`InputError::Unreadable`] if its first bytes cannot be read.
    pub fn new(name: &str, raw: impl Read + 'static, limit: u64) -> Result<Self, InputError> {
        // Stored blocks are larger than their content, by less than an eighth.
        let raw =
            Counted { raw, name: name.into(), read: 0, limit: limit.saturating_add(limit / 8) };
        let raw = gzip::decompressed(BufReader::with_capacity(1 << 16, raw));
        let raw = raw.map_err(|error| InputError::of(name, error))?;
        let reader = BufReader::new(Counted { raw, name: name.into(), read: 0, limit });
        Ok(Self { reader, ahead: Vec::new(), served: 0, failed: None, reading: None })
    }

    /// The first unread bytes, at most `size`, without consuming them. Nothing after a failure is
    /// shown; reading meets the failure again.
    pub fn head(&mut self, size: usize) -> &[u8] {
        self.ahead.drain(..self.served);
        self.served = 0;
        let known = self.ahead.len();
        let missing = size.saturating_sub(known) as u64;
        let read = (&mut self.reader).take(missing).read_to_end(&mut self.ahead);
        self.failed = self.failed.take().or(read.err());
        if let Some(reading) = &mut self.reading {
            reading.take(&self.ahead[known..]);
        }
        &self.ahead[..size.min(self.ahead.len())]
    }

    /// The failure that [`Self::head`] met, reported once, for callers that read no further.
    ///
    /// # Errors
    /// That of the system or of the decompression.
    pub fn check_head(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

fn metadata(place: &Path, path: &str) -> Result<Metadata, InputError> {
    fs::metadata(place).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => InputError::NoSuchFile { path: path.into() },
        _ => InputError::unreadable(path, &error),
    })
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.served < self.ahead.len() {
            return Ok(&self.ahead[self.served..]);
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.reader.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.served < self.ahead.len() {
            self.served += amount;
            return;
        }
        // What is consumed is in the buffer: nothing is read, and nothing can fail.
        if let Some(reading) = self.reading.as_mut().filter(|_| amount > 0)
            && let Ok(buffer) = self.reader.fill_buf()
        {
            reading.take(&buffer[..amount]);
        }
        self.reader.consume(amount);
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// A reader that fails after a given number of bytes.
struct Counted<R> {
    raw: R,
    name: String,
    read: u64,
    limit: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.raw.read(out)?;
        self.read += read as u64;
        if self.read <= self.limit {
            return Ok(read);
        }
        let Self { name, read, limit, .. } = self;
        Err(io::Error::other(TooLarge {
            what: format!("number of bytes of {name}, decompressed,"),
            size: format!("{read} or more"),
            limit: *limit,
            remedy: "check that this is the file you mean".into(),
        }))
    }
}

#[cfg(test)]
mod tests;
