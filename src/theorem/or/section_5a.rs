//! \[OR\] V.A: optimal single path routing of FT(m,2) for every m.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape,
};
use crate::topology::Topology;

pub(super) const GROUPS: Kind<Statement> = Kind {
    name: "or-section-5a",
    usage: "or-section-5a",
    about: "Grouping (OSRM2) attains the lower bound of Theorem 3 on FT(m,2) also when sqrt(m/2) is no integer",
    reference: "[OR] V.A, Fig 9",
    examples: &["or-section-5a"],
    build: Statement {
        hypothesis: "osrm2 on FT(m,2), against ceil(sqrt(m/2))",
        subject: Subject::Instances { applies, to: |routing| is_kind(routing, "osrm2"), check },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "no groups do for m/2 = 3, 7, 8, 13, ..; covers by rectangles do, see or-grid",
            on: groups_miss,
        }),
        ..Statement::UNREAD
    },
};

pub(super) const RECTANGLES: Kind<Statement> = Kind {
    name: "or-grid",
    usage: "or-grid",
    about: "The lower bound of Theorem 3 is attained on every FT(m,2): rectangle covers have ratio ceil(sqrt(m/2))",
    reference: "[OR] Theorem 3, with the routing grid",
    examples: &["or-grid"],
    build: Statement {
        hypothesis: "grid on FT(m,2)",
        subject: Subject::Instances { applies, to: |routing| is_kind(routing, "grid"), check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2)))
}

/// Z groups of sources by Z of destinations need Z² <= m/2 roots, so groups of
/// ceil((m/2)/floor(sqrt(m/2))) nodes at least.
fn groups_miss(case: &str) -> bool {
    let m = case.rsplit_once("ft(").and_then(|(_, rest)| rest.strip_suffix(",2)")?.parse().ok());
    m.is_some_and(|m: u64| (m / 2).div_ceil((m / 2).isqrt()) > shape::ceil_sqrt(m / 2))
}

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let bound = shape::ceil_sqrt(u64::from(m / 2));
    Ok(vec![oblivious::equals(instance, scope, &bound.into())?])
}
