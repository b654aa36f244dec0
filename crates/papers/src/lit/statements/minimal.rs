//! \[CMB\]: what a permutation can do to minimal routes in networks of low diameter.
//!
//! The abstract says on which networks Ant Mill is adversarial, but neither what it is nor how bad. So Ant Mill is not
//! measured; what is computed is the worst of all permutations: if Ant Mill is one, it is no worse.

use crate::load::LinkLoads;
use crate::theorem::direct::permutation;
use crate::theorem::prelude::*;
use crate::traffic::generate as pattern;

pub(super) const KIND: Statement = Statement::new("lit-ant-mill", "[CMB] abstract")
    .about("On random regular graphs, Slim Flies, dragonflies and projective networks, two of each, some permutation loads a link under `ecmp` at least twice as much as uniform traffic does")
    .hypothesis("the exact worst permutation; the abstract does not define Ant Mill, so that neither its load nor whether it is such a permutation is known here")
    .ours()
    .quote("Ant Mill traffic pattern is also adversarial in other low-diameter direct interconnection networks such as Slimfly, Dragonfly, and Projective networks")
    .cases(|scope| check(scope, NETWORKS))
    // A tree of full bisection has none.
    .planted(Planted::Check(|scope| check(scope, &["xgft(2;2,4;1,2)"])));

const NETWORKS: &[&str] = &[
    "dragonfly(0,2,1)",
    "polarfly(3,p=0)",
    "jellyfish(16,3,p=0)",
    "slimfly(3,p=0)",
    "jellyfish(20,4,p=0)",
    "polarfly(5,p=0)",
    "dragonfly(0,4,2)",
    "slimfly(5,p=0)",
];

/// The claim that some permutation loads a link at least twice as much as uniform traffic does.
fn check(scope: &Scope, networks: &[&str]) -> Findings {
    let mut findings = Vec::new();
    for spec in networks {
        let topology = generate(spec)?;
        if topology.hosts() > scope.hosts {
            continue;
        }
        let (load, _) = permutation(&topology, "ecmp", scope.progress)?;
        let routing = crate::routing::build("ecmp", &topology)
            .map_err(crate::routing::InstanceError::from)?;
        let uniform = pattern("uniform", topology.hosts())?;
        let loads = LinkLoads::of(&topology, routing.as_ref(), uniform.demands(), scope.progress)?;
        // Every host sends 1 to each other one.
        let sent = Rational::from(topology.hosts() as u64 - 1);
        let hypothesis = || TheoremError::Hypothesis(topology.spec().to_string());
        let mean = loads.max_load().checked_div(&sent).ok_or_else(hypothesis)?;
        let twice = &mean * &Rational::from(2_u64);
        let (claimed, found) = (format!("at least {twice}"), load.to_string());
        let basis = Basis::of(&load);
        findings.push(Finding::holds(*spec, claimed, found, load.lower >= twice, basis));
        scope.progress.inc(1);
    }
    Ok(findings)
}
