//! Programs as GOAL schedules, the text format of the simulator LogGOPSim (T. Hoefler, T. Schneider,
//! A. Lumsdaine: LogGOPSim — simulating large-scale applications in the LogGOPS model, 2010).
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//!   l1: calc 100              // nanoseconds
//!   l2: send 8b to 1 tag 3
//!   l2 requires l1            // starts when l1 has ended; irequires: when l1 has started
//! }
//! rank 1 { recv 8b from 0 tag 3
//! }
//! ```
//!
//! Comments are `// …` and `/* … */`. Tags are 0 unless given. A message of 0 bytes, which only synchronises, is one of
//! 1 byte here: one packet. `cpu` and `nic` may follow and have no
//! effect: a host has one link here, and operations are ordered by their dependencies alone. Every rank
//! has one block, in any order. A dependency may name a label that only follows. Receives from any
//! rank and of any tag (`-1`) are refused: which message they get would depend on the network.

mod comments;
mod statement;
mod write;

pub use write::write_program;

use std::collections::HashMap;
use std::io::BufRead;

use super::error::{Problem, WorkloadError};
use super::operations::{Operation, Place, Rank};
use super::program::{MAX_DEPENDENCIES, MAX_OPERATIONS, Program, REMEDY};
use super::program_error::ProgramError;
use crate::import::traffic::Lines;
use crate::integer::as_size;
use crate::limit::within;
use comments::Comments;
use statement::{Action, Statement, Words};

/// The program in `reader`, which errors call `path`, of at most `hosts` ranks.
/// O((operations + dependencies)·log operations).
///
/// # Errors
/// [`WorkloadError`]: what cannot be read, the line that does not fit, or the lines that do not fit
/// together.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::{Operation, read_program};
/// let text = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";
/// let program = read_program("example", &mut text.as_bytes(), 4)?;
/// assert_eq!(program.ranks()[0].operations, [Operation::Send { to: 1, bytes: 8, tag: 0 }]);
/// let error = read_program("example", &mut &text.as_bytes()[..36], 4).err().ok_or("not refused")?;
/// assert!(error.to_string().starts_with("example, line 5: the file ends here without rank 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_program(
    path: &str,
    reader: &mut dyn BufRead,
    hosts: usize,
) -> Result<Program, WorkloadError> {
    let mut lines = Lines::new(path, reader);
    let mut schedule = Schedule { hosts, ..Schedule::default() };
    let (mut comments, mut line) = (Comments::default(), 0);
    let content = |line, problem| WorkloadError::Content { path: path.into(), line, problem };
    loop {
        line += 1;
        if !lines.advance()? {
            break;
        }
        let text = comments.removed_from(lines.text());
        let mut words = Words::of(&text);
        while let Some(statement) = words.statement().map_err(|problem| content(line, problem))? {
            schedule.take(statement, line).map_err(|(line, problem)| content(line, problem))?;
        }
    }
    let complete = schedule.check_complete(comments.is_open());
    complete.map_err(|problem| content(line, problem))?;
    let Schedule { blocks, .. } = schedule;
    let (ranks, places): (Vec<Rank>, Vec<Vec<u64>>) =
        blocks.into_iter().map(Option::unwrap_or_default).unzip();
    let name =
        |Place { rank, operation }| format!("line {}", places[rank as usize][operation as usize]);
    Program::named(ranks, &name).map_err(|error| match error {
        ProgramError::TooLarge(error) => error.into(),
        error => WorkloadError::File { path: path.into(), error },
    })
}

/// A problem and its line.
type Wrong = (u64, Problem);

/// A rank, and the line of each of its operations.
type Block = (Rank, Vec<u64>);

/// The part of a schedule that has been read.
#[derive(Default)]
struct Schedule {
    hosts: usize,
    /// By rank, once the number of ranks is known.
    blocks: Vec<Option<Block>>,
    open: Option<Open>,
    operations: u64,
    dependencies: u64,
}

/// The rank whose block is open.
#[derive(Default)]
struct Open {
    number: u64,
    block: Block,
    labels: HashMap<String, u32>,
    waits: Vec<Wait>,
}

/// A dependency, resolved when all labels are known.
struct Wait {
    line: u64,
    label: String,
    other: String,
    for_start: bool,
}

impl Schedule {
    fn take(&mut self, statement: Statement, line: u64) -> Result<(), Wrong> {
        let here = |problem| (line, problem);
        match (statement, self.open.as_mut()) {
            (Statement::Ranks(ranks), None) if self.blocks.is_empty() => {
                self.set_ranks(ranks).map_err(here)
            }
            (Statement::Rank(rank), None) => self.begin(rank).map_err(here),
            (Statement::End, Some(_)) => self.end(),
            (Statement::Does { label, action }, Some(open)) => {
                self.operations += 1;
                check("number of operations", self.operations, MAX_OPERATIONS).map_err(here)?;
                open.add(label, action, line).map_err(here)
            }
            (Statement::Waits { label, other, for_start }, Some(open)) => {
                self.dependencies += 1;
                check("number of dependencies", self.dependencies, MAX_DEPENDENCIES)
                    .map_err(here)?;
                let (label, other) = (label.into(), other.into());
                open.waits.push(Wait { line, label, other, for_start });
                Ok(())
            }
            (statement, _) => Err(here(misplaced(statement))),
        }
    }

