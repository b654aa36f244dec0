//! Traces as CSV: a header and one message per line, in the order of their times.
//!
//! ```text
//! time_ns,source,destination,bytes
//! 0,0,5,8192
//! 1500,host-5,host-0,64
//! ```
//!
//! Hosts are given by number or by their name in the network, as
//! [`HostNames`](crate::topology::HostNames) reads them. Where hosts are called by numbers that are not
//! their own, a number is a name, unless [`Hosts::Counted`] says otherwise. Other numbers are
//! integers. Columns may be in
//! any order, and other columns are ignored. Files are streamed.

use std::io::{self, BufRead, Write};

use csv::{ReaderBuilder, StringRecord};

use super::error::{Problem, WorkloadError};
use super::trace::{Message, Trace};
use crate::import::traffic::{Hosts, Lines};
use crate::prelude::*;
use crate::quote::quote;
use crate::topology::{HostNames, NoHost, is_number};

/// The columns.
const COLUMNS: [&str; 4] = ["time_ns", "source", "destination", "bytes"];
const HEADER: &str = "time_ns,source,destination,bytes";

/// Whether a text begins as such files do.
pub(super) fn is_header(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').trim_start().lines().next();
    first.is_some_and(|line| place(line.split(','), COLUMNS[0]).is_some())
}

/// The trace in `reader`, which errors call `path`.
///
/// # Errors
/// [`WorkloadError`]: what cannot be read, or the line that does not fit.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::import::traffic::Hosts;
/// use routebound::simulation::workload::{read_trace, write_trace};
/// let text = "time_ns,source,destination,bytes\n0,0,5,8192\n1500,5,0,64\n";
/// let trace = read_trace("example", &mut text.as_bytes(), Hosts::Numbered(8))?;
/// assert_eq!((trace.len(), trace.bytes(), trace.end()), (2, 8256, 1500));
/// let mut written = Vec::new();
/// write_trace(&trace, &mut written)?;
/// assert_eq!(written, text.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_trace(
    path: &str,
    reader: &mut dyn BufRead,
    hosts: Hosts,
) -> Result<Trace, WorkloadError> {
    let mut rows = Rows { path, lines: Lines::new(path, reader), line: 0 };
    if !rows.advance()? {
        return Err(rows.fail(Problem::EndOfFile { expected: HEADER }));
    }
    let columns = rows.record().and_then(|header| columns(&header));
    let columns = columns.map_err(|problem| rows.fail(problem))?;
    let known = Known::of(hosts);
    let mut trace = Trace::empty(hosts.count());
    while rows.advance()? {
        let message = rows.record().and_then(|record| message(&record, columns, &known));
        let pushed = message.and_then(|(time, message)| Ok(trace.push(time, message)?));
        pushed.map_err(|problem| rows.fail(problem))?;
    }
    Ok(trace)
}

/// Writes a trace, hosts by number: to be read with [`Hosts::Counted`] where hosts are called by numbers.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::{Trace, write_trace};
/// let mut text = Vec::new();
/// write_trace(&Trace::empty(2), &mut text)?;
/// assert_eq!(text, b"time_ns,source,destination,bytes\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_trace(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for (time, Message { s, d, bytes }) in trace.messages() {
        writeln!(out, "{time},{s},{d},{bytes}")?;
    }
    Ok(())
}

/// Where a column is.
fn place<'h>(mut header: impl Iterator<Item = &'h str>, name: &str) -> Option<usize> {
    header.position(|word| word.trim().trim_matches('"').eq_ignore_ascii_case(name))
}

/// Where the columns are.
fn columns(header: &StringRecord) -> Result<[usize; 4], Problem> {
    let mut found = [0; 4];
    for (column, missing) in found.iter_mut().zip(COLUMNS) {
        let place = place(header.iter(), missing);
        *column = place.ok_or(Problem::NoColumn { missing, expected: HEADER })?;
    }
    Ok(found)
}

/// The hosts that a file may name.
enum Known<'t> {
    Numbers {
        last: usize,
    },
    Names(HostNames<'t>),
    /// Names that are numbers, such as this one.
    NumbersAsNames(HostNames<'t>, &'t str),
}

