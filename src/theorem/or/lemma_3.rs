//! \[OR\] Lemmas 3 and 3a.

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-3",
    usage: "or-lemma-3",
    about: "If |S_s| > L(A) then L(A - S_s) = L(A) - 1, and the same of destinations (Lemma 3a)",
    reference: "[OR] Lemmas 3, 3a",
    examples: &["or-lemma-3"],
    build: Statement {
        hypothesis: "a set A of SD pairs, a source s with |S_s| > L(A) or a destination d with |D_d| > L(A)",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "L(A - S_s) = L(A) - 1 = L(A - D_d)", |set| {
        let largest = set.disjoint();
        let busy =
            |counts: Vec<usize>| (0..).zip(counts).filter(move |(_, count)| *count > largest);
        let less = |sources: &[usize], destinations: &[usize]| {
            set.without(sources, destinations).disjoint() + 1 == largest
        };
        busy(set.by_source()).all(|(s, _)| less(&[s], &[]))
            && busy(set.by_destination()).all(|(d, _)| less(&[], &[d]))
    })
}
