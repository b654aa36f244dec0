//! The vertex that a solution of the master stands for, in exact arithmetic.
//!
//! The floats tell which paths carry traffic and which cuts are tight; shares and weights then
//! follow from linear equations.

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_int::ops::Gcd;

use super::master::Solution;
use super::reduction::{Amounts, Reduction};
use crate::bounds::DualDemand;
use crate::lp::linear::{Equation, solve};
use crate::rational::Rational;
use crate::topology::{LinkId, Topology};

/// Floats this close to zero count as zero.
const NEAR: f64 = 1e-7;

/// The master linear program in exact numbers.
pub(super) struct Exact<'a> {
    /// The network.
    pub topology: &'a Topology,
    /// The pairs of the master.
    pub reduction: &'a Reduction,
    /// Pair and links of every path.
    pub paths: &'a [(usize, Vec<LinkId>)],
    /// Traffic against links, one for each cut of the master.
    pub cuts: &'a [DualDemand],
}

/// The equation Σ `plus` − Σ `minus` = `right`, scaled to integers.
fn equation(
    plus: &[(usize, Rational)],
    minus: &[(usize, Rational)],
    right: u64,
) -> Option<Equation> {
    let terms = || plus.iter().chain(minus);
    let unit = terms().fold(UBig::ONE, |unit, (_, value)| {
        let denominator = value.denominator();
        &unit / (&unit).gcd(denominator) * denominator
    });
    let integer = |value: &Rational| {
        let value = value.numerator() * (&unit / value.denominator());
        i128::try_from(value).ok()
    };
    let mut left: HashMap<usize, i128> = HashMap::new();
    for (column, value) in plus {
        *left.entry(*column).or_default() += integer(value)?;
    }
    for (column, value) in minus {
        *left.entry(*column).or_default() -= integer(value)?;
    }
    let mut left: Vec<_> = left.into_iter().filter(|(_, c)| *c != 0).collect();
    left.sort_unstable();
    let right = i128::try_from(UBig::from(right) * unit).ok()?;
    Some(Equation { left, right })
}

/// The amount that a path of a pair contributes to a cut, if any.
fn amount(amounts: &Amounts, pair: usize, links: &[LinkId]) -> Option<Rational> {
    let amounts = links.iter().filter_map(|link| amounts.get(&(pair, *link)));
    amounts.cloned().reduce(|sum, amount| &sum + &amount)
}

impl Exact<'_> {
    fn amounts(&self, cut: &DualDemand) -> Amounts {
        self.reduction.amounts(cut, &self.topology.link(cut.link).capacity)
    }

    /// Shares of all paths.
    #[must_use]
    pub fn shares(&self, solution: &Solution) -> Option<Vec<Rational>> {
        let used: Vec<usize> =
            (0..solution.shares.len()).filter(|path| solution.shares[*path] > NEAR).collect();
        let mut equations = Vec::new();
        let mut of_pair = vec![Vec::new(); self.reduction.pairs.len()];
        for (column, path) in (1..).zip(&used) {
            of_pair[self.paths[*path].0].push((column, Rational::ONE));
        }
        for terms in &of_pair {
            equations.push(equation(terms, &[], 1)?);
        }
        for cut in self.cuts {
            let amounts = self.amounts(cut);
            let mut terms = Vec::new();
            let mut load = 0.0;
            for (column, path) in (1..).zip(&used) {
                let (pair, links) = &self.paths[*path];
                if let Some(amount) = amount(&amounts, *pair, links) {
                    load += amount.to_f64() * solution.shares[*path];
                    terms.push((column, amount));
                }
            }
            if (load - solution.value).abs() < NEAR {
                equations.push(equation(&terms, &[(0, Rational::ONE)], 0)?);
            }
        }
        let mut near = vec![solution.value];
        near.extend(used.iter().map(|path| solution.shares[*path]));
        let found = solve(&equations, &near)?;
        let mut shares = vec![Rational::ZERO; self.paths.len()];
        for (path, share) in used.into_iter().zip(found.into_iter().skip(1)) {
            shares[path] = share;
        }
        Some(shares)
    }

    /// Weights of all cuts.
    #[must_use]
    pub fn weights(&self, solution: &Solution) -> Option<Vec<Rational>> {
        let tight: Vec<usize> =
            (0..self.cuts.len()).filter(|cut| solution.weights[*cut] > NEAR / 10.0).collect();
        let amounts: Vec<_> = tight.iter().map(|cut| self.amounts(&self.cuts[*cut])).collect();
        let all: Vec<(usize, Rational)> =
            (0..tight.len()).map(|cut| (cut, Rational::ONE)).collect();
        let mut equations = vec![equation(&all, &[], 1)?];
        for (pair, links) in self.paths.iter().take(solution.shares.len()) {
            let mut terms = Vec::new();
            let mut cost = 0.0;
            for (column, cut) in tight.iter().enumerate() {
                if let Some(amount) = amount(&amounts[column], *pair, links) {
                    cost += amount.to_f64() * solution.weights[*cut];
                    terms.push((column, amount));
                }
            }
            if (cost - solution.worth[*pair]).abs() < NEAR / 10.0 {
                equations.push(equation(&terms, &[(tight.len() + pair, Rational::ONE)], 0)?);
            }
        }
        let mut near: Vec<f64> = tight.iter().map(|cut| solution.weights[*cut]).collect();
        near.extend(&solution.worth);
        let found = solve(&equations, &near)?;
        let mut weights = vec![Rational::ZERO; self.cuts.len()];
        for (cut, weight) in tight.into_iter().zip(found) {
            weights[cut] = weight;
        }
        Some(weights)
    }
}
