//! \[OR\] Lemma 1.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-1",
    usage: "or-lemma-1",
    options: &[],
    about: "A set A of SD pairs has |SRC(A)| >= L(A) and |DST(A)| >= L(A)",
    reference: "[OR] Lemma 1",
    examples: &["or-lemma-1"],
    build: Statement {
        hypothesis: "any set of SD pairs",
        whose: Whose::Paper,
        quote: r"Let A be a set of SD pairs, $|SRC(A)| \ge L(A)$ and $|DST(A)| \ge L(A)$.",
        subject: Subject::Cases { check: |scope| ends(scope, 0) },
        remark: None,
        planted: |scope| ends(scope, 1),
    },
};

/// The claim that SRC(A) and DST(A) have at least L(A) + `more` nodes.
fn ends(scope: &Scope, more: usize) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "|SRC(A)| >= L(A) and |DST(A)| >= L(A)", |set| {
        let nodes = |counts: Vec<usize>| counts.into_iter().filter(|count| *count > 0).count();
        let fewer = nodes(set.by_source()).min(nodes(set.by_destination()));
        Some(fewer >= set.disjoint() + more)
    })
}
