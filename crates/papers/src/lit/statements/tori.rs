//! \[TDB\], \[SDTG\], \[TD\]: the worst permutations of routings on the 8-ary 2-cube.
//!
//! Links carry 1 under uniform traffic there, so that the fraction of capacity in the worst case is 1 over the load of the
//! worst permutation. Where both ways round a ring are as long, dimension order goes one way.

use crate::bounds::{Bounds, Evidence};
use crate::load::LinkLoads;
use crate::theorem::bounded;
use crate::theorem::direct::permutation;
use crate::theorem::prelude::*;
use crate::traffic::generate as pattern;

pub(super) const DIMENSION_ORDER: Statement = Statement::new("lit-dor", "[TDB]")
    .about("On the 8-ary 2-cube, dimension order has 1/4 of capacity in the worst case")
    .hypothesis(EIGHT)
    .recalled()
    .cases(|scope| eight(scope, |scope| load(scope, 8, "dor", (4, 1))))
    // As if a ring of four were as long.
    .planted(Planted::Check(|scope| load(scope, 4, "dor", (4, 1))));

pub(super) const ROMM: Statement = Statement::new("lit-romm", "[TDB]")
    .about("On the 8-ary 2-cube, ROMM has 5/24 of capacity in the worst case")
    .hypothesis(EIGHT)
    .recalled()
    .cases(|scope| eight(scope, |scope| load(scope, 8, "romm", (24, 5))))
    .planted(Planted::Check(|scope| load(scope, 4, "romm", (24, 5))));

pub(super) const VALIANT: Statement = Statement::new("lit-valiant", "[TDB]")
    .about("On the 8-ary 2-cube, Valiant's routing has 1/2 of capacity in the worst case")
    .hypothesis(EIGHT)
    .recalled()
    .cases(|scope| eight(scope, |scope| load(scope, 8, "valiant", (2, 1))))
    .planted(Planted::Check(|scope| load(scope, 4, "valiant", (2, 1))));

pub(super) const IVAL: Statement = Statement::new("lit-ival", "[TDB]")
    .about("On the 8-ary 2-cube, IVAL has 1/2 of capacity in the worst case")
    .hypothesis(EIGHT)
    .recalled()
    .cases(|scope| eight(scope, |scope| load(scope, 8, "ival", (2, 1))))
    .planted(Planted::Check(|scope| load(scope, 4, "ival", (2, 1))));

pub(super) const BALANCE: Statement = Statement::new("lit-balance", "[SDTG] abstract")
    .about("On worst-case traffic RLB has 25 % more bandwidth than dimension order and 50 % more than ROMM, so that dimension order has 6/5 times that of ROMM")
    .hypothesis("dor and romm on torus(8,2), whose size the abstract does not name")
    .quote("25% more bandwidth than Dimension Order Routing) and minimal oblivious algorithms (50% more bandwidth than 2 phase ROMM")
    .cases(|scope| eight(scope, |scope| balance(scope, 8)))
    .planted(Planted::Check(|scope| balance(scope, 4)));

pub(super) const OVERESTIMATED: Statement = Statement::new("lit-overestimated", "[TD] abstract")
    .about("Usual patterns overestimate the worst-case throughput of a routing by 47 % or more")
    .hypothesis("ROMM on torus(8,2); the abstract names neither the routing nor the patterns: shifts, complement, bit reversal, shuffle, tornado")
    .quote("we demonstrate an example case where traditional characterization techniques overestimate the throughput of a particular routing algorithm by 47%")
    .cases(|scope| eight(scope, |scope| overestimated(scope, 8)))
    .remark(RemarkKind::CanBeSharpened, |_| true, "by 60 %, unless one knows other patterns")
    .planted(Planted::Check(|scope| overestimated(scope, 4)));

const EIGHT: &str = "torus(8,2): 64 hosts";

/// What a check finds where the size of the run allows for it.
fn eight(scope: &Scope, check: fn(&Scope) -> Findings) -> Findings {
    if scope.hosts < 64 { Ok(Vec::new()) } else { check(scope) }
}

/// The claim about the worst permutation load of a routing on the k-ary 2-cube.
fn load(scope: &Scope, k: u64, routing: &str, (units, parts): (u64, u64)) -> Findings {
    let spec = format!("torus({k},2)");
    let known = permutation(&generate(&spec)?, routing, scope.progress)?;
    scope.progress.inc(1);
    Ok(vec![bounded::equals(format!("{routing} on {spec}"), &fraction(units, parts), known)])
}

/// The claim that ROMM's worst permutation load is 6/5 of that of dimension order.
fn balance(scope: &Scope, k: u64) -> Findings {
    let torus = generate(&format!("torus({k},2)"))?;
    let load = |routing| -> Result<Bounds, TheoremError> {
        Ok(permutation(&torus, routing, scope.progress)?.0)
    };
    let (romm, order) = (load("romm")?, load("dor")?);
    let hypothesis = || TheoremError::Hypothesis(torus.spec().to_string());
    let over = bounded::quotient(&romm, &order).ok_or_else(hypothesis)?;
    let case = format!("load of romm over that of dor on {}", torus.spec());
    Ok(vec![bounded::equals(case, &fraction(6, 5), (over, None))])
}

/// The claim that no usual pattern has more than 100/147 of ROMM's worst permutation load.
fn overestimated(scope: &Scope, k: u64) -> Findings {
    let torus = generate(&format!("torus({k},2)"))?;
    let (worst, certificate) = permutation(&torus, "romm", scope.progress)?;
    let routing =
        crate::routing::build("romm", &torus).map_err(crate::routing::InstanceError::from)?;
    let mut most = Rational::ZERO;
    let along = format!("shift({})", k / 2 - 1);
    for name in [along.as_str(), "complement", "bitrev", "shuffle", "tornado"] {
        let traffic = pattern(name, torus.hosts())?;
        let loads = LinkLoads::of(&torus, routing.as_ref(), traffic.demands(), scope.progress)?;
        most = most.max(loads.max_load());
    }
    scope.progress.inc(1);
    let usual = Bounds { lower: most.clone(), upper: most, evidence: Evidence::Proven };
    let hypothesis = || TheoremError::Hypothesis(torus.spec().to_string());
    let over = bounded::quotient(&worst, &usual).ok_or_else(hypothesis)?;
    let case = format!("worst load of romm on {} over that of usual patterns", torus.spec());
    Ok(vec![bounded::at_least(case, &fraction(147, 100), (over, certificate))])
}
