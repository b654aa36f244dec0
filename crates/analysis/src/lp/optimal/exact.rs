//! Routings and lower bounds from the master's floats, in exact arithmetic.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};
use rayon::prelude::*;

use super::allowed::Allowed;
use super::reduction::Reduction;
use crate::bounds::DualDemand;
use crate::lp::float::{float, rounded};
use crate::lp::worst_demand::exact::factors;
use crate::optimum::paths::settle;
use crate::optimum::rational_reconstruction::common_factor;
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::PathRecord;

/// Shares below this count as zero.
const NOISE: f64 = 1e-9;

/// Largest common denominator to look for in a pair's shares.
const MAX_FACTOR: u64 = 1 << 20;

/// Largest common denominator of the shares of all pairs.
const MAX_COMMON: u64 = 1 << 62;

/// Denominator for shares that do not look like fractions.
const DYADIC: u64 = 1 << 30;

/// Bits of the denominator of a number that looks exact.
const SIMPLE_BITS: usize = 24;

/// Binary digits behind the point of a bound that is rounded.
const SHORT_BITS: usize = 40;

/// 200 digits, the limit in certificates.
const MAX_BITS: usize = 660;

/// The small common denominator of shares that look like fractions. One whose own denominator is large may have a small
/// one in units of the others, which come first.
fn nice_factor(values: &[f64]) -> Option<u64> {
    let factor = |values: Vec<f64>| common_factor(values, MAX_FACTOR, |_| 1e-6);
    let (first, last): (Vec<f64>, Vec<f64>) =
        values.iter().copied().partition(|value| factor(vec![*value]).is_some());
    factor([first, last].concat())
}

/// Shares of one pair that sum to 1, close to `values`: in units of 1/`factor` if that is possible, otherwise multiples
/// of 2^−30.
fn shares(values: &[f64], factor: Option<u64>) -> Vec<Rational> {
    let exact = |factor: u64| {
        let parts = values.iter().map(|value| rounded(value * float(factor)));
        parts.map(u128::from).collect::<Vec<u128>>()
    };
    let nice = factor.map(|factor| (factor, exact(factor)));
    let nice = nice.filter(|(factor, parts)| parts.iter().sum::<u128>() == u128::from(*factor));
    let (factor, mut parts) = nice.unwrap_or_else(|| (DYADIC, exact(DYADIC)));
    settle(&mut parts, factor.into());
    let share = |part: u128| Rational::from_big(part.into(), factor.into());
    let share = |part| share(part).expect("a common denominator is at least 1");
    parts.into_iter().map(share).collect()
}

/// Whether the factors have a common multiple that is not too large.
fn have_common_multiple<'f>(mut factors: impl Iterator<Item = &'f u64>) -> bool {
    let least = factors.try_fold(1_u64, |multiple, factor| {
        let multiple = (multiple / multiple.gcd(*factor)).checked_mul(*factor)?;
        (multiple <= MAX_COMMON).then_some(multiple)
    });
    least.is_some()
}

/// The routing in which path p of `paths` has approximately the share `values[p]`.
#[must_use]
pub fn routing(
    pairs: &[(Host, Host)],
    paths: &[(usize, Vec<LinkId>)],
    values: &[f64],
) -> Vec<PathRecord> {
    let mut of_pair: Vec<Vec<usize>> = vec![Vec::new(); pairs.len()];
    for (path, ((pair, _), value)) in paths.iter().zip(values).enumerate() {
        if *value > NOISE {
            of_pair[*pair].push(path);
        }
    }
    let floats = of_pair.iter().map(|own| own.iter().map(|path| values[*path]).collect());
    let floats: Vec<Vec<f64>> = floats.collect();
    let mut factors: Vec<Option<u64>> = floats.iter().map(|floats| nice_factor(floats)).collect();
    // Each alone may look like a fraction by chance: loads, which are sums of all, would have long ones.
    if !have_common_multiple(factors.iter().flatten()) {
        factors.fill(None);
    }
    let mut records = Vec::new();
    for ((&(s, d), own), (floats, factor)) in
        pairs.iter().zip(of_pair).zip(floats.iter().zip(factors))
    {
        for (path, share) in own.into_iter().zip(shares(floats, factor)) {
            if !share.is_zero() {
                records.push(PathRecord { s, d, share, links: paths[path].1.clone() });
            }
        }
    }
    records
}

/// The routing with the given exact shares.
#[must_use]
pub fn listed(
    pairs: &[(Host, Host)],
    paths: &[(usize, Vec<LinkId>)],
    shares: &[Rational],
) -> Vec<PathRecord> {
    let used = paths.iter().zip(shares).filter(|(_, share)| !share.is_zero());
    let record = |((pair, links), share): (&(usize, Vec<LinkId>), &Rational)| {
        let (s, d) = pairs[*pair];
        PathRecord { s, d, share: share.clone(), links: links.clone() }
    };
    used.map(record).collect()
}

/// A lower bound on every routing: traffic against links, over which paths may be used.
#[derive(Clone, Copy)]
pub struct LowerBound<'a> {
    /// The network.
    pub topology: &'a Topology,
    /// Links of the network by node.
    pub network: &'a Adjacency,
    /// The pairs that determine a routing.
    pub reduction: &'a Reduction,
    /// The paths that a routing may use for these.
    pub allowed: &'a Allowed,
    /// The traffic, each against one link.
    pub cuts: &'a [DualDemand],
}

