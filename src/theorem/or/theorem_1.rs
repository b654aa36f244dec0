//! \[OR\] Theorem 1.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-1",
    usage: "or-theorem-1",
    about: "PERF(OMRMN) = 1 on every FT(m,n)",
    reference: "[OR] Theorem 1",
    examples: &["or-theorem-1"],
    build: Statement {
        hypothesis: "omrmn on FT(m,n); by covers of hosts, and on small trees by a linear programme per link",
        subject: Subject::Instances {
            applies: |tree| shape::ft(tree).is_some(),
            to: |routing| is_kind(routing, "omrmn"),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const PER_HOP: Kind<Statement> = Kind {
    name: "or-theorem-1-per-hop",
    usage: "or-theorem-1-per-hop",
    about: "PERF = 1 also when every switch divides traffic evenly among its next hops, on every FT(m,n)",
    reference: "[OR] Theorem 1, for ECMP",
    examples: &["or-theorem-1-per-hop"],
    build: Statement {
        hypothesis: "ecmp on FT(m,n)",
        subject: Subject::Instances {
            applies: |tree| shape::ft(tree).is_some(),
            to: |routing| is_kind(routing, "ecmp"),
            check: |instance, scope| Ok(vec![oblivious::equals(instance, scope, &Ratio::ONE)?]),
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = vec![oblivious::equals(instance, scope, &Ratio::ONE)?];
    findings.extend(by_programme(instance, scope)?);
    Ok(findings)
}

#[cfg(not(feature = "highs"))]
#[expect(clippy::unnecessary_wraps, reason = "the signature of the build with linear programmes")]
fn by_programme(_: &Instance, _: &Scope) -> Result<Option<Finding>, TheoremError> {
    Ok(None)
}

/// The same by a linear programme per link (Azar et al., STOC 2003), which knows nothing of trees
/// and baseload: what is known of the links is forgotten before.
#[cfg(feature = "highs")]
fn by_programme(instance: &Instance, scope: &Scope) -> Result<Option<Finding>, TheoremError> {
    use crate::assessment::AssessmentError;
    use crate::certificate::{Certificate, NetworkForm, Quantity, RoutingForm};
    use crate::theorem::Basis;
    use crate::{checker, lp, worst_case};

    let most = if scope.full { 16 } else { 8 };
    if instance.topology.hosts() > most {
        return Ok(None);
    }
    let ratio = Quantity::ObliviousRatio;
    let worst = worst_case::analyse(instance, ratio, scope.progress);
    let mut worst = worst.map_err(AssessmentError::from)?;
    let mut proof = worst_case::prove(&instance.topology, &worst);
    for bound in worst.links.iter_mut().flatten() {
        bound.load = &bound.load * &Ratio::from(2);
    }
    proof.bounds.lower = Ratio::ZERO;
    let (proof, _) = lp::worst_demand::refine(instance, &mut worst, &proof, scope.progress)?;
    scope.progress.check()?;
    let network = NetworkForm::embed(&instance.topology);
    let routing = RoutingForm::embed(instance, scope.progress).map_err(AssessmentError::from)?;
    let certificate = proof.certificate(network, routing).map(Certificate::WorstCase);
    let case = format!("{} by LP", oblivious::case(instance));
    let claimed = "= 1";
    let Some(certificate) = certificate else {
        let found = proof.bounds.to_string();
        return Ok(Some(Finding::holds(case, claimed, found, false, Basis::of(&proof.bounds))));
    };
    let accepted = checker::check(&certificate).map_err(AssessmentError::from)?;
    let claim = accepted.into_iter().find(|claim| claim.quantity == ratio.name());
    let holds = claim.as_ref().is_some_and(|c| c.lower == Ratio::ONE && c.upper == Ratio::ONE);
    let found = claim.map_or_else(String::new, |c| format!("{} to {}", c.lower, c.upper));
    let finding = Finding::holds(case, claimed, found, holds, Basis::Certified);
    Ok(Some(finding.certified_by(Some(certificate))))
}
