//! The record about senders that choose the shares of paths knowing the traffic.

use std::io::BufRead;

use super::lines::{Lines, ReadError};
use super::{Among, Quantity, RoutedTraffic};
use crate::rational::Rational;
use crate::topology::LinkId;
use crate::traffic::Demand;

/// A lower bound for given paths whose shares may depend on the traffic, and the evidence. The least max load of
/// traffic over these paths is at least Σ demand·distance ÷ Σ capacity·length, with the distance of a pair over its
/// paths. The claim on the certificate's routing, which has shares that suit all traffic, bounds the same from above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdaptiveRates {
    /// The bounded quantity; one of the certificate's claims is about it.
    pub quantity: Quantity,
    /// The worst traffic has at least this, whatever shares it is given.
    pub lower: Rational,
    /// The paths; those of the certificate's routing are among them.
    pub among: Among,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// A routing of it over any paths with max load at most 1, for [`Quantity::ObliviousRatio`]; `None` where the hosts
    /// limit the traffic.
    pub flow: Option<RoutedTraffic>,
    /// The lengths of the links, 0 where none is given, each link once.
    pub lengths: Vec<(LinkId, u64)>,
}

impl AdaptiveRates {
    /// Name of the bounded quantity, where the shares may depend on the traffic.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::certificate::{AdaptiveRates, Quantity};
    /// let name = AdaptiveRates::name(Quantity::HoseLoad);
    /// assert_eq!(name, "hose-load with adaptive rates");
    /// ```
    #[must_use]
    pub fn name(quantity: Quantity) -> &'static str {
        match quantity {
            Quantity::ObliviousRatio => "oblivious-ratio with adaptive rates",
            Quantity::PermutationLoad => "permutation-load with adaptive rates",
            Quantity::HoseLoad => "hose-load with adaptive rates",
        }
    }
}

impl<R: BufRead> Lines<R> {
    pub(super) fn adaptive_rates(&mut self) -> Result<Option<AdaptiveRates>, ReadError> {
        let Some([name, lower, among]) = self.record("adaptive-rates")? else { return Ok(None) };
        let expected = "oblivious-ratio, permutation-load or hose-load";
        let quantity = self.named(&name, &Quantity::NAMES, expected)?;
        let lower = self.rational(&lower)?;
        let among = if among == "own" { Among::Own } else { self.among(&among)? };
        let (demands, flow, lengths) = (self.demands()?, self.any_flow()?, self.lengths()?);
        Ok(Some(AdaptiveRates { quantity, lower, among, demands, flow, lengths }))
    }
}
