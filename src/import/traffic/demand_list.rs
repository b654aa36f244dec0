//! CSV with a header: one demand per line.

use std::collections::HashMap;

use csv::{Position, ReaderBuilder, StringRecord};

use super::{Format, Lines, Problem, Request, TrafficFileError};
use crate::integer::as_size;
use crate::quote::quote;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::topology::{Host, host_number};
use crate::traffic::{Demand, TrafficMatrix};

pub(super) const KIND: Kind<Format> = Kind {
    name: "csv",
    usage: "CSV with the header source,destination,demand",
    options: &[],
    about: "one demand per line, hosts by number or name in the network, amounts as decimals or \
            fractions; also src, dst, bytes or amount in the header, in any order",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &["source,destination,demand\n0,1,0.5\n2,0,1/3\n"],
    build: Format { detect: |line| columns(line).is_some(), read },
};

/// Names of the three columns.
const NAMES: [&[&str]; 3] =
    [&["source", "src"], &["destination", "dst"], &["demand", "bytes", "amount"]];

/// The columns of source, destination and demand, if `line` is a header with all three.
fn columns(line: &str) -> Option<[usize; 3]> {
    let words: Vec<String> =
        line.split(',').map(|word| word.trim().trim_matches('"').to_lowercase()).collect();
    let find = |names: &[&str]| words.iter().position(|word| names.contains(&word.as_str()));
    let found = [find(NAMES[0])?, find(NAMES[1])?, find(NAMES[2])?];
    (words.len() == 3).then_some(found)
}

fn read(lines: &mut Lines, request: &Request) -> Result<TrafficMatrix, TrafficFileError> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let order = columns(lines.text()).unwrap_or([0, 1, 2]);
    let text = lines.whole()?;
    let rows = Rows { lines, text: &text, names: request.hosts.names(), order, request };
    let mut csv = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let demands = csv.records().map(|record| rows.demand(record));
    let hosts = request.hosts.count();
    let matrix = itertools::process_results(demands, |demands| TrafficMatrix::new(hosts, demands));
    Ok(matrix??)
}

struct Rows<'l, 'r, 't> {
    lines: &'l Lines<'r>,
    text: &'l str,
    names: HashMap<&'t str, Host>,
    order: [usize; 3],
    request: &'l Request<'t>,
}

impl Rows<'_, '_, '_> {
    fn demand(&self, record: Result<StringRecord, csv::Error>) -> Result<Demand, TrafficFileError> {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, Position::line);
            let found = error.to_string();
            self.lines.fail_at(line, 1, Problem::syntax(&found, "a line of CSV"))
        })?;
        if record.len() != 3 {
            let problem = Problem::syntax(
                &record.iter().collect::<Vec<_>>().join(","),
                "source, destination and demand",
            );
            return Err(self.fail(&record, record.len().min(3), problem));
        }
        let [s, d, amount] = self.order;
        let amount_of = |text: &str| Ratio::from_decimal(text.trim());
        Ok(Demand {
            s: self.host(&record, s)?,
            d: self.host(&record, d)?,
            amount: amount_of(&record[amount])
                .map_err(|error| self.fail(&record, amount, error.into()))?,
        })
    }

    /// A name in the network takes precedence over a number: networks may name hosts as they like.
    fn host(&self, record: &StringRecord, field: usize) -> Result<Host, TrafficFileError> {
        let text = record[field].trim();
        if let Some(host) = self.names.get(text) {
            return Ok(*host);
        }
        let last = self.request.hosts.count().saturating_sub(1);
        let problem = match text.parse::<u64>() {
            Ok(number) if number <= last as u64 => return Ok(host_number(as_size(number))),
            Ok(found) => Problem::OutOfRange { found, low: 0, high: last as u64 },
            Err(_) => Problem::UnknownHost { name: quote(text), last },
        };
        Err(self.fail(record, field, problem))
    }

    fn fail(&self, record: &StringRecord, field: usize, problem: Problem) -> TrafficFileError {
        let (line, start) =
            record.position().map_or((1, 0), |place| (place.line(), as_size(place.byte())));
        let column = 1 + field_start(self.text.get(start..).unwrap_or_default(), field);
        self.lines.fail_at(line, column, problem)
    }
}

/// First byte of a field in a record's text; commas inside quotes are not separators.
fn field_start(record: &str, field: usize) -> usize {
    let mut quoted = false;
    let mut commas = record.bytes().enumerate().filter(|(_, byte)| {
        quoted ^= *byte == b'"';
        *byte == b',' && !quoted
    });
    match field.checked_sub(1) {
        Some(before) => {
            commas.nth(before).map_or(record.lines().next().map_or(0, str::len), |(at, _)| at + 1)
        }
        None => 0,
    }
}
