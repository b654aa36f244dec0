//! What is wrong with a line of a file: one variant per reason, so that tests can tell them apart.

use crate::quote::quote;
use crate::rational::RationalError;

/// What is wrong with a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Zero bytes or invalid UTF-8.
    #[error("binary data or invalid UTF-8: expected a text file")]
    NotText,
    /// The format has no such line.
    #[error("found `{found}`, expected {expected}")]
    Syntax {
        /// The line, shortened.
        found: String,
        /// What the format expects here.
        expected: &'static str,
    },
    /// The file is damaged: nothing more of it can be understood.
    #[error("not well-formed {format}: {problem}; the file is damaged or truncated", problem = quote(.problem))]
    Malformed {
        /// What it should be.
        format: &'static str,
        /// What its parser says.
        problem: String,
    },
    /// The format allows it, but it is not supported.
    #[error("{what} cannot be read: {remedy}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// Something required is missing.
    #[error("{what} has no {missing}", what = quote(.what))]
    Missing {
        /// What lacks it.
        what: String,
        /// What it lacks.
        missing: &'static str,
    },
    /// A link to a node that the file does not declare.
    #[error("there is no node `{node}`: declare it, or correct the link", node = quote(.node))]
    UndeclaredNode {
        /// The node's id.
        node: String,
    },
    /// A node without a kind among others that are hosts and switches.
    #[error("node `{node}` has no kind although others have one: say host or switch for all nodes or for none", node = quote(.node))]
    MissingKind {
        /// The node's id.
        node: String,
    },
    /// A capacity that is not a number.
    #[error(
        "bad capacity: {reason}; it may be followed by bps, kbps, Mbps, Gbps or Tbps; ignore all capacities"
    )]
    BadCapacity {
        /// Why it is not a number.
        reason: RationalError,
    },
    /// A link that carries nothing.
    #[error("capacity `{found}` is zero: remove the link, or ignore all capacities", found = quote(.found))]
    ZeroCapacity {
        /// The text found there.
        found: String,
    },
    /// A link without a capacity among others that have one.
    #[error("this link has no capacity although others have one: add it, or ignore all capacities")]
    MissingCapacity,
    /// A weight that is not a number.
    #[error("bad weight: {reason}")]
    BadWeight {
        /// Why it is not a number.
        reason: RationalError,
    },
    /// A weight of 0, by which paths could go round in circles.
    #[error("weight `{found}` is zero", found = quote(.found))]
    ZeroWeight {
        /// The text found there.
        found: String,
    },
    /// A capacity with a unit among others without one, or vice versa.
    #[error(
        "unlike the first capacity, this one has or lacks a unit such as Gbps: write a unit for all or for none"
    )]
    MixedUnits,
    /// A list in which some links, but not all, are listed in both directions.
    #[error(
        "this link is the reverse of the one at line {first}, but not every link is listed in both directions: if each line is one direction, read them as directed links; otherwise write parallel links the same way round"
    )]
    SomeReversed {
        /// Line of a link the other way.
        first: u64,
    },
    /// Two links between one pair of nodes in a graph declared strict.
    #[error("a strict graph has only one link from `{from}` to `{to}`: remove `strict`, or this link", from = quote(.from), to = quote(.to))]
    NotStrict {
        /// The sending node.
        from: String,
        /// The receiving node.
        to: String,
    },
    /// Fewer or more records than announced.
    #[error("{announced} {what} are announced but {found} are listed: the file is damaged")]
    RecordCount {
        /// What is counted.
        what: &'static str,
        /// The announced count.
        announced: u64,
        /// The number of records read.
        found: u64,
    },
    /// A section without its last line.
    #[error("section {name}, which begins at line {line}, ends without `END_{name}`: the file is truncated; dump it again", name = quote(.name))]
    UnendedSection {
        /// The section.
        name: String,
        /// The line that begins it.
        line: u64,
    },
    /// A section without a column.
    #[error("{what} has no column {column}: dump it again with a version that writes it", what = quote(.what))]
    MissingColumn {
        /// The section.
        what: String,
        /// The column's name.
        column: &'static str,
    },
    /// A row with more or fewer values than columns.
    #[error("{found} values where the section has {columns} columns: the file is damaged")]
    ColumnCount {
        /// Number of columns.
        columns: usize,
        /// Number of values.
        found: usize,
    },
    /// A program wrote an error message into the file.
    #[error("`{found}` looks like an error message from the discovery, so part of the fabric may be missing: discover it again, or delete this line to accept what it found", found = quote(.found))]
    Diagnostic {
        /// The line, shortened.
        found: String,
    },
    /// Two records of the same node.
    #[error("node `{node}` is already listed at line {first}", node = quote(.node))]
    DuplicateNode {
        /// The node's id.
        node: String,
        /// Line of its other record.
        first: u64,
    },
    /// Two cables in one port.
    #[error("port {port} of `{node}` is already listed at line {first}", node = quote(.node))]
    DuplicatePort {
        /// The node's id.
        node: String,
        /// The port.
        port: u32,
        /// Line of its other cable.
        first: u64,
    },
    /// A port number outside the node's range.
    #[error("port {port} of `{node}`: its ports are 1..={ports}", node = quote(.node))]
    BadPort {
        /// The node's id.
        node: String,
        /// The port.
        port: u32,
        /// How many ports it has.
        ports: u32,
    },
    /// A cable to a node that has no record.
    #[error("port {port} of `{node}` leads to `{peer}`, which is not in the file: it is truncated or was filtered; discover the fabric again", node = quote(.node), peer = quote(.peer))]
    UnknownNode {
        /// The node's id.
        node: String,
        /// The port.
        port: u32,
        /// The id of the missing node.
        peer: String,
    },
    /// The two ends of a cable contradict each other.
    #[error("the ends of a cable disagree: `{here}` here, `{there}` at line {line}; discover the fabric again", here = quote(.here), there = quote(.there))]
    EndsDisagree {
        /// What this end says.
        here: String,
        /// What the other end says.
        there: String,
        /// Line of the other end, or of its node if that end is not listed.
        line: u64,
    },
    /// The two ends of a cable give different speeds.
    #[error("the ends of a cable disagree about its speed: {here} here, {there} at line {line}; correct one, or ignore all speeds", here = quote(.here), there = quote(.there))]
    SpeedsDisagree {
        /// What this end says.
        here: String,
        /// What the other end says.
        there: String,
        /// Line of the other end.
        line: u64,
    },
    /// A cable without a width and a speed.
    #[error(
        "the cable has no width and speed, so its capacity is unknown: add them (in ibnetdiscover output after the LID of the other end, as `# \"name\" lid 7 4xQDR`), or give every link capacity 1"
    )]
    NoSpeed,
    /// An unknown width or speed.
    #[error("`{found}` is not a link speed: expected one such as 4xQDR (1x, 2x, 4x, 8x, 12x; SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR); ignore all speeds", found = quote(.found))]
    UnknownSpeed {
        /// The text found there.
        found: String,
    },
    /// A LID outside 0..=49151, or an LMC above 7.
    #[error("LID {lid} with LMC {lmc}: unicast LIDs are 1..=49151 (0 when unknown), LMC is 0..=7")]
    BadLid {
        /// The base LID.
        lid: u32,
        /// The LID mask control.
        lmc: u32,
    },
    /// A connected port without a LID, in a format that has no other name for it.
    #[error("an end of this cable has LID 0: start a subnet manager, then list the links again")]
    NoLid,
    /// Two ports have the same LID.
    #[error("LID {lid} of `{node}` already belongs to `{other}`, line {first}", node = quote(.node), other = quote(.other))]
    DuplicateLid {
        /// The LID.
        lid: u16,
        /// One node.
        node: String,
        /// The other.
        other: String,
        /// Line of the other.
        first: u64,
    },
    /// A host without a cable.
    #[error("`{node}` has no cable: every host needs a link; remove the record or discover again", node = quote(.node))]
    Unconnected {
        /// The node's id.
        node: String,
    },
    /// A host whose cables all lead back to the same port.
    #[error("`{node}` is cabled to itself only: every host needs a link to another node; connect it, or remove the record", node = quote(.node))]
    OnlyLooped {
        /// The node's id.
        node: String,
    },
    /// A switch from which no host can be reached, or only over more than 255 links.
    #[error("no host is within 255 links of switch `{node}`: remove it", node = quote(.node))]
    NoHostBelow {
        /// The node's id.
        node: String,
    },
    /// A second table for the same switch.
    #[error("switch {guid:#018x} already has a table, {place}: give only one dump")]
    DuplicateTable {
        /// GUID of the switch.
        guid: u64,
        /// File and line of the other.
        place: String,
    },
    /// Two entries for the same LID with different ports.
    #[error(
        "LID {lid:#06x} has port {port} here, but port {other} in an earlier line of this table: the dump is damaged"
    )]
    ConflictingEntries {
        /// The LID.
        lid: u16,
        /// Its port.
        port: u8,
        /// Its port in the earlier entry.
        other: u8,
    },
    /// An entry outside the range that the table announces.
    #[error("LID {lid:#06x} is outside the announced range {low:#x}..={high:#x}")]
    LidOutOfRange {
        /// The LID.
        lid: u16,
        /// First announced LID.
        low: u16,
        /// Last announced LID.
        high: u16,
    },
    /// A table without its closing line.
    #[error(
        "the table of switch {guid:#018x} ends without its last line, such as `9 valid lids dumped`: the dump is truncated; dump this switch again"
    )]
    UnendedTable {
        /// GUID of the switch.
        guid: u64,
    },
    /// An adaptive entry whose group has no ports.
    #[error(
        "LID {lid:#06x} may use any port of group {group}, which has no ports here: the dump is damaged; dump this switch again"
    )]
    NoPorts {
        /// The LID.
        lid: u16,
        /// Its group.
        group: u16,
    },
    /// A switch whose table is missing.
    #[error(
        "switch {guid:#018x} has no `LFT Definition:` with entries before this line: the dump is truncated; dump it again"
    )]
    NoTable {
        /// GUID of the switch.
        guid: u64,
    },
    /// A listing of neighbours without the name of its device.
    #[error(
        "this listing does not name its device: put it before every line (`leaf-1: lldp.…`, as pdsh does) or `==> leaf-1 <==` before the listing"
    )]
    NoDevice,
    /// Several neighbours at one interface.
    #[error("interface {interface} has a neighbour at line {first} already: leave out all but the one at the other end of the cable", interface = quote(.interface))]
    SeveralNeighbours {
        /// The interface.
        interface: String,
        /// Line of the first.
        first: u64,
    },
    /// A switch that others list, without a listing of its own.
    #[error("{device} is a bridge or router but has no listing, so its cables would be missing: collect its listing too, or leave out the interfaces that lead to it", device = quote(.device))]
    NoListing {
        /// The device.
        device: String,
    },
    /// Two links with the same id.
    #[error("link `{link}` is already listed at line {first}: give each link its own id", link = quote(.link))]
    DuplicateLink {
        /// The link's id.
        link: String,
        /// Line of its other record.
        first: u64,
    },
    /// Two jobs, switches or blocks with one name.
    #[error("`{name}` is named at line {first} already: give every job, switch or block a name of its own", name = quote(.name))]
    DuplicateJob {
        /// The name.
        name: String,
        /// Line of the first.
        first: u64,
    },
    /// Fewer or more entries than the table's last line says.
    #[error("{announced} valid LIDs are announced but {found} are listed: the dump is damaged")]
    EntryCount {
        /// The count of the last line.
        announced: u64,
        /// The number of entries read.
        found: u64,
    },
}

impl Problem {
    /// The error that `line` is not what the format expects there.
    #[must_use]
    pub fn syntax(line: &str, expected: &'static str) -> Self {
        Self::Syntax { found: quote(line), expected }
    }
}