impl LowerBound<'_> {
    /// The best bound that the given weights on the traffic prove, with its weights, trying as many
    /// as `progress` allows: Σ weight·load is at least the sum of the pairs' distances, and at most
    /// the worst case times Σ weight.
    #[must_use]
    pub fn best(
        &self,
        candidates: Vec<Vec<Rational>>,
        progress: &Progress,
    ) -> (Rational, Vec<Rational>) {
        let bounds = candidates.into_iter().filter(|weights| weights.iter().all(is_short));
        let bounds = bounds.filter_map(|weights| Some((self.of(&weights, progress)?, weights)));
        let bounds = bounds.map(|(bound, weights)| (shortened(bound), weights));
        bounds.max_by(|a, b| a.0.cmp(&b.0)).unwrap_or_default()
    }

    /// The bound of these weights; `None` where they are all zero, or when stopped.
    fn of(&self, weights: &[Rational], progress: &Progress) -> Option<Rational> {
        let prices = self.prices(weights);
        let pairs = &self.reduction.pairs;
        let distances: Vec<Rational> = (0..pairs.len())
            .into_par_iter()
            .map(|place| {
                progress.check().ok()?;
                let pair = (place, pairs[place]);
                Some(self.allowed.distance(self.network, pair, &prices[place]))
            })
            .collect::<Option<_>>()?;
        distances.iter().sum::<Rational>().checked_div(&weights.iter().sum())
    }

    /// Per pair, the links that cost something, for it and all pairs that follow from it.
    fn prices(&self, weights: &[Rational]) -> Vec<Vec<(LinkId, Rational)>> {
        let mut prices = vec![Vec::new(); self.reduction.pairs.len()];
        for (cut, weight) in self.cuts.iter().zip(weights).filter(|(_, weight)| !weight.is_zero()) {
            let amounts = self.reduction.amounts(cut, &self.topology.link(cut.link).capacity);
            for ((pair, link), amount) in amounts {
                prices[pair].push((link, weight * &amount));
            }
        }
        prices
    }
}

/// A number that a certificate can hold, and no larger.
fn shortened(value: Rational) -> Rational {
    if is_short(&value) {
        return value;
    }
    let parts = (value.numerator() << SHORT_BITS) / value.denominator();
    Rational::from_big(parts, UBig::ONE << SHORT_BITS).unwrap_or(Rational::ZERO)
}

/// Whether the number looks exact, rather than rounded to 2^−40 or so.
#[must_use]
pub fn is_simple(value: &Rational) -> bool {
    value.denominator().bit_len() <= SIMPLE_BITS
}

/// Whether a certificate can hold the number.
fn is_short(value: &Rational) -> bool {
    value.numerator().bit_len().max(value.denominator().bit_len()) <= MAX_BITS
}

/// The weights, rounded in several ways.
#[must_use]
pub fn roundings(weights: &[f64]) -> Vec<Vec<Rational>> {
    let round = |factor: f64| {
        weights.iter().map(|weight| Rational::from(rounded(weight * factor))).collect()
    };
    factors(weights).into_iter().map(round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the floats, the shares are those of a routing.
    #[test]
    fn shares_sum_to_1() {
        let third = 1.0 / 3.0;
        let cases: [&[f64]; 7] = [
            &[1.0],
            &[third; 3],
            &[0.1; 5],
            &[1.0; 5],
            &[0.3, 0.3, 0.6, 0.0],
            &[std::f64::consts::FRAC_1_SQRT_2, 0.2],
            &[2.0, 1e9],
        ];
        for values in cases {
            for factor in [nice_factor(values), Some(7), None] {
                let sum = shares(values, factor).iter().sum::<Rational>();
                assert_eq!(sum, Rational::ONE, "{values:?}");
            }
        }
        let found = shares(&[third; 3], nice_factor(&[third; 3]));
        assert_eq!(found, vec![Rational::new(1, 3).unwrap(); 3]);
        // The denominator of 1/2 + 1/7692 is known once that of 1/641 is.
        assert_eq!(nice_factor(&[3847.0 / 7692.0, 1.0 / 641.0, 3833.0 / 7692.0]), Some(7692));
    }

    /// A few fractions stay; of many, whose denominators are primes, loads would have long denominators.
    #[test]
    fn shares_of_all_pairs_have_a_common_denominator() {
        let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61_u32];
        for (count, kept) in [(5, true), (15, true), (18, false)] {
            let pairs: Vec<(Host, Host)> = (1..=count).map(|d| (0, d)).collect();
            let parts = (0..).zip(primes).take(pairs.len());
            let both = |(pair, prime): (usize, u32)| {
                let part = 1.0 / f64::from(prime);
                [(pair, part), (pair, 1.0 - part)]
            };
            let (owners, values): (Vec<_>, Vec<_>) = parts.flat_map(both).unzip();
            let paths: Vec<_> = owners.into_iter().map(|pair| (pair, vec![0])).collect();
            let records = routing(&pairs, &paths, &values);
            assert_eq!(records.len(), 2 * pairs.len());
            let units = |record: &PathRecord| record.share.denominator().clone();
            let is_prime = records.iter().zip(primes.iter().flat_map(|prime| [prime; 2]));
            let is_prime: Vec<bool> =
                is_prime.map(|(record, prime)| units(record) == UBig::from(*prime)).collect();
            assert_eq!(is_prime.iter().all(|is| *is), kept, "{count}");
            let dyadic = UBig::from(DYADIC);
            let is_dyadic = records.iter().all(|record| (&dyadic % units(record)).is_zero());
            assert_eq!(is_dyadic, !kept, "{count}");
        }
    }
}
