//! The experiments that \[GL\] 7 wishes for: delivery cycles as measured.

mod constants;
mod figure_4;
mod greedy;
mod random_prime;
mod universality;

use crate::study::deliveries::{HEADS, Measured, Point, Points, cells};
use crate::study::prelude::*;

/// Every study of delivery cycles.
pub const KINDS: &[Kind<Study>] =
    &[figure_4::KIND, greedy::KIND, constants::KIND, universality::KIND, random_prime::KIND];

/// The points of a tier: the small one has trees of 64 processors.
fn of_tier(mut points: Vec<Point>, tier: Tier) -> Points {
    points.retain(|point| tier == Tier::Full || point.topology.starts_with("universal(64"));
    Points(points)
}

/// All measured points.
fn table(points: &[Point], found: &[Measured]) -> Table {
    let mut heads = vec!["topology", "wanted lambda"];
    heads.extend(HEADS);
    let rows = points.iter().zip(found).map(|(point, found)| {
        let wanted = point.load_factor.as_ref().map_or_else(String::new, ToString::to_string);
        [point.topology.clone(), wanted].into_iter().chain(cells(point, found)).collect()
    });
    Table::new("table.csv", &heads, rows)
}

/// Mean number of cycles and half the width of its 95 % confidence interval.
fn mean(found: &Measured) -> Option<(f64, f64)> {
    let sample = found.sample()?;
    Some((sample.mean().to_f64(), sample.half_width()))
}
