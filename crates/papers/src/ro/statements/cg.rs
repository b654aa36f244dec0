//! \[RO\] VII.A: the exchanges of CG.D-128, and equation (2).

use std::ops::Range;

use super::inverse_patterns::most;
use crate::optimum::optimal_cut;
use crate::theorem::prelude::*;
use crate::theorem::walk::ports;
use crate::traffic;

pub(super) const PHASES: Statement = Statement::new("ro-cg", "[RO] VII.A, Figs. 2(b), 3")
    .about("Four phases of CG.D-128 stay below the first-level switches; the fifth is a permutation, in \
            which the 16 sources of a switch share two ports under D-mod-k, eight each, one of which sends \
            to itself")
    .hypothesis("the 16-ary 2-tree")
    .quote("five exchanges of equal size, four of which are local to the first-level switch ... either 0 for the eight sources within a switch")
    .cases(|scope| phases(scope, "dmodk"))
    .planted(Planted::Check(|scope| phases(scope, "random(seed=1)")));

pub(super) const CONTENTION: Statement = Statement::new(
    "ro-cg-contention",
    "[RO] VII.A, Figs. 2(b), 3",
)
.about(
    "The fifth phase of CG.D-128 has 7 flows on a link under D-mod-k and S-mod-k, where 1 is \
            possible: one of the eight sources that share a port sends to itself",
)
.hypothesis("the 16-ary 2-tree")
.ours()
.quote("this last phase takes eight times longer with D-mod-k routing")
.cases(|scope| contention(scope, 7))
.planted(Planted::Check(|scope| contention(scope, 8)));

pub(super) const EQUATION_2: Statement = Statement::new(
    "ro-equation-2",
    "[RO] VII.A, equation (2)",
)
.about(
    "In the fifth phase of CG.D-128 processor s inside a switch sends to d = (s/2) 16 + (s mod 2)",
)
.hypothesis("8 switches of 16 processors")
.quote("each processor s inside a switch communicates to a processor")
.cases(|_| equation_2(0..8, 0))
.remark(
    RemarkKind::Wrong,
    |case| case.numbers != [0],
    "True only inside the first switch; inside switch j it is (s/2) 16 + 2j + (s mod 2), \
                   and the two ports that D-mod-k chooses are 2j and 2j + 1",
)
.planted(Planted::Check(|_| equation_2(1..2, 1)));

pub(super) const CORRECTED: Statement =
    Statement::new("ro-equation-2-corrected", "[RO] VII.A, equation (2)")
        .about(
            "In the fifth phase of CG.D-128 processor s inside switch j sends to \
            d = (s/2) 16 + 2j + (s mod 2)",
        )
        .hypothesis("8 switches of 16 processors")
        .ours()
        .quote("each processor s inside a switch communicates to a processor")
        .cases(|_| equation_2(0..8, 2))
        .planted(Planted::Check(|_| equation_2(0..8, 1)));

const TREE: &str = "xgft(2;16,16;1,16)";
const HOSTS: usize = 256;

/// The phases, with `routing` in place of D-mod-k.
fn phases(scope: &Scope, routing: &str) -> Findings {
    let topology = generate(TREE)?;
    let tree = topology.plain_tree().ok_or_else(|| defect(TREE))?;
    let mut findings = scope.each(1..=5, |phase| {
        let pattern = traffic::generate(&format!("cg(128,phase={phase})"), HOSTS)?;
        let demands = pattern.demands().iter();
        let highest = demands.map(|demand| tree.nca_level(demand.s, demand.d)).max();
        let claimed = if phase < 5 { 1 } else { 2 };
        let case = format!("highest NCA level of phase {phase}");
        let highest = highest.unwrap_or(0) as u64;
        Ok(Finding::equal(case, claimed, highest, Basis::Exhaustive))
    })?;
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let is_permutation = pattern.permutation().is_some();
    let found = if is_permutation { "so" } else { "not so" };
    let case = "phase 5";
    findings.push(Finding::holds(case, "a permutation", found, is_permutation, Basis::Exhaustive));
    findings.extend(two_ports(scope, routing)?);
    Ok(findings)
}

fn contention(scope: &Scope, claimed: u64) -> Findings {
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let optimum = optimal_cut(&generate(TREE)?, pattern.demands()).map(|cut| cut.load);
    let optimum = optimum.unwrap_or_default();
    let mut findings =
        vec![Finding::equal("optu of phase 5", Rational::ONE, optimum, Basis::Exhaustive)];
    for routing in ["smodk", "dmodk"] {
        let instance = scope.instance(TREE, routing)?;
        let most = most(&instance, pattern.demands(), scope)?;
        findings.push(Finding::equal(oblivious::case(&instance), claimed, most, Basis::Exhaustive));
    }
    Ok(findings)
}

/// The level 1 up ports that the routing gives to the sources of each switch in phase 5, and to how many.
/// Of the source that sends to itself the port is that of its destination, by the last digit.
fn two_ports(scope: &Scope, routing: &str) -> Result<[Finding; 2]> {
    let instance = scope.instance(TREE, routing)?;
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let mut flows = vec![BTreeMap::<u32, u64>::new(); 8];
    let mut silent: Vec<u32> = (0..128).collect();
    for demand in pattern.demands() {
        let path = path(&*instance.routing, demand.s, demand.d);
        if let Some(port) = ports(&instance.topology, &path).get(1).copied() {
            *flows[demand.s as usize / 16].entry(port).or_default() += 1;
        }
        silent.retain(|s| *s != demand.s);
    }
    let case = |what: &str| format!("{what}, {}", oblivious::case(&instance));
    let (two, found) = (flows.iter().all(|ports| ports.len() == 2), format!("{flows:?}"));
    let shared = Finding::holds(case("ports"), "two per switch", found, two, Basis::Exhaustive);
    let mut sources = flows;
    for s in silent {
        *sources[s as usize / 16].entry(s % 16).or_default() += 1;
    }
    let eight = sources.iter().flat_map(BTreeMap::values).all(|sources| *sources == 8);
    let (claimed, found) = ("eight each, of which seven send to others", format!("{sources:?}"));
    let evenly = Finding::holds(case("sources"), claimed, found, eight, Basis::Exhaustive);
    Ok([shared, evenly])
}

/// Counts the processors of each switch j that send to (s/2) 16 + s mod 2 + `step` j.
fn equation_2(switches: Range<u32>, step: u32) -> Findings {
    let pattern = traffic::generate("cg(128,phase=5)", HOSTS)?;
    let of_switch = |switch: u32| {
        let sends = (16 * switch..16 * switch + 16).filter(|s| {
            let formula = s % 16 / 2 * 16 + s % 2 + step * switch;
            // A task that exchanges with itself sends nothing.
            formula == *s || !pattern.amount(*s, formula).is_zero()
        });
        let case = Case::of(format!("equation (2), switch {switch}"), [switch.into()]);
        Finding::equal(case, 16, sends.count() as u64, Basis::Exhaustive)
    };
    Ok(switches.map(of_switch).collect())
}
