//! A routing near the optimum against many cuts, by steps along smoothed loads.
//!
//! The largest load of a cut, θ, is replaced by the smooth (1/β)·ln Σ exp(β·load), which is at most
//! ln(cuts)/β more. Its gradient prices paths: cuts weigh exp(β·load). The shares of every pair move
//! towards cheaper paths by multiplicative steps of a length found by line search. Unlike vertices
//! of the linear program, both shares and weights change little from round to round, and a step costs
//! no more than reading the cuts once; but only vertices are exact. Nesterov, Mathematical
//! Programming 103(1), 2005, <https://doi.org/10.1007/s10107-004-0552-5>.

use super::master::{Master, Solution};
use crate::progress::Progress;

/// Steps per call.
const STEPS: usize = 60;

/// The largest share of a new path.
const FRESH: f64 = 0.1;

/// Weights below this part of the largest count as zero.
const LEAST_WEIGHT: f64 = 1e-4;

/// Halvings of an interval in the line search.
const HALVINGS: usize = 12;

/// The shares so far.
pub(super) struct Smooth {
    shares: Vec<f64>,
    /// The length of a multiplicative step; it adapts.
    step: f64,
}

/// The cuts' amounts by path.
type Rows = Vec<Vec<(usize, f64)>>;

fn loads(rows: &Rows, shares: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| row.iter().map(|(path, amount)| amount * shares[*path]).sum()).collect()
}

