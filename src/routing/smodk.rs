//! S-mod-k (\[RO\] V).

use super::dmodk::mod_k_digit;
use super::tree::{HostDigits, TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::Topology;

const USAGE: &str = "smodk";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "smodk",
    usage: USAGE,
    options: &[],
    about: "up-digit W_{l+1} = M_l(s) mod w_{l+1}: one way up from every source",
    reference: "[RO] V",
    examples: &["smodk"],
    build,
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    let tree = labels(spec, topology)?;
    let rule = HostDigits::tabulate(tree, true, |host, l| mod_k_digit(tree, host, l));
    Ok(Box::new(TreeRouting::new(spec, tree, rule)))
}
