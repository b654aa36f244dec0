//! \[OR\] Theorem 5, and the stronger bound that its own argument gives.

use super::claims::{InstanceCheck, at_least};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};
use crate::topology::Topology;

pub(super) const QUOTE: &str = r"Let r be a single path routing algorithm for FT(m,n), $PERF(r) \ge \left(\frac{m}{2}\right)^{\lfloor \frac{n-1}{3} \rfloor}$.";

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-5",
    usage: "or-theorem-5",
    options: &[],
    about: "Every single path routing of FT(m,n) has PERF >= (m/2)^floor((n-1)/3)",
    reference: "[OR] Theorem 5",
    examples: &["or-theorem-5"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), n >= 4 (the bound is 1 below)",
        whose: Whose::Paper,
        quote: QUOTE,
        subject: subject(is_high, |instance, scope| {
            bound(instance, scope, |half, n| half.pow((n - 1) / 3))
        }),
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "the argument of Theorem 4 with i = floor(2n/3) gives (m/2)^(floor(2n/3)/2), see or-theorem-5-stronger; no routing here attains either",
            on: |_| true,
        }),
        planted: |scope| {
            let high: InstanceCheck =
                |instance, scope| bound(instance, scope, |half, n| half.pow(n - 1));
            planted::on(subject(is_high, high), "ft(4,4)", scope)
        },
    },
};

pub(super) const STRONGER: Kind<Statement> = Kind {
    name: "or-theorem-5-stronger",
    usage: "or-theorem-5-stronger",
    options: &[],
    about: "Every single path routing of FT(m,n) has PERF >= (m/2)^(floor(2n/3)/2)",
    reference: "[OR] Theorem 5, with i = floor(2n/3) in its proof",
    examples: &["or-theorem-5-stronger"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), n >= 2",
        whose: Whose::Sharpened,
        quote: r"Consider the case when $i = \lfloor \frac{2(n-1)}{3} \rfloor$",
        subject: subject(is_stacked, |instance, scope| {
            bound(instance, scope, |half, n| shape::ceil_sqrt(half.pow(2 * n / 3)))
        }),
        remark: None,
        planted: |scope| {
            let more: InstanceCheck = |instance, scope| {
                bound(instance, scope, |half, n| shape::ceil_sqrt(half.pow(2 * n / 3)) + 1)
            };
            planted::on(subject(is_stacked, more), "ft(4,3)", scope)
        },
    },
};

const fn subject(applies: fn(&Topology) -> bool, check: InstanceCheck) -> Subject {
    Subject::Instances { applies, to: |routing| routing.is_single_path(), check }
}

fn is_high(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 4..)))
}

fn is_stacked(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2..)))
}

/// The claim that PERF is at least `bound`(m/2,n). PERF is an integer, so `bound` rounds up.
fn bound(
    instance: &Instance,
    scope: &Scope,
    bound: fn(u64, u32) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    at_least(instance, scope, bound(u64::from(m / 2), n))
}
