//! Folded Clos networks ftree(n,m,r) (\[NB\] III).

use super::{Topology, TopologyError, labelled, positive_arguments};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "ftree(n,m,r)";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "ftree",
    usage: USAGE,
    options: &[],
    about: "folded Clos: r bottom switches with n hosts each, m top switches",
    reference: "[NB] III",
    examples: &["ftree(2,4,3)", "ftree(2,2,4)", "ftree(3,2,2)", "ftree(2,5,4)"],
    build,
};

/// ftree(n,m,r) = XGFT(2; n,r; 1,m).
fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let [n, m, r] = positive_arguments(spec, 3, USAGE)?[..] else {
        return Err(spec.bad(USAGE, "three numbers expected").into());
    };
    labelled(spec, USAGE, &[n, r], &[1, m])
}
