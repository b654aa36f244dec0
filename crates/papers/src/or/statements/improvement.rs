//! \[OR\] VI: how much the optimal schemes improve on the known ones in the worst case.

use super::claims::{NetworkCheck, ONE_PATH};
use super::square::root;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-improvement",
    usage: "or-improvement",
    options: &[],
    about: "OSRM2 improves the worst-case ratio over MLID and WSR on FT(m,2) by a factor of sqrt(m/2), OSRM3 on FT(m,3) by (m-1)/(m/2), about 2",
    reference: "[OR] VI, below Fig 15",
    examples: &["or-improvement"],
    build: Statement {
        hypothesis: "FT(m,2) with m/2 a square, FT(m,3)",
        whose: Whose::Paper,
        // The first factor is printed as m/sqrt(m) = sqrt(m/2): meant is m/2 over sqrt(m/2).
        quote: r"OSRM3 improves the worst-case performance ratio over MLID/WSR on FT(m, 3) by a factor of $\frac{m-1}{\frac{m}{2}} \approx 2$.",
        subject: subject(|topology, scope| factors(topology, scope, ["osrm2", "osrm3"])),
        remark: None,
        // S-mod-k passed off as the optimal schemes.
        planted: |scope| {
            let check: NetworkCheck =
                |topology, scope| factors(topology, scope, ["smodk", "smodk"]);
            planted::on(subject(check), "ft(4,3)", scope)
        },
    },
};

const fn subject(check: NetworkCheck) -> Subject {
    Subject::Networks { applies, check }
}

fn applies(topology: &Topology) -> bool {
    root(topology).is_some() || matches!(shape::ft(topology), Some((_, 3)))
}

/// PERF of MLID and of WSR, each divided by PERF of the best scheme for two or three levels.
fn factors(
    topology: &Topology,
    scope: &Scope,
    best: [&str; 2],
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n @ (2 | 3))) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let best = best[n as usize - 2];
    let half = u64::from(m / 2);
    let claimed = match n {
        2 => Some(Rational::from(half.isqrt())),
        _ => Rational::from(2 * half - 1).checked_div(&half.into()),
    };
    let claimed = claimed.unwrap_or(Rational::ONE);
    let mut findings = Vec::new();
    for known in ["mlid", "wsr"] {
        let case = format!("{known} over {best} on {}", topology.spec());
        if m == 2 {
            findings.push(Finding::vacuous(case, ONE_PATH));
            continue;
        }
        let [known, best] = [known, best].map(|routing| ratio(topology, scope, routing));
        let (known, best) = (known?, best?);
        findings.push(match known.zip(best).and_then(|(known, best)| known.checked_div(&best)) {
            Some(factor) => Finding::equal(case, claimed.clone(), factor, Basis::CERTIFIED),
            None => Finding::holds(case, format!("= {claimed}"), "a gap", false, Basis::CERTIFIED),
        });
    }
    Ok(findings)
}

/// The ratio of a routing; `None` where it is not proven.
fn ratio(
    topology: &Topology,
    scope: &Scope,
    routing: &str,
) -> Result<Option<Rational>, TheoremError> {
    let bounds = scope.assess(&scope.instance(topology.spec(), routing)?)?.oblivious_ratio;
    let proven = Basis::of(&bounds) == Basis::CERTIFIED;
    Ok(bounds.exact().filter(|_| proven).cloned())
}
