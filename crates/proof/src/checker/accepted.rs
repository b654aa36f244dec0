//! What a certificate proves.

use std::borrow::Cow;
use std::fmt;

use crate::certificate::Claim;
use crate::rational::Rational;

/// Bounds that a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The bounded quantity, by its name in certificates.
    pub quantity: Cow<'static, str>,
    /// The quantity is at least this.
    pub lower: Rational,
    /// The quantity is at most this.
    pub upper: Rational,
}

impl Accepted {
    pub(super) fn claim(claim: &Claim) -> Self {
        let Claim { quantity, lower, upper } = claim.clone();
        Self { quantity: quantity.name().into(), lower, upper }
    }
}

impl fmt::Display for Accepted {
    /// `oblivious-ratio = 7` or `3 <= oblivious-ratio <= 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity, lower, upper } = self;
        if lower == upper {
            write!(f, "{quantity} = {lower}")
        } else {
            write!(f, "{lower} <= {quantity} <= {upper}")
        }
    }
}
