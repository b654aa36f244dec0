//! Traffic matrices in the formats of other programs.
//!
//! There is one file per format, each read back by [`crate::import::traffic`]: to add one, add its
//! file, its `mod` line and its entry in [`FORMATS`]. Matrix formats write amounts exactly; one
//! with decimals refuses an amount such as 1/3, which has no finite decimal. A simulator format
//! that allows one destination per host refuses any other traffic.
//!
//! What is known about the traffic goes into comments if the format has them.

mod booksim;
mod caminos;
mod connections;
mod csv;
mod mtx;
mod orcs;
mod pairs;
mod prelude;
mod repetita;
mod rows;
mod sndlib;

use std::io::{self, Write};

use crate::advice::Advice;
use crate::integer::Gcd;
use crate::limit::TooLarge;
use crate::rational::{Rational, common_denominator};
use crate::registry::Kind;
use crate::topology::{Host, Topology};
use crate::traffic::{Demand, TrafficMatrix};

/// Traffic to be written, with what the formats may need besides.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The traffic.
    pub matrix: &'a TrafficMatrix,
    /// The network, for formats that identify hosts by its addresses.
    pub topology: Option<&'a Topology>,
    /// The demands that matter, if the others only complete the permutation: for formats that
    /// cannot hold all of them.
    pub core: Option<&'a [Demand]>,
    /// Comments about the traffic, line by line.
    pub header: &'a [String],
}

impl<'a> Replay<'a> {
    /// The traffic alone.
    #[must_use]
    pub fn of(matrix: &'a TrafficMatrix) -> Self {
        Self { matrix, topology: None, core: None, header: &[] }
    }

    /// Writes the header as lines that begin with `mark`.
    fn comment(&self, mark: &str, out: &mut dyn Write) -> io::Result<()> {
        self.header.iter().try_for_each(|line| writeln!(out, "{mark} {}", printable(line)))
    }
}

/// The line without control characters, which could end a comment.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Writes traffic.
pub type WriteTraffic = fn(&Replay, &mut dyn Write) -> Result<(), WriteError>;

/// The writer of a format.
#[derive(Clone, Copy, Debug)]
pub struct TrafficFormat {
    /// Writes traffic.
    pub write: WriteTraffic,
    /// Whether the header is part of the file; if not, it needs a separate file.
    pub holds_header: bool,
}

/// Every format in which traffic is written. The examples are patterns among 8 hosts.
pub const FORMATS: &[Kind<TrafficFormat>] = &[
    mtx::KIND,
    csv::KIND,
    rows::KIND,
    sndlib::KIND,
    repetita::KIND,
    pairs::KIND,
    booksim::KIND,
    caminos::KIND,
    orcs::KIND,
    connections::KIND,
];

/// Why writing failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WriteError {
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(
        "the demand from host {s} to host {d}, {amount}, is not a finite decimal, as the format {format} requires: use format csv"
    )]
    NotDecimal { format: &'static str, s: u32, d: u32, amount: Rational },
    #[error("the format {format} {wants}, but {found}: use format pairs")]
    DoesNotFit { format: &'static str, wants: &'static str, found: String },
    #[error("the format {format} identifies hosts by the addresses of a network: {advice}")]
    NoNetwork {
        format: &'static str,
        #[source]
        advice: Advice,
    },
}

/// Refuses a matrix with amounts that are not finite decimals, before anything is written.
fn check_decimals(matrix: &TrafficMatrix, format: &'static str) -> Result<(), WriteError> {
    let fractions = matrix.demands().iter().filter(|demand| !demand.amount.denominator().is_one());
    fractions.map(|demand| decimal(demand, format)).try_for_each(|amount| amount.map(|_| ()))
}

/// The amount of a demand as a decimal.
fn decimal(demand: &Demand, format: &'static str) -> Result<String, WriteError> {
    let Demand { s, d, amount } = demand;
    let refused = || WriteError::NotDecimal { format, s: *s, d: *d, amount: amount.clone() };
    amount.to_decimal().ok_or_else(refused)
}

/// The amount as a decimal if that is finite, else as a fraction.
fn exact(amount: &Rational) -> String {
    amount.to_decimal().unwrap_or_else(|| amount.to_string())
}

/// The destination of every host that sends, for formats with one destination per host.
fn destinations(
    matrix: &TrafficMatrix,
    format: &'static str,
) -> Result<Vec<Option<Host>>, WriteError> {
    let wants = "holds one destination per host and no amounts";
    let refused = |found| WriteError::DoesNotFit { format, wants, found };
    let mut image = vec![None; matrix.hosts()];
    let demands = matrix.demands();
    for demand in demands {
        if demand.amount != demands[0].amount {
            let found = format!("amounts differ: {} and {}", demands[0].amount, demand.amount);
            return Err(refused(found));
        }
        let (s, d) = (demand.s, demand.d);
        if let Some(other) = image[s as usize].replace(d) {
            return Err(refused(format!("host {s} sends to hosts {other} and {d}")));
        }
    }
    Ok(image)
}

/// The least integers in the proportions of the amounts; `None` if they do not fit into 64 bits.
fn integers(demands: &[Demand]) -> Option<Vec<u64>> {
    let scale = common_denominator(demands.iter().map(|demand| &demand.amount))?;
    let amounts: Option<Vec<u64>> = demands.iter().map(|d| d.amount.scaled(scale)).collect();
    let amounts = amounts?;
    let common =
        amounts.iter().filter(|amount| **amount > 0).copied().reduce(u64::gcd).unwrap_or(1);
    Some(amounts.into_iter().map(|amount| amount / common).collect())
}
