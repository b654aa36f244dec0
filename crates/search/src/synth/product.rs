//! The worst links of a routing by digits, by arithmetic.
//!
//! Where every up-digit is a digit of the source or of the destination, the pairs on a link are all
//! those of a source in A and a destination in B: the up-digits that lead to the link fix residues
//! of digits of either host, each by itself. For a link up from a subtree T, A lies in T and B
//! outside it. So the largest node-disjoint subset of the pairs has min(|A|, |B|) members, and both
//! numbers are products over digits. Links with the same numbers are counted together, so neither
//! pairs nor links are examined one by one.

use std::collections::BTreeMap;

use crate::topology::Xgft;

/// The digit that an up-digit follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// i of M_i.
    pub(super) digit: usize,
    /// Whether it is a digit of the source, not of the destination.
    pub(super) of_source: bool,
}

/// Class of links, as far as digits were examined: products over these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    /// Members of A.
    near: u64,
    /// Hosts inside and outside T that would be in B.
    far: u64,
    /// Number of these hosts inside T, unless some digit of T keeps them out.
    inside: u64,
    is_inside: bool,
}

/// The maximum number of node-disjoint pairs of a link, and the number of links that have it. O(h²·Σ m_i) for
/// trees with few kinds of links.
pub(super) fn worst_links(tree: &Xgft, sources: &[Source]) -> (u64, u64) {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for step in 1..=tree.height() {
        for is_up in [true, false] {
            for (alike, links) in links_alike(tree, &sources[..step], is_up) {
                let inside = if alike.is_inside { alike.inside } else { 0 };
                *counts.entry(alike.near.min(alike.far - inside)).or_default() += links;
            }
        }
    }
    counts.pop_last().unwrap_or_default()
}

/// The links of the last of these steps, up or down, by what they have in common.
fn links_alike(tree: &Xgft, sources: &[Source], is_up: bool) -> BTreeMap<Alike, u64> {
    let step = sources.len();
    let start = Alike { near: 1, far: 1, inside: 1, is_inside: true };
    let mut links = BTreeMap::from([(start, 1)]);
    for digit in 1..=tree.height() {
        // Near the link is the source on the way up, the destination on the way down.
        let near = residues(tree, sources, Source { digit, of_source: is_up });
        let far = residues(tree, sources, Source { digit, of_source: !is_up });
        let mut next = BTreeMap::new();
        for (alike, count) in links {
            for choice in choices(tree, digit, step, &near, &far) {
                let inside = if digit < step { alike.inside * choice.far } else { alike.inside };
                let more = Alike {
                    near: alike.near * choice.near,
                    far: alike.far * choice.far,
                    inside,
                    is_inside: alike.is_inside && choice.is_inside,
                };
                *next.entry(more).or_default() += count * choice.ways;
            }
        }
        links = next;
    }
    links
}

/// A kind of choice of a digit on a link of a step.
struct Choice {
    /// Factor of |A|.
    near: u64,
    /// Factor of |B|.
    far: u64,
    /// Whether hosts of T may be in B.
    is_inside: bool,
    /// Number of ways to choose so.
    ways: u64,
}

/// The choices of a digit on a link of a step.
fn choices(
    tree: &Xgft,
    digit: usize,
    step: usize,
    near: &BTreeMap<u64, u64>,
    far: &BTreeMap<u64, u64>,
) -> Vec<Choice> {
    let mut found = Vec::new();
    for (far, ways) in far {
        if digit < step {
            // The hosts of T have all values.
            let choice = |(near, times): (&u64, &u64)| Choice {
                near: *near,
                far: *far,
                is_inside: true,
                ways: times * ways,
            };
            found.extend(near.iter().map(choice));
            continue;
        }
        // They have one, of which the residues of the near side are those of one way.
        let values = u64::from(tree.children(digit));
        let others = near.values().sum::<u64>() - 1;
        for (is_inside, values) in [(true, *far), (false, values - far)] {
            found.push(Choice { near: 1, far: *far, is_inside, ways: values * ways });
            found.push(Choice { near: 0, far: *far, is_inside, ways: values * ways * others });
        }
    }
    found.retain(|choice| choice.ways > 0);
    found
}

/// The number of ways to choose the up-digits that follow one digit, by the number of values of the
/// digit that agree with them.
fn residues(tree: &Xgft, sources: &[Source], wanted: Source) -> BTreeMap<u64, u64> {
    let follows = sources.iter().enumerate().filter(|(_, source)| **source == wanted);
    let widths: Vec<u32> = follows.map(|(at, _)| tree.parents(at + 1)).collect();
    let mut values: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for value in 0..tree.children(wanted.digit) {
        *values.entry(widths.iter().map(|width| value % width).collect()).or_default() += 1;
    }
    let ways: u64 = widths.iter().map(|width| u64::from(*width)).product();
    let mut counts = BTreeMap::from([(0, ways - values.len() as u64)]);
    for count in values.into_values() {
        *counts.entry(count).or_default() += 1;
    }
    counts.retain(|_, ways| *ways > 0);
    counts
}
