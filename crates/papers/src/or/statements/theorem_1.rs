//! \[OR\] Theorem 1.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("or-theorem-1", "[OR] Theorem 1")
    .about("PERF(OMRMN) = 1 on every FT(m,n)")
    .hypothesis(
        "omrmn on FT(m,n); by covers of hosts, and on small trees by a linear program per link",
    )
    .quote("For any FT(m, n), PERF(OMRMN) = 1.")
    .bounds(
        Side::Equals,
        |tree| shape::ft(tree).is_some(),
        |tree, routing| shape::ft(tree).filter(|_| is_kind(routing, "omrmn")).map(|_| 1),
    )
    .besides(by_program)
    .planted(Planted::FirstPorts("ft(4,2)"));

pub(super) const PER_HOP: Statement = Statement::new(
    "or-theorem-1-per-hop",
    "[OR] Theorem 1, for ECMP",
)
.about(
    "PERF = 1 also when every switch divides traffic evenly among its next hops, on every FT(m,n)",
)
.hypothesis("ecmp on FT(m,n)")
.ours()
.quote("allocates exactly the same amount of traffic on each path")
.bounds(
    Side::Equals,
    |tree| shape::ft(tree).is_some(),
    |tree, routing| shape::ft(tree).filter(|_| is_kind(routing, "ecmp")).map(|_| 1),
)
.planted(Planted::FirstPorts("ft(4,2)"));

#[cfg(not(feature = "highs"))]
#[expect(clippy::unnecessary_wraps, reason = "the signature of the build with linear programs")]
fn by_program(_: &Instance, _: &Scope) -> Findings {
    Ok(Vec::new())
}

/// Theorem 1 by a linear program per link (Azar et al., STOC 2003), which uses neither trees nor
/// baseload: what is already known about the links is discarded first.
#[cfg(feature = "highs")]
fn by_program(instance: &Instance, scope: &Scope) -> Findings {
    use crate::assessment::AssessmentError;
    use crate::certificate::{Certificate, Quantity};
    use crate::generators::checker;
    use crate::{embed, lp, worst_case};

    let most = if scope.full { 16 } else { 8 };
    if instance.topology.hosts() > most || !shape::has_choice(&instance.topology) {
        return Ok(Vec::new());
    }
    let ratio = Quantity::ObliviousRatio;
    let worst = worst_case::Analyse::of(ratio).progress(scope.progress).run(instance);
    let mut worst = worst.map_err(AssessmentError::from)?;
    let mut proof = worst_case::prove(instance, &worst);
    for bound in worst.links.iter_mut().flatten() {
        bound.load = &bound.load * &Rational::from(2);
    }
    proof.bounds.lower = Rational::ZERO;
    let (proof, _) = lp::worst_demand::refine(instance, &mut worst, &proof, scope.progress)?;
    scope.progress.check()?;
    let network = embed::network(&instance.topology);
    let routing = embed::routing(instance, scope.progress).map_err(AssessmentError::from)?;
    let certificate = proof.certificate(network, routing).map(Certificate::WorstCase);
    let case = format!("{} by LP", oblivious::case(instance));
    let claimed = "= 1";
    let Some(certificate) = certificate else {
        let found = proof.bounds.to_string();
        return Ok(vec![Finding::holds(case, claimed, found, false, Basis::of(&proof.bounds))]);
    };
    let accepted = checker::check(&certificate).map_err(AssessmentError::from)?;
    let claim = accepted.into_iter().find(|claim| claim.quantity == ratio.name());
    let holds =
        claim.as_ref().is_some_and(|c| c.lower == Rational::ONE && c.upper == Rational::ONE);
    let found = claim.map_or_else(String::new, |c| format!("{} to {}", c.lower, c.upper));
    let finding = Finding::holds(case, claimed, found, holds, Basis::CERTIFIED);
    Ok(vec![finding.certified_by(Some(certificate))])
}
