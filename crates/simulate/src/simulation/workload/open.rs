//! Workloads by name or by path.

use std::path::MAIN_SEPARATOR;

use super::collectives::{self, COLLECTIVES};
use super::error::WorkloadError;
use super::flows::read_flows;
use super::goal::read_program;
use super::program::Program;
use super::trace::Trace;
use super::trace_csv::{is_header, read_trace};
use super::traces::{self, TRACES};
use crate::import::traffic::{Hosts, ReadFlows, flows_of};
use crate::input::{Input, InputError, MAX_BYTES};
use crate::registry::Kind;
use crate::spec::Spec;

/// Messages of hosts over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Messages at given times.
    Trace(Trace),
    /// Operations that wait for each other.
    Program(Program),
}

/// Number of bytes at the start of a file by which its format is recognised.
const HEAD: usize = 1 << 12;

/// Whether `text` is the spec of a collective or of a trace, and not a path.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::is_named;
/// assert!(is_named("alltoall(bytes=64)") && is_named("disks"));
/// assert!(!is_named("disks.csv"));
/// ```
#[must_use]
pub fn is_named(text: &str) -> bool {
    Spec::parse(text).is_ok_and(|spec| has(COLLECTIVES, &spec) || has(TRACES, &spec))
}

fn has<B>(kinds: &[Kind<B>], spec: &Spec) -> bool {
    spec.path.is_none() && kinds.iter().any(|kind| kind.name == spec.name)
}

/// The workload that a spec or a path names, and how reports name it: the canonical spec, or the path.
///
/// A spec of a known collective or trace is never a path. Otherwise the text is one, or `-` (stdin): a
/// file that ends in `.csv` or `.cm` is a trace, one that ends in `.goal` a program, all also with `.gz`; any other
/// shows by its first 4 KiB what it is. Gzip-compressed files are decompressed on the fly. The ranks
/// of a program are the first hosts.
///
/// # Errors
/// [`WorkloadError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::import::traffic::Hosts;
/// use routebound::simulation::workload::{Workload, open};
/// let (workload, name) = open("barrier", Hosts::Numbered(8))?;
/// assert!(matches!(workload, Workload::Program(program) if program.messages() == 24));
/// assert_eq!(name, "barrier");
/// assert!(open("no/such/trace.csv", Hosts::Numbered(8)).is_err());
/// # Ok::<(), routebound::simulation::workload::WorkloadError>(())
/// ```
pub fn open(text: &str, hosts: Hosts) -> Result<(Workload, String), WorkloadError> {
    match Spec::parse(text) {
        Ok(spec) if has(COLLECTIVES, &spec) => {
            let (program, name) = collectives::generate(text, hosts.count())?;
            Ok((Workload::Program(program), name))
        }
        Ok(spec) if has(TRACES, &spec) => {
            let (trace, name) = traces::generate(text, hosts.count())?;
            Ok((Workload::Trace(trace), name))
        }
        _ => Ok((read(text, hosts)?, text.into())),
    }
}

/// The formats of files.
enum Format {
    Csv,
    Goal,
    Flows(ReadFlows),
}

fn read(path: &str, hosts: Hosts) -> Result<Workload, WorkloadError> {
    let by_name = by_name(path);
    let is_path = by_name.is_some() || path.contains(['/', MAIN_SEPARATOR]);
    let mut input = Input::open(path, MAX_BYTES).map_err(|error| match error {
        // More likely a misspelt name.
        InputError::NoSuchFile { .. } if !is_path => unrecognised(path),
        other => other.into(),
    })?;
    let format = by_name.map_or_else(|| by_head(path, &mut input), Ok)?;
    Ok(match format {
        Format::Csv => Workload::Trace(read_trace(path, &mut input, hosts)?),
        Format::Goal => Workload::Program(read_program(path, &mut input, hosts.count())?),
        Format::Flows(read) => Workload::Trace(read_flows(path, &mut input, hosts, read)?),
    })
}

fn by_name(path: &str) -> Option<Format> {
    let path = path.to_ascii_lowercase();
    match path.strip_suffix(".gz").unwrap_or(&path).rsplit_once('.') {
        Some((_, "csv")) => Some(Format::Csv),
        Some((_, "goal")) => Some(Format::Goal),
        _ => None,
    }
}

fn by_head(path: &str, input: &mut Input) -> Result<Format, WorkloadError> {
    let head = String::from_utf8_lossy(input.head(HEAD)).into_owned();
    input.check_head().map_err(|error| InputError::of(path, error))?;
    if is_header(&head) {
        return Ok(Format::Csv);
    }
    // Comments may come first.
    if head.contains("num_ranks") {
        return Ok(Format::Goal);
    }
    flows_of(path, &head).map(Format::Flows).ok_or_else(|| unrecognised(path))
}

