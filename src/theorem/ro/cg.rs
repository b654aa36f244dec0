//! \[RO\] VII.A: the exchanges of CG.D-128, and equation (2).

use std::collections::BTreeSet;

use super::inverse_patterns::most;
use crate::optimum::optimal_cut;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::walk::{path, ports};
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, oblivious,
};
use crate::topology::generate;
use crate::traffic;

pub(super) const CONTENTION: Kind<Statement> = Kind {
    name: "ro-cg",
    usage: "ro-cg",
    about: "Four phases of CG.D-128 stay below the first-level switches; in the fifth, a permutation, \
            the 16 sources of a switch share two ports under D-mod-k, 8 flows a link, where 1 is \
            possible; S-mod-k does the same",
    reference: "[RO] VII.A, Figs. 2(b), 3",
    examples: &["ro-cg"],
    build: Statement {
        hypothesis: "the 16-ary 2-tree",
        subject: Subject::Cases { check },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "One of the eight sources that share a port sends to itself, by equation (2) itself: \
                   7 flows a link",
            on: |case| case.starts_with("smodk on ") || case.starts_with("dmodk on "),
        }),
        ..Statement::UNREAD
    },
};

pub(super) const EQUATION_2: Kind<Statement> = Kind {
    name: "ro-equation-2",
    usage: "ro-equation-2",
    about: "In the fifth phase of CG.D-128 processor s inside a switch sends to d = (s/2) 16 + (s mod 2)",
    reference: "[RO] VII.A, equation (2)",
    examples: &["ro-equation-2"],
    build: Statement {
        hypothesis: "8 switches of 16 processors",
        subject: Subject::Cases { check: equation_2 },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "True inside the first switch only; inside switch j it is (s/2) 16 + 2j + (s mod 2), \
                   and the two ports that D-mod-k chooses are 2j and 2j + 1",
            on: |case| !case.ends_with("switch 0"),
        }),
        ..Statement::UNREAD
    },
};

const TREE: &str = "xgft(2;16,16;1,16)";
const HOSTS: usize = 256;

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let topology = generate(TREE)?;
    let tree = topology.tree().ok_or_else(|| TheoremError::Hypothesis(TREE.into()))?;
    let mut findings = Vec::new();
    for phase in 1..=5 {
        let pattern = traffic::generate(&format!("cg(128,phase={phase})"), HOSTS)?;
        let demands = pattern.demands().iter();
        let highest = demands.map(|demand| tree.nca_level(demand.s, demand.d)).max();
        let claimed = if phase < 5 { 1 } else { 2 };
        let case = format!("highest NCA level of phase {phase}");
        let highest = highest.unwrap_or(0) as u64;
        findings.push(Finding::equal(case, claimed, highest, Basis::Exhaustive));
    }
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let is_permutation = pattern.permutation().is_some();
    let found = if is_permutation { "so" } else { "not so" };
    let case = "phase 5";
    findings.push(Finding::holds(case, "a permutation", found, is_permutation, Basis::Exhaustive));
    let optimum = optimal_cut(&topology, pattern.demands()).map(|cut| cut.load);
    let optimum = optimum.unwrap_or_default();
    findings.push(Finding::equal("optu of phase 5", Ratio::ONE, optimum, Basis::Exhaustive));
    for routing in ["smodk", "dmodk"] {
        let instance = scope.instance(TREE, routing)?;
        let most = most(&instance, pattern.demands(), scope)?;
        findings.push(Finding::equal(oblivious::case(&instance), 8, most, Basis::Exhaustive));
    }
    findings.push(two_ports(scope)?);
    Ok(findings)
}

/// Up ports of level 1 that D-mod-k gives to the sources of each switch in phase 5.
fn two_ports(scope: &Scope) -> Result<Finding, TheoremError> {
    let instance = scope.instance(TREE, "dmodk")?;
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let mut used = vec![BTreeSet::new(); 8];
    for demand in pattern.demands() {
        let path = path(&*instance.routing, demand.s, demand.d);
        let port = ports(&instance.topology, &path).get(1).copied();
        used[demand.s as usize / 16].extend(port);
    }
    let holds = used.iter().all(|ports| ports.len() == 2);
    let case = format!("ports, {}", oblivious::case(&instance));
    let found = format!("{used:?}");
    Ok(Finding::holds(case, "two a switch", found, holds, Basis::Exhaustive))
}

fn equation_2(_: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let of_switch = |switch: u32| {
        let sends = (16 * switch..16 * switch + 16).filter(|s| {
            let formula = s % 16 / 2 * 16 + s % 2;
            // A task that exchanges with itself sends nothing.
            formula == *s || !pattern.amount(*s, formula).is_zero()
        });
        let case = format!("equation (2), switch {switch}");
        Finding::equal(case, 16, sends.count() as u64, Basis::Exhaustive)
    };
    Ok((0..8).map(of_switch).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing::Instance;
    use crate::theorem::Outcome;

    #[test]
    fn another_routing_has_other_ports() {
        let progress = Progress::silent();
        let right = Scope::new(16, &progress);
        assert_eq!(two_ports(&right).unwrap().outcome, Outcome::Holds);
        let random = |_| Instance::named(TREE, "random(seed=1)").unwrap();
        let wrong = Scope::new(16, &progress).with_instances(&random);
        assert!(matches!(two_ports(&wrong).unwrap().outcome, Outcome::Fails(_)));
    }
}
