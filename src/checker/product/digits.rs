//! Links of two-level trees whose port both first digits decide: covers of digits.
//!
//! The links of port p at a leaf carry the pairs of digits whose port is p. The leaf has one host
//! of each near digit, the other leaves one of each far digit. Near digits and far digits that
//! cover these pairs of digits bound the load by their hosts.

use std::collections::HashMap;

use crate::certificate::{DigitCover, Quantity};
use crate::progress::Progress;

use super::super::Refusal;
use super::{Decides, Tree};

/// How many digits of sources and of destinations cover the pairs of a port.
#[derive(Clone, Copy, Default)]
struct Count {
    sources: u128,
    destinations: u128,
}

/// For every port that carries pairs.
#[derive(Default)]
pub(super) struct Digits<'c> {
    /// Numbers of all digits.
    all: HashMap<u32, Count>,
    covers: HashMap<(bool, u32), &'c DigitCover>,
}

impl<'c> Digits<'c> {
    /// Counts the digits of every port, and verifies that the covers cover. O(m1²).
    pub(super) fn open(
        tree: &Tree,
        covers: &'c [DigitCover],
        progress: &Progress,
    ) -> Result<Self, Refusal> {
        let mut own = Self::default();
        let ports = tree.shape.decides.iter().find_map(|decides| match decides {
            Decides::Both(ports) => Some(ports),
            _ => None,
        });
        let digits = tree.shape.children[0];
        for cover in covers {
            let ascending = |digits: &[u32]| digits.windows(2).all(|two| two[0] < two[1]);
            let fits = |side: &[u32]| ascending(side) && side.last().is_none_or(|d| *d < digits);
            let is_port = ports.is_some() && cover.port < tree.parents(2);
            let fits = is_port && fits(&cover.sources) && fits(&cover.destinations);
            if !fits || own.covers.insert((cover.up, cover.port), cover).is_some() {
                return Err(Refusal::BadDigits(cover.port));
            }
        }
        let Some(ports) = ports else { return Ok(own) };
        let mut seen: HashMap<(bool, u32), u32> = HashMap::new();
        for major in 0..digits {
            progress.check()?;
            for minor in 0..digits {
                let port = ports[major as usize * digits as usize + minor as usize];
                own.check_cover(port, major, minor)?;
                if seen.insert((true, port), major) != Some(major) {
                    own.all.entry(port).or_default().sources += 1;
                }
                let port = ports[minor as usize * digits as usize + major as usize];
                if seen.insert((false, port), major) != Some(major) {
                    own.all.entry(port).or_default().destinations += 1;
                }
            }
        }
        Ok(own)
    }

    fn check_cover(&self, port: u32, s: u32, d: u32) -> Result<(), Refusal> {
        for up in [true, false] {
            let covers = |cover: &&DigitCover| {
                cover.sources.binary_search(&s).is_ok()
                    || cover.destinations.binary_search(&d).is_ok()
            };
            if self.covers.get(&(up, port)).is_some_and(|cover| !covers(cover)) {
                return Err(Refusal::UncoveredDigits { port, s, d });
            }
        }
        Ok(())
    }

    /// The most that a link of step 2 carries.
    pub(super) fn most(&self, tree: &Tree, quantity: Quantity, up: bool) -> u128 {
        let leaves = tree.children(2) - 1;
        let bound = |port: &u32, all: &Count| {
            let hosts = |count: Count| {
                let Count { sources, destinations } = count;
                let (near, far) =
                    if up { (sources, destinations) } else { (destinations, sources) };
                (near, far * leaves)
            };
            let (near, far) = hosts(*all);
            let ends = near.min(far);
            let covered = self.covers.get(&(up, *port)).map(|cover| {
                let (near, far) = hosts(Count {
                    sources: cover.sources.len() as u128,
                    destinations: cover.destinations.len() as u128,
                });
                near + far
            });
            covered.map_or(ends, |covered| covered.min(ends))
        };
        let most = self.all.iter().map(|(port, all)| bound(port, all)).max().unwrap_or(0);
        tree.capacity(quantity, 1).map_or(most, |leaf| most.min(leaf))
    }
}
