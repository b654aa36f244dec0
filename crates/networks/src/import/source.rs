//! A whole file in memory, where every part of the text can be mapped to its line and column.
//!
//! Formats that are not line-based (XML, JSON, DOT) may put a whole network on one line, so they
//! cannot be streamed with a limit on line length. They are read as a whole, with a separate
//! limit.

use super::text::{BYTE_ORDER_MARK, TextFile, line_at};
use super::{ImportError, Problem, Result};

/// The text of a file.
pub(super) struct Source {
    path: String,
    text: String,
}

impl Source {
    /// Reads all of a file.
    ///
    /// # Errors
    /// The errors of [`TextFile::whole`].
    pub fn read(file: TextFile) -> Result<Self> {
        let path = file.path().to_string();
        let mut text = file.whole()?;
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Ok(Self { path, text })
    }

    #[cfg(test)]
    pub fn of(path: &str, text: &str) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Position of a slice of [`Self::text`], in bytes.
    pub fn place_of(&self, part: &str) -> usize {
        let place = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        place.min(self.text.len())
    }

    /// The line of a position, from 1.
    pub fn line(&self, place: usize) -> u64 {
        self.position(place).0
    }

    /// The line and the byte within the line, both from 1.
    fn position(&self, place: usize) -> (u64, usize) {
        let before = &self.text.as_bytes()[..place.min(self.text.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        (line_at(before), before.len() - start + 1)
    }

    /// The error that something is wrong at a position.
    pub fn error(&self, place: usize, problem: Problem) -> ImportError {
        let (line, column) = self.position(place);
        ImportError::Place { path: self.path.clone(), line, column, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_columns() {
        let source = Source { path: "a".into(), text: "one\ntwo three\n".into() };
        let position = |part: &str| source.position(source.place_of(part));
        assert_eq!(position(&source.text()[0..]), (1, 1));
        assert_eq!(position(&source.text()[8..13]), (2, 5));
        assert_eq!(source.position(usize::MAX), (3, 1));
        assert_eq!(source.line(4), 2);
    }
}
