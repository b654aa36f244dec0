//! How to find the optimal load of traffic.

/// A method to find the optimal load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptimumMethod {
    /// The closed form on trees, else linear programming where it is built in and the program
    /// is small enough, else the approximation. Where a program would be large, cuts and balanced
    /// shortest paths come first, and are enough if their bounds are within the gap, or 1 %.
    #[default]
    Auto,
    /// Cuts of subtrees.
    ClosedForm,
    /// Linear programming.
    Lp,
    /// Multiplicative weights.
    Approximation,
}

/// Options of an assessment of the optimal load: by default, exact bounds by the method that fits, proven.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptimumOptions {
    pub(super) method: OptimumMethod,
    /// Relative gap between the bounds at which a search may end; 0 for that of the method.
    pub(super) gap: f64,
    /// Whether to have the evidence checked even where that is much work.
    pub(super) prove: bool,
}

impl Default for OptimumOptions {
    fn default() -> Self {
        Self { method: OptimumMethod::default(), gap: 0.0, prove: true }
    }
}
