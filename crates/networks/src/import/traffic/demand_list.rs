//! CSV with a header: one demand per line. Cells are separated by commas, semicolons or tabs.
//!
//! Columns other than source, destination and demand are not read, and a note names them. A list
//! without a header is a pair list (`pairs.rs`).

use csv::{Position, ReaderBuilder, StringRecord};

use super::TrafficFileError;
use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "csv",
    usage: "CSV with the header source,destination,demand",
    about: "one demand per line, hosts by number or name in the network, amounts as decimals or \
            fractions; also src, dst, from, to, target, bytes, amount and the like in the header, in \
            any order, beside other columns; separated by commas, semicolons or tabs",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &[
        "source,destination,demand\n0,1,0.5\n2,0,1/3\n",
        "id;target;source;bytes\nx;1;0;5\ny;0;2;7\n",
    ],
    // Tables of any other kind have the extension, too.
    build: Format { detect: |line| Header::of(line).is_some(), extensions: &[], bare: &[], read },
};

/// Names of the three columns, those that say most first.
const NAMES: [&[&str]; 3] = [
    &["source", "src", "from", "origin", "sender"],
    &["destination", "dst", "dest", "target", "to", "sink", "receiver"],
    &["demand", "amount", "bytes", "traffic", "volume", "value"],
];

/// The content of the first line.
struct Header {
    /// Separator of the cells.
    mark: char,
    /// The columns of source, destination and demand.
    order: [usize; 3],
    /// Names of the other columns, by position.
    others: Vec<String>,
    width: usize,
}

impl Header {
    /// The header, if `line` is one with all three columns.
    fn of(line: &str) -> Option<Self> {
        [',', ';', '\t'].into_iter().find_map(|mark| Self::separated_by(mark, line))
    }

    fn separated_by(mark: char, line: &str) -> Option<Self> {
        let cells: Vec<&str> =
            line.split(mark).map(|word| word.trim().trim_matches('"').trim()).collect();
        let place = |name: &&str| cells.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let find = |names: &[&str]| names.iter().find_map(place);
        let order = [find(NAMES[0])?, find(NAMES[1])?, find(NAMES[2])?];
        let others = (0..).zip(&cells).filter(|(at, _)| !order.contains(at));
        let others = others.map(|(_, cell)| (*cell).to_string()).collect();
        Some(Self { mark, order, others, width: cells.len() })
    }
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let Some(header) = Header::of(lines.text()) else {
        let expected = "the header source,destination,demand; a list without one is read as \
                        file(format=pairs):PATH";
        return Err(lines.fail(1, Problem::syntax(lines.text(), expected)));
    };
    let text = lines.whole()?;
    let delimiter = u8::try_from(header.mark).unwrap_or(b',');
    let finder = HostFinder::new(request.hosts);
    let rows = Rows { lines, text: &text, finder, header: &header };
    let mut csv =
        ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut demands = Vec::new();
    for record in csv.records() {
        demands.push(rows.demand(record)?);
        TrafficMatrix::check_entries(demands.len() as u128)?;
    }
    Ok(Found { unread: header.others, ..Found::list(request.hosts.count(), demands)? })
}

struct Rows<'l, 'r, 't> {
    lines: &'l Lines<'r>,
    text: &'l str,
    finder: HostFinder<'t>,
    header: &'l Header,
}

impl Rows<'_, '_, '_> {
    fn demand(&self, record: Result<StringRecord, csv::Error>) -> Result<Demand> {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, Position::line);
            let found = error.to_string();
            self.lines.fail_at(line, 1, Problem::syntax(&found, "a line of CSV"))
        })?;
        let Header { order: [s, d, amount], width, .. } = *self.header;
        if record.len() != width {
            let expected = "source, destination and demand, and as many cells as the header has";
            let line = record.iter().collect::<Vec<_>>().join(",");
            let problem = Problem::syntax(&line, expected);
            return Err(self.fail(&record, record.len().min(width), problem));
        }
        let size = Rational::from_decimal(record[amount].trim())
            .map_err(|error| self.fail(&record, amount, error.into()))?;
        let demand = Demand { s: self.host(&record, s)?, d: self.host(&record, d)?, amount: size };
        self.finder
            .check_ends(record[s].trim(), record[d].trim(), &demand.amount)
            .map_err(|problem| self.fail(&record, d, problem))?;
        Ok(demand)
    }

    fn host(&self, record: &StringRecord, field: usize) -> Result<Host> {
        self.finder.find(record[field].trim()).map_err(|problem| self.fail(record, field, problem))
    }

    fn fail(&self, record: &StringRecord, field: usize, problem: Problem) -> TrafficFileError {
        let (line, start) =
            record.position().map_or((1, 0), |place| (place.line(), as_size(place.byte())));
        let record = self.text.get(start..).unwrap_or_default();
        let column = 1 + field_start(record, self.header.mark, field);
        self.lines.fail_at(line, column, problem)
    }
}

/// First byte of a field in a record's text; inside quotes `mark` does not separate.
fn field_start(record: &str, mark: char, field: usize) -> usize {
    let mut quoted = false;
    let mut marks = record.char_indices().filter(|(_, c)| {
        quoted ^= *c == '"';
        *c == mark && !quoted
    });
    match field.checked_sub(1) {
        Some(before) => {
            marks.nth(before).map_or(record.lines().next().map_or(0, str::len), |(at, _)| at + 1)
        }
        None => 0,
    }
}
