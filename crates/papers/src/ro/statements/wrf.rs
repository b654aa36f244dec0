//! \[RO\] VII.A: the exchanges of WRF-256.

use super::inverse_patterns::most;
use crate::load::LinkLoads;
use crate::optimum::optimal_cut;
use crate::theorem::prelude::*;
use crate::theorem::walk::turn;
use crate::traffic::{self, TrafficMatrix};

pub(super) const KIND: Statement = Statement::new("ro-wrf", "[RO] VII.A, Fig. 2(a)")
    .about(
        "S-mod-k and D-mod-k route WRF-256 with contention 1 on the 16-ary 2-tree, and with equal \
            contention on slimmed ones; random routing adds contention",
    )
    .hypothesis("XGFT(2;16,16;1,w2)")
    .ours()
    .quote("introduces additional network contention to the endpoint contention")
    .cases(|scope| check(scope, 1))
    .planted(Planted::Check(|scope| check(scope, 2)));

pub(super) const NCAS: Statement = Statement::new("ro-wrf-ncas", "[RO] VII.A")
    .about("S-mod-k and D-mod-k give flows of WRF-256 with different sources and destinations different \
            NCAs on the 16-ary 2-tree")
    .hypothesis("all such flows; then those whose sources are at one switch")
    .quote("assign a different NCA for communicating pairs that do not have endpoint contention")
    .cases(|scope| ncas(scope, ["smodk", "dmodk"]))
    .remark(
        RemarkKind::Imprecise,
        |case| case.numbers == [HOSTS],
        "True of flows whose sources are at one switch, which is what keeps links free of \
                   contention. Among all flows, 0 -> 16 and 32 -> 48 have the same NCA, and \
                   contention 1",
    )
    .planted(Planted::Check(|scope| ncas(scope, ["random(seed=1)", "random(seed=2)"])));

pub(super) const OPTIMAL: Statement = Statement::new("ro-wrf-optimal", "[RO] VII.A, Fig. 2(a)")
    .about(
        "Where w2 divides 16, S-mod-k and D-mod-k route WRF-256 with the least max load that any \
            routing has",
    )
    .hypothesis(
        "XGFT(2;16,16;1,w2), w2 = 16, 8, 4, 2, 1; load against optu, printed for simulated time",
    )
    .ours()
    .quote("achieve the same performance as a pattern-aware routing scheme")
    .cases(|scope| optimal(scope, &[16, 8, 4, 2, 1]))
    // ⌈32/w2⌉ flows on a link suffice for the best routing; these two have 2⌈16/w2⌉.
    .planted(Planted::Check(|scope| optimal(scope, &[11])));

/// Hosts of WRF-256 on a tree of 16 switches.
const HOSTS: u64 = 256;

/// Hosts of one switch.
const OF_SWITCH: u64 = 16;

fn wrf() -> Result<TrafficMatrix> {
    Ok(traffic::generate("wrf(256)", 256)?)
}

/// The claim that contention on the full tree is `claimed`.
fn check(scope: &Scope, claimed: u64) -> Findings {
    let pattern = wrf()?;
    let contention = |tops: u64, routing: &str| {
        let instance = scope.instance(&format!("xgft(2;16,16;1,{tops})"), routing)?;
        let most = most(&instance, pattern.demands(), scope)?;
        Ok::<_, TheoremError>((oblivious::case(&instance), most))
    };
    let mut findings = scope.each(["smodk", "dmodk"], |routing| {
        let (case, most) = contention(16, routing)?;
        Ok(Finding::equal(case, claimed, most, Basis::Exhaustive))
    })?;
    for tops in 1..16 {
        let (_, by_source) = contention(tops, "smodk")?;
        let (case, by_destination) = contention(tops, "dmodk")?;
        let case = format!("{case}, against smodk");
        findings.push(Finding::equal(case, by_source, by_destination, Basis::Exhaustive));
    }
    findings.push(random(scope, contention)?);
    Ok(findings)
}

/// Whether flows share an NCA, among all and among those of one switch. The number of a case is
/// that of the hosts among which the sources of two flows are.
fn ncas(scope: &Scope, routings: [&str; 2]) -> Findings {
    let pattern = wrf()?;
    scope.each(routings, |routing| {
        let instance = scope.instance("xgft(2;16,16;1,16)", routing)?;
        let turns =
            |flow: &Demand| turn(&instance.topology, &path(&*instance.routing, flow.s, flow.d));
        let flows: Vec<(u32, u32, Option<NodeId>)> =
            pattern.demands().iter().map(|flow| (flow.s, flow.d, turns(flow))).collect();
        let case = oblivious::case(&instance);
        let of = |(which, hosts): (&str, u64)| {
            let is_meant = |s: u32, other: u32| u64::from(s) / hosts == u64::from(other) / hosts;
            let mut shared = flows
                .iter()
                .array_combinations()
                .filter(|[a, b]| a.0 != b.0 && a.1 != b.1 && a.2 == b.2 && is_meant(a.0, b.0));
            let first = shared.next();
            let first = first
                .map(|[a, b]| format!("{} -> {} and {} -> {} share theirs", a.0, a.1, b.0, b.1));
            let case = Case::of(format!("{which}, {case}"), [hosts]);
            Finding::unless(case, "different", "different for all", first, Basis::Exhaustive)
        };
        Ok([("all flows", HOSTS), ("flows of one switch", OF_SWITCH)].map(of))
    })
}

fn optimal(scope: &Scope, tops: &[u64]) -> Findings {
    let pattern = wrf()?;
    scope.each(tops.iter().cartesian_product(["smodk", "dmodk"]), |(tops, routing)| {
        let instance = scope.instance(&format!("xgft(2;16,16;1,{tops})"), routing)?;
        let Instance { topology, routing, .. } = &instance;
        let loads = LinkLoads::of(topology, &**routing, pattern.demands(), scope.progress)?;
        let optimum = optimal_cut(topology, pattern.demands()).map(|cut| cut.load);
        let (case, load) = (oblivious::case(&instance), loads.max_load());
        let optimum = optimum.unwrap_or(Rational::ZERO);
        Ok(Finding::equal(case, optimum, load, Basis::Exhaustive))
    })
}

/// Random routing never has contention 1 with the seeds tried.
fn random(
    scope: &Scope,
    contention: impl Fn(u64, &str) -> Result<(String, Rational)>,
) -> Result<Finding> {
    let trials = 20;
    let mut least: Option<Rational> = None;
    for seed in (0..trials).map(|index| scope.seed.wrapping_add(index)) {
        let (_, most) = contention(16, &format!("random(seed={seed})"))?;
        least = Some(least.map_or(most.clone(), |least| least.min(most)));
    }
    let least = least.unwrap_or_default();
    let case = "random on xgft(2;16,16;1,16)";
    let basis = Basis::sampled(trials, scope.seed);
    let found = format!("{least} or more");
    Ok(Finding::holds(case, "> 1", found, least > Rational::ONE, basis))
}
