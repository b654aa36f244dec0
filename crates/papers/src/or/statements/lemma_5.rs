//! \[OR\] Lemma 5, proven in its appendix.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-5",
    usage: "or-lemma-5",
    options: &[],
    about: "A set A of SD pairs has |A| <= L(A) x LS(A)",
    reference: "[OR] Lemma 5",
    examples: &["or-lemma-5"],
    build: Statement {
        hypothesis: "any set of SD pairs",
        whose: Whose::Paper,
        quote: r"Let A be a set of SD pairs. $|A| \leq L(A) \times LS(A)$.",
        subject: Subject::Cases { check: |scope| sizes(scope, 0) },
        remark: None,
        planted: |scope| sizes(scope, 1),
    },
};

/// The claim that a nonempty set has |A| <= L(A)·(LS(A) − `fewer`).
fn sizes(scope: &Scope, fewer: usize) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "|A| <= L(A) x LS(A)", |set| {
        let most = set.most_of_a_node();
        (most > 0).then(|| set.len() <= set.disjoint() * (most - fewer))
    })
}
