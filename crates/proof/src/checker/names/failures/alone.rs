//! What every element does alone, and sets of two from that.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::limit::within;
use crate::rational::Rational;
use crate::topology::LinkId;

use super::bad::BadFailures;
use super::covers::Pair;
use super::known::Numbered;
use super::left::Left;
use super::limits::{REMEDY, USES};
use super::new_uses::{NewUses, new_uses};
use super::sets::Sets;
use super::whole::Whole;
use super::{Result, parallel};

/// What an element does that fails alone.
pub(super) struct Alone {
    /// New links of the pairs that it breaks, but those of which every cover covers the pair.
    uses: NewUses,
    /// All links on new paths that may fail themselves, each with the pair; sorted.
    taken: Vec<(LinkId, Pair)>,
    /// What they raise every cover of their links by, in this order, as numbers of `totals`.
    raised: Vec<(LinkId, u32)>,
    totals: Numbered,
    /// The links of `uses` that no cover bounds.
    heavy: Vec<LinkId>,
    /// Whether a pair sends nothing.
    loses: bool,
}

impl Alone {
    /// The elements of all sets of two that are needed.
    pub(super) fn of_all(
        whole: &Whole<'_>,
        sets: &Sets<'_>,
        needed: &[bool],
    ) -> Result<Vec<Option<Self>>> {
        let mut is_needed = vec![false; whole.elements.len()];
        for set in (0..sets.count()).filter(|place| needed[*place]).map(|place| sets.at(place)) {
            let of_two = set.iter().filter(|_| set.len() == 2);
            of_two.for_each(|element| is_needed[*element as usize] = true);
        }
        let held = AtomicU64::new(0);
        let elements: Vec<(u32, bool)> = (0..).zip(is_needed).collect();
        let state = || Left::of(whole.network);
        let found = parallel::map_with(&elements, state, |left, (element, is_needed)| {
            let left = left.as_mut().map_err(|refusal| refusal.clone())?;
            is_needed.then(|| Self::of(whole, left, *element, &held)).transpose()
        });
        found.into_iter().collect()
    }

    /// An element; `held` counts links of pairs that are held.
    fn of(whole: &Whole<'_>, left: &mut Left, element: u32, held: &AtomicU64) -> Result<Self> {
        left.remove(whole.network, &whole.gone(&[element]));
        let pairs = &whole.broken[element as usize];
        let mut taken = Vec::new();
        let (uses, loses) = new_uses(whole, left, pairs, &mut |link, pair| {
            if whole.may_fail[link as usize] {
                taken.push((link, pair));
            }
            let held = held.fetch_add(1, Ordering::Relaxed);
            within(
                "number of links of pairs that elements break",
                Some(held.into()),
                USES,
                REMEDY,
            )?;
            Ok(false)
        })?;
        taken.sort_unstable();
        let (mut raised, mut totals, mut heavy) = (Vec::new(), Numbered::default(), Vec::new());
        for link in uses.links() {
            let of_link = [whole.raised(link, &uses.on(link).collect::<Vec<_>>())?];
            if !whole.is_bounded(link, &of_link)? {
                heavy.push(link);
            }
            raised.extend(of_link[0].iter().map(|total| (link, totals.number(total))));
        }
        Ok(Self { uses, taken, raised, totals, heavy, loses })
    }

    /// What the pairs of the element raise every cover of a link by; none where it has no new ones.
    fn raised(&self, link: LinkId) -> Vec<Rational> {
        let start = self.raised.partition_point(|(other, _)| *other < link);
        let of_link = self.raised[start..].iter().take_while(|(other, _)| *other == link);
        of_link.map(|(_, number)| self.totals.known()[*number as usize].clone()).collect()
    }

    /// The pairs with new paths over links.
    fn taking<'s>(&'s self, links: &'s [LinkId]) -> impl Iterator<Item = Pair> + 's {
        links.iter().flat_map(|link| {
            let start = self.taken.partition_point(|(other, _)| other < link);
            let of_link = self.taken[start..].iter().take_while(move |(other, _)| other == link);
            of_link.map(|(_, pair)| *pair)
        })
    }
}

