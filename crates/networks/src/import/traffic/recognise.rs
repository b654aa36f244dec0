//! What format a file is in.
//!
//! A first line that only one format begins with decides. Else the extension does, as it does when
//! traffic is written, unless a row of more than four numbers cannot begin such a file. Else, and this is
//! what remains, the file has no mark: rows of numbers, or a list of demands. With more than four
//! words in a row it is rows of numbers. With fewer, every format that could be meant reads it, and
//! one must be left over: a matrix has no traffic of a host to itself where a list fits as well, and
//! a list none of a host to itself or to a host that the network does not have. Four words are a trace
//! of packets only if that is said: tables of other kinds have as many.

use std::path::Path;

use super::{
    FORMATS, Format, Found, Hosts, Lines, Problem, Request, Result, TrafficFileError, labelled,
    ns3, pairs, rows,
};
use crate::import::nearest::by_examples;
use crate::limit::within;
use crate::quote::quote;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::NoHost;

/// Maximum number of words in a row of a list.
const LONGEST: usize = 4;
/// Maximum number of bytes of a file with short rows.
const MAX_BYTES: u64 = 1 << 28;

/// The outcome of reading a file in a format.
struct Reading {
    kind: &'static Kind<Format>,
    found: Result<Found>,
    /// Why it is refused, if it can be read by counting hosts only.
    refusal: Option<TrafficFileError>,
}

impl Reading {
    /// Whether it may be what is meant, if perhaps after a choice.
    fn is_read(&self) -> bool {
        self.found.is_ok() || self.is_several()
    }

    /// Whether it is read, and without traffic of a host to itself.
    fn is_right(&self) -> bool {
        let has_none = |found: &Found| found.matrix.self_demands() == 0;
        self.found.as_ref().is_ok_and(has_none) || self.is_several()
    }

    /// Whether it finds several matrices, of which one may be chosen.
    fn is_several(&self) -> bool {
        let Err(TrafficFileError::Whole { problem, .. }) = &self.found else { return false };
        matches!(problem, Problem::SeveralMatrices { .. })
    }

    fn is_matrix(&self) -> bool {
        self.kind.build.bare.is_empty()
    }

    /// Whether it is of four words, and so never what is meant unless that is said.
    fn is_trace(&self) -> bool {
        self.kind.build.bare.contains(&LONGEST)
    }
}

/// The format that the extension of `path` names, also before `.gz`.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::import::traffic::format_of;
/// assert_eq!(format_of("worst.booksim.gz".as_ref()).map(|kind| kind.name), Some("booksim"));
/// assert_eq!(format_of("GEANT.HIST".as_ref()).map(|kind| kind.name), Some("rows"));
/// assert!(format_of("traffic.txt".as_ref()).is_none());
/// ```
#[must_use]
pub fn format_of(path: &Path) -> Option<&'static Kind<Format>> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    if ending == "gz" {
        return format_of(Path::new(path.file_stem()?));
    }
    FORMATS.iter().find(|kind| kind.build.extensions.contains(&ending.as_str()))
}

/// Reads a text in the format that it shows, or else that its name shows. The first line that is not
/// blank is the current one.
pub(super) fn read(lines: &mut Lines, request: &Request) -> Result<(&'static Kind<Format>, Found)> {
    let shown = FORMATS.iter().find(|kind| (kind.build.detect)(lines.text()));
    if let Some(kind) = shown {
        return Ok((kind, (kind.build.read)(lines, request)?));
    }
    let may_begin = |kind: &&Kind<Format>| !is_long_row(lines) || !kind.build.bare.is_empty();
    match format_of(Path::new(lines.name())).filter(may_begin) {
        Some(kind) => {
            let found = (kind.build.read)(lines, request);
            Ok((kind, found.map_err(|error| error.by_extension(kind.name))?))
        }
        None if lines.text().trim().is_empty() => Err(unknown(lines)),
        None => without_mark(lines, request),
    }
}

/// Whether a line is a row of numbers that no list has.
fn is_long_row(lines: &Lines) -> bool {
    rows::is_numeric(lines.text()) && lines.words().nth(LONGEST).is_some()
}

