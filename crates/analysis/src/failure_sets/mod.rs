//! The worst permutation load over all sets of at most two failures, exactly.
//!
//! The SD pairs of every link are collected once. A failure changes the pairs whose paths it breaks or, where the
//! routing is recomputed in full, any pair, and adds load only to links on their new paths: a bound on what it adds
//! there (`bound.rs`) is compared with the worst load that is known. Only sets whose bound is higher are analysed, by
//! a matching of the pairs of each such link, the highest bounds first (`search.rs`). For two failures the bound
//! follows from what each does alone and from the pairs that both break (`family.rs`). Of sets that automorphisms of
//! network and routing take to each other one is looked at, where the outcome follows from paths alone (`orbits.rs`).
//!
//! Hosts that are cut off leave the network, and pairs that are lost send nothing, as in [`crate::failure`].

mod base;
mod bound;
mod elements;
mod family;
mod orbits;
mod repair;
mod search;

pub use elements::{Element, FailureSet, Unit};
pub use repair::Repair;
pub use search::{alone, failure_sets};

use crate::assessment::AssessmentError;
use crate::bounds::Bounds;
use crate::failure::FailureError;
use crate::limit::TooLarge;
use crate::quote::Quoted;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};
use crate::worst_case::{BadPermutationError, WorstCaseError};

/// The failures that are looked at.
#[derive(Clone, Debug)]
pub struct Failures {
    /// What may fail.
    pub elements: Vec<Element>,
    /// How many fail at most: 1 or 2.
    pub most: u8,
    /// What is done about broken paths.
    pub repair: Repair,
}

impl Failures {
    /// Number of sets, the empty one among them.
    #[must_use]
    pub fn sets(&self) -> u64 {
        u64::try_from(elements::number_of_sets(self.elements.len(), self.most)).unwrap_or(u64::MAX)
    }

    /// The names of what fails in a set.
    #[must_use]
    pub fn names(&self, set: &[u32]) -> Vec<String> {
        set.iter().map(|one| self.elements[*one as usize].name.clone()).collect()
    }

    /// The name of the file, or folder, with the tables for a set: the names of what fails, with `+` between them,
    /// and `%25`, `%2B` and `%2F` for `%`, `+` and `/` in a name.
    #[must_use]
    pub fn file_of_tables(&self, set: &[u32]) -> String {
        let names = self.names(set).into_iter();
        let name = |name: String| name.replace('%', "%25").replace('+', "%2B").replace('/', "%2F");
        names.map(name).collect::<Vec<_>>().join("+")
    }
}

/// The worst permutation load over all sets of failures.
#[derive(Clone, Debug)]
pub struct FailureSets {
    /// Bounds on the maximum over all sets, the empty one among them.
    pub load: Bounds,
    /// The worst load without failures, where it is known.
    pub whole: Option<Rational>,
    /// A set that has the lower bound, the first one that was found; `None` where no failure adds to the load.
    pub peak: Option<Peak>,
    /// What was found for every set: the empty one, each failure alone, then pairs. Empty while nothing is known.
    pub verdicts: Vec<Verdict>,
    /// Number of sets of which losses are known, and a bound.
    pub looked_at: u64,
    /// For every host, the number of sets that cut it off.
    pub cut_off: Vec<u64>,
    /// The set that loses most pairs of the hosts that remain, and how many; the first among equals.
    pub most_lost: Option<(FailureSet, u64)>,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// A set of failures at its worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The numbers of the elements.
    pub set: FailureSet,
    /// The load that `pairs` attain.
    pub load: Rational,
    /// No permutation has a higher load; above `load` only where a link could not be solved exactly.
    pub most: Rational,
    /// The link that has the load.
    pub link: LinkId,
    /// The pairs that cross the link; each end is in one of them.
    pub pairs: Vec<(Host, Host)>,
}

/// What was found for a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it is known that the set is no worse than the worst one.
    pub by: Ground,
    /// No permutation loads a link more than the larger of this and the worst load without failures.
    pub most: Rational,
    /// Number of pairs of the remaining hosts that are lost.
    pub lost: u64,
    /// Number of hosts that are cut off.
    pub cut_off: u32,
}

/// Why a set is no worse than the worst one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A bound without a matching.
    Bound,
    /// An automorphism takes it to an earlier set, given by its place.
    Symmetry(u32),
    /// Every link that could be worse was analysed.
    Analysis,
    /// Nothing: a link that could be worse could not be solved exactly.
    Unsolved,
    /// Nothing: the work was stopped.
    Open,
}

impl FailureSets {
    /// Number of sets of which this holds.
    #[must_use]
    pub fn count(&self, holds: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| holds(verdict)).count()
    }
}

/// Why the worst case over failures is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum FailureSetError {
    #[error(transparent)]
    Failure(#[from] FailureError),
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
    #[error(transparent)]
    Link(#[from] BadPermutationError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(
        "internal error: the worst set of failures has a permutation load of {load}, but {alone} when it is assessed \
         alone; please report it"
    )]
    Differs { load: String, alone: String },
    #[error(
        "there are no tables for {missing} of {sets} sets of failures: the first would be in `{first}`; put there, as a \
         file or a folder, the tables that the subnet manager computes once these cables are removed, or choose another \
         repair"
    )]
    NoTables { missing: usize, sets: usize, first: Quoted },
    #[error(
        "tables for each failure are only for cables that fail: choose another repair for switches"
    )]
    TablesOfSwitches,
    #[error(
        "two cables are called `{0}`, so that their tables cannot be told apart: rename a node, or choose another repair"
    )]
    SameTables(Quoted),
    #[error("at most 2 simultaneous failures are supported, not {0}: choose 1 or 2")]
    Most(u8),
    #[error("`{0}` has nothing that may fail: no cable between two switches or two hosts")]
    NothingToFail(String),
}
