//! \[OR\] VI: how much the optimal schemes improve on the known ones in the worst case.

use crate::theorem::prelude::*;
use crate::theorem::shape::root;

pub(super) const KIND: Statement = Statement::new("or-improvement", "[OR] VI, below Fig 15")
    .about("OSRM2 improves the worst-case ratio over MLID and WSR on FT(m,2) by a factor of sqrt(m/2), OSRM3 on FT(m,3) by (m-1)/(m/2), about 2")
    .hypothesis("FT(m,2) with m/2 a square, FT(m,3)")
    // The first factor is printed as m/sqrt(m) = sqrt(m/2): meant is m/2 over sqrt(m/2).
    .quote(r"OSRM3 improves the worst-case performance ratio over MLID/WSR on FT(m, 3) by a factor of $\frac{m-1}{\frac{m}{2}} \approx 2$.")
    .networks(applies, |topology, scope| factors(topology, scope, ["osrm2", "osrm3"]))
    // S-mod-k passed off as the optimal schemes.
    .planted(Planted::Network(
        "ft(4,3)",
        |topology, scope| factors(topology, scope, ["smodk", "smodk"]),
    ));

fn applies(topology: &Topology) -> bool {
    root(topology).is_some() || matches!(shape::ft(topology), Some((_, 3)))
}

/// PERF of MLID and of WSR, each divided by PERF of the best scheme for two or three levels.
fn factors(topology: &Topology, scope: &Scope, best: [&str; 2]) -> Findings {
    let (m, n) = fits(topology, |tree| shape::ft(tree).filter(|(_, n)| matches!(n, 2 | 3)))?;
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
fn ratio(topology: &Topology, scope: &Scope, routing: &str) -> Result<Option<Rational>> {
    let bounds = scope.assess(&scope.instance(topology.spec(), routing)?)?.oblivious_ratio;
    let proven = Basis::of(&bounds) == Basis::CERTIFIED;
    Ok(bounds.exact().filter(|_| proven).cloned())
}
