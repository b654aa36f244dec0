//! \[FAS\], \[NV\]: flows that cannot be split, in the smallest Clos networks.
//!
//! C(n,m,r) has r input and r output switches of n servers each and m middle switches. No server sends or receives more
//! than 1; \[FAS\] has as many middle switches as servers of a switch. Rates are multiples of 1/q: all sets of flows to
//! which no flow can be added are examined, over all of their routings.

use crate::theorem::prelude::*;
use crate::theorem::unsplittable::{Flow, Search};

pub(super) const SOME: Statement = Statement::new("lit-unsplittable", "[FAS] abstract")
    .about("For some sets of unsplittable flows in a Clos network the minimum congestion is at least 3/2")
    .hypothesis("five flows in C(2,2,3), over all of their routings")
    .quote("for some sets of flows the minimum congestion is at least $\\nicefrac{3}{2}$")
    .cases(|_| Ok(vec![some(2)]))
    // With a middle switch more than servers.
    .planted(Planted::Check(|_| Ok(vec![some(3)])));

pub(super) const ANY: Statement = Statement::new("lit-unsplittable-any", "[FAS] abstract")
    .about("For any set of unsplittable flows in a Clos network the minimum congestion is at most 9/5")
    .hypothesis("all sets of flows in C(2,2,2) whose rates are multiples of 1/2, 1/3 or 1/4, and in C(2,2,3) of 1/2")
    .quote("a polynomial-time algorithm that guarantees a congestion of at most $\\nicefrac{9}{5}$ for any set of flows")
    .cases(|scope| any(scope, sizes(scope), (9, 5)))
    .remark(RemarkKind::CanBeSharpened, |_| true, "at most 3/2 on all of them")
    // As of flows that can be split.
    .planted(Planted::Check(|scope| any(scope, &[(2, 3)], (1, 1))));

pub(super) const MULTIRATE: Statement = Statement::new("lit-multirate", "[NV] abstract")
    .about("m(2,r) = 3: with two servers a switch, three middle switches route any flows of several rates without congestion, and two do not")
    .hypothesis("r = 2 with rates that are multiples of 1/3, r = 3 with those of 1/2")
    .quote("we derive that m(2, r) = 3 by an elegant argument")
    .cases(|scope| multirate(scope, rates(scope), 3))
    // What flows of rate 1 need.
    .planted(Planted::Check(|scope| multirate(scope, &[(2, 3)], 2)));

/// A whole flow to the same server of either input switch, and halves that then have one middle switch left.
const FIVE: [Flow; 5] = [[0, 0, 2], [1, 0, 2], [2, 1, 2], [0, 1, 1], [1, 1, 1]];

/// r and q.
fn sizes(scope: &Scope) -> &'static [(usize, usize)] {
    if scope.hosts < Scope::HOSTS { &[(2, 2), (2, 3)] } else { &[(2, 2), (2, 3), (2, 4), (3, 2)] }
}

/// r and q.
fn rates(scope: &Scope) -> &'static [(usize, usize)] {
    if scope.hosts < Scope::HOSTS { &[(2, 3)] } else { &[(2, 3), (3, 2)] }
}

/// The claim that the five flows need 3/2.
fn some(middle: usize) -> Finding {
    let congestion = Search::new([2, middle, 3, 2]).congestion(&FIVE, 0);
    let case = format!("five flows in C(2,{middle},3)");
    Finding::at_least(case, fraction(3, 2), fraction(congestion as u64, 2), Basis::Exhaustive)
}

/// The claim that no set has more than this congestion.
fn any(scope: &Scope, sizes: &[(usize, usize)], (units, parts): (u64, u64)) -> Findings {
    let finding = |(r, q): &(usize, usize)| {
        let found = Search::new([2, 2, *r, *q]).run(scope.progress)?;
        scope.progress.inc(1);
        let case = format!("C(2,2,{r}), multiples of 1/{q}: {} full sets", found.sets);
        let congestion = fraction(found.worst as u64, *q as u64);
        let flows = || format!("flows    {:?} in 1/{q}\n", found.shrunk());
        let finding = Finding::at_most(case, fraction(units, parts), congestion, Basis::Exhaustive);
        Ok(finding.because(flows))
    };
    sizes.iter().map(finding).collect()
}

/// The claim that this is the least number of middle switches with which no set has a congestion above 1.
fn multirate(scope: &Scope, sizes: &[(usize, usize)], claimed: u64) -> Findings {
    let mut findings = Vec::new();
    for (r, q) in sizes {
        let mut least: usize = 1;
        while Search::new([2, least, *r, *q]).run(scope.progress)?.worst > *q {
            least += 1;
        }
        scope.progress.inc(1);
        let case = format!("C(2,m,{r}), multiples of 1/{q}");
        findings.push(Finding::equal(case, claimed, least as u64, Basis::Exhaustive));
    }
    Ok(findings)
}
