//! Programs written as GOAL schedules.

use std::io::{self, Write};

use crate::simulation::workload::operations::Operation;
use crate::simulation::workload::program::Program;

/// Writes a program as a GOAL schedule, which [`read_program`](super::read_program) and LogGOPSim read.
/// Operation i of a rank has the label `li`.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::{Operation, Program, Rank, write_program};
/// let mut rank = Rank::default();
/// rank.push(Operation::Compute { ns: 5 }, vec![]);
/// let mut text = Vec::new();
/// write_program(&Program::new(vec![rank])?, &mut text)?;
/// assert_eq!(text, b"num_ranks 1\n\nrank 0 {\nl0: calc 5\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_program(program: &Program, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "num_ranks {}", program.ranks().len())?;
    for (number, rank) in program.ranks().iter().enumerate() {
        writeln!(out, "\nrank {number} {{")?;
        for (at, operation) in rank.operations.iter().enumerate() {
            match operation {
                Operation::Send { to, bytes, tag } => {
                    writeln!(out, "l{at}: send {bytes}b to {to} tag {tag}")?;
                }
                Operation::Receive { from, bytes, tag } => {
                    writeln!(out, "l{at}: recv {bytes}b from {from} tag {tag}")?;
                }
                Operation::Compute { ns } => writeln!(out, "l{at}: calc {ns}")?,
            }
        }
        // LogGOPSim knows only labels that came before.
        for (word, lists) in [("requires", &rank.requires), ("irequires", &rank.starts_after)] {
            for (at, list) in lists.iter().enumerate() {
                for on in list {
                    writeln!(out, "l{at} {word} l{on}")?;
                }
            }
        }
        writeln!(out, "}}")?;
    }
    Ok(())
}
