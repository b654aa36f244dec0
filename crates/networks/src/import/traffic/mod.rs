//! Traffic from files and specs.
//!
//! A format is recognised by its first line that is not blank, else by the extension of the file,
//! or is named: `file(format=pairs):PATH`. A file that shows nothing of this is read only if it can
//! be read in one way (`recognise.rs`). There is one file per format: to add one, add its file, its
//! `mod` line and its entry in [`FORMATS`], and a line in `timed.rs` if its files say when flows
//! start. Amounts are read as exact numbers, whatever their notation; that is why the Matrix Market
//! readers of other crates, which yield floats, are not used here.
//!
//! Demands of a host to itself are left out and counted; those of the same pair are summed. A
//! matrix with fewer hosts than the network is placed on the first hosts, or on random ones:
//! `file(place=random,seed=1):PATH`; where the hosts have names, one of the two must be given. A
//! file with several matrices requires `file(index=3):PATH`. Traffic of ranks may be placed on the hosts of a file:
//! `place="ranks.txt"` (`placement.rs`). How a file was read is said in notes
//! ([`open_noted`]).

mod booksim;
mod caminos;
mod connections;
mod demand_list;
mod error;
mod flows;
mod found;
mod hosts;
mod labelled;
mod lines;
mod matrix_market;
mod ns3;
mod orcs;
mod pairs;
mod placement;
mod prelude;
mod recognise;
mod repetita;
mod rows;
mod sndlib;
mod timed;

pub use error::{Problem, TrafficFileError};
pub use flows::{Flow, Flows, Start};
pub use found::{Form, Found};
pub use lines::{Lines, Word};
pub use recognise::format_of;
pub use timed::{ReadFlows, flows_of};

use std::io::BufRead;
use std::path::Path;

use error::Result;
use found::{Place, Source};
use placement::Placement;
use serde::Deserialize;

use crate::input::{Input, MAX_BYTES, STDIN};
use crate::registry::{self, Kind};
use crate::spec::{Spec, looks_like_path};
use crate::topology::Topology;
use crate::traffic::{self, Traffic, TrafficMatrix};

/// Recognises and reads one format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Whether a first line that is not blank is in this format, and in no other.
    pub detect: fn(&str) -> bool,
    /// Extensions that mean this format, in lower case, its name first where that is one.
    pub extensions: &'static [&'static str],
    /// Numbers of words in the lines of a list that nothing identifies as this format.
    pub bare: &'static [usize],
    /// Reads a text in this format, whose first line is the current one.
    pub read: Read,
}

/// Reads traffic among at most as many hosts as the request has.
pub type Read = fn(&mut Lines, &Request) -> Result<Found, TrafficFileError>;

/// Every traffic format. The examples are small files in the format.
pub const FORMATS: &[Kind<Format>] = &[
    matrix_market::KIND,
    sndlib::KIND,
    repetita::KIND,
    demand_list::KIND,
    labelled::KIND,
    pairs::KIND,
    orcs::KIND,
    caminos::KIND,
    connections::KIND,
    ns3::KIND,
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
    /// The hosts of a network, which numbers in a file count from 0 even if some have numbers as
    /// names.
    Counted(&'t Topology),
    /// The hosts of a network, which numbers in a file name where hosts are called by numbers, even if
    /// there is traffic of a host to itself.
    Named(&'t Topology),
}

impl<'t> Hosts<'t> {
    /// Number of hosts.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Numbered(count) => count,
            Self::Of(topology) | Self::Counted(topology) | Self::Named(topology) => {
                topology.hosts()
            }
        }
    }

    /// The network, if there is one.
    fn network(self) -> Option<&'t Topology> {
        match self {
            Self::Numbered(_) => None,
            Self::Of(topology) | Self::Counted(topology) | Self::Named(topology) => Some(topology),
        }
    }
}

/// The needs of a reader besides the text.
#[derive(Clone, Copy, Debug)]
pub struct Request<'t> {
    /// The hosts of the network.
    pub hosts: Hosts<'t>,
    /// Index of the matrix to read, of several in the file.
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

/// Traffic specs that are not patterns.
pub const SPECS: &[Kind<()>] = &[Kind {
    name: "file",
    usage: "file(index=0,place=linear|random,seed=1,format=NAME,hosts=names|index):PATH",
    about: "traffic from a file: matrix number index, its tasks on the first or on random hosts; a \
            path alone takes the only matrix of the file; format is for files that neither their first \
            line nor their extension shows, see `routebound list traffic-files`; with hosts=index, \
            numbers count the hosts from 0 even where hosts are called by numbers; with hosts=names they are \
            names there",
    reference: "see `routebound list traffic-files`",
    examples: &["file(index=3):tm.hist", "file(place=random,seed=7):matrix.mtx"],
    build: (),
}];

/// The traffic that a spec or a path names.
///
/// A spec of a known pattern, such as `ring`, is never a path. Otherwise the text is a path
/// if it is `-` (stdin), if such a file exists, or if it has a dot or a path separator and is not a
/// spec; `file(..):PATH` always names a file. Gzip-compressed files are
/// decompressed on the fly.
///
/// # Errors
/// [`TrafficFileError`]: no such file, an unknown format, a damaged file, more hosts
/// than the network has; the errors of [`traffic::generate`].
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::import::traffic::{Hosts, open};
/// assert_eq!(open("shift(1)", Hosts::Numbered(8))?.len(), 8);
/// assert!(open("no/such/file.mtx", Hosts::Numbered(8)).is_err());
/// # Ok::<(), routebound::import::traffic::TrafficFileError>(())
/// ```
pub fn open(text: &str, hosts: Hosts) -> Result<TrafficMatrix, TrafficFileError> {
    Ok(listed(text, hosts)?.0)
}

