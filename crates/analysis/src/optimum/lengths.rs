//! Lower bounds on optu from integer link lengths.
//!
//! Give every link a length ≥ 0. Whatever the routing, traffic uses at least its demand times the
//! shortest distance, and a max load of θ offers at most θ · capacity · length on each link. So
//! optu ≥ Σ demand · distance ÷ Σ capacity · length, for any lengths; by linear programming duality
//! the best lengths attain optu. The link prices in a solver's dual solution are such lengths.
//! Rounded to integers, they require no trust in the solver: the bound is computed in integers and
//! rationals.

use dashu_int::UBig;
use rayon::prelude::*;

use super::problem::Problem;
use super::rational_reconstruction::common_factor;
use super::shortest::{MAX_LENGTH, Tree};
use crate::integer::rounded;
use crate::rational::Rational;
use crate::topology::Host;

/// Bits of the rounded lengths to try.
const BITS: [i32; 3] = [20, 30, 40];

/// Largest denominator of prices that are fractions of the largest price.
const MAX_FACTOR: u64 = 1 << 30;

/// The distance of a sink from the source whose tree this is.
fn distance(tree: &Tree, sink: Host) -> u64 {
    tree.distance(sink).expect("every sink is reached, which the problem has verified")
}

/// The lower bound that `lengths` prove, one length per link, each at most [`MAX_LENGTH`]; zero
/// when all lengths are zero. O(sources · links · log nodes), sources in parallel.
#[must_use]
pub fn lower_bound(problem: &Problem<'_>, lengths: &[u64]) -> Rational {
    let network = problem.network();
    let used = problem.groups().par_iter().map_init(Tree::default, |tree, group| {
        tree.search(network, group.source, lengths);
        let distances = group
            .sinks
            .iter()
            .map(|(d, units)| UBig::from(*units) * UBig::from(distance(tree, *d)));
        distances.sum::<UBig>()
    });
    let used: UBig = used.sum();
    let links = (0..).zip(lengths).filter(|(_, length)| **length > 0);
    let offered = links.fold(Rational::ZERO, |total, (link, length)| {
        &total + &(&problem.topology().link(link).capacity * &Rational::from(*length))
    });
    let used = Rational::from_big(used, UBig::from(problem.units()));
    used.and_then(|used| used.checked_div(&offered)).unwrap_or(Rational::ZERO)
}

/// Integer lengths from prices (≥ 0, in any unit), and the best lower bound found with them.
/// Prices in the ratio of small integers are turned into these; all prices are also rounded to 20,
/// 30 and 40 bits. Stops early when a bound reaches `enough`.
#[must_use]
pub fn best_lengths(
    problem: &Problem<'_>,
    prices: &[f64],
    enough: &Rational,
) -> (Rational, Vec<u64>) {
    let largest = prices.iter().copied().fold(0.0, f64::max);
    let mut best = (Rational::ZERO, vec![1; prices.len()]);
    if !(largest > 0.0 && largest.is_finite()) {
        best.0 = lower_bound(problem, &best.1);
        return best;
    }
    let relative = |price: &f64| (price / largest).max(0.0);
    let factor = common_factor(prices.iter().map(relative), MAX_FACTOR, |_| 1e-6);
    let factors = factor.map(|factor| factor as f64);
    for factor in factors.into_iter().chain(BITS.map(|bits| 2_f64.powi(bits))) {
        let lengths = prices.iter().map(|price| rounded(relative(price) * factor));
        let lengths: Vec<u64> = lengths.map(|length| length.min(MAX_LENGTH)).collect();
        let bound = lower_bound(problem, &lengths);
        if bound > best.0 {
            best = (bound, lengths);
        }
        if best.0 >= *enough {
            break;
        }
    }
    best
}
