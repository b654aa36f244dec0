//! The result of following the tables, and the error that reports it.

use std::collections::BTreeMap;
use std::fmt;

use crate::import::ForwardingTables;
use crate::quote::quote;
use crate::routing::RoutingError;
use crate::topology::{Host, NodeId, Topology};

/// Maximum number of failures that an error lists.
pub(in crate::routing) const LISTED: usize = 10;

/// Why traffic to a LID is not delivered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::routing) enum Reason {
    NoEntry,
    /// No table lists the LID; `dropped` when the dump may have lost it.
    Unknown {
        dropped: bool,
    },
    Loop,
    Itself,
    NoCable,
    WrongHost,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEntry => "without table entry",
            Self::Unknown { .. } => "unknown",
            Self::Loop => "in a loop",
            Self::Itself => "addressed to a switch itself",
            Self::NoCable => "into a port without cable",
            Self::WrongHost => "to the wrong host",
        })
    }
}

/// A place where traffic to a LID ends.
pub(in crate::routing) struct Failure {
    pub node: NodeId,
    pub lid: u16,
    pub port: Option<u8>,
    pub reason: Reason,
}

/// The result of following one or more LIDs.
#[derive(Default)]
pub(in crate::routing) struct Report {
    /// Routes (source, destination LID) that were followed.
    pub routes: u64,
    /// Routes that are not delivered, by reason.
    pub lost: BTreeMap<Reason, u64>,
    /// The places, the first [`LISTED`] of every LID.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Counts all routes as lost at one place, except from hosts cabled to the destination.
    pub fn lose_all(&mut self, entries: impl Iterator<Item = (NodeId, u64)>, failure: Failure) {
        for (node, sources) in entries {
            self.routes += sources;
            if node != failure.node {
                *self.lost.entry(failure.reason).or_default() += sources;
            }
        }
        if !self.lost.is_empty() {
            self.failures.push(failure);
        }
    }

    /// The sum of the reports of all LIDs, in their order.
    pub fn total(reports: Vec<Self>) -> Self {
        let mut total = Self::default();
        for report in reports {
            total.routes += report.routes;
            for (reason, count) in report.lost {
                *total.lost.entry(reason).or_default() += count;
            }
            let free = LISTED - total.failures.len();
            total.failures.extend(report.failures.into_iter().take(free));
        }
        total
    }

    /// # Errors
    /// [`RoutingError::Tables`] with counts and the first places, unless everything is delivered.
    pub fn into_result(
        self,
        topology: &Topology,
        tables: &ForwardingTables,
    ) -> Result<(), RoutingError> {
        if self.lost.is_empty() {
            return Ok(());
        }
        let lost: u64 = self.lost.values().sum();
        let counts: Vec<String> =
            self.lost.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let places: Vec<String> =
            self.failures.iter().map(|failure| failure.describe(topology)).collect();
        Err(RoutingError::Tables(format!(
            "the tables of {} do not deliver {lost} of {} routes (source and destination LID): {}; the first places: {}",
            tables.source,
            self.routes,
            counts.join(", "),
            places.join("; ")
        )))
    }
}

impl Failure {
    pub fn unknown(d: Host, lid: u16, dropped: bool) -> Self {
        Self { node: d, lid, port: None, reason: Reason::Unknown { dropped } }
    }

    fn describe(&self, topology: &Topology) -> String {
        let (lid, name) = (self.lid, quote(&topology.node(self.node).name));
        let place = match self.port {
            Some(port) => format!("LID {lid} at `{name}` port {port}"),
            None => format!("LID {lid} at `{name}`"),
        };
        match self.reason {
            Reason::Unknown { dropped: true } => format!(
                "LID {lid} is unknown: absent from every table (dump_fts/ibroute of infiniband-diags 44 drop a last LID that is a multiple of 64; use opensm-lfts.dump)"
            ),
            Reason::Unknown { dropped: false } => {
                format!("LID {lid} is unknown: absent from every table")
            }
            Reason::NoEntry => format!("{place}: no entry"),
            Reason::Loop => format!("{place}: comes back here"),
            Reason::Itself => format!("{place}: that is the switch itself"),
            Reason::NoCable => format!("{place}: no cable there"),
            Reason::WrongHost => format!("{place}: leads to another host"),
        }
    }
}
