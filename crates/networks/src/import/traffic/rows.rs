//! Rows of numbers, without a header: one matrix row by row, or many matrices, one per line.
//!
//! Numbers are separated by spaces, commas or semicolons. N rows of N numbers are one matrix, row =
//! source. Rows of N² numbers are one matrix each, row by row (`.hist` files of traffic
//! engineering); `file(index=3):PATH` selects one of them, and without an index a file of
//! N rows of N numbers is always read as one matrix. Lines that begin with `#` are comments. Rows of 2
//! to 4 numbers may also be a list of demands: see `recognise.rs`.

use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "rows",
    usage: "rows of numbers",
    about: "a dense matrix row by row, or one flattened matrix per line with file(index=..):PATH",
    reference: "EZTrace, Scotch, MapLib, YATES, Figret",
    examples: &["0 1\n2.5 0\n", "0,1\n2.5,0\n", "# flattened\n0 1 2.5 0\n"],
    // Lists of demands look the same.
    build: Format { detect: |_| false, extensions: &["rows", "hist", "mat"], bare: &[], read },
};

/// Whether a line may be a row.
pub(super) fn is_numeric(line: &str) -> bool {
    let line = line.trim_start();
    let number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    // `nan` and `inf` are accepted here, to be rejected later as numbers, with their position.
    let word = line.split([',', ';', ' ', '\t']).next().unwrap_or_default().to_lowercase();
    line.starts_with(',') || line.starts_with(number) || word == "nan" || word == "inf"
}

/// A non-zero number, with its position.
struct Entry {
    row: usize,
    column: usize,
    amount: Rational,
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    let (mut rows, mut width, mut entries) = (0, 0, Vec::new());
    let mut more = !lines.text().trim_start().starts_with('#') || lines.advance_to_content('#')?;
    while more {
        // Whether the row may be needed once the number of rows is known.
        let wanted = match request.index {
            Some(index) if root(width).is_some() => rows == index,
            _ => rows < width && width <= request.hosts.count(),
        };
        let found = read_row(lines, rows, (wanted || rows == 0).then_some(&mut entries))?;
        if rows == 0 {
            width = found;
            check_width(lines, width, request)?;
        }
        if found != width {
            let column = lines.text().len() + 1;
            return Err(lines.fail(column, Problem::Ragged { found, wanted: width }));
        }
        rows += 1;
        more = lines.advance_to_content('#')?;
    }
    if width == 0 {
        let expected = "a row of numbers; a header after `#` may be cut off";
        return Err(lines.fail(1, Problem::EndOfFile { expected }));
    }
    let shape = Shape::of(rows, width, request.index);
    let shape = shape.map_err(|problem| lines.whole_fails(problem))?;
    let demands = entries.into_iter().filter_map(|entry| shape.demand(entry));
    Ok(Found::matrix(TrafficMatrix::new(shape.hosts, demands)?))
}

/// Checks a row and keeps its entries if they are wanted; returns the length of the row.
fn read_row(lines: &Lines, row: usize, mut entries: Option<&mut Vec<Entry>>) -> Result<usize> {
    let mut width = 0;
    for (column, word) in lines.words().enumerate() {
        let amount = lines.amount(word)?;
        width += 1;
        if let Some(entries) = entries.as_mut().filter(|_| !amount.is_zero()) {
            entries.push(Entry { row, column, amount });
            TrafficMatrix::check_entries(entries.len() as u128)?;
        }
    }
    Ok(width)
}

/// The number of hosts of a flattened matrix of `width` numbers.
fn root(width: usize) -> Option<usize> {
    let root = width.isqrt();
    (root * root == width).then_some(root)
}

/// Refuses rows that are too long for the network under either interpretation.
fn check_width(lines: &Lines, width: usize, request: &Request) -> Result<()> {
    let hosts = request.hosts.count();
    if width <= hosts || root(width).is_some_and(|root| root <= hosts) {
        return Ok(());
    }
    let found = root(width).unwrap_or(width) as u64;
    Err(lines.fail(1, Problem::TooManyHosts { found, hosts }))
}

/// How the rows are to be interpreted.
struct Shape {
    hosts: usize,
    /// The row that holds the whole matrix, if one does.
    flat: Option<usize>,
}

impl Shape {
    fn of(rows: usize, width: usize, index: Option<usize>) -> Result<Self, Problem> {
        let square = Self { hosts: width, flat: None };
        match (index, root(width)) {
            (Some(index), Some(hosts)) if index < rows => Ok(Self { hosts, flat: Some(index) }),
            (Some(index), Some(_)) => Err(Problem::NoSuchMatrix { index, count: rows }),
            (None | Some(0), _) if rows == width => Ok(square),
            (Some(index), None) if rows == width => Err(Problem::NoSuchMatrix { index, count: 1 }),
            (None, Some(hosts)) if rows == 1 => Ok(Self { hosts, flat: Some(0) }),
            (None, Some(hosts)) => Err(Problem::SeveralMatrices { count: rows, hosts }),
            _ => Err(Problem::NotSquare { rows: rows as u64, columns: width as u64 }),
        }
    }

    /// An entry as a demand; `None` if it belongs to another matrix.
    fn demand(&self, Entry { row, column, amount }: Entry) -> Option<Demand> {
        let (s, d) = match self.flat {
            Some(flat) if flat != row => return None,
            Some(_) => (column / self.hosts, column % self.hosts),
            None => (row, column),
        };
        Some(Demand { s: host_number(s), d: host_number(d), amount })
    }
}
