//! The congestion parameter r of a fat-tree (\[GL\] 4): the smallest positive value such that
//! every simple path c1..cl of channels has Σ (e/r)^cap(ck) ≤ 1/2.
//!
//! With x = e/r this asks for the largest x at which the heaviest path weighs at most 1/2. The
//! weight grows with x, so bisection finds x; weights are rounded outward, hence the bounds are
//! proven.
//!
//! "Each simple path ... of channels in the fat-tree" may also lead through the root channel, where
//! the tree has one: the outside world is a host of the tree. Where capacities do not shrink towards
//! the root it changes nothing, since the way from the root down another subtree weighs at least as
//! much as the root channel.

use dashu_int::UBig;
use serde::Serialize;

use super::classes::{Child, Classes};
use super::{ChannelTree, WireTree};
use crate::rational::Rational;

/// Fractional bits of x and of weights.
const BITS: u32 = 60;
const ONE: u128 = 1 << BITS;

/// Weights are capped here, far above 1/2.
const HEAVY: u128 = ONE << 2;

/// Decimal places of the returned bounds.
const PLACES: usize = 12;

/// Proven bounds on r.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CongestionParameter {
    /// r is at least this.
    pub lower: Rational,
    /// r is at most this.
    pub upper: Rational,
}

/// Two rationals that enclose e.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::{channel_tree::e_bounds, rational::Rational};
/// let [low, high] = e_bounds();
/// // 2.718281828459045235360...
/// let from: Rational = "2718281828459045235/1000000000000000000".parse()?;
/// let to: Rational = "2718281828459045236/1000000000000000000".parse()?;
/// assert!(from < low && low < high && high < to);
/// # Ok::<(), routebound::rational::RationalError>(())
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "no factorial is 0")]
pub fn e_bounds() -> [Rational; 2] {
    // Σ 1/k! up to k = 24; the remainder is below 2/25!.
    let factorial = |k: u64| (1..=k).fold(UBig::ONE, |product, factor| product * factor);
    let inverse = |k: u64, times: u64| {
        Rational::from_big(times.into(), factorial(k)).expect("factorials are at least 1")
    };
    let terms = (0..=24).map(|k| inverse(k, 1));
    let low = terms.fold(Rational::ZERO, |sum, term| &sum + &term);
    let high = &low + &inverse(25, 2);
    [low, high]
}

impl ChannelTree {
    /// Bounds on r, at most 10^−10 apart for r below 1000; `None` when a capacity is not a whole
    /// number of wires or there are no channels. O(nodes · log nodes + 60 · nodes that differ).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{channel_tree::ChannelTree, rational::Rational, topology::generate};
    /// let tree = ChannelTree::of(&generate("universal(2)")?).ok_or("no tree")?;
    /// // Two channels of one wire: 2e/r = 1/2, r = 4e = 10.873127313836…
    /// let r = tree.congestion_parameter().ok_or("wires")?;
    /// assert!(r.lower > Rational::from(10) && r.upper < Rational::from(11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn congestion_parameter(&self) -> Option<CongestionParameter> {
        WireTree::of(self).ok()?.congestion_parameter()
    }

    /// The exact weight of the heaviest simple path at x = e/r: r ≤ e/x when it is at most 1/2,
    /// otherwise r > e/x. `None` when a capacity is not a whole number of wires.
    #[must_use]
    pub fn heaviest_path(&self, x: &Rational) -> Option<Rational> {
        let classes = Classes::of(&WireTree::of(self).ok()?);
        let powers: Vec<Rational> = classes.wires.iter().map(|count| power(x, *count)).collect();
        Some(classes.heaviest_by(&powers, |a, b| a + b, &Rational::ZERO))
    }
}

impl WireTree {
    /// Bounds on r as those of [`ChannelTree::congestion_parameter`]; `None` where there are no
    /// channels. O(nodes · log nodes + 60 · nodes that differ).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::channel_tree::WireTree;
    /// use routebound::topology::UniversalShape;
    /// let shape = UniversalShape::named("universal(65536)")?.ok_or("another family")?;
    /// let r = WireTree::universal(&shape).congestion_parameter().ok_or("no channels")?;
    /// assert_eq!(r.upper.to_f64().floor(), 14.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn congestion_parameter(&self) -> Option<CongestionParameter> {
        let classes = Classes::of(self);
        if classes.wires.is_empty() {
            return None;
        }
        // x = 0 satisfies the bound, x = 1 does not: a channel weighs 1 there.
        let (mut good, mut bad) = (0, ONE);
        while bad - good > 1 {
            let x = u128::midpoint(good, bad);
            if classes.heaviest(x, true) <= ONE / 2 {
                good = x;
            } else if classes.heaviest(x, false) > ONE / 2 {
                bad = x;
            } else {
                break;
            }
        }
        let [low, high] = e_bounds();
        let over =
            |e: &Rational, x: u128| e.checked_div(&Rational::from_big(x.into(), UBig::from(ONE))?);
        let lower = rounded(&over(&low, bad)?, false)?;
        Some(CongestionParameter { lower, upper: rounded(&over(&high, good)?, true)? })
    }
}

