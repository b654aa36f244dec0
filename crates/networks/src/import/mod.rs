//! Networks, forwarding tables and jobs from external formats.
//!
//! A format is recognised by its content, never by the file name, because dumps travel under
//! any name. There is one file per format: to add one, add its file, its `mod` line and its
//! entry in [`KINDS`] (networks) or [`TABLE_KINDS`] (forwarding tables). An importer rejects what
//! it does not understand instead of skipping it: a skipped line is a cable or a route that is
//! silently missing from every figure computed afterwards.
//!
//! Networks come from two worlds. InfiniBand fabrics are listed cable by cable, from both ends;
//! one checked record serves all their formats. General networks are nodes and links, directed
//! or not, with capacities in any unit; one listing serves all their formats and also decides
//! what an undirected link is ([`LinkModel`]). Fabric capacities are in units of a host link;
//! those of general networks are exactly as written, in bit/s if they have a unit (`1Gbps`).
//! Whatever a format leaves open and the reader had to decide is recorded in
//! [`Topology::notes`].
//!
//! Entries of a format of forwarding tables are switch GUID, LID and port. Tables without LIDs become `table:FILE` or a
//! routing of their own, and so do adaptive ones (`far`). A new format needs an example in `instances/` and its name
//! among those that `routing/lft.rs` names.
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::{import::{self, ImportOptions}, routing};
//! let folder = "instances/fabrics/ft8x3/updn";
//! let dump = format!("{folder}/ibnetdiscover.out.gz");
//! let fabric = import::topology(&dump, &ImportOptions::default())?;
//! let tables = routing::build(&format!("lft:{folder}/opensm-lfts.dump.gz"), &fabric)?;
//! assert!(fabric.hosts() == 128 && tables.is_single_path());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anynet;
mod assemble;
mod capacity;
mod collector;
mod db_csv;
mod dot;
mod edge_list;
mod error;
mod fabric;
mod far;
mod fdbs;
mod fields;
mod foreign;
mod general;
mod gml;
mod graphml;
mod guid_tables;
mod iblinkinfo;
mod ibnetdiscover;
pub mod jobs;
mod lanes;
mod lft_dump;
mod lgf;
mod listing;
mod lldp;
mod nearest;
mod net_dump;
mod node_link;
mod ns3;
mod planes;
mod ports;
mod prelude;
mod problem;
mod rate;
mod repetita;
mod sections;
mod smdb;
mod sndlib;
mod sndlib_native;
mod sndlib_words;
mod source;
mod subnet_lst;
mod switch_table;
mod tables;
pub mod text;
pub mod traffic;
mod weight;
mod xml;
mod xml_rules;

pub use collector::{Collector, ForwardingTables, MAX_ENTRIES, ReadTables, TableNote};
pub use error::ImportError;
pub use far::{AdaptiveTables, SwitchChoices, adaptive_tables};
pub use lanes::{LaneTables, ServiceLevels, lane_tables, service_levels};
pub use problem::Problem;
pub use switch_table::{OutPorts, SwitchTable};
pub use tables::{TABLE_KINDS, tables, tables_as_far_as_they_go};

use std::path::Path;

use error::Result;
use text::TextFile;

use crate::input::STDIN;
use crate::quote::quote;
use crate::registry::Kind;
use crate::routing::lid_tables::OFFSETS_HEADER;
use crate::spec::{Spec, looks_like_path};
use crate::topology::{self, Topology};

/// Options of reading a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Every link has capacity 1, whatever the file says about speeds.
    pub unit_capacity: bool,
    /// Parallel cables are one link of their summed capacity ([`Topology::merge_cables`]).
    pub merge_cables: bool,
    /// The meaning of an undirected link of a general network.
    pub link_model: LinkModel,
}

/// The meaning of an undirected link of capacity c. The models are those of SNDlib.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkModel {
    /// Two directed links of capacity c: full duplex.
    #[default]
    Bidirected,
    /// Both directions share capacity c. This is modelled by two switches per link and five
    /// directed links of capacity c: u→x, v→x, x→y, y→u, y→v.
    UndirectedShared,
    /// One directed link, in the direction the file gives.
    Directed,
}