/// A text that several formats must read.
struct Text {
    name: String,
    /// Lines before its first one.
    before: u64,
    content: String,
    /// The first line that is not a comment, empty if there is none.
    first: String,
    /// Words in each of its rows, if all have as many.
    width: Option<usize>,
    rows: usize,
    /// Rows after the first one, until one is not a flow.
    flows: usize,
}

impl Text {
    /// The text from the current line; `None` at a long row, which only one format has.
    fn gather(lines: &mut Lines) -> Result<Option<Self>> {
        let mut all = Self {
            name: lines.name().into(),
            before: lines.number().saturating_sub(1),
            content: String::new(),
            first: String::new(),
            width: None,
            rows: 0,
            flows: 0,
        };
        let mut more = true;
        while more {
            if all.rows == 0 && is_long_row(lines) {
                return Ok(None);
            }
            all.add(lines)?;
            more = lines.advance()?;
        }
        Ok(Some(all))
    }

    fn add(&mut self, lines: &Lines) -> Result<()> {
        let line = lines.text();
        self.content.push_str(line);
        self.content.push('\n');
        let what = format!("number of bytes of {}", self.name);
        let remedy = "name its format with file(format=NAME):PATH";
        within(&what, Some(self.content.len() as u128), MAX_BYTES, remedy)?;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            return Ok(());
        }
        let width = pairs::words(lines).len();
        if self.rows == 0 {
            (self.first, self.width) = (line.into(), Some(width));
        }
        self.width = self.width.filter(|known| *known == width);
        self.flows += usize::from(self.rows == self.flows + 1 && ns3::is_flow(line));
        self.rows += 1;
        Ok(())
    }

    fn read(&self, kind: &'static Kind<Format>, request: &Request) -> Result<Found> {
        let mut bytes = self.content.as_bytes();
        let mut lines = Lines::after(&self.name, &mut bytes, self.before);
        lines.advance()?;
        (kind.build.read)(&mut lines, request)
    }

    fn matrix(&self, kind: &'static Kind<Format>, request: &Request) -> Reading {
        Reading { kind, found: self.read(kind, request), refusal: None }
    }

    /// Reads a list, even if only numbers that count the hosts make it one.
    fn list(&self, kind: &'static Kind<Format>, request: &Request) -> Reading {
        let found = self.read(kind, request);
        if let (Err(refusal), Hosts::Of(network)) = (&found, request.hosts) {
            let counted = Request { hosts: Hosts::Counted(network), ..*request };
            let again = self.read(kind, &counted);
            if again.is_ok() {
                return Reading { kind, found: again, refusal: Some(refusal.clone()) };
            }
        }
        Reading { kind, found, refusal: None }
    }

    /// The outcomes of all formats.
    fn readings(&self, request: &Request) -> Vec<Reading> {
        let fits = |kind: &&Kind<Format>| {
            request.index.is_none()
                && self.width.is_some_and(|width| kind.build.bare.contains(&width))
        };
        let mut readings: Vec<Reading> =
            FORMATS.iter().filter(fits).map(|kind| self.list(kind, request)).collect();
        if !self.is_numeric() || self.width.is_none() {
            readings.push(self.matrix(&labelled::KIND, request));
        }
        if self.is_numeric() {
            readings.push(self.matrix(&rows::KIND, request));
        }
        readings
    }

    /// Whether it gives a number and then as many flows, or nothing but flows.
    fn has_flows(&self) -> bool {
        let is_enough = |count: u64| count <= self.flows as u64 || self.rows == self.flows + 1;
        let is_meant = |count: u64| count > 0 && self.flows > 0 && is_enough(count);
        ns3::announced(&self.first).is_some_and(is_meant)
    }

    fn is_numeric(&self) -> bool {
        self.first.is_empty() || rows::is_numeric(&self.first)
    }

    /// Whether its first word begins with a digit and is not a number, such as an address.
    fn begins_with_name(&self) -> bool {
        let word = self.first.trim_start().split([',', ';', ' ', '\t']).next().unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_digit()) && Rational::from_decimal(word).is_err()
    }

    /// Number of its first line that is not a comment.
    fn first_line(&self) -> u64 {
        let at = self.content.lines().position(|line| line == self.first).unwrap_or_default();
        self.before + at as u64 + 1
    }

    /// The reading of the text by a format, with the option that chooses it.
    fn taken_for(&self, reading: &Reading) -> String {
        let (rows, format) = (self.rows, reading.kind.name);
        let hosts = if reading.refusal.is_some() { ",hosts=index" } else { "" };
        match &reading.found {
            Ok(found) if reading.is_matrix() => {
                format!("a matrix of {} hosts, file(format={format}):PATH", found.matrix.hosts())
            }
            Ok(_) => format!("a list of {rows} demands, file(format={format}{hosts}):PATH"),
            Err(_) => format!("{rows} matrices of 2 hosts, file(index=0):PATH"),
        }
    }

    /// The error of the format that was most likely meant, if there is one.
    fn refusal(&self, readings: &[Reading]) -> Option<TrafficFileError> {
        let of = |name: &str| {
            let found = readings.iter().find(|reading| reading.kind.name == name);
            found.and_then(|reading| reading.found.as_ref().err().cloned())
        };
        let is_list = |width| (2..LONGEST).contains(&width) && width != self.rows;
        let list = of(pairs::KIND.name);
        if self.is_numeric() {
            let is_meant = self.width.is_some_and(is_list);
            return list
                .filter(|error| is_meant && (names_no_host(error) || self.begins_with_name()))
                .or_else(|| of(rows::KIND.name));
        }
        // Hosts by name: a list if its first line can be read.
        list.filter(|error| match error {
            TrafficFileError::Content { line, .. } => *line > self.first_line(),
            _ => false,
        })
    }
}

