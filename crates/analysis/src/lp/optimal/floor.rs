//! Lower bounds on all routings that a search has found so far: in floats, and confirmed.

use super::TOLERANCE;
use crate::bounds::DualDemand;
use crate::rational::Rational;

/// The cut weights that give the best lower bound on all routings.
#[derive(Default)]
pub(super) struct Floor {
    pub(super) weights: Vec<f64>,
    pub(super) value: f64,
}

impl Floor {
    /// Takes the weights under which the cheapest paths cost `cost` in total, when they prove more,
    /// or as much: later weights are closer to the optimum.
    pub(super) fn raise(&mut self, weights: &[f64], cost: f64) {
        let value = cost / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        if value >= self.value * (1.0 - TOLERANCE) {
            *self = Self { weights: weights.to_vec(), value };
        }
    }
}

/// The best lower bound confirmed in exact arithmetic, with its weights: what remains when a stop
/// leaves no time to confirm the last one.
#[derive(Default)]
pub(super) struct Confirmed {
    pub(super) lower: Rational,
    pub(super) weights: Vec<Rational>,
    /// The traffic that the weights are about, if not the cuts of the search.
    pub(super) cuts: Option<Vec<DualDemand>>,
    /// Rounds of the search, and the round of the next confirmation.
    pub(super) round: u64,
    pub(super) next: u64,
}

impl Confirmed {
    pub(super) fn take(&mut self, (lower, weights): (Rational, Vec<Rational>)) {
        if lower > self.lower {
            (self.lower, self.weights, self.cuts) = (lower, weights, None);
        }
    }

    /// Takes a bound from traffic that is not among the cuts of the search.
    pub(super) fn take_other(
        &mut self,
        (lower, weights): (Rational, Vec<Rational>),
        cuts: Vec<DualDemand>,
    ) {
        if lower > self.lower {
            (self.lower, self.weights, self.cuts) = (lower, weights, Some(cuts));
        }
    }

    /// The given last bound, unless the confirmed one is better.
    pub(super) fn or(self, (lower, weights): (Rational, Vec<Rational>)) -> Self {
        if self.lower > lower { self } else { Self { lower, weights, cuts: None, ..self } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bound that a stop leaves unconfirmed does not replace a better confirmed one.
    #[test]
    fn confirmed_bounds_are_kept() {
        let weights = vec![Rational::ONE];
        let mut confirmed = Confirmed::default();
        confirmed.take((Rational::from(2), weights.clone()));
        confirmed.take((Rational::ONE, Vec::new()));
        let kept = confirmed.or((Rational::ZERO, Vec::new()));
        assert_eq!((kept.lower, kept.weights), (Rational::from(2), weights));
        let better = (Rational::from(3), vec![Rational::from(5)]);
        let confirmed = Confirmed::default();
        let kept = confirmed.or(better.clone());
        assert_eq!((kept.lower, kept.weights), better);
    }
}
