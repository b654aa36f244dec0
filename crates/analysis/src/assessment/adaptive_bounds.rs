//! What is known of the worst case of paths whose rates the sender chooses.

use super::NoCertificate;
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Quantity};
use crate::lp::optimal::adaptive::AdaptiveTraffic;
use crate::rational::Rational;

/// Part of the time, after the routing's own shares, for the bound from above: the best shares that do not depend on
/// the traffic.
pub(super) const ABOVE: f64 = 0.6;

/// Why bounds are claimed.
const UNCHECKED: &str = "no certificate of both sides was checked";

/// Bounds on the worst case of the paths of a routing.
#[derive(Clone, Debug)]
pub struct AdaptiveAssessment {
    /// What is bounded.
    pub quantity: Quantity,
    /// Where the sender chooses the shares, knowing the traffic.
    pub adaptive: Bounds,
    /// With the best shares that are the same for all traffic.
    pub fixed: Bounds,
    /// The traffic that attains the lower side of the first, if any was found: none has to be for 1.
    pub traffic: Option<AdaptiveTraffic>,
    /// Proves both sides of the first; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Whether the bounds are proven and meet, or both searches ran to completion. They may then differ nevertheless.
    pub complete: bool,
    /// Why something is not known or not proven, other than by a stop.
    pub notes: Vec<String>,
}

/// What follows from bounds on shares that are the same for all traffic.
pub(super) fn from_above(quantity: Quantity, routing: &Bounds) -> AdaptiveAssessment {
    // A max load is never below optu.
    let is_ratio = quantity == Quantity::ObliviousRatio;
    let lower = if is_ratio { Rational::ONE.min(routing.upper.clone()) } else { Rational::ZERO };
    let evidence = Evidence::Claimed(UNCHECKED.into());
    let adaptive = Bounds { lower, upper: routing.upper.clone(), evidence };
    AdaptiveAssessment {
        quantity,
        fixed: adaptive.clone(),
        adaptive,
        traffic: None,
        certificate: Err(NoCertificate::Unfinished),
        complete: false,
        notes: Vec::new(),
    }
}

impl AdaptiveAssessment {
    /// Takes traffic into account.
    pub(super) fn raise(&mut self, found: &AdaptiveTraffic) {
        if found.lower >= self.adaptive.lower {
            self.adaptive.lower = found.lower.clone();
            self.traffic = Some(found.clone());
        }
    }
}
