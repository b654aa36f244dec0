//! \[OR\] Lemma 5, proven in its appendix.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-5",
    usage: "or-lemma-5",
    about: "A set A of SD pairs has |A| <= L(A) x LS(A)",
    reference: "[OR] Lemma 5",
    examples: &["or-lemma-5"],
    build: Statement {
        hypothesis: "any set of SD pairs",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "|A| <= L(A) x LS(A)", |set| set.len() <= set.disjoint() * set.most_of_a_node())
}
