//! \[OR\] Lemmas 3 and 3a.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-3",
    usage: "or-lemma-3",
    options: &[],
    about: "If |S_s| > L(A) then L(A - S_s) = L(A) - 1, and likewise for destinations (Lemma 3a)",
    reference: "[OR] Lemmas 3, 3a",
    examples: &["or-lemma-3"],
    build: Statement {
        hypothesis: "a set A of SD pairs, a source s with |S_s| > L(A) or a destination d with |D_d| > L(A)",
        whose: Whose::Paper,
        quote: r"If there is a source node s such that $|S_s^A| > L(A)$, then $L(A - S_s^A) = L(A) - 1$.",
        subject: Subject::Cases { check: |scope| without_one(scope, 1) },
        remark: None,
        // As if |S_s| = L(A) were enough.
        planted: |scope| without_one(scope, 0),
    },
};

/// The lemma for nodes with at least L(A) + `more` pairs.
fn without_one(scope: &Scope, more: usize) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "L(A - S_s) = L(A) - 1 = L(A - D_d)", |set| {
        let largest = set.disjoint();
        let [sources, destinations] = set.busy(largest + more);
        if sources.is_empty() && destinations.is_empty() {
            return None;
        }
        let less = |sources: &[usize], destinations: &[usize]| {
            set.without(sources, destinations).disjoint() + 1 == largest
        };
        let holds = sources.iter().all(|s| less(&[*s], &[]));
        Some(holds && destinations.iter().all(|d| less(&[], &[*d])))
    })
}
