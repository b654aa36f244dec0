//! m-port n-trees FT(m,n) (\[OR\] II.B; Lin, Chung and Huang, IPDPS 2004).

use super::{Topology, TopologyError, labelled, positive_arguments};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "ft(m,n)";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "ft",
    usage: USAGE,
    options: &[],
    about: "m-port n-tree of m-port switches, full bisection; m even",
    reference: "[OR] II.B",
    examples: &["ft(2,2)", "ft(4,1)", "ft(4,2)", "ft(4,3)", "ft(6,2)"],
    build,
};

/// FT(m,n) = XGFT(n; m/2,…,m/2,m; 1,m/2,…,m/2).
fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let [m, n] = positive_arguments(spec, 2, USAGE)?[..] else {
        return Err(spec.bad(USAGE, "two numbers expected").into());
    };
    if m % 2 != 0 {
        return Err(spec.bad(USAGE, format!("m = {m} must be even")).into());
    }
    super::xgft::within_height(n)?;
    let levels = n as usize;
    let (mut children, mut parents) = (vec![m / 2; levels], vec![m / 2; levels]);
    children[levels - 1] = m;
    parents[0] = 1;
    labelled(spec, USAGE, &children, &parents)
}
