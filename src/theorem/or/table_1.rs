//! \[OR\] Table I.

use crate::registry::Kind;
use crate::routing::{Instance, Routing};
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape};
use crate::topology::Topology;

use super::theorem_6::root;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-table-1",
    usage: "or-table-1",
    about: "OMRMN 1 and 1, OSRM2 sqrt(m/2), OSRM3 m/2, MLID and WSR m/2 and m-1 on FT(m,2) and FT(m,3)",
    reference: "[OR] Table I",
    examples: &["or-table-1"],
    build: Statement {
        hypothesis: "omrmn, osrm2 (m/2 a square), osrm3, mlid, wsr on FT(m,2) and FT(m,3)",
        subject: Subject::Instances { applies, to: |routing| listed(routing).is_some(), check },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const MOD_K: Kind<Statement> = Kind {
    name: "or-table-1-mod-k",
    usage: "or-table-1-mod-k",
    about: "D-mod-k and S-mod-k have the ratios of WSR in Table I: m/2 on FT(m,2), m-1 on FT(m,3)",
    reference: "[OR] Table I and VI, [9]",
    examples: &["or-table-1-mod-k"],
    build: Statement {
        hypothesis: "dmodk, smodk on FT(m,2) and FT(m,3)",
        subject: Subject::Instances {
            applies,
            to: |routing| is_kind(routing, "dmodk") || is_kind(routing, "smodk"),
            check: spread,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const HIGHER: Kind<Statement> = Kind {
    name: "or-table-1-higher",
    usage: "or-table-1-higher",
    about: "On FT(4,4) D-mod-k and S-mod-k have ratio 4, on FT(4,5) ratio 7",
    reference: "[OR] Table I, continued",
    examples: &["or-table-1-higher"],
    build: Statement {
        hypothesis: "dmodk, smodk on FT(4,4) and FT(4,5)",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((4, 4 | 5))),
            to: |routing| is_kind(routing, "dmodk") || is_kind(routing, "smodk"),
            check: higher,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2 | 3)))
}

/// The ratio for m and n.
type Formula = fn(u64, u32) -> u64;

/// The row of a routing: its ratio on FT(m,2) and FT(m,3), where there is one.
fn listed(routing: &dyn Routing) -> Option<Formula> {
    let rows: [(&str, Formula); 5] = [
        ("omrmn", |_, _| 1),
        ("osrm2", |m, _| (m / 2).isqrt()),
        ("osrm3", |m, _| m / 2),
        ("mlid", spread_ratio),
        ("wsr", spread_ratio),
    ];
    rows.into_iter().find(|(name, _)| is_kind(routing, name)).map(|(_, ratio)| ratio)
}

fn spread_ratio(m: u64, n: u32) -> u64 {
    if n == 2 { m / 2 } else { m - 1 }
}

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let hypothesis = || TheoremError::Hypothesis(instance.topology.spec().to_string());
    let (m, n) = shape::ft(&instance.topology).ok_or_else(hypothesis)?;
    let ratio = listed(&*instance.routing).ok_or_else(hypothesis)?;
    if is_kind(&*instance.routing, "osrm2") && root(&instance.topology).is_none() {
        return Ok(Vec::new());
    }
    Ok(vec![oblivious::equals(instance, scope, &ratio(m.into(), n).into())?])
}

fn spread(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    Ok(vec![oblivious::equals(instance, scope, &spread_ratio(m.into(), n).into())?])
}

fn higher(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let levels = shape::ft(&instance.topology).map_or(0, |(_, n)| n);
    let claimed: u64 = if levels == 4 { 4 } else { 7 };
    Ok(vec![oblivious::equals(instance, scope, &claimed.into())?])
}
