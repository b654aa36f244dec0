//! Line by line reading of text files, plain or gzip-compressed, within limits.
//!
//! A file from outside may be anything: a compressed bomb, one endless line, a disk image.
//! So it is streamed, its decompressed size and the length of a line are limited, and every
//! line is checked to be text before a format sees it. Every error names file and line.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::{ImportError, Problem};
use crate::limit::TooLarge;

/// Most bytes of a file, decompressed.
pub const MAX_BYTES: u64 = 1 << 30;
/// Most bytes of a line, its end not counted.
pub const MAX_LINE: u64 = 1 << 16;
/// Most lines of a file: a gigabyte of empty lines compresses to a megabyte.
pub const MAX_LINES: u64 = 1 << 26;
/// Most bytes, decompressed, of a file that is read as a whole.
pub const MAX_TEXT: u64 = 1 << 28;
/// Bytes at the start of a file that tell its format.
const HEAD: u64 = 1 << 16;
/// What some editors write before UTF-8.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';
/// First two bytes of gzip-compressed data (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file that is read line by line.
///
/// Gzip-compressed data, of one or several members, is recognised by its first two bytes,
/// whatever the name.
pub struct TextFile {
    path: String,
    reader: Box<dyn BufRead>,
    line: u64,
    bytes: u64,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that [`Read`] has handed out.
    served: usize,
}

impl TextFile {
    /// Opens a regular file.
    ///
    /// # Errors
    /// [`ImportError::NoSuchFile`], or [`ImportError::Unreadable`] when it is no regular file
    /// or the system refuses: a pipe could block for ever.
    pub fn open(path: &str) -> Result<Self, ImportError> {
        let unreadable = |problem: String| ImportError::Unreadable { path: path.into(), problem };
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ImportError::NoSuchFile { path: path.into() },
            _ => unreadable(error.to_string()),
        })?;
        if metadata.is_dir() {
            return Err(unreadable("it is a folder, a file is wanted".into()));
        }
        if !metadata.is_file() {
            return Err(unreadable("it is no regular file; copy its content to one".into()));
        }
        let reader =
            decompressed(Path::new(path)).map_err(|error| unreadable(error.to_string()))?;
        Ok(Self { path: path.into(), reader, line: 0, bytes: 0, buffer: Vec::new(), served: 0 })
    }

    /// The path as given.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// All of the file as one text, for formats that are no lines.
    ///
    /// # Errors
    /// [`ImportError::TooLarge`] above [`MAX_TEXT`], [`ImportError::Content`] at the first line
    /// that is no text, [`ImportError::Unreadable`] when reading or decompressing fails.
    pub fn whole(self) -> Result<String, ImportError> {
        let Self { path, reader, .. } = self;
        let mut bytes = Vec::new();
        reader.take(MAX_TEXT + 1).read_to_end(&mut bytes).map_err(|error| {
            ImportError::Unreadable { path: path.clone(), problem: error.to_string() }
        })?;
        if bytes.len() as u64 > MAX_TEXT {
            let what = format!("number of bytes of {path}, decompressed,");
            return Err(too_large(what, bytes.len() as u64, MAX_TEXT));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            content(&path, line_at(&error.as_bytes()[..good]), Problem::NotText)
        })?;
        match text.find('\0') {
            Some(zero) => Err(content(&path, line_at(&text.as_bytes()[..zero]), Problem::NotText)),
            None => Ok(text),
        }
    }

    /// Number of the line that was read last, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next line without its end, or `None` at the end of the file.
    ///
    /// # Errors
    /// [`ImportError::TooLarge`] above [`MAX_BYTES`], [`MAX_LINES`] or [`MAX_LINE`], [`ImportError::Content`]
    /// when the line is no text, [`ImportError::Unreadable`] when reading or decompressing fails.
    pub fn next_line(&mut self) -> Result<Option<&str>, ImportError> {
        self.line += 1;
        self.buffer.clear();
        // Two bytes above the longest line: its end may be "\r\n".
        let mut line = (&mut self.reader).take(MAX_LINE + 2);
        let read = line.read_until(b'\n', &mut self.buffer).map_err(|error| {
            let problem = format!("line {}: {error}", self.line);
            ImportError::Unreadable { path: self.path.clone(), problem }
        })?;
        self.bytes += read as u64;
        if read == 0 {
            return Ok(None);
        }
        let end = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let length = end.strip_suffix(b"\r").unwrap_or(end).len();
        self.check_line(length as u64)?;
        let line = std::str::from_utf8(&self.buffer[..length]);
        line.map(Some).map_err(|_| self.fail(Problem::NotText))
    }

    fn check_line(&self, length: u64) -> Result<(), ImportError> {
        if self.buffer.contains(&0) {
            return Err(self.fail(Problem::NotText));
        }
        if self.bytes > MAX_BYTES {
            let what = format!("number of bytes of {}, decompressed,", self.path);
            return Err(too_large(what, self.bytes, MAX_BYTES));
        }
        if self.line > MAX_LINES {
            let what = format!("number of lines of {}", self.path);
            return Err(too_large(what, self.line, MAX_LINES));
        }
        if length > MAX_LINE {
            let what = format!("number of bytes of line {} of {}", self.line, self.path);
            return Err(too_large(what, length, MAX_LINE));
        }
        Ok(())
    }

    /// The error that the line read last has a problem.
    #[must_use]
    pub fn fail(&self, problem: Problem) -> ImportError {
        content(&self.path, self.line, problem)
    }
}

fn content(path: &str, line: u64, problem: Problem) -> ImportError {
    ImportError::Content { path: path.into(), line, problem }
}

/// The line, from 1, that `before` ends in.
pub(super) fn line_at(before: &[u8]) -> u64 {
    before.split(|byte| *byte == b'\n').count() as u64
}

/// Reading stopped at the limit, so `size` is a lower bound.
fn too_large(what: String, size: u64, limit: u64) -> ImportError {
    let remedy = "check that this is the file you mean";
    TooLarge { what, size: format!("{size} or more"), limit, remedy }.into()
}

/// Serves the checked lines as bytes, for readers of other crates.
impl Read for TextFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.served == self.buffer.len() {
            self.next_line().map_err(io::Error::other)?;
            self.served = 0;
        }
        let read = (&self.buffer[self.served..]).read(out)?;
        self.served += read;
        Ok(read)
    }
}

/// The first 64 KiB of a file, decompressed; bytes that are no text are replaced.
///
/// # Errors
/// As [`TextFile::open`].
pub fn head(path: &str) -> Result<String, ImportError> {
    let text = TextFile::open(path)?;
    let mut bytes = Vec::new();
    let read = text.reader.take(HEAD).read_to_end(&mut bytes);
    match read {
        Err(error) if bytes.is_empty() => {
            Err(ImportError::Unreadable { path: path.into(), problem: error.to_string() })
        }
        _ => Ok(String::from_utf8_lossy(&bytes).trim_start_matches(BYTE_ORDER_MARK).into()),
    }
}

fn decompressed(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let start = file.fill_buf()?;
    if start.starts_with(&GZIP) {
        Ok(Box::new(BufReader::new(MultiGzDecoder::new(file))))
    } else {
        Ok(Box::new(file))
    }
}
