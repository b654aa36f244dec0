//! \[OR\] II.A and IV: lower bounds on PERF of single-path routings. With equal links it is an integer, so that bounds
//! are rounded up.

use crate::theorem::prelude::*;

pub(super) const PERF: Statement = Statement::new("or-perf", "[OR] II.A")
    .about("PERF(r,TM) >= 1, so PERF(r) >= 1 for every routing")
    .hypothesis("any routing on any tree, including slimmed trees")
    .quote(
        "PERF(r, TM) is at least 1. It is exactly 1 if and only if the routing is optimal for TM.",
    )
    .instances(|_| true, |_| true, |instance, scope| perf(instance, scope, 1))
    .publishes(Side::AtLeast, |_, _| Some(1))
    .planted(Planted::Instance("ft(4,2)", |instance, scope| perf(instance, scope, 2)));

fn perf(instance: &Instance, scope: &Scope, least: u64) -> Findings {
    Ok(vec![oblivious::at_least(instance, scope, &least.into())?])
}

pub(super) const LEMMA_7: Statement = Statement::new("or-lemma-7", "[OR] Lemma 7")
    .about("If a link of EFT2(m,k) carries a set A of node disjoint SD pairs, |A| <= m/2, under a single path routing sr, then PERF(sr) >= |A|")
    .hypothesis("any single-path routing on EFT2(m,k), a largest such set over all its links")
    .quote(r"there exists a link *l* that carries traffic for a set *A* of node disjoint SD pairs, $|A| \leq \frac{m}{2}$, Then, $PERF(sr) \geq |A|$.")
    .instances(
        |tree| shape::eft2(tree).is_some(),
        is_single_path,
        |instance, scope| largest_set(instance, scope, 0),
    )
    .publishes(Side::AtLeast, |tree, routing| {
        let (m, _) = shape::eft2(tree)?;
        Some(uses::most_disjoint(&uses::of_small(tree, routing)?).min(u64::from(m / 2)))
    })
    .planted(Planted::Instance("ft(4,2)", |instance, scope| largest_set(instance, scope, 1)));

/// The claim that PERF is at least |A| + `more` for a largest A.
fn largest_set(instance: &Instance, scope: &Scope, more: u64) -> Findings {
    let (m, _) = fits(&instance.topology, shape::eft2)?;
    let largest = uses::most_disjoint(&uses::pairs_by_link(instance, scope)?);
    Side::AtLeast.claim(instance, scope, largest.min(u64::from(m / 2)) + more)
}

const EFT2: &str = r"If $k \ge \sqrt{2m}$, $PERF(r) \ge \sqrt{\frac{m}{2}}$.";

pub(super) const THEOREM_2: Statement = Statement::new("or-theorem-2", "[OR] Theorem 2")
    .about("Every single path routing of EFT2(m,k), k >= sqrt(2m), has PERF >= sqrt(m/2)")
    .hypothesis("any single-path routing on EFT2(m,k) with k >= sqrt(2m)")
    .quote(EFT2)
    .bounds(Side::AtLeast, is_wide, |tree, routing| {
        let (m, _) = shape::eft2(tree).filter(|_| is_wide(tree) && routing.is_single_path())?;
        Some(shape::ceil_sqrt(u64::from(m / 2)))
    })
    .planted(Planted::More("ft(4,2)", 1));

/// m/2 top switches carry k(k−1)(m/2)² pairs, at most m(k−1)X each while X < m/k
/// (`or-lemma-8-exact`): X ≥ k/2, and k/2 < √(m/2) < m/k here.
pub(super) const THEOREM_2_FEW: Statement =
    Statement::new("or-theorem-2-few", "[OR] Theorem 2, continued with T(X) as found")
        .about("Every single path routing of EFT2(m,k), k < sqrt(2m), has PERF >= k/2")
        .hypothesis("any single-path routing on EFT2(m,k) with k < sqrt(2m)")
        .ours()
        .quote(EFT2)
        .bounds(
            Side::AtLeast,
            |tree| shape::eft2(tree).is_some(),
            |tree, routing| {
                let (_, k) =
                    shape::eft2(tree).filter(|_| !is_wide(tree) && routing.is_single_path())?;
                Some(u64::from(k.div_ceil(2)))
            },
        )
        .planted(Planted::More("eft2(6,3)", 1));

