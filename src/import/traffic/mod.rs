//! Traffic from files and specs.
//!
//! A format is recognised by its first line that is not blank, never by the file name, or is
//! named: `file(format=pairs):PATH`. There is one file per format: to add one, add its file, its
//! `mod` line and its entry in [`FORMATS`]. Amounts are read as exact numbers, whatever their
//! notation; that is why the Matrix Market readers of other crates, which yield floats, are not
//! used here.
//!
//! Demands of a host to itself are left out and counted; those of the same pair are summed. A
//! matrix with fewer hosts than the network is placed on the first hosts, or on random ones:
//! `file(place=random,seed=1):PATH`. A file with several matrices requires
//! `file(index=3):PATH`.

mod booksim;
mod caminos;
mod demand_list;
mod error;
mod lines;
mod matrix_market;
mod orcs;
mod pairs;
mod repetita;
mod rows;
mod sndlib;

pub use error::{Problem, TrafficFileError};
pub use lines::{Lines, Word};

use std::collections::HashMap;
use std::io::BufRead;
use std::path::{MAIN_SEPARATOR, Path};

use crate::input::{Input, MAX_BYTES, STDIN};
use crate::quote::quote;
use crate::registry::{self, Kind};
use crate::spec::Spec;
use crate::topology::{Host, Topology};
use crate::traffic::{self, Traffic, TrafficMatrix};

/// Recognises and reads one format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Whether a first line that is not blank is in this format.
    pub detect: fn(&str) -> bool,
    /// Reads a text in this format, whose first line is the current one.
    pub read: Read,
}

/// Reads a matrix with at most as many hosts as the request has.
pub type Read = fn(&mut Lines, &Request) -> Result<TrafficMatrix, TrafficFileError>;

/// Every traffic format. The first one that recognises a file reads it. The examples are small
/// files in the format.
pub const FORMATS: &[Kind<Format>] = &[
    matrix_market::KIND,
    sndlib::KIND,
    repetita::KIND,
    demand_list::KIND,
    pairs::KIND,
    orcs::KIND,
    caminos::KIND,
    rows::KIND,
    booksim::KIND,
];

/// The hosts among which traffic flows.
#[derive(Clone, Copy, Debug)]
pub enum Hosts<'t> {
    /// A given number of hosts, numbered but without names.
    Numbered(usize),
    /// The hosts of a network.
    Of(&'t Topology),
}

impl<'t> Hosts<'t> {
    /// Number of hosts.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Numbered(count) => count,
            Self::Of(topology) => topology.hosts(),
        }
    }

    /// The network, if there is one.
    fn network(self) -> Option<&'t Topology> {
        match self {
            Self::Numbered(_) => None,
            Self::Of(topology) => Some(topology),
        }
    }

    /// The hosts by name, for files that use names.
    fn names(self) -> HashMap<&'t str, Host> {
        match self {
            Self::Numbered(_) => HashMap::new(),
            Self::Of(topology) => {
                let hosts = topology.host_numbers();
                hosts.map(|host| (topology.node(host).name.as_str(), host)).collect()
            }
        }
    }
}

/// What a reader needs besides the text.
#[derive(Clone, Copy, Debug)]
pub struct Request<'t> {
    /// The hosts of the network.
    pub hosts: Hosts<'t>,
    /// Which of several matrices in the file to read.
    pub index: Option<usize>,
}

impl Request<'_> {
    /// Refuses a matrix with more hosts than the network has.
    fn check_hosts(&self, found: u64) -> Result<(), Problem> {
        let hosts = self.hosts.count();
        if found > hosts as u64 { Err(Problem::TooManyHosts { found, hosts }) } else { Ok(()) }
    }

    /// Refuses an index other than 0 if the format holds only one matrix.
    fn check_only(&self) -> Result<(), Problem> {
        match self.index {
            Some(index) if index > 0 => Err(Problem::NoSuchMatrix { index, count: 1 }),
            _ => Ok(()),
        }
    }
}

const USAGE: &str = "file(index=0,place=linear|random,seed=1,format=NAME):PATH";

/// Traffic specs that are not patterns.
pub const SPECS: &[Kind<()>] = &[Kind {
    name: "file",
    usage: USAGE,
    options: &["index", "place", "seed", "format"],
    about: "traffic from a file: matrix number index, its tasks on the first or on random hosts; a \
            path alone takes the only matrix of the file; format is for files whose first line \
            does not show it, see `routebound list traffic-files`",
    reference: "see `routebound list traffic-files`",
    examples: &["file(index=3):tm.hist", "file(place=random,seed=7):matrix.mtx"],
    build: (),
}];

/// Extensions that mark a text as a path even if no such file exists.
const EXTENSIONS: &[&str] =
    &["csv", "dat", "demands", "gz", "hist", "mat", "mtx", "tsv", "txt", "xml"];

/// The traffic that a spec or a path names.
///
/// A spec of a known pattern, such as `ring`, is never a path. Otherwise the text is a path
/// if it is `-` (stdin), if such a file exists, if it contains a path separator, or if it has one
/// of the known file extensions; `file(..):PATH` always names a file. Gzip-compressed files are
/// decompressed on the fly.
///
/// # Errors
/// [`TrafficFileError`]: no such file, an unknown format, a damaged file, more hosts
/// than the network has; the errors of [`traffic::generate`].
///
/// ```
/// use routebound::import::traffic::{Hosts, open};
/// assert_eq!(open("shift(1)", Hosts::Numbered(8))?.len(), 8);
/// assert!(open("no/such/file.mtx", Hosts::Numbered(8)).is_err());
/// # Ok::<(), routebound::import::traffic::TrafficFileError>(())
/// ```
pub fn open(text: &str, hosts: Hosts) -> Result<TrafficMatrix, TrafficFileError> {
    let spec = Spec::parse(text).ok();
    let plain = Request { hosts, index: None };
    match spec {
        Some(spec) if spec.name == "file" && spec.path.is_some() => open_file(&spec, hosts),
        spec if is_path(text, spec.as_ref()) => {
            let matrix = read(&mut Lines::new(text, &mut Input::open(text, MAX_BYTES)?), &plain)?;
            Ok(matrix.placed(hosts.count(), None)?)
        }
        _ => Ok(traffic::generate(text, hosts.count())?),
    }
}

