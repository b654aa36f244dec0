//! m-port n-trees FT(m,n) (\[OR\] II.B; Lin, Chung and Huang, IPDPS 2004).

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ft",
    usage: "ft(m,n)",
    about: "m-port n-tree of m-port switches, full bisection; m even",
    reference: "[OR] II.B",
    examples: &["ft(2,2)", "ft(4,1)", "ft(4,2)", "ft(4,3)", "ft(6,2)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Maximum number of ports of the single switch of a tree of height 1.
const WIDEST: usize = 16;

/// FT(2,n) is a path for every n; three of them are enough.
fn members(hosts: usize) -> Vec<String> {
    let size = |m: usize, n: u32| m.checked_mul((m / 2).checked_pow(n - 1)?);
    let mut specs = Vec::new();
    for n in 1..=9 {
        let fits =
            |m: &usize| size(*m, n).is_some_and(|size| size <= hosts) && (n > 1 || *m <= WIDEST);
        let least = if n <= 3 { 2 } else { 4 };
        specs.extend((least..).step_by(2).take_while(fits).map(|m| format!("ft({m},{n})")));
    }
    specs
}

/// FT(m,n) = XGFT(n; m/2,…,m/2,m; 1,m/2,…,m/2).
fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [m, n] = spec.positive_numbers()?;
    if m % 2 != 0 {
        return Err(spec.refused(format!("m = {m} must be even")).into());
    }
    super::xgft::within_height(n)?;
    let levels = as_size(n);
    let (mut children, mut parents) = (vec![m / 2; levels], vec![m / 2; levels]);
    children[levels - 1] = m;
    parents[0] = 1;
    Ok(Parameters { children, parents })
}
