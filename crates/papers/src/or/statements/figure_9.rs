//! \[OR\] Fig 9: the root that OSRM2 sends a pair to as printed.

use std::ops::RangeInclusive;

use crate::theorem::prelude::*;
use crate::theorem::shape::root;

const QUOTE: &str = r"Our algorithm OSRM2, described in Fig. 9, can also handle the case when $\sqrt{\frac{m}{2}}$ is not an integer. ... $\rightarrow switch(s_1/N_s * N_d + d_1/N_d, 0)$";

pub(super) const KIND: Statement = Statement::new("or-figure-9", "[OR] Fig 9")
    .about("OSRM2 as printed also handles m for which sqrt(m/2) is not an integer: s1/N_s*N_d + d1/N_d is a root, 0..m/2-1")
    .hypothesis("FT(m,2), all (s1,d1), by arithmetic")
    .quote(QUOTE)
    .cases(|scope| ranges(scope, 2..=LARGEST, |_, nd| nd, |_| true))
    .remark(
        RemarkKind::Wrong,
        printed_is_wrong,
        "the index leaves the range of roots for every m/2 that is not a square; osrm2 takes group sizes a, b that minimise max(a,b) with ceil((m/2)/a) ceil((m/2)/b) <= m/2",
    )
    // A larger step where the printed one is correct: m/2 = 4.
    .planted(Planted::Check(|scope| ranges(scope, 8..=8, |_, nd| nd + 1, |_| true)));

pub(super) const MULTIPLIER: Statement = Statement::new("or-figure-9-multiplier", "[OR] Fig 9, as we would mend it")
    .about("With the number ceil((m/2)/N_d) of destination groups as multiplier, instead of their size N_d, the index of Fig 9 is a root unless m/2 = k^2 + j with 0 < j < k, that is 5, 10, 11, 17, 18, 19, ..")
    .hypothesis("FT(m,2), all (s1,d1), by arithmetic")
    .ours()
    .quote(QUOTE)
    .cases(|scope| ranges(scope, 2..=LARGEST, u64::div_ceil, groups_fit))
    // As if it were correct for every m.
    .planted(Planted::Check(|scope| ranges(scope, 2..=LARGEST, u64::div_ceil, |_| true)));

pub(super) const SQUARE: Statement = Statement::new("or-figure-9-square", "[OR] Fig 9")
    .about("Where sqrt(m/2) is an integer, OSRM2 goes through switch (s1/N_s*N_d + d1/N_d, 0), as osrm2 does")
    .hypothesis("osrm2 on FT(m,2), m/2 a square")
    .quote(r"When $\sqrt{\frac{m}{2}}$ is an integer, the algorithm works exactly as just described. ... $\rightarrow switch(s_1/N_s * N_d + d_1/N_d, 0)$")
    .instances(
        |tree| root(tree).is_some(),
        |routing| is_kind(routing, "osrm2"),
        |instance, scope| Ok(vec![roots(instance, scope, "")?]),
    )
    .planted(Planted::FirstPorts("ft(8,2)"));

/// Largest m of the arithmetic.
const LARGEST: u64 = 64;

/// (N_s, N_d) of Fig 9 for m/2.
fn group_sizes(half: u64) -> (u64, u64) {
    let (zs, zd) = (shape::ceil_sqrt(half), half.isqrt());
    (half.div_ceil(zs), half.div_ceil(zd))
}

/// The claim that the largest index with a `multiplier`(m/2,N_d) is a root exactly for those m/2
/// that satisfy `fits`.
fn ranges(
    scope: &Scope,
    all: RangeInclusive<u64>,
    multiplier: fn(u64, u64) -> u64,
    fits: fn(u64) -> bool,
) -> Findings {
    scope.progress.check()?;
    let finding = |m: u64| {
        let half = m / 2;
        let case = Case::of(format!("ft({m},2)"), [half]);
        if half == 1 {
            return Finding::vacuous(case, ONE_PATH);
        }
        let (ns, nd) = group_sizes(half);
        let largest = (half - 1) / ns * multiplier(half, nd) + (half - 1) / nd;
        let beyond = if fits(half) { "no index" } else { "some index" };
        let claimed = format!("{beyond} above root {}", half - 1);
        let found = format!("up to {largest}");
        let holds = (largest < half) == fits(half);
        Finding::holds(case, claimed, found, holds, Basis::Exhaustive)
    };
    Ok(all.step_by(2).map(finding).collect())
}

/// N_s < N_d unless m/2 is a square, and then N_d is a larger step than there are columns.
fn printed_is_wrong(case: &Case) -> bool {
    matches!(case.numbers[..], [half] if half.isqrt().pow(2) != half)
}

/// Whether there are enough roots for all pairs of groups: not for m/2 = k² + j with 0 < j < k.
fn groups_fit(half: u64) -> bool {
    let k = half.isqrt();
    !(1..k).contains(&(half - k * k))
}

/// The claim that every pair goes through the root that Fig 9 prints, where m/2 is a square. The
/// case is named `prefix` followed by the instance.
pub(super) fn roots(instance: &Instance, scope: &Scope, prefix: &str) -> Result<Finding> {
    let tree = fits(&instance.topology, Topology::plain_tree)?;
    let root = fits(&instance.topology, root)?;
    let case = format!("{prefix}{}", oblivious::case(instance));
    if root == 1 {
        return Ok(Finding::vacuous(case, ONE_PATH));
    }
    scope.progress.check()?;
    let (ns, nd) = group_sizes(root * root);
    // Roots are the last nodes, in order.
    let first = instance.topology.nodes() as u64 - root * root;
    let is_wrong = |(s, d): &(u32, u32)| {
        let printed = u64::from(tree.digit(*s, 1)) / ns * nd + u64::from(tree.digit(*d, 1)) / nd;
        let nodes = uses::nodes(instance, *s, *d);
        tree.nca_level(*s, *d) == 2 && nodes.get(2).copied().map(u64::from) != Some(first + printed)
    };
    let wrong = sd_pairs(tree.hosts()).find(is_wrong);
    let wrong =
        wrong.map(|(s, d)| format!("pair {s} to {d} by nodes {:?}", uses::nodes(instance, s, d)));
    Ok(Finding::unless(case, "the root of Fig 9", "holds for every pair", wrong, Basis::Exhaustive))
}