impl Classes {
    /// The weight of the heaviest path in units of 2^−60, rounded up or down.
    fn heaviest(&self, x: u128, round_up: bool) -> u128 {
        let powers = self.wires.iter().map(|count| fixed_power(x, *count, round_up));
        self.heaviest_by(&powers.collect::<Vec<_>>(), |a, b| (a + b).min(HEAVY), &0)
    }

    /// The heaviest simple path, found by apex: the heaviest path up from one child and down to
    /// another. `weights` are those of the capacities.
    fn heaviest_by<W: Ord + Clone>(&self, weights: &[W], add: impl Fn(&W, &W) -> W, zero: &W) -> W {
        // Heaviest paths that come up to a node, and that go down from it.
        let mut ways: Vec<[W; 2]> = Vec::with_capacity(self.children.len());
        let mut heaviest = zero.clone();
        for children in &self.children {
            let mut way = [zero.clone(), zero.clone()];
            for Child { class, wires } in children {
                let below = &ways[*class as usize];
                let [up, down] =
                    [0, 1].map(|side| add(&below[side], &weights[wires[side] as usize]));
                // Combine with the children seen so far; the first child combines with zero.
                let paths = [add(&up, &way[1]), add(&way[0], &down)];
                heaviest = paths.into_iter().fold(heaviest, W::max);
                for (way, candidate) in way.iter_mut().zip([up, down]) {
                    *way = candidate.max(way.clone());
                }
            }
            ways.push(way);
        }
        heaviest
    }
}

fn power(x: &Rational, exponent: u64) -> Rational {
    let half =
        |x: &Rational| if exponent > 1 { power(&(x * x), exponent / 2) } else { Rational::ONE };
    if exponent % 2 == 1 { x * &half(x) } else { half(x) }
}

fn fixed_power(x: u128, exponent: u64, round_up: bool) -> u128 {
    let times = |a: u128, b: u128| (a * b + if round_up { ONE - 1 } else { 0 }) >> BITS;
    let (mut result, mut square, mut rest) = (ONE, x, exponent);
    while rest > 0 {
        // Nothing is left but what was rounded up, whatever follows.
        if square <= u128::from(round_up) {
            return square;
        }
        if rest % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        rest /= 2;
    }
    result
}

