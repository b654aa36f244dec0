//! A DIMACS file, compared clause by clause with what it should hold.

use std::io::{BufRead, Take};

use super::lrat::{Literal, LratError, Result, natural, read_line, signed, words};
use crate::progress::Progress;

/// A formula is shorter than this in bytes, uncompressed.
const MAX_FORMULA: u64 = 1 << 30;

/// A file whose first clauses are known to be right.
pub(super) struct Comparison<'p, R> {
    reader: Take<R>,
    /// Polled at every line.
    progress: &'p Progress,
    line: u64,
    text: Vec<u8>,
    /// Numbers of variables and clauses in the header.
    header: (u64, u64),
    clauses: u64,
}

impl<'p, R: BufRead> Comparison<'p, R> {
    /// Reads the header.
    pub(super) fn open(reader: R, progress: &'p Progress) -> Result<Self> {
        let reader = reader.take(MAX_FORMULA);
        let (text, header) = (Vec::new(), (0, 0));
        let mut file = Self { reader, progress, line: 0, text, header, clauses: 0 };
        file.next()?;
        let words: Vec<&[u8]> = words(&file.text).collect();
        let [b"p", b"cnf", variables, clauses] = words[..] else { return Err(file.differs()) };
        let (Some(variables), Some(clauses)) = (natural(variables), natural(clauses)) else {
            return Err(file.differs());
        };
        file.header = (variables, clauses);
        Ok(file)
    }

    /// Verifies that the next clause is this one.
    pub(super) fn expect(&mut self, clause: &[Literal]) -> Result<()> {
        self.clauses += 1;
        self.next()?;
        let mut words = words(&self.text);
        let same = clause.iter().chain(&[0]).all(|literal| {
            words.next().is_some_and(|word| signed::<Literal>(word) == Some(*literal))
        });
        if same && words.next().is_none() { Ok(()) } else { Err(self.differs()) }
    }

    /// Verifies that nothing follows, and that the header was right.
    pub(super) fn finish(&mut self, variables: u32) -> Result<()> {
        match self.next() {
            Ok(()) => return Err(self.differs()),
            Err(LratError::Differs { .. }) => {}
            Err(error) => return Err(error),
        }
        let header = (variables.into(), self.clauses);
        if self.header == header { Ok(()) } else { Err(self.differs()) }
    }

    /// Reads the next line that is not a comment.
    fn next(&mut self) -> Result<()> {
        loop {
            self.line += 1;
            self.progress.check()?;
            if !read_line(&mut self.reader, &mut self.text, MAX_FORMULA)? {
                return Err(self.differs());
            }
            if words(&self.text).next().is_some_and(|word| word != b"c") {
                return Ok(());
            }
        }
    }

    fn differs(&self) -> LratError {
        LratError::Differs { line: self.line }
    }
}
