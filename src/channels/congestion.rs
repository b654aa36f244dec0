//! The congestion parameter r of a fat-tree (\[GL\] 4): the smallest positive value such that
//! every simple path c1..cl of channels has Σ (e/r)^cap(ck) ≤ 1/2.
//!
//! With x = e/r this asks for the largest x at which the heaviest path weighs at most 1/2. The
//! weight grows with x, so bisection finds x; weights are rounded outward, hence the bounds are
//! proven.

use std::collections::HashMap;

use dashu_int::UBig;

use super::{ChannelTree, WireTree};
use crate::integer::index32;
use crate::ratio::Ratio;

/// Fractional bits of x and of weights.
const BITS: u32 = 60;
const ONE: u128 = 1 << BITS;

/// Weights are capped here, far above 1/2.
const HEAVY: u128 = ONE << 2;

/// Decimal places of the returned bounds.
const PLACES: usize = 12;

/// Proven bounds on r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CongestionParameter {
    /// r is at least this.
    pub lower: Ratio,
    /// r is at most this.
    pub upper: Ratio,
}

/// Two rationals that enclose e.
///
/// ```
/// use routebound::{channels::e_bounds, ratio::Ratio};
/// let [low, high] = e_bounds();
/// // 2.718281828459045235360...
/// let from: Ratio = "2718281828459045235/1000000000000000000".parse()?;
/// let to: Ratio = "2718281828459045236/1000000000000000000".parse()?;
/// assert!(from < low && low < high && high < to);
/// # Ok::<(), routebound::ratio::RatioError>(())
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "no factorial is 0")]
pub fn e_bounds() -> [Ratio; 2] {
    // Σ 1/k! up to k = 24; the remainder is below 2/25!.
    let factorial = |k: u64| (1..=k).fold(UBig::ONE, |product, factor| product * factor);
    let inverse = |k: u64, times: u64| {
        Ratio::from_big(times.into(), factorial(k)).expect("factorials are at least 1")
    };
    let terms = (0..=24).map(|k| inverse(k, 1));
    let low = terms.fold(Ratio::ZERO, |sum, term| &sum + &term);
    let high = &low + &inverse(25, 2);
    [low, high]
}

impl ChannelTree {
    /// Bounds on r, at most 10^−10 apart for r below 1000; `None` when a capacity is not a whole
    /// number of wires or there are no channels. O(nodes · log nodes).
    ///
    /// ```
    /// use routebound::{channels::ChannelTree, ratio::Ratio, topology::generate};
    /// let tree = ChannelTree::of(&generate("universal(2)")?).ok_or("no tree")?;
    /// // Two channels of one wire: 2e/r = 1/2, r = 4e = 10.873127313836…
    /// let r = tree.congestion_parameter().ok_or("wires")?;
    /// assert!(r.lower > Ratio::from(10) && r.upper < Ratio::from(11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn congestion_parameter(&self) -> Option<CongestionParameter> {
        WireTree::of(self).ok()?.congestion_parameter()
    }

    /// The exact weight of the heaviest simple path at x = e/r: r ≤ e/x when it is at most 1/2,
    /// otherwise r > e/x. `None` as above.
    #[must_use]
    pub fn heaviest_path(&self, x: &Ratio) -> Option<Ratio> {
        let shapes = Shapes::of(&WireTree::of(self).ok()?);
        let mut powers: HashMap<u64, Ratio> = HashMap::new();
        for count in shapes.wires() {
            powers.entry(count).or_insert_with(|| power(x, count));
        }
        Some(shapes.heaviest(|wires| powers[&wires].clone(), |a, b| a + b, &Ratio::ZERO))
    }
}

