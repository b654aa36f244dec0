//! Remedies that a program around the library has its own way to apply.

use std::error::Error;
use std::iter;

use super::Advice;

/// A remedy, for which a program around the library knows what its user has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Ignore capacities: every link gets capacity 1.
    UnitCapacities,
    /// Read parallel cables as one link.
    MergeCables,
    /// Read parallel cables as separate links.
    SeparateCables,
    /// Read a network without capacities that two directions share.
    OwnCapacities,
    /// Read each line of a list as one directed link.
    DirectedLinks,
    /// Find the worst case by the exact analysis.
    ExactAnalysis,
    /// Find the optimum by linear programming.
    LinearProgramming,
    /// Find the optimum by the approximation.
    Approximation,
    /// Check a certificate that names its network.
    CheckByName,
    /// Analyse a routing link by link, and write it out.
    AnalyseByLink,
    /// Certify one routing, written out.
    WriteOutRouting,
    /// Write the paths of a routing in place of its tables.
    WritePaths,
    /// Write another format.
    OtherFormat,
    /// Give a topology in place of a number of hosts.
    GiveTopology,
    /// Look up the names of the nodes.
    ListNodes,
}

impl Advice {
    /// The advice to ignore capacities.
    pub const IGNORE_CAPACITIES: Self =
        Self::new("ignore all capacities", &[Remedy::UnitCapacities]);
    /// The advice to give every link capacity 1, where there may be none to ignore.
    pub const CAPACITY_1: Self = Self::new("give every link capacity 1", &[Remedy::UnitCapacities]);
    /// The advice to leave parallel cables separate.
    pub const SEPARATE_CABLES: Self =
        Self::new("read it without merging cables", &[Remedy::SeparateCables]);
    /// The advice to give a network, whose addresses are needed.
    pub const GIVE_TOPOLOGY: Self =
        Self::new("give a topology instead of a number of hosts", &[Remedy::GiveTopology]);
    /// The advice to do without a large linear program.
    pub const AVOID_LARGE_PROGRAM: Self =
        Self::new("use the approximation, or a smaller network", &[Remedy::Approximation]);

    /// Advice in words that name these remedies.
    #[must_use]
    pub const fn new(words: &'static str, remedies: &'static [Remedy]) -> Self {
        Self { words, remedies }
    }

    /// The remedies that the words name.
    #[must_use]
    pub const fn remedies(self) -> &'static [Remedy] {
        self.remedies
    }

    /// The advice among the causes of an error.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::advice::{Advice, Remedy};
    /// use routebound::limit::within;
    /// let advice = Advice::new("use the approximation", &[Remedy::Approximation]);
    /// let error = within("number of columns", Some(9), 8, advice).unwrap_err();
    /// assert_eq!(Advice::of(&error), Some(advice));
    /// ```
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut causes = iter::successors(Some(error), |cause| (**cause).source());
        causes.find_map(|cause| cause.downcast_ref().copied())
    }
}