/// Whether a number that should be a host is none.
fn names_no_host(error: &TrafficFileError) -> bool {
    let TrafficFileError::Content { problem, .. } = error else { return false };
    matches!(
        problem,
        Problem::OutOfRange { .. }
            | Problem::NotCalled { .. }
            | Problem::ToItself { .. }
            | Problem::NoHost(NoHost::Number { .. })
    )
}

fn without_mark(lines: &mut Lines, request: &Request) -> Result<(&'static Kind<Format>, Found)> {
    let unknown = unknown(lines);
    let Some(text) = Text::gather(lines)? else {
        return Ok((&rows::KIND, (rows::KIND.build.read)(lines, request)?));
    };
    if text.has_flows() {
        return Ok((&ns3::KIND, text.read(&ns3::KIND, request)?));
    }
    let readings = text.readings(request);
    match left(&readings)[..] {
        [] => Err(text.refusal(&readings).unwrap_or(unknown)),
        [one @ Reading { kind, found, refusal }] if !one.is_trace() => match refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok((kind, found.clone()?)),
        },
        ref several => {
            let all: Vec<String> = several.iter().map(|reading| text.taken_for(reading)).collect();
            let problem = Problem::SeveralReadings { readings: all.join(", or ") };
            Err(TrafficFileError::Whole { path: text.name, problem })
        }
    }
}

/// The meaning of a text: one reading, or several of which one must be chosen.
fn left(readings: &[Reading]) -> Vec<&Reading> {
    let is_matrix = |reading: &Reading| reading.is_matrix() && reading.found.is_ok();
    if readings.iter().any(|reading| is_matrix(reading) && reading.is_right()) {
        return readings.iter().filter(|one| one.is_right() && !one.is_trace()).collect();
    }
    if readings.iter().any(|reading| reading.is_right() && !reading.is_trace()) {
        return readings.iter().filter(|reading| reading.is_right()).collect();
    }
    readings.iter().filter(|reading| reading.is_read()).collect()
}

fn unknown(lines: &Lines) -> TrafficFileError {
    let start = quote(lines.text());
    let found = if start.is_empty() {
        "it is empty".into()
    } else if lines.text().starts_with("num_ranks ") {
        "it is a GOAL schedule, which is a workload for simulations: goal:FILE".into()
    } else {
        format!("it starts with `{start}`")
    };
    let known = by_examples(lines.text(), FORMATS);
    TrafficFileError::UnknownFormat { path: lines.name().into(), found, known }
}
