//! \[OR\] Theorem 5, and the stronger bound that its own argument gives.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, oblivious, shape,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-5",
    usage: "or-theorem-5",
    about: "Every single path routing of FT(m,n) has PERF >= (m/2)^floor((n-1)/3)",
    reference: "[OR] Theorem 5",
    examples: &["or-theorem-5"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), n >= 4",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((_, 4..))),
            to: |routing| routing.is_single_path(),
            check: printed,
        },
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "the argument of Theorem 4 with i = floor(2n/3) gives (m/2)^(floor(2n/3)/2), see or-theorem-5-stronger; no routing here attains either",
            on: |_| true,
        }),
        ..Statement::UNREAD
    },
};

pub(super) const STRONGER: Kind<Statement> = Kind {
    name: "or-theorem-5-stronger",
    usage: "or-theorem-5-stronger",
    about: "Every single path routing of FT(m,n) has PERF >= (m/2)^(floor(2n/3)/2)",
    reference: "[OR] Theorem 5, with i = floor(2n/3) in its proof",
    examples: &["or-theorem-5-stronger"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), n >= 2",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2..))),
            to: |routing| routing.is_single_path(),
            check: stronger,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(
    instance: &Instance,
    scope: &Scope,
    bound: fn(u64, u32) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let bound = bound(u64::from(m / 2), n);
    Ok(vec![oblivious::at_least(instance, scope, &bound.into())?])
}

fn printed(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    check(instance, scope, |half, n| half.pow((n - 1) / 3))
}

/// The ratio is an integer, so the bound is the next one.
fn stronger(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    check(instance, scope, |half, n| shape::ceil_sqrt(half.pow(2 * n / 3)))
}
