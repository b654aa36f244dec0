//! \[OR\] Theorems 3 to 5 for all routings of a tree, by certificates: the best single-path routing.
//!
//! [`crate::synth`] refutes every ratio below the bound, by counting or by an unsatisfiable formula
//! whose proof the checker reads, for all single-path routings whose paths lead up, then down.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::synth::{Optimum, Options, least_ratio};
use crate::theorem::{
    Basis, Finding, Outcome, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, shape,
};
use crate::topology::Topology;

pub(super) const THEOREM_3: Kind<Statement> = Kind {
    name: "or-theorem-3-optimum",
    usage: "or-theorem-3-optimum",
    about: "The least PERF of any single path routing of FT(m,2) is ceil(sqrt(m/2))",
    reference: "[OR] Theorem 3, with the routing grid",
    examples: &["or-theorem-3-optimum"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,2)",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2))),
            check: |tree, scope| optimum(tree, scope, |half, _| shape::ceil_sqrt(half)),
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const THEOREM_4: Kind<Statement> = Kind {
    name: "or-theorem-4-optimum",
    usage: "or-theorem-4-optimum",
    about: "The least PERF of any single path routing of FT(m,3) is m/2",
    reference: "[OR] Theorems 4 and 7",
    examples: &["or-theorem-4-optimum"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,3)",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
            check: |tree, scope| optimum(tree, scope, |half, _| half),
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const THEOREM_5: Kind<Statement> = Kind {
    name: "or-theorem-5-all",
    usage: "or-theorem-5-all",
    about: "No single path routing whatever of FT(m,n) has PERF < (m/2)^floor((n-1)/3)",
    reference: "[OR] Theorem 5",
    examples: &["or-theorem-5-all"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,n), n >= 4",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((4.., 4..))),
            check: at_least,
        },
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "no single-path routing of FT(4,4) has ratio 2, its optimum is 3; counting excludes more on every FT(m,n) here",
            on: |_| true,
        }),
        ..Statement::UNREAD
    },
};

/// The search for one ratio: whether it is reached.
fn search(topology: &Topology, scope: &Scope, ratio: u64) -> Result<Optimum, TheoremError> {
    let options = Options { ratio: Some(ratio as u32), ..Options::default() };
    let found = least_ratio(topology, &options, scope.progress);
    scope.progress.check()?;
    Ok(found?)
}

fn case(topology: &Topology) -> String {
    format!("all single-path routings of {}", topology.spec())
}

fn optimum(
    topology: &Topology,
    scope: &Scope,
    claimed: fn(u64, u32) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let claimed = claimed(u64::from(m / 2), n);
    // Ratio 0 is asked for where the bound is 1: nothing needs a refutation then.
    let found = search(topology, scope, claimed.saturating_sub(1).max(1))?;
    let (bounds, basis) = (&found.bounds, Basis::of(&found.bounds));
    let value = Ratio::from(claimed);
    let wrong = bounds.lower > value || bounds.upper < value;
    let finding = if bounds.exact() == Some(&value) || wrong {
        Finding::holds(case(topology), format!("= {claimed}"), bounds.to_string(), !wrong, basis)
            .certified_by(found.certificate)
    } else {
        let text = bounds.to_string();
        let outcome = Outcome::Open(text.clone());
        Finding::new(case(topology), format!("= {claimed}"), text, outcome, basis)
    };
    Ok(vec![finding])
}

fn at_least(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let claimed = u64::from(m / 2).pow((n - 1) / 3);
    let found = search(topology, scope, claimed.saturating_sub(1).max(1))?;
    let (bounds, basis) = (&found.bounds, Basis::of(&found.bounds));
    let finding = Finding::at_least(case(topology), claimed, bounds.lower.clone(), basis.clone());
    // A lower bound below the claim would only say that the search knows less.
    let finding = match finding.outcome {
        Outcome::Fails(_) => {
            let (text, outcome) = (bounds.to_string(), Outcome::Open(bounds.to_string()));
            Finding::new(case(topology), format!(">= {claimed}"), text, outcome, basis)
        }
        _ => finding,
    };
    Ok(vec![finding])
}
