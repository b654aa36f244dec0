//! Folded Clos networks ftree(n,m,r) (\[NB\] III).

use super::{Parameters, Topology, TopologyError, labelled, positive_arguments};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "ftree(n,m,r)";

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ftree",
    usage: USAGE,
    options: &[],
    about: "folded Clos: r bottom switches with n hosts each, m top switches",
    reference: "[NB] III",
    examples: &["ftree(2,4,3)", "ftree(2,2,4)", "ftree(3,2,2)", "ftree(2,5,4)"],
    build: super::Family { build, parameters: Some(parameters), members },
};

/// Those of n ≤ 4 hosts per leaf, r ≤ 2n + 2 leaves and a few numbers m of top switches up to
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

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    labelled(spec, USAGE, &parameters(spec)?)
}

/// ftree(n,m,r) = XGFT(2; n,r; 1,m).
fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [n, m, r] = positive_arguments(spec, 3, USAGE)?[..] else {
        return Err(spec.bad(USAGE, "three numbers expected").into());
    };
    Ok(Parameters { children: vec![n, r], parents: vec![1, m] })
}
