//! Programs: operations of ranks that fit together.

use super::matching;
use super::operations::{ALONE, Name, Numbering, Operation, Place, Rank, numbered};
use super::order;
use super::program_error::ProgramError;
use super::trace::{MAX_BYTES, MAX_TIME};
use crate::limit::within;
use crate::topology::host_number;

/// Maximum number of operations of a program: half a gigabyte with few dependencies.
pub const MAX_OPERATIONS: u64 = 1 << 22;
/// Maximum number of dependencies of a program.
pub const MAX_DEPENDENCIES: u64 = 1 << 24;

/// Operations of ranks, rank r on host r. It is certain that every send has its receive, and that the
/// program ends: nothing waits for itself, by whatever detours.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::{Operation, Place, Program, Rank};
/// let mut ranks = [Rank::default(), Rank::default()];
/// ranks[0].push(Operation::Send { to: 1, bytes: 8, tag: 0 }, vec![]);
/// ranks[1].push(Operation::Receive { from: 0, bytes: 8, tag: 0 }, vec![]);
/// let program = Program::new(ranks.to_vec())?;
/// let [send, receive] = [0, 1].map(|rank| Place { rank, operation: 0 });
/// assert_eq!(program.partner(receive), Some(send));
/// // A receive without its send.
/// ranks[0] = Rank::default();
/// assert!(Program::new(ranks.to_vec()).is_err());
/// # Ok::<(), routebound::simulation::workload::ProgramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    ranks: Vec<Rank>,
    numbering: Numbering,
    /// By number of the operation: its partner, or [`ALONE`].
    partners: Vec<u32>,
}

impl Program {
    /// A program, after it has been checked. The k-th send of a rank to another with some tag, in the
    /// order of their numbers, is for the k-th receive there of that rank and tag.
    /// O((operations + dependencies)·log operations).
    ///
    /// # Errors
    /// [`ProgramError`].
    pub fn new(ranks: Vec<Rank>) -> Result<Self, ProgramError> {
        let name = |Place { rank, operation }| format!("operation {operation} of rank {rank}");
        Self::named(ranks, &name)
    }

    /// Like [`Self::new`], with the names of operations in errors.
    pub(super) fn named(ranks: Vec<Rank>, name: Name) -> Result<Self, ProgramError> {
        check_sizes(&ranks)?;
        let numbering = Numbering::of(&ranks);
        for (place, operation) in numbered(&ranks) {
            check(&ranks, place, operation, name)?;
        }
        let cycle = |partners: &[u32]| order::cycle(&ranks, &numbering, partners, name);
        if let Some(cycle) = cycle(&[]) {
            return Err(ProgramError::Cycle { cycle });
        }
        let partners = matching::partners(&ranks, &numbering, name)?;
        match cycle(&partners) {
            Some(cycle) => Err(ProgramError::Deadlock { cycle }),
            None => Ok(Self { ranks, numbering, partners }),
        }
    }

    /// The ranks.
    #[must_use]
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// Number of operations of all ranks.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.partners.len()
    }

    /// Number of messages. O(operations).
    #[must_use]
    pub fn messages(&self) -> usize {
        self.partners.iter().filter(|partner| **partner != ALONE).count() / 2
    }

    /// Bytes of all messages, less than 2^58. O(operations).
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sent = numbered(&self.ranks).map(|(_, operation)| match operation {
            Operation::Send { bytes, .. } => bytes,
            _ => 0,
        });
        sent.sum()
    }

    /// The receive of a send and the send of a receive; nothing for other operations and for those
    /// that there are not. O(log ranks).
    #[must_use]
    pub fn partner(&self, place: Place) -> Option<Place> {
        let operations = &self.ranks.get(place.rank as usize)?.operations;
        operations.get(place.operation as usize)?;
        let partner = self.partners.get(self.numbering.number(place) as usize);
        partner.filter(|partner| **partner != ALONE).map(|partner| self.numbering.place(*partner))
    }
}

fn check_sizes(ranks: &[Rank]) -> Result<(), ProgramError> {
    if ranks.is_empty() {
        return Err(ProgramError::NoRanks);
    }
    let sizes = ranks.iter().map(|rank| rank.operations.len() as u128).sum();
    within("number of operations", Some(sizes), MAX_OPERATIONS, REMEDY)?;
    let unequal = |rank: &Rank| {
        let lengths = [rank.requires.len(), rank.starts_after.len()];
        lengths.into_iter().any(|length| length != rank.operations.len())
    };
    if let Some(rank) = ranks.iter().position(unequal) {
        return Err(ProgramError::Lists { rank: host_number(rank) });
    }
    let lists = ranks.iter().flat_map(|rank| rank.requires.iter().chain(&rank.starts_after));
    let dependencies = lists.map(|list| list.len() as u128).sum();
    within("number of dependencies", Some(dependencies), MAX_DEPENDENCIES, REMEDY)?;
    Ok(())
}

pub(super) const REMEDY: &str = "use fewer ranks or a shorter program";

/// Checks an operation by itself.
fn check(
    ranks: &[Rank],
    place: Place,
    operation: Operation,
    name: Name,
) -> Result<(), ProgramError> {
    match operation {
        Operation::Send { to: peer, bytes, .. } | Operation::Receive { from: peer, bytes, .. } => {
            if peer as usize >= ranks.len() {
                let (operation, ranks) = (name(place), ranks.len());
                return Err(ProgramError::NoRank { operation, found: peer, ranks });
            }
            if peer == place.rank {
                return Err(ProgramError::ToItself { operation: name(place) });
            }
            if bytes == 0 {
                return Err(ProgramError::NoBytes { operation: name(place) });
            }
            let remedy = "split the message";
            within("number of bytes of a message", Some(bytes.into()), MAX_BYTES, remedy)?;
        }
        Operation::Compute { ns } => {
            let remedy = "compute for a shorter time";
            within("duration of an operation in ns", Some(ns.into()), MAX_TIME, remedy)?;
        }
    }
    let (rank, at) = (&ranks[place.rank as usize], place.operation as usize);
    let unknown = |on: &&u32| **on as usize >= rank.operations.len();
    match rank.requires[at].iter().chain(&rank.starts_after[at]).find(unknown) {
        Some(on) => Err(ProgramError::NoOperation { operation: name(place), found: *on }),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;
