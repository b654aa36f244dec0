//! Collectives of jobs as patterns: the sends between ranks, phase by phase.
//!
//! A pattern says who sends to whom, and which part of the message, whatever the network. The sends of a
//! phase are under way at the same time, and a phase begins when the one before has ended. In
//! `simulation::workload::collectives` are collectives as programs of hosts, for the packet simulator,
//! where ranks are not in step; `tests/analysis/workload.rs` compares the two where they are the same
//! algorithm.
//!
//! *The message* is what a rank contributes: the vector of an all-reduce or reduce-scatter, and in an
//! all-to-all the N blocks of a rank, one of them for itself.
//!
//! One file per collective: to add one, add its file, its `mod` line and its line in [`COLLECTIVES`].

mod alltoall;
mod bruck;
mod doubling;
mod folding;
mod halving;
mod ring;
mod tree;

use crate::limit::{TooLarge, within};
use crate::rational::Rational;
use crate::registry::{self, Kind, UnknownName};
use crate::spec::{Spec, SpecError};

/// Number of a process of a job, from 0. Here every node has one.
pub type Rank = u32;

/// Maximum number of ranks of a collective.
pub const MAX_RANKS: u64 = 1 << 16;

/// Maximum number of sends of a collective, over all phases.
pub const MAX_SENDS: u64 = 1 << 22;

/// What to do about too many.
const REMEDY: &str = "use fewer ranks";

/// Makes the phases of a collective of a given number of ranks, at least 2.
pub type Build = fn(&Spec, Rank) -> Result<Vec<Phase>, CollectiveError>;

/// Every collective.
pub const COLLECTIVES: &[Kind<Build>] =
    &[ring::KIND, tree::KIND, doubling::KIND, halving::KIND, bruck::KIND, alltoall::KIND];

/// Sends that are under way at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Name, such as `distance 4`.
    pub name: String,
    /// Source and destination, never the same. One pair may occur twice, and then sends twice as much.
    pub sends: Vec<(Rank, Rank)>,
    /// Size of every send, as a fraction of the message: above 0, and above 1 where parts of the message
    /// pass several times.
    pub size: Rational,
}

/// A collective of a number of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Canonical spec of the collective.
    pub spec: String,
    /// Number of ranks, at least 2.
    pub ranks: Rank,
    /// Phases of the collective, in their order.
    pub phases: Vec<Phase>,
}

/// Why there is no such collective.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum CollectiveError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("a collective of {ranks} ranks sends nothing: at least 2 are needed")]
    TooFew { ranks: usize },
}

/// The collective that `spec` describes among a given number of ranks. O(sends).
///
/// # Errors
/// [`CollectiveError`]: no such collective, options that it does not take, fewer than 2 ranks, or more
/// ranks or sends than [`MAX_RANKS`] and [`MAX_SENDS`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::collectives::generate;
/// let doubling = generate("doubling", 4)?;
/// assert_eq!(doubling.phases[1].name, "distance 2");
/// assert_eq!(doubling.phases[1].sends, [(0, 2), (1, 3), (2, 0), (3, 1)]);
/// assert!(generate("doubling", 1).is_err());
/// # Ok::<(), routebound::jobs::collectives::CollectiveError>(())
/// ```
pub fn generate(spec: &str, ranks: usize) -> Result<Collective, CollectiveError> {
    let (spec, kind) = registry::parse::<_, CollectiveError>(COLLECTIVES, "collective", spec)?;
    within("number of ranks", Some(ranks as u128), MAX_RANKS, REMEDY)?;
    let count = Rank::try_from(ranks).ok().filter(|ranks| *ranks >= 2);
    let ranks = count.ok_or(CollectiveError::TooFew { ranks })?;
    let phases = (kind.build)(&spec, ranks)?;
    Ok(Collective { spec: spec.to_string(), ranks, phases })
}

impl Phase {
    fn new(
        name: impl Into<String>,
        size: Rational,
        sends: impl Iterator<Item = (Rank, Rank)>,
    ) -> Self {
        Self { name: name.into(), sends: sends.collect(), size }
    }
}

impl Collective {
    /// Whether it is the same when every rank becomes the next one, and the last one rank 0: a rotated order
    /// then costs the same. O(sends · log(sends)).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::collectives::generate;
    /// assert!(generate("ring", 5)?.is_rotation_invariant());
    /// assert!(!generate("doubling", 8)?.is_rotation_invariant());
    /// # Ok::<(), routebound::jobs::collectives::CollectiveError>(())
    /// ```
    #[must_use]
    pub fn is_rotation_invariant(&self) -> bool {
        let next = |rank: Rank| (rank + 1) % self.ranks;
        self.phases.iter().all(|phase| {
            let mut sends = phase.sends.clone();
            let mut moved: Vec<_> = sends.iter().map(|(s, d)| (next(*s), next(*d))).collect();
            sends.sort_unstable();
            moved.sort_unstable();
            sends == moved
        })
    }

    /// Sends of all phases.
    #[must_use]
    pub fn sends(&self) -> usize {
        self.phases.iter().map(|phase| phase.sends.len()).sum()
    }
}

/// A part of the message.
fn part(numerator: Rank, denominator: Rank) -> Rational {
    Rational::new(numerator.into(), denominator.into()).expect("a message has at least one part")
}

/// Refuses more than [`MAX_SENDS`] in all.
fn check_sends(sends: u128) -> Result<(), CollectiveError> {
    within("number of sends", Some(sends), MAX_SENDS, REMEDY)?;
    Ok(())
}

#[cfg(test)]
mod tests;
