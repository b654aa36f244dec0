//! \[OR\] Theorem 6, with the counts of V.A on which it rests.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape, uses,
};
use crate::topology::{Direction, Topology};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-6",
    usage: "or-theorem-6",
    about: "When sqrt(m/2) is an integer, PERF(OSRM2) = sqrt(m/2); each up link carries exactly sqrt(m/2) sources, each down link so many destinations",
    reference: "[OR] Theorem 6, V.A",
    examples: &["or-theorem-6"],
    build: Statement {
        hypothesis: "osrm2 on FT(m,2), m/2 a square",
        subject: Subject::Instances {
            applies: |tree| root(tree).is_some(),
            to: |routing| is_kind(routing, "osrm2"),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// √(m/2) of FT(m,2), when that is an integer.
pub(super) fn root(topology: &Topology) -> Option<u64> {
    let (m, n) = shape::ft(topology)?;
    let root = u64::from(m / 2).isqrt();
    (n == 2 && root * root == u64::from(m / 2)).then_some(root)
}

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some(root) = root(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let ratio = oblivious::equals(instance, scope, &root.into())?;
    Ok(vec![ratio, ends_of_links(instance, scope, 2, root)?])
}

/// Whether every up link of a level carries exactly `claimed` sources and every down link so
/// many destinations.
pub(super) fn ends_of_links(
    instance: &Instance,
    scope: &Scope,
    level: u8,
    claimed: u64,
) -> Result<Finding, TheoremError> {
    let pairs = uses::pairs_by_link(instance, scope)?;
    let wrong = instance.topology.graph().edge_weights().zip(&pairs).find_map(|(link, pairs)| {
        let (sources, destinations) = uses::ends(pairs);
        let count = if link.direction == Direction::Up { sources } else { destinations };
        (link.level == level && count as u64 != claimed).then_some((link.direction, count))
    });
    let found = wrong.map_or_else(
        || "so on every link".to_string(),
        |(direction, count)| format!("{count} on a link {direction}"),
    );
    let case = format!("ends on links of {}", oblivious::case(instance));
    let claimed = format!("{claimed} sources up, {claimed} destinations down");
    Ok(Finding::holds(case, claimed, found, wrong.is_none(), Basis::Exhaustive))
}
