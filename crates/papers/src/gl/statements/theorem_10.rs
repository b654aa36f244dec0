//! \[GL\] Theorem 10: message sets that a network delivers in t steps, on the fat-tree.
//!
//! Let a network be laid out as its processors are numbered, and let it deliver M in t steps. Every
//! message from inside a region to outside has passed its surface outwards on a wire at least once, and
//! each wire has taken one message a step. So load(M,c) is at most t times the messages of one step
//! over all wires on the channel c, and likewise inwards: **λ(M) ≤ t·λ₁ for every M, t and layout**, λ₁
//! being the load factor of one step. A step itself has t = 1 and attains it.
//!
//! That is less than Theorem 10 says: it maps the processors of an arbitrary network of volume v, which need
//! not be laid out as they are numbered, and bounds the load factor by v alone ([`super::theorem_10_decomposed`]).
//!
//! In volume v Theorem 10 has n = O(v/lg^(3/2) v) processors, so that each has lg n units of surface:
//! links of lg n wires, whose step has λ₁ = 6·lg n where a single wire has 6 ([`super::lemma_2`]).
//!
//! The cycles of RANDOM are sampled, with small constants in place of those of its proof.

use super::lemma_2::shape;
use super::prelude::*;
use crate::simulation::delivery::sets::{Ends, open};

pub(super) const KIND: Statement = Statement::new(
    "gl-theorem-10",
    "[GL] 6, proof of Theorem 10, for meshes and geometric networks",
)
    .about("A message set that a network laid out as its processors are numbered delivers in t steps has \
            at most t times the load factor of one step: 6 t lg n on a cubic mesh with lg n wires a link \
            and the fat-tree that quadruples its capacities every three levels. Theorem 10 is about \
            arbitrary networks of a volume, which this leaves out")
    .hypothesis("square and cubic meshes and random geometric networks of 16 to 1024 processors, laid out as these are numbered, links of 1 and ceil(lg n) wires; random permutations, random messages, bit reversal, and a step")
    .ours()
    .quote("any message set M that can be delivered in time t by R puts a load factor of at most $O(t \\lg(n/v^{2/3}))$ on FT.")
    .cases(|scope| factors(scope, 0))
    // One step less.
    .planted(Planted::Check(|scope| factors(scope, 1)));

pub(super) const CYCLES: Statement = Statement::new("gl-theorem-10-cycles", "[GL] 6, Theorem 10, by experiment")
    .about("RANDOM with k1 = k2 = 1 and r = 2 delivers a message set that a network delivers in t steps \
            in 8 (t lambda_1 + lg n lg lg n) delivery cycles at most, lambda_1 being the load factor of \
            one step")
    .hypothesis("as for gl-theorem-10; the most of 5 runs, congested channels lose the excess at random")
    .ours()
    .quote("By Theorem 8, the message set M can be delivered by RANDOMin $O(t \\lg(n/v^{2/3}) + \\lg n \\lg \\lg n)$ delivery cycles with high probability.")
    .cases(|scope| check(scope, |set, scope| cycles(set, scope, 64)))
    // Fewer than the load factor.
    .planted(Planted::Check(|scope| check(scope, |set, scope| cycles(set, scope, 1))));

/// Networks with the growth of their fat-tree and the numbers of processors.
const NETWORKS: [(&str, &str, &[usize]); 4] = [
    ("mesh2", "double2", &[16, 64, 256, 1024]),
    ("mesh3", "quadruple3", &[64, 512]),
    ("geometric2", "double2", &[16, 64, 256]),
    ("geometric3", "quadruple3", &[64, 512]),
];

/// Runs of RANDOM on each set.
const RUNS: u64 = 5;

/// Messages that a network delivered.
#[derive(Clone)]
struct Set {
    case: String,
    shape: UniversalShape,
    messages: Messages,
    /// Steps that it took.
    steps: u64,
    /// λ of one step.
    one: Rational,
}

