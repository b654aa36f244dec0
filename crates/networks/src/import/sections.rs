//! Files of sections: `START_NAME`, a line that names the columns, rows of values separated by
//! commas, `END_NAME`.
//!
//! Columns are found by name, whatever their order and case, since versions add some. A section
//! `INDEX_TABLE` gives the number of rows of the others, in its fifth column: a section with
//! another number was damaged. Values may be in quotation marks, and then may contain commas.

use std::collections::HashMap;

use super::text::TextFile;
use super::{ImportError, Problem, Result};
use crate::limit::within;
use crate::topology::Topology;

/// A section that a reader wants.
pub(super) struct Wanted {
    pub name: &'static str,
    /// Columns that it must have.
    pub needed: &'static [&'static str],
    /// Columns that it may have.
    pub optional: &'static [&'static str],
}

/// A row of a wanted section.
#[derive(Debug)]
pub(super) struct Row {
    pub line: u64,
    /// Values of the needed columns, then of the optional ones; empty where there is none.
    pub values: Vec<String>,
}

/// The wanted sections, in that order; `None` for one that the file does not have.
pub(super) type Tables = Vec<Option<Vec<Row>>>;

const INDEX: &str = "INDEX_TABLE";
const START: &str = "START_";
const END: &str = "END_";

/// Whether a line begins a section.
pub(super) fn begins(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix(START)?;
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The section that is being read.
struct Open {
    name: String,
    line: u64,
    /// Its place among the wanted ones.
    wanted: Option<usize>,
    /// For every wanted column its place in a row.
    columns: Option<Vec<Option<usize>>>,
    /// How many columns a row has.
    width: usize,
    rows: u64,
}

/// Reads the wanted sections.
///
/// # Errors
/// [`ImportError`] at a section that does not end, begins twice or lacks a column, at a row with
/// another number of values than columns, and where a number of rows is not the one announced.
pub(super) fn read(text: &mut TextFile, wanted: &[Wanted]) -> Result<Tables> {
    let mut reader = Reader {
        wanted,
        tables: wanted.iter().map(|_| None).collect(),
        index: HashMap::new(),
        kept: 0,
    };
    let mut open: Option<Open> = None;
    while let Some(line) = text.next_line()? {
        let (line, number) = (line.trim().to_string(), text.line());
        let next = reader.line(open.take(), &line, number);
        open = next.map_err(|stop| stop.placed(text))?;
    }
    match open {
        None => Ok(reader.tables),
        Some(open) => {
            Err(text.fail(Problem::UnendedSection { name: open.name.into(), line: open.line }))
        }
    }
}

/// Why reading ends.
enum Stop {
    Problem(Problem),
    TooLarge(ImportError),
}

impl Stop {
    fn placed(self, text: &TextFile) -> ImportError {
        match self {
            Self::Problem(problem) => text.fail(problem),
            Self::TooLarge(error) => error,
        }
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

struct Reader<'w> {
    wanted: &'w [Wanted],
    tables: Tables,
    /// Announced numbers of rows.
    index: HashMap<String, u64>,
    /// Rows of all wanted sections.
    kept: u64,
}

impl Reader<'_> {
    /// Takes a line; returns the section that is open after it.
    fn line(&mut self, open: Option<Open>, line: &str, number: u64) -> Result<Option<Open>, Stop> {
        let Some(mut open) = open else {
            return match begins(line) {
                Some(name) => Ok(Some(self.open(name, number)?)),
                None if line.is_empty() || line.starts_with('#') => Ok(None),
                None => Err(Problem::syntax(line, "`START_` and the name of a section").into()),
            };
        };
        if line.strip_prefix(END) == Some(open.name.as_str()) {
            self.close(&open)?;
            return Ok(None);
        }
        if begins(line).is_some() {
            return Err(Problem::UnendedSection { name: open.name.into(), line: open.line }.into());
        }
        if !line.is_empty() {
            self.row(&mut open, line, number)?;
        }
        Ok(Some(open))
    }

    fn open(&mut self, name: &str, line: u64) -> Result<Open, Problem> {
        let wanted = self.wanted.iter().position(|wanted| wanted.name == name);
        let again = wanted.and_then(|place| self.tables[place].replace(Vec::new()));
        if again.is_some() {
            return Err(Problem::syntax(&format!("{START}{name}"), "each section once"));
        }
        Ok(Open { name: name.into(), line, wanted, columns: None, width: 0, rows: 0 })
    }

    /// Takes the columns of a section, or a row.
    fn row(&mut self, open: &mut Open, line: &str, number: u64) -> Result<(), Stop> {
        let is_index = open.name == INDEX;
        let Some(place) = open.wanted else {
            if open.columns.replace(Vec::new()).is_some() {
                open.rows += 1;
                if is_index {
                    self.announce(&fields(line));
                }
            }
            return Ok(());
        };
        let values = fields(line);
        let Some(columns) = &open.columns else {
            open.width = values.len();
            open.columns = Some(columns(&self.wanted[place], &values)?);
            return Ok(());
        };
        open.rows += 1;
        if values.len() != open.width {
            let (columns, found) = (open.width, values.len());
            return Err(Problem::ColumnCount { columns, found }.into());
        }
        self.kept += 1;
        let limit = 4 * Topology::MAX_LINKS;
        within("number of rows", Some(self.kept.into()), limit, "dump a part of the fabric")
            .map_err(|error| Stop::TooLarge(error.into()))?;
        let value = |column: &Option<usize>| {
            let value = column.and_then(|column| values.get(column)).copied().unwrap_or("");
            if value == "N/A" { String::new() } else { value.to_string() }
        };
        let row = Row { line: number, values: columns.iter().map(value).collect() };
        self.tables[place].get_or_insert_default().push(row);
        Ok(())
    }

    /// `NODES, 1024, 4711, 9, 44`: name, offset, size, line and rows of a section.
    fn announce(&mut self, values: &[&str]) {
        let [name, _, _, _, rows] = values else { return };
        if let Ok(rows) = rows.parse() {
            self.index.insert((*name).to_string(), rows);
        }
    }

    fn close(&mut self, open: &Open) -> Result<(), Problem> {
        match self.index.get(&open.name) {
            Some(announced) if open.wanted.is_some() && *announced != open.rows => {
                let (announced, found) = (*announced, open.rows);
                Err(Problem::RecordCount { what: "rows of this section", announced, found })
            }
            _ if open.wanted.is_some() && open.columns.is_none() => {
                let what = format!("section {}", open.name);
                Err(Problem::Missing { what: what.into(), missing: "line that names its columns" })
            }
            _ => Ok(()),
        }
    }
}

/// The places of the wanted columns.
fn columns(wanted: &Wanted, names: &[&str]) -> Result<Vec<Option<usize>>, Problem> {
    let place = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
    let needed = wanted.needed.iter().map(|column| {
        let missing = || {
            let what = format!("section {}", wanted.name);
            Problem::MissingColumn { what: what.into(), column }
        };
        place(column).ok_or_else(missing).map(Some)
    });
    let optional = wanted.optional.iter().map(|column| Ok(place(column)));
    needed.chain(optional).collect()
}

/// The values of a row. A quotation mark ends a value only before a comma or the end.
fn fields(line: &str) -> Vec<&str> {
    let (mut values, mut rest) = (Vec::new(), Some(line));
    while let Some(text) = rest {
        let text = text.trim();
        let quoted = text.strip_prefix('"').and_then(|inner| {
            inner.match_indices('"').find_map(|(end, _)| {
                let after = inner[end + 1..].trim_start();
                let ended = after.is_empty() || after.starts_with(',');
                ended.then_some((&inner[..end], after.strip_prefix(',')))
            })
        });
        let (value, after) = quoted.unwrap_or_else(|| match text.split_once(',') {
            Some((value, after)) => (value, Some(after)),
            None => (text, None),
        });
        values.push(value.trim());
        rest = after;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_quoted() {
        assert_eq!(fields("a, b ,c"), ["a", "b", "c"]);
        assert_eq!(fields(r#""a, b" , 2,"#), ["a, b", "2", ""]);
        assert_eq!(fields(r#""say "x" twice",2"#), [r#"say "x" twice"#, "2"]);
        assert_eq!(fields(r#""open, 2"#), ["\"open", "2"]);
        assert_eq!(fields(""), [""]);
    }
}
