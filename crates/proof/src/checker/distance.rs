//! Lengths in covers: the distance of a pair covers its share.
//!
//! Distances are found by Dijkstra's algorithm in integers, after the lengths of a cover have been
//! brought to their common denominator. The pairs of a source that need them wait and are then
//! examined cover by cover, so that the distances of only one cover are held at a time.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use crate::certificate::Cover;
use crate::limit::{TooLarge, within};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::network::Network;
use super::shortest::ShortestPaths;
use super::weights::misplaced;
use super::{Refusal, Result};

/// Maximum steps over a link, of all searches together: some minutes.
const MAX_STEPS: u64 = 1 << 34;

/// Maximum number of covers with lengths times links.
const MAX_LENGTHS: u64 = 1 << 26;

/// Maximum bits of a common denominator, and of the sum of the lengths in units of it.
const BITS: u64 = 120;

/// Maximum number of waiting pairs, about 128 bytes each.
const MAX_WAITING: usize = 1 << 18;

/// The lengths of all covers that have any.
pub(super) struct Lengths {
    /// Index in `scaled` of the lengths in each link's cover.
    place: Vec<Option<u32>>,
    scaled: Vec<Scaled>,
}

/// The lengths of a cover over their common denominator.
struct Scaled {
    lengths: Vec<(LinkId, u128)>,
    unit: UBig,
}

/// A pair on a link whose share hosts and cuts do not fully cover.
struct Waiting {
    place: u32,
    link: LinkId,
    d: Host,
    covered: Rational,
    share: Rational,
}

/// The pairs of one source that wait for their distances.
#[derive(Default)]
pub(super) struct Distances {
    source: Host,
    waiting: Vec<Waiting>,
    /// Created when it is first needed: it is as large as the network.
    search: Option<ShortestPaths<u128>>,
    /// For every link, in the cover being examined.
    lengths: Vec<u128>,
}

impl Lengths {
    /// Takes the lengths of `covers`, whose links are known to exist, after checking them.
    pub(super) fn open(network: &Network, covers: &[Cover]) -> Result<Self> {
        let with_lengths = || covers.iter().filter(|cover| !cover.lengths.is_empty());
        let held = with_lengths().count() as u128 * network.links.len() as u128;
        let steps = Some(held * network.hosts as u128);
        let remedy = "check a smaller instance";
        within("number of lengths in covers times links", Some(held), MAX_LENGTHS, remedy)?;
        within("number of covers with lengths times links times hosts", steps, MAX_STEPS, remedy)?;
        let mut lengths = Self { place: vec![None; network.links.len()], scaled: Vec::new() };
        for (place, cover) in (0..).zip(with_lengths()) {
            lengths.place[cover.link as usize] = Some(place);
            lengths.scaled.push(scaled(network, cover)?);
        }
        Ok(lengths)
    }
}

/// The lengths of a cover in units of their common denominator.
fn scaled(network: &Network, cover: &Cover) -> Result<Scaled> {
    let link = cover.link;
    if let Some(other) = misplaced(&cover.lengths, network.links.len()) {
        return Err(Refusal::BadCoverLength { link, other });
    }
    let mut unit = UBig::ONE;
    for (_, length) in &cover.lengths {
        let denominator = length.denominator();
        unit = &unit / (&unit).gcd(denominator) * denominator;
        fitting(link, &unit)?;
    }
    let (mut lengths, mut sum) = (Vec::new(), UBig::ZERO);
    for (other, length) in &cover.lengths {
        let length = length.numerator() * (&unit / length.denominator());
        sum += &length;
        fitting(link, &sum)?;
        lengths.push((*other, fitting(link, &length)?));
    }
    Ok(Scaled { lengths, unit })
}

/// A common denominator, a length or the sum of lengths in units of it, if it is not too long.
fn fitting(link: LinkId, number: &UBig) -> Result<u128, TooLarge> {
    let what =
        format!("common denominator or sum of the lengths in the cover of link {link}, in bits,");
    within(&what, Some(number.bit_len() as u128), BITS, "use coarser lengths")?;
    Ok(u128::try_from(number).expect("120 bits are fewer than 128"))
}

impl Distances {
    /// Begins with the pairs of a source.
    pub(super) fn start(&mut self, source: Host) {
        self.source = source;
        self.waiting.clear();
    }

    /// The source.
    pub(super) fn source(&self) -> Host {
        self.source
    }

    /// Takes a pair (source, d) whose share on a link hosts and cuts cover only in part, `covered`.
    /// [`Self::settle`] decides.
    pub(super) fn wait(
        &mut self,
        network: &Network,
        lengths: &Lengths,
        (link, d): (LinkId, Host),
        (covered, share): (Rational, &Rational),
    ) -> Result<()> {
        let Some(place) = lengths.place[link as usize] else {
            let (s, share) = (self.source, share.clone());
            return Err(Refusal::Uncovered { link, s, d, share });
        };
        self.waiting.push(Waiting { place, link, d, covered, share: share.clone() });
        if self.waiting.len() < MAX_WAITING { Ok(()) } else { self.settle(network, lengths) }
    }

    /// Verifies that distances cover the rest of all waiting pairs.
    pub(super) fn settle(&mut self, network: &Network, lengths: &Lengths) -> Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|pair| pair.place);
        for pairs in waiting.chunk_by(|a, b| a.place == b.place) {
            network.go_on()?;
            self.look_at(network, &lengths.scaled[pairs[0].place as usize], pairs)?;
        }
        waiting.clear();
        self.waiting = waiting;
        Ok(())
    }

    /// Examines the pairs of one cover.
    fn look_at(&mut self, network: &Network, scaled: &Scaled, pairs: &[Waiting]) -> Result<()> {
        let search = self.search.get_or_insert_with(|| ShortestPaths::new(network));
        self.lengths.resize(network.links.len(), 0);
        for (link, length) in &scaled.lengths {
            self.lengths[*link as usize] = *length;
        }
        let lengths = &self.lengths;
        search
            .search(network, self.source, None, |link, reach| Some(reach + lengths[link as usize]));
        for (link, _) in &scaled.lengths {
            self.lengths[*link as usize] = 0;
        }
        for Waiting { link, d, covered, share, .. } in pairs {
            let distance = search.to(*d).expect("a path of the pair was verified");
            let distance = Rational::from_big((*distance).into(), scaled.unit.clone());
            if covered + &distance.expect("a common denominator is not 0") < *share {
                let (link, s, d, share) = (*link, self.source, *d, share.clone());
                return Err(Refusal::Uncovered { link, s, d, share });
            }
        }
        Ok(())
    }
}