impl WireTree {
    /// Bounds on r as those of [`ChannelTree::congestion_parameter`]; `None` when there are no
    /// channels. O(nodes · log nodes).
    ///
    /// ```
    /// use routebound::channels::WireTree;
    /// use routebound::topology::UniversalShape;
    /// let shape = UniversalShape::named("universal(65536)")?.ok_or("another family")?;
    /// let r = WireTree::universal(&shape).congestion_parameter().ok_or("no channels")?;
    /// assert_eq!(r.upper.to_f64().floor(), 14.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn congestion_parameter(&self) -> Option<CongestionParameter> {
        if self.nodes() < 2 {
            return None;
        }
        let shapes = Shapes::of(self);
        // x = 0 satisfies the bound, x = 1 does not: a channel weighs 1 there.
        let (mut good, mut bad) = (0, ONE);
        while bad - good > 1 {
            let x = u128::midpoint(good, bad);
            if shapes.weight(x, true) <= ONE / 2 {
                good = x;
            } else if shapes.weight(x, false) > ONE / 2 {
                bad = x;
            } else {
                break;
            }
        }
        let [low, high] = e_bounds();
        let over = |e: &Ratio, x: u128| e.checked_div(&Ratio::from_big(x.into(), UBig::from(ONE))?);
        let lower = rounded(&over(&low, bad)?, false)?;
        Some(CongestionParameter { lower, upper: rounded(&over(&high, good)?, true)? })
    }
}

/// A child of a subtree: the shape of its own subtree, and the wires up from and down to it.
type Child = (usize, [u64; 2]);

/// The different subtrees of a tree, children before parents: a complete binary tree has one per level.
/// Of equal children two are kept, as a simple path passes two at most.
struct Shapes(Vec<Vec<Child>>);

impl Shapes {
    fn of(tree: &WireTree) -> Self {
        let mut numbers: HashMap<Vec<Child>, usize> = HashMap::new();
        let (mut shapes, mut of_rank) = (Vec::new(), vec![0; tree.nodes()]);
        for rank in (0..index32(tree.nodes())).rev() {
            let children = tree.children(rank);
            let mut children: Vec<Child> =
                children.map(|child| (of_rank[child as usize], tree.wires(child))).collect();
            children.sort_unstable();
            let mut copies = 0;
            let mut last = None;
            children.retain(|child| {
                copies = if last == Some(*child) { copies + 1 } else { 1 };
                last = Some(*child);
                copies <= 2
            });
            of_rank[rank as usize] = *numbers.entry(children).or_insert_with_key(|children| {
                shapes.push(children.clone());
                shapes.len() - 1
            });
        }
        Self(shapes)
    }

    fn wires(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flatten().flat_map(|(_, wires)| *wires)
    }

    /// The weight of the heaviest path in units of 2^−60, rounded up or down.
    fn weight(&self, x: u128, round_up: bool) -> u128 {
        let mut powers: HashMap<u64, u128> = HashMap::new();
        for count in self.wires() {
            powers.entry(count).or_insert_with(|| fixed_power(x, count, round_up));
        }
        self.heaviest(|wires| powers[&wires], |a, b| (a + b).min(HEAVY), &0)
    }

    /// The heaviest simple path, found by apex: the heaviest path up from one child and down to
    /// another.
    fn heaviest<W: Ord + Clone>(
        &self,
        weight: impl Fn(u64) -> W,
        add: impl Fn(&W, &W) -> W,
        zero: &W,
    ) -> W {
        // Heaviest paths that come up to the top of a subtree, and that go down from it.
        let mut ways: Vec<[W; 2]> = Vec::with_capacity(self.0.len());
        let mut heaviest = zero.clone();
        for children in &self.0 {
            let mut best = [zero.clone(), zero.clone()];
            for (shape, [up, down]) in children {
                let [from, to] = &ways[*shape];
                let (up, down) = (add(from, &weight(*up)), add(to, &weight(*down)));
                // Combine with the children seen so far; the first child combines with zero.
                let paths = [add(&up, &best[1]), add(&best[0], &down)];
                heaviest = paths.into_iter().fold(heaviest, W::max);
                let [best_up, best_down] = best;
                best = [best_up.max(up), best_down.max(down)];
            }
            ways.push(best);
        }
        heaviest
    }
}

fn power(x: &Ratio, exponent: u64) -> Ratio {
    let half = |x: &Ratio| if exponent > 1 { power(&(x * x), exponent / 2) } else { Ratio::ONE };
    if exponent % 2 == 1 { x * &half(x) } else { half(x) }
}

