//! \[OR\] Theorem 1.

use super::claims::{equals, has_choice};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, is_kind, planted, shape,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-1",
    usage: "or-theorem-1",
    options: &[],
    about: "PERF(OMRMN) = 1 on every FT(m,n)",
    reference: "[OR] Theorem 1",
    examples: &["or-theorem-1"],
    build: Statement {
        hypothesis: "omrmn on FT(m,n); by covers of hosts, and on small trees by a linear program per link",
        whose: Whose::Paper,
        quote: "For any FT(m, n), PERF(OMRMN) = 1.",
        subject: EVERY_PATH,
        remark: None,
        planted: |scope| planted::over_first_ports(EVERY_PATH, "ft(4,2)", scope),
    },
};

const EVERY_PATH: Subject = Subject::Instances {
    applies: |tree| shape::ft(tree).is_some(),
    to: |routing| is_kind(routing, "omrmn"),
    check,
};

pub(super) const PER_HOP: Kind<Statement> = Kind {
    name: "or-theorem-1-per-hop",
    usage: "or-theorem-1-per-hop",
    options: &[],
    about: "PERF = 1 also when every switch divides traffic evenly among its next hops, on every FT(m,n)",
    reference: "[OR] Theorem 1, for ECMP",
    examples: &["or-theorem-1-per-hop"],
    build: Statement {
        hypothesis: "ecmp on FT(m,n)",
        whose: Whose::Ours,
        quote: "allocates exactly the same amount of traffic on each path",
        subject: EVERY_HOP,
        remark: None,
        planted: |scope| planted::over_first_ports(EVERY_HOP, "ft(4,2)", scope),
    },
};

const EVERY_HOP: Subject = Subject::Instances {
    applies: |tree| shape::ft(tree).is_some(),
    to: |routing| is_kind(routing, "ecmp"),
    check: ratio,
};

fn ratio(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    equals(instance, scope, 1, has_choice(m, n))
}

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = ratio(instance, scope)?;
    findings.extend(by_program(instance, scope)?);
    Ok(findings)
}

#[cfg(not(feature = "highs"))]
#[expect(clippy::unnecessary_wraps, reason = "the signature of the build with linear programs")]
fn by_program(_: &Instance, _: &Scope) -> Result<Option<Finding>, TheoremError> {
    Ok(None)
}

/// The same by a linear program per link (Azar et al., STOC 2003), which uses neither trees nor
/// baseload: what is already known about the links is discarded first.
#[cfg(feature = "highs")]
fn by_program(instance: &Instance, scope: &Scope) -> Result<Option<Finding>, TheoremError> {
    use crate::assessment::AssessmentError;
    use crate::certificate::{Certificate, Quantity};
    use crate::generators::checker;
    use crate::rational::Rational;
    use crate::theorem::{Basis, oblivious};
    use crate::{embed, lp, worst_case};

    let most = if scope.full { 16 } else { 8 };
    let choice = shape::ft(&instance.topology).is_some_and(|(m, n)| has_choice(m, n));
    if instance.topology.hosts() > most || !choice {
        return Ok(None);
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
        return Ok(Some(Finding::holds(case, claimed, found, false, Basis::of(&proof.bounds))));
    };
    let accepted = checker::check(&certificate).map_err(AssessmentError::from)?;
    let claim = accepted.into_iter().find(|claim| claim.quantity == ratio.name());
    let holds =
        claim.as_ref().is_some_and(|c| c.lower == Rational::ONE && c.upper == Rational::ONE);
    let found = claim.map_or_else(String::new, |c| format!("{} to {}", c.lower, c.upper));
    let finding = Finding::holds(case, claimed, found, holds, Basis::CERTIFIED);
    Ok(Some(finding.certified_by(Some(certificate))))
}
