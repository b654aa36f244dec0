//! \[OR\] V.A: optimal single path routing of FT(m,2) for every m.

use super::claims::{InstanceCheck, equals};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Case, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, is_kind,
    planted, shape,
};
use crate::topology::Topology;

pub(super) const GROUPS: Kind<Statement> = Kind {
    name: "or-section-5a",
    usage: "or-section-5a",
    options: &[],
    about: "Grouping (OSRM2) attains the lower bound of Theorem 3 on FT(m,2)",
    reference: "[OR] I and Table I",
    examples: &["or-section-5a"],
    build: Statement {
        hypothesis: "osrm2 (the best group sizes) on FT(m,2), against ceil(sqrt(m/2))",
        whose: Whose::Paper,
        quote: r"We develop optimal single path oblivious routing schemes that achieve the oblivious performance ratio lower bounds for the cases when H = 3and H = 4 ... OSRM2 $\sqrt{\frac{m}{2}}$ -",
        subject: groups(|instance, scope| ratio(instance, scope, 0)),
        remark: Some(Remark {
            kind: RemarkKind::Imprecise,
            says: "the introduction and Table I state no condition; Theorem 6 does, sqrt(m/2) an integer, and so does the sentence before OSRM2. No groups attain the bound for m/2 = 3, 7, 8, 13, ..; covers by rectangles do, see or-grid",
            on: groups_miss,
        }),
        planted: |scope| {
            planted::on(groups(|instance, scope| ratio(instance, scope, 1)), "ft(8,2)", scope)
        },
    },
};

pub(super) const RECTANGLES: Kind<Statement> = Kind {
    name: "or-grid",
    usage: "or-grid",
    options: &[],
    about: "The lower bound of Theorem 3 is attained on every FT(m,2): rectangle covers have ratio ceil(sqrt(m/2))",
    reference: "[OR] Theorem 3, with the routing grid",
    examples: &["or-grid"],
    build: Statement {
        hypothesis: "grid on FT(m,2)",
        whose: Whose::Ours,
        quote: r"Let r be a single path routing algorithm for $FT(m, 2), m \ge 2, PERF(r) \ge \sqrt{\frac{m}{2}}$.",
        subject: COVERS,
        remark: None,
        planted: |scope| planted::over_first_ports(COVERS, "ft(8,2)", scope),
    },
};

const fn groups(check: InstanceCheck) -> Subject {
    Subject::Instances { applies, to: |routing| is_kind(routing, "osrm2"), check }
}

const COVERS: Subject = Subject::Instances {
    applies,
    to: |routing| is_kind(routing, "grid"),
    check: |instance, scope| ratio(instance, scope, 0),
};

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2)))
}

/// Z groups of sources by Z of destinations need Z² <= m/2 roots, so groups have at least
/// ceil((m/2)/floor(sqrt(m/2))) nodes.
fn groups_miss(case: &Case) -> bool {
    matches!(case.numbers[..], [half] if half.div_ceil(half.isqrt()) > shape::ceil_sqrt(half))
}

/// The claim that PERF is ⌈√(m/2)⌉ − `less`.
fn ratio(instance: &Instance, scope: &Scope, less: u64) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let half = u64::from(m / 2);
    let claimed = shape::ceil_sqrt(half) - less;
    let findings = equals(instance, scope, claimed, super::claims::has_choice(m, n))?;
    Ok(findings.into_iter().map(|finding| finding.numbered([half])).collect())
}
