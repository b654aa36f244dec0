//! k-ary n-trees (\[GO\] 2, \[RO\] II).

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "kary",
    usage: "kary(k,n)",
    about: "k-ary n-tree: k^n hosts under n levels of 2k-port switches, full bisection",
    reference: "[GO] 2, [RO] II",
    examples: &["kary(2,1)", "kary(2,2)", "kary(2,3)", "kary(3,2)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Maximum number of children of a switch.
const WIDEST: usize = 16;

/// Members with k ≥ 2.
fn members(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for n in 1..=5_u32 {
        let fits = |k: &usize| *k <= WIDEST && k.checked_pow(n).is_some_and(|size| size <= hosts);
        specs.extend((2..).take_while(fits).map(|k| format!("kary({k},{n})")));
    }
    specs
}

/// k-ary n-tree = XGFT(n; k,…,k; 1,k,…,k).
fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [k, n] = spec.positive_numbers()?;
    super::xgft::within_height(n)?;
    let levels = as_size(n);
    let mut parents = vec![k; levels];
    parents[0] = 1;
    Ok(Parameters { children: vec![k; levels], parents })
}
