//! \[OR\] Lemma 9.

use super::claims::InstanceCheck;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, oblivious, planted, shape, uses,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-9",
    usage: "or-lemma-9",
    options: &[],
    about: "If the SD pairs of each link of FT(m,n) are from at most X sources or towards at most X destinations, then PERF(r) <= X",
    reference: "[OR] Lemma 9",
    examples: &["or-lemma-9"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), with the least X for it",
        whose: Whose::Paper,
        quote: r"are either from at most X sources or towards at most X destinations, then $PERF(r) \leq X$.",
        subject: subject(|instance, scope| fewest_ends(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(|instance, scope| fewest_ends(instance, scope, 1)),
                "ft(4,2)",
                scope,
            )
        },
    },
};

const fn subject(check: InstanceCheck) -> Subject {
    Subject::Instances {
        applies: |tree| shape::ft(tree).is_some(),
        to: |routing| routing.is_single_path(),
        check,
    }
}

/// The claim that PERF is at most X − `fewer` for the least X.
fn fewest_ends(
    instance: &Instance,
    scope: &Scope,
    fewer: u64,
) -> Result<Vec<Finding>, TheoremError> {
    let x = uses::fewest_ends(&uses::pairs_by_link(instance, scope)?);
    Ok(vec![oblivious::at_most(instance, scope, &x.saturating_sub(fewer).into())?])
}
