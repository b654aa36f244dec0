//! \[OR\] Lemma 9.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("or-lemma-9", "[OR] Lemma 9")
    .about("If the SD pairs of each link of FT(m,n) are from at most X sources or towards at most X destinations, then PERF(r) <= X")
    .hypothesis("any single-path routing on FT(m,n), with the least X for it")
    .quote(r"are either from at most X sources or towards at most X destinations, then $PERF(r) \leq X$.")
    .instances(
        |tree| shape::ft(tree).is_some(),
        is_single_path,
        |instance, scope| fewest_ends(instance, scope, 0),
    )
    .publishes(Side::AtMost, |tree, routing| {
        shape::ft(tree)?;
        Some(uses::fewest_ends(&uses::of_small(tree, routing)?))
    })
    .planted(Planted::Instance("ft(4,2)", |instance, scope| fewest_ends(instance, scope, 1)));

/// The claim that PERF is at most X − `fewer` for the least X.
fn fewest_ends(instance: &Instance, scope: &Scope, fewer: u64) -> Findings {
    let x = uses::fewest_ends(&uses::pairs_by_link(instance, scope)?);
    Ok(vec![oblivious::at_most(instance, scope, &x.saturating_sub(fewer).into())?])
}
