//! Workloads by name or by path.

use std::path::MAIN_SEPARATOR;

use super::collectives::{self, COLLECTIVES};
use super::error::WorkloadError;
use super::goal::read_program;
use super::program::Program;
use super::trace::Trace;
use super::trace_csv::{is_header, read_trace};
use super::traces::{self, TRACES};
use crate::import::traffic::Hosts;
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
/// file that ends in `.csv` is a trace, one that ends in `.goal` a program, both also with `.gz`; any other
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
    let is_goal = head.contains("num_ranks");
    is_goal.then_some(Format::Goal).ok_or_else(|| unrecognised(path))
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
