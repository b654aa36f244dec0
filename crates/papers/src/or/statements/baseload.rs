//! \[OR\] III: baseload is a lower bound on the optimal load.

use crate::assessment::{AssessOptimum, OptimumError, OptimumMethod};
use crate::theorem::prelude::*;
use crate::theorem::sample;

const QUOTE: &str = "the minimum maximum link load with any routing scheme, single path or multi-path, is at least baseload(TM)";

pub(super) const KIND: Statement = Statement::new("or-baseload", "[OR] III")
    .about("OPTU(TM) >= baseload(TM) for every FT(m,n) and every TM")
    .hypothesis("FT(m,n) with at most 8 hosts (16 in a full run); traffic patterns and random matrices, OPTU by a linear program that does not use baseload")
    .quote(QUOTE)
    .networks(|tree| shape::ft(tree).is_some(), check)
    .planted(Planted::Network("ft(4,2)", |topology, scope| least_load(topology, scope, 2)));

pub(super) const SLIMMED: Statement = Statement::new(
    "or-baseload-slimmed",
    "[OR] III, for other trees",
)
.about(
    "OPTU(TM) >= baseload(TM) on every tree, including slimmed ones and hosts with several links",
)
.hypothesis("trees other than FT(m,n), as in or-baseload")
.ours()
.quote(QUOTE)
.networks(|tree| shape::ft(tree).is_none(), check)
.planted(Planted::Network("xgft(2;2,3;2,2)", |topology, scope| least_load(topology, scope, 2)));

/// Maximum number of hosts for linear programs.
fn most_hosts(scope: &Scope) -> usize {
    if scope.full { 16 } else { 8 }
}

fn check(topology: &Topology, scope: &Scope) -> Findings {
    if topology.hosts() > most_hosts(scope) {
        return Ok(Vec::new());
    }
    least_load(topology, scope, 1)
}

/// The claim that OPTU(TM) is at least `times` the baseload. The finding is on a matrix that fails
/// if there is one, else on one that attains the bound if there is one.
fn least_load(topology: &Topology, scope: &Scope, times: u64) -> Findings {
    let matrices = sample::matrices(scope, topology.hosts(), 4)?;
    let (trials, mut worst) = (matrices.len() as u64, None::<Finding>);
    for (name, demands) in matrices {
        scope.progress.check()?;
        let basis = Basis::sampled(trials, scope.seed);
        let finding = of_matrix(topology, scope, &name, &demands, times, basis)?;
        if finding.fails() {
            return Ok(vec![finding]);
        }
        if worst.as_ref().is_none_or(|worst| worst.outcome != Outcome::Holds) {
            worst = Some(finding);
        }
    }
    Ok(worst.into_iter().collect())
}

/// Whatever the linear program reports, its flow is a routing with max load `upper`, and its prices
/// prove that no routing is below `lower`; both are recomputed from these alone.
fn of_matrix(
    topology: &Topology,
    scope: &Scope,
    name: &str,
    demands: &[Demand],
    times: u64,
    basis: Basis,
) -> Result<Finding> {
    let assess = AssessOptimum::new().by(OptimumMethod::Lp).progress(scope.progress);
    let found = match assess.run(topology, demands) {
        Err(error @ OptimumError::NoLp(_)) => {
            let outcome = Outcome::Open(error.to_string());
            return Ok(Finding::new(topology.spec(), "OPTU >= baseload", "", outcome, basis));
        }
        found => found?,
    };
    let claimed = &found.baseload * &Rational::from(times);
    Ok(if found.optu.lower >= claimed || found.optu.upper < claimed {
        let least = found.optu.exact().unwrap_or(&found.optu.upper).clone();
        let finding = Finding::at_least(topology.spec(), claimed, least, basis);
        finding.certified_by(found.certificate.ok()).because(|| format!("traffic  {name}\n"))
    } else {
        let outcome = Outcome::Open(format!("{} for {name}", found.optu));
        Finding::new(topology.spec(), format!(">= {claimed}"), "", outcome, basis)
    })
}
