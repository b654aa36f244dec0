//! Why the optimal load of traffic could not be assessed.

use crate::checker::Refusal;
use crate::optimum::problem::OptuError;
use crate::traffic::TrafficError;

/// Why an assessment failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptimumError {
    /// There is no traffic, so there is no load to optimise.
    #[error("the traffic has no demand between different hosts, so there is no load to optimise")]
    NoTraffic,
    /// The closed form was requested where there is none.
    #[error(
        "`{0}` is not a tree of the XGFT family, so there is no closed form: use linear programming"
    )]
    NoClosedForm(String),
    /// Linear programming was requested, but this program was built without it.
    #[error(
        "this program was built without linear programming: use the approximation, or build it with the feature `highs`"
    )]
    NoLp,
    /// The traffic does not fit the network.
    #[error("{0}")]
    Traffic(#[from] OptuError),
    /// The traffic has too many demands to be listed.
    #[error("{0}")]
    Demands(#[from] TrafficError),
    /// The linear program failed.
    #[cfg(feature = "highs")]
    #[error("{0}")]
    Lp(#[from] crate::lp::LpError),
    /// The checker refuses what was found: a defect of this program.
    #[error("the checker refuses the certificate of this optimum, which is a defect: {0}")]
    Refused(#[from] Refusal),
}
