//! The lines of a certificate and their words, within limits.

use std::io::{self, BufRead, ErrorKind, Read};
use std::str::FromStr;

use super::budget::Budget;
use super::{MAGIC, VERSION};
use crate::limit::TooLarge;
use crate::quote::{Quoted, quote};
use crate::rational::{MAX_DIGITS, Rational, RationalError};

/// A certificate is shorter than this, uncompressed.
pub const MAX_BYTES: u64 = 1 << 30;

/// A line is shorter than this, with its newline.
pub(super) const MAX_LINE: u64 = 1 << 24;

/// Why a text is not a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ReadError {
    #[error("cannot read the certificate: {0}")]
    Io(#[source] io::Error),
    #[error("the certificate is damaged gzip data: {0}")]
    Gzip(#[source] io::Error),
    /// Larger than a limit of the format: the text, a line or a number.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("not a certificate: the first line must be `{MAGIC} {VERSION}`, found `{0}`")]
    NotACertificate(String),
    #[error("certificate version {0} is not supported: this is version {VERSION}")]
    Version(String),
    #[error("the certificate is truncated after line {0}: no `end` line")]
    Truncated(u64),
    #[error("line {0}: text after `end`")]
    TrailingText(u64),
    #[error(
        "line {0}: only comments may contain characters other than printable ASCII, space and tab"
    )]
    Character(u64),
    #[error("line {line}: `{found}` is not a range of nodes: it ends before it begins")]
    Range {
        /// Line, from 1.
        line: u64,
        found: String,
    },
    /// A record where the grammar expects another.
    #[error("line {line}: found `{found}`, expected {expected}")]
    Unexpected {
        /// Line, from 1.
        line: u64,
        found: String,
        expected: &'static str,
    },
    /// A certificate that names its network, where no names are known.
    #[error("line {0}: the network is named, and this build knows no names")]
    Named(u64),
    #[error("line {line}: `{record}` has the wrong number of words")]
    WordCount {
        /// Line, from 1.
        line: u64,
        record: Quoted,
    },
    #[error("line {line}: `{found}` is not a non-negative integer in decimal digits")]
    Integer {
        /// Line, from 1.
        line: u64,
        found: String,
    },
    #[error("line {line}: {source}")]
    Rational {
        /// Line, from 1.
        line: u64,
        source: RationalError,
    },
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Those of decompression; a file that the system does not read is another matter.
            ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => Self::Gzip(error),
            _ => Self::Io(error),
        }
    }
}

