//! \[OR\] Lemma 4.

use itertools::Itertools;

use super::sets::examine;
use crate::registry::Kind;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-4",
    usage: "or-lemma-4",
    about: "Taking out the pairs of k sources with |S_s| > L(A) and l destinations with |D_d| > L(A) leaves L(A) - k - l",
    reference: "[OR] Lemma 4",
    examples: &["or-lemma-4"],
    build: Statement {
        hypothesis: "a set A of SD pairs, any choice among its nodes with more than L(A) pairs",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    examine(scope, "L(A - S_s1 - .. - D_dl) = L(A) - k - l", |set| {
        let largest = set.disjoint();
        let busy = |counts: Vec<usize>| -> Vec<usize> {
            (0..).zip(counts).filter(|(_, count)| *count > largest).map(|(node, _)| node).collect()
        };
        // There are at most L(A) such nodes: their pairs are all in every largest subset's cover.
        let (sources, destinations) = (busy(set.by_source()), busy(set.by_destination()));
        let choices = sources
            .into_iter()
            .powerset()
            .cartesian_product(destinations.into_iter().powerset().collect_vec());
        choices.into_iter().all(|(sources, destinations)| {
            let left = set.without(&sources, &destinations).disjoint();
            left + sources.len() + destinations.len() == largest
        })
    })
}
