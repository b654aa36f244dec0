//! A matrix with a header row and a column of host names, separated by commas, semicolons or tabs.
//!
//! The first line begins with an empty cell, or its other cells are the names that begin the lines
//! below it. Rows and columns may be in different orders. An empty cell on the diagonal is 0.

use std::collections::HashSet;

use csv::{Position, ReaderBuilder, StringRecord};

use super::prelude::*;
use super::{Form, TrafficFileError};

pub(super) const KIND: Kind<Format> = Kind {
    name: "labelled",
    usage: "matrix with a row and a column of names",
    about: "a dense matrix whose first row and first column name the hosts, by name or number",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &[",0,1,2\n0,,0.5,0\n1,0,0,1\n2,7,0,0\n", "from;1;0\n0;3;0\n1;0;4\n"],
    build: Format { detect, extensions: &[], bare: &[], read },
};

const EXPECTED: &str = "a matrix whose first row and first column name the same hosts";

/// Whether the first cell is empty, and others are not.
fn detect(line: &str) -> bool {
    let mark = mark(line);
    let mut cells = line.split(mark).map(str::trim);
    // Rows of numbers may be indented with tabs.
    let is_name =
        |cell: &str| !cell.is_empty() && (mark != '\t' || Rational::from_decimal(cell).is_err());
    cells.next().is_some_and(str::is_empty) && cells.any(is_name)
}

/// What separates the cells: what follows an empty first one, else the mark that names have least.
fn mark(line: &str) -> char {
    let marks = ['\t', ';', ','];
    let first = marks.into_iter().find(|mark| line.starts_with(*mark));
    first.or_else(|| marks.into_iter().find(|mark| line.contains(*mark))).unwrap_or(',')
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let delimiter = u8::try_from(mark(lines.text())).unwrap_or(b',');
    let text = lines.whole()?;
    let mut csv = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut records = csv.records();
    let mut table = Table { lines, finder: HostFinder::new(request.hosts), columns: Vec::new() };
    let header =
        records.next().ok_or_else(|| lines.fail(1, Problem::EndOfFile { expected: EXPECTED }))?;
    table.columns = table.names(&table.record(header)?)?;
    if table.columns.is_empty() {
        return Err(lines.fail(1, Problem::syntax(lines.text(), EXPECTED)));
    }
    let (mut rows, mut demands) = (HashSet::new(), Vec::new());
    for record in records {
        let record = table.record(record)?;
        let s = table.row(&record, &mut demands)?;
        if !rows.insert(s) {
            return Err(table.fails(&record, Problem::DuplicateNode { name: (&record[0]).into() }));
        }
    }
    let (rows, columns) = (rows.len(), table.columns.len());
    if rows != columns {
        let problem = Problem::NotSquare { rows: rows as u64, columns: columns as u64 };
        return Err(lines.whole_fails(problem));
    }
    let matrix = TrafficMatrix::new(request.hosts.count(), demands)?;
    Ok(Found { matrix, form: Form::Named(rows), unread: Vec::new(), rest: 0 })
}

struct Table<'l, 'r, 't> {
    lines: &'l Lines<'r>,
    finder: HostFinder<'t>,
    columns: Vec<Host>,
}

impl Table<'_, '_, '_> {
    fn record(&self, record: Result<StringRecord, csv::Error>) -> Result<StringRecord> {
        record.map_err(|error| {
            let line = error.position().map_or(1, Position::line);
            self.lines.fail_at(line, 1, Problem::syntax(&error.to_string(), EXPECTED))
        })
    }

    /// The hosts that the first row names.
    fn names(&self, header: &StringRecord) -> Result<Vec<Host>> {
        let mut seen = HashSet::new();
        let named = header.iter().skip(1).map(|cell| {
            let host =
                self.finder.find(cell.trim()).map_err(|problem| self.fails(header, problem))?;
            let problem = || Problem::DuplicateNode { name: cell.into() };
            seen.insert(host).then_some(host).ok_or_else(|| self.fails(header, problem()))
        });
        named.collect()
    }

    /// The host that a row names; its demands are added.
    fn row(&self, record: &StringRecord, demands: &mut Vec<Demand>) -> Result<Host> {
        if record.len() != self.columns.len() + 1 {
            let (found, wanted) = (record.len().saturating_sub(1), self.columns.len());
            return Err(self.fails(record, Problem::Ragged { found, wanted }));
        }
        let s =
            self.finder.find(record[0].trim()).map_err(|problem| self.fails(record, problem))?;
        if !self.columns.contains(&s) {
            return Err(self.fails(record, Problem::syntax(&record[0], "a name of the first row")));
        }
        for (cell, d) in record.iter().skip(1).zip(&self.columns) {
            let cell = cell.trim();
            if cell.is_empty() && s == *d {
                continue;
            }
            let amount =
                Rational::from_decimal(cell).map_err(|error| self.fails(record, error.into()))?;
            if !amount.is_zero() {
                demands.push(Demand { s, d: *d, amount });
                TrafficMatrix::check_entries(demands.len() as u128)?;
            }
        }
        Ok(s)
    }

    /// The error that a row has a problem.
    fn fails(&self, record: &StringRecord, problem: Problem) -> TrafficFileError {
        self.lines.fail_at(record.position().map_or(1, Position::line), 1, problem)
    }
}
