//! D-mod-k (\[RO\] V; the deterministic routing of \[GO\] 4).

use super::digits::{DigitRule, DigitRules, Digits, ports};
use super::tree::{HostDigits, TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "dmodk",
    usage: "dmodk",
    about: "up-digit W_{l+1} = M_l(d) mod w_{l+1}: one way down to every destination",
    reference: "[RO] V, [GO] 4",
    examples: &["dmodk"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    let rule = HostDigits::tabulate(tree, false, |host, l| mod_k_digit(tree, host, l));
    Ok(Box::new(TreeRouting::new(spec, tree, rule)))
}

fn rules(_spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    DigitRules::above_zero(shape, |step| {
        let (digit, ports) = mod_k_ports(shape, step)?;
        Ok(DigitRule::Destination { digit, ports })
    })
}

/// The digit that W_l depends on, l > 1, and the port of each of its values.
pub(super) fn mod_k_ports(
    shape: &TreeShape,
    step: usize,
) -> Result<(usize, Vec<u32>), RoutingError> {
    let below = step - 1;
    Ok((below, ports(shape.children(below), |digit| digit % shape.parents(step))?))
}

/// W_{l+1} = M_l mod w_{l+1}. There is no digit M_0, so W_1 = 0: with w1 > 1 hosts use only
/// their first up link.
pub(super) fn mod_k_digit(tree: &Xgft, host: Host, l: usize) -> u32 {
    if l == 0 { 0 } else { tree.digit(host, l) % tree.parents(l + 1) }
}
