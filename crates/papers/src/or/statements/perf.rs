//! \[OR\] II.A: what a performance ratio is.

use super::claims::InstanceCheck;
use crate::registry::Kind;
use crate::theorem::{Statement, Subject, Whose, oblivious, planted};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-perf",
    usage: "or-perf",
    options: &[],
    about: "PERF(r,TM) >= 1, so PERF(r) >= 1 for every routing",
    reference: "[OR] II.A",
    examples: &["or-perf"],
    build: Statement {
        hypothesis: "any routing on any tree, including slimmed trees",
        whose: Whose::Paper,
        quote: "PERF(r, TM) is at least 1. It is exactly 1 if and only if the routing is optimal for TM.",
        subject: subject(|instance, scope| {
            Ok(vec![oblivious::at_least(instance, scope, &1.into())?])
        }),
        remark: None,
        planted: |scope| {
            let false_bound: InstanceCheck =
                |instance, scope| Ok(vec![oblivious::at_least(instance, scope, &2.into())?]);
            planted::on(subject(false_bound), "ft(4,2)", scope)
        },
    },
};

const fn subject(check: InstanceCheck) -> Subject {
    Subject::Instances { applies: |_| true, to: |_| true, check }
}
