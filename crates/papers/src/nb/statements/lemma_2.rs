//! \[NB\] Lemma 2: how many SD pairs one top switch can carry.

use crate::checker::Star;
use crate::theorem::prelude::*;
use crate::theorem::root_capacity::most_pairs;

pub(super) const KIND: Statement = Statement::new("nb-lemma-2", "[NB] IV.A, Lemma 2")
    .about("With one source or one destination per link, the largest number of SD pairs that can be routed through the root is at most r(r-1) when r >= 2n+1, and 2nr when r <= 2n+1")
    .hypothesis("the subgraph of ftree(n,m,r) with one top switch, n >= 2, where the largest number can be searched")
    .quote("the largest number of SD pairs that can be routed through the root is at most $r \\times (r - 1)$ when $r \\geq 2n + 1$, and $2nr$ when $r \\leq 2n + 1$.")
    .cases(|scope| at_most(scope, printed))
    .remark(
        RemarkKind::CanBeSharpened,
        few_leaves,
        "it is (r-1) max(r,2n): 2n(r-1) instead of 2nr, and r(r-1) from r = 2n on, see nb-lemma-2-exact",
    )
    // One less, where the bound is attained.
    .planted(Planted::Check(|scope| at_most(&small(scope), |n, r| printed(n, r) - u64::from(r > 2 * n))));

pub(super) const EXACT: Statement = Statement::new("nb-lemma-2-exact", "[NB] IV.A, Lemma 2, sharpened")
    .about("With one source or one destination per link, the largest number of SD pairs through the root is (r-1) max(r,2n)")
    .hypothesis("the subgraph of ftree(n,m,r) with one top switch: searched for small n >= 2 and r, proved for all n and r")
    .sharpened()
    .quote("the largest number of SD pairs that can be routed through the root is at most $r \\times (r - 1)$ when $r \\geq 2n + 1$, and $2nr$ when $r \\leq 2n + 1$.")
    .cases(|scope| equal(scope, |n, r| (r - 1) * r.max(2 * n)))
    .planted(Planted::Check(|scope| equal(&small(scope), |n, r| (r - 1) * r.max(2 * n) + 1)));

/// n hosts per leaf, r leaves, and the exact largest number of SD pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) n: u64,
    pub(super) r: u64,
    pub(super) most: u64,
}

impl Known {
    /// SD pairs between different switches.
    pub(super) fn pairs(self) -> u64 {
        self.r * (self.r - 1) * self.n * self.n
    }
}

/// Every (n,r) with n ≥ 2 and r ≤ 2n + 2 that can be searched. With one host per switch, a link has
/// one source or one destination whatever is routed.
pub(super) fn searched(scope: &Scope) -> Result<Vec<Known>> {
    let work = match scope.hosts {
        0..=16 => 1 << 17,
        _ if scope.full => 1 << 34,
        _ => 1 << 25,
    };
    let mut known = Vec::new();
    for n in 2..=5_usize {
        for r in 2..=2 * n + 2 {
            scope.progress.check()?;
            if let Some(most) = most_pairs(n, r, 1, work, scope.progress)? {
                known.push(Known { n: n as u64, r: r as u64, most });
            }
            scope.progress.inc(1);
        }
    }
    Ok(known)
}

/// The sizes that are searched in no time, for planted falsehoods.
pub(super) fn small<'w>(scope: &Scope<'w>) -> Scope<'w> {
    Scope::new(16, scope.progress)
}

pub(super) fn case(n: u64, r: u64) -> Case {
    Case::of(format!("n = {n}, r = {r}"), [n, r])
}

/// Whether r <= 2n.
pub(super) fn few_leaves(case: &Case) -> bool {
    matches!(case.numbers[..], [n, r] if r <= 2 * n)
}

fn printed(n: u64, r: u64) -> u64 {
    if r > 2 * n { r * (r - 1) } else { 2 * n * r }
}

fn at_most(scope: &Scope, bound: fn(u64, u64) -> u64) -> Findings {
    let finding = |known: Known| {
        let Known { n, r, most } = known;
        if bound(n, r) >= known.pairs() {
            let why = format!("there are no more than {} SD pairs", known.pairs());
            return Finding::vacuous(case(n, r), why);
        }
        Finding::at_most(case(n, r), bound(n, r), most, Basis::Exhaustive)
    };
    Ok(searched(scope)?.into_iter().map(finding).collect())
}

/// That it is the number which `crates/proof/src/checker/COUNTING.md` proves for all n and r.
fn proved(value: fn(u64, u64) -> u64) -> Finding {
    let differs = |(n, r): &(u32, u32)| {
        let counted = Star { hosts: *n, subtrees: *r }.most_pairs(1);
        counted != Ok(value((*n).into(), (*r).into()))
    };
    let other = (1..=64).cartesian_product(2..=160).find(differs);
    let other = other.map(|(n, r)| format!("another number is proved for n = {n}, r = {r}"));
    let (claimed, basis) =
        ("the largest number", Basis::Argued("crates/proof/src/checker/COUNTING.md"));
    Finding::unless("every n and r", claimed, "the number that is proved", other, basis)
}

fn equal(scope: &Scope, value: fn(u64, u64) -> u64) -> Findings {
    let finding =
        |Known { n, r, most }| Finding::equal(case(n, r), value(n, r), most, Basis::Exhaustive);
    let searched = searched(scope)?.into_iter().map(finding);
    Ok(searched.chain([proved(value)]).collect())
}
