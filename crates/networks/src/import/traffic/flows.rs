//! Flows of files that say when they start: demands for load and optu, schedules for simulations.

use super::{Found, Request, Result};
use crate::rational::Rational;
use crate::topology::Host;
use crate::traffic::Demand;

/// The flows of a file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flows {
    /// The flows.
    pub flows: Vec<Flow>,
    /// Line of the first failure of a link, if the file has such.
    pub failure: Option<u64>,
    /// Names of columns that mean nothing for traffic.
    pub(super) unread: Vec<String>,
    /// The number of lines after the last flow, which are not read.
    pub(super) rest: u64,
}

/// A flow of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Line of the flow, from 1.
    pub line: u64,
    /// The host that sends.
    pub s: Host,
    /// The host that receives.
    pub d: Host,
    /// Number of bytes, where the file gives it.
    pub bytes: Option<Rational>,
    /// Start of the flow.
    pub start: Start,
}

/// The start of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// At this time in nanoseconds.
    At(Rational),
    /// When others have ended, by a trigger.
    Triggered,
    /// The file does not say it.
    Unsaid,
}

impl Flows {
    /// As demands: the sizes of flows, or 1 where the file gives none.
    pub(super) fn found(self, request: &Request) -> Result<Found> {
        let demands = self.flows.into_iter().map(|Flow { s, d, bytes, .. }| Demand {
            s,
            d,
            amount: bytes.unwrap_or(Rational::ONE),
        });
        let list = Found::list(request.hosts.count(), demands.collect())?;
        Ok(Found { unread: self.unread, rest: self.rest, ..list })
    }
}