/// Verifies the upper side in a set by what its elements do alone: what comes to a link by one of them alone is bounded
/// with it.
pub(super) fn check(
    whole: &Whole<'_>,
    left: &mut Left,
    (set, alone): (&[u32], &[Option<Alone>]),
) -> Result<()> {
    let only;
    let parts = match set {
        [one] if alone[*one as usize].is_none() => {
            only = Alone::of(whole, left, *one, &AtomicU64::new(0))?;
            vec![&only]
        }
        set => parts(set, alone),
    };
    let again = broken_again(whole, set, &parts);
    let mut loses = parts.iter().any(|alone| alone.loses);
    let mut anew = NewUses::default();
    if loses || !again.is_empty() {
        left.remove(whole.network, &whole.gone(set));
        let (uses, again_loses) = new_uses(whole, left, &again, &mut |_, _| Ok(false))?;
        anew = uses;
        loses |= again_loses;
    }
    let looked_at = links_of_both(&parts, &anew);
    let is_cut =
        if loses && !looked_at.is_empty() { left.cut_off(whole.network)? } else { Vec::new() };
    let sends = |(s, d): Pair| {
        [s, d].iter().all(|host| !is_cut.get(*host as usize).copied().unwrap_or(false))
    };
    for link in looked_at {
        // More than what each raises it by without the pairs of the others.
        let mut raised: Vec<_> = parts.iter().map(|alone| alone.raised(link)).collect();
        raised.push(whole.raised(link, &anew.on(link).collect::<Vec<_>>())?);
        if whole.is_bounded(link, &raised)? {
            continue;
        }
        let mut groups: Vec<Vec<_>> =
            vec![anew.on(link).filter(|(pair, _)| sends(*pair)).collect()];
        for alone in &parts {
            let own = alone.uses.on(link).filter(|(pair, _)| again.binary_search(pair).is_err());
            groups.push(own.filter(|(pair, _)| sends(*pair)).collect());
        }
        if !whole.is_bounded_by(link, &groups)? {
            return Err(BadFailures::Unbounded { set: set.to_vec(), link }.into());
        }
    }
    Ok(())
}

/// What the elements of a set do alone.
pub(super) fn parts<'s>(set: &[u32], alone: &'s [Option<Alone>]) -> Vec<&'s Alone> {
    set.iter().filter_map(|element| alone[*element as usize].as_ref()).collect()
}

/// The pairs that both elements break, and those whose new paths without one the other one breaks; sorted.
pub(super) fn broken_again(whole: &Whole<'_>, set: &[u32], parts: &[&Alone]) -> Vec<Pair> {
    let [one, other] = *set else { return Vec::new() };
    let (few, many) = (&whole.broken[one as usize], &whole.broken[other as usize]);
    let (few, many) = if few.len() < many.len() { (few, many) } else { (many, few) };
    let mut again: Vec<Pair> =
        few.iter().filter(|pair| many.binary_search(pair).is_ok()).copied().collect();
    for (alone, other) in parts.iter().zip([other, one]) {
        again.extend(alone.taking(&whole.elements[other as usize]));
    }
    again.sort_unstable();
    again.dedup();
    again
}

/// The links to which more comes than by one element alone, and those that are not bounded with one alone.
fn links_of_both(parts: &[&Alone], anew: &NewUses) -> Vec<LinkId> {
    let mut links: Vec<LinkId> = anew.links().collect();
    links.extend(parts.iter().flat_map(|alone| &alone.heavy));
    if let [one, other] = parts {
        let mut others = other.uses.links().peekable();
        links.extend(one.uses.links().filter(|link| {
            while others.next_if(|other| other < link).is_some() {}
            others.peek() == Some(link)
        }));
    }
    links.sort_unstable();
    links.dedup();
    links
}
