//! Slurm hostlists: `dgx-[01-16,20],login1` as names.
//!
//! ```text
//! list     = item { "," item }
//! item     = name | '"' any text, a quotation mark doubled '"'
//! name     = { text | "[" range { "," range } "]" }
//! range    = number [ "-" number ]
//! ```
//!
//! Of several brackets the last runs fastest, and zeros in front are kept: `n[08-10]` is n08, n09 and n10.
//! Blanks around items and ranges do not count. A name in quotes is taken as it is, whatever it contains.

use crate::export::MAX_DIGITS;
use crate::limit::{TooLarge, within};
use crate::quote::Quoted;

/// Maximum number of names in a list.
pub const MAX_NAMES: u64 = 1 << 20;
/// Maximum number of bytes of all names of a list.
const MAX_BYTES: u64 = 1 << 26;

const REMEDY: &str = "correct the numbers in brackets, or split the list";

/// A parsed list; its names are made on demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hostlist {
    items: Vec<Item>,
}

/// A name of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Whether it is in quotes, and thus neither a number nor a pattern.
    pub quoted: bool,
    /// The byte of the list at which its item begins, from 1.
    pub column: usize,
}

/// Why a text is not a hostlist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum HostlistError {
    #[error("column {column}: {problem}")]
    At {
        /// The byte, from 1.
        column: usize,
        problem: HostlistProblem,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

/// An error in a hostlist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum HostlistProblem {
    /// Nothing where a name should be.
    #[error("expected a name such as `dgx-01` or `dgx-[01-16,20]`, found nothing")]
    NoName,
    /// Nothing where a number should be.
    #[error("expected a number or a range such as `01-16`, found nothing")]
    NoNumber,
    #[error("expected a number of at most 18 digits or a range such as `01-16`, found `{found}`")]
    BadNumber { found: Quoted },
    #[error(
        "`{found}` is not a range: write the lower number first, and as many digits in both where one begins with 0"
    )]
    BadRange { found: Quoted },
    #[error("this `[` has no `]`: close it; where a list was cut, print it in full")]
    Unclosed,
    #[error("`[` within brackets: close the first bracket before")]
    Nested,
    #[error("`]` without a `[` before it: remove it, or put the name in double quotes")]
    Unopened,
    #[error("this `\"` has no second one: close it")]
    Unquoted,
    #[error("expected a comma after the name in quotes, found `{found}`")]
    AfterQuotes { found: Quoted },
}

/// What an item of a list stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    column: usize,
    quoted: bool,
    pieces: Vec<Piece>,
    /// Number of names.
    count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Numbers(Vec<Range>),
}

/// Numbers with as many digits as the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    low: u64,
    high: u64,
    width: usize,
    /// How many numbers the brackets have before it.
    before: u64,
}

/// A list that is being read.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Hostlist {
    /// Reads a list. O(length of the text).
    ///
    /// # Errors
    /// [`HostlistError`] with the column, and above [`MAX_NAMES`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::Hostlist;
    /// let list = Hostlist::parse("dgx-[08-10], r[1-2]n[3,5], \"a, b\"")?;
    /// let names: Vec<_> = list.names().map(|listed| listed.name).collect();
    /// assert_eq!(names, ["dgx-08", "dgx-09", "dgx-10", "r1n3", "r1n5", "r2n3", "r2n5", "a, b"]);
    /// let error = Hostlist::parse("dgx-[01-").unwrap_err().to_string();
    /// assert!(error.starts_with("column 5: this `[` has no `]`"));
    /// # Ok::<(), routebound::jobs::HostlistError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, HostlistError> {
        let mut reader = Reader { text, at: 0 };
        let mut items = Vec::new();
        let (mut names, mut bytes) = (0_u128, 0_u128);
        loop {
            let start = reader.at;
            let item = reader.item()?;
            let count = item.size();
            names = names.saturating_add(count);
            bytes = bytes.saturating_add(count.saturating_mul((reader.at - start) as u128));
            within("number of names in a list", Some(names), MAX_NAMES, REMEDY)?;
            within("number of bytes of the names in a list", Some(bytes), MAX_BYTES, REMEDY)?;
            items.push(Item { count: u64::try_from(count).unwrap_or(u64::MAX), ..item });
            if reader.at == text.len() {
                return Ok(Self { items });
            }
            reader.at += 1;
        }
    }

    /// The names of the list, in order. Each takes O(length).
    pub fn names(&self) -> impl Iterator<Item = Listed> {
        self.items.iter().flat_map(|item| (0..item.count).map(|index| item.name(index)))
    }

    /// Number of names of the list; a name may be there twice.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.items.iter().map(|item| item.count).sum()
    }
}

impl Item {
    /// Number of names; saturates.
    fn size(&self) -> u128 {
        let of = |piece: &Piece| match piece {
            Piece::Text(_) => 1,
            Piece::Numbers(ranges) => ranges.iter().map(|range| u128::from(range.count())).sum(),
        };
        self.pieces.iter().map(of).fold(1, u128::saturating_mul)
    }

