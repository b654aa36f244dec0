//! Traffic matrices in the formats of other programs.
//!
//! One file a format, each read back by [`crate::import::traffic`]: add one by its file, its
//! `mod` line and its line in [`FORMATS`]. A format of matrices writes amounts exactly; one of
//! decimals refuses an amount such as 1/3, which has no finite decimal. The input of a simulator
//! that knows one destination a host refuses what is no such traffic.
//!
//! What is known about the traffic goes where the format has room for comments.

mod booksim;
mod caminos;
mod csv;
mod mtx;
mod orcs;
mod pairs;
mod repetita;
mod rows;
mod sndlib;

use std::io::{self, Write};

use crate::integer::Gcd;
use crate::limit::TooLarge;
use crate::ratio::{Ratio, common_denominator};
use crate::registry::Kind;
use crate::topology::{Host, Topology};
use crate::traffic::{Demand, TrafficMatrix};

/// Traffic that is to be written, with what the formats may need besides.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The traffic.
    pub matrix: &'a TrafficMatrix,
    /// The network, for formats that call hosts by its addresses.
    pub topology: Option<&'a Topology>,
    /// The demands that matter, where the others only fill the permutation up: for formats that
    /// cannot hold all.
    pub core: Option<&'a [Demand]>,
    /// What to say about the traffic, line by line.
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

/// Without control characters, which would end a comment.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Writes traffic.
pub type WriteTraffic = fn(&Replay, &mut dyn Write) -> Result<(), WriteError>;

/// How a format is written.
#[derive(Clone, Copy, Debug)]
pub struct TrafficFormat {
    /// Writes traffic.
    pub write: WriteTraffic,
    /// Whether the header is part of the file; if not it wants a file of its own.
    pub holds_header: bool,
}

/// Every format that traffic is written in. The examples are patterns among 8 hosts.
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
];

/// Why nothing, or not everything, was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The output failed.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// Larger than the format sensibly holds.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// An amount that has no finite decimal notation.
    #[error(
        "the demand of host {s} to host {d}, {amount}, is no finite decimal, which the format {format} is made of: use format csv"
    )]
    NotDecimal {
        /// Name of the format.
        format: &'static str,
        /// Source.
        s: u32,
        /// Destination.
        d: u32,
        /// The amount.
        amount: Ratio,
    },
    /// Traffic of a kind that the format has no way to say.
    #[error("the format {format} {wants}, but {found}: use format pairs")]
    DoesNotFit {
        /// Name of the format.
        format: &'static str,
        /// What the format holds.
        wants: &'static str,
        /// What is in the way.
        found: String,
    },
    /// Traffic without a network.
    #[error(
        "the format {format} calls hosts by the addresses of a network: give a topology in place of --hosts"
    )]
    NoNetwork {
        /// Name of the format.
        format: &'static str,
    },
}

/// Refuses a matrix with amounts that are no decimals before anything is written.
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

/// The amount as a decimal where that is finite, else as a fraction.
fn exact(amount: &Ratio) -> String {
    amount.to_decimal().unwrap_or_else(|| amount.to_string())
}

/// The destination of every host that sends, for formats of one destination a host.
fn destinations(
    matrix: &TrafficMatrix,
    format: &'static str,
) -> Result<Vec<Option<Host>>, WriteError> {
    let wants = "holds one destination a host and no amounts";
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

/// The least integers in the proportions of the amounts; `None` where they do not fit.
fn integers(demands: &[Demand]) -> Option<Vec<u64>> {
    let scale = common_denominator(demands.iter().map(|demand| &demand.amount))?;
    let amounts: Option<Vec<u64>> = demands.iter().map(|d| d.amount.scaled(scale)).collect();
    let amounts = amounts?;
    let common =
        amounts.iter().filter(|amount| **amount > 0).copied().reduce(u64::gcd).unwrap_or(1);
    Some(amounts.into_iter().map(|amount| amount / common).collect())
}
