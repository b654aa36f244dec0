//! Line-by-line reading within limits; every error names file, line and column.
//!
//! Rows of matrices are long: one line may hold a whole matrix. So the limit on a line is as high
//! as 256 MiB, and a file is limited like every input ([`crate::input`]).

use std::io::{self, BufRead, Read};

use super::{Problem, TrafficFileError};
use crate::input::InputError;
use crate::integer::as_size;
use crate::limit::within;
use crate::rational::Rational;

/// Maximum number of bytes in a line, or in a file that is read as a whole.
const MAX_LINE: u64 = 1 << 28;
const REMEDY: &str = "check that this is the file you mean";

/// A text that is read line by line.
pub struct Lines<'r> {
    name: String,
    reader: &'r mut dyn BufRead,
    text: String,
    line: u64,
}

/// A word of a line, with its column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'l> {
    /// First byte in the line, from 1.
    pub column: usize,
    /// The word.
    pub text: &'l str,
}

impl<'r> Lines<'r> {
    /// The lines of `reader`, which errors call `name`.
    pub fn new(name: &str, reader: &'r mut dyn BufRead) -> Self {
        Self::after(name, reader, 0)
    }

    /// Lines of a text that `line` lines precede.
    pub(super) fn after(name: &str, reader: &'r mut dyn BufRead, line: u64) -> Self {
        Self { name: name.into(), reader, text: String::new(), line }
    }

    /// Number of the line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.line
    }

    /// Advances to the next line; returns false at the end of the text.
    ///
    /// # Errors
    /// [`TrafficFileError::TooLarge`], [`TrafficFileError::Input`], or
    /// [`TrafficFileError::Content`] if the line is not text.
    pub fn advance(&mut self) -> Result<bool, TrafficFileError> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        self.line += 1;
        let read = (&mut self.reader).take(MAX_LINE + 1).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| self.unreadable(error))? as u64;
        let what = format!("number of bytes of a line of {}", self.name);
        within(&what, Some(read.into()), MAX_LINE, REMEDY)?;
        if bytes.contains(&0) {
            return Err(self.fail(1, Problem::NotText));
        }
        self.text = String::from_utf8(bytes).map_err(|_| self.fail(1, Problem::NotText))?;
        self.text.truncate(self.text.trim_end().len());
        if self.line == 1 && self.text.starts_with('\u{feff}') {
            self.text.remove(0);
        }
        Ok(read > 0)
    }

    /// Advances to the next line that is neither blank nor a comment; comments begin with `mark`.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub fn advance_to_content(&mut self, mark: char) -> Result<bool, TrafficFileError> {
        while self.advance()? {
            let text = self.text.trim_start();
            if !text.is_empty() && !text.starts_with(mark) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The whole text, for readers from other crates: skipped lines become empty ones.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub fn whole(&mut self) -> Result<String, TrafficFileError> {
        let what = format!("number of bytes of {}", self.name);
        within(&what, Some(self.line.into()), MAX_LINE, REMEDY)?;
        let mut bytes = "\n".repeat(as_size(self.line.saturating_sub(1))).into_bytes();
        bytes.extend(self.text.as_bytes());
        bytes.push(b'\n');
        let read = (&mut self.reader).take(MAX_LINE + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.unreadable(error))?;
        within(&what, Some(bytes.len() as u128), MAX_LINE, REMEDY)?;
        if bytes.contains(&0) {
            return Err(self.whole_fails(Problem::NotText));
        }
        String::from_utf8(bytes).map_err(|_| self.whole_fails(Problem::NotText))
    }

    fn unreadable(&self, error: io::Error) -> TrafficFileError {
        InputError::in_line(&self.name, self.line, error).into()
    }

    /// The line without its end.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the text in errors.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mark that separates the words of the line, if it is not space or tab.
    fn mark(&self) -> Option<char> {
        [',', ';'].into_iter().find(|mark| self.text.contains(*mark))
    }

    /// The words of the line, separated by commas if there are any, else by semicolons, else by
    /// spaces and tabs.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        let mark = self.mark();
        let separator = move |c: char| mark.map_or(c.is_ascii_whitespace(), |mark| c == mark);
        let mut next = 0;
        let words = self.text.split(separator).map(move |piece| {
            let start = next + piece.len() - piece.trim_start().len();
            next += piece.len() + 1;
            Word { column: start + 1, text: piece.trim() }
        });
        words.filter(move |word| mark.is_some() || !word.text.is_empty())
    }

    /// The error that a column of this line has a problem.
    #[must_use]
    pub fn fail(&self, column: usize, problem: Problem) -> TrafficFileError {
        self.fail_at(self.line, column, problem)
    }

    /// The error that a position has a problem.
    #[must_use]
    pub fn fail_at(&self, line: u64, column: usize, problem: Problem) -> TrafficFileError {
        TrafficFileError::Content { path: self.name.clone(), line, column, problem }
    }

    /// The error that the text as a whole has a problem.
    #[must_use]
    pub fn whole_fails(&self, problem: Problem) -> TrafficFileError {
        TrafficFileError::Whole { path: self.name.clone(), problem }
    }

    /// Parses a word as an amount.
    ///
    /// # Errors
    /// [`Problem::Number`].
    pub fn amount(&self, word: Word) -> Result<Rational, TrafficFileError> {
        Rational::from_decimal(word.text).map_err(|error| self.fail(word.column, error.into()))
    }

    /// Parses a word as an integer within a range.
    ///
    /// # Errors
    /// [`Problem::Syntax`], [`Problem::OutOfRange`].
    pub fn integer(
        &self,
        word: Word,
        low: u64,
        high: u64,
        expected: &'static str,
    ) -> Result<u64, TrafficFileError> {
        let found: u64 = word
            .text
            .parse()
            .map_err(|_| self.fail(word.column, Problem::syntax(word.text, expected)))?;
        if (low..=high).contains(&found) {
            return Ok(found);
        }
        Err(self.fail(word.column, Problem::OutOfRange { found, low, high }))
    }

    /// The words of the line, of which there must be `N`.
    ///
    /// # Errors
    /// [`Problem::Syntax`] at the first extra word, or after the last one.
    pub fn exactly<const N: usize>(
        &self,
        expected: &'static str,
    ) -> Result<[Word<'_>; N], TrafficFileError> {
        let words: Vec<Word> = self.words().take(N + 1).collect();
        let place = words.get(N).map_or(self.text.len() + 1, |word| word.column);
        <[Word; N]>::try_from(words)
            .map_err(|_| self.fail(place, Problem::syntax(&self.text, expected)))
    }
}