impl<'t> Known<'t> {
    fn of(hosts: Hosts<'t>) -> Self {
        match hosts {
            Hosts::Numbered(count) => Self::Numbers { last: count.saturating_sub(1) },
            Hosts::Counted(topology) => Self::Names(Topology::host_names(topology)),
            Hosts::Of(topology) | Hosts::Named(topology) => {
                let names = Topology::host_names(topology);
                match topology.numeric_host_name() {
                    Some(example) => Self::NumbersAsNames(names, example),
                    None => Self::Names(names),
                }
            }
        }
    }

    fn find(&self, text: &str) -> Result<Host, Problem> {
        let last = match self {
            Self::NumbersAsNames(names, _) if names.has(text) => return Ok(names.called(text)?),
            Self::NumbersAsNames(_, example) if is_number(text) => {
                let (name, example) = (text.into(), (*example).into());
                return Err(Problem::NotCalled { name, example });
            }
            Self::Names(names) | Self::NumbersAsNames(names, _) => return Ok(names.find(text)?),
            Self::Numbers { last } => *last,
        };
        match text.parse::<u64>() {
            Ok(number) if number <= last as u64 => Ok(host_number(as_size(number))),
            Ok(_) => Err(NoHost::Number { found: quote(text), last, hint: "" }.into()),
            Err(_) => Err(NoHost::Unknown { name: quote(text), last, hint: String::new() }.into()),
        }
    }
}

/// The lines of a file that are not empty.
struct Rows<'p, 'r> {
    path: &'p str,
    lines: Lines<'r>,
    /// Number of the current line, from 1.
    line: u64,
}

