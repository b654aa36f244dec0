//! The table of unsplittable flows in the smallest Clos networks.

use crate::progress::Stopped;
use crate::study::prelude::*;
use crate::theorem::unsplittable::{Flow, Search};

pub(super) const HEADS: [&str; 7] =
    ["n", "middle switches", "r", "rates", "full sets", "worst congestion", "flows that have it"];

/// n, m, r and q.
const SIZES: [[usize; 4]; 10] = [
    [2, 2, 2, 1],
    [2, 2, 2, 2],
    [2, 2, 2, 3],
    [2, 2, 2, 4],
    [2, 3, 2, 3],
    [2, 3, 2, 4],
    [2, 2, 3, 1],
    [2, 2, 3, 2],
    [2, 3, 3, 1],
    [2, 3, 3, 2],
];

/// Number of sizes of the small tier.
const SMALL: usize = 3;

/// One row per size.
pub(super) fn rows(is_small: bool, progress: &Progress) -> Result<Vec<Vec<String>>, Stopped> {
    let sizes = if is_small { &SIZES[..SMALL] } else { &SIZES[..] };
    sizes.iter().map(|size| row(*size, progress)).collect()
}

fn row([n, m, r, q]: [usize; 4], progress: &Progress) -> Result<Vec<String>, Stopped> {
    let search = Search::new([n, m, r, q]).run(progress)?;
    let congestion = |units: usize| of(units, q);
    let flows = search.shrunk();
    let flow = |[from, to, rate]: &Flow| format!("{from} to {to}: {}", congestion(*rate));
    let flows: Vec<String> = flows.iter().map(flow).collect();
    let numbers =
        [n.to_string(), m.to_string(), r.to_string(), format!("multiples of {}", of(1, q))];
    let found = [search.sets.to_string(), congestion(search.worst), flows.join(", ")];
    Ok(numbers.into_iter().chain(found).collect())
}

/// Units as a fraction.
fn of(units: usize, q: usize) -> String {
    let ratio = Rational::new(units as u64, q as u64);
    ratio.map_or_else(|| "-".to_string(), |ratio| ratio.to_string())
}
