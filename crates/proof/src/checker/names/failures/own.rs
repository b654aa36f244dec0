//! Sets that have covers of their own.

use std::collections::HashSet;

use crate::certificate::Cover;

use super::Result;
use super::alone::{Alone, broken_again, parts};
use super::bad::BadFailures;
use super::covers::{Pair, covers as covers_pair};
use super::left::Left;
use super::new_uses::new_uses;
use super::whole::Whole;

/// Verifies the upper side in a set of which some links have covers of their own.
pub(super) fn check(
    whole: &Whole<'_>,
    left: &mut Left,
    (set, covers): (&[u32], &[Cover]),
    alone: &[Option<Alone>],
) -> Result<()> {
    left.remove(whole.network, &whole.gone(set));
    let mut own = HashSet::new();
    for cover in covers {
        whole.total(cover)?;
        let link = cover.link;
        if left.is_gone(link) || !own.insert(link) {
            return Err(BadFailures::Cover { set: set.to_vec(), link }.into());
        }
    }
    let is_cut = left.cut_off(whole.network)?;
    let sends = |(s, d): Pair| !is_cut[s as usize] && !is_cut[d as usize];
    let mut broken: Vec<Pair> =
        set.iter().flat_map(|element| &whole.broken[*element as usize]).copied().collect();
    broken.sort_unstable();
    broken.dedup();
    let remaining: Vec<Pair> = broken.iter().copied().filter(|pair| sends(*pair)).collect();
    let (uses, _) = new_uses(whole, left, &remaining, &mut |link, _| Ok(own.contains(&link)))?;
    for cover in covers {
        let link = cover.link;
        let kept = whole.pairs_on(link);
        let kept = kept.filter(|(pair, _)| sends(*pair) && broken.binary_search(pair).is_err());
        for (pair, share) in kept.chain(uses.on(link)) {
            whole.network.go_on()?;
            if !covers_pair(cover, pair, share)? {
                let ((s, d), set, share) = (pair, set.to_vec(), share.clone());
                return Err(BadFailures::Uncovered { set, link, s, d, share }.into());
            }
        }
    }
    let again = broken_again(whole, set, &parts(set, alone));
    let of_first = set.first().map_or(&[][..], |first| &whole.broken[*first as usize]);
    for link in uses.links().filter(|link| !own.contains(link)) {
        let mut groups: [Vec<_>; 3] = Default::default();
        for (pair, share) in uses.on(link) {
            let is_again = again.binary_search(&pair).is_ok();
            let is_of_first = of_first.binary_search(&pair).is_ok();
            let group = match (is_again, is_of_first) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            };
            groups[group].push((pair, share));
        }
        if !whole.is_bounded_by(link, &groups)? {
            return Err(BadFailures::Unbounded { set: set.to_vec(), link }.into());
        }
    }
    Ok(())
}
