//! Why the optimal load of traffic could not be assessed.

use crate::advice::Advice;
use crate::checker::Refusal;
use crate::optimum::problem::OptuError;
use crate::traffic::TrafficError;

/// Why an assessment failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum OptimumError {
    #[error("the traffic has no demand between different hosts, so there is no load to optimise")]
    NoTraffic,
    /// The closed form was requested where there is none.
    #[error("`{network}` is not a tree of the XGFT family, so there is no closed form: {advice}")]
    NoClosedForm {
        network: String,
        #[source]
        advice: Advice,
    },
    #[error(
        "this program was built without linear programming: build it with the feature `highs`, or {0}"
    )]
    NoLp(#[source] Advice),
    #[error(transparent)]
    Traffic(#[from] OptuError),
    #[error(transparent)]
    Demands(#[from] TrafficError),
    #[cfg(feature = "highs")]
    #[error(transparent)]
    Lp(#[from] crate::lp::LpError),
    #[error(
        "internal error: the checker refuses the certificate of this optimum: {0}; please report it"
    )]
    Refused(#[from] Refusal),
}