/// Whether a tree is EFT2(m,k) with k ≥ √(2m).
pub(super) fn is_wide(topology: &Topology) -> bool {
    shape::eft2(topology).is_some_and(|(m, k)| u64::from(k).pow(2) >= 2 * u64::from(m))
}

pub(super) const THEOREM_3: Statement = Statement::new("or-theorem-3", "[OR] Theorem 3")
    .about("Every single path routing of FT(m,2) has PERF >= sqrt(m/2)")
    .hypothesis("any single-path routing on FT(m,2)")
    .quote(r"Let r be a single path routing algorithm for $FT(m, 2), m \ge 2, PERF(r) \ge \sqrt{\frac{m}{2}}$.")
    .bounds(Side::AtLeast, |tree| shape::half(tree, 2).is_some(), |tree, routing| {
        shape::half(tree, 2).filter(|_| routing.is_single_path()).map(shape::ceil_sqrt)
    })
    .planted(Planted::More("ft(4,2)", 1));

pub(super) const THEOREM_4: Statement = Statement::new("or-theorem-4", "[OR] Theorem 4")
    .about("Every single path routing of FT(m,3) has PERF >= m/2")
    .hypothesis("any single-path routing on FT(m,3)")
    .quote(r"Let r be a single path routing algorithm for FT(m,3), $PERF(r) \geq \frac{m}{2}$.")
    .bounds(
        Side::AtLeast,
        |tree| shape::half(tree, 3).is_some(),
        |tree, routing| shape::half(tree, 3).filter(|_| routing.is_single_path()),
    )
    .planted(Planted::More("ft(4,3)", 1));

pub(super) const QUOTE_5: &str = r"Let r be a single path routing algorithm for FT(m,n), $PERF(r) \ge \left(\frac{m}{2}\right)^{\lfloor \frac{n-1}{3} \rfloor}$.";

pub(super) const THEOREM_5: Statement = Statement::new("or-theorem-5", "[OR] Theorem 5")
    .about("Every single path routing of FT(m,n) has PERF >= (m/2)^floor((n-1)/3)")
    .hypothesis("any single-path routing on FT(m,n), n >= 4 (the bound is 1 below)")
    .quote(QUOTE_5)
    .bounds(Side::AtLeast, |tree| shape::ft(tree).is_some(), |tree, routing| {
        let (m, n) = shape::ft(tree).filter(|(_, n)| *n >= 4 && routing.is_single_path())?;
        u64::from(m / 2).checked_pow((n - 1) / 3)
    })
    .remark(
        RemarkKind::CanBeSharpened,
        |_| true,
        "the argument of Theorem 4 with i = floor(2n/3) gives (m/2)^(floor(2n/3)/2), see or-theorem-5-stronger; no routing here attains either",
    )
    // (m/2)^(n-1).
    .planted(Planted::More("ft(4,4)", 6));

pub(super) const THEOREM_5_STRONGER: Statement =
    Statement::new("or-theorem-5-stronger", "[OR] Theorem 5, with i = floor(2n/3) in its proof")
        .about("Every single path routing of FT(m,n) has PERF >= (m/2)^(floor(2n/3)/2)")
        .hypothesis("any single-path routing on FT(m,n), n >= 2")
        .sharpened()
        .quote(r"Consider the case when $i = \lfloor \frac{2(n-1)}{3} \rfloor$")
        .bounds(
            Side::AtLeast,
            |tree| shape::ft(tree).is_some(),
            |tree, routing| {
                let (m, n) =
                    shape::ft(tree).filter(|(_, n)| *n >= 2 && routing.is_single_path())?;
                u64::from(m / 2).checked_pow(2 * n / 3).map(shape::ceil_sqrt)
            },
        )
        .planted(Planted::More("ft(4,3)", 1));
