//! The worst permutation load over all sets of at most two failures, exactly.
//!
//! The SD pairs of every link are collected once. A failure changes the pairs whose paths it breaks or, where the
//! routing is recomputed in full, any pair, and adds load only to links on their new paths: a bound on what it adds
//! there (`bound.rs`) is compared with the worst load that is known. Only sets whose bound is higher are analysed, by
//! a matching of the pairs of each such link, the highest bounds first (`search.rs`). For two failures the bound
//! follows from what each does alone and from the pairs that both break (`family.rs`). Of sets that automorphisms of
//! network and routing take to each other one is looked at, where the outcome follows from paths alone (`orbits.rs`).
//! Where the most dangerous sets are to be ranked, the worst load that settles a set is that of the last one that is
//! ranked (`ranking.rs`).
//!
//! Hosts that are cut off leave the network, and pairs that are lost send nothing, as in [`crate::failure`].

mod alone;
mod base;
mod bound;
mod elements;
mod family;
mod find;
mod orbits;
mod proof;
mod ranking;
mod repair;
mod search;

pub use alone::alone;
pub use elements::{Element, FailureSet, Unit};
pub use find::{failure_sets, prove_failure_sets};
pub use ranking::{Ranked, Ranking};
pub use repair::Repair;

use crate::assessment::{AssessmentError, NoCertificate};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::Certificate;
use crate::failure::FailureError;
use crate::limit::TooLarge;
use crate::quote::Quoted;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};
use crate::worst_case::{BadPermutationError, WorstCaseError};

/// Evidence of results without a certificate.
const CLAIM: &str = "bounds and matchings, without a certificate of all sets";

/// The failures that are looked at.
#[derive(Clone, Debug)]
pub struct Failures {
    /// What may fail.
    pub elements: Vec<Element>,
    /// How many fail at most: 1 or 2.
    pub most: u8,
    /// What is done about broken paths.
    pub repair: Repair,
    /// How many of the most dangerous sets of each size are ranked; 0 for none.
    pub ranked: usize,
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
    /// Numbers of sets.
    pub counts: Counts,
    /// The most dangerous sets of one failure and, if asked for, of two; empty unless sets are to be ranked.
    pub rankings: Vec<Ranking>,
    /// For every host, the number of sets that cut it off.
    pub cut_off: Vec<u64>,
    /// The set that loses most pairs of the hosts that remain, and how many; the first among equals.
    pub most_lost: Option<(FailureSet, u64)>,
    /// Whether the work ran to completion.
    pub complete: bool,
    /// Proves the bounds on the load; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
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
    /// How it is known that the set is no worse than the worst one, or than the last one that is ranked.
    pub by: Ground,
    /// No permutation loads a link more than the larger of this and the worst load without failures.
    pub most: Rational,
    /// Number of pairs of the remaining hosts that are lost.
    pub lost: u64,
    /// Number of hosts that are cut off.
    pub cut_off: u32,
}

/// Numbers of sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Settled by a bound.
    pub settled: u64,
    /// Taken to another by an automorphism.
    pub symmetric: u64,
    /// Analysed link by link.
    pub analysed: u64,
    /// With a link that could not be solved exactly.
    pub unsolved: u64,
    /// Cut hosts off.
    pub cutting: u64,
    /// Leave pairs of the other hosts without a path.
    pub losing: u64,
}

/// Why a set is no worse than the worst one, or than the last one that is ranked.
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
    /// Nothing but that no more than every host sends over a link.
    fn unknown(instance: &Instance, failures: &Failures) -> Self {
        let Instance { topology, routing, .. } = instance;
        // Two shortest paths one after the other may take a link twice.
        let times = if routing.may_revisit() { 2 } else { 1 };
        let all = Rational::from(times * topology.hosts() as u64);
        let upper = topology.load_on_narrowest(&all).unwrap_or(Rational::ZERO);
        let evidence = Evidence::Claimed(CLAIM.into());
        let sizes = (1..=failures.most).filter(|_| failures.ranked > 0);
        let rankings = sizes.map(|size| Ranking::new(size, &upper)).collect();
        Self {
            load: Bounds { lower: Rational::ZERO, upper, evidence },
            whole: None,
            peak: None,
            verdicts: Vec::new(),
            looked_at: 0,
            counts: Counts::default(),
            rankings,
            cut_off: vec![0; topology.hosts()],
            most_lost: None,
            complete: false,
            certificate: Err(NoCertificate::NotAsked),
        }
    }
}

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        match verdict.by {
            Ground::Bound => self.settled += 1,
            Ground::Symmetry(_) => self.symmetric += 1,
            Ground::Analysis => self.analysed += 1,
            Ground::Unsolved => self.unsolved += 1,
            Ground::Open => {}
        }
        self.cutting += u64::from(verdict.cut_off > 0);
        self.losing += u64::from(verdict.lost > 0);
    }

    fn of(verdicts: &[Verdict]) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            counts.add(verdict);
        }
        counts
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
    #[error(transparent)]
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
