//! Adversaries, whatever they attack: searches for traffic that is bad for a [`Target`].
//!
//! A target says what is attacked and what is known of the worst traffic; each has a registry of [`Method`]s. Targets
//! are routings that do not see the traffic (`adversary` in `crates/search`), routings that do, and delivery cycles
//! (`adversary::pattern` and `adversary::delivery` in `crates/simulate`).
//!
//! The same seed and number of trials give the same [`Finding`] on any number of threads: searches run in numbered
//! restarts, each with a stream of the generator of its own, whose [`Record`]s are merged in order ([`Restarts`]).

mod record;
mod restarts;

pub use record::Record;
pub use restarts::{BLOCK, Restarts};

use serde::de::DeserializeOwned;

use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::{self, Kind, UnknownName};
use crate::spec::{Spec, SpecError};

/// Something that traffic can be bad for.
pub trait Target: Sized + 'static {
    /// One that is attacked, prepared for it.
    type Site<'t>;
    /// The worst traffic that was found, and how bad it is.
    type Worst;
    /// Why an adversary fails.
    type Error: std::error::Error + Send + Sync + From<SpecError> + From<UnknownName> + 'static;
    /// Its adversaries, in messages.
    const ADVERSARY: &'static str;
    /// Every adversary.
    const KINDS: &'static [Kind<Method<Self>>];
}

/// Builds an adversary from its spec.
pub type Build<T> = fn(&Spec) -> Result<Built<T>, <T as Target>::Error>;

/// The finding of an adversary, or the reason why it failed.
pub type Attacked<T> = Result<Finding<<T as Target>::Worst>, <T as Target>::Error>;

/// A method of finding bad traffic.
#[derive(Debug, Clone, Copy)]
pub struct Method<T: Target> {
    /// Builds the adversary.
    pub build: Build<T>,
    /// The work on which it spends its time.
    pub work: Work,
}

/// The activity on which an adversary spends its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Traffic that is known beforehand is measured.
    Measures,
    /// Random traffic is measured, every sample in full.
    Samples,
    /// Traffic is improved step by step, or link by link.
    Searches,
    /// All traffic of a kind is tried: where that comes to an end, no other has to.
    TriesAll,
    /// The exact analysis of the verb `ratio`, which is not a search.
    Analyses,
}

/// A search for traffic that is bad for a target. Its fields are the options of its spec.
pub trait Adversary<T: Target>: Send + Sync {
    /// Searches until its trials are used up, nothing more can be found, or `progress` is cancelled; in the last case
    /// the finding is the best so far. `progress` counts evaluations, and the finding names the canonical `spec`.
    ///
    /// # Errors
    /// When the target is too large for this adversary, or does not fit it.
    fn attack(&self, spec: &str, target: &T::Site<'_>, progress: &Progress) -> Attacked<T>;
}

/// An adversary that was built from a spec.
pub struct Built<T: Target> {
    /// The canonical spec.
    pub spec: String,
    adversary: Box<dyn Adversary<T>>,
}

impl<T: Target> Built<T> {
    /// The adversary that this spec describes.
    pub fn new(spec: &Spec, adversary: impl Adversary<T> + 'static) -> Self {
        Self { spec: spec.to_string(), adversary: Box::new(adversary) }
    }

    /// The adversary whose fields are the options of a spec.
    ///
    /// # Errors
    /// When an option does not fit its field.
    pub fn read<A>(spec: &Spec) -> Result<Self, T::Error>
    where
        A: Adversary<T> + DeserializeOwned + 'static,
    {
        Ok(Self::new(&spec.complete(), spec.read::<A>()?))
    }

    /// Attacks a target: see [`Adversary::attack`].
    ///
    /// # Errors
    /// When the target is too large for the adversary, or does not fit it.
    pub fn attack(&self, target: &T::Site<'_>, progress: &Progress) -> Attacked<T> {
        self.adversary.attack(&self.spec, target, progress)
    }
}

/// The result of an adversary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<W> {
    /// Canonical spec of the adversary.
    pub adversary: String,
    /// The worst traffic found, the first of several, and how bad it is; nothing when the work was stopped before
    /// anything was evaluated, or nothing fits the target.
    pub worst: W,
    /// Number of evaluations: of permutations, swaps, matrices, sets, programs or links.
    pub evaluations: u64,
    /// Evidence for what is said of the worst traffic.
    pub evidence: Evidence,
    /// Whether it was stopped before it finished.
    pub stopped: bool,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

impl<W: Default> Finding<W> {
    /// A finding of nothing: where a search begins.
    #[must_use]
    pub fn nothing(adversary: &str, evidence: Evidence) -> Self {
        Self {
            adversary: adversary.to_string(),
            worst: W::default(),
            evaluations: 0,
            evidence,
            stopped: false,
            notes: Vec::new(),
        }
    }
}

/// Builds the adversary against a target that `spec` describes.
///
/// # Errors
/// When the name is unknown or the arguments do not fit.
pub fn build<T: Target>(spec: &str) -> Result<Built<T>, T::Error> {
    let (spec, kind) = registry::parse::<_, T::Error>(T::KINDS, T::ADVERSARY, spec)?;
    (kind.build.build)(&spec)
}
