//! \[NB\] Theorem 1.

use super::counting;
use super::nonblocking::{by_load, ftree, may_be_nonblocking};
use crate::theorem::prelude::*;

/// The transcript has the theorem's bound as "2(n, m)"; its proof ends in 2(m + n), and the
/// text after it says the same in words.
pub(super) const KIND: Statement = Statement::new("nb-theorem-1", "[NB] IV.A, Theorem 1 and the words after it")
    .about("When r <= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has at most 2(n+m) ports, twice those of a bottom level switch")
    .hypothesis("any single-path routing on ftree(n,m,r), r <= 2n+1: it is blocking, or the bound holds")
    .quote("When $r \\leq 2n + 1$, the total number of ports supported by a nonblocking folded-Clos network is at most twice that in its bottom level switches.")
    .instances(
        |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r <= 2 * n + 1),
        is_single_path,
        |instance, scope| ports(instance, scope, |n, m| 2 * (n + m)),
    )
    .remark(
        RemarkKind::CanBeSharpened,
        may_be_nonblocking,
        "at most 2m ports for r <= 2n, see nb-theorem-1-sharper; 2m + n already from the printed proof",
    )
    // 2m is too few for r = 2n + 1, which Theorem 3's routing shows.
    .planted(Planted::Instance(
        "ftree(2,4,5)",
        |instance, scope| ports(instance, scope, |_, m| 2 * m),
    ));

pub(super) const SHARPER: Statement = Statement::new(
    "nb-theorem-1-sharper",
    "[NB] IV.A, Theorems 1 and 2, with the exact value of Lemma 2",
)
    .about("A nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= rn/2 when r <= 2n, that is at most 2m ports, and m >= n^2 when r >= 2n")
    .hypothesis("all single-path routings of ftree(n,m,r), n >= 2, by the exact largest number of SD pairs through a top switch")
    .sharpened()
    .quote("there are at least $\\frac{r(r-1)n^2}{2nr} = \\frac{(r-1)n}{2}$ top level switches needed")
    .cases(|scope| counting::at_least(scope, sharper))
    // More than Theorem 3's routing has.
    .planted(Planted::Check(|scope| { counting::at_least(&counting::small(scope), |n, r| { Some(if r >= 2 * n { n * n + 1 } else { (r * n).div_ceil(2) }) }) }));

fn ports(instance: &Instance, scope: &Scope, bound: fn(u64, u64) -> u64) -> Findings {
    let [n, m, r] = match ftree(instance)? {
        Ok(shape) => shape,
        Err(vacuous) => return Ok(vec![vacuous]),
    };
    let (ports, claimed) = (r * n, bound(n, m));
    let compare = |case, basis| Finding::at_most(case, claimed, ports, basis);
    Ok(vec![by_load(instance, scope)?.implies(instance, ports <= claimed, compare)])
}

#[expect(clippy::unnecessary_wraps, reason = "the type of all claims that are counted")]
fn sharper(n: u64, r: u64) -> Option<u64> {
    Some(if r >= 2 * n { n * n } else { (r * n).div_ceil(2) })
}
