//! Matrix Market, `.mtx`: coordinate and array; general and symmetric; integer, real and
//! pattern (amount 1).

use super::prelude::*;
use crate::quote::quote;

pub(super) const KIND: Kind<Format> = Kind {
    name: "mtx",
    usage: "Matrix Market (%%MatrixMarket matrix ..)",
    about: "sparse or dense matrix; entry (i,j) is the demand from host i-1 to host j-1",
    reference: "https://math.nist.gov/MatrixMarket/formats.html",
    examples: &[
        "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 0.5\n3 1 2e1\n",
        "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n7\n0\n",
    ],
    build: Format {
        detect: |line| line.trim_start().starts_with("%%MatrixMarket"),
        extensions: &["mtx"],
        bare: &[],
        read,
    },
};

const HEADER: &str =
    "%%MatrixMarket matrix, coordinate or array, integer, real or pattern, general or symmetric";

/// The content of the header.
struct Header {
    array: bool,
    field: Field,
    symmetric: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Integer,
    Real,
    Pattern,
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let header = header(lines)?;
    if !lines.advance_to_content('%')? {
        return Err(lines.fail(1, Problem::EndOfFile { expected: "the size of the matrix" }));
    }
    let matrix = if header.array {
        read_array(lines, &header, request)
    } else {
        read_sparse(lines, &header, request)
    };
    matrix.map(Found::matrix)
}

fn header(lines: &Lines) -> Result<Header> {
    let [_, object, form, field, symmetry] = lines.exactly(HEADER)?;
    let lower = |text: &str| text.to_ascii_lowercase();
    let unsupported = |word: Word| {
        let found = word.text.into();
        lines.fail(word.column, Problem::Unsupported { found, remedy: HEADER.into() })
    };
    if lower(object.text) != "matrix" {
        return Err(unsupported(object));
    }
    let array = match lower(form.text).as_str() {
        "coordinate" => false,
        "array" => true,
        _ => return Err(unsupported(form)),
    };
    let field = match lower(field.text).as_str() {
        "integer" => Field::Integer,
        "real" => Field::Real,
        // A dense matrix without numbers says nothing.
        "pattern" if !array => Field::Pattern,
        _ => return Err(unsupported(field)),
    };
    let symmetric = match lower(symmetry.text).as_str() {
        "general" => false,
        "symmetric" => true,
        _ => return Err(unsupported(symmetry)),
    };
    Ok(Header { array, field, symmetric })
}

/// The number of hosts from the first two words of the size line.
fn size(lines: &Lines, rows: Word, columns: Word, request: &Request) -> Result<u64> {
    let [r, c] = [rows, columns].map(|word| lines.integer(word, 0, u64::MAX, "a number of rows"));
    let (r, c) = (r?, c?);
    if r != c {
        return Err(lines.fail(rows.column, Problem::NotSquare { rows: r, columns: c }));
    }
    request.check_hosts(r).map_err(|problem| lines.fail(rows.column, problem))?;
    Ok(r)
}

fn read_sparse(lines: &mut Lines, header: &Header, request: &Request) -> Result<TrafficMatrix> {
    let [rows, columns, entries] = lines.exactly("rows, columns and number of entries")?;
    let hosts = size(lines, rows, columns, request)?;
    let most = TrafficMatrix::MAX_ENTRIES;
    let announced = lines.integer(entries, 0, most, "a number of entries")?;
    let mut demands = Vec::new();
    let mut found = 0;
    while lines.advance_to_content('%')? {
        found += 1;
        if found > announced {
            return Err(lines.fail(1, Problem::Count { announced, found }));
        }
        let entry = entry(lines, header, hosts)?;
        push(&mut demands, header, entry)?;
    }
    if found < announced {
        return Err(lines.fail(1, Problem::Count { announced, found }));
    }
    Ok(TrafficMatrix::new(as_size(hosts), demands)?)
}

fn entry(lines: &Lines, header: &Header, hosts: u64) -> Result<Demand> {
    let (row, column, amount) = if header.field == Field::Pattern {
        let [row, column] = lines.exactly("row and column")?;
        (row, column, Rational::ONE)
    } else {
        let [row, column, amount] = lines.exactly("row, column and amount")?;
        (row, column, number(lines, header, amount)?)
    };
    let index =
        |word| lines.integer(word, 1, hosts, "an index").map(|i| host_number(as_size(i - 1)));
    let (s, d) = (index(row)?, index(column)?);
    if header.symmetric && s < d {
        let remedy = "a symmetric matrix lists its lower triangle only";
        let found = format!("{} {}", row.text, column.text);
        return Err(lines.fail(
            row.column,
            Problem::Unsupported { found: found.into(), remedy: remedy.into() },
        ));
    }
    Ok(Demand { s, d, amount })
}

fn number(lines: &Lines, header: &Header, word: Word) -> Result<Rational> {
    let amount = lines.amount(word)?;
    if header.field == Field::Integer && !amount.denominator().is_one() {
        let found = quote(word.text);
        return Err(lines.fail(word.column, Problem::NotInteger { found: found.into() }));
    }
    Ok(amount)
}

fn push(demands: &mut Vec<Demand>, header: &Header, entry: Demand) -> Result<()> {
    if header.symmetric && entry.s != entry.d {
        demands.push(Demand { s: entry.d, d: entry.s, amount: entry.amount.clone() });
    }
    demands.push(entry);
    Ok(TrafficMatrix::check_entries(demands.len() as u128)?)
}

/// Reads all entries, column by column; those of a symmetric matrix from the diagonal down.
fn read_array(lines: &mut Lines, header: &Header, request: &Request) -> Result<TrafficMatrix> {
    let [rows, columns] = lines.exactly("rows and columns")?;
    let hosts = size(lines, rows, columns, request)?;
    let announced = if header.symmetric { hosts * (hosts + 1) / 2 } else { hosts * hosts };
    let (mut demands, mut found) = (Vec::new(), 0);
    let (mut s, mut d) = (0, 0);
    while lines.advance_to_content('%')? {
        for word in lines.words() {
            found += 1;
            if found > announced {
                return Err(lines.fail(word.column, Problem::Count { announced, found }));
            }
            let amount = number(lines, header, word)?;
            if !amount.is_zero() {
                push(&mut demands, header, Demand { s, d, amount })?;
            }
            s += 1;
            if u64::from(s) == hosts {
                d += 1;
                s = if header.symmetric { d } else { 0 };
            }
        }
    }
    if found < announced {
        return Err(lines.fail(1, Problem::Count { announced, found }));
    }
    Ok(TrafficMatrix::new(as_size(hosts), demands)?)
}
