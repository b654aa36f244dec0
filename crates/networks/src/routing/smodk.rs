//! S-mod-k (\[RO\] V).

use super::digits::{DigitRule, DigitRules, Digits};
use super::dmodk::{mod_k_digit, mod_k_ports};
use super::tree::{HostDigits, TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Topology, TreeShape};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "smodk",
    usage: "smodk",
    about: "up-digit W_{l+1} = M_l(s) mod w_{l+1}: one way up from every source",
    reference: "[RO] V",
    examples: &["smodk"],
    build: super::Family {
        build,
        digits: Digits::Rules(|_, shape| by_source(shape)),
        defined: true,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    let rule = HostDigits::tabulate(tree, true, |host, l| mod_k_digit(tree, host, l));
    Ok(Box::new(TreeRouting::new(spec, tree, rule)))
}

/// The rules of S-mod-k.
pub(super) fn by_source(shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    DigitRules::above_zero(shape, |step| {
        let (digit, ports) = mod_k_ports(shape, step)?;
        Ok(DigitRule::Source { digit, ports })
    })
}
