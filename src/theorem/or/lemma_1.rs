//! \[OR\] Lemma 1.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-1",
    usage: "or-lemma-1",
    about: "A set A of SD pairs has |SRC(A)| >= L(A) and |DST(A)| >= L(A)",
    reference: "[OR] Lemma 1",
    examples: &["or-lemma-1"],
    build: Statement {
        hypothesis: "any set of SD pairs",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "|SRC(A)| >= L(A) and |DST(A)| >= L(A)", |set| {
        let nodes = |counts: Vec<usize>| counts.into_iter().filter(|count| *count > 0).count();
        let fewer = nodes(set.by_source()).min(nodes(set.by_destination()));
        fewer >= set.disjoint()
    })
}
