//! \[OR\] Theorem 7, with the counts of V.B that it rests on.

use super::claims::equals;
use super::theorem_6::ends_of_links;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, is_kind, planted, shape,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-7",
    usage: "or-theorem-7",
    options: &[],
    about: "PERF(OSRM3) = m/2; each up link out of a SUBFT(m,2) carries m/2 sources, each down link into it m/2 destinations",
    reference: "[OR] Theorem 7, V.B",
    examples: &["or-theorem-7"],
    build: Statement {
        hypothesis: "osrm3 on FT(m,3)",
        whose: Whose::Paper,
        quote: r"each up link out of the sub-fat-tree SUBFT(m,2) carries traffic from $\frac{m}{2}$ sources and each down link to a SUBFT(m, 2) carries traffic to $\frac{m}{2}$ destinations ... Theorem 7: $PERF(OSRM3) = \frac{m}{2}$.",
        subject: SUBJECT,
        remark: None,
        planted: |scope| planted::over_first_ports(SUBJECT, "ft(4,3)", scope),
    },
};

const SUBJECT: Subject = Subject::Instances {
    applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
    to: |routing| is_kind(routing, "osrm3"),
    check,
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let half = u64::from(m / 2);
    let mut findings = equals(instance, scope, half, half > 1)?;
    findings.push(ends_of_links(instance, scope, 3, half)?);
    Ok(findings)
}
