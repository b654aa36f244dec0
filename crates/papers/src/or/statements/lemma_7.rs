//! \[OR\] Lemma 7.

use super::claims::{InstanceCheck, at_least};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape, uses,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-7",
    usage: "or-lemma-7",
    options: &[],
    about: "If a link of EFT2(m,k) carries a set A of node disjoint SD pairs, |A| <= m/2, under a single path routing sr, then PERF(sr) >= |A|",
    reference: "[OR] Lemma 7",
    examples: &["or-lemma-7"],
    build: Statement {
        hypothesis: "any single-path routing on EFT2(m,k), a largest such set over all its links",
        whose: Whose::Paper,
        quote: r"there exists a link *l* that carries traffic for a set *A* of node disjoint SD pairs, $|A| \leq \frac{m}{2}$, Then, $PERF(sr) \geq |A|$.",
        subject: subject(|instance, scope| largest_set(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(|instance, scope| largest_set(instance, scope, 1)),
                "ft(4,2)",
                scope,
            )
        },
    },
};

const fn subject(check: InstanceCheck) -> Subject {
    Subject::Instances {
        applies: |tree| shape::eft2(tree).is_some(),
        to: |routing| routing.is_single_path(),
        check,
    }
}

/// The claim that PERF is at least |A| + `more` for a largest A.
fn largest_set(
    instance: &Instance,
    scope: &Scope,
    more: u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::eft2(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let largest = uses::most_disjoint(&uses::pairs_by_link(instance, scope)?);
    at_least(instance, scope, largest.min(u64::from(m / 2)) + more)
}