/// Rounded to [`PLACES`] decimal places.
fn rounded(value: &Rational, up: bool) -> Option<Rational> {
    let scale = UBig::from(10_u8).pow(PLACES);
    let scaled = value * &Rational::from_big(scale.clone(), UBig::ONE)?;
    let whole = scaled.floor() + UBig::from(u8::from(up));
    Rational::from_big(whole, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Topology, generate, host_number};

    fn tree(spec: &str) -> ChannelTree {
        ChannelTree::of(&generate(spec).unwrap()).unwrap()
    }

    /// By definition: for every pair of hosts the sum over its path, in exact arithmetic.
    fn heaviest_of_pairs(tree: &ChannelTree, x: &Rational) -> Rational {
        let hosts = 0..host_number(tree.hosts());
        let weight = |s, d| {
            let path = tree.path(s, d).into_iter();
            path.map(|channel| power(x, tree.capacity(channel).scaled(1).unwrap()))
                .fold(Rational::ZERO, |sum, term| &sum + &term)
        };
        hosts
            .clone()
            .flat_map(|s| hosts.clone().map(move |d| (s, d)))
            .map(|(s, d)| weight(s, d))
            .max()
            .unwrap()
    }

    #[test]
    fn the_heaviest_path_matches_the_definition() {
        let x = Rational::new(2, 7).unwrap();
        let specs = [
            "universal(2)",
            "universal(8)",
            "universal(16,growth=cbrt4)",
            "universal(2,root=open)",
            "universal(8,growth=linear,root=open)",
            "xgft(2;3,2;1,1)",
        ];
        for spec in specs {
            let tree = tree(spec);
            assert_eq!(tree.heaviest_path(&x), Some(heaviest_of_pairs(&tree, &x)), "{spec}");
        }
    }

    #[test]
    fn up_and_down_channels_may_differ() {
        let mut graph = generate("universal(8)").unwrap().graph().clone();
        for (index, link) in graph.edge_weights_mut().enumerate() {
            link.capacity = Rational::from(1 + (index as u64 * 7) % 5);
        }
        let tree = ChannelTree::of(&Topology::new("odd".into(), graph).unwrap()).unwrap();
        let x = Rational::new(3, 5).unwrap();
        assert_eq!(tree.heaviest_path(&x), Some(heaviest_of_pairs(&tree, &x)));
    }

    #[test]
    fn bounds_enclose_known_values() {
        // One wire everywhere: 2h·e/r = 1/2.
        for h in 1..=10_u64 {
            let spec = format!("universal({},growth=constant)", 1 << h);
            let CongestionParameter { lower, upper } = tree(&spec).congestion_parameter().unwrap();
            let [low, high] = e_bounds().map(|e| &e * &Rational::from(4 * h));
            assert!(lower <= high && low <= upper, "{h}");
            let width = upper.checked_sub(&lower).unwrap();
            assert!(width < Rational::new(1, 10_000_000_000).unwrap(), "{h}: {width}");
        }
        // Two wires on the only pair: 2(e/r)^2 = 1/2, r = 2e.
        let r = tree("universal(2,leaf=2)").congestion_parameter().unwrap();
        let [low, high] = e_bounds().map(|e| &e * &Rational::from(2));
        assert!(r.lower <= high && low <= r.upper);
        // Very many wires do not overflow.
        let wide = tree("universal(65536,growth=double,leaf=1048576)");
        let r = wide.congestion_parameter().unwrap();
        assert!(r.upper < Rational::from(3) && r.lower > "27/10".parse().unwrap());
    }

    /// The heaviest path of an open tree may leave by the root channel, but need not.
    #[test]
    fn the_root_channel_counts_and_changes_nothing_where_capacities_grow() {
        for growth in ["double2", "quadruple3", "sqrt2", "cbrt4", "double", "linear", "constant"] {
            for hosts in [2, 4, 32] {
                let [closed, open] = ["closed", "open"].map(|root| {
                    let tree = tree(&format!("universal({hosts},growth={growth},root={root})"));
                    tree.congestion_parameter().unwrap()
                });
                assert_eq!(closed, open, "{growth}, {hosts} hosts");
            }
        }
        // A root channel of one wire above channels of two: e/r + (e/r)^2 = 1/2, e/r = (√3 − 1)/2.
        let mut graph =
            generate("universal(2,leaf=2,growth=constant,root=open)").unwrap().graph().clone();
        let links = graph.edge_count();
        graph.edge_weights_mut().skip(links - 2).for_each(|link| link.capacity = Rational::ONE);
        let tree = ChannelTree::of(&Topology::new("narrow".into(), graph).unwrap()).unwrap();
        let r = tree.congestion_parameter().unwrap();
        let exact = 2.0 * std::f64::consts::E / (3_f64.sqrt() - 1.0);
        assert!((r.lower.to_f64() - exact).abs() < 1e-9 && (r.upper.to_f64() - exact).abs() < 1e-9);
    }

    /// Every node of this tree differs from every other.
    #[test]
    fn nodes_that_differ_are_not_taken_for_each_other() {
        let mut graph = generate("xgft(3;3,2,2;1,1,1)").unwrap().graph().clone();
        for (index, link) in graph.edge_weights_mut().enumerate() {
            link.capacity = Rational::from(1 + (index as u64 * 11) % 17);
        }
        let tree = ChannelTree::of(&Topology::new("odd".into(), graph).unwrap()).unwrap();
        for x in [Rational::new(3, 5).unwrap(), Rational::new(9, 10).unwrap()] {
            assert_eq!(tree.heaviest_path(&x), Some(heaviest_of_pairs(&tree, &x)));
        }
    }

    #[test]
    fn half_wires_have_no_parameter() {
        let mut graph = generate("universal(4)").unwrap().graph().clone();
        graph.edge_weights_mut().for_each(|link| link.capacity = Rational::new(1, 2).unwrap());
        let tree = ChannelTree::of(&Topology::new("half".into(), graph).unwrap()).unwrap();
        assert!(tree.congestion_parameter().is_none());
        assert!(tree.heaviest_path(&Rational::ONE).is_none());
    }
}
