//! \[RO\] VII.A: the exchanges of WRF-256.

use super::inverse_patterns::most;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, oblivious};
use crate::traffic;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "ro-wrf",
    usage: "ro-wrf",
    about: "S-mod-k and D-mod-k give every two flows of WRF-256 without common endpoint different NCAs \
            on the 16-ary 2-tree, and equal contention on slimmed ones; random routing adds contention",
    reference: "[RO] VII.A, Fig. 2(a)",
    examples: &["ro-wrf"],
    build: Statement {
        hypothesis: "XGFT(2;16,16;1,w2)",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let pattern = traffic::generate("wrf(256)", 256)?;
    let contention = |tops: u64, routing: &str| {
        let instance = scope.instance(&format!("xgft(2;16,16;1,{tops})"), routing)?;
        let most = most(&instance, pattern.demands(), scope)?;
        Ok::<_, TheoremError>((oblivious::case(&instance), most))
    };
    let mut findings = Vec::new();
    for routing in ["smodk", "dmodk"] {
        let (case, most) = contention(16, routing)?;
        findings.push(Finding::equal(case, 1, most, Basis::Exhaustive));
    }
    for tops in 1..16 {
        let (_, by_source) = contention(tops, "smodk")?;
        let (case, by_destination) = contention(tops, "dmodk")?;
        let case = format!("{case}, against smodk");
        findings.push(Finding::equal(case, by_source, by_destination, Basis::Exhaustive));
    }
    findings.push(random(scope, contention)?);
    Ok(findings)
}

/// Random routing never has contention 1, by the seeds tried.
fn random(
    scope: &Scope,
    contention: impl Fn(u64, &str) -> Result<(String, Ratio), TheoremError>,
) -> Result<Finding, TheoremError> {
    let trials = 20;
    let mut least: Option<Ratio> = None;
    for seed in (0..trials).map(|index| scope.seed.wrapping_add(index)) {
        let (_, most) = contention(16, &format!("random(seed={seed})"))?;
        least = Some(least.map_or(most.clone(), |least| least.min(most)));
    }
    let least = least.unwrap_or_default();
    let case = "random on xgft(2;16,16;1,16)";
    let basis = Basis::Sampled { trials, seed: scope.seed };
    let found = format!("{least} or more");
    Ok(Finding::holds(case, "> 1", found, least > Ratio::ONE, basis))
}
