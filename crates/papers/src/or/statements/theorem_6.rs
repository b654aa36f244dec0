//! \[OR\] Theorem 6, with the counts of V.A that it rests on.

use super::claims::{ONE_PATH, equals};
use super::{figure_9, square::root};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, is_kind, oblivious, planted,
    uses,
};
use crate::topology::Direction;

const QUOTE: &str = r"When $\sqrt{\frac{m}{2}}$ is an integer, $PERF(OSRM2) = \sqrt{\frac{m}{2}}$.";

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-6",
    usage: "or-theorem-6",
    options: &[],
    about: "When sqrt(m/2) is an integer, PERF(OSRM2) = sqrt(m/2); each up link carries exactly sqrt(m/2) sources, each down link as many destinations",
    reference: "[OR] Theorem 6, V.A",
    examples: &["or-theorem-6"],
    build: Statement {
        hypothesis: "osrm2 on FT(m,2), m/2 a square",
        whose: Whose::Paper,
        quote: QUOTE,
        subject: SUBJECT,
        remark: None,
        planted: |scope| planted::over_first_ports(SUBJECT, "ft(8,2)", scope),
    },
};

pub(super) const WIDE: Kind<Statement> = Kind {
    name: "or-theorem-6-wide",
    usage: "or-theorem-6-wide",
    options: &[],
    about: "PERF(OSRM2) = sqrt(m/2) on FT(18,2) and FT(32,2) too, over the roots of Fig 9",
    reference: "[OR] Theorem 6, Fig 9",
    examples: &["or-theorem-6-wide"],
    build: Statement {
        hypothesis: "osrm2 on ft(18,2) and ft(32,2), in runs up to at least 64 hosts",
        whose: Whose::Paper,
        quote: QUOTE,
        subject: Subject::Cases { check: |scope| wide(scope, &["ft(18,2)", "ft(32,2)"], "osrm2") },
        remark: None,
        // D-mod-k passed off as OSRM2.
        planted: |scope| wide(&Scope::new(Scope::HOSTS, scope.progress), &["ft(18,2)"], "dmodk"),
    },
};

const SUBJECT: Subject = Subject::Instances {
    applies: |tree| root(tree).is_some(),
    to: |routing| is_kind(routing, "osrm2"),
    check,
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some(root) = root(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let mut findings = equals(instance, scope, root, root > 1)?;
    findings.push(ends_of_links(instance, scope, 2, root)?);
    Ok(findings)
}

/// Theorem 6 and Fig 9 on trees that are larger than those of the pool.
fn wide(scope: &Scope, trees: &[&str], routing: &str) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for tree in trees.iter().filter(|_| scope.hosts >= Scope::HOSTS) {
        let instance = scope.instance(tree, routing)?;
        findings.extend(check(&instance, scope)?);
        findings.push(figure_9::roots(&instance, scope, "roots of ")?);
    }
    Ok(findings)
}

/// Whether every up link of a level carries exactly `claimed` sources and every down link as many
/// destinations.
pub(super) fn ends_of_links(
    instance: &Instance,
    scope: &Scope,
    level: u8,
    claimed: u64,
) -> Result<Finding, TheoremError> {
    let case = format!("ends on links of {}", oblivious::case(instance));
    if claimed == 1 {
        return Ok(Finding::vacuous(case, ONE_PATH));
    }
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
    let claimed = format!("{claimed} sources up, {claimed} destinations down");
    Ok(Finding::holds(case, claimed, found, wrong.is_none(), Basis::Exhaustive))
}
