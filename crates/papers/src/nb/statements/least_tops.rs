//! \[NB\] Theorems 1 and 2: the least number of top switches, over all routings.

use super::lemma_2::{case, few_leaves};
use crate::certificate::Quantity;
use crate::nonblocking::printed_least;
use crate::synth::{Options, least_ratio};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-least-m", "[NB] IV.A, Theorem 2 and the proof of Theorem 1")
    .about("A nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= (r-1)n/2 when r <= 2n+1, and m >= n^2 when r >= 2n+1")
    .hypothesis("the least m over all single-path routings of ftree(n,m,r): n = 2 with r <= 6, n = 3 with r <= 3")
    .quote("top level switches needed; and $m \\geq \\frac{(r-1)n}{2}$. ... When $r \\geq 2n + 1$, $m \\geq n^2$.")
    .cases(|scope| check(scope, sizes(scope), printed_least))
    .remark(
        RemarkKind::CanBeSharpened,
        few_leaves,
        "for r <= 2n more is needed: n = 2 takes 2, 4, 4 top switches for r = 2, 3, 4 (so n^2 already from r = 3 on), n = 3 takes 3, 6 for r = 2, 3",
    )
    // n^2 as early as r = 2, where 2 top switches suffice for n = 2.
    .planted(Planted::Check(|scope| check(scope, &[(2, 2)], |n, _| n * n)));

/// (n, largest r).
fn sizes(scope: &Scope) -> &'static [(u64, u64)] {
    if scope.hosts <= 8 { &[(2, 4), (3, 2)] } else { &[(2, 6), (3, 3)] }
}

fn check(scope: &Scope, sizes: &[(u64, u64)], bound: fn(u64, u64) -> u64) -> Findings {
    let sizes = sizes.iter().flat_map(|(n, most)| (2..=*most).map(|r| (*n, r)));
    scope.each(sizes, |(n, r)| finding(scope, n, r, bound(n, r)))
}

fn finding(scope: &Scope, n: u64, r: u64, claimed: u64) -> Result<Finding> {
    let (least, found) = least_tops(scope, n, r)?;
    Ok(match found {
        Found::Exact if claimed <= 1 => {
            let why = format!("one top switch is always needed; the least number is {least}");
            Finding::vacuous(case(n, r), why)
        }
        Found::Exact => Finding::at_least(case(n, r), claimed, least, Basis::CERTIFIED),
        Found::Open(why) => {
            let text = format!("at least {least}");
            let outcome = Outcome::Open(why);
            Finding::new(case(n, r), format!(">= {claimed}"), text, outcome, Basis::CERTIFIED)
        }
    })
}

enum Found {
    Exact,
    Open(String),
}

/// The first m for which there is a nonblocking routing; all smaller ones are refuted, each with a
/// certificate.
fn least_tops(scope: &Scope, n: u64, r: u64) -> Result<(u64, Found)> {
    for m in 1..=n * n {
        let tree = generate(&format!("ftree({n},{m},{r})"))?;
        let (quantity, ratio) = (Quantity::PermutationLoad, Some(1));
        let options = Options { quantity, ratio, ..Options::default() };
        let found = least_ratio(&tree, &options, scope.progress);
        scope.progress.check()?;
        let bounds = found?.bounds;
        let certified = Basis::of(&bounds) == Basis::CERTIFIED;
        if certified && bounds.exact() == Some(&Rational::ONE) {
            return Ok((m, Found::Exact));
        }
        if !certified || bounds.lower <= Rational::ONE {
            return Ok((m, Found::Open(format!("m = {m}: load {bounds}"))));
        }
    }
    // Theorem 3 has a routing for m = n².
    Ok((n * n, Found::Open("no routing was found".to_string())))
}
