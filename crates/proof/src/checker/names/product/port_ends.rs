//! Links of two-level trees whose port both first digits decide.
//!
//! The links of port p at a leaf carry the pairs of digits whose port is p. The leaf has one host
//! of each near digit, the other leaves one of each far digit: all near hosts of these pairs, or
//! all far ones, bound the load.

use crate::certificate::Quantity;
use crate::progress::Progress;

use super::super::Result;
use super::{Decides, DigitTree};

/// The most that hosts at either end of a port allow, over all ports that carry pairs.
#[derive(Default)]
pub(super) struct PortEnds {
    up: u128,
    down: u128,
}

impl PortEnds {
    /// Counts the digits of every port. O(m1²·log m1).
    pub(super) fn open(tree: &DigitTree, progress: &Progress) -> Result<Self> {
        let ports = tree.shape.decides.iter().find_map(|decides| match decides {
            Decides::Both(ports) => Some(ports),
            _ => None,
        });
        let Some(ports) = ports else { return Ok(Self::default()) };
        let digits = tree.shape.levels.children[0];
        let sources = counts(ports, digits, progress)?;
        let turned = turned(ports, digits as usize, progress)?;
        let destinations = counts(&turned, digits, progress)?;
        let leaves = tree.children(2) - 1;
        let most = |near: &[u32], far: &[u32]| {
            let bound = |(n, f): (&u32, &u32)| u128::from(*n).min(u128::from(*f) * leaves);
            near.iter().zip(far).map(bound).max().unwrap_or(0)
        };
        Ok(Self { up: most(&sources, &destinations), down: most(&destinations, &sources) })
    }

    /// The most that a link of step 2 carries.
    pub(super) fn most(&self, tree: &DigitTree, quantity: Quantity, up: bool) -> u128 {
        let most = if up { self.up } else { self.down };
        tree.capacity(quantity, 1).map_or(most, |leaf| most.min(leaf))
    }
}

/// The table with sources and destinations exchanged.
fn turned(ports: &[u32], digits: usize, progress: &Progress) -> Result<Vec<u32>> {
    let mut turned = Vec::with_capacity(ports.len());
    for column in 0..digits {
        progress.check()?;
        turned.extend(ports.iter().skip(column).step_by(digits));
    }
    Ok(turned)
}

/// In how many rows every port stands that stands in any, in the order of their numbers.
fn counts(ports: &[u32], digits: u32, progress: &Progress) -> Result<Vec<u32>> {
    let mut all = Vec::with_capacity(ports.len());
    for row in ports.chunks(digits as usize) {
        progress.check()?;
        let mut row = row.to_vec();
        row.sort_unstable();
        row.dedup();
        all.extend(row);
    }
    all.sort_unstable();
    progress.check()?;
    let mut counts = Vec::new();
    let mut last = None;
    for port in all {
        match counts.last_mut() {
            Some(count) if last == Some(port) => *count += 1,
            _ => counts.push(1),
        }
        last = Some(port);
    }
    Ok(counts)
}
