//! \[RO\] VII.D: the NCAs of S-mod-k and D-mod-k.

use super::roots::{FULL, SLIMMED, routes, spread};
use crate::registry::Kind;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, oblivious,
};

pub(super) const UNEVEN: Kind<Statement> = Kind {
    name: "ro-roots-mod",
    usage: "ro-roots-mod",
    about: "S-mod-k and D-mod-k distribute the routes perfectly over the NCAs of XGFT(2;16,16;1,16), and \
            unevenly over those of XGFT(2;16,16;1,10)",
    reference: "[RO] VII.D, Fig. 4",
    examples: &["ro-roots-mod"],
    build: Statement {
        hypothesis: "the trees of Fig. 4",
        subject: Subject::Cases { check: uneven },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const NUMBERS: Kind<Statement> = Kind {
    name: "ro-roots-mod-numbers",
    usage: "ro-roots-mod-numbers",
    about: "XGFT(2;16,16;1,10) has 9 roots; nodes with M1 in 10..15 are assigned to the first five, as \
            are those with M1 in 0..5",
    reference: "[RO] VII.D, on Fig. 4",
    examples: &["ro-roots-mod-numbers"],
    build: Statement {
        hypothesis: "S-mod-k and D-mod-k on the slimmed tree of Fig. 4",
        subject: Subject::Cases { check: numbers },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "It has 10 roots, and M1 in 10..15 are six values that go to the first six roots",
            on: |_| true,
        }),
        ..Statement::UNREAD
    },
};

fn uneven(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (tree, even) in [(FULL, true), (SLIMMED, false)] {
        for routing in ["smodk", "dmodk"] {
            let instance = scope.instance(tree, routing)?;
            let routes = routes(&instance);
            let claimed = if even { "perfectly even" } else { "uneven" };
            let found = format!("{routes:?}");
            let holds = (spread(&routes) == 0) == even;
            let case = oblivious::case(&instance);
            findings.push(Finding::holds(case, claimed, found, holds, Basis::Exhaustive));
        }
    }
    Ok(findings)
}

fn numbers(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for routing in ["smodk", "dmodk"] {
        let instance = scope.instance(SLIMMED, routing)?;
        let (routes, case) = (routes(&instance), oblivious::case(&instance));
        let least = routes.iter().min().copied().unwrap_or(0);
        let double = routes.iter().filter(|count| **count == 2 * least).count() as u64;
        let roots = format!("roots, {case}");
        findings.push(Finding::equal(roots, 9, routes.len() as u64, Basis::Exhaustive));
        let twice = format!("roots with twice the routes, {case}");
        findings.push(Finding::equal(twice, 5, double, Basis::Exhaustive));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing::Instance;
    use crate::theorem::Outcome;

    #[test]
    fn a_random_routing_is_not_perfect() {
        let progress = Progress::silent();
        let random = |instance: Instance| {
            Instance::named(instance.topology.spec(), "random(seed=1)").unwrap()
        };
        let scope = Scope::new(16, &progress).with_instances(&random);
        let found = uneven(&scope).unwrap();
        assert!(matches!(found[0].outcome, Outcome::Fails(_)));
    }
}