fn check(scope: &Scope, finding: impl Fn(&Set, &Scope) -> Result<Finding> + Sync) -> Findings {
    let mut cases = Vec::new();
    for (network, growth, sizes) in NETWORKS {
        for hosts in sizes {
            let wide = u64::from(hosts.ilog2());
            cases.extend([1, wide].map(|wires| (network, growth, *hosts, wires)));
        }
    }
    let found = cases.into_par_iter().map(|(network, growth, hosts, wires)| {
        let layout = Layout::named(network, hosts, scope.seed)?.with_wires(wires)?;
        let sets = sets(&layout, growth, scope)?;
        scope.progress.inc(1);
        sets.iter().map(|set| finding(set, scope)).collect::<Result<Vec<_>>>()
    });
    Ok(found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Sets of messages, carried on a network.
fn sets(layout: &Layout, growth: &str, scope: &Scope) -> Result<Vec<Set>> {
    let (hosts, seed) = (layout.hosts(), scope.seed);
    let shape = shape(hosts as u64, growth, 1)?;
    let one = layout.step_load_factor(shape.wires()).unwrap_or_default();
    let ends = Ends { processors: hosts, outside: None };
    let specs = [
        format!("permutation(seed={seed})"),
        format!("messages(count={},seed={seed})", 4 * hosts),
        "bitrev".to_string(),
        format!("step(network={},wires={},seed={seed})", layout.name(), layout.wires()),
    ];
    let mut sets = Vec::new();
    for spec in specs {
        let (messages, spec) = open(&spec, ends).map_err(defect)?;
        let steps = carry(layout, messages.iter(), &scope.progress.part(1.0))?.steps;
        let (name, wires) = (layout.name(), layout.wires());
        let case = format!("{spec} on {name} of {hosts} processors, {wires} wires a link");
        sets.push(Set { case, shape: shape.clone(), messages, steps, one: one.clone() });
    }
    Ok(sets)
}

/// Load factors against those of steps, of which there are `fewer`.
fn factors(scope: &Scope, fewer: u64) -> Findings {
    let mut findings = check(scope, |set, _| {
        let found = bottleneck(&WireTree::universal(&set.shape), &set.messages)?;
        let factor = found.map(|found| found.load_factor).unwrap_or_default();
        let steps = set.steps.saturating_sub(fewer);
        let bound = &Rational::from(steps) * &set.one;
        let claimed = format!("<= {steps} times {}", set.one);
        let (holds, found) = (factor <= bound, factor.to_string());
        Ok(Finding::holds(set.case.clone(), claimed, found, holds, Basis::Grid { points: 1 }))
    })?;
    if fewer == 0 {
        let (bound, docs) = (
            "load factor <= t times that of a step",
            "the docs of crates/papers/src/gl/statements/theorem_10.rs",
        );
        findings.push(Finding::argued("every M and t", bound, "by the wires", docs));
    }
    Ok(findings)
}

/// At most `eighths`/8 times the bound.
fn cycles(set: &Set, scope: &Scope, eighths: u64) -> Result<Finding> {
    let ground = Ground::universal(&set.shape);
    let random = algorithm::build("random(k1=1,k2=1,r=2)", &ground.facts(&set.messages));
    let random = random.map_err(defect)?;
    let loss = loss::find("random").map_err(defect)?;
    let settings = Settings { loss, seed: scope.seed };
    let runs =
        ground.deliver_often(&*random, &set.messages, settings, RUNS, &scope.progress.part(1.0))?;
    scope.progress.check()?;
    let sample = Summary::of(runs.iter().map(|run| (Rational::from(run.cycles), 1)));
    let most = sample.map(|sample| sample.most().to_f64()).unwrap_or_default();
    let lg = f64::from(set.shape.height());
    let bound = (&Rational::from(set.steps) * &set.one).to_f64() + lg * lg.log2();
    let part = eighths as f64 / 8.0;
    let claimed = format!("<= {part} of {bound:.1}");
    let found = format!("{most} cycles at most");
    let basis = Basis::sampled(RUNS, scope.seed);
    Ok(Finding::holds(set.case.clone(), claimed, found, most <= part * bound, basis))
}