/// Recognises and reads one format; `R` is the reader.
#[derive(Clone, Copy, Debug)]
pub struct Importer<R> {
    /// Whether the start of a file (at most 64 KiB) is in this format.
    pub detect: fn(&str) -> bool,
    /// Reads a file in this format.
    pub read: R,
}

/// Reads a network.
pub type ReadTopology = fn(TextFile, &ImportOptions) -> Result<Topology, ImportError>;

/// Every network format. The first one that recognises a file reads it.
pub const KINDS: &[Kind<Importer<ReadTopology>>] = &[
    ibnetdiscover::KIND,
    ports::KIND,
    iblinkinfo::KIND,
    net_dump::KIND,
    subnet_lst::KIND,
    lldp::KIND,
    smdb::KIND,
    db_csv::KIND,
    graphml::KIND,
    sndlib::KIND,
    sndlib_native::KIND,
    repetita::KIND,
    dot::KIND,
    gml::KIND,
    anynet::KIND,
    ns3::KIND,
    node_link::KIND,
    lgf::KIND,
    edge_list::KIND,
];

/// The formats of [`KINDS`] that are dumps of fabrics, which may come with forwarding tables; formats that
/// tell more come first. `ibdiagnet2.net_dump` and `opensm-subnet.lst` are beside others that tell more.
pub const FABRIC_KINDS: &[Kind<Importer<ReadTopology>>] =
    &[ibnetdiscover::KIND, ports::KIND, db_csv::KIND, smdb::KIND, iblinkinfo::KIND, lldp::KIND];

/// The network that a spec or a path names.
///
/// A spec of a known family, such as `ft(8,3)`, is never a path. Otherwise the text is a path
/// if it is `-` (stdin), if such a file exists, or if it has a dot or a path separator and is not a spec.
/// `planes:FILE,FILE,..` joins networks at their hosts ([`Topology::of_planes`]).
///
/// # Errors
/// [`ImportError`]: no such file, an unknown format, a damaged file; the errors of
/// [`topology::generate`].
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::import::{ImportOptions, topology};
/// let options = ImportOptions::default();
/// let fabric = topology("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz", &options)?;
/// assert_eq!((fabric.hosts(), fabric.nodes()), (128, 208));
/// assert_eq!(topology("ft(8,3)", &options)?.hosts(), 128);
/// assert!(topology("no/such/file", &options).is_err());
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn topology(text: &str, options: &ImportOptions) -> Result<Topology, ImportError> {
    if let Some(spec) = planes::spec(text) {
        planes::read(&spec, text, options)
    } else if is_path(text) {
        read_topology(text, options)
    } else if options.link_model == LinkModel::UndirectedShared {
        Err(ImportError::nothing_shared(text))
    } else {
        Ok(topology::generate(text)?)
    }
}

/// Whether [`topology()`] reads a file rather than generate a network.
#[must_use]
pub fn is_path(text: &str) -> bool {
    let spec = Spec::parse(text);
    let is_family = spec.as_ref().is_ok_and(|spec| {
        let is_known = topology::KINDS.iter().any(|kind| kind.name == spec.name);
        is_known && !spec.groups.is_empty() && spec.path.is_none()
    });
    !is_family
        && (text == STDIN
            || Path::new(text).exists()
            || spec.is_err() && looks_like_path(text)
            || is_of_planes(text))
}

/// Whether [`topology()`] joins the files of planes.
#[must_use]
pub fn is_of_planes(text: &str) -> bool {
    planes::spec(text).is_some()
}

/// A network of two planes, for tests of all routings.
pub const EXAMPLE_OF_PLANES: &str = "planes:instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out,\
                                     instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";