    fn set_ranks(&mut self, ranks: u64) -> Result<(), Problem> {
        if ranks > self.hosts as u64 {
            return Err(Problem::TooManyRanks { ranks, hosts: self.hosts });
        }
        if ranks == 0 {
            return Err(syntax("num_ranks 0", "at least 1 rank"));
        }
        self.blocks = vec![None; as_size(ranks)];
        Ok(())
    }

    fn begin(&mut self, number: u64) -> Result<(), Problem> {
        let Some(last) = self.blocks.len().checked_sub(1) else {
            return Err(syntax("rank", "`num_ranks N` before the first rank"));
        };
        match self.blocks.get(usize::try_from(number).unwrap_or(usize::MAX)) {
            None => Err(Problem::NoRank { found: number, last: last as u64 }),
            Some(Some(_)) => Err(Problem::RankTwice { rank: number }),
            Some(None) => {
                self.open = Some(Open { number, ..Open::default() });
                Ok(())
            }
        }
    }

    fn end(&mut self) -> Result<(), Wrong> {
        let Some(Open { number, block: (mut rank, lines), labels, waits }) = self.open.take()
        else {
            return Ok(());
        };
        for Wait { line, label, other, for_start } in waits {
            let find = |label: String| {
                let found = labels.get(&label).copied();
                found.ok_or_else(|| (line, Problem::NoLabel { label: label.into() }))
            };
            let (operation, on) = (find(label)?, find(other)?);
            let lists = if for_start { &mut rank.starts_after } else { &mut rank.requires };
            lists[operation as usize].push(on);
        }
        self.blocks[as_size(number)] = Some((rank, lines));
        Ok(())
    }

    /// Refuses a file that ends too early.
    fn check_complete(&self, in_comment: bool) -> Result<(), Problem> {
        if in_comment {
            return Err(Problem::EndOfFile { expected: "`*/`, the end of a comment" });
        }
        if self.open.is_some() {
            return Err(Problem::EndOfFile { expected: "`}`, the end of a rank" });
        }
        if self.blocks.is_empty() {
            return Err(Problem::EndOfFile { expected: "`num_ranks N` and N ranks" });
        }
        match self.blocks.iter().position(Option::is_none) {
            Some(rank) => Err(Problem::NoSuchBlock { rank: rank as u64 }),
            None => Ok(()),
        }
    }
}

impl Open {
    fn add(&mut self, label: Option<&str>, action: Action, line: u64) -> Result<(), Problem> {
        let rank = |number: u64| number32(number, "a rank of the program");
        let tag = |number: u64| number32(number, "a tag below 2^32");
        // A message that only synchronises takes one packet, the smallest.
        let bytes = |bytes: u64| bytes.max(1);
        let operation = match action {
            Action::Send { to, bytes: size, tag: of } => {
                Operation::Send { to: rank(to)?, bytes: bytes(size), tag: tag(of)? }
            }
            Action::Receive { from, bytes: size, tag: of } => {
                Operation::Receive { from: rank(from)?, bytes: bytes(size), tag: tag(of)? }
            }
            Action::Compute { ns } => Operation::Compute { ns },
        };
        let number = self.block.0.push(operation, Vec::new());
        self.block.1.push(line);
        match label.map(|label| (label, self.labels.insert(label.into(), number))) {
            Some((label, Some(_))) => Err(Problem::LabelTwice { label: label.into() }),
            _ => Ok(()),
        }
    }
}

fn number32(number: u64, expected: &'static str) -> Result<u32, Problem> {
    u32::try_from(number).map_err(|_| syntax(&number.to_string(), expected))
}

fn syntax(found: &str, expected: &'static str) -> Problem {
    Problem::Syntax { found: found.into(), expected }
}

fn check(what: &str, count: u64, limit: u64) -> Result<(), Problem> {
    within(what, Some(count.into()), limit, REMEDY)?;
    Ok(())
}

/// The problem of a statement that has its place elsewhere.
fn misplaced(statement: Statement) -> Problem {
    match statement {
        Statement::Ranks(_) => syntax("num_ranks", "it once, before the first rank"),
        Statement::Rank(_) => syntax("rank", "`}` before the next rank"),
        Statement::End => syntax("}", "`rank R {` before it"),
        Statement::Does { .. } => syntax("an operation", "`rank R {` before it"),
        Statement::Waits { .. } => syntax("a dependency", "`rank R {` before it"),
    }
}

#[cfg(test)]
mod tests;
