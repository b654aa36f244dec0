//! What is wrong with a line of a file: one variant per reason, so that tests can distinguish them.

use crate::advice::Advice;
use crate::quote::{Quoted, quote};
use crate::rational::RationalError;

/// A problem with a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Problem {
    /// Zero bytes or invalid UTF-8.
    #[error("binary data or invalid UTF-8: expected a text file")]
    NotText,
    #[error("found `{found}`, expected {expected}")]
    Syntax {
        /// The line, shortened.
        found: String,
        expected: &'static str,
    },
    /// The file is damaged: nothing more of it can be understood.
    #[error("not well-formed {format}: {problem}; the file is damaged or truncated")]
    Malformed { format: &'static str, problem: Quoted },
    /// JSON of another kind.
    #[error(
        "this JSON is not node-link data: {problem}; it has members `nodes` and `links`, as networkx.node_link_data writes it"
    )]
    OtherJson { problem: Quoted },
    #[error("{what} cannot be read: {remedy}")]
    Unsupported { what: &'static str, remedy: &'static str },
    #[error("{what} has no {missing}")]
    Missing { what: Quoted, missing: &'static str },
    #[error(
        "this line may be a link, or give the numbers of nodes and links, since {links} links follow: delete it, or, if it is a link, put the header `from to` above it"
    )]
    CountOrLink { links: usize },
    #[error("there is no node `{node}`: declare it, or correct the link")]
    UndeclaredNode { node: Quoted },
    #[error(
        "node `{node}` has no kind although others have one: say host or switch for all nodes or for none"
    )]
    MissingKind { node: Quoted },
    #[error(
        "bad capacity: {reason}; units are bps, kbps, Mbps, Gbps and Tbps; correct it, or {advice}"
    )]
    BadCapacity {
        reason: RationalError,
        #[source]
        advice: Advice,
    },
    #[error("capacity `{found}` is zero: remove the link, or {advice}")]
    ZeroCapacity {
        found: Quoted,
        #[source]
        advice: Advice,
    },
    #[error("this link has no capacity although others have one: add it, or {0}")]
    MissingCapacity(#[source] Advice),
    #[error("bad weight: {reason}")]
    BadWeight { reason: RationalError },
    #[error("weight `{found}` is zero")]
    ZeroWeight { found: Quoted },
    #[error(
        "unlike the first capacity, this one has or lacks a unit such as Gbps: write a unit for all or for none"
    )]
    MixedUnits,
    #[error(
        "this link is the reverse of the one at line {first}, but not every link is listed in both directions: write parallel links the same way round, or, if each line is one direction, {advice}"
    )]
    SomeReversed {
        first: u64,
        #[source]
        advice: Advice,
    },
    #[error(
        "a strict graph has only one link from `{from}` to `{to}`: remove `strict`, or this link"
    )]
    NotStrict { from: Quoted, to: Quoted },
    #[error("{announced} {what} are announced but {found} are listed: the file is damaged")]
    RecordCount { what: &'static str, announced: u64, found: u64 },
    #[error(
        "section {name}, which begins at line {line}, ends without `END_{name}`: the file is truncated; dump it again"
    )]
    UnendedSection { name: Quoted, line: u64 },
    #[error("{what} has no column {column}: dump it again with a version that writes it")]
    MissingColumn { what: Quoted, column: &'static str },
    #[error("{found} values where the section has {columns} columns: the file is damaged")]
    ColumnCount { columns: usize, found: usize },
    #[error(
        "`{found}` looks like an error message from the discovery, so part of the fabric may be missing: discover it again, or delete this line to accept what it found"
    )]
    Diagnostic {
        /// The line, shortened.
        found: Quoted,
    },
    #[error("node `{node}` is already listed at line {first}")]
    DuplicateNode { node: Quoted, first: u64 },
    #[error("port {port} of `{node}` is already listed at line {first}")]
    DuplicatePort { node: Quoted, port: u32, first: u64 },
    #[error("port {port} of `{node}`: its ports are 1..={ports}")]
    BadPort { node: Quoted, port: u32, ports: u32 },
    #[error(
        "port {port} of `{node}` leads to `{peer}`, which is not in the file: it is truncated or was filtered; discover the fabric again"
    )]
    UnknownNode { node: Quoted, port: u32, peer: Quoted },
    #[error(
        "the ends of a cable disagree: `{here}` here, `{there}` at line {line}; discover the fabric again"
    )]
    EndsDisagree { here: Quoted, there: Quoted, line: u64 },
    #[error(
        "the ends of a cable disagree about its speed: {here} here, {there} at line {line}; correct one, or {advice}"
    )]
    SpeedsDisagree {
        here: Quoted,
        there: Quoted,
        line: u64,
        #[source]
        advice: Advice,
    },
    #[error(
        "the cable has no width and speed, so its capacity is unknown: add them (in ibnetdiscover output after the LID of the other end, as `# \"name\" lid 7 4xQDR`), or {0}"
    )]
    NoSpeed(#[source] Advice),
    #[error(
        "`{found}` is not a link speed: expected one such as 4xQDR (1x, 2x, 4x, 8x, 12x; SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR); correct it, or {advice}"
    )]
    UnknownSpeed {
        found: Quoted,
        #[source]
        advice: Advice,
    },
    #[error("LID {lid} with LMC {lmc}: unicast LIDs are 1..=49151 (0 when unknown), LMC is 0..=7")]
    BadLid { lid: u32, lmc: u32 },
    #[error("an end of this cable has LID 0: start a subnet manager, then list the links again")]
    NoLid,
    #[error("LID {lid} of `{node}` already belongs to `{other}`, line {first}")]
    DuplicateLid { lid: u16, node: Quoted, other: Quoted, first: u64 },
    #[error("`{node}` has no cable: every host needs a link; remove the record or discover again")]
    Unconnected { node: Quoted },
    #[error(
        "`{node}` is cabled to itself only: every host needs a link to another node; connect it, or remove the record"
    )]
    OnlyLooped { node: Quoted },
    #[error("no host is within 255 links of switch `{node}`: remove it")]
    NoHostBelow { node: Quoted },
    #[error("switch {guid:#018x} already has a table, {place}: give only one dump")]
    DuplicateTable { guid: u64, place: String },
    #[error(
        "LID {lid:#06x} has port {port} here, but port {other} in an earlier line of this table: the dump is damaged"
    )]
    ConflictingEntries { lid: u16, port: u8, other: u8 },
    #[error("LID {lid:#06x} is outside the announced range {low:#x}..={high:#x}")]
    LidOutOfRange { lid: u16, low: u16, high: u16 },
    #[error(
        "the table of switch {guid:#018x} ends without its last line, such as `9 valid lids dumped`: the dump is truncated; dump this switch again"
    )]
    UnendedTable { guid: u64 },
    #[error(
        "LID {lid:#06x} may use any port of group {group}, which has no ports here: the dump is damaged; dump this switch again"
    )]
    NoPorts { lid: u16, group: u16 },
    #[error(
        "switch {guid:#018x} has no `LFT Definition:` with entries before this line: the dump is truncated; dump it again"
    )]
    NoTable { guid: u64 },
    #[error(
        "this listing does not name its device: put it before every line (`leaf-1: lldp.…`, as pdsh does) or `==> leaf-1 <==` before the listing"
    )]
    NoDevice,
    #[error(
        "interface {interface} has a neighbour at line {first} already: leave out all but the one at the other end of the cable"
    )]
    SeveralNeighbours { interface: Quoted, first: u64 },
    #[error(
        "{device} is a bridge or router but has no listing, so its cables would be missing: collect its listing too, or leave out the interfaces that lead to it"
    )]
    NoListing { device: Quoted },
    #[error("link `{link}` is already listed at line {first}: give each link its own id")]
    DuplicateLink { link: Quoted, first: u64 },
    #[error(
        "`{name}` is named at line {first} already: give every job, switch or block a name of its own"
    )]
    DuplicateJob { name: Quoted, first: u64 },
    #[error("{announced} valid LIDs are announced but {found} are listed: the dump is damaged")]
    EntryCount { announced: u64, found: u64 },
}

impl Problem {
    /// The error that `line` is not what the format expects there.
    #[must_use]
    pub fn syntax(line: &str, expected: &'static str) -> Self {
        Self::Syntax { found: quote(line), expected }
    }

    /// The two ends of a cable, which say `here` and, at `line`, `there`.
    pub(super) fn ends_disagree(here: &str, there: &str, line: u64) -> Self {
        Self::EndsDisagree { here: here.into(), there: there.into(), line }
    }
}
