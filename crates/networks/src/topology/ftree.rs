//! Folded Clos networks ftree(n,m,r) (\[NB\] III).

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ftree",
    usage: "ftree(n,m,r)",
    about: "folded Clos: r bottom switches with n hosts each, m top switches",
    reference: "[NB] III",
    examples: &["ftree(2,4,3)", "ftree(2,2,4)", "ftree(3,2,2)", "ftree(2,5,4)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Members of n ≤ 4 hosts per leaf, r ≤ 2n + 2 leaves and a few numbers m of top switches up to
/// n² + 1.
fn members(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for n in 1..=4_usize {
        let mut tops = vec![1, n, 2 * n - 1, n * n - 1, n * n, n * n + 1];
        tops.retain(|m| *m > 0);
        tops.sort_unstable();
        tops.dedup();
        for r in (2..=2 * n + 2).take_while(|r| n * r <= hosts) {
            specs.extend(tops.iter().map(|m| format!("ftree({n},{m},{r})")));
        }
    }
    specs
}

/// ftree(n,m,r) = XGFT(2; n,r; 1,m).
fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [n, m, r] = spec.positive_numbers()?;
    Ok(Parameters { children: vec![n, r], parents: vec![1, m] })
}
