//! Traffic matrices in the formats of other programs.
//!
//! One file a format, each read back by [`crate::import::traffic`]: add one by its file, its
//! `mod` line and its line in [`FORMATS`]. Amounts are written exactly. A format of decimals
//! refuses an amount such as 1/3, which has no finite decimal; CSV holds it as a fraction.

mod csv;
mod mtx;
mod repetita;
mod rows;
mod sndlib;

use std::io::{self, Write};

use crate::limit::TooLarge;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::traffic::{Demand, TrafficMatrix};

/// Writes a matrix.
pub type WriteTraffic = fn(&TrafficMatrix, &mut dyn Write) -> Result<(), WriteError>;

/// Every format that traffic is written in. The examples are patterns among 8 hosts.
pub const FORMATS: &[Kind<WriteTraffic>] =
    &[mtx::KIND, csv::KIND, rows::KIND, sndlib::KIND, repetita::KIND];

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
        "the demand of host {s} to host {d}, {amount}, is no finite decimal, which the format {format} is made of: use --format csv"
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
