//! Links of two-level trees whose port both first digits decide.
//!
//! The links of port p at a leaf carry the pairs of digits whose port is p. The leaf has one host
//! of each near digit, the other leaves one of each far digit: all near hosts of these pairs, or
//! all far ones, bound the load.

use std::collections::HashMap;

use crate::certificate::Quantity;
use crate::progress::Progress;

use super::super::Refusal;
use super::{Decides, Tree};

/// How many digits of sources and of destinations the pairs of a port have.
#[derive(Clone, Copy)]
struct Ends {
    sources: u128,
    destinations: u128,
    /// The source and the destination counted last.
    last: [u32; 2],
}

/// For every port that carries pairs.
pub(super) struct Digits(HashMap<u32, Ends>);

impl Digits {
    /// Counts the digits of every port. O(m1²).
    pub(super) fn open(tree: &Tree, progress: &Progress) -> Result<Self, Refusal> {
        let mut all: HashMap<u32, Ends> = HashMap::new();
        let ports = tree.shape.decides.iter().find_map(|decides| match decides {
            Decides::Both(ports) => Some(ports),
            _ => None,
        });
        let Some(ports) = ports else { return Ok(Self(all)) };
        let digits = tree.shape.children[0];
        let port = |s: u32, d: u32| ports[s as usize * digits as usize + d as usize];
        let none = Ends { sources: 0, destinations: 0, last: [digits; 2] };
        // One digit after another, as a source and as a destination.
        for one in 0..digits {
            progress.check()?;
            for other in 0..digits {
                let ends = all.entry(port(one, other)).or_insert(none);
                ends.sources += u128::from(ends.last[0] != one);
                ends.last[0] = one;
                let ends = all.entry(port(other, one)).or_insert(none);
                ends.destinations += u128::from(ends.last[1] != one);
                ends.last[1] = one;
            }
        }
        Ok(Self(all))
    }

    /// The most that a link of step 2 carries.
    pub(super) fn most(&self, tree: &Tree, quantity: Quantity, up: bool) -> u128 {
        let leaves = tree.children(2) - 1;
        let bound = |Ends { sources, destinations, .. }: &Ends| {
            let (near, far) = if up { (sources, destinations) } else { (destinations, sources) };
            (*near).min(far * leaves)
        };
        let most = self.0.values().map(bound).max().unwrap_or(0);
        tree.capacity(quantity, 1).map_or(most, |leaf| most.min(leaf))
    }
}