    /// The name with this number.
    fn name(&self, mut index: u64) -> Listed {
        let mut parts: Vec<String> = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces.iter().rev() {
            parts.push(match piece {
                Piece::Text(text) => text.clone(),
                Piece::Numbers(ranges) => {
                    let count = ranges.last().map_or(1, |last| last.before + last.count());
                    let own = index % count;
                    index /= count;
                    let at = ranges.partition_point(|range| range.before <= own);
                    let range = ranges[at.saturating_sub(1)];
                    let (number, width) = (range.low + own - range.before, range.width);
                    format!("{number:0width$}")
                }
            });
        }
        let name = parts.into_iter().rev().collect();
        Listed { name, quoted: self.quoted, column: self.column }
    }
}

impl Range {
    fn count(self) -> u64 {
        self.high - self.low + 1
    }
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn fail<T>(&self, problem: HostlistProblem) -> Result<T, HostlistError> {
        Err(HostlistError::At { column: self.at + 1, problem })
    }

    /// The item that begins here; then the reader is at the comma after it, or at the end.
    fn item(&mut self) -> Result<Item, HostlistError> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let column = self.at + 1;
        let quoted = self.rest().starts_with('"');
        let pieces = if quoted { vec![Piece::Text(self.quoted()?)] } else { self.pieces()? };
        if !quoted
            && pieces.iter().all(|piece| matches!(piece, Piece::Text(text) if text.is_empty()))
        {
            self.at = column - 1;
            return self.fail(HostlistProblem::NoName);
        }
        Ok(Item { column, quoted, pieces, count: 0 })
    }

    fn quoted(&mut self) -> Result<String, HostlistError> {
        let (mut name, mut from) = (String::new(), 1);
        loop {
            let Some(length) = self.rest()[from..].find('"') else {
                return self.fail(HostlistProblem::Unquoted);
            };
            name.push_str(&self.rest()[from..from + length]);
            from += length + 1;
            if !self.rest()[from..].starts_with('"') {
                break;
            }
            name.push('"');
            from += 1;
        }
        self.at += from;
        let after = self.rest().split(',').next().unwrap_or_default();
        if after.trim().is_empty() {
            self.at += after.len();
            return Ok(name);
        }
        let found = after.to_string();
        self.fail(HostlistProblem::AfterQuotes { found: found.into() })
    }

    fn pieces(&mut self) -> Result<Vec<Piece>, HostlistError> {
        let mut pieces = Vec::new();
        loop {
            let end = self.rest().find([',', '[', ']']).unwrap_or(self.rest().len());
            let text = &self.rest()[..end];
            let next = self.rest()[end..].chars().next();
            let ends = next.is_none_or(|next| next == ',');
            pieces.push(Piece::Text(if ends { text.trim_end() } else { text }.to_string()));
            self.at += end;
            match next {
                None | Some(',') => return Ok(pieces),
                Some('[') => pieces.push(Piece::Numbers(self.numbers()?)),
                Some(_) => return self.fail(HostlistProblem::Unopened),
            }
        }
    }

    /// The ranges in the brackets that begin here.
    fn numbers(&mut self) -> Result<Vec<Range>, HostlistError> {
        let Some(close) = self.rest().find(']') else {
            return self.fail(HostlistProblem::Unclosed);
        };
        let (text, end) = (self.text, self.at + close);
        self.at += 1;
        if let Some(again) = text[self.at..end].find('[') {
            self.at += again;
            return self.fail(HostlistProblem::Nested);
        }
        let (mut ranges, mut before) = (Vec::new(), 0_u64);
        for part in text[self.at..end].split(',') {
            let range = match range(part.trim(), before) {
                Ok(range) => range,
                Err(problem) => return self.fail(problem),
            };
            before = before.saturating_add(range.count());
            ranges.push(range);
            self.at += part.len() + 1;
        }
        self.at = end + 1;
        Ok(ranges)
    }
}

/// A range, after `before` other numbers.
fn range(text: &str, before: u64) -> Result<Range, HostlistProblem> {
    let number = |digits: &str| -> Result<u64, HostlistProblem> {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let fits = (1..=MAX_DIGITS).contains(&digits.len()) && is_number;
        let bad = || HostlistProblem::BadNumber { found: text.into() };
        digits.parse().ok().filter(|_| fits).ok_or_else(bad)
    };
    if text.is_empty() {
        return Err(HostlistProblem::NoNumber);
    }
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let (low, high) = (low.trim(), high.trim());
    let [first, last] = [number(low)?, number(high)?];
    let padded = [low, high].iter().any(|end| end.len() > 1 && end.starts_with('0'));
    if first > last || (padded && high.starts_with('0') && low.len() != high.len()) {
        return Err(HostlistProblem::BadRange { found: text.into() });
    }
    Ok(Range { low: first, high: last, width: low.len(), before })
}

#[cfg(test)]
mod tests;
