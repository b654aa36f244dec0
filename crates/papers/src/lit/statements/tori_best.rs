//! \[TDB\], \[RM\]: the best worst case that any routing has on tori.

use crate::bounds::{Bounds, Evidence};
use crate::theorem::bounded;
use crate::theorem::direct::{least, permutation};
use crate::theorem::locality::fewest_hops;
use crate::theorem::prelude::*;

pub(super) const OPTIMAL: Statement = Statement::new("lit-optimal", "[TDB] abstract")
    .about("On k-ary 2-cubes, Valiant's routing and IVAL have the optimal worst-case throughput")
    .hypothesis("torus(k,2) for k = 3 to 6: the worst permutation load is the least hose load of all routings")
    .quote("previous routing algorithms sacrifice too much locality to achieve optimal worst-case throughput. This motivates the development of two new algorithms, IVAL and 2TURN, which improve locality")
    .cases(|scope| optimal(scope, &sizes(scope), &["valiant", "ival"]))
    // A minimal routing.
    .planted(Planted::Check(|scope| optimal(scope, &[3], &["romm"])));

pub(super) const DENSE: Statement = Statement::new("lit-dense", "[RM] abstract")
    .about("No oblivious routing of an N x N torus with N^2/2 to N^2 active pairs has a worst-case load below N/4")
    .hypothesis("the least hose load of all routings of torus(N,2), where every host sends 1, for N = 3 to 6")
    .quote("no oblivious routing scheme can achieve a worst-case load lower than approximately $\\frac{\\sqrt{2k}}{4}$ when $1<k \\leq N^2/2$ and $\\frac{N}{4}$ when $N^2/2\\leq k\\leq N^2$")
    .cases(|scope| dense(scope, &sizes(scope), 4))
    .remark(
        RemarkKind::OurReading,
        |case| case.numbers.iter().all(|n| n % 2 == 1),
        "for odd N it is (N^2-1)/(4N), which is less; the abstract calls the first of its bounds approximate, and may mean both",
    )
    // N/2, which no torus of even N has.
    .planted(Planted::Check(|scope| dense(scope, &[4], 2)));

pub(super) const LOCALITY: Statement = Statement::new("lit-locality", "[TDB] abstract")
    .about("On the 8-ary 2-cube, paths have at most 0.3 % more hops on average with 2TURN than with any routing of optimal worst-case throughput")
    .hypothesis("the best shares of `2turn` on torus(8,2): linear programs whose columns and duals are confirmed in exact numbers")
    .quote("two new algorithms, IVAL and 2TURN, which improve locality to within 0.3% of optimal for an 8-ary 2-cube")
    .cases(|scope| if scope.hosts < 64 { Ok(Vec::new()) } else { locality(scope, 8, (1003, 1000)) })
    .remark(
        RemarkKind::Imprecise,
        |_| true,
        "it is about 0.36 %: 95/16 hops, where some routing has 11359/1920",
    )
    // Fewer than any routing has.
    .planted(Planted::Check(|scope| locality(scope, 4, (9, 10))));

fn sizes(scope: &Scope) -> Vec<u64> {
    (3..=6).filter(|n| as_size(n * n) <= scope.hosts).collect()
}

/// The torus, and the least load of a link of it that any routing can promise if every host sends 1.
fn best(scope: &Scope, n: u64) -> Result<(Topology, bounded::Known), TheoremError> {
    let torus = generate(&format!("torus({n},2)"))?;
    let (load, certificate) = least(torus.clone(), true, scope.progress)?;
    // A host may send as much as its four links carry.
    let four = Bounds { lower: 4.into(), upper: 4.into(), evidence: Evidence::Proven };
    let hypothesis = || TheoremError::Hypothesis(torus.spec().to_string());
    let each = bounded::quotient(&load, &four).ok_or_else(hypothesis)?;
    Ok((torus, (each, certificate)))
}

fn optimal(scope: &Scope, sizes: &[u64], routings: &[&str]) -> Findings {
    let mut findings = Vec::new();
    for n in sizes {
        let (torus, (least, _)) = best(scope, *n)?;
        let exact = least.exact().ok_or_else(|| TheoremError::Hypothesis(least.to_string()))?;
        for routing in routings {
            let known = permutation(&torus, routing, scope.progress)?;
            let case = format!("{routing} on {}", torus.spec());
            findings.push(bounded::equals(case, exact, known));
            scope.progress.inc(1);
        }
    }
    Ok(findings)
}

fn dense(scope: &Scope, sizes: &[u64], parts: u64) -> Findings {
    let finding = |n: &u64| {
        let (torus, known) = best(scope, *n)?;
        scope.progress.inc(1);
        let finding = bounded::at_least(torus.spec().into(), &fraction(*n, parts), known);
        Ok(finding.numbered([*n]))
    };
    sizes.iter().map(finding).collect()
}

/// The claim that 2TURN has at most this part of the fewest hops.
fn locality(scope: &Scope, k: usize, (units, parts): (u64, u64)) -> Findings {
    let hops = |among| fewest_hops(k, among, scope.progress);
    let (turns, all) = (hops(Some("2turn"))?, hops(None)?);
    scope.progress.inc(1);
    let hypothesis = || TheoremError::Hypothesis(format!("hops of the {k}-ary 2-cube"));
    let over = bounded::quotient(&turns, &all).ok_or_else(hypothesis)?;
    let case = format!("hops of 2turn on torus({k},2) over the fewest, at most {}", all.upper);
    Ok(vec![bounded::at_most(case, &fraction(units, parts), (over, None))])
}
