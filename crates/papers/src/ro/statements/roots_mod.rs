//! \[RO\] VII.D: the NCAs of S-mod-k and D-mod-k.

use super::roots::{FULL, SLIMMED, routes, spread};
use crate::registry::Kind;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, oblivious,
};

pub(super) const UNEVEN: Kind<Statement> = Kind {
    name: "ro-roots-mod",
    usage: "ro-roots-mod",
    options: &[],
    about: "S-mod-k and D-mod-k distribute the routes perfectly over the NCAs of XGFT(2;16,16;1,16), and \
            unevenly over those of XGFT(2;16,16;1,10)",
    reference: "[RO] VII.D, Fig. 4",
    examples: &["ro-roots-mod"],
    build: Statement {
        hypothesis: "the trees of Fig. 4",
        whose: Whose::Paper,
        quote: "we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k ... despite the uneven distribution of routes to NCAs",
        subject: Subject::Cases { check: |scope| uneven(scope, ["smodk", "dmodk"]) },
        remark: None,
        planted: |scope| uneven(scope, ["random(seed=1)", "random(seed=2)"]),
    },
};

pub(super) const NUMBERS: Kind<Statement> = Kind {
    name: "ro-roots-mod-numbers",
    usage: "ro-roots-mod-numbers",
    options: &[],
    about: "XGFT(2;16,16;1,10) has 9 roots; nodes with M1 in 10..15 are assigned to the first five, as \
            are those with M1 in 0..5",
    reference: "[RO] VII.D, on Fig. 4",
    examples: &["ro-roots-mod-numbers"],
    build: Statement {
        hypothesis: "S-mod-k and D-mod-k on the slimmed tree of Fig. 4",
        whose: Whose::Paper,
        quote: "9 roots. Routes for nodes with M1 = ... are assigned to the first five roots as well as those with M1",
        subject: Subject::Cases { check: |scope| numbers(scope, 9, 5) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "It has 10 roots, and M1 in 10..15 are six values that go to the first six roots",
            on: |_| true,
        }),
        planted: |scope| numbers(scope, 11, 6),
    },
};

pub(super) const CORRECTED: Kind<Statement> = Kind {
    name: "ro-roots-mod-corrected",
    usage: "ro-roots-mod-corrected",
    options: &[],
    about: "XGFT(2;16,16;1,10) has 10 roots; nodes with M1 in 10..15 are assigned to the first six, as \
            are those with M1 in 0..5",
    reference: "[RO] VII.D, on Fig. 4",
    examples: &["ro-roots-mod-corrected"],
    build: Statement {
        hypothesis: "S-mod-k and D-mod-k on the slimmed tree of Fig. 4",
        whose: Whose::Ours,
        quote: "are assigned to the first five roots as well as those with M1",
        subject: Subject::Cases { check: |scope| numbers(scope, 10, 6) },
        remark: None,
        planted: |scope| numbers(scope, 9, 6),
    },
};

fn uneven(scope: &Scope, routings: [&str; 2]) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (tree, even) in [(FULL, true), (SLIMMED, false)] {
        for routing in routings {
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

/// The number of roots, and of those with twice the routes of the others.
fn numbers(scope: &Scope, all: u64, twice: u64) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for routing in ["smodk", "dmodk"] {
        let instance = scope.instance(SLIMMED, routing)?;
        let (routes, case) = (routes(&instance), oblivious::case(&instance));
        let least = routes.iter().min().copied().unwrap_or(0);
        let double = routes.iter().filter(|count| **count == 2 * least).count() as u64;
        let roots = format!("roots, {case}");
        findings.push(Finding::equal(roots, all, routes.len() as u64, Basis::Exhaustive));
        let case = format!("roots with twice the routes, {case}");
        findings.push(Finding::equal(case, twice, double, Basis::Exhaustive));
    }
    Ok(findings)
}
