//! The best routing of a search so far.

use super::TOLERANCE;
use super::separation::LinkCase;
use crate::bounds::DualDemand;
use crate::topology::LinkId;

/// The best routing so far: its shares by path, and its worst case with the evidence.
#[derive(Default)]
pub(super) struct Best {
    pub(super) shares: Vec<f64>,
    pub(super) value: f64,
    /// The least value taken so far, against which later ones are measured.
    pub(super) least: f64,
    /// Links, and the prices that bound the load of each.
    pub(super) prices: Vec<(LinkId, Vec<f64>)>,
    pub(super) worst: Option<DualDemand>,
}

impl Best {
    /// Takes a routing, with its worst case on every link, where it is as good or better.
    pub(super) fn take(&mut self, shares: &[f64], cases: &mut [LinkCase]) {
        let worst = cases.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let value = worst.map_or(0.0, |case| case.value);
        if value > self.least * (1.0 + TOLERANCE) {
            return;
        }
        // The evidence is about these shares, so they belong together.
        self.worst = worst.and_then(|case| case.dual_demand.clone());
        let prices = |case: &mut LinkCase| (case.link, std::mem::take(&mut case.prices));
        self.prices = cases.iter_mut().map(prices).collect();
        (self.shares, self.value) = (shares.to_vec(), value);
        self.least = self.least.min(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(value: f64) -> LinkCase {
        LinkCase { value, prices: vec![value], ..LinkCase::default() }
    }

    /// Prices are evidence only about the shares that they were found for.
    #[test]
    fn shares_and_evidence_belong_together() {
        let (value, prices) = (f64::INFINITY, Vec::new());
        let mut best = Best { shares: vec![0.0], value, least: value, prices, worst: None };
        best.take(&[1.0], &mut [case(2.0)]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (1.0, 2.0));
        // Worse by less than the tolerance counts as equally good, but such steps do not add up.
        let near = 2.0 * (1.0 + TOLERANCE / 2.0);
        best.take(&[0.5], &mut [case(near)]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (0.5, near));
        best.take(&[0.25], &mut [case(near * (1.0 + TOLERANCE))]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (0.5, near));
    }
}