/// The lines of a certificate; `current` is the next record that has not been taken.
pub(super) struct Lines<R> {
    reader: io::Take<R>,
    number: u64,
    current: Option<String>,
    /// Counts of what has been listed so far.
    pub(super) budget: Budget,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: reader.take(MAX_BYTES), number: 0, current: None, budget: Budget::default() }
    }

    /// The next line that is not a comment, without taking it; `None` at the end of the text.
    pub(super) fn peek(&mut self) -> Result<Option<&str>, ReadError> {
        while self.current.is_none() {
            let mut line = Vec::new();
            let mut limited = (&mut self.reader).take(MAX_LINE);
            let length = limited.read_until(b'\n', &mut line)? as u64;
            if length == MAX_LINE || self.reader.limit() == 0 {
                return Err(self.too_large(length).into());
            }
            if length == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = without_blanks(without_end(&line));
            if !line.is_empty() && !line.starts_with(b"#") {
                self.current = Some(self.printable(line)?);
            }
        }
        Ok(self.current.as_deref())
    }

    /// The text of a record.
    fn printable(&self, line: &[u8]) -> Result<String, ReadError> {
        let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t');
        let text = line.iter().all(is_text).then(|| String::from_utf8_lossy(line).into_owned());
        text.ok_or(ReadError::Character(self.number))
    }

    fn too_large(&self, length: u64) -> TooLarge {
        let is_line = length == MAX_LINE;
        let limit = if is_line { MAX_LINE } else { MAX_BYTES } - 1;
        let what = if is_line { "length of line" } else { "certificate up to line" };
        TooLarge {
            what: format!("{what} {}, in bytes,", self.number + 1),
            size: format!("more than {limit}"),
            limit,
            remedy: "is it a certificate at all?".into(),
        }
    }

    pub(super) fn reversed(&self, word: &str) -> ReadError {
        ReadError::Range { line: self.number, found: word.to_string() }
    }

    pub(super) fn header(&mut self) -> Result<(), ReadError> {
        let line = match self.peek() {
            Err(ReadError::Character(_)) => return Err(ReadError::NotACertificate("…".into())),
            line => line?.unwrap_or_default().to_string(),
        };
        self.current = None;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [MAGIC, version] if version == VERSION.to_string() => Ok(()),
            [MAGIC, version] => Err(ReadError::Version(quote(version))),
            _ => Err(ReadError::NotACertificate(quote(&line))),
        }
    }

    /// The next record, its name included, if it has this name.
    pub(super) fn line(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        let Some(line) = self.peek()? else {
            return Err(ReadError::Truncated(self.number));
        };
        let is_wanted = line.split_whitespace().next() == Some(name);
        Ok(self.current.take_if(|_| is_wanted))
    }

    /// The words after `name` if the next record has that name.
    pub(super) fn words(&mut self, name: &str) -> Result<Option<Vec<String>>, ReadError> {
        let line = self.line(name)?;
        Ok(line.map(|line| line.split_whitespace().skip(1).map(str::to_string).collect()))
    }

    pub(super) fn record<const N: usize>(
        &mut self,
        name: &str,
    ) -> Result<Option<[String; N]>, ReadError> {
        let Some(words) = self.words(name)? else { return Ok(None) };
        let exact = <[String; N]>::try_from(words);
        exact.map(Some).map_err(|_| self.word_count(name))
    }

    pub(super) fn wanted<const N: usize>(
        &mut self,
        name: &str,
        expected: &'static str,
    ) -> Result<[String; N], ReadError> {
        let record = self.record(name)?;
        record.ok_or_else(|| self.unexpected(expected))
    }

    pub(super) fn word_count(&self, record: &str) -> ReadError {
        ReadError::WordCount { line: self.number, record: record.into() }
    }

    pub(super) fn is_named(&self) -> ReadError {
        ReadError::Named(self.number)
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> ReadError {
        let line = self.current.as_deref().unwrap_or_default();
        let found = line.split_whitespace().next().unwrap_or_default();
        ReadError::Unexpected { line: self.number, found: quote(found), expected }
    }

    pub(super) fn not_expected(&self, found: &str, expected: &'static str) -> ReadError {
        ReadError::Unexpected { line: self.number, found: quote(found), expected }
    }

    /// The value that has this name.
    pub(super) fn named<T: Copy>(
        &self,
        word: &str,
        names: &[(&str, T)],
        expected: &'static str,
    ) -> Result<T, ReadError> {
        let known = names.iter().find(|(name, _)| *name == word);
        known.map(|(_, value)| *value).ok_or_else(|| self.not_expected(word, expected))
    }

    /// An integer written in digits alone that fits its type.
    pub(super) fn integer<T: FromStr>(&self, word: &str) -> Result<T, ReadError> {
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ReadError::Integer { line: self.number, found: quote(word) });
        }
        let limit = u64::MAX >> (u64::BITS as usize).saturating_sub(8 * size_of::<T>());
        let size = || if word.len() > 40 { "longer".into() } else { word.to_string() };
        word.parse().map_err(|_| self.too_long("integer", size(), limit).into())
    }

    /// Integers with commas between them.
    pub(super) fn numbers(&self, list: &str) -> Result<Vec<u32>, ReadError> {
        list.split(',').map(|number| self.integer(number)).collect()
    }

    pub(super) fn rational(&self, word: &str) -> Result<Rational, ReadError> {
        word.parse().map_err(|source| match source {
            RationalError::TooLong(digits) => {
                self.too_long("digits of a number", digits.to_string(), MAX_DIGITS as u64).into()
            }
            source => ReadError::Rational { line: self.number, source },
        })
    }

    fn too_long(&self, what: &str, size: String, limit: u64) -> TooLarge {
        let what = format!("{what} in line {}", self.number);
        TooLarge { what, size, limit, remedy: "certificates may not hold larger ones".into() }
    }

    /// The last record; `expected` says what may stand there.
    pub(super) fn end(&mut self, expected: &'static str) -> Result<(), ReadError> {
        let [] = self.wanted("end", expected)?;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(ReadError::TrailingText(self.number)),
        }
    }
}

/// A line without its newline, and without one carriage return before that or at the end of the text.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line without spaces and tabs at both ends.
fn without_blanks(mut line: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = line {
        line = rest;
    }
    line
}
