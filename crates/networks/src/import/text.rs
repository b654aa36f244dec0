//! Line-by-line reading of text files, plain or gzip-compressed, within limits.
//!
//! An external file may be anything: a decompression bomb, one endless line, a disk image.
//! So it is streamed, its decompressed size ([`crate::input`]) and the line length are limited, and
//! every line is checked to be text before a format sees it. Every error names the file and the
//! line.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use memchr::memchr;

use super::{ImportError, Problem};
use crate::input::{Input, InputError, MAX_BYTES};
use crate::limit::TooLarge;

const LONGEST: usize = 1 << 16;
/// Maximum number of bytes in a line, not counting its end.
pub const MAX_LINE: u64 = LONGEST as u64;
/// Maximum number of lines in a file: a gigabyte of empty lines compresses to a megabyte.
pub const MAX_LINES: u64 = 1 << 26;
/// Maximum number of decompressed bytes of a file that is read as a whole.
pub const MAX_TEXT: u64 = 1 << 28;
/// Two bytes more than the longest line, whose end may be "\r\n".
const LINE_AND_END: usize = LONGEST + 2;
/// Number of bytes at the start of a file by which its format is recognised.
const HEAD: usize = 1 << 16;
/// What some editors write before UTF-8 text.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file, a pipe or stdin (`-`) that is read line by line, decompressed if it is compressed.
pub struct TextFile {
    path: String,
    reader: Input,
    line: u64,
    /// Part of the file: the line read last, with its end, and what has not been used yet.
    block: Vec<u8>,
    /// Whether all of that is plain.
    is_plain: bool,
    current: Range<usize>,
    /// Bytes of the line read last that [`Read`] has handed out.
    served: usize,
}

impl TextFile {
    /// Opens a file of at most [`MAX_BYTES`].
    ///
    /// # Errors
    /// [`ImportError::Input`] if there is no such file or the system refuses.
    pub fn open(path: &str) -> Result<Self, ImportError> {
        let reader = Input::open(path, MAX_BYTES)?;
        let (path, block, is_plain) = (path.into(), Vec::new(), true);
        Ok(Self { path, reader, line: 0, block, is_plain, current: 0..0, served: 0 })
    }

    /// The first 64 KiB of the file, by which its format is recognised, without consuming them;
    /// bytes that are not text are replaced.
    #[must_use]
    pub fn head(&mut self) -> String {
        let head = String::from_utf8_lossy(self.reader.head(HEAD));
        head.trim_start_matches(BYTE_ORDER_MARK).into()
    }

    /// Fails if [`Self::head`] met a failure: what it returned then says nothing reliable about the
    /// content.
    ///
    /// # Errors
    /// [`ImportError::Input`].
    pub fn check_head(&mut self) -> Result<(), ImportError> {
        let failed = self.reader.check_head();
        failed.map_err(|error| ImportError::Input(InputError::of(&self.path, error)))
    }

    /// The path as given.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole file as one text, for formats that are not line-based.
    ///
    /// # Errors
    /// [`ImportError::TooLarge`] above [`MAX_TEXT`], [`ImportError::Content`] at the first line
    /// that is not text, [`ImportError::Input`] if reading or decompressing fails.
    pub fn whole(self) -> Result<String, ImportError> {
        let Self { path, reader, block: mut bytes, current, .. } = self;
        bytes.drain(..current.end);
        let read = reader.take(MAX_TEXT + 1).read_to_end(&mut bytes);
        read.map_err(|error| InputError::of(&path, error))?;
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

    /// Number of the line read last, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next line without its end, or `None` at the end of the file.
    ///
    /// # Errors
    /// [`ImportError::TooLarge`] above [`MAX_BYTES`], [`MAX_LINES`] or [`MAX_LINE`],
    /// [`ImportError::Content`] if the line is not text, [`ImportError::Input`] if reading or
    /// decompressing fails.
    pub fn next_line(&mut self) -> Result<Option<&str>, ImportError> {
        self.line += 1;
        self.served = 0;
        let read = self.advance();
        read.map_err(|error| InputError::in_line(&self.path, self.line, error))?;
        if self.current.is_empty() {
            return Ok(None);
        }
        let mark = BYTE_ORDER_MARK.len_utf8();
        if self.line == 1 && self.with_end().starts_with(BYTE_ORDER_MARK.to_string().as_bytes()) {
            self.current.start += mark;
        }
        let end = self.with_end().strip_suffix(b"\n").unwrap_or(self.with_end());
        let length = end.strip_suffix(b"\r").unwrap_or(end).len();
        self.check_line(length as u64)?;
        let line = std::str::from_utf8(&self.with_end()[..length]);
        line.map(Some).map_err(|_| self.fail(Problem::NotText))
    }

    /// Reads lines, without their ends, as long as `take` accepts them: of those that are in memory and plain. What it
    /// does not accept is the next line.
    pub(super) fn lines_while(&mut self, mut take: impl FnMut(&[u8]) -> bool) {
        let (mut end, mut lines) = (self.current.end, 0);
        while self.line + lines < MAX_LINES {
            let Some(length) = memchr(b'\n', &self.block[end..]) else { break };
            let line = &self.block[end..end + length];
            let is_fit = length <= LONGEST && (self.is_plain || is_plain(line));
            if !is_fit || !take(line) {
                break;
            }
            let next = end + length + 1;
            (self.current, end, lines) = (end..next, next, lines + 1);
        }
        self.line += lines;
        self.served = 0;
    }

    /// The line read last, with its end.
    fn with_end(&self) -> &[u8] {
        &self.block[self.current.clone()]
    }

    /// Makes the next line, with its end, the current one: an empty one at the end of the file,
    /// the first [`LINE_AND_END`] bytes of a line that is longer.
    fn advance(&mut self) -> io::Result<()> {
        self.current = self.current.end..self.current.end;
        let mut searched = 0;
        loop {
            let rest = &self.block[self.current.end..];
            let mut unseen = &rest[searched..rest.len().min(LINE_AND_END)];
            searched += unseen.skip_until(b'\n')?;
            let ended = searched == LINE_AND_END || rest[..searched].ends_with(b"\n");
            if ended || !self.read_on()? {
                self.current.end += searched;
                return Ok(());
            }
        }
    }

    /// Appends the next data to the block, dropping the lines before the current one. Returns
    /// whether there was any.
    fn read_on(&mut self) -> io::Result<bool> {
        self.block.drain(..self.current.start);
        self.current = 0..0;
        let read = loop {
            match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.is_plain = (self.is_plain || self.block.is_empty()) && is_plain(read);
        self.block.extend_from_slice(read);
        let length = read.len();
        self.reader.consume(length);
        Ok(length > 0)
    }

    fn check_line(&self, length: u64) -> Result<(), ImportError> {
        if self.with_end().contains(&0) {
            return Err(self.fail(Problem::NotText));
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

/// Whether bytes are text of ASCII characters alone.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.contains(&0)
}

/// The line, from 1, in which `before` ends.
pub(super) fn line_at(before: &[u8]) -> u64 {
    before.split(|byte| *byte == b'\n').count() as u64
}

/// Reading stopped at the limit, so `size` is a lower bound.
fn too_large(what: String, size: u64, limit: u64) -> ImportError {
    let remedy = "check that this is the file you mean".into();
    TooLarge { what, size: format!("{size} or more"), limit, remedy }.into()
}

/// Serves the checked lines as bytes, for readers from other crates.
impl Read for TextFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.served == self.current.len() {
            self.next_line().map_err(io::Error::other)?;
        }
        let read = (&self.with_end()[self.served..]).read(out)?;
        self.served += read;
        Ok(read)
    }
}
