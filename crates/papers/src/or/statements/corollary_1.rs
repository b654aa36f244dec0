//! \[OR\] Corollary 1.

use crate::assessment::{AssessOptimum, OptimumError, OptimumMethod};
use crate::certificate::Certificate;
use crate::theorem::prelude::*;
use crate::theorem::sample;

pub(super) const KIND: Statement = Statement::new("or-corollary-1", "[OR] Corollary 1")
    .about("OPTU(TM) = baseload(TM) for every FT(m,n) and every TM")
    .hypothesis("FT(m,n); all traffic by covers of hosts, patterns and random matrices by the closed form and by LP")
    .quote("For any FT(m,n) and any traffic matrix TM, OPTU(TM) = baseload(TM).")
    .networks(|tree| shape::ft(tree).is_some(), check)
    // All traffic over first ports, and matrices on a slimmed tree passed off as FT(4,2).
    .planted(Planted::Check(|scope| {
        let on_all = |check| Subject::Networks { applies: |_| true, check };
        let mut findings = planted::over_first_ports(on_all(check), "ft(4,2)", scope)?;
        findings.extend(planted::on(on_all(matrices), "xgft(2;2,4;1,1)", scope)?);
        Ok(findings)
    }));

/// Maximum number of hosts for linear programs.
fn most_hosts(scope: &Scope) -> usize {
    if scope.full { 32 } else { 16 }
}

fn check(topology: &Topology, scope: &Scope) -> Findings {
    if matches!(shape::ft(topology), Some((_, 1))) {
        return Ok(vec![Finding::vacuous(topology.spec(), "all links are those of hosts")]);
    }
    let mut findings = vec![all_traffic(topology, scope)?];
    findings.extend(matrices(topology, scope)?);
    Ok(findings)
}

fn matrices(topology: &Topology, scope: &Scope) -> Findings {
    let mut findings = Vec::new();
    findings.extend(sampled(topology, scope, OptimumMethod::ClosedForm, "closed form")?);
    if topology.hosts() <= most_hosts(scope) {
        findings.extend(sampled(topology, scope, OptimumMethod::Lp, "LP")?);
    }
    Ok(findings)
}

/// A certificate that under omrmn no link carries more than one host sends or receives, by covers
/// of hosts alone: MLOAD(OMRMN,TM) <= baseload(TM) for every TM.
fn all_traffic(topology: &Topology, scope: &Scope) -> Result<Finding> {
    let instance = scope.instance(topology.spec(), "omrmn")?;
    let assessment = scope.assess(&instance)?;
    let by_hosts = match &assessment.certificate {
        Ok(Certificate::WorstCase(certificate)) => {
            certificate.covers.iter().all(|cover| !cover.has_cuts() && cover.lengths.is_empty())
        }
        _ => false,
    };
    let bound = &assessment.oblivious_ratio;
    let holds = by_hosts && bound.upper == Rational::ONE;
    let (case, found) = (format!("all traffic on {}", topology.spec()), format!("{bound}"));
    let claimed = "MLOAD(OMRMN,TM) <= baseload(TM)";
    let finding = Finding::holds(case, claimed, found, holds, Basis::of(bound));
    Ok(finding.certified_by(assessment.certificate.ok()))
}

fn sampled(
    topology: &Topology,
    scope: &Scope,
    method: OptimumMethod,
    name: &str,
) -> Result<Option<Finding>> {
    let matrices = sample::matrices(scope, topology.hosts(), 4)?;
    let trials = matrices.len() as u64;
    let case = format!("{trials} traffic matrices on {} by {name}", topology.spec());
    let basis = Basis::sampled(trials, scope.seed);
    for (matrix, demands) in matrices {
        scope.progress.check()?;
        let assess = AssessOptimum::new().by(method).progress(scope.progress);
        let found = assess.run(topology, &demands);
        let found = match found {
            // The closed form alone then checks the statement.
            Err(OptimumError::NoLp(_)) => return Ok(None),
            found => found?,
        };
        let (baseload, optu) = (&found.baseload, &found.optu);
        if optu.exact() == Some(baseload) {
            continue;
        }
        let claimed = format!("OPTU = baseload = {baseload}");
        let (text, wrong) =
            (format!("{optu} for {matrix}"), optu.lower > *baseload || optu.upper < *baseload);
        return Ok(Some(if wrong {
            let finding = Finding::holds(case, claimed, text, false, basis);
            finding.certified_by(found.certificate.ok())
        } else {
            Finding::new(case, claimed, text.clone(), Outcome::Open(text), basis)
        }));
    }
    Ok(Some(Finding::holds(case, "OPTU = baseload", "holds for every matrix", true, basis)))
}
