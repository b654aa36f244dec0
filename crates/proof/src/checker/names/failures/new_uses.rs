//! The new links of pairs that are repaired.

use crate::rational::Rational;
use crate::topology::LinkId;

use super::Result;
use super::covers::Pair;
use super::known::Numbered;
use super::left::Left;
use super::whole::Whole;

/// New links of pairs with their shares.
#[derive(Default)]
pub(super) struct NewUses {
    /// Sorted by link and pair; shares by number.
    all: Vec<(LinkId, Pair, u32)>,
    shares: Numbered,
}

impl NewUses {
    /// All links, each once, ascending.
    pub(super) fn links(&self) -> impl Iterator<Item = LinkId> {
        self.all.chunk_by(|a, b| a.0 == b.0).map(|of_link| of_link[0].0)
    }

    /// The pairs that come to a link with their shares, sorted.
    pub(super) fn on(&self, link: LinkId) -> impl Iterator<Item = (Pair, &Rational)> {
        let start = self.all.partition_point(|(other, ..)| *other < link);
        let of_link = self.all[start..].iter().take_while(move |(other, ..)| *other == link);
        of_link.map(|(_, pair, number)| (*pair, &self.shares.known()[*number as usize]))
    }
}

/// The new links of broken pairs, but those of which every cover covers the pair unless `keep` says so, and whether a
/// pair sends nothing.
pub(super) fn new_uses(
    whole: &Whole<'_>,
    left: &mut Left,
    pairs: &[Pair],
    keep: &mut dyn FnMut(LinkId, Pair) -> Result<bool>,
) -> Result<(NewUses, bool)> {
    let (mut uses, mut links, mut loses) = (NewUses::default(), Vec::new(), false);
    for pair in pairs {
        whole.network.go_on()?;
        whole.repair(left, *pair, &mut links)?;
        loses |= links.is_empty();
        for (link, number) in &links {
            let share = left.share(*number);
            if keep(*link, *pair)? || !whole.is_covered(*link, *pair, share)? {
                uses.all.push((*link, *pair, uses.shares.number(share)));
            }
        }
    }
    uses.all.sort_unstable();
    Ok((uses, loses))
}