/// Reads traffic as [`open`] does, but without listing the demands of a regular pattern, and with notes on how a file
/// was read: its format, its size, the first and the last host.
///
/// # Errors
/// As [`open`], except for the number of demands of such a pattern.
pub fn open_noted(text: &str, hosts: Hosts) -> Result<(Traffic, Vec<String>), TrafficFileError> {
    let spec = Spec::parse(text).ok();
    if spec.is_some_and(|spec| is_pattern(&spec))
        && Placement::of(text).is_none()
        && let Some(products) = traffic::regular(text, hosts.count())?
    {
        return Ok((Traffic::Products(products), Vec::new()));
    }
    let (matrix, notes) = listed(text, hosts)?;
    Ok((Traffic::Listed(matrix), notes))
}

fn listed(text: &str, hosts: Hosts) -> Result<(TrafficMatrix, Vec<String>), TrafficFileError> {
    if let Some(placement) = Placement::of(text) {
        return placement.open(hosts);
    }
    let spec = Spec::parse(text).ok();
    match spec {
        Some(spec) if spec.name == "file" && spec.path.is_some() => open_file(&spec, hosts),
        spec if is_path(text, spec.as_ref()) => {
            let plain = Request { hosts, index: None };
            let mut reader = Input::open(text, MAX_BYTES)?;
            let (kind, found) = read(&mut Lines::new(text, &mut reader), &plain)?;
            found.placed(&Source { path: text, format: kind.name, place: Place::Unsaid }, hosts)
        }
        _ => {
            let matrix = match hosts.network() {
                Some(topology) => traffic::generate_on(text, topology)?,
                None => traffic::generate(text, hosts.count())?,
            };
            Ok((matrix, Vec::new()))
        }
    }
}

/// The name in reports of the traffic that [`open`] reads from `text`: the canonical spec, or the path.
///
/// # Errors
/// As [`open`] for specs; files are not opened.
pub fn canonical(text: &str) -> Result<String, TrafficFileError> {
    if let Some(placement) = Placement::of(text) {
        return Ok(placement.canonical(&canonical(&placement.ranks())?));
    }
    let spec = Spec::parse(text).ok();
    match spec {
        Some(mut spec) if spec.name == "file" && spec.path.is_some() => {
            spec = spec.checked(SPECS[0].usage)?;
            if spec.option("place") == Some("random") {
                spec.show("seed");
            }
            Ok(spec.to_string())
        }
        spec if is_path(text, spec.as_ref()) => Ok(text.to_string()),
        _ => Ok(traffic::canonical(text)?),
    }
}

#[derive(Deserialize)]
struct Options<'s> {
    index: Option<usize>,
    place: Option<traffic::Place>,
    seed: u64,
    format: Option<&'s str>,
    hosts: Option<Called>,
}

/// The names of hosts in a file.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Called {
    Names,
    Index,
}

fn open_file(spec: &Spec, hosts: Hosts) -> Result<(TrafficMatrix, Vec<String>), TrafficFileError> {
    let spec = &spec.clone().checked(SPECS[0].usage)?;
    let Options { index, place, seed, format, hosts: called } = spec.read()?;
    let format = format.map(|name| registry::find(FORMATS, "traffic format", name));
    let format = format.transpose().map_err(|error| spec.refused(error.to_string()))?;
    let place = match place {
        Some(traffic::Place::Random) => Place::Random(seed),
        Some(traffic::Place::Linear) => Place::First,
        None => Place::Unsaid,
    };
    let hosts = match (called, hosts.network()) {
        (Some(Called::Names), Some(network)) => Hosts::Named(network),
        (Some(Called::Index), Some(network)) => Hosts::Counted(network),
        _ => hosts,
    };
    let path = spec.path.as_deref().unwrap_or_default();
    let request = Request { hosts, index };
    let mut reader = Input::open(path, MAX_BYTES)?;
    let mut lines = Lines::new(path, &mut reader);
    let (kind, found) = match format {
        Some(kind) => {
            skip_blank(&mut lines)?;
            (kind, (kind.build.read)(&mut lines, &request)?)
        }
        None => read(&mut lines, &request)?,
    };
    found.placed(&Source { path, format: kind.name, place }, hosts)
}

fn is_pattern(spec: &Spec) -> bool {
    let name = traffic::name_of(&spec.name);
    spec.path.is_none() && traffic::KINDS.iter().any(|kind| kind.name == name)
}

fn is_path(text: &str, spec: Option<&Spec>) -> bool {
    let is_named = spec.is_none() && looks_like_path(text);
    !spec.is_some_and(is_pattern) && (text == STDIN || Path::new(text).exists() || is_named)
}

/// Reads traffic in any of the [`FORMATS`] from `reader`; `name` is for errors, and its extension
/// may say which.
///
/// The matrix may have fewer hosts than `request` has: see [`TrafficMatrix::placed`].
///
/// # Errors
/// As [`open`].
///
/// ```
/// # use routebound_networks as routebound;
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
    Ok(read(&mut Lines::new(name, reader), request)?.1.matrix)
}

/// The traffic of a text, and its format.
fn read(
    lines: &mut Lines,
    request: &Request,
) -> Result<(&'static Kind<Format>, Found), TrafficFileError> {
    skip_blank(lines)?;
    recognise::read(lines, request)
}

/// Advances to the first line that is not blank. Comments are not skipped: the header of Matrix
/// Market looks like one.
fn skip_blank(lines: &mut Lines) -> Result<(), TrafficFileError> {
    while lines.advance()? && lines.text().trim().is_empty() {}
    Ok(())
}
