//! \[OR\] Lemma 4.

use itertools::Itertools;

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-4",
    usage: "or-lemma-4",
    options: &[],
    about: "Removing the pairs of k sources with |S_s| > L(A) and l destinations with |D_d| > L(A) leaves L(A) - k - l",
    reference: "[OR] Lemma 4",
    examples: &["or-lemma-4"],
    build: Statement {
        hypothesis: "a set A of SD pairs, any choice among its nodes with more than L(A) pairs",
        whose: Whose::Paper,
        quote: r"then $L(A - \bigcup_{i=1}^k S_{s_i}^A - \bigcup_{i=1}^l D_{d_i}^A) = L(A) - k - l$.",
        subject: Subject::Cases { check: |scope| without_some(scope, 1) },
        remark: None,
        // As if |S_s| = L(A) were enough.
        planted: |scope| without_some(scope, 0),
    },
};

/// The lemma for nodes with at least L(A) + `more` pairs.
fn without_some(scope: &Scope, more: usize) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "L(A - S_s1 - .. - D_dl) = L(A) - k - l", |set| {
        let largest = set.disjoint();
        // With more than L(A) pairs each: at most L(A) nodes, as all are in every König cover.
        let [sources, destinations] = set.busy(largest + more);
        if sources.is_empty() && destinations.is_empty() {
            return None;
        }
        let choices = sources
            .into_iter()
            .powerset()
            .cartesian_product(destinations.into_iter().powerset().collect_vec());
        Some(choices.into_iter().all(|(sources, destinations)| {
            let left = set.without(&sources, &destinations).disjoint();
            left + sources.len() + destinations.len() == largest
        }))
    })
}