impl Rows<'_, '_> {
    /// Advances to the next line; returns whether there is one.
    fn advance(&mut self) -> Result<bool, WorkloadError> {
        loop {
            self.line += 1;
            if !self.lines.advance()? {
                return Ok(false);
            }
            if !self.lines.text().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The values of the line. Only those in quotation marks are not just what is between commas.
    fn record(&self) -> Result<StringRecord, Problem> {
        let line = self.lines.text();
        if !line.contains('"') {
            return Ok(line.split(',').collect());
        }
        let mut csv = ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let record = csv.records().next().and_then(Result::ok);
        record.ok_or_else(|| Problem::Syntax { found: quote(line), expected: "a line of CSV" })
    }

    fn fail(&self, problem: Problem) -> WorkloadError {
        WorkloadError::Content { path: self.path.into(), line: self.line, problem }
    }
}

fn message(
    record: &StringRecord,
    columns: [usize; 4],
    known: &Known,
) -> Result<(u64, Message), Problem> {
    let text = |column: usize| {
        let field = record.get(columns[column]).map(str::trim);
        field.ok_or_else(|| Problem::Syntax {
            found: quote(&record.iter().collect::<Vec<_>>().join(",")),
            expected: "as many values as the header has columns",
        })
    };
    let number = |column, expected| {
        let text = text(column)?;
        text.parse::<u64>().map_err(|_| Problem::Syntax { found: quote(text), expected })
    };
    let host = |column| known.find(text(column)?);
    let time = number(0, "a time in ns, an integer below 2^53")?;
    let bytes = number(3, "a number of bytes, an integer of at least 1")?;
    Ok((time, Message { s: host(1)?, d: host(2)?, bytes }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::topology;

    fn read(text: &str) -> Result<Trace, WorkloadError> {
        read_trace("x.csv", &mut text.as_bytes(), Hosts::Numbered(4))
    }

    const START: &str = "time_ns,source,destination,bytes\n5,0,1,64\n";

    #[test]
    fn columns_are_found_by_name() {
        let trace = read("\u{feff}bytes, Source ,time_ns,note,destination\r\n\r\n8,3,7,x,0\n");
        let message = Message { s: 3, d: 0, bytes: 8 };
        assert_eq!(trace.unwrap().messages(), [(7, message)]);
        assert_eq!(read("time_ns,source,destination,bytes").unwrap(), Trace::empty(4));
    }

    /// One refusal per reason, with the line; empty lines count.
    #[test]
    fn what_does_not_fit_is_refused() {
        for (rest, says) in [
            ("\n4,0,1,64", "line 4: time 4 ns is before that of the message before, 5 ns: sort"),
            ("6,2,2,64\n", "line 3: host 2 sends to itself: remove"),
            ("6,2,3,0\n", "line 3: a message of 0 bytes: give"),
            ("6,2,4,1\n", "line 3: there is no host 4; hosts are numbered 0 to 3"),
            ("6,n1,3,1\n", "line 3: there is no host `n1`: give its number, 0 to 3"),
            ("6.5,2,3,1\n", "line 3: found `6.5`, expected a time in ns"),
            ("-6,2,3,1\n", "line 3: found `-6`, expected a time in ns"),
            ("6,2,3,1e3\n", "line 3: found `1e3`, expected a number of bytes"),
            ("6,2,3\n", "line 3: found `6,2,3`, expected as many values as the header has"),
            ("6,2,3,68719476737\n", "line 3: number of bytes of a message is 68719476737, above"),
            ("9007199254740992,2,3,1\n", "line 3: time of a message in ns is 9007199254740992"),
            ("6,2,\u{0},1\n", "line 3, column 1: binary data"),
        ] {
            let error = read(&format!("{START}{rest}")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("x.csv, {says}")), "{rest}: {error}");
        }
        let missing = read("time,source,destination,bytes\n").unwrap_err().to_string();
        assert!(missing.contains("line 1: the header has no column `time_ns`"), "{missing}");
        for empty in ["", "\n \n"] {
            assert!(read(empty).unwrap_err().to_string().contains("the file ends here, expected"));
        }
    }

    #[test]
    fn hosts_have_names() {
        let tree = topology::generate("ft(4,2)").unwrap();
        let text = format!("{START}6,host-7,\"2\",\"9\"\n");
        let trace = read_trace("x", &mut text.as_bytes(), Hosts::Of(&tree)).unwrap();
        assert_eq!(trace.messages()[1], (6, Message { s: 7, d: 2, bytes: 9 }));
        // CSV takes one pair of quotation marks, names of digits need another.
        let text = format!("{START}6,host-7,\"\"\"2\"\"\",9\n");
        let error = read_trace("x", &mut text.as_bytes(), Hosts::Of(&tree)).unwrap_err();
        assert!(error.to_string().contains("there is no host `2`"), "{error}");
    }

    /// Names win where they are numbers, unless it is said that numbers count the hosts.
    #[test]
    fn numbers_are_names_where_hosts_are_called_by_them() {
        let mut graph = topology::generate("xgft(1;3;1)").unwrap().graph().clone();
        for (node, name) in graph.node_weights_mut().zip(["2", "3", "1"]) {
            node.name = name.into();
        }
        let star = Topology::new("star".into(), graph).unwrap();
        let open = |text: &str, hosts| read_trace("x", &mut text.as_bytes(), hosts);
        let text = "time_ns,source,destination,bytes\n5,1,2,64\n";
        let ends = |hosts| open(text, hosts).unwrap().messages()[0].1;
        assert_eq!(ends(Hosts::Of(&star)), Message { s: 2, d: 0, bytes: 64 });
        assert_eq!(ends(Hosts::Counted(&star)), Message { s: 1, d: 2, bytes: 64 });
        let text = "time_ns,source,destination,bytes\n5,0,1,64\n";
        let error = open(text, Hosts::Of(&star)).unwrap_err().to_string();
        assert!(error.contains("line 2: no host is called `0`"), "{error}");
        assert!(error.contains("trace(hosts=index):FILE"), "{error}");
        assert_eq!(open(text, Hosts::Counted(&star)).unwrap().len(), 1);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            steps in prop::collection::vec((0..1_u64 << 40, 0..9_u32, 1..9_u32, 1..1_u64 << 36), 0..60)
        ) {
            let mut time = 0;
            let messages = steps.into_iter().map(|(step, s, by, bytes)| {
                time += step;
                (time, Message { s, d: (s + by) % 9, bytes })
            });
            // Steps back to themselves are left out.
            let messages: Vec<_> = messages.filter(|(_, m)| m.s != m.d).collect();
            let trace = Trace::new(9, messages).unwrap();
            let mut text = Vec::new();
            write_trace(&trace, &mut text).unwrap();
            let read = read_trace("x", &mut text.as_slice(), Hosts::Numbered(9)).unwrap();
            prop_assert_eq!(read, trace);
        }
    }
}
