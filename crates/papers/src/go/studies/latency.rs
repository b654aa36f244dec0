//! What Figures 5 and 6 share: curves of network latency against accepted traffic on a 4-ary 4-tree.

use std::marker::PhantomData;

use super::curves::Key;
use super::points::{HEADS, Line, Point, Points};
use crate::study::engine;
use crate::study::prelude::*;

pub(super) const DETERMINISTIC: Key = ("dmodk", None);
/// Adaptive routing without in-order delivery.
pub(super) const FREE: [Key; 2] = [("ff", None), ("sadp", None)];

/// In-order delivery by reorder buffers of 16 KB, 128 KB and 8 MB.
pub(super) const FF_IN_ORDER: [Key; 3] = [("ff", Some(2)), ("ff", Some(16)), ("ff", Some(1024))];
pub(super) const SADP_IN_ORDER: [Key; 3] =
    [("sadp", Some(2)), ("sadp", Some(16)), ("sadp", Some(1024))];

/// The curves without in-order delivery.
pub(super) fn without_order() -> Vec<Key> {
    [&[DETERMINISTIC], &FREE[..]].concat()
}

/// The curves with in-order delivery.
pub(super) fn with_order() -> Vec<Key> {
    [&[DETERMINISTIC], &FF_IN_ORDER[..], &SADP_IN_ORDER].concat()
}

/// All curves.
pub(super) fn all_curves() -> Vec<Key> {
    [without_order(), with_order().split_off(1)].concat()
}

/// The points of all curves with a traffic, at loads in thousandths of a link; in the small tier those of the first load
/// of every third curve without the two larger buffers.
pub(super) fn points_at(traffic: &'static str, loads: &[u64], tier: Tier) -> Vec<Point> {
    let is_small = tier == Tier::Small;
    let loads = if is_small { &loads[..1] } else { loads };
    let curves = all_curves().into_iter();
    let curves = curves
        .filter(|(_, buffer)| !is_small || buffer.is_none_or(|packets| packets == 2))
        .step_by(if is_small { 3 } else { 1 });
    let point = |((routing, buffer), load)| Point { traffic, routing, buffer, load, packets: 1000 };
    itertools::iproduct!(curves, loads.iter().copied()).map(point).collect()
}

/// A figure of latency against accepted traffic.
pub(super) trait Figure {
    /// Its points.
    fn points(tier: Tier) -> Vec<Point>;

    /// Its charts.
    fn charts(lines: &[Line]) -> Vec<Chart>;

    /// The page beside them.
    fn readme(lines: &[Line]) -> Page;
}

/// The study of a figure.
pub(super) struct Latency<F>(Points, PhantomData<F>);

impl<F: Figure> Entry for Latency<F> {
    type Row = Vec<String>;

    fn of(tier: Tier) -> Result<Self> {
        Ok(Self(Points { topology: "kary(4,4)", all: F::points(tier) }, PhantomData))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::at_once(&self.0)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.to_vec())])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page> {
        let lines: Vec<Line> = engine::lines(tables)?;
        let axes = Axes { x: "accepted, flits/cycle/host", y: "network latency, cycles" };
        let svg = curve_charts(&F::charts(&lines), axes, [Scale::FromZero; 2])?;
        Ok(F::readme(&lines).beside("latency.svg", svg))
    }
}