/// The weights of cuts with these loads, which sum to 1.
fn weights(loads: &[f64], beta: f64) -> Vec<f64> {
    let most = loads.iter().copied().fold(0.0, f64::max);
    let mut weights: Vec<f64> = loads.iter().map(|load| libm::exp(beta * (load - most))).collect();
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

/// What every path costs under the weights.
fn costs(rows: &Rows, weights: &[f64], paths: usize) -> Vec<f64> {
    let mut costs = vec![0.0; paths];
    for (row, weight) in rows.iter().zip(weights).filter(|(_, weight)| **weight > 1e-12) {
        for (path, amount) in row {
            costs[*path] += weight * amount;
        }
    }
    costs
}

/// How far to go from `loads` by `change`, between 0 and 1: where the smooth load stops falling.
fn distance(loads: &[f64], change: &[f64], beta: f64) -> f64 {
    let slope = |at: f64| {
        let moved: Vec<f64> = loads.iter().zip(change).map(|(l, c)| l + at * c).collect();
        weights(&moved, beta).iter().zip(change).map(|(w, c)| w * c).sum::<f64>()
    };
    if slope(1.0) <= 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if slope(middle) <= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

impl Smooth {
    pub(super) fn new() -> Self {
        Self { shares: Vec::new(), step: 1.0 }
    }

    /// A routing whose loads are smoothed by about `slack`, with the weights of the cuts; `None`
    /// when stopped. O(coefficients of the master) a step.
    pub(super) fn solve(
        &mut self,
        master: &Master<'_>,
        slack: f64,
        progress: &Progress,
    ) -> Option<Solution> {
        let rows: Rows = master.cuts.iter().map(|cut| master.terms(cut)).collect();
        let of_pair = master.paths_of_pairs();
        self.admit(&of_pair, master.paths.len());
        let beta = libm::log(1.0 + rows.len() as f64) / slack;
        let mut loads_now = loads(&rows, &self.shares);
        for _ in 0..STEPS {
            if progress.cancelled() {
                return None;
            }
            self.step_down(&rows, &of_pair, &mut loads_now, beta);
        }
        let mut weights = weights(&loads_now, beta);
        let most = weights.iter().copied().fold(0.0, f64::max);
        // Every cut that counts makes the evidence of a bound longer.
        weights.iter_mut().filter(|weight| **weight < most * LEAST_WEIGHT).for_each(|w| *w = 0.0);
        let costs = costs(&rows, &weights, self.shares.len());
        let cheapest =
            |paths: &Vec<usize>| paths.iter().map(|p| costs[*p]).fold(f64::MAX, f64::min);
        let worth = of_pair.iter().map(cheapest).collect();
        let value = loads_now.iter().copied().fold(0.0, f64::max);
        Some(Solution { value, shares: self.shares.clone(), weights, worth })
    }

    /// One step, of the length at which the smooth load stops falling.
    fn step_down(&mut self, rows: &Rows, of_pair: &[Vec<usize>], now: &mut [f64], beta: f64) {
        let costs = costs(rows, &weights(now, beta), self.shares.len());
        let target = self.towards_cheaper(of_pair, &costs);
        let change: Vec<f64> = target.iter().zip(&self.shares).map(|(t, s)| t - s).collect();
        let of_loads = loads(rows, &change);
        let far = distance(now, &of_loads, beta);
        for (share, change) in self.shares.iter_mut().zip(&change) {
            *share = (*share + far * change).max(0.0);
        }
        for (load, change) in now.iter_mut().zip(&of_loads) {
            *load += far * change;
        }
        self.step = (self.step * if far > 0.7 { 1.5 } else { 0.6 }).clamp(1e-3, 1e3);
    }

    /// Gives new paths a share: the shares of a pair without any so far become even, and otherwise
    /// its other paths give up as much as the new ones get.
    fn admit(&mut self, of_pair: &[Vec<usize>], paths: usize) {
        let known = self.shares.len();
        self.shares.resize(paths, 0.0);
        for own in of_pair {
            let fresh = own.iter().filter(|path| **path >= known).count();
            if fresh == 0 {
                continue;
            }
            let even = 1.0 / own.len() as f64;
            let part = if fresh == own.len() { even } else { FRESH.min(even) };
            for path in own {
                let share = &mut self.shares[*path];
                *share = if *path >= known { part } else { *share * (1.0 - part * fresh as f64) };
            }
        }
    }

    /// The shares after a full multiplicative step. Costs count relative to their spread over all
    /// pairs, as pairs with much traffic differ more than others.
    fn towards_cheaper(&self, of_pair: &[Vec<usize>], costs: &[f64]) -> Vec<f64> {
        let mut target = self.shares.clone();
        let excess = |own: &Vec<usize>| {
            let least = own.iter().map(|path| costs[*path]).fold(f64::MAX, f64::min);
            own.iter().map(|path| self.shares[*path] * (costs[*path] - least)).sum::<f64>()
        };
        let mean = of_pair.iter().map(excess).sum::<f64>() / of_pair.len() as f64;
        let unit = self.step / mean.max(1e-300);
        for own in of_pair {
            let least = own.iter().map(|path| costs[*path]).fold(f64::MAX, f64::min);
            let mut total = 0.0;
            for path in own {
                // A path never loses all: it could not return.
                let factor = libm::exp(-(unit * (costs[*path] - least)).min(5.0));
                target[*path] = (target[*path] * factor).max(1e-9);
                total += target[*path];
            }
            for path in own {
                target[*path] /= total;
            }
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_whole(smooth: &Smooth, of_pair: &[Vec<usize>]) -> bool {
        let total = |own: &Vec<usize>| own.iter().map(|path| smooth.shares[*path]).sum::<f64>();
        of_pair.iter().all(|own| (total(own) - 1.0).abs() < 1e-12)
    }

    /// Pairs with one path, with several from the beginning, and with paths that come later.
    #[test]
    fn shares_of_a_pair_always_sum_to_1() {
        let mut smooth = Smooth::new();
        let first = [vec![0], vec![1, 2, 3], (4..24).collect()];
        smooth.admit(&first, 24);
        assert!(are_whole(&smooth, &first), "{:?}", smooth.shares);
        let more = [vec![0, 24], vec![1, 2, 3, 25, 26], (4..24).chain(27..67).collect()];
        smooth.admit(&more, 67);
        assert!(are_whole(&smooth, &more), "{:?}", smooth.shares);
        let rows: Rows = vec![
            (0..67).step_by(2).map(|path| (path, 1.0)).collect(),
            (0..67).step_by(3).map(|path| (path, 2.0)).collect(),
        ];
        let mut now = loads(&rows, &smooth.shares);
        for _ in 0..200 {
            smooth.step_down(&rows, &more, &mut now, 50.0);
            assert!(are_whole(&smooth, &more), "{:?}", smooth.shares);
        }
    }

    /// The least max load of two parallel paths is a half each.
    #[test]
    fn load_moves_to_the_path_with_less() {
        let (rows, of_pair) = (vec![vec![(0, 1.0)], vec![(1, 1.0)]], [vec![0, 1]]);
        let mut smooth = Smooth::new();
        smooth.admit(&[vec![0]], 1);
        smooth.admit(&of_pair, 2);
        let mut now = loads(&rows, &smooth.shares);
        let before = now[0];
        for _ in 0..STEPS {
            smooth.step_down(&rows, &of_pair, &mut now, 100.0);
        }
        assert!(before > 0.89 && (now[0] - 0.5).abs() < 1e-3 && (now[1] - 0.5).abs() < 1e-3);
    }
}
