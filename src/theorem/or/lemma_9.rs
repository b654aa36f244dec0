//! \[OR\] Lemma 9.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, oblivious, shape, uses};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-9",
    usage: "or-lemma-9",
    about: "If the SD pairs of each link of FT(m,n) are from at most X sources or towards at most X destinations, then PERF(r) <= X",
    reference: "[OR] Lemma 9",
    examples: &["or-lemma-9"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,n), with its least X",
        subject: Subject::Instances {
            applies: |tree| shape::ft(tree).is_some(),
            to: |routing| routing.is_single_path(),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let fewer = |pairs: Vec<_>| {
        let (sources, destinations) = uses::ends(&pairs);
        sources.min(destinations) as u64
    };
    let links = uses::pairs_by_link(instance, scope)?.into_iter();
    let x = links.map(fewer).max().unwrap_or(0);
    Ok(vec![oblivious::at_most(instance, scope, &x.into())?])
}
