//! Uniform traffic: all-to-all.

use super::tasks::Tasks;
use super::{ProductTraffic, TrafficError};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "uniform(tasks=K,place=linear|random,seed=1)";

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "uniform",
    usage: USAGE,
    options: &["tasks", "place", "seed"],
    about: "all-to-all: 1 unit from every task to every other",
    reference: "[GO] 5.2, [OR] VI",
    examples: &["uniform", "uniform(tasks=8)", "uniform(tasks=8,place=random,seed=3)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let (tasks, _) = Tasks::read(spec, hosts, 0, &[], USAGE)?;
    Ok(tasks.product(0..tasks.count()))
}
