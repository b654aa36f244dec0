//! \[NB\] Definition 1 and Property 1.

use itertools::Itertools;

use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, uses};
use crate::topology::Host;
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-property-1",
    usage: "nb-property-1",
    about: "Two SD pairs of a permutation have s1 != s2 and d1 != d2",
    reference: "[NB] Definition 1, Property 1",
    examples: &["nb-property-1"],
    build: Statement {
        hypothesis: "all sets of SD pairs among up to 4 hosts",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// A set is taken for a permutation exactly when its pairs have the property.
fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for hosts in 2..=4_usize {
        scope.progress.check()?;
        let pairs: Vec<(Host, Host)> = uses::all_pairs(hosts).collect();
        let set = |bits: u64| -> Vec<(Host, Host)> {
            let chosen = (0..pairs.len()).filter(|at| bits >> at & 1 == 1);
            chosen.map(|at| pairs[at]).collect()
        };
        let disjoint = |set: &[(Host, Host)]| {
            set.iter().array_combinations().all(|[a, b]| a.0 != b.0 && a.1 != b.1)
        };
        let sets = 1_u64 << pairs.len();
        let is_wrong = |set: &Vec<(Host, Host)>| {
            Permutation::new(hosts, set.iter().copied()).is_ok() != disjoint(set)
        };
        let wrong = (0..sets).map(set).find(is_wrong);
        let found =
            wrong.as_ref().map_or_else(|| "so for every set".to_string(), |set| format!("{set:?}"));
        let case = format!("all {sets} sets among {hosts} hosts");
        let claimed = "a permutation iff sources and destinations are distinct";
        findings.push(Finding::holds(case, claimed, found, wrong.is_none(), Basis::Exhaustive));
    }
    Ok(findings)
}
