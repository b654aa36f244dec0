//! The dense matrix as text.

use super::prelude::*;
use super::{check_decimals, decimal};
use crate::advice::{Advice, Remedy};
use crate::limit::within;

/// Maximum number of hosts: 2^24 numbers.
const MAX_HOSTS: u64 = 1 << 12;
const OTHER_FORMAT: Advice = Advice::new("write it as mtx or csv", &[Remedy::OtherFormat]);

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "rows",
    usage: "traffic .. --format rows",
    about: "the dense matrix, one row of N space-separated numbers per source; up to 4096 hosts",
    reference: "EZTrace and Scotch communication matrices",
    examples: &["shift(1)", "uniform"],
    build: TrafficFormat { write, holds_header: false },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let matrix = replay.matrix;
    let hosts = matrix.hosts();
    within("number of hosts", Some(hosts as u128), MAX_HOSTS, OTHER_FORMAT)?;
    check_decimals(matrix, KIND.name)?;
    let mut demands = matrix.demands().iter().peekable();
    for s in 0..hosts {
        for d in 0..hosts {
            let space = if d == 0 { "" } else { " " };
            let next = demands.next_if(|demand| (demand.s as usize, demand.d as usize) == (s, d));
            let amount = next.map_or(Ok("0".into()), |demand| decimal(demand, KIND.name))?;
            write!(out, "{space}{amount}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