fn unrecognised(text: &str) -> WorkloadError {
    let (collectives, traces) = (names(COLLECTIVES), names(TRACES));
    WorkloadError::Unrecognised { text: text.into(), collectives, traces }
}

fn names<B>(kinds: &[Kind<B>]) -> String {
    kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::super::trace::Message;
    use super::*;

    const CSV: &str = "time_ns,source,destination,bytes\n5,0,1,64\n";
    const GOAL: &str =
        "/* two */ num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";

    fn opened(suffix: &str, content: &[u8]) -> Result<Workload, String> {
        let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
        file.write_all(content).unwrap();
        let path = file.path().to_str().unwrap();
        let (workload, name) = open(path, Hosts::Numbered(4)).map_err(|error| error.to_string())?;
        assert_eq!(name, path);
        Ok(workload)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_file_is_known_by_its_name_or_its_beginning() {
        for suffix in [".csv", ".CSV", "", ".txt"] {
            assert!(matches!(opened(suffix, CSV.as_bytes()), Ok(Workload::Trace(_))), "{suffix}");
        }
        for suffix in [".goal", "", ".txt"] {
            assert!(matches!(opened(suffix, GOAL.as_bytes()), Ok(Workload::Program(_))));
        }
        assert!(matches!(opened(".csv.gz", &gzip(CSV)), Ok(Workload::Trace(_))));
        assert!(matches!(opened(".goal.gz", &gzip(GOAL)), Ok(Workload::Program(_))));
        assert!(matches!(opened("", &gzip(GOAL)), Ok(Workload::Program(_))));
        // The name decides.
        assert!(opened(".csv", GOAL.as_bytes()).unwrap_err().contains("no column `time_ns`"));
        assert!(opened("", b"hello\n").unwrap_err().contains("is neither a collective"));
    }

    /// Starts are sorted, and in nanoseconds whatever the file counts in.
    #[test]
    fn flows_are_traces() {
        let cm = "Nodes 3\nConnections 2\n0->2 id 1 start 2500000 size 9\n2->1 start 999 size 7\n";
        let flows = "2\n0 2 3 100 9 0.0000025\n2 1 3 100 7 0\nafter the flows\n";
        for (suffix, text) in [(".cm", cm), ("", cm), ("", flows), (".txt", flows)] {
            let Ok(Workload::Trace(trace)) = opened(suffix, text.as_bytes()) else {
                panic!("{suffix}: {text}")
            };
            let [first, last] = [(2, 1, 7), (0, 2, 9)].map(|(s, d, bytes)| Message { s, d, bytes });
            assert_eq!(trace.messages(), [(0, first), (2500, last)], "{text}");
        }
        let of = |line: &str| {
            let text = format!("Nodes 3\nConnections 2\n0->1 id 1 start 0 size 5\n{line}\n");
            opened(".cm", text.as_bytes()).unwrap_err()
        };
        for (line, says) in [
            (
                "1->2 id 2 trigger 1 size 5",
                "line 4: a connection that waits for a trigger cannot be",
            ),
            ("1->2 id 2 size 5", "line 4: found `no start`, expected `start`"),
            ("1->2 id 2 start 1 size 1.5", "line 4: found `3/2`, expected a number of bytes"),
            ("1->1 id 2 start 1 size 5", "line 4: host 1 sends to itself"),
            ("1->2 id 2 start 1 size 0", "line 4: a message of 0 bytes"),
            ("1->3 id 2 start 1 size 5", "line 4, column 4: index 3 is out of range"),
            (
                "1->2 start 1 size 5\nfailure switch_type TOR",
                "line 5: a failure of a link cannot be",
            ),
        ] {
            assert!(of(line).contains(says), "no `{says}` in: {}", of(line));
        }
        let sizeless = "Nodes 2\nConnections 1\n0->1 start 0\n";
        assert!(
            opened(".cm", sizeless.as_bytes()).unwrap_err().contains("line 3: found `no size`")
        );
    }

    #[test]
    fn a_name_is_no_path() {
        let of = |text| open(text, Hosts::Numbered(128));
        assert!(
            matches!(of("disks(requests=9)"), Ok((Workload::Trace(_), name)) if name.ends_with("seed=1)"))
        );
        let error = of("alltoal").unwrap_err().to_string();
        assert!(
            error.contains("`alltoal` is neither a collective (alltoall, allreduce,"),
            "{error}"
        );
        assert!(error.contains("nor a trace (disks)"));
        let error = of("./alltoal").unwrap_err().to_string();
        assert_eq!(error, "./alltoal: no such file");
        assert!(of("missing.goal").unwrap_err().to_string().contains("no such file"));
    }
}
