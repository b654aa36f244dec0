//! The formats whose files say when flows start.

use std::path::Path;

use super::flows::Flows;
use super::{Format, Lines, Request, TrafficFileError, connections, format_of, ns3};
use crate::registry::Kind;

/// Reads the flows of a text, whose first line that is neither blank nor a comment is the current one.
pub type ReadFlows = fn(&mut Lines, &Request) -> Result<Flows, TrafficFileError>;

/// A format whose files say when flows start.
struct Timed {
    kind: &'static Kind<Format>,
    /// Whether the start of a file is in this format, and in no other.
    detect: fn(&str) -> bool,
    read: ReadFlows,
}

const TIMED: &[Timed] = &[
    Timed { kind: &connections::KIND, detect: connections::begins, read: connections::flows },
    Timed { kind: &ns3::KIND, detect: ns3::begins, read: ns3::flows },
];

/// The reader of the flows of a file, if its extension or its start shows that it says when they start.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::import::traffic::flows_of;
/// assert!(flows_of("incast.cm", "").is_some());
/// assert!(flows_of("x", "Nodes 4\nConnections 1\n").is_some());
/// assert!(flows_of("flow.txt", "1\n0 1 3 100 5000 2.0\n").is_some());
/// assert!(flows_of("list.csv", "source,destination\n").is_none());
/// ```
#[must_use]
pub fn flows_of(path: &str, head: &str) -> Option<ReadFlows> {
    let named = format_of(Path::new(path)).map(|kind| kind.name);
    let is_meant = |timed: &&Timed| match named {
        Some(name) => name == timed.kind.name,
        None => (timed.detect)(head),
    };
    TIMED.iter().find(is_meant).map(|timed| timed.read)
}