fn fixed_power(x: u128, exponent: u64, round_up: bool) -> u128 {
    let times = |a: u128, b: u128| (a * b + if round_up { ONE - 1 } else { 0 }) >> BITS;
    let (mut result, mut square, mut rest) = (ONE, x, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        rest /= 2;
    }
    result
}

/// Rounded to [`PLACES`] decimal places.
fn rounded(value: &Ratio, up: bool) -> Option<Ratio> {
    let scale = UBig::from(10_u8).pow(PLACES);
    let scaled = value * &Ratio::from_big(scale.clone(), UBig::ONE)?;
    let whole = scaled.floor() + UBig::from(u8::from(up));
    Ratio::from_big(whole, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Topology, generate, host_number};

    fn tree(spec: &str) -> ChannelTree {
        ChannelTree::of(&generate(spec).unwrap()).unwrap()
    }

    /// By definition: for every pair of hosts the sum over its path, in exact arithmetic.
    fn heaviest_of_pairs(tree: &ChannelTree, x: &Ratio) -> Ratio {
        let hosts = 0..host_number(tree.hosts());
        let weight = |s, d| {
            let path = tree.path(s, d).into_iter();
            path.map(|channel| power(x, tree.capacity(channel).scaled(1).unwrap()))
                .fold(Ratio::ZERO, |sum, term| &sum + &term)
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
        let x = Ratio::new(2, 7).unwrap();
        for spec in
            ["universal(2)", "universal(8)", "universal(16,growth=cbrt4)", "xgft(2;3,2;1,1)"]
        {
            let tree = tree(spec);
            assert_eq!(tree.heaviest_path(&x), Some(heaviest_of_pairs(&tree, &x)), "{spec}");
        }
    }

    #[test]
    fn up_and_down_channels_may_differ() {
        let mut graph = generate("universal(8)").unwrap().graph().clone();
        for (index, link) in graph.edge_weights_mut().enumerate() {
            link.capacity = Ratio::from(1 + (index as u64 * 7) % 5);
        }
        let tree = ChannelTree::of(&Topology::new("odd".into(), graph).unwrap()).unwrap();
        let x = Ratio::new(3, 5).unwrap();
        assert_eq!(tree.heaviest_path(&x), Some(heaviest_of_pairs(&tree, &x)));
    }

    #[test]
    fn bounds_enclose_known_values() {
        // One wire everywhere: 2h·e/r = 1/2.
        for h in 1..=10_u64 {
            let spec = format!("universal({},growth=constant)", 1 << h);
            let CongestionParameter { lower, upper } = tree(&spec).congestion_parameter().unwrap();
            let [low, high] = e_bounds().map(|e| &e * &Ratio::from(4 * h));
            assert!(lower <= high && low <= upper, "{h}");
            let width = upper.checked_sub(&lower).unwrap();
            assert!(width < Ratio::new(1, 10_000_000_000).unwrap(), "{h}: {width}");
        }
        // Two wires on the only pair: 2(e/r)^2 = 1/2, r = 2e.
        let r = tree("universal(2,leaf=2)").congestion_parameter().unwrap();
        let [low, high] = e_bounds().map(|e| &e * &Ratio::from(2));
        assert!(r.lower <= high && low <= r.upper);
        // Very many wires do not overflow.
        let wide = tree("universal(65536,growth=double,leaf=1048576)");
        let r = wide.congestion_parameter().unwrap();
        assert!(r.upper < Ratio::from(3) && r.lower > "27/10".parse().unwrap());
    }

    #[test]
    fn half_wires_have_no_parameter() {
        let mut graph = generate("universal(4)").unwrap().graph().clone();
        graph.edge_weights_mut().for_each(|link| link.capacity = Ratio::new(1, 2).unwrap());
        let tree = ChannelTree::of(&Topology::new("half".into(), graph).unwrap()).unwrap();
        assert!(tree.congestion_parameter().is_none());
        assert!(tree.heaviest_path(&Ratio::ONE).is_none());
    }
}