/// The same, without listing the demands of a regular pattern.
///
/// # Errors
/// As [`open`], except for the number of demands of such a pattern.
pub fn open_any(text: &str, hosts: Hosts) -> Result<Traffic, TrafficFileError> {
    let spec = Spec::parse(text).ok();
    if spec.is_some_and(|spec| is_pattern(&spec))
        && let Some(products) = traffic::regular(text, hosts.count())?
    {
        return Ok(Traffic::Products(products));
    }
    Ok(Traffic::Listed(open(text, hosts)?))
}

/// How reports name what [`open`] reads from `text`: the canonical spec, or the path.
///
/// # Errors
/// As [`open`] for specs; files are not opened.
pub fn canonical(text: &str) -> Result<String, TrafficFileError> {
    let spec = Spec::parse(text).ok();
    match spec {
        Some(mut spec) if spec.name == "file" && spec.path.is_some() => {
            if traffic::is_random(&spec, USAGE)? {
                spec.show_seed();
            }
            Ok(spec.to_string())
        }
        spec if is_path(text, spec.as_ref()) => Ok(text.to_string()),
        _ => Ok(traffic::canonical(text)?),
    }
}

fn open_file(spec: &Spec, hosts: Hosts) -> Result<TrafficMatrix, TrafficFileError> {
    spec.arguments(0, &["index", "place", "seed", "format"], USAGE)?;
    let format = spec.option("format").map(|name| registry::find(FORMATS, "traffic format", name));
    let format = format.transpose().map_err(|error| spec.bad(USAGE, error.to_string()))?;
    let index = spec.option("index").map(|_| spec.integer_option("index", 0, USAGE)).transpose()?;
    let index = index.map(|index| usize::try_from(index).unwrap_or(usize::MAX));
    let place = traffic::is_random(spec, USAGE)?;
    let seed = place.then(|| spec.seed(USAGE)).transpose()?;
    let path = spec.path.as_deref().unwrap_or_default();
    let request = Request { hosts, index };
    let mut reader = Input::open(path, MAX_BYTES)?;
    let mut lines = Lines::new(path, &mut reader);
    let matrix = match format {
        Some(kind) => {
            skip_blank(&mut lines)?;
            (kind.build.read)(&mut lines, &request)?
        }
        None => read(&mut lines, &request)?,
    };
    Ok(matrix.placed(hosts.count(), seed)?)
}

fn is_pattern(spec: &Spec) -> bool {
    spec.path.is_none() && traffic::KINDS.iter().any(|kind| kind.name == spec.name)
}

fn is_path(text: &str, spec: Option<&Spec>) -> bool {
    let path = Path::new(text);
    let ending = path.extension().and_then(|ending| ending.to_str());
    !spec.is_some_and(is_pattern)
        && (text == STDIN
            || path.exists()
            || text.contains(['/', MAIN_SEPARATOR])
            || ending.is_some_and(|ending| EXTENSIONS.contains(&ending)))
}

/// Reads traffic in any of the [`FORMATS`] from `reader`; `name` is for errors.
///
/// The matrix may have fewer hosts than `request` has: see [`TrafficMatrix::placed`].
///
/// # Errors
/// As [`open`].
///
/// ```
/// use routebound::import::traffic::{Hosts, Request, read_from};
/// let request = Request { hosts: Hosts::Numbered(4), index: None };
/// let matrix = read_from("rows", &mut "0 1.5\n2 0\n".as_bytes(), &request)?;
/// assert_eq!(matrix.amount(0, 1).to_string(), "3/2");
/// assert_eq!(matrix.hosts(), 2);
/// # Ok::<(), routebound::import::traffic::TrafficFileError>(())
/// ```
pub fn read_from(
    name: &str,
    reader: &mut dyn BufRead,
    request: &Request,
) -> Result<TrafficMatrix, TrafficFileError> {
    read(&mut Lines::new(name, reader), request)
}

fn read(lines: &mut Lines, request: &Request) -> Result<TrafficMatrix, TrafficFileError> {
    skip_blank(lines)?;
    match FORMATS.iter().find(|kind| (kind.build.detect)(lines.text().trim_start())) {
        Some(kind) => (kind.build.read)(lines, request),
        None => Err(unknown_format(lines)),
    }
}

/// Advances to the first line that is not blank. Comments are not skipped: the header of Matrix
/// Market looks like one.
fn skip_blank(lines: &mut Lines) -> Result<(), TrafficFileError> {
    while lines.advance()? && lines.text().trim().is_empty() {}
    Ok(())
}

fn unknown_format(lines: &Lines) -> TrafficFileError {
    let start = quote(lines.text());
    let found =
        if start.is_empty() { "it is empty".into() } else { format!("it starts with `{start}`") };
    let usages: Vec<&str> = FORMATS.iter().map(|kind| kind.usage).collect();
    TrafficFileError::UnknownFormat { path: lines.name().into(), found, known: usages.join("; ") }
}