/// The content of a file, as its start shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// The dump of a fabric.
    Fabric {
        /// The place of its format in [`FABRIC_KINDS`]; behind all of these for what `topo --format json` writes, which
        /// is a dump as good as these.
        kind: usize,
    },
    /// Another network.
    Network,
    /// Forwarding tables ([`TABLE_KINDS`]).
    Tables,
    /// Adaptive forwarding tables ([`adaptive_tables`]).
    AdaptiveTables,
    /// Which of its LIDs every source uses for every destination ([`OFFSETS_HEADER`]).
    LidOffsets,
    /// Neither.
    Other,
}

/// The content of a file. Only its start is looked at: what follows may be damaged.
///
/// # Errors
/// [`ImportError`] when it cannot be read, or is not text.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::import::{Content, content};
/// let folder = "instances/fabrics/ft8x3/updn";
/// let of = |file: &str| content(&format!("{folder}/{file}"));
/// assert_eq!(of("ibnetdiscover.out.gz")?, Content::Fabric { kind: 0 });
/// assert_eq!(of("opensm-lfts.dump.gz")?, Content::Tables);
/// assert!(of("no-such-file").is_err());
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn content(path: &str) -> Result<Content, ImportError> {
    let mut text = TextFile::open(path)?;
    let head = text.head();
    text.check_head()?;
    let is_table = || TABLE_KINDS.iter().any(|kind| (kind.build.detect)(&head));
    let network = KINDS.iter().find(|kind| (kind.build.detect)(&head));
    let fabric = network
        .and_then(|network| FABRIC_KINDS.iter().position(|kind| kind.name == network.name))
        .or_else(|| node_link::is_own(&head).then_some(FABRIC_KINDS.len()))
        .map(|kind| Content::Fabric { kind });
    let mut lines = head.lines().map(str::trim);
    Ok(match (fabric, network) {
        _ if lines.find(|line| !line.starts_with('#')) == Some(OFFSETS_HEADER) => {
            Content::LidOffsets
        }
        _ if far::detect(&head) => Content::AdaptiveTables,
        // Their parts are called like nodes of ibnetdiscover.
        _ if lanes::detect(&head) => Content::Other,
        (Some(fabric), _) => fabric,
        _ if is_table() => Content::Tables,
        (None, Some(_)) if foreign::recognise(&head).is_none() => Content::Network,
        _ => Content::Other,
    })
}

fn read_topology(path: &str, options: &ImportOptions) -> Result<Topology, ImportError> {
    let mut text = TextFile::open(path)?;
    let head = text.head();
    let own = foreign::recognise(&head).is_none();
    let Some(kind) = KINDS.iter().find(|kind| own && (kind.build.detect)(&head)) else {
        text.check_head()?;
        return Err(unknown_format(path, &head));
    };
    let network = (kind.build.read)(text, options)?;
    let network = if options.merge_cables { network.merge_cables() } else { network };
    Ok(network.recognised())
}

/// The error for a file that no network importer recognises.
fn unknown_format(path: &str, head: &str) -> ImportError {
    let table = TABLE_KINDS.iter().find(|kind| (kind.build.detect)(head));
    let found = match (foreign::recognise(head), table) {
        (Some(what), _) => what.into(),
        (None, Some(kind)) => {
            format!("it is a forwarding table ({}): write lft:{path}", kind.usage)
        }
        (None, None) if head.is_empty() => "it is empty".into(),
        (None, None) if head.contains(['\0', char::REPLACEMENT_CHARACTER]) => {
            "it holds binary data".into()
        }
        (None, None) => format!("it starts with `{}`", quote(head)),
    };
    // What is named needs no list.
    let is_named = foreign::recognise(head).is_some() || table.is_some();
    let known = if is_named { String::new() } else { nearest::networks(head, KINDS) };
    ImportError::UnknownFormat { path: path.into(), found, known }
}

/// The names of the formats, for errors.
fn known<B>(kinds: &[Kind<B>]) -> String {
    let usages: Vec<&str> = kinds.iter().map(|kind| kind.usage).collect();
    format!("; known: {}", usages.join(", "))
}
