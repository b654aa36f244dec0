//! \[OR\] III: baseload is a lower bound of the optimal load.

use crate::assessment::{OptimumMethod, assess_optimum};
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Outcome, Scope, Statement, Subject, TheoremError, sample};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-baseload",
    usage: "or-baseload",
    about: "OPTU(TM) >= baseload(TM) for every TM",
    reference: "[OR] III",
    examples: &["or-baseload"],
    build: Statement {
        hypothesis: "any tree, slimmed trees too; traffic patterns and random matrices",
        subject: Subject::Networks { applies: |_| true, check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// The checker accepts the optimal load of every matrix; that there are no others that break the
/// claim rests on the sample.
fn check(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let matrices = sample::matrices(scope, topology.hosts(), 4)?;
    let (trials, mut worst) = (matrices.len() as u64, None::<Finding>);
    for (name, demands) in matrices {
        scope.progress.check()?;
        let found =
            assess_optimum(topology, &demands, OptimumMethod::Auto, 0.0, true, scope.progress)?;
        let basis = Basis::Sampled { trials, seed: scope.seed };
        let finding = Finding::at_least(topology.spec(), found.baseload, found.optu.lower, basis);
        if matches!(finding.outcome, Outcome::Fails(_)) {
            let finding = finding.certified_by(Some(found.certificate));
            return Ok(vec![finding.because(|| format!("traffic  {name}\n"))]);
        }
        if worst.as_ref().is_none_or(|worst| worst.outcome != Outcome::Holds) {
            worst = Some(finding);
        }
    }
    Ok(worst.into_iter().collect())
}
