//! \[NB\] Theorem 2.

use super::counting;
use super::nonblocking::tops_by_load;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-theorem-2", "[NB] IV.A, Theorem 2")
    .about("When r >= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= n^2")
    .hypothesis("any implemented single-path routing on ftree(n,m,r), r >= 2n+1: it is blocking, or the bound holds")
    .quote("be nonblocking with any single-path deterministic routing. When $r \\geq 2n + 1$, $m \\geq n^2$.")
    .instances(
        |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r > 2 * n),
        is_single_path,
        |instance, scope| tops_by_load(instance, scope, |n| n * n),
    )
    // With fewer than n^2 top switches, some permutation loads a link twice; with n of them or more, its optu is 1.
    .publishes(Side::AtLeast, |tree, routing| {
        let (n, m, r) = shape::ftree(tree).filter(|_| routing.is_single_path())?;
        (r > 2 * n && (n..n * n).contains(&m)).then_some(2)
    })
    // One more than Theorem 3's routing has.
    .planted(Planted::Instance(
        "ftree(2,4,5)",
        |instance, scope| tops_by_load(instance, scope, |n| n * n + 1),
    ));

pub(super) const ALL: Statement = Statement::new("nb-theorem-2-all", "[NB] IV.A, Theorem 2")
    .about("When r >= 2n+1, no single-path deterministic routing, implemented or not, makes ftree(n,m,r) nonblocking with m < n^2: by counting")
    .hypothesis("all single-path routings of ftree(n,m,r), n >= 2, r >= 2n+1, by the exact largest number of SD pairs through a top switch")
    .quote("at least $\\frac{r(r-1)n^2}{r(r-1)} = n^2$ top level switches needed; and $m \\geq n^2$.")
    .cases(|scope| counting::at_least(scope, |n, r| (r > 2 * n).then_some(n * n)))
    .planted(Planted::Check(|scope| {
        let small = counting::small(scope);
        counting::at_least(&small, |n, r| (r > 2 * n).then_some(n * n + 1))
    }));
