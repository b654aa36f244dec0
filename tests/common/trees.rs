//! Random trees of property tests.

use std::ops::RangeInclusive;

use proptest::prelude::*;

/// Specs of XGFTs within bounds on the numbers of children and parents of a node, of levels and of hosts.
pub fn trees(
    children: RangeInclusive<u32>,
    parents: RangeInclusive<u32>,
    levels: RangeInclusive<usize>,
    hosts: RangeInclusive<u32>,
) -> impl Strategy<Value = String> {
    let digits = prop::collection::vec((children, parents), levels);
    digits.prop_filter_map("size", move |digits| {
        let size: u32 = digits.iter().map(|(m, _)| m).product();
        let (m, w): (Vec<u32>, Vec<u32>) = digits.into_iter().unzip();
        let spec = format!("xgft({};{m:?};{w:?})", m.len()).replace(['[', ']', ' '], "");
        hosts.contains(&size).then_some(spec)
    })
}
