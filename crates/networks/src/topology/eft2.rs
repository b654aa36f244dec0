//! Extended 2-layer fat-trees EFT2(m,k) (\[OR\] IV).

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "eft2",
    usage: "eft2(m,k)",
    about: "m/2 top switches of k ports over k bottom switches of m ports; m even",
    reference: "[OR] IV",
    examples: &["eft2(4,2)", "eft2(4,3)", "eft2(6,2)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Members of up to 12-port bottom switches, with k from 2 to 2m.
fn members(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for m in (2..=12_usize).step_by(2) {
        let fits = |k: &usize| m / 2 * k <= hosts;
        specs.extend((2..=2 * m).take_while(fits).map(|k| format!("eft2({m},{k})")));
    }
    specs
}

/// EFT2(m,k) = XGFT(2; m/2,k; 1,m/2).
fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [m, k] = spec.positive_numbers()?;
    if m % 2 != 0 {
        return Err(spec.refused(format!("m = {m} must be even")).into());
    }
    Ok(Parameters { children: vec![m / 2, k], parents: vec![1, m / 2] })
}
