//! \[OR\] Table I.

use super::claims::{equals, has_choice};
use super::square::root;
use crate::registry::Kind;
use crate::routing::{Instance, Routing};
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, is_kind, planted, shape,
};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-table-1",
    usage: "or-table-1",
    options: &[],
    about: "OMRMN 1 and 1, OSRM2 sqrt(m/2), OSRM3 m/2, MLID and WSR m/2 and m-1 on FT(m,2) and FT(m,3)",
    reference: "[OR] Table I",
    examples: &["or-table-1"],
    build: Statement {
        hypothesis: "omrmn, osrm2 (m/2 a square), osrm3, mlid, wsr on FT(m,2) and FT(m,3)",
        whose: Whose::Paper,
        quote: r"OMRMN 1 1 OSRM2 $\sqrt{\frac{m}{2}}$ - OSRM3 - $\frac{m}{2}$ MLID $\frac{m}{2}$ m-1 WSR $\frac{m}{2}$ m-1",
        subject: ROWS,
        remark: None,
        planted: |scope| planted::over_first_ports(ROWS, "ft(4,3)", scope),
    },
};

const ROWS: Subject =
    Subject::Instances { applies, to: |routing| listed(routing).is_some(), check };

pub(super) const MOD_K: Kind<Statement> = Kind {
    name: "or-table-1-mod-k",
    usage: "or-table-1-mod-k",
    options: &[],
    about: "D-mod-k, which is the scheme of [9], and S-mod-k have the ratios of WSR in Table I: m/2 on FT(m,2), m-1 on FT(m,3)",
    reference: "[OR] Table I and VI, carried over",
    examples: &["or-table-1-mod-k"],
    build: Statement {
        hypothesis: "dmodk, smodk on FT(m,2) and FT(m,3)",
        whose: Whose::Ours,
        quote: r"WSR $\frac{m}{2}$ m-1 ... A recently proposed scheme [9] yields exactly the same routes as WSR.",
        subject: OF_MOD_K,
        remark: None,
        planted: |scope| planted::over_first_ports(OF_MOD_K, "ft(4,3)", scope),
    },
};

const OF_MOD_K: Subject = Subject::Instances { applies, to: is_mod_k, check: spread };

fn is_mod_k(routing: &dyn Routing) -> bool {
    is_kind(routing, "dmodk") || is_kind(routing, "smodk")
}

pub(super) const HIGHER: Kind<Statement> = Kind {
    name: "or-table-1-higher",
    usage: "or-table-1-higher",
    options: &[],
    about: "On FT(4,4) D-mod-k and S-mod-k have ratio 4, on FT(4,5) ratio 7",
    reference: "[OR] Table I, continued by us",
    examples: &["or-table-1-higher"],
    build: Statement {
        hypothesis: "dmodk, smodk on FT(4,4) and FT(4,5)",
        whose: Whose::Ours,
        quote: r"WSR $\frac{m}{2}$ m-1",
        subject: CONTINUED,
        remark: None,
        planted: |scope| planted::over_first_ports(CONTINUED, "ft(4,4)", scope),
    },
};

const CONTINUED: Subject = Subject::Instances {
    applies: |tree| matches!(shape::ft(tree), Some((4, 4 | 5))),
    to: is_mod_k,
    check: higher,
};

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2 | 3)))
}

/// The ratio for m and n.
type Formula = fn(u64, u32) -> u64;

/// The row of a routing: its ratio on FT(m,2) and FT(m,3); `None` for routings not listed.
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
    equals(instance, scope, ratio(m.into(), n), has_choice(m, n))
}

fn spread(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    equals(instance, scope, spread_ratio(m.into(), n), has_choice(m, n))
}

fn higher(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let levels = shape::ft(&instance.topology).map_or(0, |(_, n)| n);
    let claimed: u64 = if levels == 4 { 4 } else { 7 };
    equals(instance, scope, claimed, true)
}
