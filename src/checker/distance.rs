//! Lengths in covers: the distance of a pair covers its share.
//!
//! Distances are found by Dijkstra's algorithm in integers, after the lengths of a cover have
//! been brought to their common denominator: once for every cover with lengths and every source
//! that needs them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use crate::certificate::Cover;
use crate::limit::{TooLarge, within};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId};

use super::Refusal;
use super::network::Network;

/// Most steps over a link of all searches together: some minutes.
const MAX_STEPS: u64 = 1 << 34;

/// Most lengths that are held, 16 bytes each.
const MAX_LENGTHS: u64 = 1 << 26;

/// Bits of a common denominator, and of the sum of the lengths in units of it.
const BITS: u64 = 120;

/// The lengths of all covers that have some.
pub(super) struct Lengths {
    /// Place in `scaled` of a link's lengths.
    place: Vec<Option<u32>>,
    /// Lengths of all links, and what they are in units of.
    scaled: Vec<(Vec<u128>, UBig)>,
}

/// Distances from one source, found as they are asked for.
#[derive(Default)]
pub(super) struct Distances {
    source: Host,
    /// By place of the cover, then by node; empty where not searched yet.
    found: Vec<Vec<Option<u128>>>,
    queue: BinaryHeap<Reverse<(u128, NodeId)>>,
}

impl Lengths {
    /// Takes the lengths of `covers`, whose links are known to exist, after checking them.
    pub(super) fn open(network: &Network, covers: &[Cover]) -> Result<Self, Refusal> {
        let with_lengths = || covers.iter().filter(|cover| !cover.lengths.is_empty());
        let held = with_lengths().count() as u128 * network.links.len() as u128;
        let steps = Some(held * network.hosts as u128);
        let remedy = "check a smaller instance";
        within("number of lengths in covers times links", Some(held), MAX_LENGTHS, remedy)?;
        within("number of covers with lengths times links times hosts", steps, MAX_STEPS, remedy)?;
        let mut lengths = Self { place: vec![None; network.links.len()], scaled: Vec::new() };
        for cover in with_lengths() {
            lengths.place[cover.link as usize] = Some(lengths.scaled.len() as u32);
            lengths.scaled.push(scaled(network, cover)?);
        }
        Ok(lengths)
    }
}

/// The lengths of all links in units of their common denominator.
fn scaled(network: &Network, cover: &Cover) -> Result<(Vec<u128>, UBig), Refusal> {
    let link = cover.link;
    let (mut unit, mut previous) = (UBig::ONE, None);
    for (other, length) in &cover.lengths {
        if *other as usize >= network.links.len() || previous >= Some(*other) {
            return Err(Refusal::BadCoverLength { link, other: *other });
        }
        previous = Some(*other);
        let denominator = length.denominator();
        unit = &unit / (&unit).gcd(denominator) * denominator;
        fits(link, &unit)?;
    }
    let mut lengths = vec![0; network.links.len()];
    let mut sum = UBig::ZERO;
    for (other, length) in &cover.lengths {
        let length = length.numerator() * (&unit / length.denominator());
        sum += &length;
        fits(link, &sum)?;
        lengths[*other as usize] = u128::try_from(length).unwrap_or(u128::MAX);
    }
    Ok((lengths, unit))
}

/// Verifies that a common denominator, or the sum of lengths in units of it, is not too long.
fn fits(link: LinkId, number: &UBig) -> Result<(), TooLarge> {
    let what =
        format!("common denominator or sum of the lengths in the cover of link {link}, in bits,");
    within(&what, Some(number.bit_len() as u128), BITS, "use coarser lengths")?;
    Ok(())
}

impl Distances {
    /// Forgets what was found, for a new source.
    pub(super) fn start(&mut self, source: Host) {
        self.source = source;
        self.found.iter_mut().for_each(Vec::clear);
    }

    /// The source.
    pub(super) fn source(&self) -> Host {
        self.source
    }

    /// The distance to `d` under the lengths in the cover of `link`: 0 when there are none, or
    /// no path.
    pub(super) fn to(
        &mut self,
        network: &Network,
        lengths: &Lengths,
        link: LinkId,
        d: Host,
    ) -> Ratio {
        let Some(place) = lengths.place[link as usize] else { return Ratio::ZERO };
        let (scaled, unit) = &lengths.scaled[place as usize];
        self.found.resize(lengths.scaled.len(), Vec::new());
        if self.found[place as usize].is_empty() {
            self.search(network, scaled, place as usize);
        }
        let distance = self.found[place as usize][d as usize].unwrap_or(0);
        Ratio::from_big(distance.into(), unit.clone()).unwrap_or(Ratio::ZERO)
    }

    fn search(&mut self, network: &Network, lengths: &[u128], place: usize) {
        let distance = &mut self.found[place];
        distance.resize(network.nodes, None);
        self.queue.push(Reverse((0, self.source)));
        while let Some(Reverse((reach, node))) = self.queue.pop() {
            if distance[node as usize].is_some() {
                continue;
            }
            distance[node as usize] = Some(reach);
            for link in &network.leaving[node as usize] {
                let head = network.links[*link as usize].1;
                if distance[head as usize].is_none() {
                    self.queue.push(Reverse((reach + lengths[*link as usize], head)));
                }
            }
        }
    }
}
